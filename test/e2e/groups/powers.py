"""Powers with whole exponents that are constants, against exact arithmetic."""

from fractions import Fraction

import numpy as np

EXPONENTS = (3, 4, 5, 7, 8, 13, 16, 31, 64, -2, -3, -4, -7, -16, -64)
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
    """The power rounded once."""
    if not np.isfinite(x) or x == 0:
        with np.errstate(all="ignore"):
            return np.power(x, x.dtype.type(n))
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
    yield "f16", halves(ctx)
    yield "integers", integers(ctx)
