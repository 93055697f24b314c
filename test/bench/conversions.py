"""Sums of arrays that no loop takes as they are: of other types, or behind a
mask. A kernel that converts moves no byte more than one that need not."""

import cupy
import numpy as np

from contenders import Work, add_peers, torch
from data import F, equal

SOURCE = """\
ufunc add(a: T, b: T) -> T where T in (f32, f64):
    return a + b
"""
MASKED = "if (m) c = a + b"


def works(sources, data, which):
    """The benchmarks in order, each as its name and a function that makes it."""
    n = data.n

    def converted(name, a, b, out, loop, **asked):
        """Rounded in the loop's type and then in the output's."""
        work = Work(name, a.nbytes + b.nbytes + out.nbytes,
                    {"kern": sources.call(SOURCE, "add", (a, b), (out,),
                                          **asked)},
                    [out], None, [("copy", 0.95)])
        work.check = equal(lambda part: (
            a[part].astype(loop) + b[part].astype(loop)).astype(out.dtype))
        types = {"float32": "float", "float64": "double"}
        add_peers(
            work, which, arguments=(a, b),
            cupy_kernel=("S a, T b", "U c",
                         f"c = ({types[np.dtype(loop).name]})a + "
                         f"({types[np.dtype(loop).name]})b", "converted"),
            torch_function=(lambda x, y: torch.add(x, y))
            if out.dtype == loop and not asked else None)
        return work

    def short_and_single():
        x, = data.f32(1)
        return converted("i16 + f32", data.integers(-99, 99, np.int16), x,
                         data.out()[0], F)

    def single_and_double():
        half = n // 2
        return converted("f32 + f64, half as many", data.f32(1)[0][:half],
                         data.f64()[:half], cupy.empty(half), np.float64)

    def doubles_in_single():
        half = n // 2
        return converted("f64 + f64 in f32, half as many", data.f64()[:half],
                         data.f64()[:half], data.out()[0][:half], F,
                         dtype="f4", casting="same_kind")

    def singles_to_double():
        half = n // 2
        x, y = data.f32(2)
        return converted("f32 + f32 to f64, half as many", x[:half], y[:half],
                         cupy.empty(half), F)

    def rows():
        x, = data.f32(1)
        m = 1 << ((n.bit_length() - 1) // 2)
        a = data.integers(-99, 99, np.int16, m)
        return converted(f"({n // m},{m}) + ({m},), f32 and i16",
                         x.reshape(-1, m), cupy.broadcast_to(a, (n // m, m)),
                         data.out()[0].reshape(-1, m), F)

    def across():
        x, = data.f32(1)
        m = 1 << ((n.bit_length() - 1) // 2)
        a = data.integers(-99, 99, np.int16, m * m).reshape(m, m)
        return converted(f"X.T + Y, ({m},{m}), i16 and f32", a.T,
                         x[:m * m].reshape(m, m),
                         data.out()[0][:m * m].reshape(m, m), F)

    def masked(name, mask, bytes_each):
        """`out` holds its old values where the mask is false."""
        x, y = data.f32(2)
        out, = data.out()
        work = Work(name, n * bytes_each,
                    {"kern": sources.call(SOURCE, "add", (x, y), (out,),
                                          where=mask)},
                    [out], None, [("copy", 0.9)], before=7.0)
        work.check = equal(lambda part: cupy.where(
            mask[part], x[part] + y[part], F(7)))
        if "CuPy" in which:
            work.add("CuPy", lambda: (lambda kernel: (
                lambda: kernel(x, y, mask, out)))(cupy.ElementwiseKernel(
                    "T a, T b, bool m", "T c", MASKED, "bench_masked")))
        return work

    def all_true():
        return masked("where, all true", cupy.ones(n, np.bool_), 13)

    def runs():
        return masked("where, runs of 64", cupy.arange(n) // 64 % 2 == 0, 7)

    def random():
        # Memory is written in sectors of 32 bytes. One that is written in part
        # is read first: the result's 4 bytes are moved twice.
        return masked("where, half at random",
                      data.integers(0, 2, np.int8).view(np.bool_), 17)

    for make in (short_and_single, single_and_double, doubles_in_single,
                 singles_to_double, rows, across, all_true, runs, random):
        yield make.__name__.replace("_", " "), make
