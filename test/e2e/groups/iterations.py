"""Iterations of a `prange` with loops inside. On the CPU several run at once, in
the lanes of a vector: whatever the strides, the number of iterations and of
threads, each has the result that Python computes for it alone."""

import math

import numpy as np

SOURCE = """
gufunc plain(x: T[n], h: T[k]) -> (y: T[n - k + 1]) where T in (i32, f32, f64):
    for i in prange(n - k + 1):
        s = T(0)
        for j in range(k):
            s += x[i + k - 1 - j] * h[j]
        y[i] = s

gufunc summed(x: T[n], h: T[k]) -> (y: T[n - k + 1]) where T in (i32, f32, f64):
    for i in prange(n - k + 1):
        y[i] = sum(x[i + j] * h[j] for j in range(k))

gufunc edges(x: T[n], r: i64) -> (y: T[n]) where T in (u8, i16, f32, f64):
    for i in prange(n):
        s = T(0)
        for j in range(2 * r + 1):
            at = i + j - r
            if at >= 0 and at < n:
                s += x[at]
            elif at < 0:
                s -= x[0]
        y[i] = s

gufunc backwards(x: T[n], h: T[k]) -> (y: T[n]) where T in (u8, f32):
    for i in prange(n):
        s = T(0)
        for j in range(k):
            s += x[n - 1 - i] * h[j]
        y[i] = s

gufunc twice(x: f64[n], k: i64) -> (y: f64[n]):
    for i in prange(n):
        y[i] = 0
        for j in range(k):
            y[i] += x[i] * j
    for i in prange(n):
        for j in range(k):
            y[i] += x[j]

gufunc grown(inout v: f32[n], w: f32[n], k: i64) -> i64:
    for i in prange(n):
        for j in range(k):
            v[i] = v[i] * 0.5 + w[i]
    return k

gufunc escapes(x: f64[n]) -> (y: i64[n], z: f64[n]):
    for i in prange(n):
        t = x[i]
        steps = 0
        while t < 100.0:
            if steps > 40:
                break
            t = t * t + x[i]
            steps += 1
        y[i] = steps
        z[i] = t if steps < 41 else -1.0

gufunc counted(x: T[n]) -> (y: T[n]) where T in (u8, f32):
    for i in prange(n):
        bins = zeros(5, T)
        for j in range(7):
            bins[j % 5] += x[i] + T(j)
        best = bins[0]
        for j in range(1, 5):
            if bins[j] > best:
                best = bins[j]
        y[i] = best

gufunc blurred(a: T[m, n], w: T[r, s]) -> (b: T[m, n], c: T[m, n]) where T in (i32, f32):
    for i, j in prange(m, n):
        total = T(0)
        for u in range(r):
            for v in range(s):
                if i + u < m and j + v < n:
                    total += a[i + u, j + v] * w[u, v]
        b[i, j] = total
        c[i, j] = a[m - 1 - i, n - 1 - j] if any(a[i, j] > w[u, 0] for u in range(r)) else T(1)

gufunc inner(a: f64[m, n], t: f64[k]) -> (b: f64[m, n]):
    for i, j in prange((1, m - 1), (1, n - 1, 3)):
        b[i, j] = sum(a[i + u, j] * t[u + 1] for u in range(-1, 2))
        b[i, j + 1] = 6.0

gufunc kept(x: f64[n], m: i64) -> (y: f64[n], z: f64[n]):
    for i in prange(n):
        y[i] = 0.0
    for i in prange(n):
        t = 0.0
        for j in range(m):
            if 0.0 < x[i]:
                t = y[i]
                y[i] = 0.5
        z[i] = t

gufunc state(x: f64[n], k: i64) -> (y: f64[n]):
    t = empty(20, f64)
    for step in range(3):
        for i in prange(step, 20):
            s = 0.0
            for j in range(k):
                s += x[i] * j
            if step == 0:
                t[i] = s
            else:
                t[i] = t[i] + s
            y[i] = t[i]

gufunc either(x: f64[n], h: f64[k], a: f64[m, n], w: f64[q]) -> (y: f64[n - k + 1]):
    for i in prange(n - k + 1):
        s = 0.0
        if x[i] > 0:
            s = sum(a[j, i] for j in range(m))
        else:
            s = sum(w[j] * x[i] for j in range(q))
        y[i] = s * 2

gufunc mixed(x: f32[n], at: i64[n], t: f64[k]) -> (y: f64[n], z: bool[n]):
    for i in prange(n):
        s = 0.0
        for j in range(k):
            s += f64(x[i]) * t[j] if at[i] > j else t[j]
        y[i] = s
        z[i] = s > 1.0

gufunc pulled(x: T[n, 3], w: T[n]) -> (y: T[n, 3], z: T[n]) where T in (i32, f32, f64):
    for i in prange(n):
        a = T(0)
        b = T(0)
        for j in range(n):
            a += w[j] * (x[j, 0] - x[i, 2])
            b += x[j, 1] if w[j] > x[i, 0] else x[i, 1]
        y[i, 1] = a
        y[i, 0] = b
        z[n - 1 - i] = b
        if a > b:
            z[n - 1 - i] = a
            y[i, 2] = x[i, 2]
        else:
            y[i, 2] = w[n - 1 - i]

gufunc looked_up(x: f64[n], at: i64[n], table: f64[k], r: i64) -> (y: f64[n]):
    for i in prange(n):
        s = 0.0
        for j in range(max(i - r, 0), min(i + r + 1, n)):
            if at[j] >= 0:
                s += exp(table[at[j]] * 0) * x[j]
        y[i] = s
"""
SIZES = (1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 257)


def views(array):
    """The same values, with unit strides and others."""
    yield array
    wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1] + 1), array.dtype)
    wide[..., 1::2] = array
    yield wide[..., 1::2]
    yield array[..., ::-1].copy()[..., ::-1]


def data(rng, dtype, *shape):
    if np.dtype(dtype).kind == "f":
        return rng.integers(-20, 20, shape).astype(dtype) / 4
    return rng.integers(0, 9, shape).astype(dtype)


def everywhere(t, ctx, label, function, x, rest, expected):
    """Values are exact, so that the order of sums does not matter."""
    for view in views(x):
        got = ctx.call(SOURCE, function, view, *rest)
        for one, right in zip(got if isinstance(got, tuple) else (got,),
                              expected):
            t.same(f"{label} {view.strides}", one, right, zero_sign=False)


def windows(ctx):
    def run(t):
        rng = ctx.rng(91)
        for dtype in (np.int32, np.float32, np.float64):
            for n in SIZES:
                for k in (1, 2, 5, min(n, 40)):
                    if k > n:
                        continue
                    x, h = data(rng, dtype, n), data(rng, dtype, k)
                    with_h = np.lib.stride_tricks.sliding_window_view(x, k)
                    everywhere(t, ctx, f"plain {n} {k}", "plain", x, [h],
                               [(with_h @ h[::-1]).astype(dtype)])
                    everywhere(t, ctx, f"summed {n} {k}", "summed", x, [h],
                               [(with_h @ h).astype(dtype)])
        # The order of a sum may depend on its length, but on nothing else.
        for k in (3, 255, 256, 257, 1000):
            x, h = rng.standard_normal(3000), rng.standard_normal(k)
            for function in ("plain", "summed"):
                whole = ctx.call(SOURCE, function, x, h)
                for view in views(x):
                    t.same(f"{function} {k} bits",
                           ctx.call(SOURCE, function, view, h), whole)
                if ctx.device == "cpu":
                    t.same(f"{function} {k} part",
                           ctx.call(SOURCE, function, x[40:k + 60], h),
                           whole[40:61])
    return run


def edges(ctx):
    def run(t):
        rng = ctx.rng(92)
        for dtype in (np.uint8, np.int16, np.float32, np.float64):
            for n in SIZES:
                for r in (0, 1, 3, 20):
                    x = data(rng, dtype, n)
                    expected = np.zeros(n, dtype)
                    for i in range(n):
                        for at in range(i - r, i + r + 1):
                            if 0 <= at < n:
                                expected[i] += x[at]
                            elif at < 0:
                                expected[i] -= x[0]
                    everywhere(t, ctx, f"edges {n} {r}", "edges", x, [r],
                               [expected])
        for dtype in (np.uint8, np.float32):
            for n in SIZES:
                x, h = data(rng, dtype, n), data(rng, dtype, 5)
                everywhere(t, ctx, f"backwards {n}", "backwards", x, [h],
                           [(x[::-1] * h.sum(dtype=dtype)).astype(dtype)])
    return run


def memory(ctx):
    """What an iteration has written, and arrays of its own."""
    def run(t):
        rng = ctx.rng(93)
        for n in SIZES:
            x, k = data(rng, np.float64, n), min(n, 6)
            everywhere(t, ctx, f"twice {n}", "twice", x, [k],
                       [x * (k * (k - 1) // 2) + x[:k].sum()])
            v, w = data(rng, np.float32, n), data(rng, np.float32, n)
            for view in list(views(v.copy())):
                expected = v.copy()
                for _ in range(3):
                    expected = expected * np.float32(0.5) + w
                ctx.call(SOURCE, "grown", view, w, 3)
                t.same(f"grown {n}", np.array(view), expected)
            x = data(rng, np.float64, n)
            for m in (1, 3):
                for view in views(x):
                    y, z = ctx.call(SOURCE, "kept", view, m)
                    t.same(f"kept {n} y", y, np.where(x > 0, 0.5, 0.0))
                    t.same(f"kept {n} z", z,
                           np.where(x > 0, 0.5 if m > 1 else 0.0, 0.0))
            for dtype in (np.uint8, np.float32):
                x = data(rng, dtype, n)
                bins = np.zeros((5, n), dtype)
                for j in range(7):
                    bins[j % 5] += x + dtype(j)
                everywhere(t, ctx, f"counted {n}", "counted", x, [],
                           [bins.max(axis=0)])
    return run


def outlived(ctx):
    """An array that is made before a loop around the `prange`; sums of two kinds,
    whose order depends on their lengths alone."""
    def run(t):
        rng = ctx.rng(97)
        x = data(rng, np.float64, 20)
        rounds = np.minimum(np.arange(20) + 1, 3)
        everywhere(t, ctx, "state", "state", x, [4], [x * 6 * rounds])
        for k, m, q in ((3, 300, 10), (3, 3, 300), (2, 300, 300), (1, 5, 7)):
            x, h = rng.standard_normal(24), rng.standard_normal(k)
            a, w = rng.standard_normal((m, 24)), rng.standard_normal(q)
            expected = ctx.call(SOURCE, "either", x, h, a, w)
            t.check("near", np.allclose(
                expected, 2 * np.where(x > 0, a.sum(0), w.sum() * x)[:25 - k]))
            for view in views(x):
                t.same(f"either {m} {q}",
                       ctx.call(SOURCE, "either", view, h, a, w), expected)
    return run


def control(ctx):
    """Loops that iterations leave at different times."""
    def run(t):
        rng = ctx.rng(94)
        for n in SIZES:
            x = data(rng, np.float64, n)
            steps, values = np.zeros(n, np.int64), np.zeros(n)
            for i, value in enumerate(x):
                z, count = value, 0
                while z < 100 and count <= 40:
                    z = z * z + value
                    count += 1
                steps[i], values[i] = count, z if count < 41 else -1
            for view in views(x):
                got = ctx.call(SOURCE, "escapes", view)
                t.same(f"escapes {n}", got[0], steps)
                t.check(f"escapes {n} values",
                        np.allclose(got[1], values, rtol=1e-9, atol=0))
            at, table = rng.integers(-2, 9, n), data(rng, np.float64, 6)
            x = data(rng, np.float32, n)
            y = np.array([sum(float(x[i]) * c if at[i] > j else c
                              for j, c in enumerate(table)) for i in range(n)])
            everywhere(t, ctx, f"mixed {n}", "mixed", x, [at, table],
                       [y, y > 1])
    return run


def planes(ctx):
    def run(t):
        rng = ctx.rng(95)
        for dtype in (np.int32, np.float32):
            for m, n in ((1, 1), (3, 17), (17, 3), (6, 33), (2, 100)):
                a, w = data(rng, dtype, m, n), data(rng, dtype, 3, 2)
                b, c = np.zeros_like(a), np.zeros_like(a)
                for i in range(m):
                    for j in range(n):
                        b[i, j] = sum(a[i + u, j + v] * w[u, v]
                                      for u in range(3) for v in range(2)
                                      if i + u < m and j + v < n)
                        c[i, j] = a[m - 1 - i, n - 1 - j] \
                            if (a[i, j] > w[:, 0]).any() else 1
                everywhere(t, ctx, f"blurred {m} {n}", "blurred", a, [w], [b, c])
                turned = np.asfortranarray(a)
                got = ctx.call(SOURCE, "blurred", turned, w)
                t.same("Fortran order", got[0], b)
                t.same("Fortran order", got[1], c)
        a, table = rng.standard_normal((9, 80)), np.array([1.0, -2, 1])
        out = np.full((9, 80), 7.0)
        expected = out.copy()
        for i in range(1, 8):
            for j in range(1, 79, 3):
                expected[i, j] = math.fsum(a[i - 1:i + 2, j] * table)
                expected[i, j + 1] = 6
        t.check("a step", np.allclose(
            ctx.call(SOURCE, "inner", a, table, out=out), expected))
    return run


def gathered(ctx):
    """What lanes read and write apart, some of them behind conditions."""
    def run(t):
        rng = ctx.rng(98)
        for n in SIZES:
            for dtype in (np.int32, np.float32, np.float64):
                x, w = data(rng, dtype, n, 3), data(rng, dtype, n)
                a = (w * (x[:, 0] - x[:, 2:])).sum(1, dtype=dtype)
                b = np.where(w > x[:, :1], x[:, 1], x[:, 1:2]).sum(1, dtype=dtype)
                y = np.stack([b, a, np.where(a > b, x[:, 2], w[::-1])], 1)
                everywhere(t, ctx, f"pulled {n}", "pulled", x, [w],
                           [y, np.maximum(a, b)[::-1]])
            x, table = data(rng, np.float64, n), data(rng, np.float64, 9)
            # An index of a lane that takes no part is not read.
            at = rng.choice([*range(9), -(1 << 40)], n)
            for r in (0, 2, 40):
                y = np.array([sum(x[j] for j in range(max(i - r, 0),
                                                      min(i + r + 1, n))
                                  if at[j] >= 0) for i in range(n)], np.float64)
                everywhere(t, ctx, f"looked_up {n} {r}", "looked_up", x,
                           [at, table, r], [y])
    return run


def large(ctx):
    """Threads share the iterations."""
    def run(t):
        rng = ctx.rng(96)
        x, h = rng.standard_normal(1 << 20), rng.standard_normal(9)
        y = ctx.call(SOURCE, "plain", x, h)
        t.check("near", np.allclose(y, np.convolve(x, h, "valid"), 1e-12, 1e-12))
        t.same("in one part", ctx.call(SOURCE, "plain", x[:5000], h), y[:4992])
        a, w = data(rng, np.float32, 700, 900), data(rng, np.float32, 3, 2)
        b, _ = ctx.call(SOURCE, "blurred", a, w)
        expected = np.zeros_like(a)
        for u in range(3):
            for v in range(2):
                expected[:700 - u, :900 - v] += a[u:, v:] * w[u, v]
        t.same("planes", b, expected)
    return run


def cases(ctx):
    yield "windows", windows(ctx)
    yield "edges", edges(ctx)
    yield "memory", memory(ctx)
    yield "outlived", outlived(ctx)
    yield "control", control(ctx)
    yield "planes", planes(ctx)
    yield "gathered", gathered(ctx)
    yield "large", large(ctx)
