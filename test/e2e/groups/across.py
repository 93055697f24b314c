"""Gufuncs whose loop elements lie side by side in memory, so that each is spread
over many lines: on the CPU a buffer brings them together. Results have the bits
of contiguous arrays, and nothing else is written."""

import numpy as np

SOURCE = """
gufunc l2_norm(v: T[n]) -> (y: T) where T in (f16, f32, f64):
    y = sqrt(sum(v[i] * v[i] for i in range(n)))

gufunc running(v: T[n]) -> (y: T[n]) where T in (u8, f32, c128):
    y[:] = cumsum(v)

gufunc evens(v: T[n]) -> (y: T[n]) where T in (u8, f32):
    for i in range(0, n, 2):
        y[i] = v[i] + v[n - 1 - i]

gufunc doubled(inout v: f64[n]) -> i64:
    for i in range(n // 2):
        v[i] = 2 * v[i] + v[n - 1 - i]
    return n

gufunc planes(a: f32[m, n], b: f32[n]) -> (c: f32[n, m], best: i64):
    for i, j in prange(m, n):
        c[j, i] = a[i, j] * b[j] + a[m - 1 - i, j]
    best = argmax(a[i, 0] for i in range(m))

gufunc fixed(v: f64[100], w: f64) -> (y: f64):
    y = sum(v[i] * w for i in range(100))
"""
COUNTS = (1, 2, 3, 7, 8, 9, 16, 17, 31, 1000)
LENGTHS = (0, 1, 2, 5, 64, 257)


def spread(array, core):
    """The same values, loop dimensions innermost in memory."""
    axes = tuple(range(array.ndim))
    order = axes[-core:] + axes[:-core]
    back = np.argsort(order)
    return array.transpose(order).copy().transpose(back)


def views(array, core):
    """The same values in memory that is innermost along the loop."""
    across = spread(array, core)
    yield "across", across
    yield "backwards", spread(array[..., ::-1], core)[..., ::-1]
    shifted = np.zeros(array.nbytes + 64, np.uint8)
    moved = np.ndarray(across.shape, across.dtype, shifted, array.itemsize,
                       across.strides)
    moved[...] = array
    yield "shifted", moved
    wide = np.zeros((*array.shape[-core:], *array.shape[:-core][:-1],
                     array.shape[-core - 1] + 5), array.dtype)
    part = np.moveaxis(wide[..., 2:-3], range(core), range(-core, 0))
    part[...] = array
    yield "a part", part


def reductions(ctx):
    def run(t):
        rng = ctx.rng(1)
        for dtype in (np.float16, np.float32, np.float64):
            for count in COUNTS:
                for n in LENGTHS:
                    v = rng.standard_normal((count, n)).astype(dtype)
                    expected = ctx.call(SOURCE, "l2_norm", v)
                    for label, view in views(v, 1):
                        t.same(f"{dtype} {count} {n} {label}",
                               ctx.call(SOURCE, "l2_norm", view), expected)
        v = rng.standard_normal((5, 40, 33)).astype(np.float32)
        t.same("two loop dimensions",
               ctx.call(SOURCE, "l2_norm", v.transpose(0, 2, 1)),
               ctx.call(SOURCE, "l2_norm", v.transpose(0, 2, 1).copy()))
        v = rng.standard_normal((100, 3000))
        w = rng.standard_normal(3000)
        t.same("a constant dimension", ctx.call(SOURCE, "fixed", v.T, w),
               ctx.call(SOURCE, "fixed", v.T.copy(), w))
    return run


def results(ctx):
    def run(t):
        rng = ctx.rng(2)
        for dtype in (np.uint8, np.float32, np.complex128):
            for count in COUNTS:
                for n in LENGTHS:
                    v = (rng.standard_normal((count, n)) * 9).astype(np.int8) \
                        .astype(dtype)
                    expected = np.cumsum(v, axis=-1, dtype=dtype)
                    for label, view in views(v, 1):
                        name = f"{np.dtype(dtype)} {count} {n} {label}"
                        t.same(f"running {name}",
                               ctx.call(SOURCE, "running", view), expected)
                        for _, out in views(np.zeros_like(v), 1):
                            ctx.call(SOURCE, "running", view, out=out)
                            t.same(f"running {name} out", out, expected)
    return run


def kept(ctx):
    """What a body does not write keeps its value, in the array and beside it."""
    def run(t):
        rng = ctx.rng(3)
        for dtype in (np.uint8, np.float32):
            for count in COUNTS:
                for n in LENGTHS:
                    v = rng.integers(0, 100, (count, n)).astype(dtype)
                    expected = np.full((count, n), 77, dtype)
                    expected[:, ::2] = (v + v[:, ::-1])[:, ::2]
                    around = np.full((n + 2, count + 2), 77, dtype)
                    out = around[1:-1, 1:-1].T
                    ctx.call(SOURCE, "evens", spread(v, 1), out=out)
                    t.same(f"evens {np.dtype(dtype)} {count} {n}", out, expected)
                    around[1:-1, 1:-1] = 77
                    t.same("beside it", around, np.full_like(around, 77))
        for count in COUNTS:
            for n in LENGTHS:
                v = rng.standard_normal((count, n))
                expected = v.copy()
                half = n // 2
                for i in range(half):
                    expected[:, i] = 2 * v[:, i] + expected[:, n - 1 - i]
                given = spread(v, 1)
                ctx.call(SOURCE, "doubled", given)
                t.same(f"inout {count} {n}", given, expected)
    return run


def several(ctx):
    """Cores of two dimensions, beside operands that lie otherwise."""
    def run(t):
        rng = ctx.rng(4)
        for count in COUNTS:
            for m, n in ((1, 1), (2, 3), (5, 40), (40, 5), (33, 1)):
                a = rng.standard_normal((count, m, n)).astype(np.float32)
                b = rng.standard_normal((count, n)).astype(np.float32)
                expected = ctx.call(SOURCE, "planes", a, b)
                product = a * b[:, None]
                t.check("planes", np.allclose(
                    expected[0], (product + a[:, ::-1]).swapaxes(1, 2),
                    rtol=1e-5, atol=1e-6))
                t.same("best", expected[1], a[:, :, 0].argmax(axis=1))
                for label, view in views(a, 2):
                    for other in (b, spread(b, 1)):
                        got = ctx.call(SOURCE, "planes", view, other)
                        t.same(f"{count} {m} {n} {label}", got[0], expected[0])
                        t.same(f"{count} {m} {n} {label}", got[1], expected[1])
                turned = spread(a.swapaxes(1, 2).copy(), 2).swapaxes(1, 2)
                t.same(f"{count} {m} {n} turned",
                       ctx.call(SOURCE, "planes", turned, b)[0], expected[0])
                t.same(f"{count} {m} {n} one row",
                       ctx.call(SOURCE, "planes", spread(a, 2), b[0])[0],
                       ctx.call(SOURCE, "planes", a, b[0])[0])
    return run


def large(ctx):
    """On several threads, in tiles that are narrow and in one that has all."""
    def run(t):
        rng = ctx.rng(5)
        for count, n in ((4100, 700), (20, 300000), (100000, 11)):
            v = rng.standard_normal((count, n)).astype(np.float32)
            t.same(f"norm {count} {n}", ctx.call(SOURCE, "l2_norm", spread(v, 1)),
                   ctx.call(SOURCE, "l2_norm", v))
            w = rng.integers(-4, 5, (count, n)).astype(np.float32)
            t.same(f"running {count} {n}",
                   ctx.call(SOURCE, "running", spread(w, 1)),
                   np.cumsum(w, axis=1, dtype=np.float32))
    return run


def cases(ctx):
    yield "reductions", reductions(ctx)
    yield "results", results(ctx)
    yield "kept", kept(ctx)
    yield "several", several(ctx)
    yield "large", large(ctx)
