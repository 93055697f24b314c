"""The elementary functions, in ULP against a wider type, and at the edges.

f32 is checked against NumPy's f64, f64 against NumPy's extended precision
(x87: 64 bits). Functions that NumPy lacks are checked against Python's math.
"""

import math

import numpy as np

import kernapi
from suite import Skip, ulp_error

R = (-1e4, 1e4)
# name: (intervals to sample, ULP bound on the host, on the GPU). The GPU's
# bounds are those of the CUDA C++ Programming Guide's tables, where over 4.
ONE = {
    "sqrt": ([(0, 1e30)], 0, 0), "cbrt": ([R], 4, 4),
    "exp": ([(-80, 80)], 4, 4), "exp2": ([(-120, 120)], 4, 4),
    "expm1": ([(-30, 80), (-1e-3, 1e-3)], 4, 4),
    "log": ([(1e-30, 1e30), (0.9, 1.1)], 4, 4),
    "log2": ([(1e-30, 1e30), (0.9, 1.1)], 4, 4),
    "log10": ([(1e-30, 1e30), (0.9, 1.1)], 4, 4),
    "log1p": ([(-0.99, 1e20), (-1e-3, 1e-3)], 4, 4),
    "sin": ([(-10, 10), R], 4, 4), "cos": ([(-10, 10), R], 4, 4),
    "tan": ([(-1.5, 1.5), (-100, 100)], 4, 4),
    "arcsin": ([(-1, 1)], 4, 4), "arccos": ([(-1, 1)], 4, 4),
    "arctan": ([(-2, 2), R], 4, 4), "sinh": ([(-80, 80), (-1, 1)], 4, 4),
    "cosh": ([(-80, 80)], 4, 4), "tanh": ([(-10, 10), (-1e-3, 1e-3)], 4, 4),
    "arcsinh": ([R, (-1, 1)], 4, 4), "arccosh": ([(1, 1e4), (1, 1.01)], 4, 4),
    "arctanh": ([(-0.999, 0.999)], 4, 4), "floor": ([R], 0, 0),
    "ceil": ([R], 0, 0), "trunc": ([R], 0, 0), "rint": ([(-9, 9), R], 0, 0),
    "fabs": ([R], 0, 0), "deg2rad": ([R], 1, 1), "rad2deg": ([R], 2, 2),
    "square": ([R], 0, 0), "reciprocal": ([R], 0, 0), "sign": ([R], 0, 0),
    "isnan": ([R], 0, 0), "isinf": ([R], 0, 0), "isfinite": ([R], 0, 0),
    "signbit": ([R], 0, 0),
}
PYTHON = {  # beyond NumPy
    "erf": (math.erf, (-5, 5), 4, 4), "erfc": (math.erfc, (-5, 9), 4, 6),
    "gamma": (math.gamma, (0.1, 30), 10, 11),
    "lgamma": (math.lgamma, (3, 1e3), 8, 8),
}
TWO = {
    "hypot": (R, R, 4, 4), "arctan2": (R, R, 4, 4), "fmod": (R, (-9, 9), 0, 0),
    "copysign": (R, (-1, 1), 0, 0), "nextafter": (R, R, 0, 0),
    "power": ((0.01, 50), (-8, 8), 4, 4), "maximum": (R, R, 0, 0),
    "minimum": (R, R, 0, 0), "fmax": (R, R, 0, 0), "fmin": (R, R, 0, 0),
    "remainder": (R, (-9, 9), 0, 0), "heaviside": ((-2, 2), R, 0, 0),
    "logaddexp": ((-50, 50), (-50, 50), 8, 8),
    "logaddexp2": ((-50, 50), (-50, 50), 8, 8),
}
ALIASES = {  # Python's name: NumPy's
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "sinh": "sinh",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh",
    "radians": "deg2rad", "degrees": "rad2deg",
}
EXACT_SPECIALS = np.array([
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, np.inf, -np.inf, np.nan])


def wider(dtype):
    return np.longdouble if dtype == np.float64 else np.float64


# Where the wider function is the same function at every special value.
WIDENED = ("hypot", "arctan2", "power")


def plain(name, *x):
    return getattr(np, name)(*x)


def samples(rng, low, high, dtype, count=4000):
    """Uniform values, and where the interval spans magnitudes, log-uniform."""
    x = rng.uniform(low, high, count)
    if low > 0 and high / low > 1e3:
        x = np.exp(rng.uniform(math.log(low), math.log(high), count))
    return x.astype(dtype)


def source(name, count=1):
    parameters = ", ".join(f"{c}: T" for c in "abc"[:count])
    arguments = ", ".join("abc"[:count])
    return (f"ufunc f({parameters}) where T in (f32, f64):\n"
            f"    return {name}({arguments})\n")


def oracle(name, *x):
    """NumPy's function in a wider type, where that is the same function."""
    with np.errstate(all="ignore"):
        if x[0].dtype == np.longdouble or name in (
                "signbit", "isnan", "isinf", "isfinite"):
            return getattr(np, name)(*x)
        if name in ("nextafter",):
            return np.nextafter(*x)
        return getattr(np, name)(*[v.astype(wider(v.dtype)) for v in x])


def checked(t, label, name, got, x, bound):
    # Rounding a wider result would round twice: what is exact is compared with
    # NumPy in the same type.
    with np.errstate(all="ignore"):
        expected = plain(name, *x) if bound == 0 else oracle(name, *x)
    dtype = np.bool_ if expected.dtype == np.bool_ else x[0].dtype
    if not t.check(label + " type", got.dtype == dtype,
                   f"{got.dtype}, expected {np.dtype(dtype)}"):
        return
    if dtype == np.bool_:
        t.same(label, got, expected)
        return
    zeros = name not in ("maximum", "minimum", "fmax", "fmin")
    if bound == 0:
        t.same(label, got, expected.astype(dtype), zero_sign=zeros)
        return
    t.same(label, got, expected, ulp=bound, any_type=True)


def one(ctx, name):
    def run(t):
        intervals, host, gpu = ONE[name]
        bound = gpu if ctx.device == "cuda" else host
        rng = ctx.rng(len(name))
        for dtype in (np.float32, np.float64):
            kind = np.dtype(dtype).name
            for low, high in intervals:
                x = samples(rng, low, high, dtype)
                checked(t, f"{name} {kind} [{low}, {high}]", name,
                        ctx.call(source(name), "f", x), (x,), bound)
            x = EXACT_SPECIALS.astype(dtype)
            got = ctx.call(source(name), "f", x)
            expected = oracle(name, x)
            t.same(f"{name} {kind} special", got, expected,
                   ulp=0 if expected.dtype == bool else max(bound, 1),
                   any_type=True)
            if expected.dtype != bool:
                t.check(f"{name} {kind} signs of zeros", np.array_equal(
                    np.signbit(got)[expected == 0],
                    np.signbit(expected)[expected == 0]),
                    f"{got[expected == 0]}, expected "
                    f"{expected[expected == 0]}")
    return run


def beyond_numpy(ctx, name):
    def run(t):
        python, (low, high), host, gpu = PYTHON[name]
        bound = gpu if ctx.device == "cuda" else host
        for dtype in (np.float32, np.float64):
            x = samples(ctx.rng(5), low, high, dtype)
            expected = np.array([python(float(v)) for v in x])
            got = ctx.call(source(name), "f", x)
            t.check(f"{name} type", got.dtype == dtype)
            t.same(f"{name} {np.dtype(dtype)}", got, expected,
                   ulp=bound + (dtype == np.float64), any_type=True)
    return run


def two(ctx, name):
    def run(t):
        first, second, host, gpu = TWO[name]
        bound = gpu if ctx.device == "cuda" else host
        for dtype in (np.float32, np.float64):
            rng = ctx.rng(len(name))
            kind = np.dtype(dtype).name
            x, y = samples(rng, *first, dtype), samples(rng, *second, dtype)
            got = ctx.call(source(name, 2), "f", x, y)
            if name == "remainder":  # rounds once more after fmod
                t.same(f"{name} {kind}", got, np.remainder(x, y))
            elif name in ("logaddexp", "logaddexp2"):
                wide = oracle(name, x, y)
                near = np.abs(wide) > 0.1  # elsewhere it cancels
                error = ulp_error(got, wide)[near].max()
                t.check(f"{name} {kind}", error <= bound, f"{error} ULP")
            else:
                checked(t, f"{name} {kind}", name, got, (x, y), bound)
            x = EXACT_SPECIALS.astype(dtype)[:, None]
            y = EXACT_SPECIALS.astype(dtype)[None, :]
            with np.errstate(all="ignore"):
                expected = (oracle if name in WIDENED else plain)(name, x, y)
            t.same(f"{name} {kind} special",
                   ctx.call(source(name, 2), "f", x, y), expected,
                   ulp=max(bound, 1), any_type=True)
    return run


def promotion(ctx):
    """Integer arguments promote as NumPy's do: i16 to f32, i32 to f64."""
    def run(t):
        for name in ("sin", "exp", "sqrt", "log", "arctan", "tanh", "cbrt"):
            text = f"ufunc f(a):\n    return {name}(a)\n"
            for kind in ("i16", "u16", "i32", "u32", "i64", "u64"):
                x = np.array([0, 1, 2, 3, 7, 11], kernapi.NUMPY_TYPE[kind])
                with np.errstate(all="ignore"):
                    expected = getattr(np, name)(x)
                t.same(f"{name}({kind})", ctx.call(text, "f", x), expected,
                       ulp=4)
        for a, b in [("i16", "u8"), ("i32", "f32"), ("u16", "i16")]:
            x = np.array([0, 1, 5, 9], kernapi.NUMPY_TYPE[a])
            y = np.array([3, 1, 0, 2], kernapi.NUMPY_TYPE[b])
            for name in ("hypot", "arctan2"):
                t.same(f"{name}({a}, {b})", ctx.call(
                    f"ufunc f(a, b):\n    return {name}(a, b)\n", "f", x, y),
                    getattr(np, name)(x, y), ulp=4)
    return run


def aliases(ctx):
    def run(t):
        x = np.linspace(-0.9, 0.9, 50)
        for python, name in ALIASES.items():
            v = x + 2 if name == "arccosh" else x
            t.same(python, ctx.call(source(python), "f", v),
                   getattr(np, name)(v), ulp=4)
        for python, name in [("atan2", "arctan2"), ("pow", "power")]:
            t.same(python, ctx.call(source(python, 2), "f", x + 1, x),
                   getattr(np, name)(x + 1, x), ulp=4)
        for prefix in ("math.", "np."):
            t.same(prefix + "sin", ctx.call(
                "import math\nimport numpy as np\n" + source(prefix + "sin"),
                "f", x), np.sin(x), ulp=4)
    return run


def several_results(ctx):
    def run(t):
        for dtype in (np.float32, np.float64):
            x = np.array([0.0, -0.0, 1.5, -2.75, 1e10, 3.0, -0.5], dtype)
            y = np.array([3, -3, 0.4, 1.1, -7, 2, 5], dtype)
            for name, count, exact in [("modf", 1, np.modf),
                                       ("frexp", 1, np.frexp),
                                       ("divmod", 2, np.divmod)]:
                args = (x, y)[:count]
                text = (f"ufunc f({', '.join('ab'[:count])}):\n"
                        f"    p, q = {name}({', '.join('ab'[:count])})\n"
                        "    return p, q\n")
                got = ctx.call(text, "f", *args)
                for part, expected in zip(got, exact(*args)):
                    t.same(f"{name} {np.dtype(dtype)}", part, expected)
            n = np.array([0, 1, -3, 10, 2, -1, 5], np.int32)
            t.same("ldexp", ctx.call(
                "ufunc f(a, b):\n    return ldexp(a, b)\n", "f", x, n),
                np.ldexp(x, n))
            t.same("fma", ctx.call(
                "ufunc f(a, b):\n    return fma(a, b, a)\n", "f", x, y),
                (x.astype(np.longdouble) * y + x).astype(dtype), ulp=1,
                any_type=True)
            t.same("clip", ctx.call(
                "ufunc f(a):\n    return clip(a, -1, 2)\n", "f", x),
                np.clip(x, dtype(-1), dtype(2)))
            t.same("where", ctx.call(
                "ufunc f(a, b):\n    return where(a < b, a, b)\n", "f", x, y),
                np.where(x < y, x, y))
    return run


def subnormals(ctx):
    """Are kept: never flushed to zero."""
    def run(t):
        for dtype in (np.float32, np.float64):
            tiny = np.finfo(dtype).smallest_subnormal
            x = np.array([tiny, 3 * tiny, -7 * tiny, np.finfo(dtype).tiny],
                         dtype)
            for text, expected in [
                    ("a + a", x + x), ("a * 0.5", x * dtype(0.5)),
                    ("a - 0", x), ("a / 3", x / dtype(3)), ("sqrt(abs(a))",
                                                          np.sqrt(abs(x))),
                    ("sin(a)", x)]:
                t.same(f"{text} {np.dtype(dtype)}", ctx.call(
                    f"ufunc f(a):\n    return {text}\n", "f", x), expected)
    return run


def sine_and_cosine(ctx):
    """Of one angle, they may share the reduction of its range, and are what
    they are apart, to the bit: small angles, large ones, and the edges."""
    def run(t):
        rng = ctx.rng(11)
        for dtype in (np.float32, np.float64):
            largest = np.finfo(dtype).max
            x = np.concatenate([
                samples(rng, -10, 10, dtype), samples(rng, 1e3, 1e5, dtype),
                samples(rng, 1e5, float(largest) / 2, dtype),
                np.array([0.0, -0.0, np.inf, -np.inf, np.nan, largest,
                          np.finfo(dtype).smallest_subnormal], dtype)])
            both = ctx.call(
                "ufunc f(a):\n    return sin(2 * a), cos(2 * a)\n", "f", x)
            for name, result in zip(("sin", "cos"), both):
                t.same(f"{name} {np.dtype(dtype)}", result, ctx.call(
                    f"ufunc f(a):\n    return {name}(2 * a)\n", "f", x))
    return run


def python_gamma(x):
    """Python raises errors for poles and results that overflow."""
    if x == 0:
        return math.copysign(math.inf, x)
    try:
        return math.gamma(x)
    except ValueError:
        return math.nan
    except OverflowError:
        return math.copysign(math.inf, x)


def in_f64(name, x):
    """NumPy's function, or Python's where NumPy has none."""
    python = {"erf": math.erf, "gamma": python_gamma}.get(name)
    return np.vectorize(python)(x) if python else getattr(np, name)(x)


def all_halves(ctx, name):
    """Every f16 value, against float64, which is exact here."""
    def run(t):
        x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
        with np.errstate(all="ignore"):
            expected = in_f64(name, x.astype(np.float64))
        got = ctx.call(f"ufunc f(a):\n    return {name}(a)\n", "f", x)
        t.check(f"the type of {name}", got.dtype == np.float16, got.dtype)
        error = ulp_error(got, expected)
        worst = int(np.argmax(error))
        t.check(name, error[worst] <= 1,
                f"{error[worst]:.2f} ULP at {x[worst]!r}: {got[worst]!r}")
        zeros = (x == 0) & ~np.isnan(expected)
        t.check(f"{name} of zeros", np.array_equal(
            np.signbit(got[zeros]), np.signbit(expected[zeros])))
    return run


def all_bf16(ctx, name):
    """Every bf16 value, by way of f32, whose upper half it is; against float64
    in units of bf16's last place."""
    def run(t):
        x = (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32)
        wide = x.astype(np.float64)
        with np.errstate(all="ignore"):
            expected = in_f64(name, wide)
            got = ctx.call(
                "ufunc f(a: f32) -> f32:\n"
                f"    return f32({name}(bf16(a)))\n", "f", x)
            exponent = np.floor(np.log2(np.abs(expected)))
            unit = np.exp2(np.maximum(exponent, -126) - 7)
            unit[expected == 0] = 2.0 ** -133
            same = (got == expected) | (np.isnan(got) & np.isnan(expected))
            # From half a unit beyond the largest bf16 on it is infinite.
            same |= np.isinf(got) & (abs(expected) >= 255.5 * 2.0 ** 120) & (
                np.signbit(got) == np.signbit(expected))
            error = np.where(same, 0, np.abs(got - expected) / unit)
        worst = int(np.argmax(np.nan_to_num(error, nan=np.inf)))
        t.check(name, error[worst] <= 1,
                f"{error[worst]:.2f} ULP at {x[worst]!r}: {got[worst]!r}")
    return run


def extended(ctx):
    def run(t):
        if np.finfo(np.longdouble).nmant < 63:
            raise Skip("NumPy's longdouble is no wider than f64 here")
        t.check("longdouble", True)
    return run


def cases(ctx):
    yield "the oracle's precision", extended(ctx)
    for name in ONE:
        yield name, one(ctx, name)
    for name in PYTHON:
        yield name, beyond_numpy(ctx, name)
    for name in TWO:
        yield name, two(ctx, name)
    yield "promotion of integers", promotion(ctx)
    yield "Python's names", aliases(ctx)
    yield "several results", several_results(ctx)
    yield "subnormals", subnormals(ctx)
    yield "the sine and cosine of one angle", sine_and_cosine(ctx)
    for name in ("erf", "exp", "gamma", "tanh", "arccosh", "arcsinh", "arctan",
                 "arctanh", "tan"):
        yield f"{name} of all halves", all_halves(ctx, name)
        yield f"{name} of all bf16", all_bf16(ctx, name)
