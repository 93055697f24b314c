"""What a body may do beyond arithmetic: call ufuncs and gufuncs, find positions,
fold. Against NumPy."""

import numpy as np

from kernapi import SHAPE

SIZES = (0, 1, 2, 3, 7, 32, 33, 100, 1000, 4097)

CALLS = """
from linalg import norm, vecdot
from math import sqrt as root

ufunc square(x: T) -> T where T in (f32, f64):
    if T == f64:
        return x * x
    return T(x * x)

ufunc increment(x: f64) -> f64:
    return x + 1

ufunc both(x: T) -> T where T in (f32, f64):
    return square(x) + square(2)

ufunc widened(x: f32) -> f64:
    return increment(x)

ufunc divided(x: T, y: T) -> (q: T, r: T) where T in integers:
    q = x // y
    r = x % y

ufunc recomposed(x: i16, y: i16) -> i64:
    q, r = divided(x, y)
    return i64(q) * y + r

gufunc moments(v: T[n]) -> (s: T, k: i64) where T in (f32, f64):
    s = sum(x * x for x in v)
    k = n

gufunc parts(v: f32[n], w: f64[n]) -> (r: f64, s: f64, k: i64):
    a, b = moments(v)
    c, d = moments(w[1:])
    return a + c, vecdot(w, v), b + d

gufunc rows(a: f32[m, n]) -> (r: f32[m]):
    for i in prange(m):
        r[i] = norm(a[i])

gufunc columns(a: f64[m, n]) -> (r: f64[n]):
    for j in prange(n):
        r[j] = root(vecdot(a[:, j], a[:, j]))

gufunc halves(inout v: f64[n]) -> i64:
    for i in prange(n):
        v[i] = v[i] / 2
    return n

gufunc quarters(inout v: f64[n]) -> i64:
    return halves(v) + halves(v)

gufunc scaled(inout v: f32[n], k: f32):
    for i in prange(n):
        v[i] = v[i] * k

gufunc some_scaled(inout v: f32[n], k: f32):
    if v[0] < 0.5:
        return
    return scaled(v, k)

def halved(v):
    if v[0] > 0.5:
        return
    v[:] = v / 2

gufunc both_ways(inout v: f32[n], k: f32):
    some_scaled(v, k)
    halved(v)
"""


def calls(ctx):
    def run(t):
        rng = ctx.rng(11)
        f = ctx.callable(CALLS, "both")
        for dtype in (np.float32, np.float64):
            x = rng.random(50).astype(dtype)
            t.same(f"ufunc of {np.dtype(dtype)}", f(x),
                   x * x + dtype(4), ulp=1)
        x = rng.random(50).astype(np.float32)
        t.same("widened", ctx.call(CALLS, "widened", x),
               x.astype(np.float64) + 1)
        a = rng.integers(-300, 300, 200).astype(np.int16)
        b = rng.integers(1, 50, 200).astype(np.int16)
        t.same("two results", ctx.call(CALLS, "recomposed", a, b),
               a.astype(np.int64))
        for n in SIZES[1:]:
            v = rng.integers(0, 9, (3, n)).astype(np.float32)
            w = rng.integers(0, 9, (3, n)).astype(np.float64)
            r, s, k = ctx.call(CALLS, "parts", v, w)
            t.same(f"r {n}", r, (v * v).sum(-1, dtype=np.float64)
                   + (w[:, 1:] ** 2).sum(-1))
            t.same(f"s {n}", s, (v * w).sum(-1))
            t.same(f"k {n}", k, np.full(3, 2 * n - 1))
        a = rng.random((5, 40, 6)).astype(np.float32)
        for layout in (slice(None), slice(None, None, -2)):
            v = rng.random((3, 20))
            given = v.copy()[:, layout]
            module = ctx.module(CALLS)
            k = module["quarters"](given, device=ctx.dl_device)
            t.same("inout through a call", given, v[:, layout] / 4)
            t.same("its result", k, np.full(3, 2 * given.shape[1]))
            w = v.astype(np.float32)
            module["scaled"](w, np.float32(3), device=ctx.dl_device)
            t.same("inout without a result", w,
                   v.astype(np.float32) * np.float32(3))
            w = v.astype(np.float32)
            expected = np.where(w[:, :1] < 0.5, w, w * np.float32(3))
            module["some_scaled"](w, np.float32(3), device=ctx.dl_device)
            t.same("some that return early", w, expected)
            w = v.astype(np.float32)
            expected = np.where(expected[:, :1] > 0.5, expected, expected / 2)
            module["both_ways"](w, np.float32(3), device=ctx.dl_device)
            t.same("called from a body", w, expected)
        t.same("rows", ctx.call(CALLS, "rows", a),
               np.sqrt((a.astype(np.float64) ** 2).sum(-1)).astype("f4"),
               ulp=8)
        b = rng.random((5, 40, 6))
        t.same("columns", ctx.call(CALLS, "columns", b),
               np.sqrt((b ** 2).sum(-2)), ulp=64)
    return run


POSITIONS = """
gufunc largest(a: [k, m, n]) -> i64:
    return argmax(a)

gufunc smallest_inside(a: [k, m, n]) -> i64:
    return argmin(a[1:, 0, :n - 1])
"""


def positions(ctx):
    """Of arrays of several dimensions, counted through all of them."""
    def run(t):
        rng = ctx.rng(14)
        for shape in ((1, 1, 2), (3, 5, 7), (9, 33, 20), (2, 3, 65), (5, 40, 40)):
            a = rng.integers(-9, 10, (4, *shape)).astype(np.float32)
            for what, b in (("plain", a), ("turned", a.transpose(0, 3, 1, 2)),
                            ("nan", np.where(a == 3, np.nan, a))):
                t.same(f"largest {what} {shape}",
                       ctx.call(POSITIONS, "largest", b),
                       b.reshape(4, -1).argmax(-1))
            if shape[0] > 1:
                t.same(f"smallest inside {shape}",
                       ctx.call(POSITIONS, "smallest_inside", a),
                       a[:, 1:, 0, :-1].reshape(4, -1).argmin(-1))
        t.refused("largest of nothing", lambda: ctx.call(
            POSITIONS, "largest", np.zeros((2, 0, 3))), SHAPE, "largest")
    return run


FOLDS = """
def after(f, g):
    a, b = f
    c, d = g
    return a * c, a * d + b

def latest(a, b):
    return b if b != 0 else a

gufunc composed(a: i64[n], b: i64[n]) -> (p: i64, q: i64):
    return fold(after, (1, 0), (x, y) for x, y in zip(a, b))

gufunc latest_above(v: T[n]) -> T where T in (i32, f64):
    return fold(latest, T(100), x for x in v if x > 1)

gufunc largest(a: f64[m, n]) -> f64:
    return fold(maximum, -inf, a[i, j] for i in range(m) for j in range(n))

gufunc range_of(a: f64[m, n]) -> (low: f64, high: f64):
    low = fold(min, inf, a[i, j] for i in range(m) for j in range(n))
    high = fold(max, -inf, a[i, j] for i in range(m) for j in range(n))

gufunc of_array(v: i64[n]) -> i64:
    return fold(latest, 7, v)

gufunc each_row(a: i64[m, n]) -> (r: i64[m]):
    for i in prange(m):
        r[i] = fold(latest, i, x for x in a[i])
"""


def latest(v, first):
    """The last element of each row that is not 0, or `first`."""
    first = np.full(v.shape[:-1], first, v.dtype)
    for x in np.moveaxis(v, -1, 0):
        first = np.where(x != 0, x, first)
    return first


def folds(ctx):
    def run(t):
        rng = ctx.rng(13)
        for n in SIZES:
            a, b = rng.integers(-3, 4, (2, 3, n))
            p, q = np.ones(3, np.int64), np.zeros(3, np.int64)
            with np.errstate(over="ignore"):
                for i in range(n):
                    p, q = p * a[:, i], p * b[:, i] + q
            got = ctx.call(FOLDS, "composed", a, b)
            t.same(f"composed {n} p", got[0], p)
            t.same(f"composed {n} q", got[1], q)
            for dtype in (np.int32, np.float64):
                v = a.astype(dtype)
                t.same(f"latest {n}", ctx.call(FOLDS, "latest_above", v),
                       latest(np.where(v > 1, v, 0), 100))
            t.same(f"array {n}", ctx.call(FOLDS, "of_array", a), latest(a, 7))
        c = rng.random((4, 5, 6))
        t.same("largest", ctx.call(FOLDS, "largest", c), c.max((-1, -2)))
        low, high = ctx.call(FOLDS, "range_of", c)
        t.same("by min", low, c.min((-1, -2)))
        t.same("by max", high, c.max((-1, -2)))
        d = rng.integers(-9, 9, (4, 5, 6))
        t.same("rows", ctx.call(FOLDS, "each_row", d),
               latest(d, np.arange(5)))
    return run


def cases(ctx):
    yield "calls of ufuncs and gufuncs", calls(ctx)
    yield "positions", positions(ctx)
    yield "folds", folds(ctx)
