#!/usr/bin/env python3
"""What a range as an argument costs, beside the same numbers in an array.

usage: ranges.py --lib LIBKERN [--rounds N]

Both take turns in one process, with outputs of their own; what is shown is the
least CPU time of each, on one thread, in ns for each element, and their ratio.
"""

import argparse
import pathlib
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "e2e"))
import kernapi

SOURCE = """
ufunc sum(i: i64, y: f64) -> f64:
    return i + y

ufunc line(i: T, a: T, b: T) -> T where T in (f32, f64):
    return a * i + b

ufunc same(i: i64) -> i64:
    return i

ufunc wave(i: f64, w: f64) -> f64:
    return sin(w * i)
"""


def prepared(function, inputs, out):
    arguments = [
        kernapi.Tensor.of(one) if isinstance(one, np.ndarray) else one
        for one in inputs]
    return kernapi.Prepared(function, arguments, [kernapi.Tensor.of(out)])


def least(calls, rounds):
    """The least CPU time of each call, taken in turns."""
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for k, call in enumerate(calls):
            began = time.process_time()
            call()
            best[k] = min(best[k], time.process_time() - began)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lib", required=True)
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    lib = kernapi.Library(options.lib)
    lib.check(lib.c.kern_set_num_threads(1))
    module = lib.compile(SOURCE)
    print("function            elements   array ns   range ns   ratio")
    for count in (1 << 12, 1 << 16, 1 << 20, 1 << 24):
        y = np.linspace(0, 1, count)
        for name, others, dtype in [
                ("sum", (y,), "f8"), ("line", (2.0, y), "f8"),
                ("same", (), "i8"), ("wave", (0.5,), "f8")]:
            outs = [np.zeros(count, dtype) for _ in range(2)]
            numbers = range(5, 5 + count)
            array = np.arange(5, 5 + count)
            calls = [prepared(module[name], (one, *others), out)
                     for one, out in zip((array, numbers), outs)]
            rounds = max(options.rounds, (1 << 22) // count)
            one, other = (1e9 * t / count for t in least(calls, rounds))
            if not np.array_equal(*outs):
                sys.exit(f"{name}: the results differ")
            print(f"{name:18} {count:9}   {one:8.3f}   "
                  f"{other:8.3f}   {other / one:5.2f}")


if __name__ == "__main__":
    main()
