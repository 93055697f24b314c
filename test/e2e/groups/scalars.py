"""An array and scalars: kernels have a path of their own for such calls."""

import numpy as np

SOURCE = """
ufunc quotient(x: T, d: T) -> T where T in (f32, f64):
    return x / d

ufunc scaled(x: T, low: T, high: T) -> T where T in (f32, f64):
    return (x - low) / (high - low)

ufunc quotients(x: T, d: T) -> (p: T, q: T) where T in (f32, f64):
    return x / d, exp(x) / (d + 1)

ufunc suppressed(value, threshold):
    return value if value >= threshold else 0
"""


def dividends(dtype, divisor, size):
    """Some of every kind, and quotients near which rounding turns."""
    rng = np.random.default_rng(29)
    bits = rng.integers(0, 256, size * dtype().itemsize, np.uint8)
    info = np.finfo(dtype)
    few = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, info.max,
                    info.min, info.tiny, info.smallest_subnormal, 1 + info.eps,
                    2 - info.eps, divisor, -divisor], dtype)
    halves = (rng.integers(1 << 20, 1 << 21, size) + 0.5).astype(dtype)
    with np.errstate(all="ignore"):
        return [bits.view(dtype), np.resize(few, size),
                rng.standard_normal(size).astype(dtype),
                rng.integers(-3, 4, size).astype(dtype),
                (halves * info.eps * divisor).astype(dtype),
                (rng.random(size) * 745).astype(dtype)]


def divisions(ctx, dtype):
    """Every quotient is the nearest number, however it is computed."""
    info = np.finfo(dtype)
    divisors = [1, 1.5, 3, -7, 255, 0.1, 2 - info.eps, 1 + info.eps,
                np.sqrt(2 * np.pi), 0.0, -0.0, np.inf, np.nan, info.max,
                info.tiny, info.smallest_subnormal, 2.0 ** 100, 2.0 ** -100,
                2.0 ** 101 - 1, 3e-31, 7e30]

    def run(t):
        for divisor in map(dtype, divisors):
            for kind, x in enumerate(dividends(dtype, divisor, 2051)):
                with np.errstate(all="ignore"):
                    expected = x / divisor
                t.same(f"kind {kind} / {divisor}", ctx.call(
                    SOURCE, "quotient", x, divisor), expected)
    return run


def near_ties(divisor, digits):
    """Numbers whose quotient by an odd `divisor` is next to the middle of two
    neighbouring numbers; `divisor` and the quotients have `digits` binary digits."""
    found = []
    # With quotients q in [1, 2) or [1/2, 1), the middles are M / 2**power:
    # 2**power x - M divisor = k, the smaller k is the nearer.
    for power in (digits, digits + 1):
        inverse = pow(2, -power, divisor)
        for k in range(-31, 32, 2):
            x = k * inverse % divisor
            while x < 1 << digits:
                if x >> (digits - 1) and (x >= divisor) == (power == digits):
                    found.append(x)
                x += divisor
    return found


def ties(ctx):
    """Where one more bit is needed to round right."""
    def run(t):
        rng = np.random.default_rng(47)
        for dtype, digits in ((np.float32, 24), (np.float64, 53)):
            low = 1 << (digits - 1)
            divisors = [low + 1, 2 * low - 1, 2 * low - 3] + [
                int(d) | 1 for d in rng.integers(low, 2 * low, 40)]
            for divisor in divisors:
                x = np.resize(np.array(near_ties(divisor, digits), dtype), 4096)
                t.same(f"{dtype.__name__} / {divisor}", ctx.call(
                    SOURCE, "quotient", x, dtype(divisor)),
                    x / dtype(divisor))
    return run


def sizes(ctx):
    """Blocks that are full, one that is not, what is left of a chunk."""
    def run(t):
        rng = np.random.default_rng(31)
        whole = rng.standard_normal(9001)
        for dtype in (np.float32, np.float64):
            low, high = dtype(-0.3), dtype(2.6)
            for n in (1, 2, 3, 5, 255, 256, 257, 511, 512, 513, 1023, 1024,
                      1025, 2047, 2048, 2049, 4096, 9001):
                x = whole[:n].astype(dtype)
                expected = (x - low) / (high - low)
                t.same(f"{n} of {dtype.__name__}", ctx.call(
                    SOURCE, "scaled", x, low, high), expected)
                in_place = x.copy()
                ctx.call(SOURCE, "scaled", in_place, low, high, out=in_place)
                t.same(f"{n} of {dtype.__name__} in place", in_place, expected)
    return run


def mixtures(ctx):
    """The same function for any mix of arrays and scalars."""
    def run(t):
        rng = np.random.default_rng(37)
        for dtype in (np.float32, np.float64):
            arrays = [rng.standard_normal(3001).astype(dtype)
                      for _ in range(3)]
            for mask in range(8):
                x, low, high = (a if mask >> k & 1 else a[5]
                                for k, a in enumerate(arrays))
                t.same(f"arrays {mask:03b} of {dtype.__name__}", ctx.call(
                    SOURCE, "scaled", x, low, high), (x - low) / (high - low))
    return run


def rare_operands(ctx):
    """One element that the short division cannot handle, anywhere in a block, with
    two results, the first of which may be written over the input."""
    def run(t):
        rng = np.random.default_rng(41)
        for at in (0, 1, 2, 700, 1023, 1024, 2047, 4098):
            for value in (5e-324, -0.0, np.inf, np.nan, 1e300):
                x = rng.standard_normal(4099)
                x[at] = value
                p, q = x.copy(), np.empty_like(x)
                ctx.call(SOURCE, "quotients", p, 3.0, out=(p, q))
                with np.errstate(all="ignore"):
                    t.same(f"{value} at {at}", p, x / 3.0)
                    t.same(f"{value} at {at}, second", q,
                           np.exp(x) / 4.0, ulp=4)
    return run


def wide_thresholds(ctx):
    """Narrow elements beside an i64, which is what a number in Python is."""
    def run(t):
        rng = np.random.default_rng(43)
        for name in ("int8", "uint8", "int16", "uint16", "int32"):
            info = np.iinfo(np.dtype(name))
            x = rng.integers(info.min, info.max, 5003, info.dtype,
                             endpoint=True)
            for threshold in (0, 15, info.min, info.max, info.min - 1,
                              info.max + 1, -2**40, 2**40, -2**63, 2**63 - 1):
                t.same(f"{name} below {threshold}", ctx.call(
                    SOURCE, "suppressed", x, np.int64(threshold)),
                    np.where(x.astype(object) >= threshold, x, 0)
                    .astype(info.dtype))
            thresholds = rng.integers(-40, 40, x.size)
            t.same(f"{name} below an array", ctx.call(
                SOURCE, "suppressed", x, thresholds),
                np.where(x >= thresholds, x, 0).astype(info.dtype))
    return run


def cases(ctx):
    yield "divisions of f32", divisions(ctx, np.float32)
    yield "divisions of f64", divisions(ctx, np.float64)
    yield "ties", ties(ctx)
    yield "sizes", sizes(ctx)
    yield "mixtures", mixtures(ctx)
    yield "rare operands", rare_operands(ctx)
    yield "wide thresholds", wide_thresholds(ctx)
