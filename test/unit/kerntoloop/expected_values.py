# Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operands' values of expected.inc, and the lines that it consists of."""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np

np.seterr(all="ignore")

NUMPY = {
    "bool": np.bool_, "i8": np.int8, "u8": np.uint8, "i16": np.int16,
    "u16": np.uint16, "i32": np.int32, "u32": np.uint32, "i64": np.int64,
    "u64": np.uint64, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
    "f32": np.float32, "f64": np.float64, "c64": np.complex64,
    "c128": np.complex128,
}
SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["u8", "u16", "u32", "u64"]
INTEGERS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
COMPLEX = ["c64", "c128"]
WIDTH = {t: 8 * np.dtype(n).itemsize for t, n in NUMPY.items()}
WIDTH["bool"] = 1

DIGITS = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}
SMALLEST = {"f16": 2.0**-24, "bf16": 2.0**-133, "f32": 2.0**-149, "f64": 2.0**-1074}
LARGEST = {"f16": 65504.0, "bf16": float(ml_dtypes.finfo("bfloat16").max),
           "f32": float(np.finfo("f4").max), "f64": float(np.finfo("f8").max)}
INF, NAN = math.inf, math.nan


def values_of(t):
    if t == "bool":
        return np.array([False, True])
    if t in INTEGERS:
        w = WIDTH[t]
        if t in SIGNED:
            v = [0, 1, -1, 2, -2, 3, -7, w - 1, w, 2 ** (w - 1) - 1, -2 ** (w - 1)]
        else:
            v = [0, 1, 2, 3, 7, w - 1, w, 2 ** (w - 1), 2**w - 1]
        return np.array(v, dtype=NUMPY[t])
    if t in FLOATS:
        v = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.5, 3.0, SMALLEST[t], -SMALLEST[t],
             LARGEST[t], INF, -INF, NAN]
        return np.array(v).astype(NUMPY[t])
    parts = [(0.0, 0.0), (-0.0, 0.0), (1.0, 0.0), (-1.5, 2.0), (3.0, -4.0), (0.0, -1.0),
             (2.0, 0.5), (INF, 1.0), (1.0, -INF), (INF, INF), (NAN, 1.0), (1.0, NAN)]
    return np.array([complex(*p) for p in parts], dtype=NUMPY[t])


VALUES = {}


def bits(x, t):
    """The bits of one NumPy scalar or Python bool as an integer."""
    if t == "bool":
        return int(bool(x))
    return int.from_bytes(np.asarray(x, dtype=NUMPY[t]).tobytes(), "little")


def round_to(x, t):
    """The nearest number of a float type, ties to even, from an exact one."""
    if t == "f64" or isinstance(x, float) and not math.isfinite(x):
        return np.float64(x).astype(NUMPY[t])
    sign, x = (math.copysign(1.0, x) if isinstance(x, float) else -1 if x < 0 else 1), Fraction(x)
    if x == 0:
        return np.float64(math.copysign(0.0, sign)).astype(NUMPY[t])
    below = x.numerator.bit_length() - x.denominator.bit_length() - 1
    exponent = max(below, math.floor(math.log2(SMALLEST[t])) + DIGITS[t])
    while Fraction(2) ** (exponent + 1) <= abs(x):
        exponent += 1
    step = Fraction(2) ** (exponent - DIGITS[t])
    n = x / step
    q = round(n)  # Fraction.__round__ rounds ties to even
    r = q * step
    if abs(r) > Fraction(LARGEST[t]):
        r = INF if r > 0 else -INF
    return np.float64(math.copysign(float(r), sign)).astype(NUMPY[t])


lines = []


def use(t, values):
    VALUES[t] = np.array(values).astype(NUMPY[t])
    lines.append(f"values {t} " + " ".join(f"{bits(v, t):x}" for v in VALUES[t]))


def use_regular(*types):
    for t in types:
        use(t, values_of(t))


use_regular(*NUMPY)


def emit(function, ulp, inputs, outputs, compute):
    """compute(values…) → one result or a tuple of results."""
    found = []
    grids = [VALUES[t] for t in inputs]

    def visit(chosen):
        if len(chosen) < len(grids):
            for v in grids[len(chosen)]:
                visit(chosen + [v])
            return
        result = compute(*chosen)
        if not isinstance(result, tuple):
            result = (result,)
        found.extend(f"{bits(r, t):x}" for r, t in zip(result, outputs, strict=True))

    visit([])
    lines.append(f"case {function} {ulp} {' '.join(inputs)} -> {' '.join(outputs)} : {' '.join(found)}")


def through_f32(ufunc):
    """bf16 computes in f32 and rounds once, as f16 does in NumPy."""
    def compute(*xs):
        if xs[0].dtype == ml_dtypes.bfloat16:
            r = ufunc(*[x.astype(np.float32) if x.dtype == ml_dtypes.bfloat16 else x for x in xs])
            narrow = lambda y: y.astype(ml_dtypes.bfloat16) if y.dtype == np.float32 else y
            return tuple(map(narrow, r)) if isinstance(r, tuple) else narrow(r)
        return ufunc(*xs)
    return compute


def with_zeros(ufunc, larger):
    """NumPy does not define which of two zeros it returns. Kern returns the larger
    (smaller) one by sign."""
    base = through_f32(ufunc)
    def compute(a, b):
        if a == 0 and b == 0 and a.dtype.kind in "fV":
            negative = np.signbit(np.float64(a)), np.signbit(np.float64(b))
            minus = all(negative) if larger else any(negative)
            return a.dtype.type(-0.0 if minus else 0.0)
        return base(a, b)
    return compute


def numpy_cases(function, types, result=None, ulp=0, inputs=1, outputs=1, ufunc=None):
    ufunc = ufunc or getattr(np, function)
    for t in types:
        emit(function, ulp, [t] * inputs, [result or t] * outputs, through_f32(ufunc))


def wrap(x, t):
    w = WIDTH[t]
    x &= (1 << w) - 1
    if t in SIGNED and x >> (w - 1):
        x -= 1 << w
    return NUMPY[t](x)


def stored(x, t):
    """The bits of an integer of type `t`, the highest first."""
    return format(int(x) & ((1 << WIDTH[t]) - 1), f"0{WIDTH[t]}b")


def bit_cases():
    """Of the functions of the bits that are stored, which NumPy has not."""
    for t in INTEGERS:
        emit("popcount", 0, [t], ["i32"], lambda x: np.int32(stored(x, t).count("1")))
        emit("clz", 0, [t], ["i32"], lambda x: np.int32((stored(x, t) + "1").index("1")))
        emit("ctz", 0, [t], ["i32"], lambda x: np.int32((stored(x, t)[::-1] + "1").index("1")))
        emit("bit_reverse", 0, [t], [t], lambda x: wrap(int(stored(x, t)[::-1], 2), t))
        emit("mul_high", 0, [t] * 2, [t], lambda x, y: wrap(int(x) * int(y) >> WIDTH[t], t))


NUMBERS = INTEGERS + FLOATS
ALL = ["bool"] + NUMBERS
