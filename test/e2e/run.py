#!/usr/bin/env python3
"""End-to-end tests: Kern's results compared with NumPy's.

    run.py --lib build/dev/lib/libkern.so --kern build/dev/bin/kern

Each group runs in its own process. After a crash, which counts as one failure,
the group continues with its next case.
"""

import argparse
import faulthandler
import importlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor, as_completed

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

GROUPS = [
    "defaults", "ranges",
    "types", "language", "powers", "remainders", "quotients", "counters", "extremes", "integer_rules", "bits", "math", "gamma", "rare_operands", "rounding", "ranks", "overlap", "chains",
    "weak", "weak_agreement", "scalars", "generic", "bijection", "gufuncs",
    "core_dimensions", "small_cores", "small_sums", "mappings", "moments", "statements", "in_order", "ordered_sums", "independent_loops", "beside_pranges", "tiles", "products", "fused", "blas", "windows", "filters", "reductions", "methods",
    "methods_indexed", "positions", "limits", "bodies", "iterations", "wrapped",
    "locals", "paths", "whole_arrays", "numpy_idioms", "slices", "slice_bounds", "array_expressions", "loop_arrays", "loop_names", "array_calls", "array_functions", "sorting", "tables", "scans", "across", "side_by_side", "side_by_side_bodies", "shared", "modules", "options", "masks", "conversions",
    "selects", "narrow", "halves", "zeros", "checks", "races", "errors", "cli", "placement", "gpus",
    "large", "large_nests", "stress", "agreement", "agreement_coverage", "python_names",
    "accuracy",
]
MAX_CRASHES = 8


def child(options):
    """Runs one group's cases from number `options.start` on; the report goes
    to `options.report`, one JSON object for each finished case."""
    import numpy

    from kernapi import Library
    from suite import Context, Recorder, Skip

    faulthandler.enable()
    numpy.seterr(all="ignore")  # overflow and NaN are among what is tested
    lib = Library(options.lib)
    module = importlib.import_module("groups." + options.child)
    with tempfile.TemporaryDirectory() as scratch, \
            open(options.report, "a", buffering=1) as report:
        ctx = Context(lib, options.kern, options.device, pathlib.Path(scratch))
        for number, (name, function) in enumerate(module.cases(ctx)):
            if number < options.start:
                continue
            if not any(text in f"{options.child}/{name}"
                       for text in options.k.split("|")):
                continue
            report.write(json.dumps({"begin": number, "name": name}) + "\n")
            recorder = Recorder()
            recorder.case = name
            faulthandler.dump_traceback_later(options.case_timeout, exit=True)
            began = time.monotonic()
            try:
                function(recorder)
            except Skip as skip:
                recorder.skips.append((name, str(skip)))
            except Exception as error:  # a case that breaks off is a failure
                where = traceback.extract_tb(error.__traceback__)[-1]
                recorder.fail(
                    "raised", f"{type(error).__name__}: {error} "
                    f"({pathlib.Path(where.filename).name}:{where.lineno})")
            faulthandler.cancel_dump_traceback_later()
            report.write(json.dumps({
                "end": number, "passed": recorder.passed,
                "seconds": time.monotonic() - began,
                "failures": recorder.failures, "skips": recorder.skips,
            }) + "\n")
        ctx.modules.clear()
    sys.exit(0)


def read_report(path):
    """The finished cases, and the one that was running."""
    finished, current = [], None
    if os.path.exists(path):
        for line in open(path):
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if "begin" in entry:
                current = entry
            else:
                finished.append(entry)
                current = None
    return finished, current


def run_group(group, options):
    result = {"group": group, "passed": 0, "failures": [], "skips": []}
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        start, crashes = 0, 0
        while True:
            path = os.path.join(folder, f"report{crashes}")
            command = [
                sys.executable, __file__, "--child", group, "--lib",
                options.lib, "--kern", options.kern, "--device",
                options.device, "--report", path, "--start", str(start),
                "--case-timeout", str(options.case_timeout),
            ]
            if options.k:
                command += ["-k", options.k]
            done = subprocess.run(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                errors="replace")
            finished, current = read_report(path)
            for entry in finished:
                result["passed"] += entry["passed"]
                result["failures"] += entry["failures"]
                result["skips"] += entry["skips"]
            if done.returncode == 0 and current is None:
                break
            crashes += 1
            tail = " | ".join(done.stdout.strip().splitlines()[-6:])
            how = (f"signal {-done.returncode}" if done.returncode < 0
                   else f"exit status {done.returncode}")
            name = current["name"] if current else "(start)"
            result["failures"].append(
                (name, "the process ended", f"{how}: {tail[-600:]}"))
            if current is None or crashes >= MAX_CRASHES:
                break
            start = current["begin"] + 1
    result["seconds"] = time.monotonic() - began
    return result


def print_group(result, limit):
    failed = len(result["failures"])
    state = "FAILED" if failed else "ok"
    print(f"{state:7} {result['group']:10} {result['passed']} passed, "
          f"{failed} failed, {len(result['skips'])} skipped "
          f"({result['seconds']:.1f} s)", flush=True)
    for case, label, detail in result["failures"][:limit]:
        print(f"    {case}: {label}: {detail}")
    if failed > limit:
        print(f"    … and {failed - limit} more")
    reasons = {}
    for case, reason in result["skips"]:
        reasons.setdefault(reason, []).append(case)
    for reason, names in reasons.items():
        print(f"    skipped {len(names)} ({names[0]}"
              f"{', …' if len(names) > 1 else ''}): {reason}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(
        description="Kern from end to end against NumPy.")
    parser.add_argument("--lib", required=True, help="libkern.so")
    parser.add_argument("--kern", default="", help="the kern tool")
    parser.add_argument("--summary", help="write the counts here as JSON")
    parser.add_argument("--device", default="auto",
                        choices=["auto", "cpu", "cuda"])
    parser.add_argument("-k", default="", metavar="TEXT|TEXT",
                        help="only cases with one TEXT in group/name")
    parser.add_argument("--groups", default="", metavar="A,B",
                        help="only these groups")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--case-timeout", type=float, default=180)
    parser.add_argument("--failures", type=int, default=25,
                        help="how many failures to print for each group")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--report", help=argparse.SUPPRESS)
    parser.add_argument("--start", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options)

    import numpy
    if int(numpy.__version__.split(".")[0]) < 2:
        sys.exit(f"run.py: NumPy 2 or later is the oracle; this is "
                 f"{numpy.__version__}")
    from kernapi import Library
    lib = Library(options.lib)
    cuda = lib.cuda_count()
    if options.device == "auto":
        options.device = "cuda" if cuda else "cpu"
    if options.device == "cuda" and not cuda:
        sys.exit(f"run.py: no CUDA device: {lib.cuda_reason()}")
    kind = (2, 0) if options.device == "cuda" else (1, 0)
    print(f"kern {lib.version()} on {options.device} "
          f"({lib.describe(kind).name.decode()}), NumPy {numpy.__version__}")
    groups = [g for g in options.groups.split(",") if g] or GROUPS
    unknown = set(groups) - set(GROUPS)
    if unknown:
        sys.exit(f"run.py: no such group: {', '.join(sorted(unknown))}")

    total = {"passed": 0, "failed": 0, "skipped": 0}
    details = []
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        running = [pool.submit(run_group, group, options) for group in groups]
        for ended in as_completed(running):
            result = ended.result()
            print_group(result, options.failures)
            total["passed"] += result["passed"]
            total["failed"] += len(result["failures"])
            total["skipped"] += len(result["skips"])
            details.append(result)
    if options.summary:
        with open(options.summary, "w") as file:
            json.dump({**total, "device": options.device, "groups": details},
                      file, indent=1)
    print(f"{total['passed']} passed, {total['failed']} failed, "
          f"{total['skipped']} skipped")
    sys.exit(1 if total["failed"] else 0)


if __name__ == "__main__":
    main()
