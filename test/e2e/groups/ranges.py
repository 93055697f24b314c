"""Ranges as arguments, and calls that say the shape of their result."""

import ctypes as C

import numpy as np

import kernapi
from kernapi import ARGUMENT, KernError, SHAPE

SOURCE = """
ufunc add(a, b):
    return a + b

ufunc plus(a: T, b: T) -> T where T in (i8, i32, i64, u64, f16, f32, f64, c64, c128):
    return a + b

ufunc weighed(a: T, b: T, c: T) -> T where T in (f32, f64):
    return a * b + c

ufunc collatz(n: i64) -> i64:
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps

gufunc total(v: T[n], scale: T) -> T where T in (i64, f64):
    return scale * sum(v)

gufunc iota() -> (y: i64[n]):
    for i in prange(n):
        y[i] = i

gufunc coordinates() -> (row: i64[m, n], column: i64[m, n]):
    for i, j in prange(m, n):
        row[i, j] = i
        column[i, j] = j

gufunc hann(scale: f64) -> (w: f64[n]):
    for i in prange(n):
        w[i] = scale * (0.5 - 0.5 * cos(2 * pi * i / n))

ufunc nothing(x):
    return x
"""
RANGES = [
    range(10), range(1000), range(0), range(5, 6), range(1, 1000, 7),
    range(10, -1000, -3), range(-5, 70_000), range(2**40, 2**40 + 999),
    range(-(2**62), 2**62, 2**53), range(2**63 - 1, 0, -(2**60)),
    range(3, 3), range(0, 1_000_003), range(7, 8, -1), range(8, 7, -1),
]


def array(numbers):
    return np.arange(numbers.start, numbers.stop, numbers.step, np.int64)


def alone(ctx):
    """Every range is the array that np.arange makes."""
    def run(t):
        m = ctx.module(SOURCE)
        for numbers in RANGES:
            x = array(numbers)
            with np.errstate(all="ignore"):
                t.same(f"{numbers}", m["nothing"](
                    numbers, device=ctx.dl_device), x)
                t.same(f"{numbers} twice", m["add"](
                    numbers, numbers, device=ctx.dl_device), x + x)
                t.same(f"{numbers} and a number", m["add"](
                    numbers, 0.5, device=ctx.dl_device), x + 0.5)
    return run


def with_arrays(ctx):
    """Beside arrays of each type, order and rank."""
    def run(t):
        rng = ctx.rng(1)
        plus = ctx.module(SOURCE)["plus"]
        for dtype in "i4 i8 u8 f2 f4 f8 c8 c16".split():
            for shape in [(64,), (7, 64), (3, 5, 33), (64, 1), (2, 1000), (1,),
                          (0, 64), (1_000_003,)]:
                a = (rng.random(shape) * 100).astype(dtype)
                for numbers in (range(shape[-1]), range(3, 4),
                                range(100, 100 - shape[-1], -1),
                                range(-4, 3 * shape[-1] - 4, 3)):
                    x = array(numbers)
                    if x.size not in (1, shape[-1]):
                        continue
                    label = f"{dtype} {shape} {numbers}"
                    for order, view in [("C", a), ("F", np.asfortranarray(a)),
                                        ("back", a[..., ::-1])]:
                        got = refused(lambda: plus(view, numbers,
                                                   place=ctx.place))
                        want = refused(lambda: plus(view, x, place=ctx.place))
                        if isinstance(want, str):
                            t.check(f"{label} {order}", got == want,
                                    f"{got} is not {want}")
                        else:
                            t.same(f"{label} {order}", got, want)
                            t.same(f"{label} {order}: swapped",
                                   plus(numbers, view, place=ctx.place), want)
    return run


def refused(call):
    """What a call gives, or the status it is refused with."""
    try:
        return call()
    except KernError as error:
        return f"status {error.status}"


def across(ctx):
    """Broadcast against columns, outputs and masks of all layouts."""
    def run(t):
        m = ctx.module(SOURCE)
        weighed = m["weighed"]
        for rows, columns in [(1, 5), (33, 65), (300, 1000), (5, 4096)]:
            numbers = range(2, 2 + columns)
            x = array(numbers).astype(float)
            column = np.arange(rows, dtype=float)[:, None]
            a = np.arange(rows * columns, dtype=float).reshape(rows, columns)
            want = column * x + a
            t.same("a column", weighed(column, numbers, a, place=ctx.place),
                   want)
            t.same("transposed", weighed(
                a.T, numbers if rows == columns else 2.0, column.T,
                place=ctx.place), a.T * (x if rows == columns else 2.0)
                + column.T)
            out = np.zeros((columns, rows)).T
            weighed(column, numbers, a, out=out, place=ctx.place)
            t.same("into Fortran order", out, want)
            mask = np.arange(rows * columns).reshape(rows, columns) % 3 == 0
            out = np.full((rows, columns), -1.0)
            weighed(column, numbers, a, out=out, where=mask, place=ctx.place)
            t.same("behind a mask", out, np.where(mask, want, -1.0))
            small = np.zeros((rows, columns), np.float32)
            weighed(column, numbers, a, out=small, place=ctx.place)
            t.same("converted", small, want.astype(np.float32))
            a2 = a.copy()
            weighed(a2, numbers, 1.0, out=a2, place=ctx.place)
            t.same("in place", a2, a * x + 1)
    return run


def again(ctx):
    """A repeated call takes the plan of one with another first number."""
    def run(t):
        m = ctx.module(SOURCE)
        y = np.zeros(1000)
        for start in range(0, 5000, 1000):
            numbers = range(start, start + 1000)
            m["plus"](numbers, 0.5, out=y, place=ctx.place)
            t.same(f"from {start}", y, array(numbers) + 0.5)
        for step in (1, 2, -1, 5):
            numbers = range(0, 1000 * step, step)
            m["plus"](numbers, 0.5, out=y, place=ctx.place)
            t.same(f"by {step}", y, array(numbers) + 0.5)
    return run


def loops(ctx):
    """Bodies with loops, and gufuncs, whose kernels read memory."""
    def run(t):
        m = ctx.module(SOURCE)
        numbers = range(1, 30_000)
        x = array(numbers)
        t.same("a loop", m["collatz"](numbers, device=ctx.dl_device),
               m["collatz"](x, device=ctx.dl_device))
        t.same("a core dimension", m["total"](
            numbers, 2, device=ctx.dl_device), x.sum() * 2)
        v = np.arange(12.0).reshape(3, 4)
        t.same("a loop dimension", m["total"](v, range(3), place=ctx.place),
               v.sum(-1) * np.arange(3))
    return run


def no_traffic(ctx):
    """The kernel does not read a range from memory."""
    def run(t):
        add = ctx.module(SOURCE)["plus"]
        y = np.zeros(1 << 16)
        said = kernapi.Report()
        buffer = C.create_string_buffer(4096)
        keep = []
        options = kernapi.call_options(keep, None, device=ctx.dl_device)
        options.explanation = C.cast(buffer, C.c_char_p)
        options.explanation_size = len(buffer)
        values = (kernapi.Value * 2)()
        kernapi.fill_value(values[0], range(1 << 16), None, keep)
        kernapi.fill_value(values[1], y, kernapi.Tensor.of, keep)
        add.raw(values, None, options, said)
        text = buffer.value.decode()
        t.check("computed", "argument 1 (`a`): a range: its numbers are "
                "computed" in text, text)
        if ctx.device == "cuda":
            t.check("contiguous", said.form == b"contiguous", str(said.form))
    return run


def errors(ctx):
    def run(t):
        m = ctx.module(SOURCE)
        y = np.zeros(5)
        t.refused("extents", lambda: m["add"](y, range(4)), SHAPE,
                  "(4,)", "(5,)")
        value = (kernapi.Value * 2)()
        keep = []
        kernapi.fill_value(value[0], range(4), None, keep)
        kernapi.fill_value(value[1], 1, None, keep)
        keep[0].step = 0
        t.refused("a step of 0", lambda: m["add"].raw(value, None), ARGUMENT,
                  "argument 1 (`a`)", "step of 0")
        keep[0].start, keep[0].stop, keep[0].step = -(2**63), 2**63 - 1, 1
        t.refused("too long", lambda: m["add"].raw(value, None), ARGUMENT,
                  "2^63")
        value[0].as_.range = None
        t.refused("NULL", lambda: m["add"].raw(value, None), ARGUMENT,
                  "the range is missing")
    return run


def shapes(ctx):
    """Functions of indices alone, and of numbers."""
    def run(t):
        m = ctx.module(SOURCE)
        at = {"device": ctx.dl_device}
        t.same("iota", m["iota"](shape=(10,), **at), np.arange(10))
        t.same("nothing", m["iota"](shape=(0,), **at), np.arange(0))
        t.same("loop dimensions", m["iota"](shape=(3, 4), **at),
               np.broadcast_to(np.arange(4), (3, 4)))
        row, column = m["coordinates"](shape=(4, 70), **at)
        t.same("rows", row, np.indices((4, 70))[0])
        t.same("columns", column, np.indices((4, 70))[1])
        window = 3 * (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(64) / 64))
        got = m["hann"](3, shape=(64,), **at)
        t.check("a window", got.shape == (64,) and
                np.allclose(got, window, rtol=0, atol=1e-15), str(got))
        scales = np.float64([1, 2])
        t.same("broadcast", m["hann"](scales, shape=(2, 5), place=ctx.place),
               scales[:, None] * m["hann"](1.0, shape=(5,), **at), ulp=1)
        t.same("a ufunc", m["add"](1, 2.5, shape=(3, 4), **at),
               np.full((3, 4), 3.5))
        t.same("a scalar", m["add"](1, 2.5, shape=(), **at), np.float64(3.5))
        x = np.arange(4.0)
        t.same("arrays broadcast to it", m["add"](
            x, 1, shape=(3, 4), place=ctx.place),
            np.broadcast_to(x + 1, (3, 4)))
        out = np.zeros((3, 4))
        m["add"](x, 1, shape=(3, 4), out=out, place=ctx.place)
        t.same("and out", out, np.broadcast_to(x + 1, (3, 4)))
        t.same("with ranges", m["add"](range(4), 0, shape=(2, 4), **at),
               np.broadcast_to(np.arange(4), (2, 4)))
    return run


def refused_shapes(ctx):
    def run(t):
        m = ctx.module(SOURCE)
        x = np.zeros((2, 3))
        t.refused("other extents", lambda: m["add"](x, 1, shape=(3, 2)), SHAPE,
                  "shape", "(2, 3)")
        t.refused("too few", lambda: m["add"](x, 1, shape=(3,)), SHAPE,
                  "shape (3,)", "(2, 3)")
        t.refused("a core dimension", lambda: m["coordinates"](shape=(3,)),
                  SHAPE, "shape")
        t.refused("an extent below 0", lambda: m["iota"](shape=(-1,)),
                  ARGUMENT, "negative")
        t.refused("too many", lambda: m["iota"](shape=(1,) * 65), ARGUMENT,
                  "65 dimensions")
        t.refused("another out", lambda: m["add"](
            1, 2, shape=(3,), out=np.zeros(4)), SHAPE, "(4,)")
        t.refused("with axis", lambda: m["total"](
            np.ones(3), 1.0, shape=(), axis=0), ARGUMENT, "`shape`")
    return run


def cases(ctx):
    for function in (alone, with_arrays, across, again, loops, no_traffic,
                     errors, shapes, refused_shapes):
        yield function.__name__.replace("_", " "), function(ctx)
