"""Scans and folds in every mapping, against NumPy; and that results do not
depend on strides."""

import pathlib

import numpy as np

from groups.mappings import Forced, asked, close, in_layouts, moved

SOURCE = pathlib.Path(__file__).with_name("scans.kern").read_text()
FORCED = [None, "grouped", "sliced", "flat", "across", "flat,sliced",
          "resident", "sliced,resident", "flat,resident",
          "flat,sliced,resident"]
SHAPES = [((), 0), ((), 1), ((), 2), ((3,), 3), ((), 31), ((2,), 32), ((), 33),
          ((3,), 127), ((64,), 129), ((5,), 255), ((300,), 256), ((4,), 257),
          ((), 1000), ((2, 3), 1023), ((3,), 1024), ((2,), 4099), ((0,), 7),
          ((), 16384), ((2,), 16388), ((), 100003), ((40,), 513),
          ((70,), 2049), ((3, 11), 8193), ((0,), 40000), ((2,), 131072)]


def recurred(a, b):
    y = np.zeros_like(b)
    last = np.zeros(b.shape[:-1], b.dtype)
    for i in range(b.shape[-1]):
        last = a[..., i] * last + b[..., i]
        y[..., i] = last
    return y


def furthest(v):
    y = v.copy()
    for i in range(1, v.shape[-1]):
        y[..., i] = np.where(abs(y[..., i - 1]) >= abs(v[..., i]),
                             y[..., i - 1], v[..., i])
    return y


def forward(v, first=0):
    """For each element, the last one up to it that is not 0."""
    y = v.copy()
    last = np.full(v.shape[:-1], first, v.dtype)
    for i in range(v.shape[-1]):
        last = np.where(v[..., i] != 0, v[..., i], last)
        y[..., i] = last
    return y


def scans(ctx, mapping):
    call = Forced(ctx, mapping, SOURCE)

    def check(t, name, arrays, expected, dtype=None, rtol=0.0):
        """Exact, or within the error of `dtype` or `rtol`."""
        def agrees(got, want):
            if dtype is None:
                return np.array_equal(got, want)
            return close(got, want, dtype) or np.allclose(
                got, want, rtol=rtol, atol=0)
        in_layouts(t, call, name, arrays, expected, agrees)

    def run(t):
        rng = ctx.rng(72)
        for loop, n in SHAPES:
            shape = loop + (n,)
            for dtype in (np.float32, np.float64):
                v = rng.uniform(0, 1, shape).astype(dtype)
                w = rng.uniform(0, 1, shape).astype(dtype)
                wide, other = v.astype(float), w.astype(float)
                check(t, "sums", [v], [wide.cumsum(-1)], dtype)
                check(t, "squares", [v, w], [(wide * other).cumsum(-1)], dtype)
                near = (1 + (v - 0.5) / 1024).astype(dtype)
                # Each product is rounded, mostly in one direction.
                check(t, "products", [near], [near.astype(float).cumprod(-1)],
                      dtype, rtol=n * np.finfo(dtype).eps)
                check(t, "recurrence", [v, w], [recurred(wide, other)], dtype)
                total = wide.sum(-1, keepdims=True)
                if n:
                    check(t, "relative", [v], [wide.cumsum(-1) / total], dtype)
                x = rng.integers(-50, 50, shape).astype(dtype)
                if n > 3:
                    x[..., n - n // 3] = np.nan
                x[x == 0] = -0.0
                check(t, "highest", [x], [np.maximum.accumulate(x, -1)], dtype)
                check(t, "lowest", [x], [np.minimum.accumulate(x, -1)], dtype)
            z = (rng.uniform(0, 1, shape) + 1j * rng.uniform(0, 1, shape))
            check(t, "sums", [z], [z.cumsum(-1)], np.complex128)
            if n < 2000:
                h = rng.integers(0, 2, shape).astype(np.float16)
                check(t, "sums", [h], [h.cumsum(-1, dtype=np.float32)
                                       .astype(np.float16)])
            i = rng.integers(-100, 100, shape)
            for dtype in (np.bool_, np.int8, np.int32, np.int64):
                a = i.astype(dtype)
                check(t, "whole_sums", [a], [a.cumsum(-1)])
            odd = i | 1
            check(t, "products", [odd], [odd.cumprod(-1)])
            for dtype in (np.uint8, np.int32):
                a = i.astype(dtype)
                check(t, "highest", [a], [np.maximum.accumulate(a, -1)])
            check(t, "backwards", [i], [i[..., ::-1].cumsum(-1)])
            e = np.zeros_like(i)
            e[..., 1:] = i[..., :-1].cumsum(-1)
            check(t, "inner", [i], [e])
            a = rng.integers(-2, 3, shape)
            check(t, "recurrence", [a, i], [recurred(a, i)])
            check(t, "extremes", [i],
                  [furthest(i), np.maximum.accumulate(-i, -1)])
            gaps = np.where(rng.random(shape) < 0.1, i, 0).astype(np.int32)
            check(t, "filled", [gaps], [forward(gaps)])
            last = np.concatenate([np.zeros(loop + (1,), int), i], -1)
            factors = np.remainder(i, 3)
            p = factors.prod(-1) + (
                recurred(factors, i)[..., -1] if n else 0)
            check(t, "folds", [i], [furthest(last)[..., -1],
                                    forward(np.concatenate(
                                        [last[..., :1] + 7, i], -1))[..., -1],
                                    p])
        for m, n in ((1, 1), (3, 500), (40, 33), (1000, 4)):
            a = rng.integers(-9, 9, (2, m, n))
            check(t, "rows", [a], [a.cumsum(-1)])
            check(t, "columns", [a], [np.maximum.accumulate(a, -2)])
        for n in (0, 1, 7, 1000, 5000):
            for s in (3, np.array([1, -4])):
                got = call("steps", n, s)
                t.same(f"steps {n}", got, np.cumsum(
                    np.arange(n) * np.asarray(s)[..., None], -1))
            y = rng.integers(-9, 9, (3, n))
            e = y.cumsum(-1)
            one = y.copy()
            call.update("in_place", one)
            t.same(f"in place {n}", one, e)
            e = np.concatenate([y[:, :1], y[:, :-1].cumsum(-1)], -1)
            one = y.copy()
            call.update("shifted", one)
            t.same(f"shifted {n}", one, e[:, :n])
        x = rng.integers(-9, 9, 50).astype(np.float64)
        t.same("in a ufunc", call("ramp", x), 5 * x + 10)
    return run


def same_bits(ctx):
    """Sums of floats, whose grouping shows: extents alone decide it."""
    def run(t):
        rng = ctx.rng(73)
        calls = {mapping: Forced(ctx, mapping, SOURCE) for mapping in
                 (None, "resident", "across", "sliced,resident")}
        for loop, n in [((), 5), ((3,), 63), ((40,), 200), ((9,), 1025),
                        ((33,), 4095), ((8,), 16384), ((2,), 16385),
                        ((20,), 50001), ((), 300000), ((), 2200001)]:
            v, w = (rng.standard_normal(loop + (n,)).astype(np.float32)
                    for _ in range(2))
            for name, arrays in [("sums", [v]), ("squares", [v, w]),
                                 ("recurrence", [v * 0.7, w])]:
                mappings = [None, "across", "sliced,resident"]
                # One block keeps shorter rows.
                if n <= (16384 if name == "sums" else 8192):
                    mappings.append("resident")
                for k in range(3):
                    results = [np.asarray(calls[m](
                        name, *[moved(a, k) for a in arrays])).tobytes()
                        for m in mappings for _ in range(1 + (m is None))]
                    t.check(f"{name} {loop} {n} layout {k}",
                            len(set(results)) == 1,
                            f"{len(set(results))} results")
            # The same call again, and a row among others.
            bits = {np.asarray(calls[None]("sums", v)).tobytes()
                    for _ in range(5)}
            t.check(f"sums {loop} {n}: every run", len(bits) == 1)
    return run


def cases(ctx):
    yield "scans, the same bits in all mappings", same_bits(ctx)
    for mapping, name in asked(ctx, FORCED):
        yield f"scans, {name}", scans(ctx, mapping)
