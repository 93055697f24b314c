"""Functions of arrays in bodies: along an axis, products, parts with steps, masks, and what
makes arrays."""

import numpy as np

HEADER = """
gufunc f(a: {t}[m, n], b: {t}[n], c: {t}[m, n], s: {t}) -> (y: {t}[m, n], z: {t}[n], r: {t}):
"""

# Bodies that NumPy runs too: of each loop element, with y and z zeros before.
BODIES = [
    ("sums along an axis", """
    y[:] = a - sum(a, axis=1, keepdims=True)
    z[:] = sum(a, axis=0)
    r = sum(sum(a * c, axis=1))
"""),
    ("several axes", """
    y[:] = a - sum(a * c, axis=(0, 1), keepdims=True)
    z[:] = b * max(a, axis=(1, 0)) - min(c, axis=(-1, 0))
    r = sum(a + c, axis=(0, 1)) + sum(b, axis=(0,)) + any(a > 8, axis=(0, 1))
"""),
    ("rows of constants", """
    k = [[1, 2, 3], [4, 5, 6]]
    y[:] = a * k[1][2]
    z[:] = b + k[0][0]
    r = 0
    for p, q, s in k:
        r += p * q - s
"""),
    ("arrays of lists", """
    w = np.array([1, s, 3])
    w[0] = 2
    k = np.array([[1.5, 2], [3, 4]], dtype=np.int64)
    k[1] += 1
    d = np.array(b)
    d[0] = 7
    e = np.array([w[1], 4.5], dtype=np.int32) - 5
    y[:] = a * w[1] + w[0] - np.array(c)[::-1] * k[0, 1]
    f = np.array([1, 2.5])
    g = np.array([[True, 2], [3, 4]])
    z[:] = d - b + np.array([s]) + len(w) + g[0, 0] - g[1, 1] + int(2 * f[1])
    r = sum(w) + sum(k) * 2 + sum(np.array([1, 0, 1]) * w) + e[0] + e[1]
"""),
    ("scans in expressions", """
    c2 = cumsum(b)
    y[:] = cumsum(b * 2) % 7 - c2[::-1]
    for i in range(m):
        y[i] += cummax(a[i]) * cummin(c[i] + b)[::-1]
    z[:] = cumsum(arange(n)) + cumsum(b > 0) - cumprod(b // 3)
    z += cumsum(z)
    r = max(cumsum(b)) + cumsum(a[0])[-1] + sum(cummax(-b))
"""),
    ("axes by position", """
    y[:] = np.max(a, 0) - np.min(c, -1, keepdims=True) + np.sum(b, 0)
    z[:] = np.argmax(a, 0) + np.any(c > 2, 0) * np.prod(a, 0)
    r = np.prod(b, 0) + np.sum(a, (0, 1))
"""),
    ("extrema along an axis", """
    y[:] = max(a, axis=0) - min(c, axis=-1, keepdims=True)
    z[:] = max(a + c, axis=0)
    r = max(b, axis=0) - min(a[0] * b, axis=0)
"""),
    ("positions along an axis", """
    y[:] = argmax(a, axis=0) + argmin(c, axis=1, keepdims=True)
    z[:] = argmin(a, axis=0)
    r = argmax(b, axis=0)
"""),
    ("truth along an axis", """
    y[:] = where(any(a > 3, axis=0), a, c)
    z[:] = where(all(a > c, axis=0), 1, 2)
    r = s
"""),
    ("products", """
    y[:] = a @ (transpose(c) @ a)
    z[:] = b @ (a.T @ c)
    r = dot(b, b) + (a @ b)[0] * b @ b
"""),
    ("products of sums", """
    y[:] = outer(a @ b, b) + matmul(c @ a.T, a + c)
    z[:] = (a + c).T @ (c @ b) + (b * 2)[::-1]
    r = dot(a[0] + b, c[0])
"""),
    ("in place", """
    y[:] = a
    y[:] = y @ transpose(a) @ y + y
    z[:] = b
    z[:] = sum(outer(z, z), axis=0)
    r = z @ z
"""),
    ("turned", """
    t = a.T
    y[:] = t.T + transpose(c.T)
    y.T[0] += 1
    z[:] = t[:, 0]
    z += t[:, m - 1]
    r = sum(t[0] * c.T[0])
"""),
    ("steps", """
    y[:] = a[::-1, ::-1]
    y[::2, 1::2] = 5
    y[1::2] += c[1::2]
    z[:] = b[::-1]
    z[::3] = b[::3] * 2
    r = sum(b[::-2]) + b[::-1][0] + sum(b[1:][::2]) + sum(b[::2][::-1][::2])
"""),
    ("steps in place", """
    y[:] = a
    y[:] = y[::-1] + y
    z[:] = b
    z[:] = z[::-1]
    z[::-1] = z - b
    r = len(b[::2]) * 100 + len(b[1::3]) + a[:, ::-1].shape[1]
"""),
    ("masks", """
    y[:] = a
    y[y < 0] = 0
    y[y[::-1] > 2] += s
    y[a == c] = a[0, 0] * 2
    z[:] = b
    z[z > mean(b)] = s
    z[sum(a, axis=0) > 0] -= 1
    r = max(b)
    y[0][y[0] == 3] = 7
"""),
    ("made", """
    d = zeros_like(a)
    e = ones_like(b) * 2
    d += e
    y[:] = d + full_like(c, s) - ones((m, n), {t})
    g = empty_like(b)
    g[:] = arange(n)
    z[:] = g * full(n, 3) + arange(n)
    r = sum(arange(1, n, 2)) + sum(ones(4, {t})) + full((2, 2), s)[1, 1]
"""),
    ("ranges", """
    y[:] = a * arange(n) + arange(m, 2 * m)[0]
    z[:] = where(arange(n) % 2 == 0, b, -b) + arange(n - 1, -1, -1)
    k = arange(5)
    r = k[3] + sum(k * k)
"""),
]

NUMPY = {name: getattr(np, name) for name in (
    "sum prod min max any all mean argmin argmax where dot matmul outer transpose zeros_like "
    "ones_like empty_like full_like arange cumsum cumprod").split()}
NUMPY |= {"cummax": np.maximum.accumulate, "cummin": np.minimum.accumulate}


def expected(body, t, a, b, c, s):
    dtype = np.dtype({"i64": np.int64, "f64": np.float64}[t])
    names = {**NUMPY, "ones": lambda shape, _=None: np.ones(shape, dtype),
             "full": lambda shape, v: np.full(shape, v), "i64": np.int64, "f64": np.float64,
             "len": len, "np": np}
    lines = "".join(line[4:] + "\n" for line in body.replace("{t}", t).split("\n"))
    results = []
    for k in range(len(a)):
        y, z = np.zeros_like(a[k]), np.zeros_like(b)
        own = {"a": a[k], "b": b, "c": c[k], "s": s[k], "y": y, "z": z,
               "m": a.shape[1], "n": a.shape[2]}
        exec(lines, {**names, **own}, scope := {})
        results.append((y, z, np.asarray(scope["r"]).astype(dtype)))
    return [np.stack(part) for part in zip(*results)]


def agree(ctx, body, t):
    dtype = {"i64": np.int64, "f64": np.float64}[t]
    source = (HEADER + body).replace("{t}", t)

    def run(recorder):
        rng = ctx.rng(31)
        for m, n in ((2, 2), (3, 4), (4, 7), (5, 40), (33, 9)):
            a, c = (rng.integers(-4, 5, (3, m, n)).astype(dtype) for _ in range(2))
            b = rng.integers(-4, 5, n).astype(dtype)
            s = rng.integers(-4, 5, 3).astype(dtype)
            want = expected(body, t, a, b, c, s)
            for k, (g, e) in enumerate(zip(ctx.call(source, "f", a, b, c, s), want)):
                recorder.same(f"result {k} {(m, n)}", g, e)
    return run


CROSS = """
gufunc f(a: T[3], b: T[3]) -> (c: T[3]) where T in (i64, f32, f64):
    c[:] = cross(a, b)

gufunc triple(a: T[n, 3], b: T[3], k: i64) -> (v: T, w: T[3]) where T in (i64, f32, f64):
    v = dot(a[k], cross(b, a[0]))
    w[:] = cross(cross(a[0], b), a[k]) + b

ufunc inside(x: f64, y: f64, z: f64) -> (r: f64, q: f64):
    a = empty(3, f64)
    a[0], a[1], a[2] = x, y, z
    b = ones(3)
    r = dot(cross(a, b), a) + sum(cross(a, b))
    m = full((3, 3), 2.0)
    q = sum(m @ a) + sum(m, axis=0)[1]
"""


def cross(ctx):
    def run(t):
        rng = ctx.rng(32)
        for dtype in (np.int64, np.float32, np.float64):
            a, b = (rng.integers(-9, 10, (7, 3)).astype(dtype) for _ in range(2))
            t.same("cross", ctx.call(CROSS, "f", a, b), np.cross(a, b))
            v, w = ctx.call(CROSS, "triple", a, b[0], np.int64(4))
            t.same("triple", v, a[4] @ np.cross(b[0], a[0]))
            t.same("twice", w, np.cross(np.cross(a[0], b[0]), a[4]) + b[0])
        x, y, z = rng.integers(-9, 10, (3, 50)).astype(float)
        r, q = ctx.call(CROSS, "inside", x, y, z)
        t.same("in a ufunc", r, np.zeros(50))
        t.same("constant sizes", q, 6 * (x + y + z) + 6)
    return run


MEANS = """
gufunc f(x: T[m, n]) -> (y: T[m, n], z: T[n]) where T in (f32, f64):
    d = x - mean(x, axis=0)
    z[:] = sqrt(mean(d * d, axis=0))
    y[:] = d / z
"""


def means(ctx):
    def run(t):
        for dtype, ulp in ((np.float32, 0), (np.float64, 0)):
            x = ctx.rng(33).integers(0, 8, (2, 64, 5)).astype(dtype)
            y, z = ctx.call(MEANS, "f", x)
            d = x - x.mean(1, keepdims=True)
            t.same("deviation", z, np.sqrt((d * d).mean(1)), ulp=1)
            t.same("standardised", y, d / np.sqrt((d * d).mean(1, keepdims=True)), ulp=1)
    return run


def cases(ctx):
    for name, body in BODIES:
        for t in ("i64", "f64"):
            yield f"{name} {t}", agree(ctx, body, t)
    yield "cross", cross(ctx)
    yield "means", means(ctx)
