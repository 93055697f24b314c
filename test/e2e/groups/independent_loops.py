"""Loops over `range` that may run as pranges, in every mapping, and those that look
like them but have an order, against NumPy."""

import numpy as np

from groups.mappings import Forced, moved

SOURCE = """
gufunc product(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (i32, f32, f64):
    for i in range(m):
        for j in range(n):
            c[i, j] = 0
            for p in range(k):
                c[i, j] += a[i, p] * b[p, j]

gufunc scaled(a: T[m, n], w: T[m]) -> (c: T[m, n]) where T in (i32, f64):
    for i in prange(m):
        for j in range(n):
            c[i, j] = a[i, j] * w[i]

gufunc picked(a: T[m, n], at: i64[m]) -> (c: T[m, n]) where T in (i32, f64):
    for i in prange(m):
        for j in range(n):
            c[at[i], j] = a[i, j]

gufunc ratios(v: T[n]) -> (y: T[n]) where T in (f32, f64):
    largest = max(v)
    for i in range(len(v)):
        scaled = v[i] / largest
        y[i] = scaled * 2

gufunc inner(v: T[n]) -> (y: T[n]) where T in (i64, f64):
    for i in range(n):
        y[i] = v[i]
    for i in range(n - 2, 0, -1):
        y[i] = v[i - 1] + v[i + 1]

gufunc lower(a: T[n, n]) -> (l: T[n, n]) where T in (i64, f32):
    for i in range(n):
        for j in range(i + 1):
            l[i, j] = a[i, j]
        for j in range(i + 1, n):
            l[i, j] = 0

gufunc first_above(v: T[m, n], least: T) -> (y: i64[m]) where T in (i32, f64):
    for i in range(m):
        at = -1
        for j in range(n):
            if v[i, j] > least:
                at = j
                break
        y[i] = at

gufunc turned(inout v: T[n]) where T in (i32, f64):
    for i in range(n // 2):
        t = v[i]
        v[i] = v[n - 1 - i]
        v[n - 1 - i] = t

gufunc gathered(v: T[n], at: i64[k]) -> (y: T[k]) where T in (u8, f64):
    for i in range(k):
        y[i] = v[at[i]]

gufunc counted(at: i64[k]) -> (h: u8[n], s: i32[n]):
    for i in range(n):
        h[i] = 0
        s[i] = 0
    for i in range(k):
        h[at[i]] += 1
        s[at[i]] += at[i] - 3

# From here on the order of the iterations is seen.
gufunc scattered(v: T[k], at: i64[k], like: T[n]) -> (y: T[n]) where T in (i32, f64):
    for i in range(n):
        y[i] = like[i]
    for i in range(k):
        y[at[i]] = v[i]

gufunc weighted(at: i64[k], w: T[k]) -> (h: T[n]) where T in (i32, f64):
    for i in range(n):
        h[i] = 0
    for i in range(k):
        h[at[i]] += w[i]

gufunc pulled(inout v: T[n]) where T in (i32, f64):
    for i in range(n - 1):
        v[i] = v[i] + v[i + 1]

gufunc pushed(inout v: T[n]) where T in (i32, f64):
    for i in range(1, n):
        v[i] = v[i] + v[i - 1]

gufunc last_of(v: T[n]) -> (y: T[n], last: T) where T in (i32, f64):
    t = T(7)
    for i in range(n):
        t = v[i]
        y[i] = t + 1
    last = t

gufunc limited(v: T[n], limit: T) -> (y: T[n]) where T in (i32, f64):
    for i in range(n):
        y[i] = 0
    for i in range(n):
        if v[i] > limit:
            break
        y[i] = v[i]

gufunc outer_index(x: i64[m, n]) -> (y: i64[m, n]):
    y[:] = 0
    for i in range(m):
        for j in range(n):
            y[i, j] += x[i, j]
            if x[i, j] > 6:
                i = 0

gufunc bound(x: i64[n], rows: i64[m]) -> (y: i64[m, n]):
    v = y[:]
    v[:] = 0
    for i in range(m):
        for j in range(min(n, 3 + sum(y))):
            v[i, j] = 1

gufunc corner_sums(a: T[m, n]) -> (c: T[m, n]) where T in (i64, f64):
    for i in range(m):
        for j in range(n):
            c[i, j] = a[i, j] + (c[i - 1, j] if i > 0 else 0)
"""


def values(rng, shape, dtype):
    return rng.integers(0, 9, shape).astype(dtype)


def independent(ctx, call):
    def run(t):
        rng = ctx.rng(31)

        def same(function, wanted, *arrays):
            for layout in range(3):
                t.same(f"{function} {arrays[0].shape} {layout}", call(
                    function, *(moved(a, layout) if np.ndim(a) else a
                                for a in arrays)), wanted)

        for loop in ((), (1,), (33,), (3, 5), (300,), (2, 0)):
            for m, k, n in ((1, 1, 1), (4, 4, 4), (7, 3, 5), (33, 17, 65),
                            (2, 0, 3), (0, 2, 2)):
                for dtype in (np.int32, np.float32, np.float64):
                    a = values(rng, loop + (m, k), dtype)
                    b = values(rng, loop + (k, n), dtype)
                    same("product", a @ b, a, b)
                v = values(rng, loop + (m, n), np.float64)
                above = np.concatenate([v > 6, np.ones(v.shape[:-1] + (1,), bool)],
                                       -1).argmax(-1)
                same("first_above", np.where(above == n, -1, above), v, 6.0)
                a = values(rng, loop + (m, m), np.int64)
                same("lower", np.tril(a), a)
                w = v[..., :1, 0] + np.arange(m)
                same("scaled", v * w[..., None], v, w)
                at = rng.permuted(np.broadcast_to(np.arange(m), loop + (m,)), axis=-1)
                wanted = np.empty_like(v)
                np.put_along_axis(wanted, at[..., None], v, -2)
                same("picked", wanted, v, at)
            for n in (2, 3, 31, 64, 1000):
                v = 1 + values(rng, loop + (n,), np.float32)
                same("ratios", v / v.max(-1, keepdims=True, initial=0) * 2, v)
                v = values(rng, loop + (n,), np.int64)
                wanted = v.copy()
                wanted[..., 1:-1] = v[..., :-2] + v[..., 2:]
                same("inner", wanted, v)
                at = rng.integers(0, n, loop + (n + 3,))
                v = values(rng, loop + (n,), np.uint8)
                same("gathered", np.take_along_axis(v, at, -1), v, at)
                v = values(rng, loop + (n,), np.int32)
                turned = v.copy()
                call.update("turned", turned)
                t.same(f"turned {v.shape}", turned, v[..., ::-1])
    return run


def ordered(ctx, call):
    def run(t):
        rng = ctx.rng(32)
        for loop in ((), (33,), (3, 5), (300,)):
            for n in (1, 2, 31, 100):
                k = 2 * n
                name = f"{loop} {n}"
                v = values(rng, loop + (k,), np.int32)
                like = values(rng, loop + (n,), np.int32)
                at = rng.integers(0, n, loop + (k,))
                wanted, counts = like.copy(), np.zeros(like.shape, np.int32)
                for i in range(k):
                    places = at[..., i:i + 1]
                    np.put_along_axis(wanted, places, v[..., i:i + 1], -1)
                    np.put_along_axis(counts, places, 1 + np.take_along_axis(
                        counts, places, -1), -1)
                t.same(f"scattered {name}", call("scattered", v, at, like), wanted)
                h, s = call("counted", at, out=[np.empty(like.shape, np.uint8),
                                                np.empty(like.shape, np.int32)])
                t.same(f"counted {name}, h", h, counts.astype(np.uint8))
                t.same(f"counted {name}, s", s, counts * np.arange(-3, n - 3, dtype=np.int32))
                sums = np.empty(like.shape)
                t.same(f"weighted {name}",
                       call("weighted", at, np.float64(at), out=[sums]),
                       counts * np.arange(n, dtype=float))
                x = v.astype(np.float64)
                pulled, pushed = x.copy(), x.copy()
                call.update("pulled", pulled)
                t.same(f"pulled {name}", pulled, np.concatenate(
                    [x[..., :-1] + x[..., 1:], x[..., -1:]], -1))
                call.update("pushed", pushed)
                t.same(f"pushed {name}", pushed, np.cumsum(x, -1))
                y, last = call("last_of", v)
                t.same(f"last_of {name}, y", y, v + 1)
                t.same(f"last_of {name}, last", last, v[..., -1])
                before = np.cumsum(v > 6, -1) == 0
                t.same(f"limited {name}", call("limited", v, 6),
                       np.where(before, v, 0))
                x = values(rng, loop + (7, n), np.int64)
                wanted = np.zeros_like(x)
                for each, to in zip(x.reshape(-1, 7, n), wanted.reshape(-1, 7, n)):
                    for i in range(7):
                        for j in range(n):
                            to[i, j] += each[i, j]
                            if each[i, j] > 6:
                                i = 0
                t.same(f"outer_index {name}", call("outer_index", x), wanted)
                filled, lengths = 0, []
                for _ in range(7):
                    lengths.append(min(n, 3 + filled))
                    filled += lengths[-1]
                wanted = np.arange(n) < np.array(lengths)[:, None]
                t.same(f"bound {name}", call("bound", x[..., 0, :], np.arange(7)),
                       np.broadcast_to(wanted.astype(np.int64), loop + (7, n)))
                a = values(rng, loop + (n, 3), np.int64)
                t.same(f"corner_sums {name}", call("corner_sums", a),
                       np.cumsum(a, -2))
    return run


def cases(ctx):
    for mapping in (None, "grouped", "flat", "across", "sliced", "staged"):
        if ctx.device == "cuda" or mapping is None:
            call = Forced(ctx, mapping, SOURCE)
            yield f"independent, {mapping or 'chosen'}", independent(ctx, call)
            yield f"ordered, {mapping or 'chosen'}", ordered(ctx, call)
