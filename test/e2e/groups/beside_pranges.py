"""Loops in order beside loops that run as pranges, against NumPy, whose cumulative sums
have the same order; and such loops in compiled files and with checks."""

import subprocess

import numpy as np

from groups.independent_loops import SOURCE as INDEPENDENT
from groups.independent_loops import independent, ordered
from groups.mappings import Forced, moved

SOURCE = """
gufunc centred(v: T[n]) -> (y: T[n]) where T in (f32, f64):
    s = T(0)
    for i in range(n):
        s += v[i]
    m = s / T(n)
    for i in range(n):
        y[i] = v[i] - m

gufunc between(v: T[m, n]) -> (y: T[m, n], low: T, high: T) where T in (i32, f64):
    low = v[0, 0]
    high = low
    for i in range(m):
        for j in range(n):
            low = min(low, v[i, j])
            high = max(high, v[i, j])
    for i in range(m):
        for j in range(n):
            y[i, j] = (v[i, j] - low) * 2

gufunc then_summed(v: T[n]) -> (y: T[n], s: T) where T in (f32, f64):
    for i in range(n):
        y[i] = v[i] * T(0.25)
    s = T(0)
    for i in range(n):
        s += y[i]
    for i in range(n):
        y[i] = v[i] - s

gufunc passed(v: T[n]) -> (y: T[n], z: T) where T in (f32, f64):
    for i in range(n):
        y[i] = v[i]
    s = y[0]
    for i in range(n):
        y[i] = s + v[i]
    s += y[n - 1]
    y[0] = s
    t = T(0)
    for i in range(n):
        t += y[i]
    y[0] += t
    for i in range(n):
        y[i] += t
    z = y[0]

gufunc until(v: T[n], most: T) -> (y: T[n], steps: i64) where T in (f32, f64):
    s = T(0)
    for x in v:
        s += abs(x)
    steps = 0
    while s > most:
        s *= T(0.5)
        steps += 1
    for i in range(n):
        y[i] = v[i] * s

gufunc first_at(v: T[n], least: T) -> (y: i64[n]) where T in (i32, f64):
    at = n
    for i in range(n):
        if v[i] > least:
            at = i
            break
    for i in range(n):
        y[i] = i - at

gufunc counts(at: i64[k]) -> (h: T[n]) where T in (i32, i64):
    for i in range(n):
        h[i] = 0
    for i in range(k):
        h[at[i]] += T(1)
"""

BOUNDS, RACES = 1, 8


class Loaded:
    """The functions of one module."""

    def __init__(self, ctx, make):
        self.ctx, self.make, self.module = ctx, make, None

    def function(self, name):
        self.module = self.module or self.make()
        return self.module[name]

    def __call__(self, name, *arguments, **asked):
        return self.function(name)(*arguments, place=self.ctx.place,
                                   device=self.ctx.dl_device, **asked)

    def update(self, name, *arguments, out=None):
        self.function(name)(*arguments, out=out, device=self.ctx.dl_device)


def checked(ctx, source):
    return Loaded(ctx, lambda: ctx.lib.compile(source, checks=BOUNDS | RACES))


def of_file(ctx, source, name, forms):
    def make():
        text = ctx.scratch / f"{name}_{forms}.kern"
        text.write_text(source)
        file = text.with_suffix(".ptx")
        capability = ctx.lib.describe(ctx.dl_device).compute_capability
        subprocess.run([ctx.kern, "compile", "-q", text, "-o", file, "--forms",
                        forms, "--target", f"sm_{capability}"], check=True)
        return ctx.lib.load_file(file)
    return Loaded(ctx, make)


def in_order(v):
    """The sum of each row, from its first element on."""
    return np.cumsum(v, -1, dtype=v.dtype)[..., -1:]


def beside(ctx, call):
    def run(t):
        rng = ctx.rng(33)
        for loop in ((), (1,), (33,), (3, 5), (300,), (2, 0), (20000,)):
            for n in (1, 2, 31, 100, 1025):
                if len(loop) == 1 and loop[0] * n > 1 << 20:
                    continue
                for dtype in (np.float32, np.float64):
                    rows(t, call, rng.standard_normal(loop + (n,)).astype(dtype))
                for dtype in (np.int32, np.float64):
                    searched(t, call, rng.integers(0, 99, loop + (n,)).astype(dtype))
                at = rng.integers(0, n, loop + (n + 3,))
                for dtype in (np.int32, np.int64):
                    h = np.empty(loop + (n,), dtype)
                    t.same(f"counts {at.shape} {dtype.__name__}",
                           call("counts", at, out=[h]),
                           counted(at, n).astype(dtype))
    return run


def counted(at, n):
    """How often each number below `n` is in each row."""
    rows = [np.bincount(row, minlength=n) for row in at.reshape(-1, at.shape[-1])]
    return np.reshape(rows, at.shape[:-1] + (n,))


def rows(t, call, v):
    dtype = v.dtype.type
    for layout in range(3):
        name = f"{v.dtype} {v.shape} {layout}"
        x = moved(v, layout)
        t.same(f"centred {name}", call("centred", x),
               v - in_order(v) / dtype(v.shape[-1]))
        s = in_order(v * dtype(0.25))
        y, last = call("then_summed", x)
        t.same(f"then_summed {name}, y", y, v - s)
        t.same(f"then_summed {name}, s", last, s[..., 0])
        want = v[..., :1] + v
        want[..., :1] = v[..., :1] + want[..., -1:]
        s = in_order(want)
        want[..., :1] += s
        want = want + s
        y, first = call("passed", x)
        t.same(f"passed {name}, y", y, want)
        t.same(f"passed {name}, z", first, want[..., 0])
        s = in_order(abs(v))
        steps = np.zeros(s.shape, np.int64)
        while (s > 3).any():
            steps += s > 3
            s = np.where(s > 3, s * dtype(0.5), s)
        y, found = call("until", x, dtype(3))
        t.same(f"until {name}, y", y, v * s)
        t.same(f"until {name}, steps", found, steps[..., 0])


def searched(t, call, v):
    pairs = v[..., None, :] + np.array([[0], [7]], v.dtype)
    for layout in range(3):
        name = f"{v.dtype} {v.shape} {layout}"
        y, low, high = call("between", moved(pairs, layout))
        least = pairs.min((-2, -1), keepdims=True) if pairs.size else pairs[..., :1, :1]
        t.same(f"between {name}", y, (pairs - least) * 2)
        t.same(f"between {name}, low", low, least[..., 0, 0])
        t.same(f"between {name}, high", high,
               pairs.max((-2, -1)) if pairs.size else low)
        above = v > 60
        at = np.where(above.any(-1), above.argmax(-1), v.shape[-1])
        t.same(f"first_at {name}",
               call("first_at", moved(v, layout), v.dtype.type(60)),
               np.arange(v.shape[-1]) - at[..., None])


def cases(ctx):
    for mapping in (None, "grouped", "staged"):
        if ctx.device == "cuda" or mapping is None:
            yield f"{mapping or 'chosen'}", beside(ctx, Forced(ctx, mapping, SOURCE))
    yield "checked", beside(ctx, checked(ctx, SOURCE))
    yield "independent, checked", independent(ctx, checked(ctx, INDEPENDENT))
    yield "ordered, checked", ordered(ctx, checked(ctx, INDEPENDENT))
    if ctx.device == "cuda":
        for forms in ("standard", "all"):
            yield f"a file, {forms}", beside(ctx, of_file(ctx, SOURCE, "beside", forms))
            yield f"independent, a file, {forms}", independent(
                ctx, of_file(ctx, INDEPENDENT, "independent", forms))
            yield f"ordered, a file, {forms}", ordered(
                ctx, of_file(ctx, INDEPENDENT, "ordered", forms))
