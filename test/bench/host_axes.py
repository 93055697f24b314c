#!/usr/bin/env python3
"""Gufuncs along axis 0 on one thread of the CPU, beside NumPy and Numba.

    host_axes.py --lib libkern.so [--dtype f4] [--shapes 4096x4096,16x1048576] [-k TEXT]

Results are compared first. Contenders run in turns; times are CPU time, and the
least of all rounds counts. Results with core dimensions are those that Kern makes
for `axis=0`, or, with --out, given arrays in C order. Prints rows of a table.
"""

import argparse
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
os.environ["KERN_NUM_THREADS"] = "1"
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # before threads begin

import numba
import numpy as np

import kernapi

SOURCE = """
gufunc rows_sum(v: T[n]) -> T where T in (f32, f64):
    return sum(v)

gufunc rows_norm(v: T[n]) -> T where T in (f32, f64):
    return sqrt(sum(x * x for x in v))

gufunc rows_dot(v: T[n], w: T[n]) -> T where T in (f32, f64):
    return sum(v[i] * w[i] for i in range(n))

gufunc rows_variance(v: T[n]) -> T where T in (f32, f64):
    m = sum(v) / n
    return sum((x - m) ** 2 for x in v) / n

gufunc rows_argmax(v: T[n]) -> i64 where T in (f32, f64):
    return argmax(v)

gufunc rows_softmax(v: T[n]) -> T[n] where T in (f32, f64):
    e = exp(v - max(v))
    return e / sum(e)

gufunc rows_layer_norm(v: T[n]) -> T[n] where T in (f32, f64):
    m = sum(v) / n
    return (v - m) / sqrt(sum((x - m) ** 2 for x in v) / n + 1e-5)

gufunc rows_cumsum(v: T[n]) -> T[n] where T in (f32, f64):
    return cumsum(v)
"""
SHAPES = "4096x4096,65536x256,262144x64,1048576x16,16x1048576"


def numpy_layer_norm(x):
    m = x.mean(axis=0)
    return (x - m) / np.sqrt(((x - m) ** 2).mean(axis=0) + x.dtype.type(1e-5))


def numpy_softmax(x):
    e = np.exp(x - x.max(axis=0))
    return e / e.sum(axis=0)


NUMPY = {
    "sum": lambda x: x.sum(axis=0),
    "norm": lambda x: np.sqrt(np.einsum("ij,ij->j", x, x)),
    "dot": lambda x, y: np.einsum("ij,ij->j", x, y),
    "variance": lambda x: x.var(axis=0),
    "argmax": lambda x: x.argmax(axis=0),
    "softmax": numpy_softmax,
    "layer_norm": numpy_layer_norm,
    "cumsum": lambda x: np.cumsum(x, axis=0),
}


# Row by row, as one writes them for a CPU.
@numba.njit
def numba_sum(x):
    out = np.zeros(x.shape[1], x.dtype)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[j] += x[i, j]
    return out


@numba.njit
def numba_norm(x):
    return np.sqrt(numba_dot(x, x))


@numba.njit
def numba_dot(x, y):
    out = np.zeros(x.shape[1], x.dtype)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[j] += x[i, j] * y[i, j]
    return out


@numba.njit
def numba_variance(x):
    m = numba_sum(x) / x.dtype.type(x.shape[0])
    out = np.zeros(x.shape[1], x.dtype)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[j] += (x[i, j] - m[j]) * (x[i, j] - m[j])
    return out / x.dtype.type(x.shape[0])


@numba.njit
def numba_argmax(x):
    best = x[0].copy()
    out = np.zeros(x.shape[1], np.int64)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > best[j]:
                best[j] = x[i, j]
                out[j] = i
    return out


@numba.njit
def numba_softmax(x):
    m = x[0].copy()
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            m[j] = max(m[j], x[i, j])
    out = np.empty_like(x)
    s = np.zeros_like(m)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = np.exp(x[i, j] - m[j])
            s[j] += out[i, j]
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] /= s[j]
    return out


@numba.njit
def numba_layer_norm(x):
    m = numba_sum(x) / x.dtype.type(x.shape[0])
    s = np.sqrt(numba_variance(x) + x.dtype.type(1e-5))
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = (x[i, j] - m[j]) / s[j]
    return out


@numba.njit
def numba_cumsum(x):
    out = x.copy()
    for i in range(1, x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = out[i - 1, j] + x[i, j]
    return out


def milliseconds(function):
    began = time.process_time()
    function()
    return (time.process_time() - began) * 1e3


def kern_call(function, name, arrays, makes_results):
    """A call that returns the result with its axes in the arrays' order."""
    has_axes = name in ("softmax", "layer_norm", "cumsum")
    if makes_results or not has_axes:
        return lambda: function(*arrays, axis=0)
    out = np.empty_like(arrays[0])
    prepared = kernapi.Prepared(function, [a.T for a in arrays],
                                [kernapi.Tensor.of(out.T)], device=(kernapi.CPU, 0))

    def call():
        prepared()
        return out
    return call


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lib", required=True)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--dtype", default="f4")
    parser.add_argument("--shapes", default=SHAPES)
    parser.add_argument("--out", action="store_true")
    parser.add_argument("-k", default="", help="only rows with this text")
    options = parser.parse_args()
    module = kernapi.Library(options.lib).compile(SOURCE)
    random = np.random.default_rng(1)
    print("| along axis 0 | shape | Kern, ms | NumPy, ms | Numba, ms |\n"
          "| --- | --- | --- | --- | --- |")
    for text in options.shapes.split(","):
        shape = tuple(map(int, text.split("x")))
        pair = [random.standard_normal(shape, np.dtype(options.dtype)) for _ in range(2)]
        for name, numpy in NUMPY.items():
            if options.k not in name:
                continue
            arrays = pair[:2 if name == "dot" else 1]
            ours = kern_call(module[f"rows_{name}"], name, arrays, not options.out)
            calls = [ours, lambda: numpy(*arrays),
                     lambda: globals()[f"numba_{name}"](*arrays)]
            got, *others = (np.asarray(call()) for call in calls)
            size = np.max(np.abs(others[0]))
            if np.max(np.abs(got - others[0])) > 1e-3 * size:
                sys.exit(f"{name}: the results differ")
            best = [min(times) for times in zip(*(
                [milliseconds(call) for call in calls] for _ in range(options.rounds)))]
            print(f"| {name} | {shape} | {best[0]:.2f} | {best[1]:.2f} "
                  f"({best[0] / best[1]:.2f}) | {best[2]:.2f} "
                  f"({best[0] / best[2]:.2f}) |", flush=True)


if __name__ == "__main__":
    main()
