#!/usr/bin/env python3
# Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes expected.inc beside this file: each scalar function's results on special values.

Needs numpy >= 2, ml_dtypes and mpmath. NumPy's ufuncs are the oracle wherever Kern
means the same; where it does not (integers by zero to a negative power,
saturating conversions, integers of two types compared by value, the sign of a
zero chosen by maximum), Python's own exact numbers are.

Lines:
  values TYPE HEX…                 the values that operands of TYPE take from
                                   here on
  case FUNCTION ULP TYPE… -> TYPE… : HEX…
      for every combination of the operands' values, the last operand's varying
      fastest, the results' bits one after the other. ULP is how far a float
      may be off; any NaN stands for any other.
Complex numbers have their real part in the low half.
"""

import cmath
import math
import sys
from fractions import Fraction

import ml_dtypes
import mpmath
import numpy as np
from expected_values import (ALL, COMPLEX, DIGITS, FLOATS, INF, INTEGERS, LARGEST, NAN, NUMBERS,
                             NUMPY, SIGNED, SMALLEST, VALUES, WIDTH, bit_cases, emit, lines,
                             numpy_cases, round_to, use, use_regular, with_zeros, wrap)

# Arithmetic.
for f in ("add", "multiply"):
    numpy_cases(f, ALL, inputs=2)
numpy_cases("subtract", NUMBERS, inputs=2)
numpy_cases("true_divide", FLOATS, inputs=2)
for f in ("floor_divide", "remainder", "fmod"):
    numpy_cases(f, NUMBERS, inputs=2)
numpy_cases("divmod", NUMBERS, inputs=2, outputs=2)
for f in ("negative", "positive", "sign", "square"):
    numpy_cases(f, NUMBERS)
numpy_cases("absolute", ALL)
numpy_cases("fabs", FLOATS)
numpy_cases("reciprocal", FLOATS)
for t in INTEGERS:
    emit("reciprocal", 0, [t], [t], lambda x: int(x) if abs(int(x)) == 1 else 0)


def integer_power(t):
    def compute(a, n):
        a, n = int(a), int(n)
        if n < 0:
            return 0 if abs(a) != 1 else (a if n % 2 else 1)
        return wrap(pow(a, n, 1 << WIDTH[t]), t)
    return compute


for t in INTEGERS:
    emit("power", 0, [t, t], [t], integer_power(t))
# As arrays: NumPy takes a shorter way for some scalar exponents, as Kern does
# for constants, which are not what is tested here.
numpy_cases("power", FLOATS, inputs=2, ulp=1,
            ufunc=lambda a, b: np.power(np.array([a, a]), np.array([b, b]))[0])
numpy_cases("float_power", ["f64"], inputs=2, ulp=1)


def exact_fma(t):
    def compute(a, b, c):
        a, b, c = float(a), float(b), float(c)
        if not all(map(math.isfinite, (a, b, c))):
            with np.errstate(all="ignore"):
                return np.float64(np.float64(a) * np.float64(b) + np.float64(c)).astype(NUMPY[t])
        exact = Fraction(a) * Fraction(b) + Fraction(c)
        if exact == 0:  # the sign of zero: as the sum of the signed parts
            product = math.copysign(0.0, math.copysign(1, a) * math.copysign(1, b))
            return NUMPY[t](product + c if a * b == 0 or c == 0 else 0.0)
        if t != "f64":
            return round_to(exact, t)
        try:
            return exact.numerator / exact.denominator
        except OverflowError:
            return INF if exact > 0 else -INF
    return compute


# Beside special values those that two roundings get wrong: products half-way
# between two neighbours (2049 = 3 * 683, 259 = 7 * 37), where the smallest
# number decides.
for t in FLOATS:
    halfway = {"f16": (3.0, 683 / 2.0**11), "bf16": (7.0, 37 / 2.0**8)}.get(t, (3.0, 1 / 3))
    use(t, [0.0, -0.0, 1.0, -1.0, *halfway, SMALLEST[t], -SMALLEST[t], LARGEST[t], INF, NAN])
    emit("fma", 0, [t] * 3, [t], exact_fma(t))
use_regular(*FLOATS)

# Bits.
for f in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    numpy_cases(f, ["bool"] + INTEGERS, inputs=2)
numpy_cases("invert", ["bool"] + INTEGERS)
for f in ("left_shift", "right_shift", "gcd", "lcm"):
    numpy_cases(f, INTEGERS, inputs=2)
numpy_cases("bitwise_count", INTEGERS, result="u8")
bit_cases()

# Comparison and truth.
PYTHON = {
    "less": lambda a, b: a < b, "less_equal": lambda a, b: a <= b,
    "greater": lambda a, b: a > b, "greater_equal": lambda a, b: a >= b,
    "equal": lambda a, b: a == b, "not_equal": lambda a, b: a != b,
}
for f, compare in PYTHON.items():
    numpy_cases(f, ["bool"] + FLOATS + COMPLEX, result="bool", inputs=2)
    for a in INTEGERS:
        for b in INTEGERS:
            emit(f, 0, [a, b], ["bool"], lambda x, y: compare(int(x), int(y)))
for f in ("logical_and", "logical_or", "logical_xor"):
    numpy_cases(f, ALL + COMPLEX, result="bool", inputs=2)
    for a in INTEGERS:
        for b in INTEGERS:
            if a != b:
                emit(f, 0, [a, b], ["bool"], getattr(np, f))
emit("logical_and", 0, ["f32", "c128"], ["bool"], np.logical_and)
numpy_cases("logical_not", ALL + COMPLEX, result="bool")
for f in ("isnan", "isinf", "isfinite"):
    numpy_cases(f, ALL + COMPLEX, result="bool")
numpy_cases("signbit", FLOATS, result="bool")


# Choice.
for f, larger in (("maximum", True), ("minimum", False), ("fmax", True), ("fmin", False)):
    numpy_cases(f, ["bool"] + INTEGERS + COMPLEX, inputs=2)
    for t in FLOATS:
        emit(f, 0, [t, t], [t], with_zeros(getattr(np, f), larger))


def clip(x, low, high):
    raised = with_zeros(np.maximum, True)(x, low)
    return with_zeros(np.minimum, False)(raised, high)


# For three operands fewer values of each.
for t in INTEGERS + FLOATS:
    use(t, VALUES[t][[0, 1, 2, 8, -1, -2, -3]])
for t in ALL:
    emit("clip", 0, [t] * 3, [t], clip)
for t in COMPLEX:
    use(t, VALUES[t][[0, 2, 3, 7, 10]])
    emit("clip", 0, [t] * 3, [t], lambda x, a, b: np.minimum(np.maximum(x, a), b))
for t in ALL + COMPLEX:
    emit("where", 0, ["bool", t, t], [t], lambda c, a, b: a if c else b)
use_regular(*INTEGERS, *FLOATS, *COMPLEX)
numpy_cases("heaviside", FLOATS, inputs=2)

# Rounding and parts.
for f in ("floor", "ceil", "trunc"):
    numpy_cases(f, ALL)
numpy_cases("rint", FLOATS + COMPLEX)
numpy_cases("round", FLOATS + COMPLEX, ufunc=np.rint)
for t in INTEGERS:
    emit("round", 0, [t], [t], lambda x: x)
numpy_cases("copysign", FLOATS, inputs=2)
numpy_cases("modf", FLOATS, outputs=2)


def next_bf16(x, y):
    """By steps through all values: ml_dtypes has no oracle of its own here."""
    fx, fy = float(x), float(y)
    if math.isnan(fx) or math.isnan(fy):
        return NUMPY["bf16"](NAN)
    if fx == fy:
        return y
    finite = np.arange(0, 0x7F81, dtype=np.uint16).view(ml_dtypes.bfloat16)
    line = np.concatenate([-finite[:0:-1].astype(np.float32), finite.astype(np.float32)])
    at = int(np.searchsorted(line, np.float32(fx)))
    r = line[at + 1] if fy > fx else line[at - 1]
    if r == 0:
        return NUMPY["bf16"](math.copysign(0.0, fx))
    return r.astype(ml_dtypes.bfloat16)


for t in ("f32", "f64"):
    numpy_cases("nextafter", [t], inputs=2)
emit("nextafter", 0, ["bf16"] * 2, ["bf16"], next_bf16)
# NumPy's f16 gives the first of equal operands, C and the others the second.
emit("nextafter", 0, ["f16"] * 2, ["f16"],
     lambda x, y: y if x == y else np.nextafter(x, y))


def gap(t, python):
    """The distance to the next value from zero: by exact powers of two."""
    def compute(x):
        f = float(x)
        if python:
            f = abs(f)
        if math.isnan(f) or math.isinf(f):
            return NUMPY[t](abs(f) if python else NAN)
        if abs(f) == LARGEST[t] and not python:
            return NUMPY[t](math.copysign(INF, f))
        exponent = math.frexp(f)[1] - 1 if f else -5000
        step = max(SMALLEST[t], math.ldexp(1.0, exponent - DIGITS[t]) if exponent > -3000 else 0.0)
        return np.float64(math.copysign(step, f) if f else step).astype(NUMPY[t])
    return compute


for t in FLOATS:
    emit("spacing", 0, [t], [t], gap(t, False))
    emit("ulp", 0, [t], [t], gap(t, True))
for t in FLOATS:
    wide = np.float32 if t in ("f16", "bf16") else NUMPY[t]
    emit("frexp", 0, [t], [t, "i32"],
         lambda x: tuple(np.frexp(x.astype(wide))))


def exact_ldexp(t):
    def compute(x, n):
        f, n = float(x), int(n)
        if f == 0 or not math.isfinite(f):
            return x
        if n > 5000:
            return math.copysign(INF, f)
        if n < -5000:
            return math.copysign(0.0, f)
        r = round_to(Fraction(f) * Fraction(2) ** n, t) if t != "f64" else np.ldexp(x, n)
        return r
    return compute


# Exponents that reach each step of the way down and up.
use("i32", [0, 1, -1, 11, -12, 127, -126, 128, -127, -140, 200, 1023, -1022, 1025, -1060, 2097, -2099,
            2**31 - 1, -2**31])
for t in FLOATS:
    emit("ldexp", 0, [t, "i32"], [t], exact_ldexp(t))
use_regular("i32")
for t in FLOATS:
    emit("ldexp", 0, [t, "i64"], [t], exact_ldexp(t))

# Elementary functions: the library's accuracy is measured elsewhere, this is
# which function is called and what the formulas around it do.
for f in ("sqrt", "deg2rad", "rad2deg"):
    numpy_cases(f, FLOATS, ulp=0)
for f in ("cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan",
          "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh"):
    numpy_cases(f, FLOATS, ulp=4)
for f in ("hypot", "arctan2", "logaddexp", "logaddexp2"):
    numpy_cases(f, FLOATS, inputs=2, ulp=4)


def exact(function):
    def compute(x):
        f = float(x)
        if function == "gamma" and f == 0:
            return x.dtype.type(math.copysign(INF, f))
        if f in SPECIAL[function]:
            return x.dtype.type(SPECIAL[function][f])
        if math.isnan(f):
            return x
        if abs(f) > 1000 and function != "loggamma":
            return x.dtype.type(SPECIAL[function][math.copysign(INF, f)])
        if function == "erf" and f == 0:
            return x
        r = getattr(mpmath, function)(mpmath.mpf(f))
        r = float(mpmath.re(r)) if function == "loggamma" else float(r)
        return np.float64(r).astype(x.dtype)
    return compute


# At infinities and poles C's values, which NumPy's users know from SciPy.
SPECIAL = {
    "gamma": {INF: INF, -INF: NAN, -1.0: NAN},
    "loggamma": {INF: INF, -INF: INF, -1.0: INF, 0.0: INF},
    "erf": {INF: 1.0, -INF: -1.0},
    "erfc": {INF: 0.0, -INF: 2.0},
}
for f, m in (("erf", "erf"), ("erfc", "erfc"), ("gamma", "gamma"), ("lgamma", "loggamma")):
    for t in FLOATS:
        emit(f, 8 if f == "lgamma" else 4, [t], [t], exact(m))

# Complex numbers.
numpy_cases("add", COMPLEX, inputs=2)
numpy_cases("subtract", COMPLEX, inputs=2)
for f in ("multiply", "true_divide"):
    numpy_cases(f, COMPLEX, inputs=2, ulp=2)
for f in ("negative", "square", "reciprocal", "conjugate"):
    numpy_cases(f, COMPLEX, ulp=2 if f in ("square", "reciprocal") else 0)
numpy_cases("sign", COMPLEX, ulp=1)
for c, part in (("c64", "f32"), ("c128", "f64")):
    emit("absolute", 1, [c], [part], np.absolute)
    emit("angle", 1, [c], [part], lambda x: np.arctan2(x.imag, x.real))
    emit("real", 0, [c], [part], lambda x: x.real)
    emit("imag", 0, [c], [part], lambda x: x.imag)
    emit("positive", 0, [c], [c], lambda x: x)
    emit("complex", 0, [part] * 2, [c], lambda a, b: np.array([a, b]).view(NUMPY[c])[0])


def complex_exp_minus_one(x):
    """Where NumPy's parts meet infinities it makes NaN of them; here the
    special values are those of exp."""
    if x.imag == 0:
        return complex(np.expm1(x.real), x.imag)
    if not np.isfinite(x):
        e = np.exp(np.complex128(x))
        return complex(e.real - 1, e.imag)
    return np.expm1(np.complex128(x))


# In c128 for both types, and c64 rounded from it.
for f in ("sqrt", "exp", "exp2", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin", "arccos",
          "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh"):
    numpy_cases(f, COMPLEX, ulp=4, ufunc=lambda x: getattr(np, f)(np.complex128(x)))
for c in COMPLEX:
    emit("expm1", 4, [c], [c], complex_exp_minus_one)
    emit("power", 32, [c] * 2, [c], lambda a, b: np.power(np.complex128(a), np.complex128(b)))
emit("float_power", 32, ["c128"] * 2, ["c128"], np.power)
for t in ALL:
    emit("real", 0, [t], [t], lambda x: x)
    emit("imag", 0, [t], [t], lambda x: NUMPY[t](0))
for t in NUMBERS:
    emit("conjugate", 0, [t], [t], lambda x: x)


def rect(c):
    def compute(r, phi):
        r, phi = float(r), float(phi)
        try:
            return NUMPY[c](cmath.rect(r, phi))
        except ValueError:  # of an infinite angle
            return NUMPY[c](complex(math.inf if math.isinf(r) else math.nan, math.nan))
    return compute


for c, part in (("c64", "f32"), ("c128", "f64")):
    emit("polar", 1, [c], [part] * 2, lambda x: (np.absolute(x), np.arctan2(x.imag, x.real)))
    emit("rect", 4, [part] * 2, [c], rect(c))
for t in FLOATS:
    emit("polar", 1, [t], [t] * 2, lambda x: (
        abs(x), np.arctan2(np.float64(0.0), np.float64(x)).astype(NUMPY[t])))
for t in FLOATS:
    emit("angle", 1, [t], [t], lambda x: np.arctan2(np.float64(0.0), np.float64(x)).astype(NUMPY[t]))

# Truth and conversions, by exact arithmetic.
for t in ALL + COMPLEX:
    emit("truth", 0, [t], ["bool"], lambda x: x != 0)


def conversion(a, b):
    def to_float(x):
        if a in FLOATS:
            f = float(x)
            if f == 0 or not math.isfinite(f):
                return np.float64(f).astype(NUMPY[b])
            return round_to(f, b)
        if b == "f64":
            return float(int(x))
        # To the narrow ones through f32, as NumPy does it.
        return round_to(float(round_to(int(x), "f32")), b)

    def to_integer(x):
        if a not in FLOATS:
            return wrap(int(x), b)
        f = float(x)
        low, high = (-2 ** (WIDTH[b] - 1), 2 ** (WIDTH[b] - 1) - 1) if b in SIGNED else (0, 2 ** WIDTH[b] - 1)
        if math.isnan(f):
            return NUMPY[b](0)
        if math.isinf(f):
            return NUMPY[b](high if f > 0 else low)
        return NUMPY[b](max(low, min(high, math.trunc(f))))

    if b == "bool":
        return lambda x: x != 0
    return to_float if b in FLOATS else to_integer


# Beside the others the values around each integer type's bounds, halves, and
# what two roundings would get wrong on the way from f64 to f16 and bf16.
BOUNDS = [0.25, 0.5, 1.5, -0.5, -1.5, -0.75, 127.5, 128.0, -128.5, -129.0, 255.5, 256.0, -1.0, 32767.5,
          -32769.0, 65535.5, 2.0**31, -2.0**31, 2.0**32, 2.0**63, -2.0**63, 2.0**64, 1e30, -1e30]
TWICE = [1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-11 - 2.0**-40, 1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-8 - 2.0**-40,
         -1 - 2.0**-11 - 2.0**-40, 65519.999999, 65520.0, 2.0**-25 + 2.0**-60, 2.0**-25, 2.0**-134 + 2.0**-170,
         2.0**-134, 1e-300, 1e300, 2.0**128 - 2.0**100, 1 + 2.0**-24 + 2.0**-50]
for t in FLOATS:
    extra = BOUNDS + (TWICE if t == "f64" else [])
    use(t, np.concatenate([VALUES[t].astype("f8"), extra]))
for a in ALL:
    for b in ALL:
        if a != b:
            emit("cast", 0, [a], [b], conversion(a, b))
use_regular(*FLOATS)
for a in ("bool", "i64", "f16", "f64"):
    for c in COMPLEX:
        part = "f32" if c == "c64" else "f64"
        emit("cast", 0, [a], [c], lambda x: NUMPY[c](complex(float(NUMPY[part](x)), 0.0)))
emit("cast", 0, ["c128"], ["c64"], lambda x: x.astype(np.complex64))
emit("cast", 0, ["c64"], ["c128"], lambda x: x.astype(np.complex128))
emit("cast", 0, ["c128"], ["bool"], lambda x: x != 0)


out = sys.argv[1] if len(sys.argv) > 1 else __file__.replace("expected.py", "expected.inc")
with open(out, "w") as f:
    print(f"// Written by expected.py with NumPy {np.__version__}.", file=f)
    print('R"EXPECTED(', *lines, ')EXPECTED"', sep="\n", file=f)
