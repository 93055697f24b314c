"""Calls of gufuncs with array results, and of `def`s on arrays, from bodies."""

import numpy as np

SOURCE = """
gufunc product(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (i64, f32, f64):
    for i, j in prange(m, n):
        c[i, j] = sum(a[i, p] * b[p, j] for p in range(k))

gufunc parts(v: T[n]) -> (low: T, steps: T[n - 1], high: T) where T in (i64, f32, f64):
    steps[:] = v[1:] - v[:-1]
    low = min(v)
    high = max(v)

gufunc split(v: T[n]) -> (even: T[n], odd: T[n]) where T in (i64, f32, f64):
    for i in prange(n):
        even[i] = v[i] if i % 2 == 0 else 0
        odd[i] = v[i] - (v[i] if i % 2 == 0 else 0)

gufunc summed(v: T[n]) -> (y: T[n]) where T in (i64, f32, f64):
    y[0] = v[0]
    for i in range(1, n):
        y[i] = y[i - 1] + v[i]

gufunc tiled(v: T[n], k: T) -> (y: T[m, n]) where T in (i64, f32, f64):
    for i, j in prange(m, n):
        y[i, j] = v[j] + i * k

gufunc twice(v: T[n]) -> T[n] where T in (i64, f32, f64):
    if v[0] > 0:
        return v + v
    return 2 * v

gufunc line(n: dim, a: T) -> (y: T[n]) where T in (i64, f32, f64):
    for i in prange(n):
        y[i] = i * a

gufunc direct(a: {t}[m, m], b: {t}[m, m]) -> (c: {t}[m, m]):
    c[:] = product(a, b)

gufunc in_place(a: {t}[m, m]) -> (c: {t}[m, m]):
    c[:] = a
    c[:] = product(c, a)
    c[:] = product(c, c)

gufunc named(a: {t}[m, m], b: {t}[m, m]) -> (c: {t}[m, m]):
    t = product(a, b)
    t[0, 0] += 1
    c[:] = product(t, a) + product(b, t[:, :]) * 2

gufunc nested(a: {t}[m, m], b: {t}[m, m]) -> (c: {t}[m, m]):
    c[:] = product(product(a, b), product(b, a))

gufunc returned(a: {t}[m, m], b: {t}[m, m]) -> {t}[m, m]:
    return product(a, b)

gufunc keyword(a: {t}[m, m], b: {t}[m, m]) -> (c: {t}[m, m]):
    t = empty((m, m), {t})
    product(a, b, out=t)
    product(b=b, a=t, out=c)
    c += t

gufunc rows(a: {t}[m, n]) -> (y: {t}[m, n - 1], r: {t}[m]):
    for i in prange(m):
        low, y[i], high = parts(a[i])
        r[i] = high - low

gufunc two(a: {t}[m, n]) -> (e: {t}[m, n], o: {t}[m, n], both: {t}[m, 2, n]):
    for i in prange(m):
        e[i, :], o[i, :] = split(a[i])
        both[i, 0], both[i, 1] = split(a[i])

gufunc read_back(a: {t}[m, n]) -> (y: {t}[m, n]):
    for i in prange(m):
        y[i] = summed(a[i])

gufunc rounded(a: {t}[m, n]) -> (y: f32[m, n]):
    for i in prange(m):
        y[i] = summed(a[i])

gufunc broadcast(a: {t}[m, n]) -> (y: {t}[m, n]):
    y[:] = twice(a[0])
    y[1:] += twice(a[1])

gufunc columns(a: {t}[m, n], s: {t}) -> (y: {t}[m, n]):
    for j in range(n):
        y[:, j] = twice(a[:, j])
    y[:] = tiled(y[0], s)

gufunc reduced(a: {t}[m, m], b: {t}[m, m]) -> {t}:
    return sum(product(a, b)) + product(a, b)[0, 0] + max(line(m, b[0, 0]))

gufunc iterated(a: {t}[m, n]) -> (r: {t}[m]):
    for i in prange(m):
        total = 0
        for x in summed(a[i]):
            total = total + 2 * x
        r[i] = total
"""

HELPERS = """
def scaled(x, k=2):
    y = x * k
    if y > 6:
        return y - k
    return y

def outer_scaled(x):
    return scaled(x, 3) + scaled(x=x)

def centred(v):
    return v - max(v)

def squares(v):
    t = v * v
    return t + 1

gufunc elements(a: {t}[m, n], b: {t}[n]) -> (y: {t}[m, n], z: {t}[n], r: {t}):
    y[:] = scaled(a) + outer_scaled(b)
    z[:] = scaled(b + 1, k=3)
    r = sum(scaled(a)) + max(outer_scaled(b - 1))

gufunc arrays(a: {t}[m, n], b: {t}[n]) -> (y: {t}[m, n], z: {t}[n], r: {t}):
    d = centred(a)
    e = centred(b + a[0])
    y[:] = d * e
    t = centred(b)
    z[:] = squares(t - 1)
    r = sum(squares(b))
"""


def product(a, b):
    return (a @ b).astype(a.dtype)


def expected(name, a, b):
    """What the functions of SOURCE give for one loop element."""
    dtype = a.dtype
    if name == "direct" or name == "returned":
        return [a @ b]
    if name == "in_place":
        return [(a @ a) @ (a @ a)]
    if name == "named":
        t = a @ b
        t[0, 0] += 1
        return [t @ a + b @ t * 2]
    if name == "nested":
        return [(a @ b) @ (b @ a)]
    if name == "keyword":
        return [(a @ b) @ b + a @ b]
    if name == "rows":
        return [np.diff(a), a.max(1) - a.min(1)]
    if name == "two":
        even = np.where(np.arange(a.shape[1]) % 2 == 0, a, 0).astype(dtype)
        return [even, a - even, np.stack([even, a - even], 1)]
    if name == "read_back":
        return [np.cumsum(a, 1, dtype=dtype)]
    if name == "rounded":
        return [np.cumsum(a, 1, dtype=dtype).astype(np.float32)]
    if name == "broadcast":
        y = np.repeat(2 * a[:1], len(a), 0)
        y[1:] += 2 * a[1]
        return [y]
    if name == "columns":
        return [2 * a[0] + np.arange(len(a))[:, None].astype(dtype) * b[0, 0]]
    if name == "reduced":
        line = np.arange(len(a)).astype(dtype) * b[0, 0]
        return [(a @ b).sum() + (a @ b)[0, 0] + line.max()]
    total = np.zeros(len(a), dtype)
    for column in np.cumsum(a, 1).T:
        total = total + 2 * column
    return [total]


SQUARES = ("direct", "in_place", "named", "nested", "returned", "keyword", "reduced")
OTHERS = ("rows", "two", "read_back", "rounded", "broadcast", "columns", "iterated")


def calls(ctx, name, t):
    dtype = {"i64": np.int64, "f32": np.float32, "f64": np.float64}[t]

    def run(recorder):
        rng = ctx.rng(21)
        for m, n in ((1, 1), (2, 2), (3, 5), (17, 4), (40, 33)):
            n = m if name in SQUARES else n
            if name == "broadcast" and m < 2:
                continue
            a, b = (rng.integers(-2, 3, (3, m, n)).astype(dtype) for _ in range(2))
            operands = {"columns": (a, b[:, 0, 0]), **{each: (a, b) for each in SQUARES},
                        "in_place": (a,)}
            got = ctx.call(SOURCE.replace("{t}", t), name, *operands.get(name, (a,)))
            got = got if isinstance(got, tuple) else (got,)
            want = [expected(name, a[k], b[k]) for k in range(3)]
            for k, g in enumerate(got):
                recorder.same(f"{k} {(m, n)}", g,
                              np.stack([np.asarray(w[k]) for w in want]).astype(g.dtype))
    return run


def scaled(x, k=2):
    return np.where(x * k > 6, x * k - k, x * k)


def helpers(ctx, name, t):
    dtype = {"i64": np.int64, "f64": np.float64}[t]

    def run(recorder):
        rng = ctx.rng(22)
        for m, n in ((1, 1), (2, 3), (5, 40)):
            a = rng.integers(-5, 6, (2, m, n)).astype(dtype)
            b = rng.integers(-5, 6, n).astype(dtype)
            got = ctx.call(HELPERS.replace("{t}", t), name, a, b)
            both = scaled(b, 3) + scaled(b)
            for k in range(2):
                if name == "elements":
                    want = (scaled(a[k]) + both, scaled(b + 1, 3),
                            scaled(a[k]).sum() + (scaled(b - 1, 3) + scaled(b - 1)).max())
                else:
                    total = b + a[k, 0]
                    want = ((a[k] - a[k].max()) * (total - total.max()),
                            (b - b.max() - 1) ** 2 + 1, (b * b + 1).sum())
                for part, g, w in zip("yzr", got, want):
                    recorder.same(f"{part} {(m, n)}", g[k], np.asarray(w, dtype))
    return run


def cases(ctx):
    for name in (*SQUARES, *OTHERS):
        for t in ("i64", "f32", "f64"):
            yield f"{name} {t}", calls(ctx, name, t)
    for name in ("elements", "arrays"):
        for t in ("i64", "f64"):
            yield f"{name} {t}", helpers(ctx, name, t)
