#!/usr/bin/env python3
"""Kern beside its peers on one NVIDIA GPU, in one run.

    bench.py --lib libkern.so --kern kern --json out.json \
        --into docs/explanation/performance.md --plot docs/images/bandwidth.svg

Every result is checked first, against float64 or exactly, on fresh random
data; a wrong one counts as failed. Contenders take turns in batches, times are
medians, and each row says whether it reached its goal. Peers that are not
installed are left out, those that fail are shown as failed. `--from` makes the
page of runs that were saved, on any machine.
"""

import argparse
import datetime
import json
import os
import pathlib
import statistics
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "e2e"))

import built
import function_bodies
import function_report
import report as page

PARTS = ["elementwise", "layouts", "conversions", "sizes", "large", "gufuncs",
         "nests", "products", "calls", "compile"]
# Measured only when named: the CPU's own table, and every function.
ASKED_FOR = ["host", "functions", "functions-host"]
PEERS = ["kern", "CUDA C", "CuPy", "Numba", "torch", "torch.compile", "JAX"]
INTO = "--into docs/explanation/performance.md --plot docs/images/bandwidth.svg"


def measured(work, part, data, options):
    """Checks and times one benchmark."""
    from contenders import as_cupy, reason
    from data import copy_of
    from measure import paired, ratio, synchronize

    row = {"part": part, "work": work.name, "bytes": work.bytes, "gbs": {},
           "ms": {}, "ratios": {}, "error": {}, "goals": work.goals,
           "failed": dict(work.failed), **work.tags}
    right = {}
    for peer, run in work.run.items():
        try:
            for out in work.out:
                if work.before is not None:
                    out.fill(work.before)
                    continue
                is_flat = out.ndim > 0 and out.flags.c_contiguous
                out.view("u1" if is_flat else out.dtype).fill(
                    0xfe if is_flat else 1)
            result = run()
            synchronize()
            if result is None:
                result = work.out
            elif not isinstance(result, (tuple, list)):
                result = [result]
            error = work.check([as_cupy(r) for r in result])
            del result
        except Exception as problem:
            row["failed"][peer] = reason(problem)
            continue
        row["error"][peer] = error
        if error <= 1:
            right[peer] = run
        else:
            row["failed"][peer] = f"wrong: {error:.3g} × the tolerance"
    copied, copy = copy_of(data)
    times = paired({"copy": copy, **right}, options.batches,
                   options.target_ms, wall=("JAX",))
    row["copy_gbs"] = copied / statistics.median(times["copy"]) / 1e6
    for peer in right:
        row["ms"][peer] = statistics.median(times[peer])
        row["gbs"][peer] = work.bytes / row["ms"][peer] / 1e6
        if "kern" in right and peer != "kern":
            row["ratios"][peer] = ratio(times, "kern", peer)
    return row


def show(row):
    print(row["work"], flush=True)
    for peer, ms in row["ms"].items():
        print(f"  {peer:13} {ms:9.4f} ms {row['gbs'][peer]:8.0f} GB/s "
              f"{row['gbs'][peer] / row['copy_gbs']:.3f} of copy"
              + (f"  kern is {row['ratios'][peer]:.3f} as fast"
                 if peer in row["ratios"] else ""), flush=True)
    for peer, problem in row["failed"].items():
        print(f"  {peer:13} FAILED {problem[:200]}", flush=True)


def run_works(part, makers, data, options, rows, save):
    import cupy

    from contenders import reason
    for name, make in makers:
        if time.monotonic() > options.stop:
            print(f"  out of time: {name} and what follows is left out")
            return
        if not function_bodies.is_asked(name, options.row):
            continue
        try:
            row = measured(make(), part, data, options)
        except Exception as error:
            row = {"part": part, "work": name, "failed": {
                "kern": reason(error)}, "ms": {}, "gbs": {}, "ratios": {}}
        show(row)
        rows.append(row)
        save()
        cupy.get_default_memory_pool().free_all_blocks()


def described(options, lib):
    """The report's head."""
    import compiling
    import contenders
    import cupy
    import kernapi
    import numpy
    info = lib.describe((kernapi.CUDA, 0))
    part = f" --part {options.part}" if "functions" in options.only else ""
    versions = [f"CuPy {cupy.__version__}", f"NumPy {numpy.__version__}"]
    versions += [f"{name} {module.__version__}" for name, module in [
        ("Numba", contenders.numba), ("torch", contenders.torch),
        ("JAX", contenders.jax)] if module]
    return {
        "device": info.name.decode(), "capability": info.compute_capability,
        "date": datetime.date.today().isoformat(), "kern": lib.version(),
        "versions": ", ".join(versions), "log2": options.log2,
        "seed": options.seed, "rows": [], "sizes": [],
        "commands": ["python3 test/bench/bench.py --lib LIB --kern KERN "
                     + (INTO if options.only == PARTS else
                        f"--only {','.join(options.only)}{part} --json "
                        "RUN.json")]}


def measure_calls(lib, options, report):
    import overhead
    report["calls"] = overhead.calls(lib)
    print("calls, µs:", report["calls"], flush=True)
    report["overhead"], report["beyond"] = built.overhead(options.lib)


def measure_functions(sources, arrays, which, options, report, save):
    import functions
    options.batches, options.target_ms = (functions.BATCHES,
                                          functions.TARGET_MS)
    rows = report["functions"] = []
    run_works("functions", functions.works(options, sources, which), arrays,
              options, rows, save)


def run(options):
    try:
        import cupy
    except ImportError:
        sys.exit("bench.py: needs CuPy (arrays, events, and a peer)")
    import kernapi
    lib = kernapi.Library(options.lib)
    if not lib.cuda_count():
        sys.exit(f"bench.py: no CUDA device: {lib.cuda_reason()}")

    import compiling
    import contenders
    import conversions
    import data
    import elementwise
    import gufuncs
    import memory_layouts
    import nests
    import products
    import sizes
    # Imports from a cold disk do not count.
    options.stop = time.monotonic() + options.seconds
    report = described(options, lib)
    print(f"{report['device']}, {report['versions']}, seed {options.seed}",
          flush=True)
    arrays = data.Data(1 << options.log2, options.seed)
    sources = contenders.Sources(lib)
    which = options.peers.split(",")

    def save():
        if options.json:
            options.json.write_text(json.dumps(report, indent=1))

    def step(part, function):
        if part not in options.only:
            return
        if time.monotonic() > options.stop:
            print(f"out of time: {part} is left out", flush=True)
            return
        print(f"--- {part}", flush=True)
        began = time.monotonic()
        try:
            function()
        except Exception as error:
            report.setdefault("broken", {})[part] = contenders.reason(error)
            print(f"{part} broke off: {contenders.reason(error)}", flush=True)
        save()
        print(f"--- {part} took {time.monotonic() - began:.0f} s", flush=True)

    for part, makers in [("elementwise", elementwise.works),
                         ("layouts", memory_layouts.works),
                         ("conversions", conversions.works),
                         ("large", memory_layouts.large),
                         ("gufuncs", gufuncs.works),
                         ("nests", nests.works),
                         ("products", products.works)]:
        step(part, lambda part=part, makers=makers: run_works(
            part, makers(sources, arrays, which), arrays, options,
            report["rows"], save))
    step("functions", lambda: measure_functions(
        sources, arrays, which, options, report, save))
    step("sizes", lambda: sizes.measure(sources, arrays, report["sizes"]))
    step("calls", lambda: measure_calls(lib, options, report))
    step("compile", lambda: compiling.measure(
        lib, options, f"sm_{report['capability']}", report))
    return report


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--lib", help="libkern.so")
    parser.add_argument("--kern", default="", help="the kern tool")
    parser.add_argument("--json", type=pathlib.Path,
                        help="where to save what was measured")
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path,
                        help="a page with the bench markers to rewrite")
    parser.add_argument("--plot", type=pathlib.Path,
                        help="where to draw bandwidth over size (SVG)")
    parser.add_argument("--from", dest="saved", nargs="+", metavar="JSON",
                        type=pathlib.Path,
                        help="measure nothing; join these saved runs")
    parser.add_argument("--log2", type=int, default=28,
                        help="two to this many elements (28)")
    parser.add_argument("--batches", type=int, default=7)
    parser.add_argument("--seed", type=int,
                        default=int(datetime.datetime.now().timestamp()))
    parser.add_argument("--only", default=",".join(PARTS),
                        help=f"parts of {','.join(PARTS)}; or functions, all "
                             "of them and random bodies; or host or "
                             "functions-host, the CPU's own tables")
    parser.add_argument("--part", default="1/2", metavar="K/M",
                        help="of functions: the K-th of M parts of the pairs")
    parser.add_argument("--row", help="only works with this in their name, or one of "
                             "several texts, as in 'exp f16|log f16'")
    parser.add_argument("--peers", default=",".join(PEERS),
                        help="who is measured beside Kern and CUDA C")
    parser.add_argument("--seconds", type=float, default=1e9,
                        help="begin nothing new after this long")
    parser.add_argument("--no-goals", action="store_true",
                        help="fail only if a result is wrong or a part breaks")
    parser.set_defaults(target_ms=30.0)
    options = parser.parse_args()
    if options.log2 < 20:
        parser.error("--log2 is at least 20")
    options.only = options.only.split(",")
    for part in options.only:
        if part not in PARTS + ASKED_FOR:
            parser.error(f"there is no part '{part}' in "
                         + ",".join(PARTS + ASKED_FOR))
    if options.only in (["host"], ["functions-host"]):
        sys.exit(built.host(options))
    if options.saved:
        report = page.merged([json.loads(p.read_text())
                              for p in options.saved])
        report["commands"].append(
            f"python3 test/bench/bench.py --from RUN.json … {INTO}")
    elif options.lib:
        report = run(options)
    else:
        parser.error("--lib or --from is needed")

    plotted = None
    if options.plot and report.get("sizes"):
        import plot
        options.plot.write_text(plot.of_sizes(
            report["sizes"], report["device"]))
        beside = (options.into or options.markdown or options.plot).parent
        plotted = os.path.relpath(options.plot, beside)
    text = page.markdown(report, PEERS, plotted)
    if options.markdown:
        options.markdown.write_text(text)
    if options.into:
        page.put_into(options.into, text)
    lines, met, missed = page.verdict(report)
    print("\n".join(lines))
    print("\n".join(function_report.summary(report.get("functions", []))))
    print(f"{met} goals met, {missed} missed")
    if options.no_goals:
        missed = len(report.get("broken", {})) + sum(
            "kern" in row.get("failed", {})
            for row in report["rows"] + report.get("functions", []))
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
