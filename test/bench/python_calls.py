#!/usr/bin/env python3
"""The Python package beside NumPy, Numba, torch and CuPy, in one run.

    python_calls.py [--lib libkern.so]
        [--only calls,one,methods,large,import,first,threads]
        [--into docs/explanation/performance.md [--block python-gpu]]
        [--json out.json | --from out.json]

Run it by a Python that has the package. Each result is checked before it is
timed. Contenders take turns within each batch; a figure is the median over the
batches, a ratio the median of those within one batch. Peers and GPUs that are
not there are left out. What a process does once (importing, compiling) is timed
in processes of its own.
"""

import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import numpy as np

import kern
from python_small import one_element, optional, paired, row, small_calls, small_methods
from report import put_into

PARTS = ["calls", "one", "methods", "large", "import", "first", "threads"]
SOURCE = """\
ufunc add(x: T, y: T) -> T where T in (f32, f64):
    return x + y

ufunc gaussian_pdf(x: T, mean: T, sigma: T) -> T where T in (f32, f64):
    return exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * sqrt(2 * pi))
"""
IMPORT_MS = 30


def large_calls(module, options):
    """2^24 elements of f32: the package beside the C interface by itself."""
    sys.path.insert(0, str(HERE.parent / "e2e"))
    import kernapi
    lib = kernapi.Library(options.lib)
    plain = lib.compile(SOURCE)
    random = np.random.default_rng(options.seed)
    a, b = (random.random(1 << 24, dtype=np.float32) for _ in range(2))
    rows = []
    for name, arguments in (("add", (a, b)), ("gaussian_pdf", (a, 1.0, 2.0))):
        function, out, other = module[name], np.empty_like(a), np.empty_like(a)
        tensors = [kernapi.Tensor.of(one) if isinstance(one, np.ndarray) else one
                   for one in arguments]
        direct = kernapi.Prepared(plain[name], tensors,
                                  [kernapi.Tensor.of(other)],
                                  device=(kernapi.CPU, 0))
        function(*arguments, out=out)
        direct()
        assert (out == other).all(), name
        names = {"function": function, "arguments": arguments, "out": out,
                 "direct": direct}
        times = paired(["function(*arguments, out=out)", "direct()"], names,
                       options.batches, 1)
        rows.append(row("large", name, "kern_call", times, 1e3))
    return rows


def in_new_process(code, cache, rounds):
    """What `code` prints, a number, in processes of their own."""
    environment = dict(os.environ, KERN_CACHE_DIR=str(cache))
    return [float(subprocess.run(
        [sys.executable, "-c", code], env=environment, check=True, text=True,
        stdout=subprocess.PIPE).stdout) for _ in range(rounds)]


IMPORT = """
import time, numpy
began = time.{clock}()
import kern
print(time.{clock}() - began)
"""


def importing(options):
    """Milliseconds of `import kern` beyond those of `import numpy`."""
    rows = []
    for name, clock, goal in (("beyond NumPy's", "perf_counter", IMPORT_MS),
                              ("of these on the CPU", "process_time", None)):
        with tempfile.TemporaryDirectory() as cache:
            taken = in_new_process(IMPORT.format(clock=clock), cache,
                                   3 + options.rounds)[3:]
        figure = statistics.median(taken) * 1e3
        rows.append({"part": "import", "name": name, "kern": figure,
                     "goal": goal, "met": goal and figure <= goal})
    return rows


FIRST = """
import importlib, sys, time
import numpy as np
package = importlib.import_module("{package}")
package.vectorize  # it may be imported when it is first used
from math import exp, sin, pow
x = np.linspace(0.1, 1, 8)
began = time.perf_counter()
@package.vectorize(["float64(float64, float64)"])
def f(x, y):
    return exp(-0.5 * x * x) * sin(y) * pow(x, y)
result = f(x, x)
print(time.perf_counter() - began)
expected = np.exp(-0.5 * x * x) * np.sin(x) * x ** x
assert np.allclose(result, expected, rtol=1e-13), result - expected
"""


def first_results(options):
    """From a decorator to the first result, in a new process."""
    if not optional("numba"):
        return []
    fresh, cached, peer = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for k in range(options.rounds):
            cache = pathlib.Path(folder) / str(k)
            cache.mkdir()
            for package, taken in (("kern", fresh), ("kern", cached),
                                   ("numba", peer)):
                code = pathlib.Path(folder) / "first.py"
                code.write_text(FIRST.format(package=package))
                taken += in_new_process(
                    f"exec(compile(open({str(code)!r}).read(), "
                    f"{str(code)!r}, 'exec'))", cache, 1)
    return [row("first", "nothing cached", "Numba", (fresh, peer), 1e3),
            row("first", "from the cache", "Numba", (cached, peer), 1e3)]


THREADS = """
import sys, threading, time
import numpy as np
import kern
count = int(sys.argv[1])
f = kern.compile("ufunc f(x: T) -> T where T in (f32, f64): return exp(x) * sin(x)").f
x = np.linspace(0, 1, 1000)
expected = np.exp(x) * np.sin(x)
gate = threading.Barrier(count + 1)
wrong = []
def work():
    gate.wait()
    if not np.allclose(f(x), expected, rtol=1e-13):
        wrong.append(1)
threads = [threading.Thread(target=work) for _ in range(count)]
for one in threads: one.start()
gate.wait()
began = time.perf_counter()
for one in threads: one.join()
taken = time.perf_counter() - began
assert not wrong
print(taken)
"""


def first_calls_at_once():
    """64 threads make a first call at once: each result is right, and as many
    things are compiled as by one thread."""
    times, kept = {}, {}
    for count in (1, 64):
        with tempfile.TemporaryDirectory() as cache:
            code = pathlib.Path(cache) / "threads.py"
            code.write_text(THREADS)
            done = subprocess.run(
                [sys.executable, code, str(count)], check=True, text=True,
                stdout=subprocess.PIPE,
                env=dict(os.environ, KERN_CACHE_DIR=str(cache) + "/kept"))
            times[count] = float(done.stdout) * 1e3
            kept[count] = sorted(
                path.suffix for path in pathlib.Path(cache, "kept").rglob("*")
                if path.is_file())
    same = kept[1] == kept[64]
    return [{"part": "threads", "name": "64 first calls at once",
             "kern": times[64], "goal": "right, compiled once", "met": same},
            {"part": "threads", "name": "one first call", "kern": times[1],
             "goal": None, "met": None}]


UNITS = {"calls": "ns", "one": "ns", "methods": "ns", "large": "ms", "import": "ms", "first": "ms",
         "threads": "ms"}
TITLES = {
    "calls": "A call of eight `f32`, ns",
    "one": "A call of one `f32` on a GPU, ns",
    "methods": "Methods on eight `f64`, ns",
    "large": "2^24 elements of `f32`, ms",
    "import": "`import kern`, ms",
    "first": "`vectorize`, exp·sin·pow: from the decorator to the first "
             "result in a new process, ms",
    "threads": "First calls, ms",
}


def number(figure):
    return f"{figure:.0f}" if figure >= 100 else f"{figure:.3g}"


def judged(row):
    return "" if row["met"] is None else " ✓" if row["met"] else " ✗"


def markdown(report):
    lines = [f"Measured on {report['cores']} cores of one {report['device']} "
             f"({report['date']}, {report['versions']}), with:", "", "```",
             report["command"], "```", ""]
    for part in PARTS:
        rows = [one for one in report["rows"] if one["part"] == part]
        if not rows:
            continue
        lines += [f"| {TITLES[part]} | **Kern** | peer | share of its time | "
                  "goal |", "| --- | --- | --- | --- | --- |"]
        for one in rows:
            peer = f"{number(one['theirs'])} ({one['peer']})" if "peer" in one else "–"
            ratio = f"{one['ratio']:.3f}" if "ratio" in one else "–"
            goal = "–" if one["goal"] is None else f"{one['goal']}"
            if isinstance(one["goal"], (int, float)):
                goal = f"at most {goal}"
            lines.append(f"| {one['name']} | {number(one['kern'])} | {peer} | "
                         f"{ratio} | {goal}{judged(one)} |")
        lines.append("")
    return "\n".join(lines)


def show(row):
    peer = (f"  {row['peer']} {number(row['theirs'])}, ratio {row['ratio']:.3f}"
            if "peer" in row else "")
    print(f"{row['part']:8} {row['name']:28} {number(row['kern']):>6} "
          f"{UNITS[row['part']]}{peer}"
          + (f"  (goal {row['goal']}){judged(row)}" if row["goal"] else ""),
          flush=True)


def measured(options):
    if not options.lib:
        import kern_lang_core
        options.lib = str(kern_lang_core.library())
    module = kern.compile(SOURCE, "python_calls.kern")
    versions = [f"kern {kern.__version__}", f"NumPy {np.__version__}",
                "Python " + ".".join(map(str, sys.version_info[:3]))]
    versions += [f"{name} {sys.modules[name].__version__}"
                 for name in ("numba", "torch", "cupy") if optional(name)]
    report = {
        "device": kern.devices()[-1].name, "date":
        datetime.date.today().isoformat(), "versions": ", ".join(versions),
        "cores": len(os.sched_getaffinity(0)), "rows": [],
        "command": "python3 test/bench/python_calls.py"
                   + (f" --only {options.only}"
                      if options.only != ",".join(PARTS) else "")
                   + " --into docs/explanation/performance.md"
                   + (f" --block {options.block}"
                      if options.block != "python" else "")}
    measures = {"calls": small_calls, "one": one_element,
                "methods": small_methods, "large": large_calls,
                "import": lambda _, options: importing(options),
                "first": lambda _, options: first_results(options),
                "threads": lambda *_: first_calls_at_once()}
    for part in options.only.split(","):
        for one in measures[part](module, options):
            report["rows"].append(one)
            show(one)
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lib", help="the package's libkern.so, for `large`")
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--batches", type=int, default=51)
    parser.add_argument("--count", type=int, default=1000, help="calls a batch")
    parser.add_argument("--rounds", type=int, default=7, help="processes")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--from", type=pathlib.Path, dest="saved",
                        help="measure nothing; tabulate what --json wrote")
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("--block", default="python", help="of the page: its marks")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    report = (json.loads(options.saved.read_text()) if options.saved
              else measured(options))
    if options.json:
        options.json.write_text(json.dumps(report, indent=1))
    if options.into:
        put_into(options.into, markdown(report),
                 *(f"<!-- {options.block}:{end} -->" for end in ("begin", "end")))
    missed = [one for one in report["rows"] if one["met"] is False]
    for one in missed:
        print(f"MISSED {one['part']}: {one['name']}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
