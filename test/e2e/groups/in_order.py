"""Loops in order and small cores, with the staged mapping forced and not,
against NumPy."""

import numpy as np

from groups.mappings import Forced, moved

SOURCE = """
gufunc running(v: T[n], z: T) -> (y: T[n]) where T in (u8, i32, f32, f64, c128):
    acc = z
    for i in range(n):
        acc = acc + v[i]
        y[i] = acc

gufunc filtered(s: f64[k, 2], v: f64[m, n], w: f32[n]) -> (y: f64[n], last: f64):
    z = zeros(k, f64)
    t = 0.0
    for i in range(n):
        t = v[0, i] + f64(w[i])
        for j in range(k):
            u = s[j, 0] * z[j] + t
            z[j] = t if t > 0 else -t
            t = u * s[j, 1]
        y[i] = t + v[m - 1, i]
    return y[n - 1] if n < 0 else t

gufunc cross(a: T[3], b: T[3]) -> (c: T[3]) where T in (i16, f32, f64):
    c[0] = a[1] * b[2] - a[2] * b[1]
    c[1] = a[2] * b[0] - a[0] * b[2]
    c[2] = a[0] * b[1] - a[1] * b[0]

gufunc small(a: T[4, 3], b: T[3, 4]) -> (c: T[4, 4], t: T) where T in (i32, f64):
    for i, j in prange(4, 4):
        c[i, j] = T(sum(a[i, p] * b[p, j] for p in range(3)))
    return T(sum(a[i, i] for i in range(3)))

gufunc lower(a: T[n, n]) -> (l: T[n, n]) where T in (i64, f64):
    for i in range(n):
        for j in range(i + 1):
            l[i, j] = a[i, j] + (l[i, j - 1] if j > 0 else 0)
        for j in range(i + 1, n):
            l[i, j] = 0

gufunc doubled(inout a: i32[2, 2]) -> i32:
    a[0, 1] = a[0, 1] + a[1, 0]
    return a[0, 1]
"""


def in_order(ctx, mapping):
    """Loops in order, and small cores."""
    call = Forced(ctx, mapping, SOURCE)

    def run(t):
        rng = ctx.rng(14)
        for loop in ((), (1,), (31,), (33, 2), (200,), (5, 0)):
            for n in (0, 1, 2, 31, 32, 33, 64, 65, 127, 1000):
                shape = loop + (n,)
                for dtype in (np.uint8, np.int32, np.float32, np.float64,
                              np.complex128):
                    v = rng.integers(0, 100, shape).astype(dtype)
                    for layout in range(3):
                        t.same(f"running {np.dtype(dtype)} {shape} {layout}",
                               call("running", moved(v, layout), dtype(3)),
                               3 + np.cumsum(v, -1, dtype=dtype))
                # Exact in f64.
                k, m = 1 + n % 4, 1 + n % 2
                s = rng.integers(0, 2, loop + (k, 2)).astype(float)
                v = rng.integers(-9, 9, loop + (m, n)).astype(float)
                w = rng.integers(-9, 9, shape).astype(np.float32)
                z, x = np.zeros(loop + (k,)), np.zeros(loop)
                y = np.zeros(shape)
                for i in range(n):
                    x = v[..., 0, i] + w[..., i]
                    for j in range(k):
                        u = s[..., j, 0] * z[..., j] + x
                        z[..., j] = np.where(x > 0, x, -x)
                        x = u * s[..., j, 1]
                    y[..., i] = x + v[..., m - 1, i]
                for layout in range(3):
                    got = call("filtered", s, moved(v, layout),
                               moved(w, layout))
                    t.same(f"filtered {shape} {k} {m} {layout}", got[0], y)
                    t.same(f"filtered {shape} {k} {m}, last", got[1], x)
            for dtype in (np.int16, np.float32, np.float64):
                a = rng.integers(-9, 9, loop + (3,)).astype(dtype)
                b = rng.integers(-9, 9, loop + (3,)).astype(dtype)
                for layout in range(3):
                    t.same(f"cross {a.shape} {layout}",
                           call("cross", moved(a, layout), b), np.cross(a, b))
            for dtype in (np.int32, np.float64):
                a = rng.integers(-9, 9, loop + (4, 3)).astype(dtype)
                b = rng.integers(-9, 9, loop + (3, 4)).astype(dtype)
                for layout in range(3):
                    got = call("small", moved(a, layout), moved(b, layout))
                    t.same(f"small {a.shape} {layout}", got[0], a @ b)
                    t.same(f"small {a.shape} {layout}, trace", got[1],
                           np.trace(a, axis1=-2, axis2=-1, dtype=dtype))
            for dtype in (np.int64, np.float64):
                for n in (1, 4, 5):
                    a = rng.integers(-9, 9, loop + (n, n)).astype(dtype)
                    for layout in range(3):
                        t.same(f"lower {a.shape} {layout}",
                               call("lower", moved(a, layout)),
                               np.tril(np.cumsum(a, -1)))
            a = rng.integers(-9, 9, loop + (2, 2)).astype(np.int32)
            want = a.copy()
            want[..., 0, 1] += want[..., 1, 0]
            call.update("doubled", a)
            t.same(f"doubled {a.shape}", a, want)
    return run


def cases(ctx):
    for mapping in (None, "grouped", "staged"):
        if ctx.device == "cuda" or mapping is None:
            yield f"in order, {mapping or 'chosen'}", in_order(ctx, mapping)
