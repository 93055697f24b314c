"""Nests whose iterations read the elements of their neighbours, with every mapping
forced in turn on the same data, against NumPy; and that results depend neither on
mappings nor on strides."""

import numpy as np

from groups.mappings import Forced, asked, moved

SOURCE = """
gufunc cross(a: T[k, m, n]) -> (b: T[k, m, n]) where T in (u8, i16, i64, f16, f32, f64, c64, c128):
    for x, y, z in prange(k, m, n):
        if x == 0 or y == 0 or z == 0 or x == k - 1 or y == m - 1 or z == n - 1:
            b[x, y, z] = a[x, y, z]
        else:
            b[x, y, z] = T(2 * a[x, y, z] + a[x - 1, y, z] + a[x + 1, y, z] + a[x, y - 1, z]
                           + a[x, y + 1, z] + a[x, y, z - 1] + a[x, y, z + 1])

gufunc box(a: T[k, m, n]) -> (b: T[k, m, n]) where T in (i32, f32, f64):
    for x, y, z in prange(k, m, n):
        if 0 < x and x < k - 1 and 0 < y and y < m - 1 and 0 < z and z < n - 1:
            b[x, y, z] = (
                a[x - 1, y - 1, z - 1] + a[x - 1, y - 1, z] + a[x - 1, y - 1, z + 1]
                + a[x - 1, y, z - 1] + a[x - 1, y, z] + a[x - 1, y, z + 1]
                + a[x - 1, y + 1, z - 1] + a[x - 1, y + 1, z] + a[x - 1, y + 1, z + 1]
                + a[x, y - 1, z - 1] + a[x, y - 1, z] + a[x, y - 1, z + 1]
                + a[x, y, z - 1] + a[x, y, z] + a[x, y, z + 1]
                + a[x, y + 1, z - 1] + a[x, y + 1, z] + a[x, y + 1, z + 1]
                + a[x + 1, y - 1, z - 1] + a[x + 1, y - 1, z] + a[x + 1, y - 1, z + 1]
                + a[x + 1, y, z - 1] + a[x + 1, y, z] + a[x + 1, y, z + 1]
                + a[x + 1, y + 1, z - 1] + a[x + 1, y + 1, z] + a[x + 1, y + 1, z + 1])
        else:
            b[x, y, z] = 0

gufunc blur(a: T[m, n], w: T[2]) -> (b: T[m, n], c: T[m, n]) where T in (i32, f32, f64):
    for y, z in prange(m, n):
        up = a[y, z]
        if y > 0:
            up = a[y - 1, z]
        down = a[y, z]
        if y < m - 1:
            down = a[y + 1, z]
        b[y, z] = w[0] * up + w[1] * down
        if z % 3 == 1:
            c[y, z] = up - down
        else:
            c[y, z] = a[m - 1 - y, n - 1 - z]

gufunc life(a: u8[m, n]) -> (b: u8[m, n]):
    for y, z in prange(m, n):
        if y == 0 or z == 0 or y == m - 1 or z == n - 1:
            b[y, z] = 0
        else:
            around = (a[y - 1, z - 1] + a[y - 1, z] + a[y - 1, z + 1] + a[y, z - 1] + a[y, z + 1]
                      + a[y + 1, z - 1] + a[y + 1, z] + a[y + 1, z + 1])
            if around == 3:
                b[y, z] = 1
            elif around == 2:
                b[y, z] = a[y, z]
            else:
                b[y, z] = 0

gufunc clamped(a: T[m, n], s: i64[m, n]) -> (b: T[m, n]) where T in (f32,):
    for y, z in prange(m, n):
        t = a[y, z] - a[max(y - 1, 0), z]
        if t > 0:
            t = t * a[y, s[y, z]]
        b[y, z] = t + a[min(y + 1, m - 1), z]
"""

FORCED = [None, "flat", "flat,tiled"] + [f"flat,tiled{columns}"
                                         for columns in (32, 64, 128, 256)]

BOXES = [((), (1, 1, 1)), ((), (3, 3, 3)), ((), (2, 40, 70)), ((), (0, 5, 7)),
         ((), (5, 0, 3)), ((), (9, 37, 131)), ((2,), (8, 33, 64)),
         ((), (4, 16, 64)), ((3, 2), (5, 17, 65)), ((), (13, 64, 257)),
         ((), (66, 67, 3)), ((0,), (4, 4, 4))]
PLANES = [((), (1, 1)), ((), (2, 3)), ((), (0, 9)), ((7,), (33, 31)),
          ((), (64, 128)), ((), (257, 127)), ((), (1, 1000)), ((), (1000, 1)),
          ((2, 3), (19, 300)), ((), (129, 1025))]


def whole(rng, shape, dtype):
    """Small integers, whose sums and products are exact in every type."""
    made = rng.integers(0, 8, shape)
    if np.dtype(dtype).kind == "c":
        return (made + 1j * rng.integers(-7, 8, shape)).astype(dtype)
    return (made if np.dtype(dtype).kind == "u" else made - 3).astype(dtype)


def spread(array):
    """The same values in memory without one axis: strides of 0."""
    return np.broadcast_to(array[..., :1, :], array.shape)


def moves(array):
    yield from (moved(array, k) for k in range(3))
    yield array[..., ::-1, :].copy()[..., ::-1, :]
    wide = np.zeros(array.shape[:-1] + (array.shape[-1] + 3,), array.dtype)
    wide[..., 1:-2] = array
    yield wide[..., 1:-2]


def shifted(a, *by):
    """The inner elements, shifted by these distances."""
    rank = len(by)
    return a[(...,) + tuple(slice(1 + d, a.shape[k - rank] - 1 + d)
                            for k, d in enumerate(by))]


def inner(a):
    return (...,) + (slice(1, -1),) * a


def cross(a):
    b = a.copy()
    if min(a.shape[-3:]) > 2:
        b[inner(3)] = 2 * shifted(a, 0, 0, 0) + sum(
            shifted(a, *by) for by in ((-1, 0, 0), (1, 0, 0), (0, -1, 0),
                                       (0, 1, 0), (0, 0, -1), (0, 0, 1)))
    return b


def box(a):
    b = np.zeros_like(a)
    if min(a.shape[-3:]) > 2:
        b[inner(3)] = sum(shifted(a, x, y, z) for x in (-1, 0, 1)
                          for y in (-1, 0, 1) for z in (-1, 0, 1))
    return b


def blur(a, w):
    rows = np.arange(a.shape[-2])
    up, down = a[..., np.maximum(rows - 1, 0), :], a[
        ..., np.minimum(rows + 1, len(rows) - 1), :]
    thirds = np.arange(a.shape[-1]) % 3 == 1
    return (w[0] * up + w[1] * down,
            np.where(thirds, up - down, a[..., ::-1, ::-1]))


def life(a):
    b = np.zeros_like(a)
    if min(a.shape[-2:]) > 2:
        around = sum(shifted(a, y, z) for y in (-1, 0, 1)
                     for z in (-1, 0, 1) if y or z)
        b[inner(2)] = (around == 3) | ((around == 2) & shifted(a, 0, 0))
    return b


def clamped(a, s):
    rows = np.arange(a.shape[-2])
    t = a - a[..., np.maximum(rows - 1, 0), :]
    t = np.where(t > 0, t * np.take_along_axis(a, s, -1), t)
    return t + a[..., np.minimum(rows + 1, len(rows) - 1), :]


def boxes(ctx, mapping):
    call = Forced(ctx, mapping, SOURCE)

    def run(t):
        rng = ctx.rng(31)
        for loop, core in BOXES:
            for name, expected, dtypes in (
                    ("cross", cross, (np.uint8, np.int16, np.int64, np.float16,
                                      np.float32, np.float64, np.complex64,
                                      np.complex128)),
                    ("box", box, (np.int32, np.float32, np.float64))):
                for dtype in dtypes:
                    a = whole(rng, loop + core, dtype)
                    for k, view in enumerate(moves(a)):
                        t.same(f"{name} {np.dtype(dtype)} {loop} {core} "
                               f"layout {k}", call(name, view), expected(a))
            if 0 not in loop + core:
                a = spread(whole(rng, loop + core, np.float32))
                t.same(f"cross {loop} {core} of stride 0", call("cross", a),
                       cross(a))
    return run


def planes(ctx, mapping):
    call = Forced(ctx, mapping, SOURCE)

    def run(t):
        rng = ctx.rng(32)
        for loop, core in PLANES:
            for dtype in (np.int32, np.float32, np.float64):
                a, w = whole(rng, loop + core, dtype), whole(rng, (2,), dtype)
                want = blur(a, w) if 0 not in core else (a, a)
                for k, view in enumerate(moves(a)):
                    got = call("blur", view, moved(w, k % 3))
                    for g, e in zip(got, want):
                        t.same(f"blur {np.dtype(dtype)} {loop} {core} "
                               f"layout {k}", g, e)
            alive = rng.integers(0, 2, loop + core).astype(np.uint8)
            for k, view in enumerate(moves(alive)):
                t.same(f"life {loop} {core} layout {k}", call("life", view),
                       life(alive))
            if 0 in core:
                continue
            a = whole(rng, loop + core, np.float32)
            s = rng.integers(0, core[1], loop + core)
            for k, view in enumerate(moves(a)):
                t.same(f"clamped {loop} {core} layout {k}",
                       call("clamped", view, moved(s, (k + 1) % 3)),
                       clamped(a, s))
    return run


def same_bits(ctx):
    def run(t):
        rng = ctx.rng(33)
        a = rng.standard_normal((37, 70, 131)).astype(np.float32)
        w = rng.standard_normal(2).astype(np.float32)
        bits, flat = set(), set()
        for mapping in FORCED:
            call = Forced(ctx, mapping, SOURCE)
            for view in moves(a):
                bits.add(call("cross", view).tobytes())
                flat.add(b"".join(r.tobytes() for r in call("blur", view, w)))
        t.check("boxes: the same bits in every mapping", len(bits) == 1)
        t.check("planes: the same bits in every mapping", len(flat) == 1)
    return run


def cases(ctx):
    for mapping, name in asked(ctx, FORCED):
        yield f"boxes, {name}", boxes(ctx, mapping)
        yield f"planes, {name}", planes(ctx, mapping)
    if ctx.device == "cuda":
        yield "the same bits", same_bits(ctx)
