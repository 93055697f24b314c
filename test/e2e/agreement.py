"""What NumPy says of each function of Kern's standard library.

A Row names one expression of Kern and NumPy's function for it; `reference`
computes the expected result. NumPy has no bf16: it is promoted as f16, computed in
f32 and rounded once, and f16 with bf16 is f32. differences.py lists where Kern
differs on purpose.
"""

import dataclasses
import functools
import itertools

import numpy as np

import kernapi

NP = kernapi.NUMPY_TYPE
TYPES = [name for name, _, _ in kernapi.DTYPES if name in NP]
INTEGERS = [t for t in TYPES if t[0] in "iu"]
FLOATS = [t for t in TYPES if t in ("f16", "bf16", "f32", "f64")]
COMPLEX = [t for t in TYPES if t[0] == "c"]


@dataclasses.dataclass(frozen=True)
class Row:
    text: str             # the expression, of a and b
    numpy: object         # NumPy's function
    ulp: float = 0        # for floats, against NumPy in a wider type
    complex_ulp: float = 0
    outputs: int = 1
    least: float = 0      # smaller results have the ULP of this size
    wider: bool = True    # what is not exact is compared with a wider type's
    # How much of the operands' rounding the function itself makes visible.
    amplified: object = None
    # The operands' types that are compared; all that NumPy has, if empty.
    kinds: tuple = ()

    @property
    def name(self):
        return self.text.split("(")[0] if "(" in self.text else self.text

    @property
    def inputs(self):
        return 2 if "b" in self.text.split("(")[-1] else 1


def call(name, **options):
    inputs = options.pop("inputs", 1)
    text = f"{name}({', '.join('ab'[:inputs])})"
    return Row(text, options.pop("numpy", None) or getattr(np, name), **options)


def named(names, **options):
    return [call(name, **options) for name in names.split()]


def exponent_size(a, b):
    """Of complex powers, e to the b log a: the exponent's error is its
    size's."""
    a, b = np.asarray(a, complex), np.asarray(b, complex)
    with np.errstate(all="ignore"):
        size = np.abs(b * np.log(a))
        # Of finite operands it may overflow, and then nothing is left.
        plain = np.isfinite(a) & np.isfinite(b) & (a != 0)
    return np.where(np.isfinite(size), 1 + size, np.where(plain, np.inf, 1))


def select(a, b):
    return np.where(np.asarray(a, bool), a, b)


def reals(a):
    """Types without complex ones; NumPy refuses these, or Kern does."""
    return tuple(t for t in a if t[0] != "c")


UNARY = [
    Row("+a", np.positive), Row("-a", np.negative), Row("~a", np.invert),
    Row("not a", np.logical_not), Row("abs(a)", np.absolute, complex_ulp=2),
    *named("sign", complex_ulp=2), call("round", numpy=np.round),
    *named("floor ceil trunc rint isnan isinf isfinite signbit conjugate "
           "real imag fabs bitwise_count spacing deg2rad rad2deg"),
    *named("square reciprocal", complex_ulp=2, wider=False),
    *named("sqrt", complex_ulp=4),
    *named("cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin "
           "arccos arctan sinh cosh tanh arcsinh arccosh arctanh",
           ulp=4, complex_ulp=4),
    *named("modf frexp", outputs=2),
    # Of the Python functions of NumPy those that are scalar functions.
    call("angle", ulp=4, complex_ulp=4), *named("isreal iscomplex"),
    *named("isposinf isneginf", kinds=reals(TYPES)),
    call("sinc", ulp=4, least=1, kinds=reals(TYPES)),
    call("nan_to_num", kinds=("f16", "f32", "f64")),
    call("fix", kinds=tuple(FLOATS)), call("around", numpy=np.around),
    # Functions of three, of two values.
    Row("clip(a, a, a)", lambda a: np.clip(a, a, a), kinds=(*INTEGERS, *FLOATS)),
]
BINARY = [
    Row("a + b", np.add), Row("a - b", np.subtract),
    Row("a * b", np.multiply, complex_ulp=2, wider=False),
    Row("a / b", np.true_divide, complex_ulp=4, wider=False),
    Row("a // b", np.floor_divide), Row("a % b", np.remainder),
    Row("a & b", np.bitwise_and), Row("a | b", np.bitwise_or),
    Row("a ^ b", np.bitwise_xor), Row("a << b", np.left_shift),
    Row("a >> b", np.right_shift), Row("a < b", np.less),
    Row("a <= b", np.less_equal), Row("a > b", np.greater),
    Row("a >= b", np.greater_equal), Row("a == b", np.equal),
    Row("a != b", np.not_equal),
    *named("maximum minimum fmax fmin logical_and logical_or logical_xor "
           "fmod copysign nextafter heaviside gcd lcm", inputs=2),
    *named("hypot arctan2", inputs=2, ulp=4),
    # Near 0 what the larger operand and its correction leave of each other.
    *named("logaddexp logaddexp2", inputs=2, ulp=4, least=1),
    Row("a ** b", np.power, ulp=4, complex_ulp=16, amplified=exponent_size),
    *named("float_power", inputs=2, ulp=4, complex_ulp=16,
           amplified=exponent_size),
    call("divmod", inputs=2, outputs=2), call("ldexp", inputs=2),
    call("isclose", inputs=2, kinds=tuple(t for t in TYPES if t != "bf16")),
    Row("where(a, a, b)", select),
    Row("clip(b, a, b)", lambda a, b: np.clip(b, a, b),
        kinds=(*INTEGERS, *FLOATS)),
]
# Another name for a row above, NumPy's own name with `np.` before it.
ALIASES = {
    "absolute": "abs", "acos": "arccos", "acosh": "arccosh", "asin": "arcsin",
    "asinh": "arcsinh", "atan": "arctan", "atanh": "arctanh",
    "bitwise_invert": "invert", "bitwise_not": "invert", "conj": "conjugate",
    "degrees": "rad2deg", "radians": "deg2rad", "negative": "negative",
    "positive": "positive", "invert": "invert", "logical_not": "logical_not",
    "atan2": "arctan2", "add": "add", "subtract": "subtract",
    "multiply": "multiply", "divide": "divide", "mod": "remainder",
    "true_divide": "true_divide", "floor_divide": "floor_divide",
    "remainder": "remainder", "pow": "power", "power": "power",
    "bitwise_and": "bitwise_and", "bitwise_or": "bitwise_or",
    "bitwise_xor": "bitwise_xor", "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift", "left_shift": "left_shift",
    "right_shift": "right_shift", "less": "less", "less_equal": "less_equal",
    "greater": "greater", "greater_equal": "greater_equal", "equal": "equal",
    "not_equal": "not_equal",
}
def has_loop(row, kinds):
    """Whether NumPy computes the row for operands of these types."""
    if row.kinds and not set(kinds) <= set(row.kinds):
        return False
    try:
        in_own_types(row, kinds, [np.ones(1, NP[k]) for k in kinds])
    except (TypeError, ValueError):
        return False
    return True


def combinations(row):
    """The types of operands for which the row is compared."""
    every = itertools.product(row.kinds or TYPES, repeat=row.inputs)
    return [kinds for kinds in every if has_loop(row, kinds)]


def common_type(kinds):
    """The name of NumPy's result_type, bf16 standing where f16 stands."""
    has = set(kinds)
    if "bf16" not in has:
        return kernapi.KERN_NAME[np.result_type(*[NP[k] for k in kinds])]
    stand_in = np.result_type(
        *[NP["f16"] if k == "bf16" else NP[k] for k in kinds])
    if stand_in == np.float16:
        return "f32" if "f16" in has else "bf16"
    return kernapi.KERN_NAME[stand_in]


def quiet(function):
    @functools.wraps(function)
    def run(*arguments):
        with np.errstate(all="ignore"):
            return function(*arguments)
    return run


def parts(result):
    return result if isinstance(result, tuple) else (result,)


@quiet
def in_own_types(row, kinds, values):
    """NumPy's results for operands of these very types, as a tuple; TypeError
    where it has no loop."""
    if "bf16" not in kinds:
        return parts(row.numpy(*values))
    if row.name in ("logical_and", "logical_or", "logical_xor", "not a"):
        return parts(row.numpy(*[np.asarray(v, bool) for v in values]))
    stand_in = [v.astype(np.float16) if k == "bf16" else v
                for k, v in zip(kinds, values)]
    shape = parts(row.numpy(*[v.ravel()[:1] for v in stand_in]))
    if row.name == "ldexp":
        common, wide = "bf16", [values[0].astype(np.float32), values[1]]
    else:
        common = common_type(kinds)
        work = NP["f32" if common == "bf16" else common]
        wide = [v.astype(NP[common]).astype(work) for v in values]
    if common == "bf16" and row.name in ("nextafter", "spacing"):
        return (by_bits(row.name, *[v.astype(NP["bf16"]) for v in wide]),)
    results = parts(row.numpy(*wide))
    if common != "bf16":
        return results
    # What NumPy gives as f16 is bf16 here.
    return tuple(
        r.astype(NP["bf16"]) if s.dtype == np.float16 else r.astype(s.dtype)
        for r, s in zip(results, shape))


def by_bits(name, x, y=None):
    """nextafter and spacing of bf16, by steps through all its values."""
    every = np.arange(0x7f81, dtype=np.uint16).view(NP["bf16"])
    line = np.concatenate(
        [-every[:0:-1].astype(np.float32), every.astype(np.float32)])
    if name == "spacing":
        up = by_bits("nextafter", x, np.copysign(
            np.float32(np.inf), x.astype(np.float32)).astype(NP["bf16"]))
        gap = up.astype(np.float32) - x.astype(np.float32)
        gap = np.where(x.astype(np.float32) == 0, np.float32(2.0**-133), gap)
        return np.where(np.isfinite(x.astype(np.float32)), gap, np.nan).astype(
            NP["bf16"])
    x, y = np.broadcast_arrays(x, y)
    fx, fy = x.astype(np.float32), y.astype(np.float32)
    at = np.searchsorted(line, np.nan_to_num(fx, posinf=np.inf, neginf=-np.inf))
    step = np.where(fy > fx, 1, -1)
    moved = line[np.clip(at + step, 0, len(line) - 1)]
    moved = np.where(moved == 0, np.copysign(0.0, fx), moved)
    result = np.where(fx == fy, fy, moved)
    return np.where(np.isnan(fx) | np.isnan(fy), np.nan, result).astype(
        NP["bf16"])


WIDER = {np.dtype(np.float16): np.float64, np.dtype(np.float32): np.float64,
         np.dtype(np.float64): np.longdouble,
         np.dtype(np.complex64): np.complex128,
         np.dtype(np.complex128): np.complex128}
if "bf16" in NP:
    WIDER[NP["bf16"]] = np.float64


@quiet
def in_wider_type(row, kinds, values, own):
    """The result of the functions that are not exact, computed in a wider
    type than NumPy's, so that NumPy's own error is not Kern's."""
    result = own[0].dtype
    if result not in WIDER or not row.wider:
        return own
    if any(v.dtype.kind == "c" for v in values) and result.kind == "f":
        return parts(row.numpy(*[v.astype(np.complex128) for v in values]))
    wide = parts(row.numpy(*[
        v.astype(result).astype(WIDER[result]) for v in values]))
    if result.kind == "f" and "power" in row.numpy.__name__:
        # x87's power of an infinite base is infinite for some large negative
        # exponents.
        infinite = np.isinf(values[0].astype(result))
        wide = (np.where(infinite, own[0], wide[0]),)
    return wide


def distance(actual, expected, smallest=0):
    """How far results are from expected ones, in units in the last place of
    the actual type; of complex numbers in those of the larger part, where both
    parts are finite. 0 for the same NaN, infinity or zero."""
    if actual.dtype.kind == "c":
        re = distance(actual.real, expected.real)
        im = distance(actual.imag, expected.imag)
        size = np.maximum(np.abs(expected.real), np.abs(expected.imag)).astype(
            actual.real.dtype)
        with np.errstate(all="ignore"):
            off = np.abs(actual.astype(np.complex128) -
                         expected.astype(np.complex128)) / np.spacing(
                             size).astype(np.float64)
        finite = np.isfinite(size) & np.isfinite(actual) & \
            np.isfinite(expected)
        return np.where(finite, off, np.maximum(re, im))
    kind = actual.dtype
    digits = 8 if kind == NP.get("bf16") else np.finfo(kind).nmant + 1
    least = -133 if kind == NP.get("bf16") else \
        np.finfo(kind).minexp - np.finfo(kind).nmant
    largest = float(np.finfo(kind).max) if kind != NP.get("bf16") else \
        float(np.float32(2.0) ** 127 * np.float32(2 - 2.0 ** -7))
    wide = np.asarray(expected).astype(np.longdouble)
    got = actual.astype(np.longdouble)
    with np.errstate(all="ignore"):
        exponent = np.frexp(np.maximum(np.abs(wide), smallest))[1] - digits
        unit = np.ldexp(np.longdouble(1), np.maximum(exponent, least))
        off = np.abs(got - wide) / unit
    over = np.abs(wide) > largest * (1 + 2.0 ** -digits / 2)
    rounded = np.where(over, np.copysign(np.inf, wide), wide)
    special = ~np.isfinite(rounded) | ~np.isfinite(got)
    same = (np.isnan(rounded) & np.isnan(got)) | (rounded == got)
    # At the bound between the largest number and infinity rounding decides.
    edge = (np.isinf(got) != np.isinf(rounded)) & \
        (np.abs(np.where(np.isinf(got), rounded, got)) >= largest)
    return np.where(special, np.where(same, 0, np.where(edge, 1, np.inf)), off)
