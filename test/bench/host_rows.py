#!/usr/bin/env python3
"""Divisions, positions and products on the CPU, each beside NumPy or Numba.

    host_rows.py --lib libkern.so [--rounds 9] [-k TEXT]

Results are checked first. Both contenders run in turns; times are the least of
all rounds, as a busy machine only adds to them. Prints rows of a table.
"""

import argparse
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))

# Threads of one peer must not spin while another is measured.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("KMP_BLOCKTIME", "0")

import numba
import numpy as np

import kernapi

SOURCE = """
ufunc floor_divide(x: T, y: T) -> T where T in (i32, f32, f64):
    return x // y

ufunc by_constant(x: T) -> T where T in (f32, f64):
    return x // 0.7

ufunc remainder(x: f32) -> f32:
    return x % 0.7

gufunc nearest(v: f32[n], x: f32) -> i64:
    return argmin(abs(v[i] - x) for i in range(n))

gufunc largest(v: f32[n]) -> i64:
    return argmax(v)

gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f32, f64):
    for i, j in prange(m, n):
        c[i, j] = sum(a[i, p] * b[p, j] for p in range(k))

gufunc matvec(a: f32[m, n], x: f32[n]) -> (y: f32[m]):
    for i in prange(m):
        y[i] = sum(a[i, j] * x[j] for j in range(n))

gufunc vecmat(x: f32[m], a: f32[m, n]) -> (y: f32[n]):
    for j in prange(n):
        y[j] = sum(x[i] * a[i, j] for i in range(m))

gufunc convolve(x: f32[n], h: f32[k]) -> (y: f32[n - k + 1]):
    for i in prange(n - k + 1):
        y[i] = sum(x[i + k - 1 - j] * h[j] for j in range(k))

gufunc waves(x: f32[n]) -> (y: f32[n]):
    for i in prange(n):
        y[i] = exp(x[i]) * sin(x[i])
"""


@numba.njit(parallel=True)
def numba_floor(x, out):
    for i in numba.prange(x.size):
        out[i] = x[i] // np.float32(0.7)


@numba.njit(parallel=True)
def numba_convolve(x, h, out):
    for i in numba.prange(out.size):
        s = np.float32(0)
        for j in range(h.size):
            s += x[i + h.size - 1 - j] * h[j]
        out[i] = s


@numba.njit(parallel=True)
def numba_waves(x, out):
    for i in numba.prange(x.size):
        out[i] = np.exp(x[i]) * np.sin(x[i])


def rows():
    """Of each row its name, the function, the arguments, the result's array, and
    the peer: a function that fills or returns the result."""
    random = np.random.default_rng(1)

    def normal(*shape, dtype=np.float32):
        return (random.standard_normal(shape) * 3).astype(dtype)

    def into(function, *arguments):
        def call(out):
            function(*arguments, out)
            return out
        return call

    x, y, wide = normal(1 << 20), normal(1 << 20), normal(1 << 20, dtype="f8")
    whole = random.integers(-10**6, 10**6, 1 << 20, np.int32)
    divisors = random.integers(1, 1000, 1 << 20, np.int32)
    yield ("`x // 0.7`, 2^20 f32", "by_constant", (x,), np.empty_like(x),
           into(numba_floor, x))
    yield ("the same of f64", "by_constant", (wide,), np.empty_like(wide),
           lambda out: np.floor_divide(wide, 0.7, out=out))
    yield ("`x % 0.7`, 2^20 f32", "remainder", (x,), np.empty_like(x),
           lambda out: np.remainder(x, np.float32(0.7), out=out))
    yield ("`x // y`, 2^20 f32", "floor_divide", (x, y), np.empty_like(x),
           lambda out: np.floor_divide(x, y, out=out))
    yield ("the same of i32", "floor_divide", (whole, divisors),
           np.empty_like(whole),
           lambda out: np.floor_divide(whole, divisors, out=out))
    third = np.float32(0.3)
    yield ("argmin of a generator, 2^20 f32", "nearest", (x, third),
           np.empty((), np.int64), lambda _: np.argmin(np.abs(x - third)))
    for shape in ((65536, 256), (4096 * 4096,)):
        v = normal(*shape)
        yield (f"argmax {shape}", "largest", (v,),
               np.empty(shape[:-1], np.int64),
               lambda _, v=v: np.argmax(v, axis=-1))
    for count, size in ((1 << 18, 4), (1 << 14, 16), (1 << 12, 32), (1, 1024)):
        for dtype in (np.float32, np.float64):
            a, b = (normal(count, size, size, dtype=dtype) for _ in range(2))
            yield (f"{count} products of {size}², {np.dtype(dtype)}", "matmul",
                   (a, b), np.empty_like(a),
                   lambda out, a=a, b=b: np.matmul(a, b, out=out))
    a, v = normal(4096, 4096), normal(4096)
    yield ("a matrix of 4096² and a vector", "matvec", (a, v), np.empty_like(v),
           lambda out: np.matmul(a, v, out=out))
    yield ("a vector and the matrix", "vecmat", (v, a), np.empty_like(v),
           lambda out: np.matmul(v, a, out=out))
    signal = normal(1 << 22)
    for taps in (7, 127):
        h = normal(taps)
        yield (f"convolution of 2^22 by {taps}", "convolve", (signal, h),
               np.empty(signal.size - taps + 1, np.float32),
               into(numba_convolve, signal, h))
    yield ("`exp(x) * sin(x)` in a `prange`, 2^22", "waves", (signal,),
           np.empty_like(signal), into(numba_waves, signal))


def milliseconds(function):
    began = time.perf_counter()
    function()
    return (time.perf_counter() - began) * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lib", required=True)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("-k", default="", help="only rows with this text")
    options = parser.parse_args()
    module = kernapi.Library(options.lib).compile(SOURCE)
    print("| work | Kern, ms | peer, ms | share |\n| --- | --- | --- | --- |")
    for name, function, arguments, out, peer in rows():
        if options.k not in name:
            continue
        ours = kernapi.Prepared(module[function], arguments,
                                [kernapi.Tensor.of(out)],
                                device=(kernapi.CPU, 0))
        ours()
        other = np.empty_like(out)
        expected = np.asarray(peer(other))
        size = np.max(np.abs(expected)) or 1
        if np.max(np.abs(out - expected)) > 1e-3 * size:
            sys.exit(f"{name}: the results differ")
        times = [(milliseconds(ours), milliseconds(lambda: peer(other)))
                 for _ in range(options.rounds)]
        mine, theirs = (min(column) for column in zip(*times))
        print(f"| {name} | {mine:.2f} | {theirs:.2f} | {mine / theirs:.2f} |",
              flush=True)


if __name__ == "__main__":
    main()
