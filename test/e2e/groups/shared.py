"""Adding to elements of results that iterations share, against NumPy."""

import numpy as np

SIZES = (0, 1, 2, 3, 7, 32, 33, 100, 1000, 4097)

SUMS = """
gufunc histogram(v: i64[n], h0: T[k]) -> (h: T[k]) where T in numbers:
    for i in prange(k):
        h[i] = h0[i]
    for i in prange(n):
        h[v[i]] += 1

gufunc weighted(v: i64[n], w: T[n], k: dim) -> (h: T[k]) where T in (i16, u64, f32, f64, c64):
    for i in prange(k):
        h[i] = 0
    for i in prange(n):
        h[v[i]] += w[i]

gufunc bits(v: i64[n], w: T[n], k: dim) -> (a: T[k], o: T[k], x: T[k]) where T in (u8, i16, u32, i64, bool):
    for i in prange(k):
        a[i] = ~T(0)
        o[i] = T(0)
        x[i] = T(0)
    for i in prange(n):
        a[v[i]] &= w[i]
        o[v[i]] |= w[i]
        x[v[i]] ^= w[i]

gufunc joint(u: i64[n], v: i64[n], k: dim) -> (h: i32[k, k]):
    for i, j in prange(k, k):
        h[i, j] = 0
    for i in prange(n):
        h[u[i], v[i]] += 1

gufunc column_sums(a: i32[m, n]) -> (s: i64[n]):
    for j in prange(n):
        s[j] = 0
    for i, j in prange(m, n):
        s[j] += a[i, j]
"""


def sums(ctx):
    def run(t):
        rng = ctx.rng(14)
        for n in SIZES:
            k = 5
            v = rng.integers(0, k, (3, n))
            counts = np.array([np.bincount(r, minlength=k) for r in v])
            for dtype in (np.bool_, np.int8, np.uint16, np.int64, np.float32,
                          np.complex128):
                if dtype == np.bool_:
                    continue
                h0 = rng.integers(0, 9, (3, k)).astype(dtype)
                t.same(f"histogram {n} {np.dtype(dtype)}",
                       ctx.call(SUMS, "histogram", v, h0),
                       (h0 + counts.astype(dtype)).astype(dtype))
            for dtype in (np.int16, np.uint64, np.float32, np.float64,
                          np.complex64):
                w = rng.integers(0, 100, (3, n)).astype(dtype)
                expected = np.zeros((3, k), dtype)
                for row in range(3):
                    np.add.at(expected[row], v[row], w[row])
                t.same(f"weighted {n} {np.dtype(dtype)}",
                       ctx.call(SUMS, "weighted", v, w, k), expected)
            for dtype in (np.uint8, np.int16, np.uint32, np.int64, np.bool_):
                w = rng.integers(0, 2 if dtype == np.bool_ else 100,
                                 (3, n)).astype(dtype)
                a = np.full((3, k), ~dtype(0))
                o, x = np.zeros((2, 3, k), dtype)
                for row in range(3):
                    np.bitwise_and.at(a[row], v[row], w[row])
                    np.bitwise_or.at(o[row], v[row], w[row])
                    np.bitwise_xor.at(x[row], v[row], w[row])
                for name, got, want in zip(
                        "aox", ctx.call(SUMS, "bits", v, w, k), (a, o, x)):
                    t.same(f"bits {name} {n} {np.dtype(dtype)}", got, want)
            u = rng.integers(0, k, (3, n))
            h = np.zeros((3, k, k), np.int32)
            for row in range(3):
                np.add.at(h[row], (u[row], v[row]), 1)
            t.same(f"joint {n}", ctx.call(SUMS, "joint", u, v, k), h)
        a = rng.integers(-99, 99, (2, 50, 30)).astype(np.int32)
        t.same("column sums", ctx.call(SUMS, "column_sums", a),
               a.sum(-2, dtype=np.int64))
        # With random floats the order shows: it is the same every time.
        v = rng.integers(0, 3, 10000)
        w = rng.random(10000).astype(np.float32)
        first = ctx.call(SUMS, "weighted", v, w, 3)
        for turn in range(5):
            t.same(f"again {turn}", ctx.call(SUMS, "weighted", v, w, 3), first)
    return run


EXTREMA = """
gufunc extrema(v: i64[n], w: T[n], h0: T[k]) -> (least: T[k], greatest: T[k]) where T in reals:
    least[:] = h0
    greatest[:] = h0
    for i in prange(n):
        least[v[i]] = min(least[v[i]], w[i])
        e = v[i]
        greatest[e] = maximum(w[i], greatest[e])

gufunc flags(v: i64[n], w: bool[n], k: dim) -> (all: bool[k], any: bool[k]):
    all[:] = True
    any[:] = False
    for i in prange(n):
        all[v[i]] = minimum(all[v[i]], w[i])
        any[v[i]] = maximum(any[v[i]], w[i])

gufunc last(v: i64[n], w: i64[n], k: dim) -> (at: i32[k], low: i32[k]):
    at[:] = -1
    low[:] = 7
    for i in prange(n):
        at[v[i]] = max(at[v[i]], i)
        low[v[i]] = min(low[v[i]], w[i])

gufunc between(v: i64[n], w: f64[n], top: f64, k: dim) -> (low: f64[k], high: f64[k]):
    low[:] = 9
    high[:] = -9
    for i in prange((1, n)):
        low[v[i]] = min(w[i], low[v[i]], top)
        high[v[i]] = max(high[v[i]], w[i], -top, -1)
"""

# Both signs of zero, of NaN and of the infinities are among them.
SPECIAL = np.array([0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1.5, -1.5])


def values(rng, dtype, shape):
    if np.issubdtype(dtype, np.floating):
        drawn = rng.standard_normal(shape).astype(dtype)
        special = rng.random(shape) < 0.02
        return np.where(special, rng.choice(SPECIAL, shape).astype(dtype),
                        drawn)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, shape, dtype, endpoint=True)


def same_extrema(t, what, got, want):
    """Equal; of zeros and NaNs NumPy's minimum has either."""
    number = ~np.isnan(want) if want.dtype.kind == "f" else want == want
    t.same(f"{what} nan", np.isnan(got) if want.dtype.kind == "f" else ~number,
           ~number)
    t.same(what, got[number] + 0, want[number] + 0)


def extrema(ctx):
    def run(t):
        rng = ctx.rng(15)
        for n in SIZES:
            k = 5 if n < 1000 else 300
            v = rng.integers(0, k, (3, n))
            for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32,
                          np.uint32, np.int64, np.uint64, np.float16,
                          np.float32, np.float64):
                w, h0 = values(rng, dtype, (3, n)), values(rng, dtype, (3, k))
                least, greatest = h0.copy(), h0.copy()
                for row in range(3):
                    np.minimum.at(least[row], v[row], w[row])
                    np.maximum.at(greatest[row], v[row], w[row])
                for name, got, want in zip(
                        ("least", "greatest"),
                        ctx.call(EXTREMA, "extrema", v, w, h0),
                        (least, greatest)):
                    same_extrema(t, f"{name} {n} {np.dtype(dtype)}", got, want)
            w = rng.random((3, n)) < 0.5
            both = np.ones((3, k), bool), np.zeros((3, k), bool)
            for row in range(3):
                np.logical_and.at(both[0][row], v[row], w[row])
                np.logical_or.at(both[1][row], v[row], w[row])
            for got, want in zip(ctx.call(EXTREMA, "flags", v, w, k), both):
                t.same(f"flags {n}", got, want)
            w = rng.integers(-2 ** 31, 2 ** 40, (3, n))
            at = np.full((3, k), -1, np.int32)
            low = np.full((3, k), 7, np.int64)
            for row in range(3):
                np.maximum.at(at[row], v[row], np.arange(n, dtype=np.int32))
                np.minimum.at(low[row], v[row], w[row])
            for got, want in zip(ctx.call(EXTREMA, "last", v, w, k),
                                 (at, low.astype(np.int32))):
                t.same(f"last {n}", got, want)
            x = rng.standard_normal((3, n))
            low, high = np.full((3, k), 9.0), np.full((3, k), -9.0)
            for row in range(3):
                np.minimum.at(low[row], v[row, 1:], np.minimum(x[row, 1:], 0.5))
                np.maximum.at(high[row], v[row, 1:],
                              np.maximum(x[row, 1:], -0.5))
            for got, want in zip(ctx.call(EXTREMA, "between", v, x, 0.5, k),
                                 (low, high)):
                t.same(f"between {n}", got, want)
        # Signs of zeros do not depend on the order.
        v, w = np.zeros(6, np.int64), np.array([0.0, -0.0, 0.0] * 2)
        for h0 in (0.0, -0.0):
            for order in (w, -w):
                least, greatest = ctx.call(EXTREMA, "extrema", v, order,
                                           np.array([h0]))
                t.same("least zero", np.signbit(least), np.array([True]))
                t.same("greatest zero", np.signbit(greatest),
                       np.array([False]))
    return run


def cases(ctx):
    yield "shared sums", sums(ctx)
    yield "shared extrema", extrema(ctx)
