"""Where Kern differs from NumPy and Python, and why.

The tests leave out what is listed here, and docs/explanation/numpy-differences.md is made
from it:

    python3 differences.py > docs/explanation/numpy-differences.md
"""

import dataclasses
import functools

import numpy as np

from agreement import (BINARY, COMPLEX, FLOATS, INTEGERS, TYPES, UNARY,
                       combinations)

# NumPy ufuncs that Kern lacks, and why.
ABSENT = {
    "isnat": "there are no dates",
    "matmul": "not for scalars; a body has it, and `@`, of arrays of one or two dimensions",
    "vecdot": "a body has `dot`, and `vecdot` of `linalg`",
    "matvec": "`matmul`", "vecmat": "`matmul`",
}


# What Python's math and cmath have and Kern lacks.
ABSENT_IN_PYTHON = {
    "fsum": "an exactly rounded sum of a list: `sum` of an array adds floats "
            "with rounding",
}


@dataclasses.dataclass(frozen=True)
class Difference:
    what: str
    numpy: str
    kern: str
    reason: str
    # (row's name, operand types) -> whether the row is not compared there.
    rows: tuple = ()
    types: tuple = ()
    # A mask of the operands' values that are not compared.
    where: object = None


def any_nonfinite(*x):
    return functools.reduce(np.logical_or, [~np.isfinite(v) for v in x])


DIFFERENCES = [
    Difference(
        "float to integer out of range", "undefined, differs by processor",
        "saturates; NaN is 0", "one answer on every target"),
    Difference(
        "stores to `b = y.view(i64)` or `b = real(y)` of an array", "are seen through `y`",
        "are not: `b` has elements of its own",
        "a name has one type of elements; functions of arrays give new ones"),
    Difference(
        "a weak number where the loops are listed with wider types first, as "
        "`T in (f64, f32)`", "the first loop: `f(f32, 1.0)` is f64",
        "the loop of the typed arguments' own types: f32",
        "a literal never widens f32 data"),
    Difference(
        "the memory of a gufunc's new result, if `axis` or `axes` moves its core dimensions "
        "from the end", "its core elements are neighbours",
        "lies as the inputs with as many core dimensions do",
        "as `np.cumsum` and `np.sort`; neighbours in inputs are neighbours in results"),
    Difference(
        "`ldexp(x, n)` of a Python number n past 32 bits", "raises",
        "the value: infinity or 0", "the result exists"),
    Difference(
        "integer to a negative power known at run time", "raises",
        "the truncated true quotient", "a kernel cannot raise",
        rows=("a ** b",), types=tuple(INTEGERS),
        where=lambda a, b: b.astype(float) < 0),
    Difference(
        "integer `reciprocal(0)`", "undefined", "0", "as `1 // 0`",
        rows=("reciprocal",), types=tuple(INTEGERS) + ("bool",),
        where=lambda a: a == 0),
    Difference(
        "`maximum minimum fmax fmin` of 0.0 and -0.0",
        "either, by the array's length",
        "the larger or smaller by sign", "one answer at every position",
        rows=("maximum", "minimum", "fmax", "fmin"),
        types=(*FLOATS, *INTEGERS, "bool"),
        where=lambda a, b: (a == 0) & (b == 0)),
    Difference(
        "`nextafter` of equal f16", "the first operand",
        "the second", "as C, and as NumPy's f32 and f64",
        rows=("nextafter",), types=("f16", "bf16", "bool", "i8", "u8"),
        where=lambda a, b: a == b),
    Difference(
        "`spacing` of negative f16", "that of its size or half of it",
        "negative, as large as of the positive number",
        "as NumPy's f32 and f64", rows=("spacing",),
        types=("f16", "bool", "i8", "u8"), where=lambda a: a < 0),
    Difference(
        "`gcd` and `lcm` where the result has no room",
        "overflows in its own way", "wraps", "integers wrap",
        rows=("gcd", "lcm"), types=tuple(INTEGERS),
        where=lambda a, b: (np.abs(a.astype(float)) > 100) |
        (np.abs(b.astype(float)) > 100)),
    Difference(
        "complex `expm1` with an infinite or NaN part, or on the real axis",
        "NaN where its formula multiplies 0 by infinity",
        "the special values of `exp`, less 1",
        "Annex G's rules for `exp`",
        rows=("expm1",), types=tuple(COMPLEX),
        where=lambda a: any_nonfinite(a)),
    Difference(
        "c64 functions where f32 overflows on the way",
        "computed in f32: infinite or NaN",
        "computed in f64 and rounded: the value",
        "the result exists"),
    Difference(
        "the sign of a NaN, and which of several NaN", "as it comes",
        "as it comes", "not part of a value"),
    Difference(
        "complex powers past 2^50 radians", "some point of the circle",
        "some point of the circle",
        "an error in the last place of the logarithm turns the angle all around"),
    Difference(
        "complex `exp2` of large imaginary parts",
        "the angle y ln 2 is rounded once: wrong by up to y / 10^16 radians",
        "to the stated ULP for every y", "the value"),
    Difference(
        "`nan_to_num` and `fix` of integers", "themselves",
        "`nan_to_num` f64, `fix` themselves",
        "`nan_to_num` is a function of floats"),
    Difference(
        "`nan_to_num`, `sinc` of complex numbers", "by parts, by its formula",
        "refused", "functions of floats"),
    Difference(
        "`sinc` of whole numbers", "about 1e-17", "0", "the value"),
    Difference(
        "`math.remainder`, `math.isclose`, `math.fmod` …",
        "Python's `remainder` is IEEE's, its `isclose` is symmetric",
        "a prefix changes nothing: NumPy's functions",
        "one meaning for a name"),
    Difference(
        "`math.factorial`, `comb`, `perm` past the range of the type",
        "longer integers", "the largest integer", "integers have a size"),
    Difference(
        "`round(x, decimals)` of integers, to tens and more",
        "by way of f64, exact below 2^53", "exact",
        "the value; past the range of the type both wrap"),
    Difference(
        "`out` of `accumulate` and `reduceat` that is larger than the result",
        "the array broadcasts to it", "refused", "`reduce` refuses it as well"),
    Difference(
        "an empty range as an argument: `range(0)`",
        "an array of f64, as of any empty list",
        "an array of i64, as `np.arange(0)`", "a range is of integers"),
    Difference(
        "`a @ b`, `matmul` and `dot` of narrow integers in a body",
        "summed in their own type",
        "products of their own type, summed in 64 bits",
        "as `sum(a * b)`"),
    Difference(
        "`x * arange(n)` of an f32 array in a body, `x[i] * i`", "f64",
        "f32: indices, and what is computed from them, have the type of a float beside them",
        "an index never widens f32 data"),
    Difference(
        "an index of a body that is negative at run time", "counts from the end",
        "undefined; `--check=bounds` finds it, and a warning names it where the code shows it",
        "no access is tested"),
    Difference(
        "a slice with constant bounds of an array that is shorter, `x[:9]`",
        "ends where the array does",
        "an error at the call, if the slice is surely taken; else undefined, and `--check=bounds` finds it",
        "parts of constant size stay so; `x[:min(9, n)]` ends where the array does"),
    Difference(
        "a constant index beyond an array, `x[8]` of six elements, or one of a reduction over constants", "raises",
        "an error at the call, if the access is surely made; else undefined, and `--check=bounds` finds it",
        "no access is tested"),
    Difference(
        "`t[i]` of a tuple of numbers with an index at run time",
        "the type of that element", "the type that all promote to",
        "types are known before a kernel runs"),
    Difference(
        "arrays of different sizes in an expression of a body, on a path that a "
        "call does not take",
        "no error", "an error",
        "each call compares sizes before a kernel runs"),
    Difference(
        "an array that a loop binds again to one of another type",
        "has that type from then on", "an error, K0531",
        "an array has one type in all iterations"),
    Difference(
        "`a if c else b` of arrays of two types in a body",
        "the type of the one that is chosen", "the type that both promote to",
        "types are known before a kernel runs"),
    Difference(
        "`x if c else 3.0` of an array and a number in a body",
        "the number, where c is false", "an array of x's shape, filled with it",
        "a name has one rank on all paths"),
    Difference(
        "`max` and `min` of a generator whose `if` keeps nothing",
        "raise", "the smallest and the largest value of the type, of floats "
        "the infinities", "a kernel cannot raise"),
    Difference(
        "`math` functions out of their domain", "raise",
        "NaN or an infinity; of whole numbers 0", "a kernel cannot raise"),
]


def difference_of(row, kinds):
    """The difference that keeps `row` from being compared at some values."""
    for difference in DIFFERENCES:
        if row.name in difference.rows and difference.where and \
                all(k in difference.types for k in kinds):
            return difference
    return None


def page():
    count = sum(len(combinations(row)) for row in UNARY + BINARY)
    lines = [
        "# Where Kern differs from NumPy", "",
        "The tests compare every operator and function that NumPy has with "
        "NumPy, for every combination of types over special values",
        "(`test/e2e/agreement.py`): the same result type, and the same value, "
        "exactly for integers, comparisons, conversions and",
        "rounding, to 4 ULP for the rest. These are "
        f"{len(UNARY) + len(BINARY)} functions and operators and {count} "
        f"combinations of them with the {len(TYPES)}",
        "types, beside every function of Python's `math` and `cmath`. What is "
        "listed here is what they leave out, and this page is made from",
        "that list.", "",
        "| what | NumPy | Kern | because |", "| --- | --- | --- | --- |"]
    lines += [f"| {d.what} | {d.numpy} | {d.kern} | {d.reason} |"
              for d in DIFFERENCES]
    lines += ["", "NumPy ufuncs that Kern lacks:", "",
              "| ufunc | because |", "| --- | --- |"]
    lines += [f"| `{name}` | {why} |" for name, why in ABSENT.items()]
    lines += ["", "Names of Python's `math` that Kern lacks:", "",
              "| name | because |", "| --- | --- |"]
    lines += [f"| `{name}` | {why} |" for name, why in ABSENT_IN_PYTHON.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
