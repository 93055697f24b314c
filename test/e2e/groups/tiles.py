"""Nests that are computed in tiles, with every tile forced in turn on the same
data, against NumPy; and that results depend neither on tiles nor on strides."""

import os
import time

import numpy as np

import kernapi
from agreement import NP
from groups.mappings import Forced, asked, moved

SOURCE = """
gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (u8, i32, f16, bf16, f32, f64, c64, c128):
    for i, j in prange(m, n):
        c[i, j] = T(sum(a[i, p] * b[p, j] for p in range(k)))

gufunc layer(a: T[m, k], b: T[k, n], bias: T[n], s: T) -> (c: T[m, n]) where T in (f32, f64):
    for i, j in prange(m, n):
        c[i, j] = max(s * sum(a[i, p] * b[p, j] for p in range(k)) + bias[j], 0)

gufunc distances(a: T[m, k], b: T[n, k]) -> (d: T[m, n], e: i64[m, n]) where T in (i32, f32, f64):
    for i, j in prange(m, n):
        d[i, j] = max(abs(a[i, p] - b[j, p]) for p in range(k))
        e[i, j] = argmin(a[i, p] * b[j, p] for p in range(k))

gufunc meet(a: T[m, k], b: T[n, k]) -> (c: bool[m, n], l: i64[m, n]) where T in (i32, f64):
    for i, j in prange(m, n):
        c[i, j] = any(a[i, p] == b[j, p] for p in range(k))
        l[i, j] = sum(1 for p in range(k) if a[i, p] < b[j, p])

gufunc spread(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f64,):
    for i, j in prange(m, n):
        mu = sum(a[i, p] * b[p, j] for p in range(k)) / k
        c[i, j] = sum((a[i, p] * b[p, j] - mu) ** 2 for p in range(k))

gufunc mixed(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f32, f64):
    for i, j in prange(m, n):
        c[i, j] = sum(a[i, p] * a[i, p] + a[i, p] * b[p, j] for p in range(k))

gufunc convolve(x: T[n], w: T[k]) -> (y: T[n - k + 1]) where T in (i32, f32, f64):
    for i in prange(n - k + 1):
        y[i] = T(sum(x[i + k - 1 - j] * w[j] for j in range(k)))

gufunc filtered(x: T[m, n], w: T[r, s]) -> (y: T[m - r + 1, n - s + 1]) where T in (i32, f32):
    for i, j in prange(m - r + 1, n - s + 1):
        y[i, j] = T(sum(x[i + u, j + v] * w[u, v] for u in range(r) for v in range(s)))

gufunc nearest(a: T[m, 3], b: T[n, 3]) -> (d: T[m], e: i64[m]) where T in (f32, f64):
    for i in prange(m):
        d[i] = min((a[i, 0] - b[j, 0]) ** 2 + (a[i, 1] - b[j, 1]) ** 2 + (a[i, 2] - b[j, 2]) ** 2 for j in range(n))
        e[i] = argmin((a[i, 0] - b[j, 0]) ** 2 for j in range(n))
"""

FORCED = [None, "flat,tiled"] + [f"flat,tiled{columns}" for columns in (
    4, 16, 32, 64, 128, 256, 512, 2048, 4096)]


def whole(rng, shape, dtype):
    """Integers, whose sums are exact in every type that is used."""
    low = 0 if np.dtype(dtype).kind == "u" else -7
    made = rng.integers(low, 8, shape).astype(dtype)
    if np.dtype(dtype).kind == "c":
        made = made + 1j * rng.integers(-7, 8, shape).astype(dtype)
    return made.astype(dtype)


def transposed(array):
    """The same values, each matrix transposed in memory."""
    return np.ascontiguousarray(array.swapaxes(-1, -2)).swapaxes(-1, -2)


def laid(array, layout):
    return transposed(array) if layout == 3 else moved(array, layout)


TYPES = [np.uint8, np.int32, np.float16, np.float32, np.float64, np.complex64,
         np.complex128] + ([NP["bf16"]] if "bf16" in NP else [])

# With matrix units the last three have several tiles, and several stages.
SHAPES = [((), 1, 1, 1), ((), 7, 31, 33), ((), 127, 129, 127),
          ((), 129, 16, 65), ((), 5, 0, 4), ((), 0, 3, 2), ((), 1, 257, 130),
          ((3,), 31, 33, 7), ((40,), 4, 4, 4), ((17, 3), 16, 16, 16),
          ((5,), 32, 32, 32), ((2, 0), 3, 3, 3), ((2,), 64, 100, 128),
          ((), 256, 192, 512), ((2,), 130, 72, 264), ((), 255, 449, 257)]


def products(ctx, mapping, extents=None):
    call = Forced(ctx, mapping, SOURCE, extents)

    def run(t):
        rng = ctx.rng(21)
        for loop, m, k, n in SHAPES:
            for dtype in TYPES:
                if m * n > 65536 and np.dtype(dtype).kind in "iuc":
                    continue  # small sums of these say as much
                a, b = whole(rng, loop + (m, k), dtype), whole(
                    rng, loop + (k, n), dtype)
                exact = {"i": np.int64, "u": np.int64, "c": np.complex128}.get(
                    np.dtype(dtype).kind, np.float64)
                # Some BLAS libraries give -0 where a sum of both signs is 0.
                expected = (a.astype(exact) @ b.astype(exact) + 0).astype(dtype)
                for layout in range(4):
                    t.same(f"matmul {np.dtype(dtype)} {loop} {m} {k} {n} "
                           f"layout {layout}",
                           call("matmul", laid(a, layout),
                                laid(b, (layout + m) % 4)), expected)
            if m * n > 65536:
                continue
            a, b = whole(rng, loop + (m, k), np.float32), whole(
                rng, loop + (k, n), np.float32)
            bias = whole(rng, loop + (n,), np.float32)
            for dtype in (np.float32, np.float64):
                t.same(f"layer {np.dtype(dtype)} {loop} {m} {k} {n}",
                       call("layer", *(v.astype(dtype) for v in (a, b, bias)),
                            dtype(3)),
                       np.maximum(3 * (a @ b) + bias[..., None, :],
                                  0).astype(dtype))
            if k:
                wide = a[..., :, None, :] - 0.0
                other = np.swapaxes(b, -1, -2)[..., None, :, :]
                for dtype in (np.int32, np.float32, np.float64):
                    d, e = call("distances", moved(a.astype(dtype), 1),
                                np.swapaxes(b, -1, -2).astype(dtype))
                    t.same(f"distances {loop} {m} {k} {n}", d,
                           abs(wide - other).max(-1).astype(dtype))
                    t.same(f"nearest product {loop} {m} {k} {n}", e,
                           (wide * other).argmin(-1))
                for dtype in (np.int32, np.float64):
                    c, less = call("meet", a.astype(dtype), moved(
                        np.swapaxes(b, -1, -2).astype(dtype), 2))
                    t.same(f"meet {loop} {m} {k} {n}", c,
                           (wide == other).any(-1))
                    t.same(f"less {loop} {m} {k} {n}", less,
                           (wide < other).sum(-1))
                each = a[..., :, :, None] * b[..., None, :, :].astype(float)
                want = ((each - each.mean(-2, keepdims=True)) ** 2).sum(-2)
                got = call("spread", a.astype(float), b.astype(float))
                t.check(f"spread {loop} {m} {k} {n}",
                        np.allclose(got, want, rtol=1e-9, atol=1e-9))
        a, b = rng.standard_normal((70, 300)), rng.standard_normal((300, 90))
        for dtype in TYPES[2:5] + TYPES[7:]:
            bits = {call("matmul", laid(a.astype(dtype), i),
                         laid(b.astype(dtype), j)).tobytes()
                    for i in range(4) for j in range(4)}
            t.check(f"{np.dtype(dtype)}: the same bits whatever the strides",
                    len(bits) == 1)
    return run


def accuracy(ctx, mapping):
    """Sums of products against a wider type: f32 sums of halves, f64 sums of
    f64. An element may be off by a unit for each addition, relative to the sum
    of absolute values."""
    call = Forced(ctx, mapping, SOURCE)

    def run(t):
        rng = ctx.rng(24)
        for m, k, n in ((130, 1000, 140), (64, 1025, 264)):
            a, b = rng.standard_normal((m, k)), rng.standard_normal((k, n))
            for dtype, unit, own in ((np.float16, 2.0 ** -24, 2.0 ** -11),
                                     (NP.get("bf16"), 2.0 ** -24, 2.0 ** -8),
                                     (np.float64, 2.0 ** -53, 0)):
                if dtype is None:
                    continue
                x, y = a.astype(dtype), b.astype(dtype)
                wide, high = (v.astype(np.float64).astype(np.longdouble)
                              for v in (x, y))
                wanted = wide @ high
                bound = (k * unit * (abs(wide) @ abs(high))
                         + own * abs(wanted))
                off = abs(call("matmul", x, y).astype(np.float64) - wanted)
                t.check(f"{np.dtype(dtype)} {m} {k} {n}", bool(
                    (off <= bound).all()), f"{float((off / bound).max()):.3g}"
                    " of the bound")
    return run


def windows(ctx, mapping):
    call = Forced(ctx, mapping, SOURCE)

    def run(t):
        rng = ctx.rng(22)
        for loop in ((), (3,)):
            for n, k in ((1, 1), (7, 7), (100, 7), (5000, 127), (3000, 1023),
                         (4100, 16), (2063, 17), (6000, 257), (8300, 64),
                         (4608, 512), (4356, 260)):
                for dtype in (np.int32, np.float32, np.float64):
                    x, w = whole(rng, loop + (n,), dtype), whole(
                        rng, (k,), dtype)
                    rows = x.reshape(-1, n).astype(float)
                    expected = np.stack([np.convolve(row, w, "valid")
                                         for row in rows])
                    expected = expected.reshape(loop + (-1,)).astype(dtype)
                    for layout in range(3):
                        t.same(f"convolve {loop} {n} {k} layout {layout}",
                               call("convolve", moved(x, layout),
                                    moved(w, layout)), expected)
        for m, n, r, s in ((1, 1, 1, 1), (5, 5, 3, 3), (40, 37, 5, 5),
                           (70, 200, 3, 7), (20, 90, 1, 17), (31, 33, 31, 2)):
            for dtype in (np.int32, np.float32):
                x, w = whole(rng, (2, m, n), dtype), whole(rng, (r, s), dtype)
                view = np.lib.stride_tricks.sliding_window_view(
                    x.astype(float), (r, s), axis=(1, 2))
                expected = np.einsum("bijuv,uv->bij", view, w.astype(float))
                for layout in range(3):
                    t.same(f"filter {m} {n} {r} {s} layout {layout}",
                           call("filtered", moved(x, layout),
                                moved(w, layout)), expected.astype(dtype))
        for m, n in ((1, 1), (5, 300), (257, 129), (2050, 40)):
            for dtype in (np.float32, np.float64):
                a, b = whole(rng, (m, 3), dtype), whole(rng, (n, 3), dtype)
                apart = a[:, None] - b[None]
                for layout in range(3):
                    d, e = call("nearest", moved(a, layout), moved(b, layout))
                    t.same(f"nearest {m} {n} layout {layout}", d,
                           (apart ** 2).sum(-1).min(-1))
                    t.same(f"nearest at {m} {n} layout {layout}", e,
                           (apart[..., 0] ** 2).argmin(-1))
    return run


def same_bits(ctx):
    def run(t):
        rng = ctx.rng(23)
        a = rng.standard_normal((65, 301)).astype(np.float32)
        b = rng.standard_normal((301, 77)).astype(np.float32)
        x, w = a.ravel(), b.ravel()[:200]
        bits, other = set(), set()
        for mapping in FORCED[2:]:
            call = Forced(ctx, mapping, SOURCE)
            if int(mapping[len("flat,tiled"):]) <= 128:
                bits.add(call("matmul", a, b).tobytes())
            else:
                other.add(call("convolve", x, w).tobytes())
        t.check("products: the same bits in every tile", len(bits) == 1)
        for dtype in (np.float16, np.float64):
            x, y = a.astype(dtype), b.astype(dtype)
            units = {Forced(ctx, f"flat,tiled{columns}", SOURCE)(
                "matmul", x, y).tobytes() for columns in (64, 128, 256)
                if columns < 256 or dtype == np.float16}
            t.check(f"{np.dtype(dtype)}: the same bits in every tile of units "
                    "for matrices", len(units) == 1)
        t.check("windows: the same bits in every tile", len(other) == 1)
    return run


def until_made(ctx):
    """A kernel that takes long to make has another one in its place until then,
    which gives the same bits."""
    def run(t):
        rng = ctx.rng(47)

        def random(*shape):
            return rng.standard_normal(shape).astype(np.float32)
        a, b = random(1024, 700), random(700, 1024)
        calls = [("matmul", a, b),
                 ("layer", a, b, random(1024), np.float32(1.5)),
                 ("mixed", a, b),
                 ("convolve", random(1 << 22), random(127)),
                 ("filtered", random(2000, 2000), random(5, 5))]
        before = os.environ["KERN_BACKGROUND"]
        for function, *arguments in calls:
            bits, forms = [], []

            def call(setting):
                os.environ["KERN_BACKGROUND"] = setting
                said = kernapi.Report()
                bits.append(ctx.call(
                    f"{SOURCE}# until made: {function} {setting}\n", function,
                    *arguments, report=said).tobytes())
                forms.append(said.form.decode())
            try:
                call("1")
                while "for now" in forms[-1] and len(forms) < 1000:
                    time.sleep(0.02)
                    call("1")
                call("0")
            finally:
                os.environ["KERN_BACKGROUND"] = before
            t.check(f"{function}: {forms[0]} at first", "for now" in forms[0])
            t.check(f"{function}: {forms[-2]} then", forms[-2] == forms[-1]
                    and "tiled" in forms[-1])
            t.check(f"{function}: the same bits", len(set(bits)) == 1)
    return run


def cases(ctx):
    for mapping, name in asked(ctx, FORCED):
        yield f"products, {name}", products(ctx, mapping)
        if mapping in (None, "flat,tiled64", "flat,tiled128", "flat,tiled256"):
            yield f"accuracy of products, {name}", accuracy(ctx, mapping)
        yield f"windows, {name}", windows(ctx, mapping)
    if ctx.device == "cuda":
        yield "the same bits", same_bits(ctx)
        yield "until they are made", until_made(ctx)
        yield "products, constant extents", products(ctx, "flat,tiled",
                                                     "constant")
