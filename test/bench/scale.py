#!/usr/bin/env python3
"""How compile time grows with the source.

    test/bench/scale.py --kern build/release/bin/kern [--markdown]

Compiles bodies of 10 to 10000 operations and files of 10 to 1000 functions to
PTX for sm_90, and prints milliseconds of the whole process, the stage with the
most time, and the growth: time over time of the row before, divided by the
same of the sizes. 1 is proportional. The cache is off.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time


def chain(count):
    """One body, each operation using the one before."""
    lines = ["ufunc f(x, y):", "    a = x"]
    operators = ["+ y", "* x", "- 0.5", "* 0.99"]
    lines += [f"    a = a {operators[i % 4]}" for i in range(count)]
    return "\n".join(lines + ["    return a", ""]), "f32(f32, f32)"


def expression(count):
    """One expression of balanced sums."""

    def tree(size):
        if size <= 1:
            return "x" if size % 2 else "y"
        return f"({tree(size // 2)} * y + {tree(size - size // 2 - 1)})"

    return f"ufunc f(x, y):\n    return {tree(count)}\n", "f32(f32, f32)"


def branches(count):
    """`if`s one after the other."""
    lines = ["ufunc f(x, y):", "    a = x"]
    for i in range(count // 2):
        lines += [f"    if a > {i}.5:", f"        a = a - y * {i}.25"]
    return "\n".join(lines + ["    return a", ""]), "f32(f32, f32)"


def functions(count):
    """Small functions, each with one declared loop."""
    return (
        "\n".join(
            f"ufunc f{i}(x: f32, y: f32) -> f32:\n    return x * y + {i}\n"
            for i in range(count)
        ),
        None,
    )


SHAPES = {
    "operations in a row": (chain, (10, 100, 1000, 10000)),
    "operations in one expression": (expression, (10, 100, 1000, 10000)),
    "operations behind `if`s": (branches, (10, 100, 1000)),
    "functions in a file": (functions, (10, 100, 1000)),
}


def measure(kern, source, signature, runs):
    """Median ms of the process, and its stages in ms by name."""
    environment = dict(os.environ, KERN_CACHE="0")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "f.kern")
        path.write_text(source)
        command = [kern, "compile", str(path), "--target", "sm_90", "--timing"]
        command += ["-o", str(pathlib.Path(folder, "f.ptx"))]
        command += ["--signature", signature] if signature else []
        times, stages = [], {}
        for _ in range(runs):
            began = time.perf_counter()
            done = subprocess.run(
                command, capture_output=True, text=True, env=environment
            )
            times.append((time.perf_counter() - began) * 1e3)
            if done.returncode:
                raise SystemExit(done.stderr)
            stages = {
                name: float(ms)
                for ms, name in re.findall(r"([\d.]+) ms  (.*)", done.stderr)
                if name != "in all"
            }
    return statistics.median(times), stages


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kern", default="build/release/bin/kern")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    row = "| {:<30} | {:>6} | {:>9} | {:>6} | {} |"
    print(row.format("source", "size", "ms", "growth", "most time in"))
    if options.markdown:
        print("| --- | --- | --- | --- | --- |")
    for name, (make, sizes) in SHAPES.items():
        before = None
        for size in sizes:
            ms, stages = measure(options.kern, *make(size), options.runs)
            growth = ""
            if before:
                growth = f"{ms / before[1] / (size / before[0]):.2f}"
            most = max(stages, key=stages.get)
            print(
                row.format(
                    name, size, f"{ms:.0f}", growth,
                    f"{most} ({stages[most]:.0f} ms)",
                ),
                flush=True,
            )
            before = size, ms


if __name__ == "__main__":
    main()
