#!/usr/bin/env python3
"""Kern beside its peers on the CPU, in one run.

    host.py --lib libkern.so [--log2 24] [--batches 15]
        [--into docs/explanation/performance.md] [--json out.json]

Every result is checked against float64 on fresh random data before it is
timed; a wrong one counts as failed. Within each batch contenders run in turn, on
the same arrays, with `out` arrays; times are medians over the batches.
Peers that are not installed are left out. The hand-written C++ loop is compiled
here, by clang++ or else g++, with the C library's vector functions.
"""

import argparse
import ctypes
import datetime
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))

# Threads of one peer must not spin while another is measured.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("KMP_BLOCKTIME", "0")

import numpy as np

import host_conversions
import host_layouts
import kernapi
from report import put_into

try:
    import numba
except ImportError:
    numba = None
try:
    import numexpr
except ImportError:
    numexpr = None

CPU = (kernapi.CPU, 0)  # also where there is a GPU, which a call prefers
BEGIN, END = "<!-- host:begin -->", "<!-- host:end -->"
PEERS = ["kern", "C++", "NumPy", "Numba", "numexpr"]
WITHIN = 1.10  # of the hand-written loop's time

SOURCE = """\
const SQRT_2PI = sqrt(2 * pi)

ufunc add(a: f32, b: f32) -> f32:
    return a + b

ufunc gaussian_pdf(x: f32, mean: f32, sigma: f32) -> f32:
    return exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)

def polar_to_cartesian(rho, theta):
    return rho * cos(theta), rho * sin(theta)

ufunc polar_distance(rho1: f32, theta1: f32, rho2: f32, theta2: f32) -> f32:
    x1, y1 = polar_to_cartesian(rho1, theta1)
    x2, y2 = polar_to_cartesian(rho2, theta2)
    return ((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5
"""
FLAGS = ["-O3", "-march=native", "-mprefer-vector-width=512", "-std=c++20",
         "-fPIC", "-shared", "-pthread"]
# The options with which a compiler uses the C library's vector functions.
VECTOR_FLAGS = {"clang++": ["-fno-math-errno", "-fveclib=libmvec"],
                "g++": ["-ffast-math"]}


def cores():
    return len(os.sched_getaffinity(0))


def handwritten(folder):
    """The C++ loops, or None where there is no compiler."""
    found = [(shutil.which(name), kind) for name, kind in (
        ("clang++-22", "clang++"), ("clang++", "clang++"), ("g++", "g++"))]
    found = [(path, kind) for path, kind in found if path]
    if not found:
        return None
    compiler, kind = found[0]
    library = pathlib.Path(folder) / "handwritten.so"
    subprocess.run([compiler, *FLAGS, *VECTOR_FLAGS[kind],
                    HERE / "handwritten_host.cpp", "-o", library, "-lmvec",
                    "-lm"], check=True)
    return ctypes.CDLL(str(library))


def in_cpp(function, arguments, out):
    """A call without arguments of a hand-written loop."""
    words = [ctypes.c_float(a) if isinstance(a, float)
             else ctypes.c_void_p(a.ctypes.data) for a in (*arguments, out)]
    words += [ctypes.c_int64(out.size), ctypes.c_int64(cores())]
    return lambda: function(*words)


def numba_loops():
    """The same bodies under `njit(parallel=True)`."""
    from math import cos, exp, sin, sqrt
    sqrt_2pi = np.float32(sqrt(2 * np.pi))
    half = np.float32(0.5)

    @numba.njit(parallel=True)
    def add(a, b, out):
        for i in numba.prange(out.size):
            out[i] = a[i] + b[i]

    @numba.njit(parallel=True)
    def gaussian_pdf(x, mean, sigma, out):
        for i in numba.prange(out.size):
            z = (x[i] - mean) / sigma
            out[i] = exp(-half * (z * z)) / (sigma * sqrt_2pi)

    @numba.njit(parallel=True)
    def polar_distance(rho1, theta1, rho2, theta2, out):
        for i in numba.prange(out.size):
            x = rho1[i] * cos(theta1[i]) - rho2[i] * cos(theta2[i])
            y = rho1[i] * sin(theta1[i]) - rho2[i] * sin(theta2[i])
            out[i] = sqrt(x * x + y * y)

    return {"add": add, "gaussian_pdf": gaussian_pdf,
            "polar_distance": polar_distance}


def in_numba(function, arguments, out):
    typed = [np.float32(a) if isinstance(a, float) else a for a in arguments]
    return lambda: function(*typed, out)


def in_numpy(name, arguments, out):
    f32 = np.float32
    if name == "add":
        return lambda: np.add(*arguments, out=out)
    if name == "gaussian_pdf":
        x, mean, sigma = arguments
        mean, sigma = f32(mean), f32(sigma)
        scale = f32(np.sqrt(2 * np.pi))
        return lambda: np.divide(np.exp(f32(-0.5) * ((x - mean) / sigma) ** 2),
                                 sigma * scale, out=out)

    def distance():
        rho1, theta1, rho2, theta2 = arguments
        x = rho1 * np.cos(theta1) - rho2 * np.cos(theta2)
        y = rho1 * np.sin(theta1) - rho2 * np.sin(theta2)
        np.sqrt(x * x + y * y, out=out)
    return distance


def in_numexpr(name, arguments, out):
    text, names = {
        "add": ("a + b", "a b"),
        "gaussian_pdf": ("exp(h * ((x - mean) / sigma) ** 2) / (sigma * c)",
                         "x mean sigma"),
        "polar_distance": (
            "sqrt((r * cos(t) - s * cos(u)) ** 2"
            " + (r * sin(t) - s * sin(u)) ** 2)", "r t s u"),
    }[name]
    values = {key: np.float32(a) if isinstance(a, float) else a
              for key, a in zip(names.split(), arguments)}
    values |= {"h": np.float32(-0.5), "c": np.float32(np.sqrt(2 * np.pi))}
    return lambda: numexpr.evaluate(text, local_dict=values, out=out)


def exact(name, arguments):
    wide = [np.float64(a) for a in arguments]
    if name == "add":
        return wide[0] + wide[1]
    if name == "gaussian_pdf":
        x, mean, sigma = wide
        return (np.exp(-0.5 * ((x - mean) / sigma) ** 2)
                / (sigma * np.sqrt(2 * np.pi)))
    rho1, theta1, rho2, theta2 = wide
    return np.hypot(rho1 * np.cos(theta1) - rho2 * np.cos(theta2),
                    rho1 * np.sin(theta1) - rho2 * np.sin(theta2))


def works(options):
    """The name, arguments and contenders of each benchmark."""
    random = np.random.default_rng(options.seed)
    count = 1 << options.log2
    a, b, c, d = (random.random(count, dtype=np.float32) * 3 for _ in range(4))
    return {"add": (a, b), "gaussian_pdf": (a, 1.0, 2.0),
            "polar_distance": (a, b, c, d)}


def measure(name, arguments, contenders, out, batches):
    row = {"work": name, "ms": {}, "failed": {}, "ratio": {}}
    right = exact(name, arguments)
    runs = {}
    for peer, run in contenders.items():
        out.fill(np.nan)
        run()
        if np.allclose(out, right, rtol=4e-6, atol=4e-6):
            runs[peer] = run
        else:
            row["failed"][peer] = f"wrong by {np.max(np.abs(out - right)):.3g}"
    del right
    times = {peer: [] for peer in runs}
    for _ in range(batches):
        for peer, run in runs.items():
            time.sleep(0.01)  # what the one before left running comes to rest
            began = time.perf_counter()
            run()
            times[peer].append((time.perf_counter() - began) * 1e3)
    for peer, taken in times.items():
        row["ms"][peer] = statistics.median(taken)
        row["ratio"][peer] = statistics.median(
            mine / theirs for mine, theirs in zip(times["kern"], taken))
    return row


def markdown(report):
    lines = [
        f"Measured on {report['cores']} cores of one {report['device']} "
        f"({report['date']}, {report['versions']}), 2^{report['log2']} elements "
        "of f32, with:", "", "```", report["command"], "```", "",
        "Milliseconds, medians; in brackets Kern's time as a share of the "
        "peer's, the median over the batches.", "",
        "| work | " + " | ".join(
            {"kern": "**Kern**", "Numba": "Numba `parallel`"}.get(p, p)
            for p in PEERS) + " |", "| --- |" + " --- |" * len(PEERS)]
    for row in report["rows"]:
        cells = [row["work"]]
        for peer in PEERS:
            if peer not in row["ms"]:
                cells.append("failed" if peer in row["failed"] else "–")
            elif peer == "kern":
                cells.append(f"{row['ms'][peer]:.1f}")
            else:
                cells.append(
                    f"{row['ms'][peer]:.1f} ({row['ratio'][peer]:.2f})")
        lines.append("| " + " | ".join(cells) + " |")
    text = "\n".join(lines) + "\n"
    if report["layouts"]:
        text += "\n" + host_layouts.markdown(report["layouts"])
    if report["conversions"]:
        text += "\n" + host_conversions.markdown(report["conversions"])
    return text


def verdict(row):
    """Which goals a row misses."""
    if "kern" not in row["ms"]:
        return [f"kern: {row['failed'].get('kern', 'did not run')}"]
    missed = [f"behind {p}" for p in ("NumPy", "Numba")
              if row["ratio"].get(p, 0) > 1]
    if row["ratio"].get("C++", 0) > WITHIN:
        missed.append(f"{row['ratio']['C++']:.2f} of the C++ loop's time")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lib", required=True)
    parser.add_argument("--log2", type=int, default=24)
    parser.add_argument("--batches", type=int, default=15)
    parser.add_argument("--layouts", action="store_true",
                        help="`a + b` of every layout as well")
    parser.add_argument("--conversions", action="store_true",
                        help="`a + b` of arrays that no loop takes as they "
                             "are as well")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()

    lib = kernapi.Library(options.lib)
    module = lib.compile(SOURCE)
    versions = [f"kern {lib.version()}", f"NumPy {np.__version__}"]
    versions += [f"{m.__name__} {m.__version__}" for m in (numba, numexpr) if m]
    report = {
        "device": lib.describe((kernapi.CPU, 0)).name.decode(),
        "cores": cores(), "date": datetime.date.today().isoformat(),
        "versions": ", ".join(versions), "log2": options.log2,
        "seed": options.seed, "rows": [],
        "command": "python3 test/bench/host.py --lib LIB "
                   f"--log2 {options.log2} "
                   f"{'--layouts ' if options.layouts else ''}"
                   f"{'--conversions ' if options.conversions else ''}"
                   "--into docs/explanation/performance.md"}
    loops = numba_loops() if numba else {}
    with tempfile.TemporaryDirectory() as folder:
        cpp = handwritten(folder)
        for name, arguments in works(options).items():
            out = np.empty(1 << options.log2, np.float32)
            function = module[name]
            contenders = {
                "kern": lambda: function(*arguments, out=[out], device=CPU)}
            if cpp:
                contenders["C++"] = in_cpp(getattr(cpp, name), arguments, out)
            contenders["NumPy"] = in_numpy(name, arguments, out)
            if numba:
                contenders["Numba"] = in_numba(loops[name], arguments, out)
            if numexpr:
                contenders["numexpr"] = in_numexpr(name, arguments, out)
            row = measure(name, arguments, contenders, out, options.batches)
            report["rows"].append(row)
            print(name, {p: round(t, 2) for p, t in row["ms"].items()},
                  {p: round(r, 3) for p, r in row["ratio"].items()},
                  *row["failed"].items(), flush=True)
    report["layouts"] = host_layouts.measure(
        lib, options.log2, options.batches,
        np.random.default_rng(options.seed)) if options.layouts else []
    report["conversions"] = host_conversions.measure(
        lib, host_conversions.SIZES, options.batches,
        np.random.default_rng(options.seed)) if options.conversions else []
    if options.json:
        options.json.write_text(json.dumps(report, indent=1))
    if options.into:
        put_into(options.into, markdown(report), BEGIN, END)
    missed = 0
    for row in report["rows"]:
        problems = verdict(row)
        missed += bool(problems)
        print("MISSED" if problems else "ok    ", row["work"],
              "; ".join(problems))
    for row in report["layouts"] + report["conversions"]:
        missed += not row["right"]
        if not row["right"] or row["ratio"] > 1:
            print("behind" if row["right"] else "WRONG ", row["work"])
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
