"""Quotients and remainders, bit for bit NumPy's: those that one division
gives, and those that need more."""

import numpy as np

from kernabi import BFLOAT16
from suite import Skip

FLOATS = """
ufunc f(x: T, y: T) -> (T, T, T) where T in (f32, f64):
    return x // y, x % y, fmod(x, y)

ufunc both(x: T, y: T) -> (T, T) where T in (f32, f64):
    return divmod(x, y)

ufunc branches(x: T, y: T) -> T where T in (f32, f64):
    r = x
    for i in range(2):
        if x > 1:
            r = x // y
        elif x < -1:
            r = x % y
        else:
            r = fmod(x, y)
    return r

gufunc in_order(x: T[n], y: T[n]) -> (q: T[n], r: T[n], z: T[n]) where T in (f32, f64):
    last = T(0)
    for i in range(n):
        q[i], r[i] = divmod(x[i], y[i])
        z[i] = fmod(x[i], y[i])
        last = z[i] + last % 2
    z[0] = last if n < 0 else z[0]
"""
SPECIAL = (0.0, 1.0, 0.7, 3.0, 7.0, 1e30, 2.0 ** 27 - 1, 2.0 ** 28, 2.0 ** 53,
           1e-40, 1e-45, 1e-310, 5e-324, 1e308, np.inf, np.nan)


def pairs(rng, dtype):
    """Special values, any bits, quotients near whole numbers up to beyond the
    bits of the type, and subnormal numbers."""
    count = 2000
    some = np.array(SPECIAL + tuple(-x for x in SPECIAL)).astype(dtype)
    yield [grid.ravel() for grid in np.meshgrid(some, some)]
    bits = np.uint32 if dtype == np.float32 else np.uint64
    yield [rng.integers(0, np.iinfo(bits).max, count, bits).view(dtype)
           for _ in range(2)]
    for size in (6, 19, 20, 21, 22, 23, 24, 27, 28, 29, 40, 48, 49, 50, 51, 52, 53,
                 54, 62):
        y = rng.standard_normal(count).astype(dtype)
        x = (rng.integers(0, 1 << size, count).astype(dtype) * y).astype(dtype)
        for towards in (x, dtype(np.inf), dtype(-np.inf)):
            yield np.nextafter(x, towards), y
    yield [rng.integers(0, 1 << 16, count).astype(bits).view(dtype)
           for _ in range(2)]


def bitwise(array):
    """The bits; one pattern for all NaN."""
    array = np.where(np.isnan(array), array.dtype.type(np.nan), array)
    return array.view(f"u{array.itemsize}")


def floats(ctx, dtype):
    def run(t):
        with np.errstate(all="ignore"):
            for x, y in pairs(ctx.rng(71), dtype):
                wanted = (np.floor_divide(x, y), np.remainder(x, y),
                          np.fmod(x, y))
                branches = np.where(x > 1, wanted[0],
                                    np.where(x < -1, wanted[1], wanted[2]))
                for function, names, results in (
                        ("f", ("//", "%", "fmod"), wanted),
                        ("both", ("quotient", "remainder"), np.divmod(x, y)),
                        ("in_order", ("quotient", "remainder", "fmod"), wanted)):
                    for name, got, expected in zip(
                            names, ctx.call(FLOATS, function, x, y), results):
                        t.same(f"{name} of {function}", bitwise(got),
                               bitwise(expected))
                t.same("branches", bitwise(ctx.call(FLOATS, "branches", x, y)),
                       bitwise(branches))
    return run


def constant(ctx):
    """A divisor that the compiler knows, one element and many."""
    text = """
ufunc f(x: T) -> (T, T) where T in (f16, f32, f64):
    return x // 0.7, x % 0.7
"""

    def run(t):
        for dtype in (np.float16, np.float32, np.float64):
            x = (ctx.rng(72).standard_normal(1003) * 50).astype(dtype)
            for part in (x, x[:1]):
                for name, got, expected in zip(
                        ("//", "%"), ctx.call(text, "f", part),
                        (part // dtype(0.7), part % dtype(0.7))):
                    t.same(f"{name} {np.dtype(dtype)}", got, expected)
    return run


def halves(ctx, name):
    """Pairs of any bits, and of every value with some; as NumPy, by f32."""
    text = f"""
ufunc f(x: {name}, y: {name}) -> ({name}, {name}, {name}):
    return x // y, x % y, fmod(x, y)
"""

    def run(t):
        if not BFLOAT16:
            raise Skip("ml_dtypes is not installed")
        dtype = np.dtype(np.float16) if name == "f16" else BFLOAT16
        rng = ctx.rng(75)
        every = np.arange(1 << 16, dtype=np.uint16).view(dtype)
        some = np.array(SPECIAL + tuple(-x for x in SPECIAL)).astype(dtype)
        near = rng.permutation(every)
        whole = (rng.integers(0, 3000, near.shape)
                 * near.astype(np.float32)).astype(dtype)
        batches = [(every, np.full_like(every, value)) for value in some]
        batches += [(y, x) for x, y in batches] + [(whole, near)]
        batches += [(every, rng.permutation(every)) for _ in range(16)]
        x, y = (np.concatenate(side) for side in zip(*batches))
        wide = x.astype(np.float32), y.astype(np.float32)
        with np.errstate(all="ignore"):
            wanted = [operation(*wide).astype(dtype)
                      for operation in (np.floor_divide, np.remainder,
                                        np.fmod)]
        for operation, got, expected in zip(
                ("//", "%", "fmod"), ctx.call(text, "f", x, y), wanted):
            t.same(operation, bitwise(got), bitwise(expected))
    return run


def integers(ctx, dtype):
    """Vectors of integers are divided as floats."""
    name = f"{'iu'[dtype.kind == 'u']}{8 * dtype.itemsize}"
    text = f"""
ufunc f(x: {name}, y: {name}) -> ({name}, {name}, {name}):
    return x // y, x % y, fmod(x, y)
"""

    def run(t):
        rng = ctx.rng(73)
        info = np.iinfo(dtype)
        ends = [0, 1, 2, 3, 7, info.max, info.max - 1, info.max // 2,
                info.max // 2 + 1, info.max // 3, info.min, info.min + 1]
        some = np.array(ends + [-1, -7] * (info.min < 0), dtype)
        any_bits = [rng.integers(info.min, info.max, 3000, dtype, True)
                    for _ in range(2)]
        short = any_bits[1] >> rng.integers(0, 8 * dtype.itemsize, 3000, dtype)
        whole = (any_bits[0] // np.maximum(short, 1)) * short
        for x, y in ([g.ravel() for g in np.meshgrid(some, some)],
                     any_bits, (any_bits[0], short), (whole, short),
                     (whole - dtype.type(1), short)):
            with np.errstate(all="ignore"):
                wanted = (np.floor_divide(x, y), np.remainder(x, y),
                          np.fmod(x, y))
            for operation, got, expected in zip(
                    ("//", "%", "fmod"), ctx.call(text, "f", x, y), wanted):
                t.same(operation, got, expected)
    return run


def turned(ctx, dtype):
    """Products of quotients of bytes, backwards: LLVM took short vectors of them to
    be 0."""
    t_name = {"u1": "u8", "i1": "i8", "u2": "u16", "i4": "i32"}[dtype]
    text = f"""
gufunc f(w: {t_name}[m, k], x: {t_name}[k, n]) -> (q: {t_name}[m, n], r: {t_name}[m, n]):
    q[:] = w @ (x[:, ::-1] // 3)
    r[:] = w @ (x[:, ::-1] % 7)
"""

    def run(t):
        rng, info = ctx.rng(74), np.iinfo(dtype)
        for n in (1, 3, 8, 17, 40, 133):
            w = rng.integers(-5 * (info.min < 0), 9, (4, 5)).astype(dtype)
            x = rng.integers(info.min, info.max, (5, n), dtype, True)
            with np.errstate(all="ignore"):
                wanted = w @ (x[:, ::-1] // 3), w @ (x[:, ::-1] % 7)
            for name, got, expected in zip("qr", ctx.call(text, "f", w, x),
                                           wanted):
                t.same(f"{name} {n}", got, expected)
    return run


def cases(ctx):
    for dtype in ("u1", "i1", "u2", "i4"):
        yield f"turned {dtype}", turned(ctx, dtype)
    for dtype in (np.float32, np.float64):
        yield f"floats {np.dtype(dtype)}", floats(ctx, dtype)
    for name in ("f16", "bf16"):
        yield f"halves {name}", halves(ctx, name)
    yield "by a constant", constant(ctx)
    for code in "bhilBHIL":
        yield f"integers {np.dtype(code)}", integers(ctx, np.dtype(code))
