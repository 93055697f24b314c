"""Local arrays of a body, against NumPy."""

import numpy as np

SIZES = (0, 1, 2, 3, 7, 32, 33, 100, 1000, 4097)

LOCALS = """
ufunc horner(x: T) -> T where T in (f32, f64):
    c = zeros(4, T)
    for i in range(4):
        c[i] = i + 1
    r = T(0)
    for k in reversed(c):
        r = r * x + k
    return r

gufunc mirrored(v: T[n]) -> (y: T[n]) where T in (i8, f64):
    t = empty(n, T)
    for i in prange(n):
        t[i] = v[n - 1 - i]
    for i in prange(n):
        y[i] = t[i] + t[n - 1 - i]

gufunc commonest(v: i64[n]) -> i64:
    h = zeros(1000, i32)
    for i in prange(n):
        h[v[i]] += 1
    return argmax(h)

gufunc sorted_rows(a: f32[m, n]) -> (r: f32[m, n]):
    for i in prange(m):
        t = zeros(n, f32)
        for j in range(n):
            p = j
            while p > 0 and t[p - 1] > a[i, j]:
                t[p] = t[p - 1]
                p = p - 1
            t[p] = a[i, j]
        for j in range(n):
            r[i, j] = t[j]

gufunc table(v: f64[n], k: dim) -> (y: f64[n]):
    t = zeros((k, n), f64)
    for i, j in prange(k, n):
        t[i, j] = v[j] * i
    for j in prange(n):
        y[j] = sum(t[i, j] for i in range(k))

gufunc rounds(v: i64[n], k: dim) -> i64:
    total = 0
    for r in range(k):
        t = zeros(n, i64)
        for i in prange(n):
            t[(i + r) % n] += v[i]
        total += t[0]
    return total

def third(t):
    return t[2]

def filled(x):
    t = zeros(3, f64)
    t[2] = x
    return t

gufunc of_defs(v: f64[n]) -> f64:
    return sum(third(filled(x)) for x in v)
"""


def locals_(ctx):
    def run(t):
        rng = ctx.rng(12)
        for dtype in (np.float32, np.float64):
            x = rng.integers(-4, 5, 77).astype(dtype)
            t.same(f"horner {np.dtype(dtype)}", ctx.call(LOCALS, "horner", x),
                   ((4 * x + 3) * x + 2) * x + 1)
        for n in SIZES:
            v = rng.integers(-60, 60, (3, n))
            for dtype in (np.int8, np.float64):
                a = v.astype(dtype)
                t.same(f"mirrored {n}", ctx.call(LOCALS, "mirrored", a),
                       (a + a[:, ::-1]).astype(dtype))
            t.same(f"of_defs {n}", ctx.call(LOCALS, "of_defs",
                                            v.astype(np.float64)),
                   v.sum(-1).astype(np.float64))
            if n:
                h = rng.integers(0, 1000, (3, n))
                t.same(f"commonest {n}", ctx.call(LOCALS, "commonest", h),
                       np.array([np.bincount(r).argmax() for r in h]))
                w = v.astype(np.float64)
                t.same(f"table {n}", ctx.call(LOCALS, "table", w, 5), w * 10)
                t.same(f"rounds {n}", ctx.call(LOCALS, "rounds", v, 3),
                       v[:, 0] + v[:, -1 % n] + v[:, -2 % n])
        for m, n in ((1, 1), (3, 17), (100, 40)):
            a = rng.random((4, m, n)).astype(np.float32)
            t.same(f"sorted {m} {n}", ctx.call(LOCALS, "sorted_rows", a),
                   np.sort(a, -1))
        many = rng.integers(0, 1000, (20000, 3))
        t.same("many elements", ctx.call(LOCALS, "commonest", many),
               np.array([np.bincount(r).argmax() for r in many]))
    return run


def cases(ctx):
    yield "local arrays", locals_(ctx)
