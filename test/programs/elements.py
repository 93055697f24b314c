"""Element types and what operators mean on them: the reference that generated
programs are held against. It follows the language's page and NumPy, and shares
nothing with Kern.

A type is a NumPy dtype, or one of the kinds of values without a type of their
own: "wi" and "wf", weak integers and floats, and "ix" and "ixf", index values
and the floats computed from them. At run time those are int64 and float64.
"""

import math
import sys

import numpy as np

try:
    import ml_dtypes
    BF16 = np.dtype(ml_dtypes.bfloat16)
except ImportError:
    BF16 = None

NAMES = {
    "bool": np.bool_, "i8": np.int8, "u8": np.uint8, "i16": np.int16,
    "u16": np.uint16, "i32": np.int32, "u32": np.uint32, "i64": np.int64,
    "u64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64,
}
TYPES = {name: np.dtype(t) for name, t in NAMES.items()}
if BF16 is not None:
    TYPES["bf16"] = BF16
NAME_OF = {dtype: name for name, dtype in TYPES.items()}
BOOL, I64, F16, F32, F64 = (
    TYPES[n] for n in ("bool", "i64", "f16", "f32", "f64"))
WEAK = ("wi", "wf", "ix", "ixf")


class IllTyped(Exception):
    """The program is refused by the language, or left out of the tests."""


def need(condition, why):
    if not condition:
        raise IllTyped(why)


def is_weak(t):
    return isinstance(t, str)


def carrier(t):
    """The dtype in which a value of type `t` is held."""
    if is_weak(t):
        return I64 if t in ("wi", "ix") else F64
    return t


def is_bool(t):
    return t == BOOL and not is_weak(t)


def is_float(t):
    t = carrier(t)
    return t.kind == "f" or t == BF16


def is_integer(t):
    return carrier(t).kind in "iu"


def promote(types):
    """result_type of a set of dtypes, with bf16 in f16's place."""
    types = set(types)
    if BF16 in types and BF16 is not None:
        if types == {BF16}:
            return BF16
        rest = types - {BF16}
        if F16 in rest:
            return np.result_type(F32, *rest)
        wide = np.result_type(F16, *rest)
        return BF16 if wide == F16 else wide
    return np.result_type(*types)


def join(types):
    """Where these types meet: typed values decide, weak ones give way."""
    types = list(types)
    typed = {t for t in types if not is_weak(t)}
    weak = {t for t in types if is_weak(t)}
    if not typed:
        if weak <= {"wi"}:
            return "wi"
        if weak <= {"ix"}:
            return "ix"
        if weak <= {"wf"}:
            return "wf"
        raise IllTyped("weak values of several kinds meet")
    result = promote(typed)
    if not weak:
        return result
    if is_bool(result):
        raise IllTyped("a weak number meets bool")
    if is_integer(result) and weak & {"wf", "ixf"}:
        raise IllTyped("a weak float meets an integer")
    if is_integer(result) and "ix" in weak and result != I64:
        raise IllTyped("an index value meets an integer")
    return result


def operand_type(a, b):
    """The type in which an arithmetic operator on `a` and `b` works."""
    if not is_weak(a) and not is_weak(b):
        return promote({a, b})
    if is_weak(a) and is_weak(b):
        kinds = {a, b}
        if kinds <= {"wi"}:
            return "wi"
        if kinds <= {"wi", "ix"}:
            return "ix"
        if kinds <= {"wi", "wf"}:
            return "wf"
        return "ixf"
    typed, weak = (b, a) if is_weak(a) else (a, b)
    if is_bool(typed):
        return carrier(weak)
    if is_float(typed):
        return typed
    if weak == "wi":
        return typed
    if weak == "ix":
        return typed if typed == TYPES["u64"] else promote({typed, I64})
    return F64


# Conversions.

def to_bf16(x):
    """Rounds once, to nearest even: by way of an f32 rounded to odd."""
    f = np.float32(x)
    exact = int(x) if isinstance(x, (int, np.integer)) else float(x)
    if math.isfinite(f) and float(f) != exact:
        if abs(float(f)) > abs(exact):
            f = np.nextafter(f, np.float32(0))
        f = np.uint32(f.view(np.uint32) | np.uint32(1)).view(np.float32)
    return BF16.type(f)


def to_f16(x):
    if isinstance(x, (int, np.integer)):
        return np.float16(np.float64(x))
    return np.float16(x)


def convert(x, to):
    """Float to integer truncates, saturates and takes NaN to 0; integers wrap."""
    source = x.dtype
    if source == to:
        return x
    if to == BOOL:
        return np.bool_(x != 0)
    if to.kind in "iu":
        info = np.iinfo(to)
        if source.kind in "iub":
            bits = 8 * to.itemsize
            value = int(x) & ((1 << bits) - 1)
            if to.kind == "i" and value >> (bits - 1):
                value -= 1 << bits
            return to.type(value)
        value = float(x)
        if math.isnan(value):
            return to.type(0)
        if math.isinf(value):
            return to.type(info.max if value > 0 else info.min)
        return to.type(min(max(int(value), info.min), info.max))
    if source == BOOL:
        return to.type(1.0 if x else 0.0)
    if BF16 is not None and to == BF16:
        return to_bf16(x if source.kind in "iu" else np.float64(x))
    if to == F16:
        return to_f16(x if source.kind in "iu" else np.float64(x))
    if BF16 is not None and source == BF16:
        return to.type(np.float32(x))
    return to.type(x)


# Operators. Both operands have the same dtype, in which the result is rounded.

def wrapped(value, dtype):
    bits = 8 * dtype.itemsize
    value &= (1 << bits) - 1
    if dtype.kind == "i" and value >> (bits - 1):
        value -= 1 << bits
    return dtype.type(value)


def integer_power(base, exponent):
    if exponent >= 0:
        return pow(base, exponent, 1 << 64) if abs(base) > 1 else base**exponent
    if base == 0:
        return None
    return {1: 1, -1: -1 if exponent % 2 else 1}.get(base, 0)


def shift(op, a, b, dtype):
    bits = 8 * dtype.itemsize
    if b < 0 or b >= bits:
        return dtype.type(0 if op == "<<" else (-1 if a < 0 else 0))
    return wrapped(a << b if op == "<<" else a >> b, dtype)


def on_integers(op, a, b):
    dtype = a.dtype
    x, y = int(a), int(b)
    if op in ("<<", ">>"):
        return shift(op, x, y, dtype)
    if op in ("//", "%") and y == 0:
        return dtype.type(0)
    value = {
        "+": lambda: x + y, "-": lambda: x - y, "*": lambda: x * y,
        "//": lambda: x // y, "%": lambda: x % y, "&": lambda: x & y,
        "|": lambda: x | y, "^": lambda: x ^ y,
        "**": lambda: integer_power(x, y),
    }[op]()
    return wrapped(value, dtype)


def wide_of(dtype):
    """The type in which f16 and bf16 are computed before they are rounded."""
    return F32 if dtype == F16 or (BF16 is not None and dtype == BF16) else dtype


def floored(op, a, b):
    """`//` and `%` of floats as NumPy defines them, over C's fmod."""
    t = a.dtype.type
    if b == 0:
        return np.divide(a, b) if op == "//" else t(math.nan)
    mod = np.fmod(a, b)
    if op == "//" and not np.isfinite(mod):
        return np.floor_divide(a, b)
    div = t((a - mod) / b)
    if mod != 0:
        if (b < 0) != (mod < 0):
            mod = t(mod + b)
            div = t(div - t(1))
    else:
        mod = np.copysign(t(0), b)
    if op == "%":
        return mod
    if div != 0:
        floor = np.floor(div)
        if div - floor > t(0.5):
            floor = t(floor + t(1))
        return floor
    return np.copysign(t(0), t(a / b))


def on_floats(op, a, b):
    dtype = a.dtype
    wide = wide_of(dtype)
    x, y = wide.type(a), wide.type(b)
    if op in ("//", "%"):
        value = floored(op, x, y)
    else:
        value = {"+": np.add, "-": np.subtract, "*": np.multiply,
                 "/": np.divide}[op](x, y)
    return convert(wide.type(value), dtype)


def binary(op, a, b):
    dtype = a.dtype
    if dtype == BOOL:
        x, y = bool(a), bool(b)
        return np.bool_({"+": x or y, "|": x or y, "*": x and y, "&": x and y,
                         "^": x != y}[op])
    if dtype.kind in "iu":
        return on_integers(op, a, b)
    return on_floats(op, a, b)


def negative(a):
    if a.dtype.kind in "iu":
        return wrapped(-int(a), a.dtype)
    return a.dtype.type(-wide_of(a.dtype).type(a))


def invert(a):
    if a.dtype == BOOL:
        return np.bool_(not a)
    return wrapped(~int(a), a.dtype)


def absolute(a):
    if a.dtype.kind in "iu":
        return wrapped(abs(int(a)), a.dtype)
    return a.dtype.type(np.abs(wide_of(a.dtype).type(a)))


def extreme(largest, a, b):
    """NaN wins; -0 is less than +0."""
    if a.dtype.kind in "iub":
        return max(a, b) if largest else min(a, b)
    if np.isnan(a) or np.isnan(b):
        return a if np.isnan(a) else b
    if a == b:
        return a if np.signbit(a) != largest else b
    return a if (a > b) == largest else b


def compare(op, a, b):
    if a.dtype.kind in "iub" and b.dtype.kind in "iub":
        x, y = int(a), int(b)
    else:
        x, y = float(a), float(b)
    return {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y,
            "!=": x != y}[op]


def rounded(name, a):
    wide = wide_of(a.dtype)
    value = getattr(np, name)(wide.type(a))
    return convert(wide.type(value), a.dtype)


#: Functions whose result is exact, or rounded once: name → arity.
EXACT = {"abs": 1, "floor": 1, "ceil": 1, "trunc": 1, "rint": 1, "sqrt": 1,
         "max": 2, "min": 2}
#: Functions of the library, whose results may be some ULP away.
LIBRARY = {"exp": 1, "log": 1, "sin": 1, "cos": 1, "tanh": 1, "exp2": 1,
           "log1p": 1, "expm1": 1, "arctan": 1, "cbrt": 1, "hypot": 2,
           "arctan2": 2}


def call(name, arguments):
    """A function of values that all have its working type."""
    a = arguments[0]
    if name == "abs":
        return absolute(a)
    if name in ("max", "min"):
        return extreme(name == "max", *arguments)
    if name in EXACT:
        return rounded(name, a)
    wide = F64 if a.dtype != F64 else np.dtype(np.longdouble)
    value = getattr(np, name)(*[wide.type(convert(x, F64)) for x in arguments])
    return convert(np.float64(value), a.dtype)


sys.set_int_max_str_digits(0)
