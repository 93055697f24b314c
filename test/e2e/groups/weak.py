"""Weak literals and arguments (NEP 50), and which loop a call takes."""

import numpy as np

import kernapi
from kernapi import COMPILE, TYPE, ARGUMENT

ALL = ["bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32",
       "f64"]
NP = kernapi.NUMPY_TYPE
REFUSED = (COMPILE, TYPE, ARGUMENT)


def literals(ctx):
    """A literal takes the type of what it meets, as a Python number does."""
    def run(t):
        for text, python in [
                ("x + 1", lambda x: x + 1),
                ("x * 2.5", lambda x: x * 2.5), ("0.5 * x", lambda x: .5 * x),
                ("x / 2", lambda x: x / 2), ("x // 2", lambda x: x // 2),
                ("x % 3", lambda x: x % 3), ("x + True", lambda x: x + True),
                ("x < 1.5", lambda x: x < 1.5), ("x == 1", lambda x: x == 1),
                ("maximum(x, 1)", lambda x: np.maximum(x, 1)),
                ("maximum(x, 0.5)", lambda x: np.maximum(x, 0.5)),
                ("where(x > 0, x, 0)", lambda x: np.where(x > 0, x, 0)),
                ("x + 2 ** 3", lambda x: x + 2 ** 3),
                ("x + (1 + 0.5)", lambda x: x + (1 + 0.5)),
                ("x * pi", lambda x: x * np.pi),
                ("x + sqrt(2)", lambda x: x + float(np.sqrt(2)))]:
            for name in ALL:
                x = np.array([0, 1, 1], NP[name])
                t.same(f"{text} of {name}", ctx.call(
                    f"ufunc f(x):\n    return {text}\n", "f", x),
                    np.asarray(python(x)))
    return run


def constants(ctx):
    def run(t):
        weak = "const K = 2.5\nufunc f(x):\n    return K * x\n"
        typed = "const K: f64 = 2.5\nufunc f(x):\n    return K * x\n"
        x = np.ones(3, np.float32)
        t.same("untyped stays weak", ctx.call(weak, "f", x),
               x * np.float32(2.5))
        t.same("typed does not", ctx.call(typed, "f", x),
               x * np.float64(2.5))
        chain = ("const A = 3\nconst B = A * 2 + 1\nconst C = B / 2\n"
                 "ufunc f(x):\n    return x * C + A\n")
        t.same("constants of constants", ctx.call(chain, "f", x),
               x * 3.5 + 3)
        local = "ufunc f(x):\n    k = 2\n    k = k + 0.5\n    return k * x\n"
        t.same("variables of weak values stay weak", ctx.call(local, "f", x),
               x * 2.5)
    return run


def bool_constants(ctx):
    """A constant bool is 1 or 0 wherever a number may be, never -1."""
    def run(t):
        for text, python in [
                ("x ** True", lambda x: x ** True),
                ("x ** False", lambda x: x ** False),
                ("x ** (2 > 1)", lambda x: x ** True),
                ("x * True", lambda x: x * True),
                ("x + True", lambda x: x + True),
                ("x / True", lambda x: x / True),
                ("x // True", lambda x: x // True),
                ("x % True", lambda x: x % True),
                ("x < True", lambda x: x < True),
                ("x == True", lambda x: x == True),  # noqa: E712
                ("maximum(x, True)", lambda x: np.maximum(x, True)),
                ("hypot(x, True)", lambda x: np.hypot(x, True)),
                ("ldexp(x, True)", lambda x: np.ldexp(x, True)),
                ("where(x > 1, x, True)", lambda x: np.where(x > 1, x, True))]:
            for name in ALL:
                x = np.array([0, 1, 3], NP[name])
                t.same(f"{text} of {name}", ctx.call(
                    f"ufunc f(x):\n    return {text}\n", "f", x),
                    np.asarray(python(x)), ulp=1 if "hypot" in text else 0)
        for text, python in [("x << True", lambda x: x << True),
                             ("x >> True", lambda x: x >> True),
                             ("x & True", lambda x: x & True),
                             ("x ^ True", lambda x: x ^ True)]:
            for name in ALL[1:9]:
                x = np.array([0, 1, 3], NP[name])
                t.same(f"{text} of {name}", ctx.call(
                    f"ufunc f(x):\n    return {text}\n", "f", x), python(x))
    return run


def out_of_range(ctx):
    def run(t):
        for name, value in [("u8", 300), ("u8", -1), ("i8", 128),
                            ("i16", 40000), ("u32", -5), ("i32", 2**31),
                            ("u64", -1), ("i64", 2**63)]:
            x = np.ones(2, NP[name])
            text = f"ufunc f(x):\n    return x + ({value})\n"
            t.refused(f"{name} + {value}", lambda: ctx.call(text, "f", x),
                      (COMPILE, TYPE), name, str(abs(value)))
            if abs(value) >= 2**63:
                continue
            # Comparisons are by value.
            for op in ("<", ">", "==", "!="):
                t.same(f"{name} {op} {value}", ctx.call(
                    f"ufunc f(x):\n    return x {op} ({value})\n", "f", x),
                    np.array([eval(f"1 {op} ({value})")] * 2))
        t.same("u64 holds its own", ctx.call(
            f"ufunc f(x):\n    return x + {2**63}\n", "f",
            np.ones(1, np.uint64)), np.array([2**63 + 1], np.uint64))
    return run


def weak_arguments(ctx):
    text = "ufunc add(a, b):\n    return a + b\n"

    def run(t):
        for name in ALL:
            x = np.array([0, 1, 1], NP[name])
            t.same(f"{name} + int", ctx.call(text, "add", x, 2), x + 2)
            t.same(f"int + {name}", ctx.call(text, "add", 2, x), 2 + x)
            t.same(f"{name} + float", ctx.call(text, "add", x, 2.5), x + 2.5)
        t.same("int + int", ctx.call(text, "add", 1, 2), np.array(3))
        t.same("int + float", ctx.call(text, "add", 1, 2.5), np.array(3.5))
        t.same("typed scalar is typed", ctx.call(
            text, "add", np.ones(2, np.float32), np.float64(2)),
            np.ones(2, np.float32) + np.float64(2))
        t.same("0-d array is typed", ctx.call(
            text, "add", np.ones(2, np.float32), np.array(2.0)),
            np.ones(2, np.float32) + np.array(2.0))
        t.same("bool is typed", ctx.call(
            text, "add", np.ones(2, np.int8), True), np.ones(2, np.int8) + True)
        for name, value in [("u8", 300), ("u8", -1), ("i16", 2**15)]:
            x = np.ones(2, NP[name])
            t.refused(f"{name} + {value}", lambda: ctx.call(
                text, "add", x, value), REFUSED, name, str(abs(value)))
            t.same(f"{name} < {value}", ctx.call(
                "ufunc less(a, b):\n    return a < b\n", "less", x, value),
                np.array([1 < value] * 2))
        # A specialisation depends on a number's kind, never on its value: each of
        # these must be computed with its own value.
        for value in (1, 2, 250, 0):
            t.same(f"u8 + {value}", ctx.call(
                text, "add", np.ones(2, np.uint8), value),
                np.ones(2, np.uint8) + value)
    return run


TWO_LOOPS = """
ufunc half(x: T) -> T where T in (f32, f64):
    return x * 0.5
"""


def loop_choice(ctx):
    def run(t):
        # Each type goes to the first loop to which it casts safely.
        for name, loop in [("bool", "f32"), ("i8", "f32"), ("u8", "f32"),
                           ("i16", "f32"), ("u16", "f32"), ("i32", "f64"),
                           ("u32", "f64"), ("i64", "f64"), ("u64", "f64"),
                           ("f32", "f32"), ("f64", "f64")]:
            x = np.array([0, 1, 1], NP[name])
            t.same(name, ctx.call(TWO_LOOPS, "half", x),
                   x.astype(NP[loop]) * NP[loop].type(0.5))
        t.same("weak int alone", ctx.call(TWO_LOOPS, "half", 3),
               np.array(1.5))
        t.same("weak float alone", ctx.call(TWO_LOOPS, "half", 3.0),
               np.array(1.5))
        later = ("ufunc f(x: T) -> T where T in (f64, f32):\n"
                 "    return x * 0.5\n")
        x = np.arange(3, dtype=np.int16)
        t.same("listed order decides", ctx.call(later, "f", x), x * 0.5)
        x = np.arange(3, dtype=np.float32)
        t.same("but an exact match is taken", ctx.call(later, "f", x),
               x * np.float32(0.5))
        three = ("ufunc f(x: T, m: T, s: T) -> T where T in (f32, f64):\n"
                 "    return (x - m) / s\n")
        t.same("weak arguments follow", ctx.call(three, "f", x, 1, 2.0),
               (x - np.float32(1)) / np.float32(2))
        t.same("one f64 takes all", ctx.call(
            three, "f", x, np.float64(1), 2.0), (x - np.float64(1)) / 2.0)
    return run


def several_variables(ctx):
    def run(t):
        rows = ("ufunc f(x: T, n: I) -> T where (T, I) in "
                "((f32, i32), (f64, i64)):\n    return x * n\n")
        f32, f64 = np.ones(3, np.float32), np.ones(3)
        i16, i32, i64 = (np.arange(3, dtype=d) for d in
                         (np.int16, np.int32, np.int64))
        for label, x, n, kind in [
                ("exact", f32, i32, np.float32), ("both", f64, i64, float),
                ("narrow", f32, i16, np.float32),
                ("wide index", f32, i64, float),
                ("wide value", f64, i32, float)]:
            got = ctx.call(rows, "f", x, n)
            t.same("rows " + label, got, (x * n).astype(kind))
        product = ("ufunc f(x: T, n: I) -> T where T in (f32, f64), "
                   "I in (i32, i64):\n    return x + T(n)\n")
        for x in (f32, f64):
            for n in (i16, i32, i64):
                t.same(f"product {x.dtype} {n.dtype}",
                       ctx.call(product, "f", x, n), x + n.astype(x.dtype))
        manifest = ctx.module(product).manifest()
        loops = manifest["functions"][0]["loops"]
        t.check("four loops", len(loops) == 4, str(loops))
    return run


def no_loop(ctx):
    def run(t):
        text = "ufunc g(x: T) -> T where T in (i32, f32):\n    return x\n"
        t.refused("f64", lambda: ctx.call(text, "g", np.ones(2)), TYPE, "g",
                  "f64", "i32", "f32", "where")
        t.refused("i64", lambda: ctx.call(
            text, "g", np.ones(2, np.int64)), TYPE, "i64", "i32", "f32")
        fixed = "ufunc h(a: i16, b: f32) -> f32:\n    return a * b\n"
        t.refused("second argument", lambda: ctx.call(
            fixed, "h", np.ones(2, np.int8), np.ones(2)), TYPE, "f64", "b")
        t.refused("first argument", lambda: ctx.call(
            fixed, "h", np.ones(2, np.int32), np.ones(2, np.float32)), TYPE,
            "i32", "a")
        t.same("what fits", ctx.call(
            fixed, "h", np.ones(2, np.int8), np.full(2, 3, np.float32)),
            np.full(2, 3, np.float32))
    return run


def index_values(ctx):
    """Indices and dimensions never widen f32, and are i64 beside integers."""
    def run(t):
        text = """
gufunc weighted(v: [n]):
    acc = 0
    for i in range(n):
        acc += i * v[i]
    return acc

gufunc averaged(v: [n]):
    return sum(v) / n

gufunc powers(v: [n]):
    acc = 0.0
    for i in range(n):
        acc += v[i] * 0.5 ** i
    return acc

gufunc ramp(v: T[n]) -> (r: T[n]) where T in (i32, f32, f64):
    for i in range(n):
        r[i] = i

gufunc ratio(v: [n]):
    acc = 0
    for i in range(n):
        acc += v[i] * (i / n)
    return acc
"""
        f = np.array([1, 2, 4, 8], np.float32)
        i = np.array([1, 2, 4, 8], np.int32)
        t.same("i * f32", ctx.call(text, "weighted", f),
               np.array(34, np.float32))
        t.same("i * i32", ctx.call(text, "weighted", i), np.array(34))
        t.same("f32 / n", ctx.call(text, "averaged", f),
               np.array(3.75, np.float32))
        t.same("i32 / n", ctx.call(text, "averaged", i), np.array(3.75))
        t.same("f32 * weak ** i", ctx.call(text, "powers", f),
               np.array(4, np.float32))
        t.same("f32 * (i / n)", ctx.call(text, "ratio", f),
               np.array(34 / 4, np.float32))
        for x in (f, i, f.astype(float)):
            t.same(f"stored in {x.dtype}", ctx.call(text, "ramp", x),
                   np.arange(4, dtype=x.dtype))
    return run


def accumulators(ctx):
    """A weak start gives way to what is accumulated."""
    def run(t):
        text = """
gufunc total(v: [n]):
    acc = 0.0
    for x in v:
        acc += x
    return acc

gufunc count(v: [n]):
    c = 0
    for x in v:
        if x > 0:
            c += 1
    return c

gufunc isum(v: [n]):
    c = 0
    for x in v:
        c += x
    return c

gufunc fixed(v: [n]):
    acc: f64 = 0
    for x in v:
        acc += x
    return acc
"""
        f = np.array([1, -2, 3], np.float32)
        t.same("0.0 + f32", ctx.call(text, "total", f),
               np.array(2, np.float32))
        t.same("0.0 + i16", ctx.call(text, "total", f.astype(np.int16)),
               np.array(2.0))
        t.same("count is i64", ctx.call(text, "count", f), np.array(2))
        t.same("0 + i16 is 64-bit", ctx.call(
            text, "isum", np.full(5, 30000, np.int16)), np.array(150000))
        t.same("0 + f32", ctx.call(text, "isum", f), np.array(2, np.float32))
        t.same("f64 by annotation", ctx.call(text, "fixed", f),
               np.array(2.0))
    return run


def weak_only(ctx):
    def run(t):
        text = """
def scale(a, b):
    return a * b

ufunc f(x):
    k = scale(2, 1.25)
    return x * k

ufunc g(x):
    if x > 0:
        r = 1
    else:
        r = 0
    return r

ufunc h(x):
    if x > 0:
        r = 1
    else:
        r = 0.5
    return r * x
"""
        x = np.array([-1, 2], np.float32)
        t.same("through a def", ctx.call(text, "f", x), x * 2.5)
        t.same("nothing decides: i64", ctx.call(text, "g", x),
               np.array([0, 1]))
        t.same("weak of two kinds", ctx.call(text, "h", x),
               np.array([-.5, 2], np.float32))
    return run


def cases(ctx):
    yield "literals", literals(ctx)
    yield "constants", constants(ctx)
    yield "constants of bool", bool_constants(ctx)
    yield "out of range", out_of_range(ctx)
    yield "weak arguments", weak_arguments(ctx)
    yield "loop choice", loop_choice(ctx)
    yield "several variables", several_variables(ctx)
    yield "no loop", no_loop(ctx)
    yield "index values", index_values(ctx)
    yield "accumulators", accumulators(ctx)
    yield "weak alone", weak_only(ctx)
