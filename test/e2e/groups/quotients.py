"""Rows divided by one number, bit for bit NumPy's: by an argument, by what the
row has, and in a loop in order. On a GPU the divisions share a reciprocal."""

import numpy as np

from groups.remainders import bitwise

ROWS = """
gufunc given(v: T[n], s: T) -> (y: T[n]) where T in (f32, f64):
    for i in prange(n):
        y[i] = v[i] / s

gufunc largest(v: T[n]) -> (y: T[n]) where T in (f32, f64):
    m = max(v)
    for i in prange(n):
        y[i] = v[i] / m

gufunc in_order(v: T[n], s: T) -> (y: T[n], z: T[n]) where T in (f32, f64):
    positive = 0
    for i in range(n):
        y[i] = v[i] / s
        if y[i] > 0:
            positive += 1
        z[i] = positive / (s * s)

ufunc numbers(x: T, s: T) -> T where T in (f32, f64):
    return x / s + x / (s + 1)
"""
# Exponents of divisors and of dividends between which a reciprocal serves, and
# beyond them.
EXPONENTS = {np.float32: (32, 90, 126, 149), np.float64: (300, 600, 1022, 1074)}
SPECIAL = (0.0, 1.0, 3.0, 0.7, np.inf, np.nan)


def numbers(rng, dtype, count, most):
    """Of any sign, with significands often near their ends."""
    digits = np.finfo(dtype).nmant
    bits = np.dtype(f"u{dtype().itemsize}").type
    ends = rng.integers(0, 16, count, bits)
    significands = np.where(
        rng.random(count) < 0.25,
        np.where(rng.random(count) < 0.5, ends, (1 << digits) - 1 - ends),
        rng.integers(0, 1 << digits, count, bits)).astype(bits)
    values = (significands | dtype(1).view(bits)).view(dtype)
    values = np.ldexp(values, rng.integers(-most, most, count))
    return np.where(rng.random(count) < 0.5, values, -values).astype(dtype)


def edges(dtype):
    values = [power * factor for exponent in EXPONENTS[dtype]
              for power in (dtype(2.0) ** -exponent, dtype(2.0) ** exponent)
              for factor in (dtype(1), 1 + np.finfo(dtype).eps)]
    values = np.array(list(SPECIAL) + values, dtype)
    values = np.concatenate([values, np.nextafter(values, dtype(0))])
    return np.concatenate([values, -values])


def rows(rng, dtype):
    """Rows and their divisors."""
    of_divisors, of_dividends, *_ = EXPONENTS[dtype]
    for extent in (1, 3, 31, 128, 1000, 5000, 70000):
        count = 5 if extent > 1000 else 67
        v = numbers(rng, dtype, count * extent, of_dividends)
        v[rng.random(v.size) < 0.3] = 0
        yield (v.reshape(count, extent),
               numbers(rng, dtype, count, of_divisors))
    some = edges(dtype)
    yield np.broadcast_to(some, (some.size, some.size)).copy(), some
    mixed = numbers(rng, dtype, 64 * 900, of_dividends).reshape(64, 900)
    mixed[:, ::97] = rng.choice(some, (64, 10))
    yield mixed, rng.choice(some, 64)


def divided(ctx, dtype):
    def run(t):
        with np.errstate(all="ignore"):
            for v, s in rows(ctx.rng(39), dtype):
                by = s[:, None]
                largest = v.max(axis=-1, keepdims=True)
                y = v / by
                positive = np.cumsum(y > 0, axis=-1).astype(dtype)
                for function, operands, expected in (
                        ("given", (v, s), (y,)),
                        ("given", (np.asfortranarray(v), s), (y,)),
                        ("given", (v[0], s[0]), (v[0] / s[0],)),
                        ("largest", (v,), (v / largest,)),
                        ("in_order", (v, s), (y, positive / (by * by))),
                        ("numbers", (v[0], s[0]),
                         (v[0] / s[0] + v[0] / (s[0] + dtype(1)),))):
                    got = ctx.call(ROWS, function, *operands)
                    got = got if isinstance(got, tuple) else (got,)
                    for k, (one, right) in enumerate(zip(got, expected)):
                        t.same(f"{function} {v.shape}, result {k}",
                               bitwise(one), bitwise(right))
    return run


def rounded_to_bf16(x):
    """An f32 to the nearest bf16, as an f32."""
    bits = x.view(np.uint32)
    rounded = (bits + 0x7fff + (bits >> 16 & 1)) & np.uint32(0xffff0000)
    return np.where(np.isnan(x), x, rounded.view(np.float32))


def of_halves(ctx, kind):
    """Quotients of halves have the bits of IEEE division, for any operands:
    pairs at random, special ones with every half, and of bf16 quotients in the
    middle of two subnormal numbers."""
    def run(t):
        rng = ctx.rng(31)
        half = np.arange(1 << 16, dtype=np.uint32)
        x, y = rng.integers(0, 1 << 16, (2, 1 << 20), dtype=np.uint32)
        special = np.uint32([0, 1, 3, 0x3f80, 0x3c00, 0x7bff, 0x7c00, 0x7f7f,
                             0x7f80, 0x7fc0, 0x0080, 0x007f, 0x7e80, 0x7f00])
        special = np.concatenate([special, special | 0x8000])
        every, each = np.meshgrid(half, special)
        x = np.concatenate([x, every.ravel(), each.ravel()])
        y = np.concatenate([y, each.ravel(), every.ravel()])
        if kind == "f16":
            x, y = (v.astype(np.uint16).view(np.float16) for v in (x, y))
            source = "ufunc f(a, b):\n    return a / b\n"
        else:
            x, y = ((v << 16).view(np.float32) for v in (x, y))
            middle = (y.astype(np.float64) * 2.0 ** -134
                      * (2 * rng.integers(0, 64, len(y)) + 1))
            with np.errstate(all="ignore"):
                middle = middle.astype(np.float32)
            x = np.concatenate([x, rounded_to_bf16(middle)])
            y = np.concatenate([y, y])
            source = ("ufunc f(a: f32, b: f32) -> f32:\n"
                      "    return f32(bf16(a) / bf16(b))\n")
        with np.errstate(all="ignore"):
            expected = x.astype(np.float32) / y.astype(np.float32)
            expected = (expected.astype(np.float16) if kind == "f16"
                        else rounded_to_bf16(expected))
        got = ctx.call(source, "f", x, y)
        same = (got == expected) & (np.signbit(got) == np.signbit(expected))
        same |= np.isnan(got) & np.isnan(expected)
        worst = int(np.argmin(same))
        t.check(f"x / y of {kind}", same.all(),
                f"{x[worst]!r} / {y[worst]!r}: {got[worst]!r}, not "
                f"{expected[worst]!r}")
    return run


def roots(ctx, kind):
    """Roots of all halves, bit for bit."""
    def run(t):
        half = np.arange(1 << 16, dtype=np.uint32)
        if kind == "f16":
            x = half.astype(np.uint16).view(np.float16)
            source = "ufunc f(a):\n    return sqrt(a)\n"
        else:
            x = (half << 16).view(np.float32)
            source = ("ufunc f(a: f32) -> f32:\n"
                      "    return f32(sqrt(bf16(a)))\n")
        with np.errstate(all="ignore"):
            expected = np.sqrt(x.astype(np.float32))
        expected = (expected.astype(np.float16) if kind == "f16"
                    else rounded_to_bf16(expected))
        got = ctx.call(source, "f", x)
        same = (got == expected) & (np.signbit(got) == np.signbit(expected))
        same |= np.isnan(got) & np.isnan(expected)
        worst = int(np.argmin(same))
        t.check(f"sqrt of {kind}", same.all(),
                f"{x[worst]!r}: {got[worst]!r}, not {expected[worst]!r}")
    return run


def cases(ctx):
    for dtype in (np.float32, np.float64):
        yield f"rows of {dtype.__name__}", divided(ctx, dtype)
    for kind in ("f16", "bf16"):
        yield f"quotients of {kind}", of_halves(ctx, kind)
        yield f"roots of {kind}", roots(ctx, kind)
