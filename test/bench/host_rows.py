#!/usr/bin/env python3
"""Divisions, positions, products, windows and reductions along axis 0 on the CPU,
each beside NumPy or Numba.

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

gufunc layer(x: f32[b, k], w: f32[k, n], bias: f32[n]) -> (y: f32[b, n]):
    y[:] = maximum(x @ w + bias, 0)

gufunc layer_in_steps(x: f32[b, k], w: f32[k, n], bias: f32[n]) -> (y: f32[b, n]):
    y[:] = x @ w
    y += bias
    y[:] = maximum(y, 0)

gufunc three_steps(x: f32[m, n], s: f32) -> (y: f32[m, n]):
    y[:] = x - s
    y *= s
    y[:] = sqrt(abs(y)) + 1

gufunc column_sums(x: f32[m, n]) -> (y: f32[m, n]):
    y[:] = sum(x, axis=0)

gufunc normalised_rows(x: f32[m, n]) -> (y: f32[m, n]):
    y[:] = x / sqrt(sum(x * x, axis=1, keepdims=True))

gufunc convolve(x: f32[n], h: f32[k]) -> (y: f32[n - k + 1]):
    for i in prange(n - k + 1):
        y[i] = sum(x[i + k - 1 - j] * h[j] for j in range(k))

gufunc convolve_loop(x: f32[n], h: f32[k]) -> (y: f32[n - k + 1]):
    for i in prange(n - k + 1):
        s = f32(0)
        for j in range(k):
            s += x[i + k - 1 - j] * h[j]
        y[i] = s

gufunc image_filter(x: f32[m, n], w: f32[r, s]) -> (y: f32[m - r + 1, n - s + 1]):
    for i, j in prange(m - r + 1, n - s + 1):
        y[i, j] = sum(x[i + u, j + v] * w[u, v] for u in range(r) for v in range(s))

gufunc life(a: u8[m, n]) -> (b: u8[m - 2, n - 2]):
    for i, j in prange(m - 2, n - 2):
        k = sum(i32(a[i + u, j + v]) for u in range(3) for v in range(3) if u != 1 or v != 1)
        b[i, j] = 1 if k == 3 or (k == 2 and a[i + 1, j + 1] != 0) else 0

gufunc life_on_torus(a: u8[m, n]) -> (b: u8[m, n]):
    for i, j in prange(m, n):
        k = sum(a[(i + u - 1) % m, (j + v - 1) % n]
                for u in range(3) for v in range(3) if u != 1 or v != 1)
        b[i, j] = 1 if k == 3 or (k == 2 and a[i, j] != 0) else 0

gufunc diffuse(a: f32[m, n], k: f32) -> (b: f32[m, n]):
    for i, j in prange(m, n):
        b[i, j] = a[i, j] + k * (a[(i + 1) % m, j] + a[(i - 1) % m, j] +
                                 a[i, (j + 1) % n] + a[i, (j - 1) % n] - 4 * a[i, j])

gufunc despeckle(x: f32[m, n]) -> (y: f32[m - 2, n - 2]):
    for i, j in prange(m - 2, n - 2):
        if any(abs(x[i + u, j + v]) > 5 for u in range(3) for v in range(3)):
            y[i, j] = x[i + 1, j + 1]
        else:
            y[i, j] = sum(x[i + u, j + v] for u in range(3) for v in range(3)) / 9

gufunc cube_root(x: f64[n]) -> (y: f64[n]):
    for i in prange(n):
        z = x[i]
        for _ in range(50):
            d = (z * z * z - x[i]) / (3.0 * z * z)
            z -= d
            if abs(d) < 1e-12:
                break
        y[i] = z

gufunc l2_norm(v: f32[n]) -> f32:
    return sqrt(sum(v[i] * v[i] for i in range(n)))

gufunc softmax(v: f32[n]) -> (y: f32[n]):
    m = max(v)
    s = sum(exp(v[i] - m) for i in range(n))
    for i in prange(n):
        y[i] = exp(v[i] - m) / s

gufunc running_sum(v: f32[n]) -> (y: f32[n]):
    y[:] = cumsum(v)

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
def numba_filter(x, w, out):
    for i in numba.prange(out.shape[0]):
        for j in range(out.shape[1]):
            s = np.float32(0)
            for u in range(w.shape[0]):
                for v in range(w.shape[1]):
                    s += x[i + u, j + v] * w[u, v]
            out[i, j] = s


@numba.njit(parallel=True)
def numba_life(a, out):
    for i in numba.prange(out.shape[0]):
        for j in range(out.shape[1]):
            k = 0
            for u in range(3):
                for v in range(3):
                    if u != 1 or v != 1:
                        k += a[i + u, j + v]
            out[i, j] = 1 if k == 3 or (k == 2 and a[i + 1, j + 1] != 0) else 0


@numba.njit(parallel=True)
def numba_life_on_torus(a, out):
    m, n = a.shape
    for i in numba.prange(m):
        for j in range(n):
            k = 0
            for u in range(3):
                for v in range(3):
                    if u != 1 or v != 1:
                        k += a[(i + u - 1) % m, (j + v - 1) % n]
            out[i, j] = 1 if k == 3 or (k == 2 and a[i, j] != 0) else 0


@numba.njit(parallel=True)
def numba_diffuse(a, k, out):
    m, n = a.shape
    for i in numba.prange(m):
        for j in range(n):
            out[i, j] = a[i, j] + k * (
                a[(i + 1) % m, j] + a[(i - 1) % m, j] + a[i, (j + 1) % n] +
                a[i, (j - 1) % n] - 4 * a[i, j])


@numba.njit(parallel=True)
def numba_despeckle(x, out):
    for i in numba.prange(out.shape[0]):
        for j in range(out.shape[1]):
            is_bright = False
            s = np.float32(0)
            for u in range(3):
                for v in range(3):
                    is_bright |= abs(x[i + u, j + v]) > 5
                    s += x[i + u, j + v]
            out[i, j] = x[i + 1, j + 1] if is_bright else s / np.float32(9)


@numba.njit(parallel=True)
def numba_cube_root(x, out):
    for i in numba.prange(out.size):
        z = x[i]
        for _ in range(50):
            d = (z * z * z - x[i]) / (3.0 * z * z)
            z -= d
            if abs(d) < 1e-12:
                break
        out[i] = z


@numba.njit(parallel=True)
def numba_norms(x, out):
    """Down the rows, a few columns for each thread."""
    parts = numba.get_num_threads()
    for part in numba.prange(parts):
        low = x.shape[1] * part // parts
        high = x.shape[1] * (part + 1) // parts
        out[low:high] = 0
        for i in range(x.shape[0]):
            for j in range(low, high):
                out[j] += x[i, j] * x[i, j]
        for j in range(low, high):
            out[j] = np.sqrt(out[j])


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
    left, right, bias = normal(256, 500), normal(500, 300), normal(300)

    def numpy_layer(out):
        return np.maximum(np.matmul(left, right, out=out) + bias, 0, out=out)
    for function, how in (("layer", ""), ("layer_in_steps", ", in three statements")):
        yield (f"a layer of 256 × 500 by 500 × 300{how}", function, (left, right, bias),
               np.empty((256, 300), np.float32), numpy_layer)
    square = normal(1000, 1000)

    def numpy_steps(out):
        np.multiply(np.subtract(square, third, out=out), third, out=out)
        return np.add(np.sqrt(np.abs(out, out=out), out=out), 1, out=out)
    yield ("three statements, 1000²", "three_steps", (square, third),
           np.empty_like(square), numpy_steps)
    yield ("sums of columns, each in its column, 1000²", "column_sums", (square,),
           np.empty_like(square),
           lambda out: np.copyto(out, square.sum(axis=0)) or out)
    yield ("rows of length 1, 1000²", "normalised_rows", (square,),
           np.empty_like(square),
           lambda out: np.divide(square, np.sqrt((square * square).sum(
               axis=1, keepdims=True)), out=out))
    signal = normal(1 << 22)
    for taps in (7, 127):
        h = normal(taps)
        yield (f"convolution of 2^22 by {taps}", "convolve", (signal, h),
               np.empty(signal.size - taps + 1, np.float32),
               into(numba_convolve, signal, h))
        yield (f"the same by {taps}, the sum as a loop", "convolve_loop",
               (signal, h), np.empty(signal.size - taps + 1, np.float32),
               into(numba_convolve, signal, h))
    image = normal(2000, 2000)
    for size in (5, 3):
        w = normal(size, size)
        yield (f"a filter of {size}×{size}, 2000²", "image_filter", (image, w),
               np.empty((2001 - size, 2001 - size), np.float32),
               into(numba_filter, image, w))
    cells = (image > 0).astype(np.uint8)
    yield ("a step of life, 2000²", "life", (cells,),
           np.empty((1998, 1998), np.uint8), into(numba_life, cells))
    yield ("a step of life on a torus, 2000²", "life_on_torus", (cells,),
           np.empty_like(cells), into(numba_life_on_torus, cells))
    yield ("a step of diffusion on a torus, 2000²", "diffuse", (image, third),
           np.empty_like(image), into(numba_diffuse, image, third))
    yield ("means but where `any(…)`, 2000²", "despeckle", (image,),
           np.empty((1998, 1998), np.float32), into(numba_despeckle, image))
    cubes = np.abs(wide) + 1
    yield ("Newton's method in a `prange`, 2^20 f64", "cube_root", (cubes,),
           np.empty_like(cubes), into(numba_cube_root, cubes))
    for shape in ((4096, 4096), (16, 1 << 20), (1 << 18, 64), (170000, 100),
                  (1600000, 10)):
        v = normal(*shape)
        yield (f"norms along axis 0 of {shape}", "l2_norm", (v.T,),
               np.empty(shape[1], np.float32), into(numba_norms, v))
    v = normal(4096, 4096)

    def numpy_softmax(_):
        e = np.exp(v - v.max(axis=0))
        return (e / e.sum(axis=0)).T
    yield ("softmax along axis 0 of 4096²", "softmax", (v.T,),
           np.empty_like(v).T, numpy_softmax)
    yield ("cumsum along axis 0 of 4096²", "running_sum", (v.T,),
           np.empty_like(v).T, lambda out: np.cumsum(v, axis=0, out=out.T).T)
    yield ("argmax along axis 0 of 4096²", "largest", (v.T,),
           np.empty(4096, np.int64), lambda _: np.argmax(v, axis=0))
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
