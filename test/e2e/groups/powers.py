"""Powers with whole exponents, against exact arithmetic."""

from fractions import Fraction

import numpy as np

from kernabi import BFLOAT16
from suite import Skip

EXPONENTS = (3, 4, 5, 7, 8, 13, 16, 31, 64, -2, -3, -4, -7, -16, -64)
AT_RUN_TIME = (0, 1, -1, 2, 3, 6, -5, 31, -64, 127, -128)
LARGE = (1000, 1023, 1024, 1025, -1024, -1025, 40000, -(1 << 31), (1 << 31) - 1)
FURTHER = (65, -65, 100)  # beyond what is multiplied out


def source(n):
    return f"""
ufunc f(x: T) -> T where T in (f32, f64):
    return x ** {n}

ufunc typed(x: T) -> T where T in (f32, f64):
    return x ** T({n})
"""


def arguments(rng, dtype, n):
    """Values near 1, values whose powers come near the ends of the type's range,
    and special ones."""
    info = np.finfo(dtype)
    top = np.log2(float(info.max)) / abs(n)
    low = (np.log2(float(info.tiny)) - info.nmant) / abs(n)
    exponents = np.concatenate(
        [rng.uniform(low * 1.02, top * 1.02, 200), rng.uniform(-1, 1, 100),
         top + rng.uniform(-0.2, 0.1, 40), low + rng.uniform(-0.1, 0.3, 40)])
    with np.errstate(all="ignore"):
        x = (2.0 ** exponents).astype(dtype)
        special = np.array([0, 1, 2, 0.5, 10, info.max, info.tiny,
                            info.smallest_subnormal, np.inf, np.nan], dtype)
    x = np.concatenate([x, special])
    return np.concatenate([x, -x])


def exact(x, n):
    """The power rounded once; beyond fractions from a longer type."""
    if not np.isfinite(x) or x == 0 or n == 0:
        with np.errstate(all="ignore"):
            return np.power(x, x.dtype.type(n))
    if abs(n) > 2000:
        with np.errstate(all="ignore"):
            return x.dtype.type(np.power(np.longdouble(x), np.longdouble(n)))
    power = Fraction(float(x)) ** n
    try:
        nearest = float(power)
    except OverflowError:
        nearest = np.inf if power > 0 else -np.inf
    if nearest == 0:
        nearest = np.copysign(0.0, 1 if power > 0 else -1)
    with np.errstate(all="ignore"):
        return x.dtype.type(nearest)


def whole(ctx, n):
    def run(t):
        rng = ctx.rng(31)
        for dtype in (np.float32, np.float64):
            x = arguments(rng, dtype, n)
            expected = np.array([exact(value, n) for value in x], dtype)
            ulp = 2 if n == 3 else 1
            for name in ("f", "typed"):
                t.same(f"{name} {np.dtype(dtype)}",
                       ctx.call(source(n), name, x), expected, ulp=ulp)
    return run


BY_INTEGERS = """
ufunc f(x: T, n: I) -> T where T in (f32, f64), I in (i8, i32):
    return T(x ** T(n))

gufunc rows(x: T[m], n: I) -> (y: T[m]) where T in (f32, f64), I in (i8, i32):
    for i in range(len(x)):
        y[i] = x[i] ** T(n)

gufunc counted(x: T, m: i64) -> (y: T[k]) where T in (f32, f64):
    for i in range(len(y)):
        y[i] = x ** (i - m)
"""


def by_integers(ctx, integer):
    """In vectors and one by one, with the same bits."""
    def run(t):
        rng = ctx.rng(37)
        info = np.iinfo(integer)
        exponents = [n for n in AT_RUN_TIME + LARGE if info.min <= n <= info.max]
        for dtype in (np.float32, np.float64):
            parts = [rng.permutation(arguments(rng, dtype, n or 1))[:120]
                     for n in exponents]
            x = np.concatenate(parts)
            n = np.concatenate([np.full(len(part), n, integer)
                                for part, n in zip(parts, exponents)])
            order = rng.permutation(len(x))
            x, n = x[order], n[order]
            expected = np.array([exact(a, int(dtype(b)))
                                 for a, b in zip(x, n)], dtype)
            got = ctx.call(BY_INTEGERS, "f", x, n)
            t.same(f"f {np.dtype(dtype)}", got, expected, ulp=1)
            t.same(f"rows {np.dtype(dtype)}",
                   ctx.call(BY_INTEGERS, "rows", x[:, None], n)[:, 0], got)
    return run


def by_counters(ctx):
    def run(t):
        for dtype in (np.float32, np.float64):
            x = np.array([0.5, -1.25, 1.01, 3, 0, -0.0, np.inf, np.nan], dtype)
            y = np.empty((len(x), 90), dtype)
            ctx.call(BY_INTEGERS, "counted", x, np.int64(40), out=y)
            expected = [[exact(a, i - 40) for i in range(90)] for a in x]
            t.same(f"{np.dtype(dtype)}", y, np.array(expected, dtype), ulp=1)
    return run


def halves(ctx):
    """f16 is computed as f32 and rounded."""
    def run(t):
        x = np.linspace(-6, 6, 241).astype(np.float16)
        text = """
ufunc f(x: f16) -> (f16, f16, f16):
    return x ** 3, x ** 5, x ** -4
"""
        for got, n in zip(ctx.call(text, "f", x), (3, 5, -4)):
            with np.errstate(all="ignore"):
                expected = (x.astype(np.float64) ** n).astype(np.float16)
            t.same(f"power {n}", got, expected, ulp=2 if n == 3 else 1)
    return run


def of_halves(ctx, name):
    """Within 0.51 ULP for exponents at run time; NaN, infinities and signs as C's
    pow has them."""
    text = f"""
ufunc f(x: {name}, y: {name}) -> {name}:
    return x ** y
"""

    def run(t):
        if not BFLOAT16:
            raise Skip("ml_dtypes is not installed")
        dtype, bits, least, top = (
            (np.dtype(np.float16), 10, -14, 65504.0) if name == "f16" else
            (BFLOAT16, 7, -126, (2 - 2.0 ** -7) * 2.0 ** 127))
        rng = ctx.rng(38)
        every = np.arange(1 << 16, dtype=np.uint16).view(dtype)
        some = np.array([0, 1, 2, 3, 0.5, 1.5, 2.5, 1000, 1001, 6e4, 1e-7, 1e-39,
                         np.inf, np.nan]).astype(dtype)
        some = np.concatenate([some, -some])
        batches = [(every, np.full_like(every, value)) for value in some]
        batches += [(y, x) for x, y in batches]
        for x in (every, (1 + rng.uniform(-0.3, 0.4, 1 << 16)).astype(dtype)):
            with np.errstate(all="ignore"):
                logarithm = np.log2(np.abs(x.astype(np.float64)))
                y = rng.uniform(least - bits, np.log2(top), x.size) / logarithm
                batches.append((x, y.astype(dtype)))
        x, y = (np.concatenate(side) for side in zip(*batches))
        got = ctx.call(text, "f", x, y).astype(np.float64)
        with np.errstate(all="ignore"):
            wanted = np.power(x.astype(np.float64), y.astype(np.float64))
            size = np.abs(wanted)
            ulp = 2.0 ** (np.maximum(np.floor(np.log2(size)), least) - bits)
            error = np.abs(got - wanted) / ulp
            is_usual = (size > 0) & (size <= top)
            is_top = (size > top) & (size < top * (1 + 2.0 ** -bits))
        t.check("error", error[is_usual].max() < 0.51, f"{error[is_usual].max()}")
        t.same("NaN", np.isnan(got), np.isnan(wanted))
        number = ~np.isnan(wanted)
        t.same("signs", np.signbit(got[number]), np.signbit(wanted[number]))
        # Whole powers in the middle of two halves are rounded to even, as that
        # of f32 is.
        x = np.arange(-300, 301).astype(dtype)
        for y in range(2, 9):
            exact = x.astype(np.float64) ** y
            digits = np.frexp(exact)[0] * 2.0 ** (bits + 2)
            few = (digits == np.floor(digits)) & (np.abs(exact) <= top)
            t.same(f"power {y} of few digits",
                   ctx.call(text, "f", x, np.full_like(x, y))[few],
                   exact[few].astype(np.float32).astype(dtype))
        beyond = (size > top) & number & ~is_top
        t.check("infinities", np.isinf(got[beyond]).all())
        t.check("zeros", (got[size == 0] == 0).all())
    return run


def integers(ctx):
    """Integers wrap like products."""
    def run(t):
        x = np.arange(-9, 10, dtype=np.int32)
        text = """
ufunc f(x: i32) -> (i32, i32, i32):
    return x ** 0, x ** 3, x ** 31
"""
        for got, n in zip(ctx.call(text, "f", x), (0, 3, 31)):
            expected = [(int(v) ** n + 2 ** 31) % 2 ** 32 - 2 ** 31 for v in x]
            t.same(f"power {n}", got, np.array(expected, np.int32))
    return run


def cases(ctx):
    for n in EXPONENTS + FURTHER:
        yield f"x ** {n}", whole(ctx, n)
    for integer in (np.int8, np.int32):
        yield f"by {np.dtype(integer)}", by_integers(ctx, integer)
    yield "by counters", by_counters(ctx)
    yield "f16", halves(ctx)
    for name in ("f16", "bf16"):
        yield f"{name} by {name}", of_halves(ctx, name)
    yield "integers", integers(ctx)
