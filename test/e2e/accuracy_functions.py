"""The functions whose accuracy is measured: MPFR's function, and the intervals that
operands are drawn from."""

import math

import mpfr
from mpfr import Complex, Real

ALL = (-math.inf, math.inf)  # of every magnitude, both signs
POSITIVE = (0, math.inf)


def over(factor):
    def function(x):
        return x * (mpfr.pi() / 180.0 if factor < 1 else 180.0 / mpfr.pi())
    return function


def sinc(x):
    """sin(π x) / (π x), the sine of what is left of whole turns."""
    if float(x) == 0:
        return Real(1.0)
    turn = float(x) - 2 * round(float(x) / 2)  # exact
    return (Real(turn) * mpfr.pi()).sin() / (x * mpfr.pi())


def log_add_exp(x, y):
    return (x.exp() + y.exp()).log()


def log_add_exp2(x, y):
    return (x.exp2() + y.exp2()).log2()


# Kern's name: MPFR's function, and the intervals that operands are drawn from.
ONE = {
    "sqrt": (Real.sqrt, [POSITIVE, (0, 4)]),
    "cbrt": (Real.cbrt, [ALL, (-2, 2)]),
    "exp": (Real.exp, [(-745, 710), (-1, 1)]),
    "exp2": (Real.exp2, [(-1074, 1024), (-1, 1)]),
    "expm1": (Real.expm1, [(-40, 709), (-1, 1), ALL]),
    "log": (Real.log, [POSITIVE, (0.5, 2)]),
    "log2": (Real.log2, [POSITIVE, (0.5, 2)]),
    "log10": (Real.log10, [POSITIVE, (0.5, 2)]),
    "log1p": (Real.log1p, [(-1, 1), POSITIVE]),
    "sin": (Real.sin, [(-4, 4), (-1e5, 1e5), ALL]),
    "cos": (Real.cos, [(-4, 4), (-1e5, 1e5), ALL]),
    "tan": (Real.tan, [(-4, 4), (-1e5, 1e5), ALL]),
    "arcsin": (Real.asin, [(-1, 1)]), "arccos": (Real.acos, [(-1, 1)]),
    "arctan": (Real.atan, [(-4, 4), ALL]),
    "sinh": (Real.sinh, [(-710, 710), (-1, 1)]),
    "cosh": (Real.cosh, [(-710, 710), (-1, 1)]),
    "tanh": (Real.tanh, [(-20, 20), (-1, 1)]),
    "arcsinh": (Real.asinh, [(-2, 2), ALL]),
    "arccosh": (Real.acosh, [(1, 2), (1, math.inf)]),
    "arctanh": (Real.atanh, [(-1, 1)]),
    "erf": (Real.erf, [(-6, 6), (-1, 1)]),
    "erfc": (Real.erfc, [(-6, 27), (-1, 2)]),
    "gamma": (Real.gamma, [(-30, 30), (0, 172), (-185, 0)]),
    "lgamma": (Real.lgamma, [(0, 3), (0, 40), POSITIVE, (-40, 0)]),
    "deg2rad": (over(0.1), [ALL]), "rad2deg": (over(10), [ALL]),
    "sinc": (sinc, [(-4, 4), (-1e4, 1e4)]),
}

TWO = {
    "hypot": (Real.hypot, [(ALL, ALL), ((-2, 2), (-2, 2))]),
    "arctan2": (Real.atan2, [(ALL, ALL), ((-2, 2), (-2, 2))]),
    "power": (Real.pow, [((0, 50), (-20, 20)), (POSITIVE, (-3, 3)),
                         ((0.9, 1.1), (-800, 800))]),
    "log": (lambda x, base: x.log() / base.log(),
            [((0.1, 50), (1.5, 20)), (POSITIVE, (2, 3))]),
    "logaddexp": (log_add_exp, [((1, 60), (1, 60))]),
    "logaddexp2": (log_add_exp2, [((1, 60), (1, 60))]),
}

PLANE = ((-3, 3), (-3, 3))
SMALL = ((-1e-3, 1e-3), (-1e-3, 1e-3))
FAR = ((-1e8, 1e8), (-1e8, 1e8))
STRIP = ((-30, 30), (-30, 30))
TURNS = ((-30, 30), ALL)  # any number of them, of an imaginary angle
ALONG = (ALL, (-30, 30))  # of a real one
ANY = (ALL, ALL)

OF_COMPLEX = {
    "sqrt": (Complex.sqrt, [PLANE, SMALL, FAR, ANY]),
    "exp": (Complex.exp, [PLANE, STRIP, TURNS]),
    "exp2": (Complex.exp2, [PLANE, STRIP, TURNS]),
    "expm1": (Complex.expm1, [PLANE, SMALL, STRIP, TURNS]),
    "log": (Complex.log, [PLANE, SMALL, FAR, ANY]),
    "log2": (Complex.log2, [PLANE, SMALL, FAR, ANY]),
    "log10": (Complex.log10, [PLANE, SMALL, FAR, ANY]),
    "log1p": (Complex.log1p, [PLANE, SMALL, FAR, ANY]),
    "sin": (Complex.sin, [PLANE, SMALL, STRIP, ALONG]),
    "cos": (Complex.cos, [PLANE, SMALL, STRIP, ALONG]),
    "tan": (Complex.tan, [PLANE, SMALL, STRIP, ALONG]),
    "arcsin": (Complex.asin, [PLANE, SMALL, FAR, ANY]),
    "arccos": (Complex.acos, [PLANE, SMALL, FAR, ANY]),
    "arctan": (Complex.atan, [PLANE, SMALL, FAR, ANY]),
    "sinh": (Complex.sinh, [PLANE, SMALL, STRIP, TURNS]),
    "cosh": (Complex.cosh, [PLANE, SMALL, STRIP, TURNS]),
    "tanh": (Complex.tanh, [PLANE, SMALL, STRIP, TURNS]),
    "arcsinh": (Complex.asinh, [PLANE, SMALL, FAR, ANY]),
    "arccosh": (Complex.acosh, [PLANE, SMALL, FAR, ANY]),
    "arctanh": (Complex.atanh, [PLANE, SMALL, FAR, ANY]),
    "absolute": (Complex.abs, [PLANE, SMALL, FAR, ANY]),
    "angle": (Complex.angle, [PLANE, SMALL, FAR, ANY]),
    "square": (lambda z: z * z, [PLANE, SMALL, FAR]),
    "reciprocal": (lambda z: Complex(1.0) / z, [PLANE, SMALL, FAR]),
    "sign": (lambda z: z.scaled(1 / z.abs()), [PLANE, SMALL, FAR, ANY]),
}

OF_TWO_COMPLEX = {
    "multiply": (Complex.__mul__, [(PLANE, PLANE), (SMALL, FAR)]),
    "true_divide": (Complex.__truediv__, [(PLANE, PLANE), (FAR, SMALL)]),
    "power": (Complex.pow, [(PLANE, PLANE), (SMALL, PLANE), (FAR, SMALL)]),
}

# Of two real numbers.
TO_COMPLEX = {
    "rect": (lambda r, phi: Complex(r * phi.cos(), r * phi.sin()),
             [((-9, 9), (-4, 4)), ((0, 1), (-1e3, 1e3))]),
}
