"""Arrays and functions that a path chooses: made on it, bound on it, passed on."""

import numpy as np

SIZES = (1, 2, 3, 17, 100)

ARRAYS = """
gufunc tail_or_zeros(x: T[n], k: i64) -> (y: T[n - 1]) where T in (f32, f64):
    if k > 0:
        a = x[1:]
    else:
        a = zeros(n - 1, T)
        a[:] = x[0]
    y[:] = a

gufunc expressions(x: T[n], k: i64) -> (y: T[n]) where T in (f32, f64):
    if k > 0:
        shift = x[0] + k
        a = x + shift
    elif k == 0:
        b = x - max(x)
        a = b * 2
        a[0] = 5
    else:
        a = x[::-1]
    y[:] = a + x

gufunc centred(x: T[m, n]) -> (y: T[m, n]) where T in (f32, f64):
    for i in prange(m):
        row = x[i]
        if row[0] > 0:
            row = row - max(row)
        y[i] = row

gufunc each_anew(x: f64[m, n]) -> (y: f64[m, n]):
    for i in range(m):
        if x[i, 0] > 0:
            t = zeros(n)
            for j in range(3):
                t[0] += x[i, 0]
        else:
            t = -x[i]
        y[i] = t

gufunc named_or_new(x: f64[n], k: i64) -> (y: f64[n], z: f64[n]):
    a = x + 1
    b = a if k > 0 else -a
    b[0] = 7
    y[:] = a
    z[:] = b

def shifted(x, k):
    if k > 0:
        return x - x[0]
    return x

gufunc returned(x: f64[n], k: i64) -> (y: f64[n]):
    y[:] = 2 * shifted(x, k)

gufunc wider(x: f32[n], k: i64) -> (y: f64[n]):
    if k > 0:
        a = x
    else:
        a = zeros(n)
        a[0] = 1e-300
    y[:] = a
"""

FUNCTIONS = """
def low(x):
    return x.view(u32)

def high(x):
    return x.view(u64)

ufunc bits(x: T) -> u64 where T in (f32, f64):
    of = low if T == f32 else high
    return of(x)

def twice(f, x):
    return f(f(x))

def half(x):
    return x / 2

ufunc at_run_time(x: f64, k: i64) -> f64:
    if k == 0:
        f = abs
    elif k == 1:
        f = half
    else:
        f = floor
    return twice(f, x) + f(x)

gufunc whole(x: f64[n], k: i64) -> (y: f64[n], s: f64, top: f64):
    f = half if k > 0 else abs
    g = maximum if k > 0 else minimum
    y[:] = f(x) + 1
    s = sum(f(v) for v in x)
    top = fold(g, x[0], x)

def first(v):
    return v[0]

gufunc taken(x: f64[n], k: i64) -> f64:
    f, g = (first, max) if k > 0 else (max, first)
    return f(x) - 2 * g(x)

gufunc in_prange(x: f64[n], k: i64) -> (y: f64[n]):
    f = half if k > 0 else floor
    for i in prange(n):
        g = f if x[i] > 0 else abs
        y[i] = g(x[i])
"""


def arrays(ctx):
    def run(t):
        rng = ctx.rng(61)
        k = np.array([2, 0, -1])
        for n in SIZES:
            x = rng.integers(-9, 10, (3, n)).astype(np.float64)
            tail = np.where(k[:, None] > 0, x[:, 1:], x[:, :1])
            t.same(f"tail {n}", ctx.call(ARRAYS, "tail_or_zeros", x, k), tail)
            want = np.stack([x[0] + x[0, 0] + 2, 2 * (x[1] - x[1].max()), x[2, ::-1]])
            want[1, 0] = 5
            for dtype in (np.float32, np.float64):
                t.same(f"expressions {n}", ctx.call(ARRAYS, "expressions", x.astype(dtype), k),
                       (want + x).astype(dtype))
            t.same(f"centred {n}", ctx.call(ARRAYS, "centred", x),
                   np.where(x[:, :1] > 0, x - x.max(1, keepdims=True), x))
            anew = np.where(x[:, :1] > 0, 0, -x)
            anew[:, 0] = np.where(x[:, 0] > 0, 3 * x[:, 0], -x[:, 0])
            t.same(f"each anew {n}", ctx.call(ARRAYS, "each_anew", x), anew)
            a = x + 1
            b = np.where(k[:, None] > 0, a, -a)
            b[:, 0] = 7
            a[0, 0] = 7
            y, z = ctx.call(ARRAYS, "named_or_new", x, k)
            t.same(f"named {n}", y, a)
            t.same(f"new {n}", z, b)
            t.same(f"returned {n}", ctx.call(ARRAYS, "returned", x, k),
                   2 * np.where(k[:, None] > 0, x - x[:, :1], x))
            wide = np.where(k[:, None] > 0, x, 0)
            wide[1:, 0] = 1e-300
            t.same(f"wider {n}", ctx.call(ARRAYS, "wider", x.astype(np.float32), k), wide)
    return run


def functions(ctx):
    def run(t):
        x = np.array([-2.5, 1.5, 3.25, 0.0, -8.0])
        for dtype, word in ((np.float32, np.uint32), (np.float64, np.uint64)):
            t.same(f"bits {np.dtype(dtype)}", ctx.call(FUNCTIONS, "bits", x.astype(dtype)),
                   x.astype(dtype).view(word).astype(np.uint64))
        for k, f in enumerate((np.abs, lambda v: v / 2, np.floor)):
            t.same(f"run time {k}", ctx.call(FUNCTIONS, "at_run_time", x, k), f(f(x)) + f(x))
        for k, f, top in ((1, x / 2, x.max()), (0, np.abs(x), x.min())):
            y, s, found = ctx.call(FUNCTIONS, "whole", x, k)
            t.same(f"whole {k}", y, f + 1)
            t.same(f"sum {k}", s, f.sum())
            t.same(f"fold {k}", found, top)
        t.same("first", ctx.call(FUNCTIONS, "taken", x, 1), x[0] - 2 * x.max())
        t.same("second", ctx.call(FUNCTIONS, "taken", x, 0), x.max() - 2 * x[0])
        for k, f in ((1, x / 2), (0, np.floor(x))):
            t.same(f"prange {k}", ctx.call(FUNCTIONS, "in_prange", x, k),
                   np.where(x > 0, f, np.abs(x)))
    return run


def cases(ctx):
    yield "arrays", arrays(ctx)
    yield "functions", functions(ctx)
