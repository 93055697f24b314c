"""Every statement and form, against Python's evaluation of the same body."""

import numpy as np

import kernapi
from evaluate import Program
from idioms import IDIOM_GUFUNCS, IDIOM_UFUNCS
from kernapi import COMPILE
from programs import GUFUNCS, INTS, UFUNCS, V

PROGRAMS = UFUNCS + GUFUNCS + IDIOM_UFUNCS + IDIOM_GUFUNCS

def agree(ctx, source, arguments, options):
    def run(t):
        types = {k: v for k, v in options.items() if k.isupper()}
        expected = Program(source).call("f", *arguments, types=types)
        got = ctx.call(source, "f", *arguments)
        if not isinstance(expected, tuple):
            expected, got = (expected,), (got,)
        for k, (e, g) in enumerate(zip(expected, got)):
            t.same(f"result {k}", g, e, ulp=options.get("ulp", 0))
    return run


def reserved(ctx):
    def run(t):
        for text in ("kernel k(x: f32[n]):\n    pass\n",
                     "ufunc f(x):\n    return x\n\ngrad g(f)\n"):
            t.refused(text.split()[0], lambda: ctx.lib.compile(text), COMPILE)
        t.refused("recursion", lambda: ctx.call(
            "def g(x):\n    return g(x - 1)\n\nufunc f(x):\n"
            "    return g(x)\n", "f", np.ones(2)),
            (COMPILE, kernapi.TYPE), "g")
    return run


def shadowing(ctx):
    def run(t):
        text = """
ufunc f(e, pi):
    sum = e + pi
    max = sum * 2
    return max - sum
"""
        t.same("library names", ctx.call(text, "f", INTS, INTS), INTS + INTS)
        text = """
gufunc f(v: i64[len]) -> i64:
    exp = 2
    return sum(v) * exp + len
"""
        t.same("dimensions and variables", ctx.call(text, "f", V),
               V.sum(-1) * 2 + 6)
    return run


def first_look(ctx):
    """The whole of the language's first look, as written."""
    source = '''
"""Signal helpers."""

const SQRT_2PI = sqrt(2 * pi)

ufunc gaussian_pdf(x: T, mean: T, sigma: T) -> T where T in (f32, f64):
    """Gaussian probability density at `x`.

    >>> gaussian_pdf(0.0, 0.0, 1.0)
    0.3989422804
    """
    return exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)

def polar_to_cartesian(rho, theta):
    return rho * cos(theta), rho * sin(theta)

ufunc polar_distance(rho1: T, theta1: T, rho2: T, theta2: T) -> T where T in (f32, f64):
    x1, y1 = polar_to_cartesian(rho1, theta1)
    x2, y2 = polar_to_cartesian(rho2, theta2)
    return ((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5

ufunc zero_suppress(value, threshold):
    if value < threshold:
        result = 0
    else:
        result = value
    return result

gufunc l2_norm(v: T[n]) -> T where T in (f32, f64):
    return sqrt(sum(x ** 2 for x in v))

gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f32, f64):
    for i, j in prange(m, n):
        c[i, j] = sum(a[i, p] * b[p, j] for p in range(k))

gufunc convolve_valid(x: T[n], w: T[k]) -> (y: T[n - k + 1]) where T in (f32, f64):
    for i in prange(n - k + 1):
        y[i] = sum(x[i + k - 1 - j] * w[j] for j in range(k))
'''

    def run(t):
        program = Program(source)
        rng = ctx.rng(1)
        for dtype in (np.float32, np.float64):
            types = {"T": dtype}
            a, b, c, d = rng.random((4, 3, 5)).astype(dtype) + dtype(0.5)
            tol = 64 * np.finfo(dtype).eps
            for name, args in [
                    ("gaussian_pdf", (a, b, c)),
                    ("polar_distance", (a, b, c, d)),
                    ("l2_norm", (a,)), ("matmul", (a, b.T)),
                    ("convolve_valid", (a, b[0, :2]))]:
                expected = program.call(name, *args, types=types)
                got = ctx.call(source, name, *args)
                t.check(f"{name} {np.dtype(dtype)}",
                        got.dtype == dtype and got.shape == expected.shape
                        and np.allclose(got, expected, rtol=tol, atol=tol),
                        f"{got!r} {expected!r}")
    return run


def cases(ctx):
    yield "the first look", first_look(ctx)
    for name, source, arguments, options in PROGRAMS:
        yield name, agree(ctx, source, arguments, options)
    yield "reserved and refused", reserved(ctx)
    yield "shadowing", shadowing(ctx)


def dry():
    """Evaluates the oracle's side alone, to find mistakes in the cases."""
    for name, source, arguments, options in PROGRAMS:
        types = {k: v for k, v in options.items() if k.isupper()}
        print(name, Program(source).call("f", *arguments, types=types))


if __name__ == "__main__":
    dry()
