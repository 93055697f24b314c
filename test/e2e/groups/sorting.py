"""Sorting in bodies: sort, argsort, partition, median, searchsorted."""

import numpy as np

TYPES = {"bool": np.bool_, "i8": np.int8, "u64": np.uint64, "i32": np.int32,
         "f16": np.float16, "f32": np.float32, "f64": np.float64}

SOURCE = """
gufunc sorted_copy(v: T[n]) -> (y: T[n]) where T in (bool, reals):
    y[:] = sort(v)

gufunc rows(a: T[m, n]) -> (y: T[m, n], k: i64[m, n]) where T in (bool, reals):
    for i in prange(m):
        y[i] = sort(a[i])
        k[i] = argsort(a[i])

gufunc split(v: T[n], k: i64) -> (y: T[n]) where T in (bool, reals):
    y[:] = partition(v, k)

gufunc columns(a: T[m, n]) -> (y: T[m, n]) where T in (bool, reals):
    for j in prange(n):
        y[:, j] = sort(a[:, j])

gufunc ranks(v: T[n]) -> (r: i64[n]) where T in (bool, reals):
    k = argsort(v)
    for i in prange(n):
        r[k[i]] = i

gufunc backwards(v: T[n]) -> (y: T[n]) where T in (bool, reals):
    s = sort(v[::-1])
    y[:] = s[::-1]

gufunc middle(v: T[n]) -> f64 where T in (f32, f64, i32):
    return median(v) + median(abs(v - median(v)))

gufunc found(v: T[n], x: T) -> (i: i64, j: i64) where T in (bool, reals):
    s = sort(v)
    i = searchsorted(s, x)
    j = searchsorted(s, x, True)

gufunc smoothed(v: f64[n]) -> (y: f64[n]):
    for i in prange(n):
        w = empty(5, f64)
        for k in range(5):
            w[k] = v[min(max(i + k - 2, 0), n - 1)]
        y[i] = sort(w)[2]

ufunc of_three(a: f64, b: f64, c: f64) -> f64:
    w = empty(3, f64)
    w[0], w[1], w[2] = a, b, c
    return median(w)
"""

SIZES = (1, 2, 15, 16, 17, 33, 100, 257)


def values(rng, dtype, shape):
    x = rng.integers(-20, 21, shape)
    if dtype == np.bool_:
        return x > 0
    if np.dtype(dtype).kind == "u":
        return np.abs(x).astype(dtype)
    y = x.astype(dtype)
    if np.dtype(dtype).kind == "f":
        y /= 4
        y[rng.random(shape) < 0.1] = np.nan
        y[rng.random(shape) < 0.05] = -np.inf
        y[rng.random(shape) < 0.05] = np.inf
    return y


def sorts(ctx, name):
    def run(t):
        rng = ctx.rng(41)
        for n in SIZES:
            v = values(rng, TYPES[name], (3, n))
            want = np.sort(v)
            t.same(f"sort {n}", ctx.call(SOURCE, "sorted_copy", v), want)
            y, k = ctx.call(SOURCE, "rows", v)
            t.same(f"rows {n}", y, want)
            t.same(f"argsort {n}", k, np.argsort(v, kind="stable"))
            t.same(f"columns {n}", ctx.call(SOURCE, "columns", v), np.sort(v, 0))
            t.same(f"backwards {n}", ctx.call(SOURCE, "backwards", v), want[:, ::-1])
            ranks = np.argsort(np.argsort(v, kind="stable"), kind="stable")
            t.same(f"ranks {n}", ctx.call(SOURCE, "ranks", v), ranks)
            x = values(rng, TYPES[name], 3)
            i, j = ctx.call(SOURCE, "found", v, x)
            sides = [[np.searchsorted(row, e, side) for row, e in zip(want, x)]
                     for side in ("left", "right")]
            t.same(f"left {n}", i, np.array(sides[0], np.int64))
            t.same(f"right {n}", j, np.array(sides[1], np.int64))
    return run


def parts(ctx, name):
    """Element k is the one that sorting puts there, smaller ones are before it, and none is lost."""
    def run(t):
        rng = ctx.rng(43)
        for n in SIZES:
            v = values(rng, TYPES[name], (5, n))
            v[1] = np.sort(v[1])
            v[2] = np.sort(v[2])[::-1]
            v[3] = v[3, 0]
            v[4] = np.concatenate([np.sort(v[4, ::2]), np.sort(v[4, 1::2])[::-1]])
            want = np.sort(v)
            for k in {0, n // 3, n // 2, n - 1, -1, -n}:
                y = ctx.call(SOURCE, "split", v, k)
                place = k % n
                t.same(f"all {n} {k}", np.sort(y), want)
                t.same(f"the one {n} {k}", y[:, place], want[:, place])
                t.same(f"before {n} {k}", np.sort(y[:, :place]), want[:, :place])
    return run


def medians(ctx):
    def run(t):
        rng = ctx.rng(42)
        for dtype in (np.float32, np.float64, np.int32):
            for n in SIZES:
                v = rng.integers(-50, 51, (4, n)).astype(dtype)
                middle = np.median(v, 1)
                spread = np.median(np.abs(v - middle[:, None]), 1)
                t.same(f"{np.dtype(dtype)} {n}", ctx.call(SOURCE, "middle", v),
                       (middle + spread).astype(np.float64))
        v = rng.standard_normal(300)
        padded = np.pad(v, 2, mode="edge")
        windows = np.lib.stride_tricks.sliding_window_view(padded, 5)
        t.same("filter", ctx.call(SOURCE, "smoothed", v), np.median(windows, 1))
        a, b, c = rng.standard_normal((3, 200))
        a[:5] = np.nan
        t.same("three", ctx.call(SOURCE, "of_three", a, b, c), np.median([a, b, c], 0))
    return run


FEW = """
gufunc few_{n}(v: T[{n}]) -> (y: T[{n}], k: i64[{n}], p: T[{n}]) where T in (bool, i8, u64, f16, f32, f64):
    y[:] = sort(v)
    k[:] = argsort(v[::-1])
    p[:] = partition(v, {n} // 2)

gufunc in_columns_{n}(a: T[{n}, m]) -> (y: T[{n}, m], c: T[m]) where T in (f32, f64):
    for j in prange(m):
        y[:, j] = sort(a[:, j])
        c[j] = median(a[:, j])
"""


def few(ctx, n):
    """Networks: equal elements keep their order, -0.0 and 0.0 among them."""
    def run(t):
        rng = ctx.rng(44 + n)
        source = FEW.format(n=n)
        for name in ("bool", "i8", "u64", "f16", "f32", "f64"):
            v = values(rng, TYPES[name], (50, n))
            if n <= 10: # all orders of small and large ones
                bits = (np.arange(2 ** n)[:, None] >> np.arange(n)) & 1
                v = np.concatenate([v, bits.astype(v.dtype)])
            if v.dtype.kind == "f":
                v[rng.random(v.shape) < 0.2] = 0
                v *= rng.choice(np.array([-1, 1], v.dtype), v.shape)
            y, k, p = ctx.call(source, f"few_{n}", v)
            want = np.take_along_axis(v, np.argsort(v, kind="stable"), -1)
            t.same(f"sort {name}", y, want)
            t.same(f"partition {name}", np.abs(p[:, n // 2]),
                   np.abs(want[:, n // 2]))
            t.same(f"all {name}", np.sort(np.abs(p)), np.sort(np.abs(v)))
            t.same(f"argsort {name}", k, np.argsort(v[:, ::-1], kind="stable"))
            if v.dtype.kind == "f":
                t.same(f"signs {name}", np.signbit(y), np.signbit(want))
        for dtype in (np.float32, np.float64):
            a = rng.standard_normal((3, n, 40)).astype(dtype)
            a[0, rng.random((n, 40)) < 0.05] = np.nan
            y, c = ctx.call(source, f"in_columns_{n}", a)
            t.same(f"columns {np.dtype(dtype)}", y, np.sort(a, 1))
            t.same(f"medians {np.dtype(dtype)}", c, np.median(a, 1))
    return run


def cases(ctx):
    for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 25, 32, 33):
        yield f"few {n}", few(ctx, n)
    for name in TYPES:
        yield f"sort {name}", sorts(ctx, name)
        yield f"partition {name}", parts(ctx, name)
    yield "median", medians(ctx)
