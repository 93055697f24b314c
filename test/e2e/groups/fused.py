"""Statements on whole arrays that become one loop, products of matrices behind
which more is computed, and what is computed of arrays within expressions."""

import numpy as np

SOURCE = """
gufunc layer(x: T[b, k], w: T[k, n], bias: T[n]) -> (y: T[b, n]) where T in (f32, f64):
    y[:] = maximum(x @ w + bias, 0)

gufunc layer_in_steps(x: T[b, k], w: T[k, n], bias: T[n]) -> (y: T[b, n]) where T in (f32, f64):
    y[:] = x @ w
    y += bias
    y[:] = maximum(y, 0)

gufunc layer_by_elements(x: T[b, k], w: T[k, n], bias: T[n]) -> (y: T[b, n]) where T in (f32, f64):
    for i, j in prange(b, n):
        s = sum(x[i, p] * w[p, j] for p in range(k)) + bias[j]
        y[i, j] = s if s > 0 else 0

gufunc residual(x: T[b, k], w: T[k, n], r: T[b, n]) -> (y: T[b, n]) where T in (f32, f64):
    y[:] = 2 * r - x @ w

gufunc scaled(x: T[b, k], w: T[k, n], s: T, r: T[b, n]) -> (y: T[n, b]) where T in (f32, f64):
    for i, j in prange(b, n):
        y[j, i] = s * sum(x[i, p] * w[p, j] for p in range(k)) - r[i, j] * i

gufunc batched(x: T[l, b, k], w: T[k, n], r: T[l]) -> (y: T[b, l, n]) where T in (f32, f64):
    for q, i, j in prange(l, b, n):
        y[i, q, j] = sum(x[q, i, p] * w[p, j] for p in range(k)) + r[q]

gufunc two_products(x: T[b, k], w: T[k, n], v: T[k, n]) -> (y: T[b, n], z: T[b, n]) where T in (f32, f64):
    y[:] = x @ w
    z[:] = x @ v
    y += z

gufunc squared(x: T[b, k], w: T[k, n]) -> (y: T[b, n]) where T in (f32, f64):
    t = x @ w
    y[:] = t * t

gufunc columns(x: T[m, n]) -> (y: T[m, n]) where T in (f32, f64):
    y[:] = sum(x, axis=0)

gufunc centred(x: T[m, n]) -> (y: T[m, n]) where T in (f32, f64):
    y[:] = x - max(x, axis=0) + max(x, axis=1, keepdims=True)

gufunc numbered(x: T[m, n]) -> (y: T[m, n]) where T in (f32, f64):
    y[:] = x * arange(n) + outer(arange(m), x[0])

gufunc own(x: T[b, b], w: T[b, b]) -> (y: T[b, b]) where T in (f32, f64):
    y[:] = x
    y[:] = y @ w + y

gufunc neighbours(x: T[n]) -> (y: T[n], z: T[n], r: T[n]) where T in (f32, f64):
    y[:] = x * 2
    z[:] = 0
    z[1:] = y[:-1]
    z += y
    r[:] = z
    r -= z[::-1]
    y += r

gufunc turned(x: T[n, n]) -> (y: T[n, n], z: T[n, n]) where T in (f32, f64):
    y[:] = x + 1
    for i, j in prange(n, n):
        z[i, j] = y[j, i]
    y[:] = z * 2
    for i, j in prange(n, n):
        z[j, i] = y[i, j] + z[j, i]

gufunc inner(x: T[m, n]) -> (y: T[m, n]) where T in (f32, f64):
    y[:] = x
    y[1:-1, 1:-1] = x[1:-1, 1:-1] + x[:-2, 1:-1]
    y[1:-1, 1:-1] *= x[1:-1, 2:]
    t = y + 1
    u = t * x
    for i, j in prange(m, n):
        y[i, j] = u[i, j] - t[i, j]

gufunc kept(x: T[n]) -> (y: T[n], last: T) where T in (f32, f64):
    t = x * 3
    y[:] = t + 1
    y[:] = y * t
    last = t[n - 1]
"""

ROUNDED = """
gufunc blend(a: f64[m, n], w: f64[n, n], b: f64[m, n], c: f64[m, n], v: f64[n]) -> (y: f64[m, n], p: f64[n]):
    p[:] = v
    y[:] = (a @ w) * 0.3 + b * c

gufunc mixture(a: f64[m, n], v: f64[n]) -> (p: f64[n], q: f64[n]):
    p[:] = sum(a, axis=0) * 0.3 + v * v
    q[:] = v

gufunc remainder_of(a: f64[n]) -> (s: f64[n]):
    p = a * 3
    e = fma(a, 3.0, -p)
    s[:] = p + e
"""

SHAPES = ((1, 1, 1), (2, 3, 4), (6, 5, 16), (7, 1, 17), (13, 40, 35), (5, 0, 3),
          (0, 4, 4), (4, 4, 0), (1, 100, 67), (100, 20, 1), (12, 3, 31))


def whole(rng, dtype, *shape):
    """Whole numbers, whose sums of products are exact in any order."""
    return rng.integers(-9, 10, shape).astype(dtype)


def layouts(array):
    """The same matrix in other places."""
    yield array
    yield np.asfortranarray(array)
    wide = np.zeros((2 * array.shape[0], 3 * array.shape[1]), array.dtype)
    wide[::2, ::3] = array
    yield wide[::2, ::3]


def behind(ctx, dtype):
    """What is computed of the sums of a product."""
    def run(t):
        rng = ctx.rng(91)
        for b, k, n in SHAPES:
            x, w = whole(rng, dtype, b, k), whole(rng, dtype, k, n)
            bias, r = whole(rng, dtype, n), whole(rng, dtype, b, n)
            name = f"{b} {k} {n}"
            for number, (x_, w_) in enumerate(zip(layouts(x), layouts(w))):
                for layer in ("layer", "layer_in_steps", "layer_by_elements"):
                    t.same(f"{layer} {name} {number}",
                           ctx.call(SOURCE, layer, x_, w_, bias),
                           np.maximum(x @ w + bias, 0))
            t.same(f"residual {name}", ctx.call(SOURCE, "residual", x, w, r),
                   2 * r - x @ w)
            t.same(f"scaled {name}", ctx.call(SOURCE, "scaled", x, w, dtype(3), r),
                   (3 * (x @ w) - r * np.arange(b, dtype=dtype)[:, None]).T)
            stack, rows = whole(rng, dtype, 3, b, k), whole(rng, dtype, 3)
            t.same(f"batched {name}", ctx.call(SOURCE, "batched", stack, w, rows),
                   (stack @ w + rows[:, None, None]).transpose(1, 0, 2))
            t.same(f"of a stack {name}", ctx.call(SOURCE, "layer", stack, w, bias),
                   np.maximum(stack @ w + bias, 0))
            v = whole(rng, dtype, k, n)
            y, z = ctx.call(SOURCE, "two_products", x, w, v)
            t.same(f"two {name}", y, x @ w + x @ v)
            t.same(f"two, the other {name}", z, x @ v)
            t.same(f"squared {name}", ctx.call(SOURCE, "squared", x, w),
                   (x @ w) ** 2)
    return run


def in_place(ctx, dtype):
    """An argument that is the result's memory."""
    def run(t):
        rng = ctx.rng(92)
        x, w = whole(rng, dtype, 30, 8), whole(rng, dtype, 8, 30)
        r = whole(rng, dtype, 30, 30)
        expected = 2 * r - x @ w
        ctx.call(SOURCE, "residual", x, w, r, out=[r])
        t.same("of the rest", r, expected)
        square = whole(rng, dtype, 30, 30)
        bias = whole(rng, dtype, 30)
        expected = np.maximum(square @ r + bias, 0)
        ctx.call(SOURCE, "layer", square, r, bias, out=[square])
        t.same("of the product", square, expected)
    return run


def shared(ctx):
    """Threads share one product, by rows or by columns."""
    def run(t):
        rng = ctx.rng(93)
        for b, k, n in ((700, 60, 90), (90, 60, 700), (517, 33, 517)):
            x, w = whole(rng, np.float32, b, k), whole(rng, np.float32, k, n)
            bias = whole(rng, np.float32, n)
            for layer in ("layer", "layer_in_steps"):
                t.same(f"{layer} {b} {k} {n}", ctx.call(SOURCE, layer, x, w, bias),
                       np.maximum(x @ w + bias, 0))
    return run


def computed(ctx, dtype):
    """Parts of an expression that are repeated, and that are not."""
    def run(t):
        rng = ctx.rng(94)
        for shape in ((1, 1), (3, 4), (40, 33), (1, 7), (7, 1)):
            x = whole(rng, dtype, *shape)
            t.same(f"columns {shape}", ctx.call(SOURCE, "columns", x),
                   np.broadcast_to(x.sum(0), shape).astype(dtype))
            t.same(f"centred {shape}", ctx.call(SOURCE, "centred", x),
                   x - x.max(0) + x.max(1, keepdims=True))
            m, n = shape
            got = ctx.call(SOURCE, "numbered", x)
            t.same(f"numbered {shape}", got,
                   (x * np.arange(n) + np.outer(np.arange(m), x[0])).astype(dtype))
        for n in (1, 2, 17):
            x, w = whole(rng, dtype, n, n), whole(rng, dtype, n, n)
            t.same(f"own {n}", ctx.call(SOURCE, "own", x, w), x @ w + x)
    return run


def apart(ctx, dtype):
    """Loops of which one reads what other iterations of the other write."""
    def run(t):
        rng = ctx.rng(95)
        for n in (1, 2, 3, 16, 400):
            x = whole(rng, dtype, n)
            y = x * 2
            z = y.copy()
            z[1:] += y[:-1]
            r = z - z[::-1]
            for name, got, expected in zip("yzr", ctx.call(SOURCE, "neighbours", x),
                                           (y + r, z, r)):
                t.same(f"neighbours {name} {n}", got, expected)
            y, last = ctx.call(SOURCE, "kept", x)
            t.same(f"kept {n}", y, (x * 3 + 1) * (x * 3))
            t.same(f"last {n}", last, x[-1] * 3)
        for n in (1, 2, 17, 60):
            x = whole(rng, dtype, n, n)
            y, z = ctx.call(SOURCE, "turned", x)
            t.same(f"turned y {n}", y, (x.T + 1) * 2)
            t.same(f"turned z {n}", z, (x.T + 1) + ((x.T + 1) * 2).T)
        for shape in ((3, 3), (2, 5), (20, 31)):
            x = whole(rng, dtype, *shape)
            y = x.copy()
            y[1:-1, 1:-1] = (x[1:-1, 1:-1] + x[:-2, 1:-1]) * x[1:-1, 2:]
            t.same(f"inner {shape}", ctx.call(SOURCE, "inner", x),
                   (y + 1) * x - (y + 1))
    return run


def rounded(ctx):
    """Equal elements have equal results, whatever the strides; a product whose
    rounding error is computed is rounded."""
    def run(t):
        rng = ctx.rng(96)
        for _ in range(20):
            row, column = rng.standard_normal((2, 17))
            scale, other = rng.standard_normal(2)
            a, w = np.tile(row[:, None], 19), np.full((19, 19), scale)
            b, c = np.tile(column[:, None], 19), np.full((17, 19), other)
            v = np.full(19, other)
            y, _ = ctx.call(ROUNDED, "blend", a, w, b, c, v)
            t.same("columns", y, np.tile(y[:, :1], 19))
            turned, _ = ctx.call(ROUNDED, "blend", *map(np.asfortranarray, (a, w, b, c)), v)
            t.same("Fortran order", turned, y)
            p, _ = ctx.call(ROUNDED, "mixture", a, v)
            t.same("sums", p, np.full(19, p[0]))
        x = rng.standard_normal(1000)
        t.same("products", ctx.call(ROUNDED, "remainder_of", x), x * 3)
    return run


def cases(ctx):
    for dtype in (np.float32, np.float64):
        yield f"behind a product {np.dtype(dtype)}", behind(ctx, dtype)
        yield f"in place {np.dtype(dtype)}", in_place(ctx, dtype)
        yield f"computed {np.dtype(dtype)}", computed(ctx, dtype)
        yield f"apart {np.dtype(dtype)}", apart(ctx, dtype)
    yield "shared", shared(ctx)
    yield "rounded", rounded(ctx)
