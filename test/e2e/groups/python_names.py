"""Python's math and cmath: each of their names is one of Kern's, with Python's
values where Python gives one. And what the library has beyond NumPy and Python.
"""

import cmath
import fractions
import itertools
import math
import pathlib
import re

import numpy as np

import agreement
import differences
import kernapi
from groups import bits
from groups.agreement import other_zeros
from suite import Skip

REALS = [0.0, -0.0, 0.3, -0.5, 1.0, -1.0, 1.5, 2.0, -3.0, 7.25, 100.0, 1e-300,
         -1e300, math.inf, -math.inf, math.nan]
PARTS = [0.0, -0.0, 0.5, -1.0, 2.5, 1e308, -1e308, math.inf, -math.inf,
         math.nan]
NUMBERS = [complex(*p) for p in itertools.product(PARTS, PARTS)]
WHOLE = [0, 1, 2, 3, 5, 10, 19, 20, 21, 33, 66, 67, 100, 10**6, 2**40,
         2**62, 2**63 - 1, -1, -2, -7, -(2**63) + 1]

# By the kind of their arguments; "" is a name without values here.
MATH = {
    "float": "acos acosh asin asinh atan atanh cbrt ceil cos cosh degrees erf "
             "erfc exp exp2 expm1 fabs floor frexp gamma isfinite isinf isnan "
             "lgamma log log10 log1p log2 modf radians sin sinh sqrt tan tanh "
             "trunc ulp",
    "floats": "atan2 copysign fmod hypot log nextafter pow",
    "whole": "factorial isqrt", "wholes": "comb gcd lcm perm",
    "sequences": "dist sumprod prod", "third": "fma ldexp",
    # NumPy's, as docs/explanation/numpy-differences.md says.
    "other": "isclose remainder",
}
CMATH = {
    "complex": "acos acosh asin asinh atan atanh cos cosh exp isfinite isinf "
               "isnan log log10 phase polar sin sinh sqrt tan tanh",
    "complexes": "log", "floats": "rect", "other": "isclose",
}
EXACT = set("ceil copysign fabs floor fmod frexp isfinite isinf isnan modf "
            "nextafter sqrt trunc ulp".split())
# Python's two functions that give numbers of another kind than Kern's.
WHOLE_RESULT = {"ceil", "floor", "trunc"}


def names(table, *kinds):
    return [name for kind in kinds for name in table.get(kind, "").split()]


def known(ctx):
    """Each public name of the modules is there, or the page says why not; and
    it is compared with Python's below."""
    def run(t):
        for module, table in ((math, MATH), (cmath, CMATH)):
            compared = set(names(table, *table))
            for name in dir(module):
                label = f"{module.__name__}.{name}"
                if name.startswith("_"):
                    continue
                value = getattr(module, name)
                if name in differences.ABSENT_IN_PYTHON:
                    t.refused(label, lambda: ctx.lib.compile(
                        f"from math import {name}\n"), kernapi.COMPILE, name)
                elif callable(value):
                    ctx.lib.compile(f"from {module.__name__} import {name}\n"
                                    "ufunc f(x):\n    return x\n")
                    # Newer Pythons have more; those that Kern has are NumPy's.
                    t.check(label, name in compared or hasattr(np, name))
                else:
                    got = ctx.call(
                        f"import {module.__name__}\nufunc f(x):\n"
                        f"    return x + {label}\n", "f", np.zeros(1))[0]
                    t.check(label, got == value or (got != got) ==
                            (value != value), f"{got}, Python {value}")
    return run


def python_results(function, arguments):
    """Python's values, None where it raises."""
    found = []
    for values in arguments:
        try:
            found.append(function(*values))
        except (ValueError, OverflowError, ZeroDivisionError):
            found.append(None)
    return found


def is_open(values):
    """Whether C99 leaves the signs of zeros and infinities open: for NaN, and for two
    infinite parts."""
    return any(cmath.isnan(v) or isinstance(v, complex) and
               math.isinf(v.real) and math.isinf(v.imag) for v in values)


def without_signs(x):
    """Zeros and infinities, of each part, without their signs."""
    if x.dtype.kind == "c":
        parts = np.stack([x.real, x.imag], 1)
        return without_signs(parts).copy().view(x.dtype)[:, 0]
    return np.where((x == 0) | np.isinf(x), np.abs(x), x)


def is_amended(name, values):
    """C17 amends C99 where Python does not: a zero beside a NaN."""
    z = values[0]
    return name in ("acosh", "tan", "tanh") and (z.real == 0 or z.imag == 0) \
        and cmath.isnan(z)


def check_values(t, label, got, function, arguments, ulp):
    """Each result against Python's, where there is one."""
    kept = [i for i, value in enumerate(python_results(function, arguments))
            if value is not None and not (
                isinstance(arguments[i][0], complex) and
                is_amended(label, arguments[i]))]
    wanted = [function(*arguments[i]) for i in kept]
    results = got if isinstance(got, (tuple, list)) else [got]
    if wanted and not isinstance(wanted[0], tuple):
        wanted = [(value,) for value in wanted]
    t.check(label + ": some values", len(kept) > len(arguments) // 4, str(kept))
    for part, result in enumerate(results):
        result = np.asarray(result)[kept]
        expected = np.array([value[part] for value in wanted])
        if expected.dtype.kind in "biu":
            bad = result != expected
        else:
            vague = np.array([is_open(arguments[i]) for i in kept])
            compared = np.where(vague, without_signs(result), result)
            expected = np.where(vague, without_signs(expected), expected)
            bad = agreement.distance(
                compared, expected, 1 if label == "lgamma" else 0) > ulp
            bad |= other_zeros(compared, expected)
        at = int(np.argmax(bad)) if bad.any() else 0
        t.check(label, not bad.any(), "" if not bad.any() else
                f"{bad.sum()} differ, of {arguments[kept[at]]}: {result[at]!r}, "
                f"Python {expected[at]!r}")


def call(ctx, name, columns):
    letters = "abcd"[:len(columns)]
    return ctx.call(
        f"ufunc f({', '.join(letters)}):\n"
        f"    return {name}({', '.join(letters)})\n", "f", *columns)


def of_floats(ctx, name, module):
    def run(t):
        function = getattr(module, name)
        table = MATH if module is math else CMATH
        if name in names(table, "float"):
            arguments = [(x,) for x in REALS]
            got = call(ctx, name, [np.array(REALS)])
            if name in WHOLE_RESULT:
                function = lambda x: float(getattr(math, name)(x)) or \
                    math.copysign(0.0, x)
            check_values(t, name, got, function, arguments,
                         0 if name in EXACT else 4)
        if name in names(table, "floats"):
            arguments = list(itertools.product(REALS, REALS))
            columns = [np.array(c) for c in zip(*arguments)]
            if name == "log":
                function = lambda x, base: math.log(x) / math.log(base)
            check_values(t, f"{name} of two", call(ctx, name, columns),
                         function, arguments, 0 if name in EXACT else 4)
    return run


def of_complex(ctx, name):
    def run(t):
        function = getattr(cmath, name)
        check_values(t, name, call(ctx, name, [np.array(NUMBERS)]), function,
                     [(z,) for z in NUMBERS], 4)
    return run


def within(value, low, high):
    return min(max(value, low), high)


def of_whole_numbers(ctx):
    """A result that does not fit is the largest number; outside the domain it is 0."""
    def run(t):
        for kind, low, high in (("i64", -2**63, 2**63 - 1), ("u64", 0, 2**64 - 1)):
            numbers = [n for n in WHOLE if low <= n <= high] + (
                [2**63, 2**64 - 1] if kind == "u64" else [])
            column = np.array(numbers, agreement.NP[kind])
            roots = [math.isqrt(n) if n >= 0 else 0 for n in numbers]
            t.same(f"isqrt of {kind}", call(ctx, "isqrt", [column]),
                   np.array(roots, column.dtype))
            near = np.array([k * k + d for k in (3, 2**16, 2**26, 3037000499)
                             for d in (-1, 0, 1)], column.dtype)
            t.same(f"isqrt of {kind} near squares", call(ctx, "isqrt", [near]),
                   np.array([math.isqrt(int(n)) for n in near], column.dtype))
            products = [0 if n < 0 else within(
                math.factorial(min(n, 30)), low, high) for n in numbers]
            t.same(f"factorial of {kind}", call(ctx, "factorial", [column]),
                   np.array(products, column.dtype))
            pairs = list(itertools.product(numbers, numbers))
            a, b = (np.array(c, column.dtype) for c in zip(*pairs))
            for name in ("comb", "perm"):
                function = getattr(math, name)
                # No product of more than 70 factors of at least 2 fits.
                wanted = [0 if n < 0 or k < 0 or k > n else within(
                    function(n, k if name == "perm" and k <= 70 else
                             min(k, n - k, 70) if name == "comb" else 70),
                    low, high) for n, k in pairs]
                t.same(f"{name} of {kind}", call(ctx, name, [a, b]),
                       np.array(wanted, column.dtype))
            small = np.array([n for n in numbers if abs(n) < 2**20],
                             column.dtype)
            three = list(itertools.product(small.tolist(), repeat=3))[::3]
            columns = [np.array(c, column.dtype) for c in zip(*three)]
            for name in ("gcd", "lcm"):
                with np.errstate(all="ignore"):
                    wanted = [getattr(math, name)(*row) for row in three]
                wanted = [n if n <= high else None for n in wanted]
                rows = [i for i, n in enumerate(wanted) if n is not None]
                got = call(ctx, name, columns)[rows]
                t.same(f"{name} of three {kind}", got, np.array(
                    [wanted[i] for i in rows], column.dtype))
            for name in ("factorial", "perm"):
                t.same(f"{name} of one {kind}", call(ctx, name, [column]),
                       np.array(products, column.dtype))
        for kind in ("i8", "u8", "i16", "u32"):
            info = np.iinfo(agreement.NP[kind])
            column = np.array([0, 1, 24, 25, 26, info.max], agreement.NP[kind])
            t.same(f"isqrt of {kind}", call(ctx, "isqrt", [column]), np.array(
                [math.isqrt(int(n)) for n in column], column.dtype))
    return run


def of_sequences(ctx):
    def run(t):
        rng = ctx.rng(3)
        for count in (0, 1, 3, 100):
            p, q = rng.integers(-9, 9, (2, count)).astype(np.float64)
            text = ("gufunc f(p: [n], q: [n]):\n"
                    "    return dist(p, q), sumprod(p, q)\n")
            got = ctx.call(text, "f", p, q)
            t.same(f"dist of {count}", got[0], np.float64(
                math.dist(p.tolist(), q.tolist())), ulp=2)
            t.same(f"sumprod of {count}", got[1], np.float64(
                sum(a * b for a, b in zip(p, q))))
        x = rng.normal(size=(3, 500)) * 10.0 ** rng.integers(-150, 150, 500)
        t.same("hypot of three", call(ctx, "hypot", list(x)), np.array(
            [math.hypot(*row) for row in x.T]), ulp=4)
    return run


def fused(ctx):
    """One rounding: the exact value as a fraction, rounded by Python."""
    def run(t):
        rng = ctx.rng(4)
        a, b = rng.normal(size=(2, 400))
        c = -a * b * (1 + rng.choice([0, 2.0**-52, 1e-5, 1], 400))
        exact = [float(fractions.Fraction(x) * fractions.Fraction(y) +
                       fractions.Fraction(z)) for x, y, z in zip(a, b, c)]
        t.same("fma", call(ctx, "fma", [a, b, c]), np.array(exact))
        powers = list(itertools.product(REALS, [0, 1, -1, 60, -1074, 2000,
                                                -2**31, 2**31 - 1]))
        x, n = np.array([p[0] for p in powers]), np.array(
            [p[1] for p in powers], np.int32)
        check_values(t, "ldexp", call(ctx, "ldexp", [x, n]), math.ldexp,
                     powers, 0)
        x = np.array(REALS)
        for y, steps in ((1.0, 0), (math.inf, 1), (-2.0, 7), (0.0, 100)):
            got = ctx.call(f"ufunc f(x, y):\n    return nextafter(x, y, {steps})"
                           "\n", "f", x, y)
            wanted = x
            for _ in range(steps):
                wanted = np.nextafter(wanted, y)
            t.same(f"nextafter by {steps}", got, wanted if steps else x)
    return run


def rounded(ctx):
    """round(x, decimals) as NumPy's."""
    def run(t):
        for kind in ("f32", "f64"):
            x = np.append(ctx.rng(5).normal(size=300) * 1000, [
                0.125, -0.5, 2.675, 1e22, math.inf, math.nan]).astype(
                    agreement.NP[kind])
            for decimals in (-3, -1, 0, 1, 2, 8):
                got = ctx.call(f"ufunc f(x):\n    return round(x, {decimals})\n",
                               "f", x)
                t.same(f"round of {kind} to {decimals}", got,
                       np.round(x, decimals))
        # Where the value fits the result and f64, in which NumPy computes.
        for kind in agreement.INTEGERS:
            info = np.iinfo(agreement.NP[kind])
            most = min(info.max - info.max % 1000 or info.max // 10 * 10 - 5,
                       2 ** 52)
            least = max(info.min, -most)
            x = np.append(ctx.rng(6).integers(least, most, 300), [
                0, 5, 15, 25, 50, 95, 105, least, most]).astype(
                    agreement.NP[kind])
            for decimals in (-20, -3, -2, -1, 0, 2):
                got = ctx.call(f"ufunc f(x):\n    return round(x, {decimals})\n",
                               "f", x)
                t.same(f"round of {kind} to {decimals}", got,
                       np.round(x, decimals))
    return run


SETS = {"integers": agreement.INTEGERS, "floats": agreement.FLOATS,
        "complexes": agreement.COMPLEX}
TYPED = re.compile(
    r'^ufunc (\w+)\(([^()]*)\) -> (\w) where \3 in (\([^()]*\)|\w+):\n'
    r'    """(?:(?!""").)*"""\n    (?!\.\.\.$)', re.M | re.S)


def every_loop(ctx):
    """The prelude's ufuncs in Kern give each type that their headers list."""
    def run(t):
        folder = pathlib.Path(__file__).parents[3] / "stdlib" / "prelude"
        if not folder.is_dir():
            raise Skip("the sources of the library are not here")
        count = 0
        for path in sorted(folder.glob("*.kern")):
            for name, parameters, variable, types in TYPED.findall(
                    path.read_text()):
                of = [p.split(": ")[1] for p in parameters.split(", ")]
                names = types.strip("()").split(", ")
                for kind in sum((SETS.get(n, [n]) for n in names), []):
                    columns = [np.full(2, 3).astype(agreement.NP[
                        kind if p == variable else p]) for p in of]
                    got = call(ctx, name, columns)
                    count += 1
                    t.check(f"{name} of {len(of)} {kind}",
                            got.dtype == agreement.NP[kind], str(got.dtype))
        t.check("all of them", count > 30, str(count))
    return run


def nothing_is_untested(ctx):
    """Each function of the prelude is compared with NumPy's or Python's, with
    MPFR's, or in this group or the one of bits by itself."""
    def run(t):
        import accuracy

        folder = pathlib.Path(__file__).parents[3] / "stdlib" / "prelude"
        if not folder.is_dir():
            raise Skip("the sources of the library are not here")
        rows = agreement.UNARY + agreement.BINARY
        tested = {row.name for row in rows}
        tested |= {row.numpy.__name__ for row in rows}
        tested |= set(agreement.ALIASES) | set(agreement.ALIASES.values())
        tested |= {function for function, _ in accuracy.all_functions()}
        tested |= set(names(MATH, *MATH)) | set(names(CMATH, *CMATH))
        tested |= {"complex"}  # the conversions of group agreement
        tested |= set(bits.NAMES)
        tested |= {"comes_before", "sort", "argsort", "partition", "median", "searchsorted"}  # of sorting
        for path in sorted(folder.glob("*.kern")):
            for name in re.findall(r"^(?:g?ufunc|def) (\w+)\(",
                                   path.read_text(), re.M):
                t.check(name, name in tested)
    return run


def cases(ctx):
    yield "every name", known(ctx)
    yield "every function of the library", nothing_is_untested(ctx)
    yield "every loop of the library", every_loop(ctx)
    for name in sorted(set(names(MATH, "float", "floats"))):
        yield f"math.{name}", of_floats(ctx, name, math)
    for name in names(CMATH, "complex"):
        yield f"cmath.{name}", of_complex(ctx, name)
    for name in names(CMATH, "floats"):
        yield f"cmath.{name}", of_floats(ctx, name, cmath)
    yield "whole numbers", of_whole_numbers(ctx)
    yield "sequences", of_sequences(ctx)
    yield "fma, ldexp, steps", fused(ctx)
    yield "round to decimals", rounded(ctx)
