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

PARTS_HEADER = """
const TABLE = [1, 5, 2]
const OTHER: f64[3] = (7, 0, 4)

def tail(v, w):
    return v[1:] + w[:-1]

gufunc parts(x: f64[n], a: f64[n, n], k: i64) -> (y: f64[n], z: f64[n, n]):
"""
#: NumPy runs it too.
PARTS = """
    t = x.copy()
    t = t * 2 if k > 0 else t[::-1]
    t[0] = 7
    y[:] = t
    v = y if k > 1 else y[::-1]
    v[1:] += x[:-1]
    y[0] += v[0]
    z[:] = a
    w = z[:, 0] if k > 0 else (z[1] if k < 0 else y[::-1])
    w -= t
    w[1:][::-1][0] = 3
    u = w[::-1] if k != 1 else z.T[1, :]
    u *= 2
    if k > 0:
        q = z.T
    elif k == 0:
        q = z[::-1] + 1
    else:
        q = z[:, ::-1]
    q[0, 1:] = tail(x, x) if k > 0 else x[:0:-1]
    z[:, -1] += q[1] + sum(q, axis=0)
    best = a[0]
    for i in range(1, len(a)):
        row = a[i]
        if row[0] < best[0]:
            best = row
    y += best
    c = TABLE if k > 0 else OTHER
    y[:] += c[1] + sum(c)
"""

WAYS = """
gufunc either_way(x: f64[n], k: i64) -> (y: f64[n]):
    for i in prange(n):
        if k == 0:
            y[i] = x[i]
        elif k < 0:
            y[n - 1 - i] = 2 * x[i]
        else:
            y[i] = x[n - 1 - i]

gufunc chosen_part(x: f64[m, n], k: i64) -> (y: f64[m, n]):
    v = y if k > 0 else y[::-1, ::-1]
    for i, j in prange(m, n):
        v[i, j] = x[i, j]
    for i in prange(m):
        v[i, 0] += i
"""

FILLED = """
gufunc named(x: T[m, n], k: i64) -> (y: T[m, n]) where T in (f32, f64):
    t = x if k > 0 else 3.5
    y[:] = t[:, ::-1] * 2

gufunc nested(x: T[m, n], k: i64) -> (y: T[m, n]) where T in (f32, f64):
    y[:] = x
    part = y[:, ::-1]
    chosen = (part[::-1] if k > 1 else 7) if k > 0 else part
    chosen[:, 0] = 5

gufunc made(x: i32[n], k: i64) -> (y: f64[n]):
    t = 2.5 if k > 0 else x[1:] + 1
    y[0] = len(t)
    y[1:] = t
"""

# A part of an input that a path chose before, beside a local array.
COPIED = """
gufunc or_zeros(v: f64[n], k: i64) -> (z: f64[n]):
    a = v if k > 1 else v[::-1]
    b = a if k > 2 else zeros(n)
    z[:] = b

gufunc or_twice(v: f64[n], k: i64) -> (z: f64[n]):
    a = v
    if k > 0:
        a = v[::-1]
    if k > 2:
        a = a * 2
    z[:] = a

gufunc or_filled(v: f64[n], k: i64) -> (z: f64[n]):
    a = v if k > 1 else v[::-1]
    a = a if k > 2 else 3.0
    z[:] = a + (v if k > 0 else v[::-1])

gufunc or_sorted(v: f64[n], k: i64) -> (z: f64[n]):
    a = v if k > 1 else v[::-1]
    if k > 2:
        a = sort(a)
    z[:] = a
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


def parts(ctx):
    run_parts = {}
    exec("def f(x, a, k, y, z):\n" + PARTS, {
        "TABLE": np.array([1, 5, 2]), "OTHER": np.array([7.0, 0, 4]),
        "tail": lambda v, w: v[1:] + w[:-1], "sum": np.sum}, run_parts)

    def run(t):
        rng = ctx.rng(62)
        for n in (2, 3, 17, 40):
            for k in (-1, 0, 1, 2):
                x = rng.integers(-9, 10, n).astype(float)
                a = rng.integers(-9, 10, (n, n)).astype(float)
                y, z = np.empty(n), np.empty((n, n))
                run_parts["f"](x, a, k, y, z)
                got = ctx.call(PARTS_HEADER + PARTS, "parts", x, a, k)
                t.same(f"y {n} {k}", got[0], y)
                t.same(f"z {n} {k}", got[1], z)
    return run


def ways(ctx):
    def run(t):
        rng = ctx.rng(64)
        k = np.array([2, 0, -1])
        for m, n in ((1, 1), (2, 3), (40, 17), (3, 3000)):
            x = rng.integers(-9, 10, (3, n)).astype(float)
            t.same(f"either way {n}", ctx.call(WAYS, "either_way", x, k),
                   np.stack([x[0, ::-1], x[1], 2 * x[2, ::-1]]))
            x = rng.integers(-9, 10, (3, m, n)).astype(float)
            want = x.copy()
            want[..., 0] += np.arange(m)
            want[1:] = want[1:, ::-1, ::-1]
            t.same(f"chosen part {m} {n}", ctx.call(WAYS, "chosen_part", x, k), want)
    return run


def filled(ctx):
    def run(t):
        rng = ctx.rng(63)
        k = np.array([2, 0, -1])
        for m, n in ((1, 1), (2, 3), (40, 17)):
            for dtype in (np.float32, np.float64):
                x = rng.integers(-9, 10, (3, m, n)).astype(dtype)
                want = np.where(k[:, None, None] > 0, x[..., ::-1] * 2, dtype(7))
                t.same(f"named {m} {n}", ctx.call(FILLED, "named", x, k), want)
                # The array itself on some paths, a new one on another.
                want = x.copy()
                want[[0, 2], :, -1] = 5
                t.same(f"nested {m} {n}", ctx.call(FILLED, "nested", x,
                                                   np.array([2, 1, 0])), want)
            x = rng.integers(-9, 10, (3, n)).astype(np.int32)
            want = np.where(k[:, None] > 0, 2.5, x + 1)
            want[:, 0] = n - 1
            t.same(f"made {n}", ctx.call(FILLED, "made", x, k), want)
    return run


def copied(ctx):
    def run(t):
        rng = ctx.rng(65)
        for n in (1, 2, 5, 1000):
            v = rng.integers(-9, 10, n).astype(float)
            for k in range(4):
                a = v if k > 1 else v[::-1]
                for name, want in (
                        ("or_zeros", a if k > 2 else np.zeros(n)),
                        ("or_twice", (v[::-1] if k > 0 else v) * (2 if k > 2 else 1)),
                        ("or_filled", (a if k > 2 else 3.0) + (v if k > 0 else v[::-1])),
                        ("or_sorted", np.sort(a) if k > 2 else a)):
                    t.same(f"{name} {n} {k}", ctx.call(COPIED, name, v, k), want)
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
    yield "parts", parts(ctx)
    yield "stores by ways that all iterations share", ways(ctx)
    yield "numbers among arrays", filled(ctx)
    yield "parts of inputs among local arrays", copied(ctx)
    yield "functions", functions(ctx)
