"""Nests whose operands serve many results: products of matrices, windows,
nearest points. Each as its source reads, with cuBLAS beside it."""

import cupy
import numpy as np

from contenders import Work, as_torch, torch
from data import largest

SOURCE = """
gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f16, f32, f64, c64):
    for i, j in prange(m, n):
        c[i, j] = T(sum(a[i, p] * b[p, j] for p in range(k)))

gufunc layer(a: T[m, k], b: T[k, n], bias: T[n]) -> (c: T[m, n]) where T in (f32,):
    for i, j in prange(m, n):
        c[i, j] = tanh(sum(a[i, p] * b[p, j] for p in range(k)) + bias[j])

gufunc convolve_valid(x: T[n], w: T[k]) -> (y: T[n - k + 1]) where T in (f32, f64):
    for i in prange(n - k + 1):
        y[i] = sum(x[i + k - 1 - j] * w[j] for j in range(k))

gufunc filter(x: T[m, n], w: T[r, s]) -> (y: T[m - r + 1, n - s + 1]) where T in (f32,):
    for i, j in prange(m - r + 1, n - s + 1):
        y[i, j] = sum(x[i + u, j + v] * w[u, v] for u in range(r) for v in range(s))

gufunc nearest(a: T[m, 3], b: T[n, 3]) -> (d: T[m]) where T in (f32, f64):
    for i in prange(m):
        d[i] = sqrt(min((a[i, 0] - b[j, 0]) ** 2 + (a[i, 1] - b[j, 1]) ** 2 + (a[i, 2] - b[j, 2]) ** 2 for j in range(n)))
"""


def close(expected, terms, part=slice(None)):
    """A check of sums of so many positive terms, of which `part` is looked
    at."""
    def check(results):
        found = results[0][part]
        want = expected()
        wide = cupy.result_type(found.dtype, cupy.float64)
        epsilon = float(cupy.finfo(found.dtype).eps)
        off = cupy.abs(found.astype(wide) - want) / cupy.abs(want)
        return largest(off) / (epsilon * (16 + terms))
    return check


def random(data, shape, dtype=np.float32):
    """Numbers in [0.25, 1.25)."""
    made = data.rng.random(shape, dtype=np.float32)
    made += np.float32(0.25)
    return made if dtype == np.float32 else made.astype(dtype)


def product(sources, data, batch, m, k, n, dtype=np.float32, turned=False):
    a = random(data, (batch, m, k), dtype)
    b = random(data, (batch, n, k) if turned else (batch, k, n), dtype)
    if turned:
        b = b.swapaxes(1, 2)
    out = cupy.empty((batch, m, n), dtype)
    few = slice(0, max(1, (1 << 22) // (m * n)))
    wide = cupy.result_type(dtype, cupy.float64)
    check = close(lambda: a[few].astype(wide) @ b[few].astype(wide), k, few)
    name = f"matmul {np.dtype(dtype)} {batch} of ({m},{k}) by ({k},{n})"
    work = Work(name + (", b transposed" if turned else ""),
                a.itemsize * batch * (m * k + k * n + m * n),
                {"kern": sources.call(SOURCE, "matmul", (a, b), (out,))},
                [out], check, [])
    work.add("CuPy", lambda: lambda: cupy.matmul(a, b, out=out))
    if torch and np.dtype(dtype) == np.float16:  # CuPy's is of another kind
        x, y, z = as_torch(a), as_torch(b), as_torch(out)
        work.add("torch", lambda: lambda: torch.matmul(x, y, out=z))
    return work


def layer(sources, data, n):
    a, b = random(data, (n, n)), random(data, (n, n))
    a /= n
    bias, out = random(data, (n,)), cupy.empty((n, n), np.float32)
    check = close(lambda: cupy.tanh(
        a.astype(np.float64) @ b.astype(np.float64) + bias), n)
    work = Work(f"tanh(a @ b + bias) f32 {n}", 4 * 3 * n * n,
                {"kern": sources.call(SOURCE, "layer", (a, b, bias), (out,))},
                [out], check, [])
    second = cupy.ElementwiseKernel("T y, T bias", "T z", "z = tanh(y + bias)",
                                    "bench_layer")

    def two():
        cupy.matmul(a, b, out=out)
        second(out, bias, out)
    work.add("CuPy", lambda: two)
    return work


def convolution(sources, data, rows, n, k):
    x, w = random(data, (rows, n)), random(data, (k,))
    out = cupy.empty((rows, n - k + 1), np.float32)
    part = (slice(0, 1), slice(-100000, None))

    def expected():
        tail = x[0, -100000 - k + 1:].astype(np.float64)
        return cupy.convolve(tail, w.astype(np.float64), "valid")[None]
    return Work(f"convolve_valid f32 {rows} of {n} by {k}",
                4 * rows * (2 * n - k + 1),
                {"kern": sources.call(SOURCE, "convolve_valid", (x, w),
                                      (out,))},
                [out], close(expected, k, part), [])


def filtering(sources, data, n, r):
    x, w = random(data, (n, n)), random(data, (r, r))
    out = cupy.empty((n - r + 1, n - r + 1), np.float32)

    def expected():
        wide = cupy.zeros(out.shape)
        for u in range(r):
            for v in range(r):
                wide += (x[u:u + out.shape[0], v:v + out.shape[1]].astype(
                    np.float64) * w[u, v])
        return wide
    return Work(f"filter f32 {n}×{n} by {r}×{r}", 8 * n * n,
                {"kern": sources.call(SOURCE, "filter", (x, w), (out,))},
                [out], close(expected, r * r), [("copy", 0.84)])


def nearest(sources, data, m, n):
    a, b = random(data, (m, 3)), random(data, (n, 3))
    out = cupy.empty((m,), np.float32)
    few = slice(0, 256)

    def expected():
        apart = a[few, None].astype(np.float64) - b[None].astype(np.float64)
        return cupy.sqrt((apart * apart).sum(-1).min(-1))
    # Differences of close numbers: an error relative to the coordinates.
    return Work(f"nearest f32 {m} among {n}", 12 * (m + n) + 4 * m,
                {"kern": sources.call(SOURCE, "nearest", (a, b), (out,))},
                [out], close(expected, 1 << 12, few), [])


def works(sources, data, which):
    def one(name, make, *arguments):
        return name, lambda: make(sources, data, *arguments)
    for batch, m, k, n in [(1 << 20, 4, 4, 4), (1 << 18, 16, 16, 16),
                           (1 << 16, 32, 32, 32), (1 << 12, 128, 128, 128),
                           (64, 1024, 1024, 1024), (1, 4096, 4096, 4096),
                           (1, 4096, 64, 4096), (1000, 31, 33, 7)]:
        yield one(f"matmul {batch} {m}", product, batch, m, k, n)
    yield one("matmul turned", product, 1, 4096, 4096, 4096, np.float32, True)
    yield one("matmul turned 16", product, 1 << 18, 16, 16, 16, np.float32,
              True)
    yield one("matmul f64", product, 1, 2048, 2048, 2048, np.float64)
    yield one("matmul f64 4096", product, 1, 4096, 4096, 4096, np.float64)
    yield one("matmul f16", product, 1, 8192, 8192, 8192, np.float16)
    yield one("matmul c64", product, 1, 2048, 2048, 2048, np.complex64)
    yield one("matmul layer", layer, 4096)
    for rows, n, k in [(1, 1 << 26, 7), (1, 1 << 26, 127), (1, 1 << 24, 1023),
                       (4096, 65536, 64)]:
        yield one(f"convolve {rows} {n} {k}", convolution, rows, n, k)
    yield one("filter", filtering, 10000, 5)
    yield one("nearest", nearest, 1 << 16, 1 << 14)
