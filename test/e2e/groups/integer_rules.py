"""Integers for which NumPy has no common type: indices beside u64, and shifts of and by
u64."""

import numpy as np

SOURCE = """
gufunc hashes(x: u64[n]) -> (h: u64[n], r: u64[n], o: u64[n], b: bool[n]):
    for i in prange(n):
        h[i] = (x[i] ^ (i + 1)) * 0x9E3779B97F4A7C15
        r[i] = x[i] % (i + 1) + n // (x[i] | 1)
        o[i] = x[i] - i
        b[i] = i - 3 < x[i]

ufunc left(x: u64, k: i64) -> u64:
    return x << k

ufunc right(x: u64, k: i32) -> u64:
    return x >> k

ufunc signed_left(x: i8, k: u64) -> i64:
    return x << k

ufunc signed_right(x: i16, k: u64) -> i64:
    return x >> k

gufunc by_index(x: u64[n]) -> (y: u64[n]):
    for i in prange(n):
        y[i] = x[i] << i | x[i] >> (n - i)
"""

LARGE = np.array([0, 1, 2, 3, 5, 1 << 31, (1 << 63) - 1, 1 << 63,
                  (1 << 64) - 1], np.uint64)
ONES = (1 << 64) - 1


def indices(ctx):
    def run(t):
        got = ctx.call(SOURCE, "hashes", LARGE)
        n = len(LARGE)
        values = [int(x) for x in LARGE]
        t.same("^", got[0], np.array(
            [(x ^ (i + 1)) * 0x9E3779B97F4A7C15 & ONES
             for i, x in enumerate(values)], np.uint64))
        t.same("%", got[1], np.array(
            [x % (i + 1) + n // (x | 1) for i, x in enumerate(values)],
            np.uint64))
        t.same("-", got[2], np.array(
            [x - i & ONES for i, x in enumerate(values)], np.uint64))
        t.same("<", got[3], np.array(
            [i - 3 < x for i, x in enumerate(values)]))
        t.same("<< i", ctx.call(SOURCE, "by_index", LARGE), np.array(
            [(x << i | x >> (n - i)) & ONES for i, x in enumerate(values)],
            np.uint64))
    return run


def shifts(ctx):
    def run(t):
        counts = np.array([-1, 0, 1, 5, 63, 64, 65, 256, 1 << 40, -(1 << 62)])

        def left(x, k):
            return x << k & ONES if 0 <= k < 64 else 0

        def right(x, k):
            return x >> k if 0 <= k < 64 else -1 if x < 0 else 0

        def table(f, xs, ks, dtype):
            return np.array([[f(int(x), int(k)) for k in ks] for x in xs],
                            dtype)

        x = LARGE[:, None]
        t.same("u64 << i64", ctx.call(SOURCE, "left", x, counts),
               table(left, LARGE, counts, np.uint64))
        narrow = counts[:8].astype(np.int32)
        t.same("u64 >> i32", ctx.call(SOURCE, "right", x, narrow),
               table(right, LARGE, narrow, np.uint64))
        s = np.array([-128, -3, 0, 1, 100], np.int8)
        large = np.array([0, 1, 7, 62, 64, 256, (1 << 63) + 1], np.uint64)
        t.same("i8 << u64", ctx.call(SOURCE, "signed_left", s[:, None], large),
               np.array([[(int(v) << int(k)) % (1 << 64) if k < 64 else 0
                          for k in large] for v in s], np.uint64
                        ).astype(np.int64))
        w = s.astype(np.int16)
        t.same("i16 >> u64",
               ctx.call(SOURCE, "signed_right", w[:, None], large),
               table(right, w, large, np.int64))
    return run


NARROW = """
ufunc shifted(x, k):
    return x << k

gufunc by_index(x: T[n]) -> (y: i64[n], z: T[n]) where T in integers:
    y[:] = 0
    for i in range(n):
        y[i] = x[i] << i
        z[i] = T(x[i] << i)
"""


def narrow(ctx):
    """A shift has NumPy's type: that of both, and i64 by an index."""
    def run(t):
        m = ctx.module(NARROW)
        integers = "i1 u1 i2 u2 i4 u4 i8 u8".split()
        for a in integers:
            x = np.array([1, 3, 100], a)
            for b in integers:
                k = np.array([0, 1, 6], b)
                try:
                    want = np.left_shift(x, k)
                except TypeError:
                    continue  # u64 and signed, above
                t.same(f"{a} << {b}", m["shifted"](x, k, place=ctx.place), want)
            x = np.arange(100, 109).astype(a)
            if a == "u8":
                continue
            y, z = m["by_index"](x, place=ctx.place)
            want = x << np.arange(len(x))
            t.same(f"{a} << index", y, want.astype(np.int64))
            t.same(f"narrow {a}", z, want.astype(a))
    return run


def cases(ctx):
    yield "indices beside u64", indices(ctx)
    yield "shifts of and by u64", shifts(ctx)
    yield "shifts of narrow integers", narrow(ctx)
