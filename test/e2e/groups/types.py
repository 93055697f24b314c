"""Every operator on every pair of types, over special values, as NumPy.

Where Kern means to differ from NumPy:

- An integer to a negative power known only at run time is the truncated true
  quotient (NumPy raises).
- Conversion from float to integer saturates and takes NaN to 0 on every
  target (in NumPy it is undefined and differs between processors).
- The sign of a NaN, and which zero `maximum(0.0, -0.0)` gives, are free.
"""

import itertools
import operator

import numpy as np

import kernapi
from evaluate import convert

TYPES = ["bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32",
         "f64"]
NP = kernapi.NUMPY_TYPE

BINARY = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}
NAMED = ["maximum", "minimum", "fmax", "fmin", "logical_xor", "gcd", "lcm",
         "fmod", "copysign"]
# The operators of one function: compiling many at once is faster.
TOGETHER = [
    ["+", "*", "/", "<", "<=", ">", ">=", "==", "!="],
    ["-", "//", "%", "maximum", "minimum", "fmax", "fmin"],
    ["&", "|", "^", "<<", ">>"],
]


def expression(op):
    return f"a {op} b" if op in BINARY else f"{op}(a, b)"


def source(ops):
    return ("ufunc f(a, b):\n    return "
            + ", ".join(map(expression, ops)) + "\n")


def special(name):
    """Values at which something can go wrong."""
    dtype = NP[name]
    if name == "bool":
        return np.array([False, True])
    if dtype.kind == "f":
        info = np.finfo(dtype)
        positive = [0.0, 0.5, 1, 1.5, 2, 2.5, 3, 7, 100, 255.75, 1e10,
                    float(info.max), float(info.tiny),
                    float(info.smallest_subnormal), np.inf]
        return np.array(positive + [-x for x in positive] + [np.nan], dtype)
    info = np.iinfo(dtype)
    numbers = {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, 100,
               info.max, info.max - 1, info.max // 2, info.max // 3}
    if info.min:
        numbers |= {-1, -2, -3, -7, -8, -31, -64, -100, info.min,
                    info.min + 1, info.min // 2}
    return np.array(sorted(n for n in numbers if n <= info.max), dtype)


def numpy_result(op, a, b):
    with np.errstate(all="ignore"):
        if op in BINARY:
            return BINARY[op](a, b)
        return getattr(np, op)(a, b)


def possible(op, a, b):
    try:
        numpy_result(op, a[:1], b[:1])
        return True
    except TypeError:
        return False


def zero_sign(op):
    return op not in ("maximum", "minimum", "fmax", "fmin")


def pair(ctx, left, right):
    def run(t):
        a = special(left)[:, None]
        b = special(right)[None, :]
        for ops in TOGETHER:
            ops = [op for op in ops if possible(op, a, b)]
            if not ops:
                continue
            try:
                got = ctx.call(source(ops), "f", a, b)
            except kernapi.KernError:
                got = None
            if len(ops) == 1 and got is not None:
                got = (got,)
            for i, op in enumerate(ops):
                value = got[i] if got is not None else ctx.call(
                    source([op]), "f", a, b)
                t.same(f"{left} {op} {right}", value, numpy_result(op, a, b),
                       zero_sign=zero_sign(op))
    return run


def not_in_numpy(ctx):
    """Kern refuses what NumPy refuses, and says why."""
    def run(t):
        for left, right in itertools.product(TYPES, repeat=2):
            a, b = special(left), special(right)
            for op in list(BINARY) + ["gcd"]:
                # The counts of shifts may have any integer type.
                if possible(op, a, b) or (op in ("<<", ">>") and "u64" in (
                        left, right) and {left[0], right[0]} <= {"i", "u"}):
                    continue
                # One column against one row is enough.
                t.refused(f"{left} {op} {right}", lambda: ctx.call(
                    source([op]), "f", a[:1], b[:1]),
                    (kernapi.TYPE, kernapi.COMPILE))
    return run


def bools_as_numpy(ctx):
    """`-` of bool is an error; `+` is or, `*` is and."""
    def run(t):
        x = np.array([False, True])
        t.refused("bool - bool", lambda: ctx.call(source(["-"]), "f", x, x),
                  (kernapi.TYPE, kernapi.COMPILE), "bool")
        t.refused("-bool", lambda: ctx.call(
            "ufunc f(a):\n    return -a\n", "f", x),
            (kernapi.TYPE, kernapi.COMPILE), "bool")
    return run


def named(ctx, name):
    def run(t):
        for left in TYPES:
            for right in TYPES:
                if NP[left].itemsize < 2 and NP[right].itemsize < 2 and \
                        name == "copysign":
                    continue  # float16 in NumPy
                a, b = special(left)[:, None], special(right)[None, :]
                if not possible(name, a, b):
                    continue
                if name == "lcm":  # NumPy overflows in its own way
                    a, b = (x[np.abs(x.astype(float)) < 100].reshape(s)
                            for x, s in ((a.ravel(), (-1, 1)),
                                         (b.ravel(), (1, -1))))
                if name == "gcd":  # of MIN, likewise
                    a, b = (x[x.astype(float) > -127].reshape(s)
                            for x, s in ((a.ravel(), (-1, 1)),
                                         (b.ravel(), (1, -1))))
                t.same(f"{name}({left}, {right})",
                       ctx.call(source([name]), "f", a, b),
                       numpy_result(name, a, b))
    return run


UNARY = {
    "+a": np.positive, "-a": np.negative, "~a": np.invert, "abs(a)": np.abs,
    "not a": np.logical_not, "square(a)": np.square, "sign(a)": np.sign,
    "floor(a)": np.floor, "ceil(a)": np.ceil, "trunc(a)": np.trunc,
    "isnan(a)": np.isnan, "isinf(a)": np.isinf, "isfinite(a)": np.isfinite,
    "a ** 2": lambda a: a ** 2, "a ** 3": lambda a: a ** 3,
    "a ** 1": lambda a: a ** 1, "a ** 0": lambda a: a ** 0,
    "bitwise_count(a)": np.bitwise_count, "invert(a)": np.invert,
}


def unary(ctx, text):
    def run(t):
        rounds = text.split("(")[0] in ("floor", "ceil", "trunc")
        for name in TYPES:
            if text == "a ** 2" and name == "bool":
                continue  # NumPy's shortcut squares in i8; its promotion is i64
            a = special(name)
            program = f"ufunc f(a):\n    return {text}\n"
            try:
                with np.errstate(all="ignore"):
                    expected = UNARY[text](a)
            except TypeError:
                t.refused(f"{text} of {name}", lambda: ctx.call(
                    program, "f", a), (kernapi.TYPE, kernapi.COMPILE), name)
                continue
            if rounds and a.dtype.kind not in "f":
                expected = a  # as NumPy since 2.1
            ulp = 2 if text == "a ** 3" and a.dtype.kind == "f" else 0
            t.same(f"{text} of {name}", ctx.call(program, "f", a), expected,
                   ulp=ulp)
    return run


def powers(ctx, left):
    """Non-negative integer exponents, wrapping as NumPy; and floats."""
    def run(t):
        for right in TYPES:
            a = special(left)
            if NP[right].kind == "f" or NP[left].kind == "f":
                b = special(right)
                if NP[right].kind == "f":
                    b = np.append(b, np.array([-0.5, 1 / 3], NP[right]))
            else:
                b = np.array([0, 1, 2, 3, 7, 8, 63, 64, 65], np.int64)
                b = b.astype(NP[right]) if right != "bool" else \
                    np.array([False, True])
            a, b = a[:, None], b[None, :]
            common = np.result_type(a, b)
            with np.errstate(all="ignore"):
                if common.kind == "f":
                    wide = np.longdouble if common == np.float64 \
                        else np.float64
                    expected = a.astype(common).astype(wide) ** b.astype(
                        common).astype(wide)
                    # x87's power of -inf to a large even power is inf, where
                    # C99's Annex F, and NumPy in f64, have 0.
                    expected = np.where(
                        np.isinf(a.astype(common)),
                        a.astype(common) ** b.astype(common), expected)
                    got = ctx.call("ufunc f(a, b):\n    return a ** b\n",
                                   "f", a, b)
                    t.check(f"{left} ** {right} type", got.dtype == common,
                            f"{got.dtype}, expected {common}")
                    t.same(f"{left} ** {right}", got, expected, ulp=4,
                           any_type=True)
                elif common.kind == "i" and np.any(b.astype(float) < 0):
                    continue
                else:
                    if NP[right] == np.int8 or right == "bool":
                        b = np.abs(b) if right != "bool" else b
                    t.same(f"{left} ** {right}", ctx.call(
                        "ufunc f(a, b):\n    return a ** b\n", "f", a, b),
                        np.power(a, b))
    return run


def negative_powers(ctx):
    def run(t):
        for name in ("i8", "i16", "i32", "i64"):
            a = np.array([1, -1, 2, -2, 3, 100], NP[name])[:, None]
            b = np.array([-1, -2, -3, -7], NP[name])[None, :]
            expected = np.where(
                a == 1, 1, np.where(a == -1, np.where(b % 2 == 0, 1, -1), 0))
            t.same(f"{name} ** negative", ctx.call(
                "ufunc f(a, b):\n    return a ** b\n", "f", a, b),
                expected.astype(NP[name]))
        for exponent in ("-2", "i8(-2)"):
            t.refused(f"negative constant {exponent}", lambda: ctx.call(
                f"ufunc f(a):\n    return a ** {exponent}\n", "f",
                np.arange(3)), (kernapi.TYPE, kernapi.COMPILE), "power")
    return run


def square_roots(ctx):
    """`x ** 0.5` is sqrt(x), to the bit."""
    def run(t):
        for name in ("f32", "f64"):
            x = np.abs(special(name)[:15])
            x = np.append(x, ctx.rng(1).random(200).astype(NP[name]))
            t.same(name, ctx.call(
                "ufunc f(a):\n    return a ** 0.5\n", "f", x), np.sqrt(x))
            t.same(name + " square", ctx.call(
                "ufunc f(a):\n    return a ** 2\n", "f", x), x * x)
    return run


def conversions(ctx, target):
    def run(t):
        for name in TYPES:
            a = special(name)
            if NP[name].kind == "f":
                a = np.append(a, np.array(
                    [127.5, 128.5, -129, 255.5, 256.5, 32768.5, 65536.5,
                     2.0**31, -2.0**31, 2.0**32, 2.0**63, -2.0**63, 2.0**64,
                     1e30, -1e30], NP[name]))
            t.same(f"{target}({name})", ctx.call(
                f"ufunc f(a):\n    return {target}(a)\n", "f", a),
                np.asarray(convert(a, NP[target])).astype(NP[target]))
    return run


def python_names(ctx):
    def run(t):
        x = np.array([-2.5, -0.0, 1.9, 300.0], np.float32)
        for name, dtype in [("int", "i64"), ("float", "f64"),
                            ("bool", "bool")]:
            t.same(name, ctx.call(f"ufunc f(a):\n    return {name}(a)\n",
                                  "f", x), convert(x, NP[dtype]))
        x = np.array([1, 200, 255], np.uint8)
        t.same("u8 through numpy's names", ctx.call(
            "ufunc f(a):\n    return int16(a) + float32(a)\n", "f", x),
            x.astype(np.int16) + x.astype(np.float32))
    return run


def declared_results(ctx):
    """A returned value converts to the declared type under same_kind."""
    def run(t):
        x = np.array([1, 200, -7, 40000], np.int32)
        for target in TYPES:
            program = f"ufunc f(a: i32) -> {target}:\n    return a * 3\n"
            if np.can_cast(np.int32, NP[target], "same_kind"):
                t.same(f"i32 as {target}", ctx.call(program, "f", x),
                       (x * 3).astype(NP[target]))
            else:
                t.refused(f"i32 as {target}", lambda: ctx.call(
                    program, "f", x), (kernapi.COMPILE, kernapi.TYPE),
                    "i32", target)
        f = np.array([1.5, -2.25, 1e300])
        with np.errstate(over="ignore"):
            t.same("f64 as f32", ctx.call(
                "ufunc f(a: f64) -> f32:\n    return a * 2\n", "f", f),
                (f * 2).astype(np.float32))
        t.refused("f64 as i32", lambda: ctx.call(
            "ufunc f(a: f64) -> i32:\n    return a * 2\n", "f", f),
            (kernapi.COMPILE, kernapi.TYPE), "f64", "i32")
    return run


def joins(ctx):
    """Where paths meet, the type is result_type of the set."""
    def run(t):
        program = """
ufunc f(s, a, b, c):
    if s == 0:
        r = a
    elif s == 1:
        r = b
    else:
        r = c
    return r
"""
        s = np.array([0, 1, 2])
        for trio in [("i16", "u16", "f32"), ("i8", "u8", "bool"),
                     ("u8", "i16", "u32"), ("i64", "u64", "f32"),
                     ("bool", "bool", "bool"), ("f32", "i16", "u8"),
                     ("u32", "i32", "i8")]:
            values = [NP[n].type(v) for n, v in zip(trio, (1, 0, 1))]
            expected = np.array(
                [1, 0, 1], np.result_type(*[NP[n] for n in trio]))
            t.same(" ".join(trio), ctx.call(program, "f", s, *values),
                   expected)
        # Pair by pair, i16, u16 and f32 would be f64.
        t.same("sum of three in one expression", ctx.call(
            "ufunc f(a, b, c):\n    return a + b + c\n", "f",
            np.int16(1), np.uint16(2), np.ones(2, np.float32)),
            np.int16(1) + np.uint16(2) + np.ones(2, np.float32))
    return run


def cases(ctx):
    for left in TYPES:
        for right in TYPES:
            yield f"{left} with {right}", pair(ctx, left, right)
    yield "what NumPy refuses", not_in_numpy(ctx)
    yield "bools", bools_as_numpy(ctx)
    for name in ("logical_xor", "gcd", "lcm", "fmod", "copysign"):
        yield name, named(ctx, name)
    for text in UNARY:
        yield text, unary(ctx, text)
    for left in TYPES:
        yield f"{left} to powers", powers(ctx, left)
    yield "negative powers", negative_powers(ctx)
    yield "square roots", square_roots(ctx)
    for target in TYPES:
        yield f"to {target}", conversions(ctx, target)
    yield "Python's and NumPy's names", python_names(ctx)
    yield "declared results", declared_results(ctx)
    yield "joins", joins(ctx)
