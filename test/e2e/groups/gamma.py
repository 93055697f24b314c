"""The gamma and error functions at whole numbers, poles and the ends of their range."""

import math

import numpy as np

from groups.math import source


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
                and np.isfinite(got[3]), got)
            x = np.array([-1, -2, -3, -20, -44, -45, -46, -185, -1e7, -1e30,
                          -np.inf, np.nan], dtype)
            got = ctx.call(source("gamma"), "f", x)
            t.check(f"poles of {np.dtype(dtype)}", np.isnan(got).all(), got)
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


def cases(ctx):
    yield "whole numbers", whole_numbers(ctx)
    yield "whole numbers in bf16", whole_bf16(ctx)
    yield "edges", edges(ctx)
    yield "edges of erfc", edges_of_erfc(ctx)
