"""What NumPy's code says in other words: options of functions and methods,
`...` among indices, tuples that are indexed at run time and returned."""

import numpy as np


IDIOMS = """
import numpy as np

gufunc bounded(x: T[n]) -> (a: T[n], b: T[n], c: T[n], d: T[n], e: T[n], f: T[n], g: T[n]) where T in (i32, f64):
    a[:] = x.clip(0)
    b[:] = np.clip(x, None, 3)
    c[:] = x.clip(min=-2, max=5)
    d[:] = np.clip(x, a_min=1, a_max=None)
    e[:] = clip(x + 1, 0, None)
    f[:] = x.clip(max=2)
    for i in prange(n):
        g[i] = np.clip(x[i], -1, a_max=1)

gufunc typed(x: f32[m, n]) -> (a: f64[n], b: f64, c: f64[m], d: i32[m, n], e: f32[n], f: f64):
    a[:] = x.sum(axis=0, dtype=np.float64)
    c[:] = np.mean(x, axis=1, dtype=f64)
    d[:] = x.astype(np.int32, copy=False)
    e[:] = np.arange(n, dtype=np.float32) / 3
    f = x.astype(dtype=np.float64, order=1).sum().item()
    b = sum(x, dtype=f64)

gufunc narrow(x: u8[n]) -> (s: u8, p: u8[n]):
    s = x.sum(dtype=np.uint8)
    p[:] = np.cumsum(x, dtype=np.uint8)

gufunc channels(img: T[h, w, 3]) -> (grey: T[h, w], swapped: T[h, w, 3], first: T[w, 3], corner: T) where T in (i32, f64):
    grey[...] = img[..., 0] + 2 * img[..., -1]
    swapped[..., ::-1] = img[...]
    swapped[0, ..., 1] = 7
    first[:] = img[0, ...]
    row = img[h // 2]
    first[..., 2] += row[..., 0]
    corner = img[0, ..., 0][-1, ...] if w > 0 else img[0, 0, 0]

def statistics(v):
    return v - v.mean(), max(v), v * 2

gufunc described(v: f64[n]) -> (a: f64[n], top: f64, b: f64[n]):
    t = statistics(v)
    return t

gufunc turned(inout v: f64[n]) -> (a: f64[n], b: f64[n]):
    a[:] = v
    b[:] = -v
    t = (b, a)
    return t

gufunc told(v: f64[n]) -> (a: f64[n], b: f64[n]):
    return twice(v)

def twice(v):
    return v[::-1], v + v

gufunc chosen(v: f64[n], k: i64[n]) -> (y: f64[n], z: f64[n], w: f64[n]):
    for i in prange(n):
        t = (v[i], v[i] * v[i], 1.0, -v[i])
        y[i] = t[k[i]]
        pairs = ((v[i], 2.0), (3.0, v[i] + 1))
        p = pairs[k[i] % 2]
        z[i] = p[0] - p[1]
        s = 0.0
        for j in range(4):
            s += t[j] * t[3 - j]
        w[i] = s

gufunc of_arrays(a: f64[n], b: f64[n]) -> (y: f64[n], s: f64):
    t = (a, b, a)
    total = 0.0
    for j in range(3):
        total += sum(t[j] * (j + 1))
    last = 1
    return t[last] - t[-last], total

const KERNEL = np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]], dtype=np.float64)
const RAMP = np.array((1, 2, 3))

gufunc smooth(x: f64[m, n]) -> (y: f64[m - 2, n - 2]):
    for i, j in prange(m - 2, n - 2):
        s = 0.0
        for di in range(3):
            for dj in range(3):
                s += KERNEL[di, dj] * x[i + di, j + dj]
        y[i, j] = s / KERNEL[1, 1] + np.dot(RAMP, x[i, j:j + 3])

gufunc axes(a: f64[m, n, k]) -> (x: f64[n, k, m], y: f64[m, n], z: f64[k, n, m]):
    x[:] = a.transpose(1, 2, 0)
    y[:] = np.transpose(a[..., 0].T)
    z[:] = np.transpose(a, (-1, 1, 0)) + a.transpose()

ufunc power_of(x: f64, k: i32) -> f64:
    t = (1.0, x, x * x, x * x * x)
    return t[k] + t[-1]

gufunc nones(x: T[n], a: f64[n, m]) -> (b: T[n], c: T[n], d: T[n], s: f64, t: f64, u: i64, v: f64, w: T[n]) where T in (i32, f64):
    b[:] = np.clip(x, None, None)
    c[:] = x.clip(max=None) + np.clip(x, min=None)
    d[:] = x.clip()
    s = np.sum(a, axis=None, dtype=None)
    t = a.mean(None) + np.max(a, axis=None, out=None)
    u = np.argmin(a, axis=None)
    v = a.sum(axis=None, dtype=np.float64)
    w[:] = np.cumsum(x, axis=None)
    return b, c, d, s, t, u, v, w

def thirds(v):
    t = np.empty(len(v), dtype=v.dtype)
    t[:] = v / 3
    return t

gufunc types_of(x: T[n], z: f32) -> (a: f64[n], b: f64[n], c: f64[n], d: f64[n], bits: i64) where T in (f32, f64):
    t = np.zeros(n, dtype=x.dtype)
    t[:] = x / x.dtype.type(3)
    a[:] = t
    b[:] = (x / x.dtype(3)).astype(z.dtype)
    c[:] = thirds(x * 2)
    w = z * x
    u = np.ones(n, dtype=w.dtype)
    u[:] /= 3
    d[:] = u
    bits = 32 if x.dtype == np.float32 else 64
    if z.dtype != np.float32 or x.dtype not in (np.float32, np.float64):
        bits = -1
    return a, b, c, d, bits

gufunc picked(x: f64[n], y: f64[n], k: i64[m]) -> (a: f64, b: f64[m], c: f64[n], d: f64, e: f64[n]):
    t = (x, y, x[::-1])
    a = sum(t[j][0] for j in range(2)) + sum(v[-1] for v in t)
    for i in range(m):
        b[i] = t[k[i]][0] + sum(t[(k[i] + 1) % 3])
    c[:] = 0
    for i in range(m):
        c += t[k[i]]
    d = max(max(v) for v in (x, y))
    pairs = ((x, 2.0), (y, 3.0))
    e[:] = 0
    for i in range(m):
        p = pairs[k[i] % 2]
        e += p[0] * p[1]
    for factor in ((1.0, 2.0, 4.0) if n > 2 else (3.0, 5.0, 0.0)):
        d *= factor
    return a, b, c, d, e

gufunc picked_whole(x: f64[n], y: f64[n], k: i64) -> (a: f64[n], b: f64, c: f64[n], d: f64[n], e: f64[n], p: f64, q: f64[n], r: f64[n]):
    t = (x, y)
    a[:] = t[k] * 2 + 1
    b = t[k].sum() + len(t[k]) + max(t[k] - 1) + sum(2 * (x, y)[k])
    c[:] = where(t[k] > 1, t[1 - k], t[k])
    sums = (x + 1, y * 2)
    d[:] = sums[k] @ sums[1 - k]
    d[:] += sums[k]
    pairs = ((x, 1.0), (y, 2.0))
    v, w = pairs[k]
    e[:] = v * w
    p = sum(sum(v * w) for v, w in zip(t, (1.0, 2.0))) + sum(i * max(v) for i, v in enumerate(t))
    targets = (q, r)
    q[:] = 0
    r[:] = 0
    for i in range(3):
        targets[(i + k) % 2][:] += x
        targets[(i + k) % 2][0] += 1
    return a, b, c, d, e, p, q, r

gufunc types_of_results(x: f32[n], inout z: f64[n]) -> (y: f64[n], s: f64):
    third = y.dtype.type(1) / y.dtype.type(3)
    y[:] = x.astype(y.dtype) * third
    z[:] = x.astype(z.dtype) / 3
    s = 1 if y.dtype == z.dtype else 2
    s += 10 if x.dtype == y.dtype else 20
    return s

const SECOND: i64 = 1

gufunc members(x: f64[n]) -> (a: f64, b: f64, c: f64[n], d: f64, e: f64[n], p: f64):
    t = (x, 2.0)
    a = t[2 - 1] * 2
    b = t[len(t) - 1] * (x, 3.0)[-1]
    c[:] = (2.0, x)[1] * 2
    k = i32(-1)
    d = t[k] * 2 + t[SECOND]
    v = (2.0, x)[SECOND] * t[SECOND]
    e[:] = v
    p = (1.0, 3.0, 4.0)[-SECOND] + 1
    return a, b, c, d, e, p
"""

# A file's own functions are what their names mean; `np.` is the library.
OWN = """
gufunc sum(x: f64[n]) -> f64:
    return 100 * np.sum(x)

def clip(x, least):
    return x - least

gufunc own(x: f64[n]) -> (a: f64, b: f64, c: f64[n], d: f64):
    a = sum(x) + x.sum()
    b = np.sum(v * 2 for v in x)
    c[:] = clip(x, 1) + np.clip(x, 2, None)
    d = sum(x * 2)
    return a, b, c, d
"""


def idioms(ctx):
    def run(t):
        rng = ctx.rng(16)

        def same(label, name, want, *arguments, source=IDIOMS):
            got = ctx.call(source, name, *arguments)
            for k, (g, e) in enumerate(zip(
                    got if isinstance(got, tuple) else (got,), want)):
                t.same(f"{name} {k} {label}", g, e)
        for n in (1, 2, 7, 33, 1000):
            for dtype in (np.int32, np.float64):
                x = rng.integers(-9, 9, n).astype(dtype)
                one = dtype(1)
                same(f"{n} {np.dtype(dtype)}", "bounded", (
                    np.clip(x, 0, None), np.clip(x, None, 3),
                    np.clip(x, -2, 5), np.clip(x, 1, None),
                    np.clip(x + one, 0, None), np.clip(x, None, 2),
                    np.clip(x, -1, 1)), x)
                for h in (1, 4):
                    img = rng.integers(0, 99, (h, n, 3)).astype(dtype)
                    swapped = img[..., ::-1].copy()
                    swapped[0, :, 1] = 7
                    first = img[0].copy()
                    first[:, 2] += img[h // 2, :, 0]
                    same(f"{h} {n} {np.dtype(dtype)}", "channels", (
                        img[..., 0] + dtype(2) * img[..., -1], swapped, first,
                        img[0, -1, 0]), img)
            x = rng.integers(-99, 99, (3, n)).astype(np.float32)
            wide = x.astype(np.float64)
            ramp = np.arange(n, dtype=np.float32) / np.float32(3)
            same(f"{n}", "typed", (
                wide.sum(0), wide.sum(), wide.sum(1) / n, x.astype(np.int32),
                ramp, wide.sum()), x)
            u = rng.integers(0, 256, n).astype(np.uint8)
            same(f"{n}", "narrow", (u.sum(dtype=np.uint8),
                                    np.cumsum(u, dtype=np.uint8)), u)
            v = rng.integers(-9, 9, n).astype(np.float64)
            b = rng.integers(-9, 9, n).astype(np.float64)
            same(f"{n}", "described", (v - v.sum() / n, v.max(), v * 2), v)
            same(f"{n}", "turned", (-v, v), v.copy())
            same(f"{n}", "told", (v[::-1], v + v), v)
            k = rng.integers(0, 4, n)
            same(f"{n}", "chosen", (
                np.choose(k, (v, v * v, np.ones(n), -v)),
                np.where(k % 2 == 0, v - 2, 2 - v),
                v * -v + v * v + v * v + -v * v), v, k)
            same(f"{n}", "of_arrays", (b - v, (v + 2 * b + 3 * v).sum()), v, b)
            c = rng.integers(-9, 9, (5, n + 2)).astype(np.float64)
            kernel = np.outer((1, 2, 1), (1, 2, 1))
            windows = np.lib.stride_tricks.sliding_window_view(c, (3, 3))
            same(f"{n}", "smooth", (
                (windows * kernel).sum((2, 3)) / 4
                + (windows[..., 0, :] * (1, 2, 3)).sum(2),), c)
            c = rng.integers(-9, 9, (2, 3, n)).astype(np.float64)
            same(f"{n}", "axes", (c.transpose(1, 2, 0), c[..., 0],
                                  2 * c.transpose()), c)
            e = rng.integers(0, 4, n).astype(np.int32)
            same(f"{n}", "power_of", (v ** e + v ** 3,), v, e)
            c = rng.integers(-9, 9, (n, 3)).astype(np.float64)
            for x in (v, v.astype(np.int32)):
                same(f"{n} {x.dtype}", "nones", (
                    x, x + x, x, c.sum(), c.mean() + c.max(), c.argmin(),
                    c.sum(), np.cumsum(x, dtype=x.dtype)), x, c)
            for x in (v, v.astype(np.float32)):
                three, wide = x.dtype.type(3), np.float64
                same(f"{n} {x.dtype}", "types_of", (
                    (x / three).astype(wide),
                    (x / three).astype(np.float32).astype(wide),
                    (x * 2 / three).astype(wide),
                    np.full(n, 1 / three).astype(wide), 8 * x.itemsize),
                    x, np.float32(2))
            k = rng.integers(0, 3, 5)
            t3 = np.stack([v, b, v[::-1]])
            weight = np.array([2.0, 3.0])[k % 2]
            same(f"{n}", "picked", (
                v[0] + b[0] + t3[:, -1].sum(),
                t3[k, 0] + t3[(k + 1) % 3].sum(1), t3[k].sum(0),
                max(v.max(), b.max()) * (8 if n > 2 else 0),
                (t3[k % 2] * weight[:, None]).sum(0)), v, b, k)
            for k in range(2):
                chosen, other = (v, b)[k], (v, b)[1 - k]
                s = ((v + 1, b * 2)[k], (v + 1, b * 2)[1 - k])
                first = np.arange(n) == 0
                stored = (2 * (v + first), v + first)
                same(f"{n} {k}", "picked_whole", (
                    chosen * 2 + 1,
                    3 * chosen.sum() + n + chosen.max() - 1,
                    np.where(chosen > 1, other, chosen),
                    (s[0] * s[1]).sum() + s[0], chosen * (k + 1),
                    v.sum() + 2 * b.sum() + b.max(),
                    stored[k], stored[1 - k]), v, b, k)
            same(f"{n}", "members", (4.0, 6.0, v * 2, 6.0, v * 2, 5.0), v)
            x = v.astype(np.float32)
            same(f"{n}", "types_of_results", (
                x.astype(np.float64) * (1 / 3), 21.0), x, np.zeros(n))
            same(f"{n}", "own", (101 * v.sum(), 2 * v.sum(),
                                 v - 1 + np.maximum(v, 2), 200 * v.sum()), v,
                 source=OWN)
    return run


def cases(ctx):
    yield "idioms", idioms(ctx)
