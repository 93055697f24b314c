"""Reductions over core dimensions that begin and end anywhere.

A GPU reads elements that lie side by side by the chunk, from multiples of 16
bytes on; sums are exact in any order here, so that a missing, doubled or misplaced
element shows.
"""

import numpy as np

SOURCE = """
gufunc total(v: T[n]) -> (s: T) where T in (u8, i16, i32, i64, f16, f32, f64, c64, c128):
    s = T(sum(v))

gufunc inside(v: T[n]) -> (s: T) where T in (u8, f32, f64):
    s = T(sum(v[i] for i in range(1, n)))

gufunc positive(v: T[n]) -> (s: T) where T in (i16, f32, f64):
    s = T(sum(x for x in v if x > 0))

gufunc product_sum(a: u8[n], b: f64[n]) -> f64:
    return sum(a[i] * b[i] for i in range(n))

gufunc thirds(a: T[m, n, m], w: T[n]) -> (y: T[m, m]) where T in (i32, f32, f64):
    for i, j in prange(m, m):
        y[i, j] = T(sum(a[i, p, j] * w[p] * w[j % n] for p in range(n) if p % 3 < 1))

gufunc row(a: T[3, n]) -> (s: T) where T in (i32, f32):
    s = T(sum(a[1, i] for i in range(n)))

gufunc column(a: T[n, 3]) -> (s: T) where T in (i32, f32):
    s = T(sum(a[i, 2] for i in range(n)))

gufunc first_largest(v: T[n]) -> (i: i64, x: T) where T in (i16, f32, f64):
    i = argmax(v)
    x = max(v)

gufunc some_negative(v: T[n]) -> bool where T in (i16, f32):
    return any(x < 0 for x in v)

gufunc truths(v: T[n], x: T) -> (some: bool, every: bool, inner: bool) where T in (bool, u8, f32, f64):
    some = any(v[i] == x for i in range(n))
    every = all(v[i] != x for i in range(n))
    inner = any(v[i] == x for i in range(3, n - 3, 2))
"""

LENGTHS = [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 64, 67, 256, 1000, 4099]
MANY = [1, 3, 4, 16, 17, 67, 256]


def views(rng, rows, n, dtype):
    """Rows of n small whole numbers, in every memory layout; each with a name."""
    def numbers(*shape):
        low = 0 if np.dtype(dtype).kind == "u" else -3
        return rng.integers(low, 4, shape).astype(dtype)
    yield "C order", numbers(rows, n)
    for late in (1, 2, 3):
        yield f"{late} elements late", numbers(
            rows * n + late)[late:].reshape(rows, n)
    yield "part of rows", numbers(rows, n + 5)[:, 1:1 + n]
    yield "rows of 16 bytes each", numbers(rows, -(-n // 16) * 16)[:, :n]
    yield "every second", numbers(rows, 2 * n)[:, ::2]
    yield "reversed", numbers(rows, n)[:, ::-1]
    yield "columns", numbers(n, rows).T
    yield "one for all", np.broadcast_to(numbers(rows, 1), (rows, n))
    yield "one row for all", np.broadcast_to(numbers(1, n), (rows, n))


def over_views(ctx, function, dtype, reference):
    def run(t):
        rng = ctx.rng(len(function) + np.dtype(dtype).num)
        for n in LENGTHS:
            # Few rows share a block each, many a warp.
            for rows in (2, 700) if n in MANY else (3,):
                for name, v in views(rng, rows, n, dtype):
                    got = ctx.call(SOURCE, function, v)
                    got = got if isinstance(got, tuple) else (got,)
                    for k, want in enumerate(reference(v)):
                        t.same(f"{rows} rows of {n}, {name}: result {k}",
                               got[k], want)
    return run


def total(v):
    return [v.sum(axis=-1, dtype=v.dtype)]


def positive(v):
    return [np.where(v > 0, v, 0).sum(axis=-1, dtype=v.dtype)]


def mixed(ctx):
    def run(t):
        rng = ctx.rng(5)
        for n in LENGTHS:
            for (left, a), (right, b) in zip(
                    views(rng, 5, n, np.uint8),
                    reversed(list(views(rng, 5, n, np.float64)))):
                t.same(f"{n}: {left} by {right}",
                       ctx.call(SOURCE, "product_sum", a, b),
                       (a * b).sum(axis=-1))
    return run


def thirds(ctx):
    """Divisions that are invariant in the loop, and that the first of several
    iterations computed together does not reach."""
    def run(t):
        rng = ctx.rng(7)
        for dtype in (np.int32, np.float32, np.float64):
            for n in LENGTHS:
                a = rng.integers(-3, 4, (5, 3, n, 3)).astype(dtype)
                for name, w in views(rng, 5, n, dtype):
                    some = (a * w[:, None, :, None])[:, :, ::3].sum(
                        axis=2, dtype=dtype)
                    t.same(f"{n}, {name}, {dtype.__name__}",
                           ctx.call(SOURCE, "thirds", a, w),
                           some * w[:, None, np.arange(3) % n],
                           zero_sign=False)
    return run


def planes(ctx):
    def run(t):
        rng = ctx.rng(6)
        for dtype in (np.int32, np.float32):
            for n in (1, 3, 4, 16, 33, 130, 1000):
                a = rng.integers(-3, 4, (7, 3, n)).astype(dtype)
                b = rng.integers(-3, 4, (7, n, 3)).astype(dtype)
                for name, flat, tall in (
                        ("C order", a, b), ("turned", b.transpose(0, 2, 1),
                                            a.transpose(0, 2, 1))):
                    t.same(f"row of {n}, {name}, {dtype.__name__}",
                           ctx.call(SOURCE, "row", flat),
                           flat[:, 1].sum(axis=-1, dtype=dtype))
                    t.same(f"column of {n}, {name}, {dtype.__name__}",
                           ctx.call(SOURCE, "column", tall),
                           tall[:, :, 2].sum(axis=-1, dtype=dtype))
    return run


def truths(ctx):
    """One element decides, in the first block of iterations, in a later one, behind
    them, or none."""
    def run(t):
        rng = ctx.rng(7)
        for dtype in (np.bool_, np.uint8, np.float32, np.float64):
            for n in (0, 1, 5, 6, 7, 1023, 1024, 1025, 2047, 2048, 2050, 5000):
                for at in {None, 0, 1, 3, 4, n // 2, n - 5, n - 4, n - 1, 1023, 1024}:
                    v = np.zeros((2, n), dtype)
                    if at is not None and 0 <= at < n:
                        v[1, at] = 1
                    layout = rng.integers(3)
                    if layout:
                        v = np.repeat(v, 2, 1)[:, ::2] if layout == 1 else v[:, ::-1]
                    some, every, inner = ctx.call(SOURCE, "truths", v, dtype(1))
                    where = f"{np.dtype(dtype)} {n} at {at}"
                    t.same(f"some {where}", some, (v == 1).any(-1))
                    t.same(f"every {where}", every, (v != 1).all(-1))
                    t.same(f"inner {where}", inner,
                           (v[:, 3:max(n - 3, 3):2] == 1).any(-1))
    return run


def cases(ctx):
    yield "any and all", truths(ctx)
    for dtype in (np.uint8, np.int16, np.int32, np.int64, np.float16,
                  np.float32, np.float64, np.complex64, np.complex128):
        yield f"total of {np.dtype(dtype).name}", over_views(
            ctx, "total", dtype, total)
    for dtype in (np.uint8, np.float32, np.float64):
        yield f"all but the first of {np.dtype(dtype).name}", over_views(
            ctx, "inside", dtype, lambda v: total(v[:, 1:]))
    for dtype in (np.int16, np.float32, np.float64):
        name = np.dtype(dtype).name
        yield f"positive of {name}", over_views(
            ctx, "positive", dtype, positive)
        yield f"first largest of {name}", over_views(
            ctx, "first_largest", dtype,
            lambda v: [v.argmax(axis=-1), v.max(axis=-1)])
    for dtype in (np.int16, np.float32):
        yield f"some negative of {np.dtype(dtype).name}", over_views(
            ctx, "some_negative", dtype, lambda v: [(v < 0).any(axis=-1)])
    yield "operands of two types", mixed(ctx)
    yield "every third", thirds(ctx)
    yield "rows and columns", planes(ctx)
