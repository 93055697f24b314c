"""Loops in order and small cores, with the staged mapping forced and not,
against NumPy."""

import numpy as np

from groups.mappings import Forced, moved

SOURCE = """
gufunc running(v: T[n], z: T) -> (y: T[n]) where T in (u8, i32, f32, f64, c128):
    acc = z
    for i in range(n):
        acc = acc + v[i]
        y[i] = acc

gufunc filtered(s: f64[k, 2], v: f64[m, n], w: f32[n]) -> (y: f64[n], last: f64):
    z = zeros(k, f64)
    t = 0.0
    for i in range(n):
        t = v[0, i] + f64(w[i])
        for j in range(k):
            u = s[j, 0] * z[j] + t
            z[j] = t if t > 0 else -t
            t = u * s[j, 1]
        y[i] = t + v[m - 1, i]
    return y[n - 1] if n < 0 else t

gufunc cross(a: T[3], b: T[3]) -> (c: T[3]) where T in (i16, f32, f64):
    c[0] = a[1] * b[2] - a[2] * b[1]
    c[1] = a[2] * b[0] - a[0] * b[2]
    c[2] = a[0] * b[1] - a[1] * b[0]

gufunc small(a: T[4, 3], b: T[3, 4]) -> (c: T[4, 4], t: T) where T in (i32, f64):
    for i, j in prange(4, 4):
        c[i, j] = T(sum(a[i, p] * b[p, j] for p in range(3)))
    return T(sum(a[i, i] for i in range(3)))

gufunc lower(a: T[n, n]) -> (l: T[n, n]) where T in (i64, f64):
    for i in range(n):
        for j in range(i + 1):
            l[i, j] = a[i, j] + (l[i, j - 1] if j > 0 else 0)
        for j in range(i + 1, n):
            l[i, j] = 0

gufunc product(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (u8, i32, f32, f64, c64):
    for i, j in prange(m, n):
        c[i, j] = T(sum(a[i, p] * b[p, j] for p in range(k)))

gufunc cholesky(a: T[n, n]) -> (l: T[n, n]) where T in (f32, f64):
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= l[i, k] * l[j, k]
            if i == j:
                l[i, j] = sqrt(s)
            else:
                l[i, j] = s / l[j, j]
        for j in range(i + 1, n):
            l[i, j] = 0

gufunc edges(a: f64[n], k: i64) -> (b: f64[2 * n - 1], c: f32[n, 2]):
    t = zeros(n + 1, f64)
    for i in range(n):
        t[i + 1] = t[i] + a[i]
    for i in range(2 * n - 1):
        b[i] = t[i // 2 + 1] + k
    for i in range(n):
        c[i, 0] = f32(a[n - 1 - i])
        c[i, 1] = 1

gufunc every_other(v: T[n]) -> (y: T[n]) where T in (u8, f32):
    acc = T(0)
    for i in range(0, n, 2):
        acc = acc + v[i]
        y[i] = acc + v[n - 1 - i]

gufunc positive(v: T[n]) -> (y: T[n]) where T in (i16, f64):
    acc = T(0)
    for i in range(n):
        if v[i] > 0:
            acc = acc + v[i]
            y[i] = acc

gufunc triangle(a: T[n, n]) -> (l: T[n, n]) where T in (f32, f64):
    acc = T(0)
    for i in range(n):
        for j in range(i + 1):
            acc = acc + a[i, j]
            l[i, j] = acc

gufunc corner(a: f32[3], b: f32[3]) -> (c: f32[3], d: f32[3]):
    c[0] = a[0] + b[2]
    if a[1] > 0:
        c[1] = a[1]
    for i in range(3):
        d[i] = a[2 - i]

gufunc doubled(inout a: i32[2, 2]) -> i32:
    a[0, 1] = a[0, 1] + a[1, 0]
    return a[0, 1]
"""


def laid(array, k):
    """The same values with other strides, or aligned to one element only."""
    if k < 3:
        return moved(array, k)
    room = np.empty(array.size + 1, array.dtype)
    room[1:] = array.ravel()
    return room[1:].reshape(array.shape)


def small(ctx, mapping, extents):
    """Matrices of a few rows and columns."""
    call = Forced(ctx, mapping, SOURCE, extents)

    def run(t):
        rng = ctx.rng(15)
        for loop in ((), (31,), (3, 33), (200,), (5000,)):
            for m, k, n in ((4, 4, 4), (1, 2, 3), (3, 3, 1), (8, 8, 8),
                            (2, 7, 5), (17, 2, 3), (0, 2, 2), (2, 0, 2)):
                for dtype in (np.uint8, np.int32, np.float32, np.float64,
                              np.complex64):
                    a = rng.integers(0, 5, loop + (m, k)).astype(dtype)
                    b = rng.integers(0, 5, loop + (k, n)).astype(dtype)
                    for layout in range(4):
                        t.same(f"product {a.shape} {b.shape} {a.dtype} "
                               f"{layout}",
                               call("product", laid(a, layout),
                                    laid(b, layout)), a @ b)
            for n in (1, 2, 3, 4, 7, 16, 17):
                for dtype in (np.float32, np.float64):
                    # The factor has small integers, so that all is exact.
                    want = np.tril(rng.integers(1, 4, loop + (n, n)))
                    a = (want @ np.swapaxes(want, -1, -2)).astype(dtype)
                    for layout in range(4):
                        t.same(f"cholesky {a.shape} {a.dtype} {layout}",
                               call("cholesky", laid(a, layout)),
                               want.astype(dtype))
                a = rng.integers(-9, 9, loop + (n,)).astype(float)
                for layout in range(4):
                    b, c = call("edges", laid(a, layout), 5)
                    t.same(f"edges {a.shape} {layout}, b", b,
                           5 + np.repeat(np.cumsum(a, -1), 2, -1)[..., :-1])
                    t.same(f"edges {a.shape} {layout}, c", c, np.stack(
                        [a[..., ::-1], np.ones(a.shape)], -1).astype(
                            np.float32))
    return run


def same_bits(ctx):
    """Whatever the mapping and the extents that are constants, and strides."""
    asked = [("grouped", None), ("staged", "constant"), ("staged", "variable"),
             (None, "constant")]
    calls = [Forced(ctx, mapping, SOURCE, extents)
             for mapping, extents in asked]

    def run(t):
        rng = ctx.rng(16)
        # Few items of eight would be shared by lanes.
        for loop, sizes in (((33,), (3, 4)), ((20000,), (3, 4, 8))):
            for dtype in (np.float32, np.float64):
                for n in sizes:
                    a, b = (rng.standard_normal(loop + (n, n)).astype(dtype)
                            for _ in range(2))
                    definite = a @ np.swapaxes(a, -1, -2) + n * np.eye(
                        n, dtype=dtype)
                    for function, arrays in (("product", (a, b)),
                                             ("cholesky", (definite,))):
                        bits = {call(function, *(laid(array, layout)
                                                 for array in arrays)).tobytes()
                                for call in calls for layout in range(4)}
                        t.check(f"{function} {loop} {n} {np.dtype(dtype)}",
                                len(bits) == 1)
    return run


def in_order(ctx, mapping, extents):
    """Loops in order, and small cores."""
    call = Forced(ctx, mapping, SOURCE, extents)

    def run(t):
        rng = ctx.rng(14)
        for loop in ((), (1,), (31,), (33, 2), (200,), (5, 0)):
            for n in (0, 1, 2, 31, 32, 33, 64, 65, 127, 1000):
                shape = loop + (n,)
                for dtype in (np.uint8, np.int32, np.float32, np.float64,
                              np.complex128):
                    v = rng.integers(0, 100, shape).astype(dtype)
                    for layout in range(4):
                        t.same(f"running {np.dtype(dtype)} {shape} {layout}",
                               call("running", laid(v, layout), dtype(3)),
                               3 + np.cumsum(v, -1, dtype=dtype))
                # Exact in f64.
                k, m = 1 + n % 4, 1 + n % 2
                s = rng.integers(0, 2, loop + (k, 2)).astype(float)
                v = rng.integers(-9, 9, loop + (m, n)).astype(float)
                w = rng.integers(-9, 9, shape).astype(np.float32)
                z, x = np.zeros(loop + (k,)), np.zeros(loop)
                y = np.zeros(shape)
                for i in range(n):
                    x = v[..., 0, i] + w[..., i]
                    for j in range(k):
                        u = s[..., j, 0] * z[..., j] + x
                        z[..., j] = np.where(x > 0, x, -x)
                        x = u * s[..., j, 1]
                    y[..., i] = x + v[..., m - 1, i]
                for layout in range(4):
                    got = call("filtered", s, laid(v, layout),
                               laid(w, layout))
                    t.same(f"filtered {shape} {k} {m} {layout}", got[0], y)
                    t.same(f"filtered {shape} {k} {m}, last", got[1], x)
            for dtype in (np.int16, np.float32, np.float64):
                a = rng.integers(-9, 9, loop + (3,)).astype(dtype)
                b = rng.integers(-9, 9, loop + (3,)).astype(dtype)
                for layout in range(4):
                    t.same(f"cross {a.shape} {layout}",
                           call("cross", laid(a, layout), b), np.cross(a, b))
            for dtype in (np.int32, np.float64):
                a = rng.integers(-9, 9, loop + (4, 3)).astype(dtype)
                b = rng.integers(-9, 9, loop + (3, 4)).astype(dtype)
                for layout in range(4):
                    got = call("small", laid(a, layout), laid(b, layout))
                    t.same(f"small {a.shape} {layout}", got[0], a @ b)
                    t.same(f"small {a.shape} {layout}, trace", got[1],
                           np.trace(a, axis1=-2, axis2=-1, dtype=dtype))
            for dtype in (np.int64, np.float64):
                for n in (1, 4, 5):
                    a = rng.integers(-9, 9, loop + (n, n)).astype(dtype)
                    for layout in range(4):
                        t.same(f"lower {a.shape} {layout}",
                               call("lower", laid(a, layout)),
                               np.tril(np.cumsum(a, -1)))
            a = rng.integers(-9, 9, loop + (2, 2)).astype(np.int32)
            want = a.copy()
            want[..., 0, 1] += want[..., 1, 0]
            call.update("doubled", a)
            t.same(f"doubled {a.shape}", a, want)
    return run


def kept(ctx, mapping, extents):
    """What a body does not write keeps its value in `out`."""
    call = Forced(ctx, mapping, SOURCE, extents)

    def run(t):
        rng = ctx.rng(17)

        def same(name, outs, wanted):
            for out, (value, written) in zip(outs, wanted):
                t.same(name, out,
                       np.where(written, value, 77).astype(out.dtype))

        def check(function, arrays, wanted):
            name = f"{function} {arrays[0].shape} {arrays[0].dtype}"
            for layout in range(4):
                outs = [laid(np.full(w.shape, 77, w.dtype), layout)
                        for w, _ in wanted]
                call(function, *(laid(array, layout) for array in arrays),
                     out=outs)
                same(f"{name} {layout}", outs, wanted)
            # In memory that the kernel cannot use.
            outs = [np.full(w.shape, 77, w.dtype) for w, _ in wanted]
            call.update(function, *arrays, out=outs)
            same(f"{name} elsewhere", outs, wanted)
            outs = [np.full(w.shape, 77, np.complex128) for w, _ in wanted]
            call(function, *arrays, out=outs)
            same(f"{name} converted", outs, wanted)

        for loop in ((), (31,), (33, 2), (5000,)):
            for n in (1, 2, 3, 16, 33, 100):
                for dtype in (np.uint8, np.float32):
                    v = rng.integers(0, 9, loop + (n,)).astype(dtype)
                    even = np.arange(n) % 2 == 0
                    sums = np.cumsum(v * even, -1, dtype=dtype)
                    check("every_other", [v], [(sums + v[..., ::-1], even)])
                for dtype in (np.int16, np.float64):
                    v = rng.integers(-9, 9, loop + (n,)).astype(dtype)
                    sums = np.cumsum(np.maximum(v, 0), -1, dtype=dtype)
                    check("positive", [v], [(sums, v > 0)])
            for n in (1, 2, 4, 7, 16, 20):
                for dtype in (np.float32, np.float64):
                    a = rng.integers(0, 9, loop + (n, n)).astype(dtype)
                    sums = np.cumsum(np.tril(a).reshape(loop + (-1,)), -1)
                    check("triangle", [a], [(sums.reshape(a.shape),
                                             np.tri(n, dtype=bool))])
            a, b = (rng.integers(-9, 9, loop + (3,)).astype(np.float32)
                    for _ in range(2))
            sums = a + b[..., ::-1]
            sums[..., 1] = a[..., 1]
            check("corner", [a, b], [
                (sums, np.stack([np.ones(loop, bool), a[..., 1] > 0,
                                 np.zeros(loop, bool)], -1)),
                (a[..., ::-1], np.ones(3, bool))])
    return run


def cases(ctx):
    for mapping, extents in ((None, None), ("grouped", None),
                             ("staged", "constant"), ("staged", "variable"),
                             ("staged,spread", "constant"),
                             ("staged,spread", "variable")):
        if ctx.device == "cuda" or (mapping, extents) == (None, None):
            words = ", ".join(filter(None, (mapping, extents))) or "chosen"
            yield f"in order, {words}", in_order(ctx, mapping, extents)
            yield f"small cores, {words}", small(ctx, mapping, extents)
            yield f"kept, {words}", kept(ctx, mapping, extents)
    if ctx.device == "cuda":
        yield "small cores, the same bits", same_bits(ctx)
