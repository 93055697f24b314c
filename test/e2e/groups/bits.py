"""Bits of numbers as those of another type, and functions of bits."""

import numpy as np

WIDTHS = {8: ("i8", "u8"), 16: ("i16", "u16", "f16"),
          32: ("i32", "u32", "f32"), 64: ("i64", "u64", "f64")}
DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64,
          **{f"{s}{w}": np.dtype(f"{s}{w // 8}") for s in "iu" for w in WIDTHS}}
INTEGERS = [t for t in DTYPES if t[0] != "f"]

VIEWS = """
ufunc f(x: {a}) -> {b}:
    return x.view({b})

gufunc g(x: {a}[n]) -> (y: {b}[n], back: {a}[n]):
    k = x.view({b})
    y[:] = k
    back[:] = (k + 0).view(np.{long})
"""

# Lomont's square root, which computes with the bits of a float.
ROOT = """
def inverse_root(x):
    i = 0x5f375a86 - (x.view(i32) >> 1)
    y = i.view(f32)
    return y * (1.5 - 0.5 * x * y * y)

ufunc f(x: f32) -> f32:
    return inverse_root(x)

ufunc weak(x: i64) -> (a: u64, b: i64, c: f64):
    a = (1.5).view(u64)
    b = x
    c = (4607182418800017408).view(f64)
"""

# In the order of the results of FUNCTIONS.
NAMES = ("popcount", "clz", "ctz", "bit_reverse", "mul_high")
FUNCTIONS = """
ufunc f(x: T, y: T) -> (a: i32, b: i32, c: i32, d: T, e: T) where T in integers:
    a = popcount(x)
    b = clz(x)
    c = ctz(x)
    d = bit_reverse(x)
    e = mul_high(x, y)

ufunc names(x: u32, y: u32) -> (a: i32, d: u32, e: u32):
    a = popc(x)
    d = brev(x)
    e = mulhi(x, y)
"""

# In a loop that data ends, which runs in vectors on CPUs.
WALK = """
ufunc f(x: T) -> i64 where T in unsigned:
    total = 0
    while x != 0:
        total += ctz(x) + 2 * clz(x) + 3 * popcount(x)
        x &= x - T(1)
    return total
"""

# numba.cuda's Philox round, and Lemire's bounded integers.
PHILOX = """
def rounds(c0, c1, key):
    for _ in range(10):
        high = mul_high(c0, u32(0xD256D193))
        c0, c1 = high ^ key ^ c1, c0 * u32(0xD256D193)
        key += u32(0x9E3779B9)
    return c0, c1

gufunc f(seed: u32, bound: u32, n: dim) -> (y: u32[n]):
    for i in prange(n):
        a, b = rounds(u32(i), seed, u32(7))
        y[i] = mul_high(a, bound)
"""


def values(rng, t, count=4000):
    dtype = np.dtype(DTYPES[t])
    raw = rng.integers(0, 256, count * dtype.itemsize, np.uint8).view(dtype)
    if t[0] == "f":
        return np.concatenate([raw, np.array([0, -0.0, 1, np.inf, -np.inf, np.nan], dtype)])
    info = np.iinfo(dtype)
    return np.concatenate([raw, np.array([0, 1, info.min, info.max, info.max - 1], dtype),
                           np.array([1 << k for k in range(info.bits - 1)], dtype)])


def bits_of(x):
    return x.view(f"u{x.dtype.itemsize}")


def views(ctx, a, b):
    def run(t):
        x = values(ctx.rng(3), a)
        source = VIEWS.format(a=a, b=b, long=np.dtype(DTYPES[a]).name)
        t.same("ufunc", bits_of(ctx.call(source, "f", x)), bits_of(x))
        if b[0] == "f":
            return  # `k + 0` of a NaN
        y, back = ctx.call(source, "g", x)
        t.same("arrays", bits_of(y), bits_of(x))
        t.same("back", bits_of(back), bits_of(x))
    return run


def root(ctx):
    def run(t):
        x = np.abs(ctx.rng(4).standard_normal(999)).astype(np.float32)
        i = np.int32(0x5f375a86) - (x.view(np.int32) >> 1)
        y = i.view(np.float32).astype(np.float64)
        want = y * (1.5 - 0.5 * x.astype(np.float64) * y * y)
        t.same("root", ctx.call(ROOT, "f", x), want.astype(np.float32), ulp=4)
        a, b, c = ctx.call(ROOT, "weak", np.int64(1))
        t.same("weak float", a, np.float64(1.5).view(np.uint64))
        t.same("weak integer", c, np.float64(1))
    return run


def functions(ctx, name):
    def run(t):
        rng = ctx.rng(5)
        x = values(rng, name)
        y = rng.permutation(x)
        width = x.dtype.itemsize * 8
        ones = (1 << width) - 1
        text = [format(int(v) & ones, f"0{width}b") for v in x]
        want = [
            np.array([s.count("1") for s in text], np.int32),
            np.array([(s + "1").index("1") for s in text], np.int32),
            np.array([(s[::-1] + "1").index("1") for s in text], np.int32),
            np.array([int(s[::-1], 2) for s in text], f"u{width // 8}").view(x.dtype),
            np.array([(int(p) * int(q) >> width) & ones for p, q in zip(x, y)],
                     f"u{width // 8}").view(x.dtype)]
        for what, g, e in zip(NAMES,
                              ctx.call(FUNCTIONS, "f", x, y), want):
            t.same(what, g, e)
        if name[0] == "u":
            t.same("bitwise_count", want[0], np.bitwise_count(x).astype(np.int32))
        if name == "u32":
            for g, e in zip(ctx.call(FUNCTIONS, "names", x, y), (want[0], want[3], want[4])):
                t.same("other names", g, e)
    return run


def walk(ctx, name):
    def run(t):
        x = values(ctx.rng(6), name, 500)
        width = x.dtype.itemsize * 8
        want = []
        for v in map(int, x):
            total = 0
            while v:
                low = (v & -v).bit_length() - 1
                total += low + 2 * (width - v.bit_length()) + 3 * v.bit_count()
                v &= v - 1
            want.append(total)
        t.same("walk", ctx.call(WALK, "f", x), np.array(want))
    return run


def philox(ctx):
    def run(t):
        ones = (1 << 32) - 1
        want = []
        for i in range(500):
            c0, c1, key = i, 12345, 7
            for _ in range(10):
                product = c0 * 0xD256D193
                c0, c1 = (product >> 32) ^ key ^ c1, product & ones
                key = (key + 0x9E3779B9) & ones
            want.append(c0 * 1000 >> 32)
        t.same("numbers", ctx.call(PHILOX, "f", np.uint32(12345), np.uint32(1000), 500),
               np.array(want, np.uint32))
    return run


def cases(ctx):
    for types in WIDTHS.values():
        for a in types:
            for b in types:
                yield f"view {a} {b}", views(ctx, a, b)
    yield "root", root(ctx)
    for name in INTEGERS:
        yield f"functions {name}", functions(ctx, name)
        if name[0] == "u":
            yield f"walk {name}", walk(ctx, name)
    yield "philox", philox(ctx)
