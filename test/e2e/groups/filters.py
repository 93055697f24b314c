"""Nests that add up neighbouring elements, with their loops unrolled, in every
tile forced in turn on the same data, against NumPy; and that results depend
neither on tiles nor on strides."""

import numpy as np

from groups.mappings import Forced, asked, moved

SOURCE = """
gufunc correlate(x: T[n], w: T[k]) -> (y: T[n - k + 1]) where T in (u8, i16, i32, i64, f16, f32, f64, c64, c128):
    for i in prange(n - k + 1):
        y[i] = T(sum(x[i + j] * w[j] for j in range(k)))

gufunc filtered(x: T[m, n], w: T[r, s]) -> (y: T[m - r + 1, n - s + 1]) where T in (u8, i32, f32, f64, c64):
    for i, j in prange(m - r + 1, n - s + 1):
        y[i, j] = T(sum(x[i + u, j + v] * w[u, v] for u in range(r) for v in range(s)))

gufunc spread(x: T[n], w: T[k]) -> (y: T[(n - 3 * k) // 2 + 1]) where T in (i32, f32):
    for i in prange((n - 3 * k) // 2 + 1):
        y[i] = T(sum(x[2 * i + 3 * j] * w[j] for j in range(k)))

gufunc opened(x: T[m, n]) -> (y: T[m, n], at: i64[m, n], few: i64[m, n]) where T in (i32, f32):
    for i, j in prange(m - 2, n - 2):
        y[i + 1, j + 1] = max(min(x[i + u, j + v] for v in range(3)) for u in range(3))
        at[i, j] = argmax(x[i, j + v] for v in range(3))
        few[i, j] = sum(1 for u in range(3) if x[i + u, j] < 2)

gufunc slab(x: T[k, m, n]) -> (y: T[k, m, n - 1]) where T in (f32, f64):
    for p, i, j in prange(k, m, n - 1):
        y[p, i, n - 2 - j] = 2 * sum(x[p, m - 1 - i, j + v] for v in range(2)) + x[p, i, j]
"""

FORCED = [None] + [f"flat,unrolled,tiled{columns}"
                   for columns in ("", 32, 64, 128, 256, 1024)]


def whole(rng, shape, dtype):
    """Small integers, whose sums and products are exact in every type."""
    kind = np.dtype(dtype).kind
    made = rng.integers(0, 4, shape) - (0 if kind == "u" else 2)
    if kind == "c":
        made = made + 1j * rng.integers(-2, 3, shape)
    return made.astype(dtype)


def beside(array):
    """The same values an element further on, so that they are not aligned."""
    wide = np.zeros(array.shape[:-1] + (array.shape[-1] + 3,), array.dtype)
    wide[..., 1:-2] = array
    return wide[..., 1:-2]


def layouts(array):
    yield from (moved(array, k) for k in range(3))
    yield beside(array)


def windows_of(x, shape):
    axes = tuple(range(x.ndim - len(shape), x.ndim))
    return np.lib.stride_tricks.sliding_window_view(x, shape, axis=axes)


def rows(ctx, mapping):
    call = Forced(ctx, mapping, SOURCE, "constant")

    def run(t):
        rng = ctx.rng(41)
        for loop, n, k in (((), 1, 1), ((), 9, 7), ((), 1031, 7),
                           ((), 4099, 16), ((3,), 2054, 7), ((2,), 4100, 5),
                           ((), 3000, 20), ((2, 2), 1027, 4)):
            for dtype in (np.uint8, np.int16, np.int32, np.int64, np.float16,
                          np.float32, np.float64, np.complex64, np.complex128):
                x, w = whole(rng, loop + (n,), dtype), whole(rng, (k,), dtype)
                expected = np.einsum("...k,k->...", windows_of(x, (k,)), w)
                for number, view in enumerate(layouts(x)):
                    t.same(f"correlate {np.dtype(dtype)} {loop} {n} {k} "
                           f"layout {number}",
                           call("correlate", view, moved(w, number % 3)),
                           expected.astype(dtype))
        for n, k in ((30, 1), (2500, 3), (5003, 5)):
            for dtype in (np.int32, np.float32):
                x, w = whole(rng, (n,), dtype), whole(rng, (k,), dtype)
                at = 2 * np.arange((n - 3 * k) // 2 + 1)[:, None] \
                    + 3 * np.arange(k)
                for number, view in enumerate(layouts(x)):
                    t.same(f"spread {np.dtype(dtype)} {n} {k} layout {number}",
                           call("spread", view, w),
                           (x[at] * w).sum(-1).astype(dtype))
    return run


def planes(ctx, mapping):
    call = Forced(ctx, mapping, SOURCE, "constant")

    def run(t):
        rng = ctx.rng(42)
        for loop, m, n, r, s in (
                ((), 5, 5, 5, 5), ((), 70, 132, 3, 3), ((), 37, 1031, 5, 5),
                ((3,), 20, 260, 5, 1), ((), 300, 40, 1, 7),
                ((2,), 33, 515, 2, 4), ((), 130, 262, 7, 7)):
            for dtype in (np.uint8, np.int32, np.float32, np.float64,
                          np.complex64):
                x, w = whole(rng, loop + (m, n), dtype), whole(
                    rng, (r, s), dtype)
                expected = np.einsum("...uv,uv->...", windows_of(x, (r, s)), w)
                for number, view in enumerate(layouts(x)):
                    t.same(f"filter {np.dtype(dtype)} {loop} {m} {n} {r} {s} "
                           f"layout {number}",
                           call("filtered", view, moved(w, number % 3)),
                           expected.astype(dtype))
    return run


def others(ctx, mapping):
    call = Forced(ctx, mapping, SOURCE, "constant")

    def run(t):
        rng = ctx.rng(43)
        inner = (..., slice(1, -1), slice(1, -1))
        for m, n in ((3, 3), (34, 130), (9, 1030)):
            for dtype in (np.int32, np.float32):
                x = whole(rng, (m, n), dtype)
                view = windows_of(x, (3, 3))
                for number, moved_x in enumerate(layouts(x)):
                    y, at, few = call("opened", moved_x)
                    name = f"{np.dtype(dtype)} {m} {n} layout {number}"
                    t.same(f"opened {name}", y[inner],
                           view.min(-1).max(-1))
                    t.same(f"places {name}", at[:-2, :-2],
                           view[..., 0, :].argmax(-1))
                    t.same(f"counts {name}", few[:-2, :-2],
                           (view[..., 0] < 2).sum(-1))
        for k, m, n in ((1, 1, 2), (3, 17, 129), (2, 40, 517)):
            for dtype in (np.float32, np.float64):
                x = whole(rng, (k, m, n), dtype)
                pairs = x[..., :-1] + x[..., 1:]
                expected = (2 * pairs[:, ::-1] + x[..., :-1])[..., ::-1]
                for number, moved_x in enumerate(layouts(x)):
                    t.same(f"slab {np.dtype(dtype)} {k} {m} {n} "
                           f"layout {number}", call("slab", moved_x), expected)
    return run


def same_bits(ctx):
    """Whatever the tiles, whether or not loops are unrolled, and whatever the
    strides."""
    def run(t):
        rng = ctx.rng(44)
        x = rng.standard_normal((301, 1036)).astype(np.float32)
        w = rng.standard_normal((5, 5)).astype(np.float32)
        planes, lines = set(), set()
        for mapping in ["flat,tiled32", "flat,tiled64"] + FORCED[1:]:
            call = Forced(ctx, mapping, SOURCE, "constant")
            for view in layouts(x):
                planes.add(call("filtered", view, w).tobytes())
        for mapping in ["flat,tiled256", "flat,tiled2048"] + FORCED[1:]:
            call = Forced(ctx, mapping, SOURCE, "constant")
            for view in layouts(x):
                lines.add(call("correlate", view, w[2]).tobytes())
        t.check("filters: the same bits in every tile", len(planes) == 1)
        t.check("rows: the same bits in every tile", len(lines) == 1)
    return run


def cases(ctx):
    for mapping, name in asked(ctx, FORCED):
        yield f"rows, {name}", rows(ctx, mapping)
        yield f"planes, {name}", planes(ctx, mapping)
        yield f"others, {name}", others(ctx, mapping)
    if ctx.device == "cuda":
        yield "the same bits", same_bits(ctx)
