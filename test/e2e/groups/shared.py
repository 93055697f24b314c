"""Adding to elements of results that iterations share, against NumPy."""

import numpy as np

SIZES = (0, 1, 2, 3, 7, 32, 33, 100, 1000, 4097)

SUMS = """
gufunc histogram(v: i64[n], h0: T[k]) -> (h: T[k]) where T in numbers:
    for i in prange(k):
        h[i] = h0[i]
    for i in prange(n):
        h[v[i]] += 1

gufunc weighted(v: i64[n], w: T[n], k: dim) -> (h: T[k]) where T in (i16, u64, f32, f64, c64):
    for i in prange(k):
        h[i] = 0
    for i in prange(n):
        h[v[i]] += w[i]

gufunc bits(v: i64[n], w: T[n], k: dim) -> (a: T[k], o: T[k], x: T[k]) where T in (u8, i16, u32, i64, bool):
    for i in prange(k):
        a[i] = ~T(0)
        o[i] = T(0)
        x[i] = T(0)
    for i in prange(n):
        a[v[i]] &= w[i]
        o[v[i]] |= w[i]
        x[v[i]] ^= w[i]

gufunc joint(u: i64[n], v: i64[n], k: dim) -> (h: i32[k, k]):
    for i, j in prange(k, k):
        h[i, j] = 0
    for i in prange(n):
        h[u[i], v[i]] += 1

gufunc column_sums(a: i32[m, n]) -> (s: i64[n]):
    for j in prange(n):
        s[j] = 0
    for i, j in prange(m, n):
        s[j] += a[i, j]
"""


def sums(ctx):
    def run(t):
        rng = ctx.rng(14)
        for n in SIZES:
            k = 5
            v = rng.integers(0, k, (3, n))
            counts = np.array([np.bincount(r, minlength=k) for r in v])
            for dtype in (np.bool_, np.int8, np.uint16, np.int64, np.float32,
                          np.complex128):
                if dtype == np.bool_:
                    continue
                h0 = rng.integers(0, 9, (3, k)).astype(dtype)
                t.same(f"histogram {n} {np.dtype(dtype)}",
                       ctx.call(SUMS, "histogram", v, h0),
                       (h0 + counts.astype(dtype)).astype(dtype))
            for dtype in (np.int16, np.uint64, np.float32, np.float64,
                          np.complex64):
                w = rng.integers(0, 100, (3, n)).astype(dtype)
                expected = np.zeros((3, k), dtype)
                for row in range(3):
                    np.add.at(expected[row], v[row], w[row])
                t.same(f"weighted {n} {np.dtype(dtype)}",
                       ctx.call(SUMS, "weighted", v, w, k), expected)
            for dtype in (np.uint8, np.int16, np.uint32, np.int64, np.bool_):
                w = rng.integers(0, 2 if dtype == np.bool_ else 100,
                                 (3, n)).astype(dtype)
                a = np.full((3, k), ~dtype(0))
                o, x = np.zeros((2, 3, k), dtype)
                for row in range(3):
                    np.bitwise_and.at(a[row], v[row], w[row])
                    np.bitwise_or.at(o[row], v[row], w[row])
                    np.bitwise_xor.at(x[row], v[row], w[row])
                for name, got, want in zip(
                        "aox", ctx.call(SUMS, "bits", v, w, k), (a, o, x)):
                    t.same(f"bits {name} {n} {np.dtype(dtype)}", got, want)
            u = rng.integers(0, k, (3, n))
            h = np.zeros((3, k, k), np.int32)
            for row in range(3):
                np.add.at(h[row], (u[row], v[row]), 1)
            t.same(f"joint {n}", ctx.call(SUMS, "joint", u, v, k), h)
        a = rng.integers(-99, 99, (2, 50, 30)).astype(np.int32)
        t.same("column sums", ctx.call(SUMS, "column_sums", a),
               a.sum(-2, dtype=np.int64))
        # With random floats the order shows: it is the same every time.
        v = rng.integers(0, 3, 10000)
        w = rng.random(10000).astype(np.float32)
        first = ctx.call(SUMS, "weighted", v, w, 3)
        for turn in range(5):
            t.same(f"again {turn}", ctx.call(SUMS, "weighted", v, w, 3), first)
    return run


def cases(ctx):
    yield "shared sums", sums(ctx)
