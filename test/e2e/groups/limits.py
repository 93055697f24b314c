"""Where numbers are large: ranges that end near the largest integer, constants
beyond 64 bits, sums beyond the type of what is summed, large local arrays."""

import numpy as np

from kernapi import COMPILE, SHAPE, TYPE

I64 = np.iinfo(np.int64)

RANGES = """
ufunc turns(lo: i64, hi: i64, step: i64) -> i64:
    k = 0
    for i in range(lo, hi, step):
        k += 1
    return k

ufunc last(lo: i64, hi: i64, step: i64) -> i64:
    k = 0
    for i in range(lo, hi, step):
        k = i
    return k

ufunc by_five(lo: i64, hi: i64) -> (k: i64, i: i64):
    k = 0
    i = 0
    for j in range(lo, hi, 5):
        k += 1
        i = j

ufunc down_by_five(lo: i64, hi: i64) -> (k: i64, i: i64):
    k = 0
    i = 0
    for j in range(hi, lo, -5):
        k += 1
        i = j

ufunc literal(x: i64) -> i64:
    k = x
    for i in range(9223372036854775800, 9223372036854775807, 5):
        k += 1
    return k

def largest(a, b):
    return max(a, b)

ufunc folded(lo: i64, hi: i64, step: i64) -> i64:
    return fold(largest, -1, i % 1000 for i in range(lo, hi, step))

gufunc zipped(v: i64[n], lo: i64, hi: i64) -> i64:
    s = 0
    for x, i in zip(v, range(lo, hi)):
        s += x
    return s

gufunc every(v: i64[n], k: i64) -> i64:
    s = 0
    for i in range(1, n - 1, k):
        s += v[i]
    for i in range(n - 1, -1, -2):
        s += 1000 * v[i]
    for i in range(0, n, 3):
        s += 1000000 * v[i]
    for i, x in enumerate(range(0, n, 3)):
        s += i * x
    return s
"""


def ranges(ctx):
    ends = [(I64.max - 7, I64.max, 5), (I64.max - 5, I64.max, 5),
            (I64.max - 20, I64.max, 7), (I64.min, I64.min + 30, 7),
            (I64.min, I64.max, I64.max), (I64.min, I64.max, 2**62),
            (I64.max, I64.min, I64.min), (I64.max, I64.min, -(2**62)),
            (I64.min + 7, I64.min, -5), (0, 10, 3), (10, 0, -3), (10, 0, 3),
            (0, 10, -3), (5, 5, 1), (-7, 8, 5), (0, 10, I64.max),
            (3, I64.max, 2**62), (I64.max - 1, I64.max, 1),
            (I64.min + 1, I64.min, -1)]

    def run(t):
        lo, hi, step = (np.array(c, np.int64) for c in zip(*ends))
        expected = [range(*e) for e in ends]
        t.same("turns", ctx.call(RANGES, "turns", lo, hi, step),
               np.array([len(r) for r in expected], np.int64))
        t.same("last", ctx.call(RANGES, "last", lo, hi, step),
               np.array([r[-1] if r else 0 for r in expected], np.int64))
        t.same("fold", ctx.call(RANGES, "folded", lo, hi, step),
               np.array([max([-1] + [i % 1000 for i in r])
                         for r in expected], np.int64))
        lo, hi = I64.max - np.arange(12, dtype=np.int64)[::-1], I64.max
        up = [range(int(a), hi, 5) for a in lo]
        k, i = ctx.call(RANGES, "by_five", lo, np.int64(hi))
        t.same("by five", k, np.array([len(r) for r in up]))
        t.same("at", i, np.array([r[-1] if r else 0 for r in up]))
        top = I64.min + np.arange(12, dtype=np.int64)
        down = [range(int(a), I64.min, -5) for a in top]
        k, i = ctx.call(RANGES, "down_by_five", np.int64(I64.min), top)
        t.same("down by five", k, np.array([len(r) for r in down]))
        t.same("down at", i, np.array([r[-1] if r else 0 for r in down]))
        t.same("literals", ctx.call(RANGES, "literal", np.int64(0)),
               np.int64(2))
        v = np.arange(1, 12, dtype=np.int64)
        t.same("zip", ctx.call(RANGES, "zipped", v, np.int64(I64.min),
                               np.int64(I64.max)), np.int64(v.sum()))
        for n in (1, 2, 3, 7, 11):
            w = v[:n]
            for step in (1, 2, 5):
                want = (w[1:n - 1:step].sum() + 1000 * w[::-1][::2].sum()
                        + 1000000 * w[::3].sum()
                        + sum(i * x for i, x in enumerate(range(0, n, 3))))
                t.same(f"{n} by {step}",
                       ctx.call(RANGES, "every", w, np.int64(step)),
                       np.int64(want))
    return run


WIDE = [("x * 2 ** 126", 2.0**126), ("x * 2 ** 127", 2.0**127),
        ("x * 10 ** 39", 1e39), ("x * (1 << 64)", 2.0**64),
        ("x * (1 << 200)", 2.0**200), ("sqrt(2 ** 200) * x", 2.0**100),
        ("x * (2 ** 200 / 2 ** 199)", 2.0),
        ("x * (10 ** 300 // 10 ** 298)", 100.0),
        ("x * (3 ** 200 % 1000)", float(3**200 % 1000)),
        ("x + (-7) ** 101", float((-7)**101)),
        ("x * (2 ** 200 >> 198)", 4.0), ("x - 2 ** 1023", 1.0 - 2.0**1023),
        ("x if 2 ** 53 + 1 > 9007199254740992.0 else -x", 1.0)]


def constants(ctx):
    def run(t):
        for k, (text, expected) in enumerate(WIDE):
            got = ctx.call(f"ufunc f(x):\n    return {text}\n", "f",
                           np.float64(1))
            t.same(text, got, np.float64(expected))
        t.same("a constant", ctx.call(
            "const A = 10 ** 40\nconst B = A // 10 ** 38\n"
            "ufunc f(x):\n    return x * B\n", "f", np.int32(3)),
            np.int32(300))
        for text, word in [("x * 2 ** 5000", "4096 bits"),
                           ("x * 2 ** 2000", "does not fit"),
                           ("x * (2 ** 2000 * 1.0)", "f64"),
                           ("x * (2 ** 2000 / 3)", "f64"),
                           ("i32(x) + 2 ** 127", "i32")]:
            t.refused(text, lambda: ctx.call(
                f"ufunc f(x):\n    return {text}\n", "f", np.float64(1)),
                (COMPILE, TYPE), word)
    return run


SUMS = """
gufunc mean1(v: [n]):
    return mean(v)

gufunc mean2(v: [m, n]):
    return mean(v)

gufunc mean2_for(v: [m, n]):
    return mean(v[i, j] for i in range(m) for j in range(n))

gufunc mean_if(v: [n]):
    return mean(x for x in v if x > 0)

gufunc mean_rows(v: [m, n]):
    return mean(v[i, j] for i in range(m) if i != 1 for j in range(i, n))

gufunc sum2(v: [m, n]):
    return sum(v)

gufunc sum2_for(v: [m, n]):
    return sum(v[i, j] for i in range(m) for j in range(n))

gufunc sum2_if(v: [m, n]):
    return sum(v[i, j] for i in range(m) if i >= 0 for j in range(n) if j >= 0)

gufunc prod2(v: [m, n]):
    return prod(v)

gufunc max2(v: [m, n]):
    return max(v)
"""


def sums(ctx):
    def run(t):
        def each(names, data, expected, ulp=0):
            for name in names:
                t.same(f"{name} of {data.dtype} {data.shape}",
                       ctx.call(SUMS, name, data), expected, ulp=ulp)
        big = np.array([2**62] * 3, np.int64)
        each(["mean1", "mean_if"], big, big.mean())
        each(["mean2", "mean2_for"], big.reshape(1, 3), big.mean())
        wide = np.array([2**63, 2**63, 2], np.uint64)
        each(["mean1", "mean_if"], wide, wide.mean())
        for dtype in (np.int8, np.uint8, np.int32, bool):
            v = np.array([1, 0, 1, 1, 1, 1, 1], dtype)
            each(["mean1"], v, v.mean())
        v = np.full(5000, 20, np.float16)
        each(["mean1", "mean_if"], v, v.mean())
        each(["mean2", "mean2_for"], v.reshape(50, 100), v.mean())
        w = np.array([[60000, 10000], [-60000, -10000]], np.float16)
        each(["sum2", "sum2_for", "sum2_if"], w, np.float16(0))
        w = np.array([[2048, 1], [2048, 1]], np.float16)
        each(["mean2", "mean2_for"],
             np.array([[2048, 1], [-2048, 1]], np.float16), np.float16(0.5))
        each(["sum2", "sum2_for", "sum2_if"], w, np.float16(4098))
        w = np.array([[300, 300], [0.001, 0.5]], np.float16)
        each(["prod2"], w, np.float16(
            np.prod(w.astype(np.float64))))
        each(["max2"], w, np.float16(300))
        w = np.arange(12, dtype=np.float32).reshape(3, 4)
        each(["mean2", "mean2_for"], w, w.mean())
        rows = np.concatenate([w[i, i:] for i in (0, 2)])
        each(["mean_rows"], w, rows.mean(dtype=np.float32))
        each(["mean_rows"], w.astype(np.int16), rows.mean(dtype=np.float64))
        z = (w + 1j * w[::-1]).astype(np.complex64)
        each(["mean2", "mean2_for"], z, z.mean())
        each(["mean1"], np.zeros(0), np.float64(np.nan))
    return run


LOCAL = """
ufunc last(x: f64) -> f64:
    t = zeros(2048)
    for i in range(2048):
        t[i] = x + i
    return t[2047] + t[0]
"""


SCRATCH = """
gufunc always(v: f64[n]) -> f64:
    if v[0] > 100:
        x = 1.0
    else:
        x = 2.0
    t = zeros((n - 5, 2))
    return x + len(t)

gufunc guarded(v: f64[n]) -> f64:
    s = 0.0
    if n > 5:
        t = zeros(n - 5)
        t[0] = v[5]
        s = t[0] + len(t)
    return s
"""


def local_arrays(ctx):
    def run(t):
        for n in (5, 6, 9):
            t.same(f"n - 5 of {n}", ctx.call(SCRATCH, "always", np.zeros(n)),
                   np.float64(2 + n - 5))
        t.refused("n - 5 of 3", lambda: ctx.call(
            SCRATCH, "always", np.zeros(3)), SHAPE, "`always`", "`n - 5`",
            "negative: -2")
        t.same("guarded", ctx.call(SCRATCH, "guarded", np.arange(3.0)),
               np.float64(0))
        t.same("not guarded", ctx.call(SCRATCH, "guarded", np.arange(7.0)),
               np.float64(7))
        for n in (1, 7, 300):
            x = np.arange(float(n))
            t.same(f"{n}", ctx.call(LOCAL, "last", x), 2 * x + 2047)
            t.same(f"{n} strided", ctx.call(LOCAL, "last", x[::-2]),
                   2 * x[::-2] + 2047)
    return run


def cases(ctx):
    yield "ranges near the ends of the integers", ranges(ctx)
    yield "integer constants of any width", constants(ctx)
    yield "sums and means in wider types", sums(ctx)
    yield "local arrays up to their bound", local_arrays(ctx)
