"""Defaults of parameters and arguments by name, from callers and from bodies."""

import ctypes as C

import numpy as np

import kernapi
from kernapi import ARGUMENT, COMPILE, NOT_FOUND, TYPE

SOURCE = """
const HALF = 0.5

ufunc scaled(x: T, scale: T = 2.0, shift: T = HALF - 1) -> T where T in (f32, f64):
    return x * scale + shift

ufunc counted(x, by=3):
    return x * by

ufunc typed(x, by=f32(1.5), flag=True, z=2j):
    return x * by * z if flag else x * 1j

ufunc chosen(x: T, k: T = 1) -> T where T in (i8, i64, f32, f64):
    return x + k

gufunc windowed(x: T[n], window: dim = 3) -> (y: T[n - window + 1]) where T in (f32, f64):
    for i in prange(n - window + 1):
        y[i] = sum(x[i + j] for j in range(window))

gufunc weighted(x: T[n], scale: T = 10.0) -> T where T in (f32, f64):
    return scale * sum(x)

ufunc inner(x: T, y: T) -> T where T in (f32, f64):
    return scaled(x) + scaled(y, shift=1) + counted(x) + chosen(y)

gufunc outer(x: T[n]) -> T where T in (f32, f64):
    return weighted(x) - weighted(x, scale=1)

ufunc by_place(x, out=1, axis=2):
    return x + 10 * out + 100 * axis
"""


def expected_windows(x, window):
    return np.lib.stride_tricks.sliding_window_view(x, window, -1).sum(-1)


def values(ctx):
    """A call without an argument is the call with its default."""
    def run(t):
        m = ctx.module(SOURCE)
        for dtype in (np.float32, np.float64):
            x = np.arange(-500, 501).astype(dtype)  # products are exact
            t.same("both", m["scaled"](x, place=ctx.place), x * 2 - dtype(0.5))
            t.same("one", m["scaled"](x, 3, place=ctx.place),
                   x * 3 - dtype(0.5))
            t.same("none", m["scaled"](x, 3, 4, place=ctx.place), x * 3 + 4)
            t.same("a middle one",
                   m["scaled"](x, named={"shift": 4}, place=ctx.place),
                   x * 2 + 4)
            t.same("an array by name",
                   m["scaled"](x, named={"scale": x}, place=ctx.place),
                   x * x - dtype(0.5))
            t.same("all by name",
                   m["scaled"](named={"shift": 0, "x": x}, place=ctx.place),
                   x * 2)
            rows = np.arange(24, dtype=dtype).reshape(2, 12)
            t.same("a dim", m["windowed"](rows, place=ctx.place),
                   expected_windows(rows, 3))
            t.same("a dim by name",
                   m["windowed"](rows, named={"window": 5}, place=ctx.place),
                   expected_windows(rows, 5))
            t.same("a gufunc", m["weighted"](rows, place=ctx.place),
                   rows.sum(-1) * 10)
    return run


def weak(ctx):
    """A default is weak, as a number written in its place is."""
    def run(t):
        m = ctx.module(SOURCE)
        for dtype in "i1 i4 u2 f2 f4 f8".split():
            x = np.arange(5).astype(dtype)
            t.same(f"{dtype}: generic", m["counted"](x, place=ctx.place), x * 3)
        for dtype in ("i1", "f4"):
            x = np.arange(5).astype(dtype)
            t.same(f"{dtype}: declared", m["chosen"](x, place=ctx.place), x + 1)
        x = np.float32([1, 2])
        t.same("with a type", m["typed"](x, place=ctx.place),
               x * np.float32(1.5) * np.complex64(2j))
        t.same("a bool", m["typed"](x, named={"flag": False}, place=ctx.place),
               x * np.complex64(1j))
        t.same("alone", m["counted"](4, device=ctx.dl_device), np.int64(12))
    return run


TYPED = """
ufunc scaled(x: f64, k: i32 = 2) -> f64:
    return x * k

ufunc either(x: T, k: f32 = 2) -> T where T in (f32, f64):
    return x / k

ufunc narrow(x: i8, k: f32 = 0.1) -> f32:
    return x * k

ufunc generic(x, k: u8 = 200):
    return x * k

ufunc long(x: T, k: i64 = 2) -> T where T in (f32, f64):
    return x * k

ufunc inside(x: i8) -> f32:
    return narrow(x) + scaled(2.5)
"""


def typed(ctx):
    """A default has the type that the header declares."""
    def run(t):
        m = ctx.module(TYPED)

        def called(name, *arguments):
            return m[name](*arguments, device=ctx.dl_device)
        t.same("a number", called("scaled", 2.5), np.float64(5))
        t.same("an integer", called("scaled", 3), np.float64(6))
        t.same("a number, of two loops", called("either", 0.1),
               np.true_divide(0.1, np.float32(2)))
        x = np.int8([3, -4])
        small = x * np.float32(0.1)
        t.same("beside integers", m["narrow"](x, place=ctx.place), small)
        t.same("of what is not declared",
               m["generic"](np.uint8([1, 2]), place=ctx.place), np.uint8([200, 144]))
        t.same("what numbers count as", called("long", 3), np.float64(6))
        t.same("in a body", m["inside"](x, place=ctx.place), small + np.float32(5))
    return run


def bodies(ctx):
    def run(t):
        m = ctx.module(SOURCE)
        x = np.arange(77.0)
        y = x / 2
        t.same("ufuncs", m["inner"](x, y, place=ctx.place),
               ((x * 2 - 0.5) + (y * 2 + 1)) + x * 3 + (y + 1))
        t.same("gufuncs", m["outer"](np.ones(8), place=ctx.place),
               np.float64(72))
    return run


def refused(ctx):
    def run(t):
        m = ctx.module(SOURCE)
        x = np.ones(3)
        scaled = m["scaled"]
        t.refused("unknown", lambda: scaled(x, named={"scal": 2}), ARGUMENT,
                  "no parameter `scal`", "did you mean `scale`")
        t.refused("far from any", lambda: scaled(x, named={"window": 2}),
                  ARGUMENT, "it has: x, scale, shift")
        t.refused("twice", lambda: scaled(x, 2, named={"scale": 2}), ARGUMENT,
                  "`scale` twice")
        t.refused("missing", lambda: scaled(named={"scale": 2}), ARGUMENT,
                  "argument 1 (`x`)", "no default")
        t.refused("none", lambda: scaled(), ARGUMENT,
                  "1 to 3 arguments (x, scale=2.0, shift=HALF - 1), 0 were")
        t.refused("too many", lambda: scaled(1, 2, 3, 4), ARGUMENT, "4 were")
        t.same("by position", m["by_place"](1, 2, 3, device=ctx.dl_device),
               np.int64(321))
        for name in ("out", "axis"):
            t.refused(name, lambda: m["by_place"](1, named={name: 2}), ARGUMENT,
                      f"takes `{name}` by position")
        t.refused("a range of its own",
                  lambda: m["chosen"](np.int8([1]), 300), TYPE, "300")
    return run


def reflected(ctx):
    """What the interface and the manifest say of defaults."""
    def run(t):
        m = ctx.module(SOURCE)
        lib = m.lib

        def default(function, index):
            value = kernapi.Value()
            lib.check(lib.c.kern_function_default(
                m[function].handle, index, C.byref(value)))
            return value

        def text(function, index):
            return lib.c.kern_function_default_text(
                m[function].handle, index).decode()

        t.check("text", text("scaled", 2) == "HALF - 1")
        t.check("no text", text("scaled", 0) == text("scaled", 9) == "")
        value = default("scaled", 2)
        t.check("a weak float", (value.kind, value.as_.real) == (3, -0.5))
        value = default("counted", 1)
        t.check("a weak integer", (value.kind, value.as_.integer) == (2, 3))
        value = default("typed", 1)
        t.check("a type", value.kind == 1 and value.dtype == 11 and
                bytes(value.as_.bits[:4]) == np.float32(1.5).tobytes())
        value = default("typed", 3)
        t.check("a complex number", value.kind == 4 and
                list(value.as_.complex_parts) == [0, 2])
        t.refused("none", lambda: default("scaled", 0), NOT_FOUND, "`x`")
        infos = {f["name"]: f["parameters"] for f in m.manifest()["functions"]}
        t.check("manifest", infos["typed"][1]["default"] == {
            "text": "f32(1.5)", "type": "f32", "bits": "0000c03f"},
            infos["typed"])
    return run


HEADERS = [
    ("an array", "gufunc f(x: f64[n] = 1) -> f64:\n    return sum(x)",
     "it is an array"),
    ("out of order", "ufunc f(x=1, y):\n    return x + y", "`y` has no default"),
    ("no constant", "ufunc f(x, y=x):\n    return x + y", "x"),
    ("out of range", "ufunc f(x: u8, y: u8 = 300) -> u8:\n    return x + y",
     "300"),
    ("of no type", "ufunc f(x: T, y: T = 0.5) -> T where T in (i8, i32):\n"
     "    return x + y", "does not cast safely"),
    ("a tuple", "const A = (1, 2)\nufunc f(x, y=A):\n    return x + y[0]",
     "tuple"),
    ("a size", "gufunc f(x: f64[n], k: dim = -1) -> (y: f64[k]):\n"
     "    for i in prange(k):\n        y[i] = x[0]", "0 or more"),
]


def headers(ctx):
    def run(t):
        for label, source, said in HEADERS:
            t.refused(label, lambda: ctx.module(source + "\n"), COMPILE, said)
        ctx.module("ufunc f(x: T, y: T = 0.5) -> T where T in (i8, f32):\n"
                   "    return x + y\n")
    return run


def cases(ctx):
    for function in (values, weak, typed, bodies, refused, reflected, headers):
        yield function.__name__, function(ctx)
