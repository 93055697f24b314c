#!/usr/bin/env python3
"""Kern beside its peers on one NVIDIA GPU, in one run.

    bench.py --lib libkern.so --kern kern --json out.json \
        --markdown out.md --into docs/performance.md

Every result is checked against float64 on fresh random data before it is
timed; a wrong one counts as failed. Times are medians of batches between CUDA
events in which all contenders take turns; bytes are each input read once and
each output written once. Peers that are not installed are left out.
"""

import argparse
import datetime
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "e2e"))

BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
PEERS = ["kern", "CUDA C", "CuPy", "Numba", "torch"]


def run_workloads(lib, options):
    import cupy

    import workloads
    from measure import paired, synchronize

    data = workloads.Data(1 << options.log2, options.seed)
    rows = []
    for make in workloads.everything(lib, data):
        try:
            work = make()
        except Exception as error:
            print(f"a workload failed: {type(error).__name__}: {error}",
                  flush=True)
            rows.append({"work": "?", "failed": {"kern": str(error)}})
            continue
        row = {"work": work["work"], "bytes": work["bytes"], "gbs": {},
               "ms": {}, "failed": {}, "error": {}}
        print(work["work"], flush=True)
        right = {}
        for peer, run in work["run"].items():
            try:
                work["out"].fill(float("nan"))
                run()
                synchronize()
                error = work["error"]()
            except Exception as problem:
                row["failed"][peer] = f"{type(problem).__name__}: {problem}"
                continue
            row["error"][peer] = error
            if error <= 1:
                right[peer] = run
            else:
                row["failed"][peer] = f"wrong: {error:.3g} × the tolerance"
        copied, copy = workloads.copy(data)
        times = paired({"copy": copy, **right}, options.batches)
        row["copy_gbs"] = copied / times.pop("copy") / 1e6
        for peer, ms in times.items():
            row["ms"][peer] = ms
            row["gbs"][peer] = work["bytes"] / ms / 1e6
            print(f"  {peer:8} {ms:9.4f} ms {row['gbs'][peer]:8.0f} GB/s "
                  f"{row['gbs'][peer] / row['copy_gbs']:.3f} of copy",
                  flush=True)
        for peer, problem in row["failed"].items():
            print(f"  {peer:8} FAILED {problem[:200]}", flush=True)
        rows.append(row)
        cupy.get_default_memory_pool().free_all_blocks()
    return rows


def markdown(report):
    lines = [
        f"Measured on one {report['device']} ({report['date']}, kern "
        f"{report['kern']}, {report['versions']}), 2^{report['log2']} "
        "elements, with:", "", "```", report["command"], "```", "",
        "GB/s of each input read once and each output written once; in "
        "brackets the share of a device-to-device copy in the same run.", "",
        "| work | copy | " + " | ".join(
            "**Kern**" if p == "kern" else p for p in PEERS) + " |",
        "| --- |" + " --- |" * (len(PEERS) + 1),
    ]
    for row in report["rows"]:
        if "gbs" not in row:
            continue
        cells = [row["work"], f"{row['copy_gbs']:.0f}"]
        for peer in PEERS:
            if peer in row["gbs"]:
                gbs = row["gbs"][peer]
                cells.append(f"{gbs:.0f} ({gbs / row['copy_gbs']:.2f})")
            else:
                cells.append("failed" if peer in row["failed"] else "–")
        lines.append("| " + " | ".join(cells) + " |")
    for title, unit, key in [
            ("A call on device arrays with its output given, one element "
             "(from Python, wall clock)", "µs", "calls"),
            ("From a source never seen to its first result, warm process",
             "ms", "first"),
            ("A whole process that compiles `gaussian_pdf` to PTX", "ms",
             "process")]:
        if report.get(key):
            lines += ["", f"| {title} | {unit} |", "| --- | --- |"]
            lines += [f"| {name} | {value:.1f} |"
                      for name, value in report[key].items()]
    return "\n".join(lines) + "\n"


def put_into(path, text):
    """Replaces what stands between the markers, or appends it with them."""
    page = path.read_text() if path.exists() else ""
    section = f"{BEGIN}\n{text}{END}"
    if BEGIN in page and END in page:
        head, rest = page.split(BEGIN, 1)
        page = head + section + rest.split(END, 1)[1]
    else:
        page = page.rstrip("\n") + ("\n\n" if page else "") + section + "\n"
    path.write_text(page)


def verdict(rows):
    """Which of the goals of the first measurement hold."""
    goals = {"add f32": 0.90, "gaussian_pdf f32": 0.80}
    lines, missed = [], 0
    for row in rows:
        gbs = row.get("gbs", {})
        if "kern" not in gbs:
            lines.append(f"FAILED {row['work']}: no right result from kern")
            missed += 1
            continue
        behind = [p for p in ("CuPy", "Numba") if gbs.get(p, 0) > gbs["kern"]]
        share = gbs["kern"] / row["copy_gbs"]
        goal = goals.get(row["work"], 0)
        good = share >= goal and not behind
        missed += not good
        lines.append(
            f"{'ok' if good else 'MISSED':6} {row['work']}: {share:.2f} of "
            f"copy{f' (goal {goal})' if goal else ''}"
            + (f", behind {' and '.join(behind)}" if behind else
               ", ahead of CuPy and Numba"))
    return lines, missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lib", required=True)
    parser.add_argument("--kern", default="")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path,
                        help="a page with the bench markers to rewrite")
    parser.add_argument("--log2", type=int, default=28,
                        help="two to this many elements")
    parser.add_argument("--batches", type=int, default=7)
    parser.add_argument("--seed", type=int,
                        default=int(datetime.datetime.now().timestamp()))
    parser.add_argument("--only", default="throughput,calls,compile")
    options = parser.parse_args()

    try:
        import cupy
    except ImportError:
        sys.exit("bench.py: needs CuPy (arrays, events, and a peer)")
    import numpy

    import kernapi
    import overhead
    import workloads
    lib = kernapi.Library(options.lib)
    if not lib.cuda_count():
        sys.exit(f"bench.py: no CUDA device: {lib.cuda_reason()}")
    info = lib.describe((kernapi.CUDA, 0))
    versions = [f"CuPy {cupy.__version__}", f"NumPy {numpy.__version__}"]
    if workloads.numba:
        versions.append(f"Numba {workloads.numba.__version__}")
    if workloads.torch:
        versions.append(f"torch {workloads.torch.__version__}")
    report = {
        "device": info.name.decode(),
        "date": datetime.date.today().isoformat(),
        "kern": lib.version(), "versions": ", ".join(versions),
        "log2": options.log2, "seed": options.seed,
        "command": "python3 test/bench/bench.py --lib LIB --kern KERN "
                   f"--log2 {options.log2} --into docs/performance.md",
        "rows": [],
    }
    only = options.only.split(",")
    print(f"{report['device']}, {report['versions']}, seed {options.seed}",
          flush=True)

    def save():
        if options.json:
            options.json.write_text(json.dumps(report, indent=1))
        text = markdown(report)
        if options.markdown:
            options.markdown.write_text(text)
        if options.into:
            put_into(options.into, text)

    if "throughput" in only:
        report["rows"] = run_workloads(lib, options)
        save()
    if "calls" in only:
        report["calls"] = overhead.calls(lib)
        print("calls, µs:", report["calls"], flush=True)
        save()
    if "compile" in only:
        report["first"] = overhead.first_results(lib)
        print("first result, ms:", report["first"], flush=True)
        report["process"] = overhead.processes(
            options.kern, f"sm_{info.compute_capability}")
        print("process, ms:", report["process"], flush=True)
        save()
    lines, missed = verdict(report["rows"])
    print("\n".join(lines))
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
