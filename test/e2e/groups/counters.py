"""Floats that count in a loop, against NumPy."""

import numpy as np

SOURCE = """
gufunc above(x: T[n], y: T[n]) -> (a: f64, b: f64, c: f64) where T in (f32, f64):
    a = 0.0
    b = 7.0
    c = -3.0
    for i in range(len(x)):
        a += x[i] > y[i]
        if x[i] == y[i]:
            b -= 1
        elif x[i] != x[i]:
            b += 200
        else:
            c += 2 if x[i] < 0 else 0

gufunc bytes(x: I[n]) -> f64 where I in (i8, u8, i16):
    s = 0.0
    for v in x:
        s += v
    return s

gufunc negative(x: f64[n]) -> f64:
    s = -0.0
    for v in x:
        s += -0.0 if v > 0 else 0.0
    return s

gufunc single(x: f32[n]) -> f32:
    s = f32(16777215)
    for v in x:
        s += f32(1) if v > 0 else f32(0)
    return s

gufunc rows(x: f64[m, n]) -> f64:
    s = 0.0
    for i in range(len(x)):
        if x[i, 0] > 0:
            continue
        for j in range(x.shape[1]):
            s += x[i, j] > 0
    return s

gufunc first(x: f64[n]) -> f64:
    s = 0.0
    for v in x:
        if v > 9:
            break
        s += 1
    return s
"""


def counted(ctx):
    def run(t):
        rng = ctx.rng(5)
        call = lambda f, *a: ctx.call(SOURCE, f, *a)
        for n in (0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 100, 1000):
            for dtype in (np.float32, np.float64):
                x, y = rng.integers(-3, 3, (2, 5, n)).astype(dtype)
                x[rng.random(x.shape) < 0.1] = np.nan
                same, other = x == y, ~(x == y) & (x == x)
                for v in (x, np.repeat(x, 2, -1)[:, ::2]):
                    a, b, c = call("above", v, y)
                    t.same(f"a {n}", a, (x > y).sum(-1).astype(float))
                    t.same(f"b {n}", b, 7.0 - same.sum(-1) + 200 * (x != x).sum(-1))
                    t.same(f"c {n}", c, 2.0 * (other & (x < 0)).sum(-1) - 3)
            for dtype in (np.int8, np.uint8, np.int16):
                info = np.iinfo(dtype)
                x = rng.integers(info.min, info.max, (4, n), dtype, endpoint=True)
                t.same(f"bytes {n}", call("bytes", x), x.sum(-1).astype(float))
            x = rng.integers(-1, 2, (6, n)).astype(float)
            none = (x > 0).all(-1)
            t.same(f"negative {n}", np.signbit(call("negative", x)), none)
            expected = np.minimum(16777215.0 + (x > 0).sum(-1), 16777216)
            t.same(f"single {n}", call("single", x.astype(np.float32)),
                   expected.astype(np.float32))
            if n:
                x = rng.integers(-1, 2, (3, 4, n)).astype(float)
                rows = ((x > 0).sum(-1) * (x[..., 0] <= 0)).sum(-1)
                t.same(f"rows {n}", call("rows", x), rows.astype(float))
            x = rng.integers(0, 12, (5, n)).astype(float)
            t.same(f"first {n}", call("first", x),
                   (np.cumsum(x > 9, -1) == 0).sum(-1).astype(float))
    return run


def cases(ctx):
    yield "counted", counted(ctx)
