"""Loops in order that add up, inside of pranges: tiles and all other mappings
give the bits of the loop, against NumPy adding one product after the other."""

import numpy as np

from agreement import NP
from groups.mappings import Forced, asked, moved
from groups.tiles import FORCED, laid

SOURCE = """
gufunc variable(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (u8, i32, f16, bf16, f32, f64):
    for i, j in prange(m, n):
        s = T(0)
        for l in range(k):
            s += a[i, l] * b[l, j]
        c[i, j] = s

gufunc element(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (i32, f16, f32, f64):
    for i, j in prange(m, n):
        c[i, j] = 0
        for l in range(k):
            c[i, j] += a[i, l] * b[l, j]

gufunc nested(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f32, f64):
    for i in prange(m):
        for j in prange(n):
            s = T(0)
            for l in range(k):
                s = a[i, l] * b[l, j] + s
            c[i, j] = s

gufunc biased(a: T[m, k], b: T[k, n], bias: T[n]) -> (c: T[m, n]) where T in (f32,):
    for i, j in prange(m, n):
        s = bias[j]
        for l in range(k):
            s += a[i, l] * b[l, j]
        c[i, j] = s

gufunc powers(a: T[m, k], b: T[k, n]) -> (c: T[m, n], d: T[m, n]) where T in (i32, f32):
    for i, j in prange(m, n):
        p = T(1)
        for l in range(1, k, 2):
            p = (a[i, l] + b[l, j]) * p
        c[i, j] = p
        d[i, j] = p + 1

gufunc wave(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f32, f64):
    for i, j in prange(m, n):
        s = T(0)
        for l in range(k):
            s += cos(a[i, l]) * sin(b[l, j])
        t = T(0)
        for l in range(k):
            t += abs(a[i, l] - b[l, j])
        c[i, j] = s - t

gufunc triangle(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f32,):
    for i, j in prange(m, n):
        s = T(0)
        for l in range(min(i, k)):
            s += a[i, l] * b[l, j]
        c[i, j] = s

gufunc positive(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f32,):
    for i, j in prange(m, n):
        s = T(0)
        for l in range(k):
            if a[i, l] > b[l, j]:
                s += a[i, l]
        c[i, j] = s

gufunc between(a: T[m, k]) -> (c: T[m, k]) where T in (f32, f64):
    for i in prange(m):
        c[i] = a[i] * 2
        s = T(0)
        for l in range(k):
            s += c[i, l]
        c[i] = a[i] - s

gufunc moving(x: T[n], w: T[k]) -> (y: T[n - k + 1]) where T in (i32, f32, f64):
    for i in prange(n - k + 1):
        s = T(0)
        for j in range(k):
            s += x[i + j] * w[j]
        y[i] = s

gufunc turned(x: T[n], w: T[k]) -> (y: T[n - k + 1]) where T in (f32,):
    for i in prange(n - k + 1):
        y[i] = 0
        for j in range(k):
            y[i] = y[i] + w[j] * x[i + k - 1 - j]

gufunc filtered(x: T[m, n], w: T[r, s]) -> (y: T[m - r + 1, n - s + 1]) where T in (f32,):
    for i, j in prange(m - r + 1, n - s + 1):
        t = T(0)
        for u in range(r):
            for v in range(s):
                t += x[i + u, j + v] * w[u, v]
        y[i, j] = t
"""

TYPES = [np.uint8, np.int32, np.float16, np.float32, np.float64] + (
    [NP["bf16"]] if "bf16" in NP else [])
SHAPES = [((), 1, 1, 1), ((), 7, 31, 33), ((), 127, 129, 127),
          ((), 5, 0, 4), ((), 0, 3, 2), ((), 1, 257, 130), ((3,), 31, 33, 7),
          ((40,), 4, 4, 4), ((17, 3), 16, 16, 16), ((2, 0), 3, 3, 3),
          ((), 300, 65, 270)]
WINDOWS = [((), 1, 1), ((), 300, 7), ((3,), 5000, 31), ((), 9000, 129),
           ((2, 2), 40, 40)]


def values(rng, shape, dtype):
    """Of both signs and several sizes, so that the order of a sum shows in its
    bits; products are exact, so that it makes no difference whether they are
    contracted to FMAs."""
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        return rng.integers(0, 200, shape).astype(dtype)
    bits = {2: 3, 4: 11, 8: 26}[dtype.itemsize]
    whole = rng.integers(-2 ** bits, 2 ** bits, shape)
    return np.ldexp(whole, -rng.integers(0, 8, shape) - bits).astype(dtype)


def in_order(terms, first, combine=np.add):
    """`first` and the terms, one after the other."""
    total = first
    with np.errstate(all="ignore"):
        for term in terms:
            total = combine(total, term)
    return total


def columns(a, b):
    """For each iteration of a product's sum, what it takes of the factors."""
    for l in range(a.shape[-1]):
        yield a[..., :, l, None], b[..., None, l, :]


def product(a, b, term=np.multiply, start=None):
    shape = a.shape[:-1] + b.shape[-1:]
    first = np.zeros(shape, a.dtype) if start is None else start
    with np.errstate(all="ignore"):
        return in_order((term(x, y) for x, y in columns(a, b)), first)


def products(ctx, mapping):
    call = Forced(ctx, mapping, SOURCE)

    def run(t):
        rng = ctx.rng(77)
        for number, (loop, m, k, n) in enumerate(SHAPES):
            for dtype in TYPES:
                a, b = values(rng, loop + (m, k), dtype), values(
                    rng, loop + (k, n), dtype)
                told = f"{np.dtype(dtype)} {loop} {m} {k} {n}"
                expected = product(a, b)
                laid_a, laid_b = laid(a, number % 4), laid(b, (number + m) % 4)
                t.same(f"variable {told}", call("variable", laid_a, laid_b),
                       expected)
                if dtype in (np.int32, np.float16, np.float32, np.float64):
                    t.same(f"element {told}", call("element", laid_a, laid_b),
                           expected)
                if dtype in (np.float32, np.float64):
                    t.same(f"nested {told}", call("nested", laid_a, laid_b),
                           expected)
            a, b = values(rng, loop + (m, k), np.float32), values(
                rng, loop + (k, n), np.float32)
            told = f"{loop} {m} {k} {n}"
            bias = values(rng, loop + (n,), np.float32)
            start = np.broadcast_to(bias[..., None, :], loop + (m, n))
            t.same(f"biased {told}", call("biased", a, b, bias),
                   product(a, b, start=start.copy()))
            c, d = call("powers", a, b)
            p = in_order((x + y for x, y in list(columns(a, b))[1::2]),
                         np.ones(loop + (m, n), np.float32), np.multiply)
            t.same(f"powers {told}", c, p)
            t.same(f"powers, used twice {told}", d, p + np.float32(1))
            rows = np.arange(m)[:, None]
            t.same(f"triangle {told}", call("triangle", a, b), in_order(
                (np.where(rows > l, x * y, np.float32(0))
                 for l, (x, y) in enumerate(columns(a, b))),
                np.zeros(loop + (m, n), np.float32)))
            t.same(f"positive {told}", call("positive", a, b), product(
                a, b, lambda x, y: np.where(x > y, x, np.float32(0))))
            t.same(f"between {told}", call("between", a), a - in_order(
                (a[..., l, None] * np.float32(2) for l in range(k)),
                np.zeros(loop + (m, 1), np.float32)))
            zeros = np.full_like(a, -0.0), np.full_like(b, 1)
            t.same(f"negative zeros {told}", call("variable", *zeros),
                   product(*zeros))
    return run


def same_wave(ctx, mappings):
    """Functions have other bits on a GPU than on a CPU; mappings agree."""
    calls = [Forced(ctx, mapping, SOURCE) for mapping in mappings]

    def run(t):
        rng = ctx.rng(78)
        for dtype in (np.float32, np.float64):
            for loop, m, k, n in SHAPES:
                a, b = values(rng, loop + (m, k), dtype), values(
                    rng, loop + (k, n), dtype)
                first, *others = [call("wave", a, b) for call in calls]
                for mapping, other in zip(mappings[1:], others):
                    t.same(f"wave {np.dtype(dtype)} {mapping} {m} {k} {n}",
                           other, first)
    return run


def windows(ctx, mapping, extents=None):
    call = Forced(ctx, mapping, SOURCE, extents)

    def run(t):
        rng = ctx.rng(79)
        for loop, n, k in WINDOWS:
            for dtype in (np.int32, np.float32, np.float64):
                x, w = values(rng, loop + (n,), dtype), values(
                    rng, loop + (k,), dtype)
                length = n - k + 1

                def expected(places):
                    return in_order(
                        (x[..., at:at + length] * w[..., j, None]
                         for j, at in enumerate(places)),
                        np.zeros(loop + (length,), dtype))
                for layout in range(3):
                    t.same(f"moving {np.dtype(dtype)} {loop} {n} {k} {layout}",
                           call("moving", moved(x, layout), w),
                           expected(range(k)))
                if dtype is np.float32:
                    t.same(f"turned {loop} {n} {k}", call("turned", x, w),
                           expected(range(k - 1, -1, -1)))
        for m, n, r, s in ((5, 6, 1, 1), (40, 300, 5, 5), (70, 33, 3, 4)):
            x, w = values(rng, (m, n), np.float32), values(
                rng, (r, s), np.float32)
            rows, across = m - r + 1, n - s + 1
            t.same(f"filtered {m} {n} {r} {s}", call("filtered", x, w), in_order(
                (x[u:u + rows, v:v + across] * w[u, v]
                 for u in range(r) for v in range(s)),
                np.zeros((rows, across), np.float32)))
    return run


def cases(ctx):
    others = ["grouped", "flat", "across", "staged", "flat,sliced"]
    for mapping, name in asked(ctx, FORCED + others):
        yield f"products, {name}", products(ctx, mapping)
    for mapping, name in asked(ctx, FORCED + ["flat", "flat,unrolled",
                                              "flat,unrolled,tiled"]):
        yield f"windows, {name}", windows(ctx, mapping)
        if mapping:
            yield (f"windows of constant extents, {name}",
                   windows(ctx, mapping, "constant"))
    if ctx.device == "cuda":
        yield "the same bits in tiles", same_wave(ctx, FORCED)
