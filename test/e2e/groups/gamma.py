"""The gamma and error functions at whole numbers, poles and the ends of their range."""

import math

import numpy as np

import accuracy
import mpfr
from groups.math import source
from suite import Skip


def whole_numbers(ctx):
    """The factorials that f32 and f64 hold exactly, and all of f32 rounded."""
    def run(t):
        for dtype, exact in ((np.float32, 36), (np.float64, 13)):
            x = np.arange(1, exact).astype(dtype)
            expected = np.array([math.factorial(n - 1) for n in
                                 range(1, exact)], np.float64).astype(dtype)
            t.same(f"gamma of {np.dtype(dtype)}",
                   ctx.call(source("gamma"), "f", x), expected)
    return run


def whole_bf16(ctx):
    """7! and 8! are in the middle of two bf16s, and go to the even one."""
    def run(t):
        x = np.arange(1, 36).astype(np.float32)
        exact = np.array([math.factorial(n) for n in range(35)], np.float64)
        bits = exact.astype(np.float32).view(np.uint32)
        bits += 0x7fff + (bits >> 16 & 1)
        got = ctx.call("ufunc f(a: f32) -> f32:\n"
                       "    return f32(gamma(bf16(a)))\n", "f", x)
        t.same("gamma of bf16", got, (bits & 0xffff0000).view(np.float32))
    return run


def edges(ctx):
    """Poles, zeros, infinities, and where results overflow or vanish. Results of
    f32 beside Python's in f64, also subnormal ones."""
    def run(t):
        for dtype, last in ((np.float32, 35.040092), (np.float64, 171.624)):
            got = ctx.call(source("gamma"), "f", np.array(
                [0.0, -0.0, np.inf, last, last * 1.00001, 1e30], dtype))
            t.check(f"infinities of {np.dtype(dtype)}", np.array_equal(
                got[[0, 1, 2, 4, 5]], [np.inf, -np.inf, np.inf, np.inf, np.inf])
                and np.isfinite(got[3]), str(got))
            x = np.array([-1, -2, -3, -20, -44, -45, -46, -185, -1e7, -1e30,
                          -np.inf, np.nan], dtype)
            got = ctx.call(source("gamma"), "f", x)
            t.check(f"poles of {np.dtype(dtype)}", np.isnan(got).all(), str(got))
            x = np.array([-200.5, -201.5, -1000.25, -4194303.5, -4194302.5],
                         dtype)
            zeros = np.where(np.floor(x) % 2, dtype(-0.0), dtype(0.0))
            t.same(f"zeros of {np.dtype(dtype)}",
                   ctx.call(source("gamma"), "f", x), zeros, zero_sign=True)
        x = np.concatenate([np.linspace(-45.9, -34, 3001),
                            np.linspace(33, 35.04, 500),
                            2.0 ** np.arange(-127, -10, 0.5),
                            -2.0 ** np.arange(-127, -10, 0.5)])
        x = x.astype(np.float32)
        x = x[x != np.rint(x)]
        expected = np.array([math.gamma(float(v)) for v in x])
        got = ctx.call(source("gamma"), "f", x)
        t.same("at f32's ends", got, expected, ulp=4, any_type=True)
        t.check("signs at f32's ends", np.array_equal(
            np.signbit(got), np.signbit(expected)))
    return run


def below_minus_twelve(ctx):
    """Γ(-y) by y sin πy Γ(y): three roundings too many were 4.4 ULP."""
    def run(t):
        if not mpfr.available():
            raise Skip("libmpfr.so.6 is not installed")
        x = -np.random.default_rng(12).uniform(12, 170, 20000)
        x[:3] = [float.fromhex(text) for text in
                 ("-0x1.242aaafa13bf3p+7", "-0x1.e2c3876eac2c2p+3",
                  "-0x1.49dbd9914b723p+7")]
        high, low = accuracy.exact(mpfr.Real.gamma, [x])
        off = accuracy.errors(ctx.call(source("gamma"), "f", x), high, low,
                              "f64")
        at = int(np.argmax(off))
        t.check("gamma of f64", off[at] <= 4, f"{off[at]:.2f} ULP at {x[at]!r}")
    return run


def edges_of_erfc(ctx):
    """Subnormal results, where it vanishes, infinities and NaN."""
    def run(t):
        x = np.concatenate([np.linspace(26.5, 27.3, 801), [0.0, -0.0, 5e-324,
                            -1e-300, 1e-20, 28, 40, 1e300, np.inf, -5.9, -6,
                            -27.3, -30, -1e300, -np.inf, np.nan]])
        expected = np.array([math.erfc(v) for v in x])
        got = ctx.call(source("erfc"), "f", x)
        t.same("erfc", got, expected, ulp=4, zero_sign=True)
        t.check("is monotone", (np.diff(got[:801]) <= 0).all())
    return run


def zeros_of_lgamma(ctx, kind):
    """Near -n ± 1/n!, where two logarithms cancel, and near negative whole
    numbers; around 1 and 2; subnormal numbers. In ULP of the result, of negative
    numbers of 1 at least."""
    def run(t):
        if not mpfr.available():
            raise Skip("libmpfr.so.6 is not installed")
        step = {"f32": 2.0 ** -23, "f64": 2.0 ** -52}[kind]
        n = np.arange(1, 18)[:, None]
        factorials = np.array([[math.factorial(k)] for k in range(1, 18)], float)
        near = 2.0 ** -np.arange(1, 50)
        x = np.concatenate([
            *((-n + sign / factorials) * (1 + step * np.arange(-30, 31))
              for sign in (1, -1)),
            *(-n + sign * near for sign in (1, -1)),
            *(np.array([[1.0], [2.0]]) + sign * near for sign in (1, -1)),
            [5e-324, -5e-324, 1e-310, -1e-310, 1e-40, -1e-40, 1e300, 1e36]],
            axis=None)
        x = x.astype(accuracy.NP[kind])
        x = x[np.isfinite(x) & (x != 0)]
        high, low = accuracy.exact(mpfr.Real.lgamma, [x.astype(np.float64)])
        got = ctx.call(source("lgamma"), "f", x)
        off = accuracy.errors(got, high, low, kind, np.where(x < 0, 1, 0))
        at = int(np.argmax(off))
        t.check(f"lgamma of {kind}", off[at] <= 4,
                f"{off[at]:.2f} ULP at {x[at]!r}")
    return run


def edges_of_lgamma(ctx):
    def run(t):
        for dtype in (np.float32, np.float64):
            x = np.array([0.0, -0.0, -1, -2, -17, -1e10, np.inf, -np.inf,
                          np.finfo(dtype).max], dtype)
            got = ctx.call(source("lgamma"), "f", x)
            t.check(f"infinities of {np.dtype(dtype)}", (got == np.inf).all(),
                    str(got))
            last = {np.float32: 4.08500e36, np.float64: 2.559983e305}
            x = np.array([1, 2, np.nan, last[dtype], 1.00001 * last[dtype]],
                         dtype)
            got = ctx.call(source("lgamma"), "f", x)
            t.same(f"zeros of {np.dtype(dtype)}", got[:2],
                   np.zeros(2, dtype), zero_sign=True)
            t.check(f"the rest of {np.dtype(dtype)}", np.isnan(got[2]) and
                    np.isfinite(got[3]) and got[4] == np.inf, str(got))
    return run


def cases(ctx):
    yield "whole numbers", whole_numbers(ctx)
    yield "whole numbers in bf16", whole_bf16(ctx)
    yield "edges", edges(ctx)
    yield "below -12", below_minus_twelve(ctx)
    yield "edges of erfc", edges_of_erfc(ctx)
    for kind in ("f32", "f64"):
        yield f"zeros of lgamma of {kind}", zeros_of_lgamma(ctx, kind)
    yield "edges of lgamma", edges_of_lgamma(ctx)
