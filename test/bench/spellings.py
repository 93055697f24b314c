#!/usr/bin/env python3
"""What the language's means cost, beside the same bodies with loops and products.

    spellings.py --build build/release [--only blended,horner] [--batches 25]

Runs the pairs of spellings.kern on one thread of the CPU: arrays against loops, tables
against products, `x ** n` against products. Both of a pair take turns within each batch;
times are CPU time of the thread, and the least of all batches counts. Ends with status 1
if one of a pair takes more than its goal (`--most`) of the other.
"""

import argparse
import math
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # before threads begin

import numpy as np

import kernapi
from kernarguments import Tensor

# Elements of rows, rows of cores of two dimensions, and loop elements by core dimensions.
N, M, LOOP = 128, 32, {0: 1 << 15, 1: 256, 2: 16}
POWERS = 1 << 22  # elements, so that memory is the bound
STEPS = 12
LEAST_SECONDS = 0.002


def seconds(call, count):
    began = time.thread_time()
    for _ in range(count):
        call()
    return (time.thread_time() - began) / count


def is_power(name):
    return name.startswith(("to_the", "cubed"))


def operands(function, name, dtype):
    """Random arguments for the core dimensions that a signature names."""
    rng = np.random.default_rng(16)
    extents = {"m": M, "n": N, "k": M}
    cores = [core.strip("()").split(",") for core in
             function.signature.split("->")[0].replace("),(", ") (").split()]
    cores = [[name for name in core if name] for core in cores] or [[]]
    loop = (POWERS if is_power(name) else LOOP[max(map(len, cores))],)
    return [rng.standard_normal(loop + tuple(extents[name] for name in core)).astype(dtype)
            if core or len(cores) == 1 else dtype(0.25) for core in cores]


def arguments_of(module, name, dtype):
    arrays = operands(module[name], name, dtype)
    if name.startswith("relaxed"):
        return [arrays[0], STEPS]
    return arrays


def compare(module, name, dtype, batches):
    """The least seconds of both, after a look at whether results agree."""
    calls, results = [], []
    arguments = arguments_of(module, name, dtype)
    for each in (name, name + "_out"):
        function = module[each]
        got = np.zeros_like(function(*arguments))
        calls.append(kernapi.Prepared(
            function, [Tensor.of(a) if isinstance(a, np.ndarray) and a.ndim else a
                       for a in arguments], [Tensor.of(got)]))
        calls[-1]()
        results.append(got)
    near = 1e-4 if dtype is np.float32 else 1e-9
    np.testing.assert_allclose(*results, near, near)
    counts = [max(1, math.ceil(LEAST_SECONDS / max(seconds(c, 1), 1e-7))) for c in calls]
    return [min(times) for times in zip(*(
        [seconds(c, n) for c, n in zip(calls, counts)] for _ in range(batches)))]


def goal(name):
    return 1.3 if is_power(name) else 1.1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--only", help="names, with commas between them")
    parser.add_argument("--batches", type=int, default=25)
    options = parser.parse_args()
    module = kernapi.Library(options.build / "lib" / "libkern.so").compile_file(
        HERE / "spellings.kern")
    names = [name for name in module.names() if name + "_out" in module.names()]
    if options.only:
        names = [name for name in names if name in options.only.split(",")]
    slow = 0
    print("| body | type | short, µs | written out, µs | ratio |\n" + "| --- " * 5 + "|")
    for name in names:
        for dtype in (np.float32, np.float64):
            try:
                short, out = compare(module, name, dtype, options.batches)
            except kernapi.KernError:  # f32 alone
                continue
            slow += short > goal(name) * out
            mark = " **" if short > goal(name) * out else " "
            print(f"| {name} | {np.dtype(dtype)} | {short * 1e6:.1f} | {out * 1e6:.1f} "
                  f"|{mark}{short / out:.2f}{mark.strip()} |", flush=True)
    return slow > 0


if __name__ == "__main__":
    sys.exit(main())
