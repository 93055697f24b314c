"""Products of matrices: what they are, and what their bits depend on."""

import numpy as np

from suite import Skip

SOURCE = """
gufunc matmul(a: T[m?, k], b: T[k, n?]) -> (c: T[m?, n?]) where T in (f32, f64):
    for i, j in prange(m, n):
        c[i, j] = sum(a[i, p] * b[p, j] for p in range(k))

gufunc vecmat(x: T[k], a: T[k, n]) -> (y: T[n]) where T in (f32, f64):
    for j in prange(n):
        y[j] = sum(a[i, j] * x[i] for i in range(k))

gufunc turned(a: T[m, k], b: T[n, k]) -> (c: T[n, m]) where T in (f32, f64):
    for i, j in prange(m, n):
        c[j, i] = sum(b[j, p] * a[i, p] for p in range(k))

gufunc batched(a: T[b, m, k], c: T[k, n, b]) -> (d: T[m, b, n]) where T in (f32, f64):
    for l, i, j in prange(b, m, n):
        d[i, l, j] = sum(a[l, i, p] * c[p, j, l] for p in range(k))

gufunc partial(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f32, f64):
    for i, j in prange(m, n):
        c[i, j] = sum(a[i, p] * b[p, j] for p in range(k - 1))
"""
SHAPES = ((1, 1, 1), (2, 3, 4), (6, 5, 16), (7, 1, 17), (13, 40, 35), (5, 0, 3),
          (0, 4, 4), (4, 4, 0), (64, 9, 8), (50, 33, 20), (1, 100, 67),
          (1, 9, 16), (100, 20, 1), (6, 3, 4), (12, 3, 31))


def whole(rng, dtype, *shape):
    """Whole numbers, whose sums of products are exact in any order."""
    return rng.integers(-9, 10, shape).astype(dtype)


def exact(ctx, dtype):
    def run(t):
        rng = ctx.rng(81)
        for m, k, n in SHAPES:
            a, b = whole(rng, dtype, m, k), whole(rng, dtype, k, n)
            t.same(f"matmul {m} {k} {n}", ctx.call(SOURCE, "matmul", a, b), a @ b)
            t.same(f"turned {m} {k} {n}",
                   ctx.call(SOURCE, "turned", a, b.T.copy()), (a @ b).T)
            c, d = whole(rng, dtype, 3, m, k), whole(rng, dtype, k, n, 3)
            t.same(f"batched {m} {k} {n}", ctx.call(SOURCE, "batched", c, d),
                   np.einsum("lip,pjl->ilj", c, d))
            stack = whole(rng, dtype, 4, 1, m, k)
            t.same(f"stack {m} {k} {n}", ctx.call(SOURCE, "matmul", stack, b),
                   stack @ b)
            if m:
                t.same(f"vecmat {k} {n}", ctx.call(SOURCE, "vecmat", a[0], b),
                       a[0] @ b)
                t.same(f"vector {k} {n}", ctx.call(SOURCE, "matmul", a[0], b),
                       a[0] @ b)
            if n:
                t.same(f"to a vector {m} {k}",
                       ctx.call(SOURCE, "matmul", a, b[:, 0].copy()),
                       a @ b[:, 0])
            if k:
                t.same(f"partial {m} {k} {n}",
                       ctx.call(SOURCE, "partial", a, b),
                       a[:, :-1] @ b[:-1])
    return run


def layouts(array):
    """The same matrix in other places."""
    yield array
    yield np.asfortranarray(array)
    yield array[::-1, ::-1].copy()[::-1, ::-1]
    wide = np.zeros((2 * array.shape[0], 3 * array.shape[1]), array.dtype)
    wide[::2, ::3] = array
    yield wide[::2, ::3]


def bits(ctx, dtype):
    """Strides do not change a result. Nor does, on a CPU, the size of the product
    that it is a part of; on a GPU the mapping, and with it the order of a sum,
    is chosen by the extents."""
    def run(t):
        rng = ctx.rng(82)
        for m, k, n in ((25, 40, 37), (1, 60, 100), (300, 260, 330)):
            a = rng.standard_normal((m, k)).astype(dtype)
            b = rng.standard_normal((k, n)).astype(dtype)
            expected = ctx.call(SOURCE, "matmul", a, b)
            error = abs(expected - a.astype("f8") @ b)
            bound = k * np.finfo(dtype).eps * (abs(a) @ abs(b))
            t.check("near", (error <= bound).all())
            for left in layouts(a):
                for right in layouts(b):
                    t.same(f"{m} {k} {n} {left.strides} {right.strides}",
                           ctx.call(SOURCE, "matmul", left, right), expected)
            if ctx.device == "cuda":
                continue
            for rows, columns in ((slice(0, 1), slice(0, 1)),
                                  (slice(0, 9), slice(3, 23)),
                                  (slice(m // 2, m), slice(n // 3, n))):
                t.same("a part", ctx.call(SOURCE, "matmul", a[rows], b[:, columns]),
                       expected[rows, columns])
            t.same("a row", ctx.call(SOURCE, "vecmat", a[0], b), expected[0])
    return run


def special(ctx):
    """Infinities, NaN and the sign of zero are those of a sum from 0 on."""
    def run(t):
        a = np.array([[np.inf, 1, 0], [-0.0, 0, 0], [np.nan, 0, 1]])
        b = np.array([[1.0, 0, -1], [0, 2, -np.inf], [1, 1, 5]])
        expected = np.zeros((3, 3))
        for p in range(3):
            expected = expected + a[:, p:p + 1] * b[p]
        got = ctx.call(SOURCE, "matmul", a, b)
        t.same("values", got, expected)
        t.same("signs", np.signbit(got[1]), np.signbit(expected[1]))
    return run


LONE = """
gufunc waves(x: f64[n]) -> (y: f64[n], z: f64[n]):
    for i in prange(1, n, 2):
        y[i] = sin(x[i]) * x[i - 1]
        y[i - 1] = x[i]
        z[i] = sum(x[j] for j in range(i, min(i + 9, n)))
        z[i - 1] = x[n - 1 - i]
"""


def lone(ctx):
    """Threads share the iterations of one loop element."""
    def run(t):
        x = ctx.rng(83).standard_normal(200000)
        y, z = ctx.call(LONE, "waves", x)
        odd, even = x[1::2], x[::2]
        expected = np.empty((2, x.size))
        expected[0, ::2], expected[0, 1::2] = odd, np.sin(odd) * even
        expected[1, ::2] = x[::-1][1::2]
        padded = np.concatenate([x, np.zeros(9)])
        sums = sum(padded[j:x.size + j] for j in range(9))
        expected[1, 1::2] = sums[1::2]
        t.check("y", np.allclose(y, expected[0], 1e-14, 1e-14))
        t.check("z", np.allclose(z, expected[1], 1e-13, 1e-13))
        small = ctx.call(LONE, "waves", x[:1000])
        t.same("as in one part", y[:1000], small[0])
    return run


ROWS = """
gufunc matvec(a: T[m, n], x: T[n], k: T[m]) -> (y: T[m], z: T[m]) where T in (f16, f32, f64):
    for i in prange(m):
        s = sum(a[i, j] * x[j] - k[i] for j in range(n))
        y[i] = s
        z[i] = s * k[i] + a[i, 0]

gufunc squares(a: T[m, n], x: T[n]) -> (y: T[m]) where T in (f16, f32, f64):
    for i in prange(m):
        y[i] = sum(x[j] * x[j] for j in range(n)) + a[i, 0]
"""


def rows(ctx, dtype):
    """Rows that run together have the bits of each by itself."""
    def run(t):
        if ctx.device != "cpu":
            raise Skip("a GPU's lanes follow the number of rows")
        rng = ctx.rng(84)
        for m in (2, 3, 4, 5, 8, 9, 33):
            for n in (1, 15, 16, 17, 32, 33, 100, 1000):
                a, x, k = (rng.standard_normal(shape).astype(dtype)
                           for shape in ((m, n), n, m))
                y, z = ctx.call(ROWS, "matvec", a, x, k)
                own = [ctx.call(ROWS, "matvec", a[i:i + 1], x, k[i:i + 1])
                       for i in range(m)]
                t.same(f"y {m} {n}", y, np.concatenate([each[0] for each in own]))
                t.same(f"z {m} {n}", z, np.concatenate([each[1] for each in own]))
                together = ctx.call(ROWS, "squares", a, x)
                own = [ctx.call(ROWS, "squares", a[i:i + 1], x)
                       for i in range(m)]
                t.same(f"squares {m} {n}", together, np.concatenate(own))
                wide = a.astype(np.float64) * x - k.astype(np.float64)[:, None]
                error = np.abs(y - wide.sum(1)) / np.abs(wide).sum(1)
                t.check(f"NumPy {m} {n}", error.max() < 2 * np.finfo(dtype).eps,
                        error.max())
    return run


PERIODIC = """
gufunc periodic(v: T[n]) -> T where T in (f16, f32, f64):
    return sum(v[i] * v[i % 4] for i in range(n))
"""


def periodic(ctx):
    """An index that begins again: the bits do not depend on strides."""
    def run(t):
        if ctx.device != "cpu":
            raise Skip("vectors of the CPU")
        for dtype in (np.float16, np.float32, np.float64):
            v = ctx.rng(85).standard_normal((50, 300)).astype(dtype)
            wide = np.repeat(v, 2, axis=1)[:, ::2]
            t.same(str(np.dtype(dtype)), ctx.call(PERIODIC, "periodic", v),
                   ctx.call(PERIODIC, "periodic", wide))
    return run


def cases(ctx):
    for dtype in (np.float32, np.float64):
        yield f"exact {np.dtype(dtype)}", exact(ctx, dtype)
        yield f"bits {np.dtype(dtype)}", bits(ctx, dtype)
    for dtype in (np.float16, np.float32, np.float64):
        yield f"rows {np.dtype(dtype)}", rows(ctx, dtype)
    yield "periodic", periodic(ctx)
    yield "special", special(ctx)
    yield "a lone prange", lone(ctx)
