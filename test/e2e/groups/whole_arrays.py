"""Stores to whole arrays and their parts, against NumPy."""

import numpy as np

SIZES = (0, 1, 2, 3, 7, 16, 17, 31, 32, 33, 257, 1000, 4097)

SOURCE = """
gufunc filled(s: T) -> (y: T[m, n]) where T in (u8, i64, f32, c128):
    y[:] = s

gufunc copied(x: T[n]) -> (y: T[n]) where T in (i8, f32, f64, c64):
    y[:] = x

gufunc wider(x: i16[m, n]) -> (y: f64[m, n]):
    y[:, :] = x

gufunc rows(x: f64[n], c: f64[m, 1]) -> (y: f64[m, n], z: f64[m, n]):
    y[:] = x
    z[:] = c

gufunc bordered(x: f32[n]) -> (y: f32[n + 2, n]):
    y[1:-1] = x
    y[0, :] = -1
    y[n + 1] = 1

gufunc moved(inout x: f64[n], inout y: f64[n]):
    x[1:] = x[:-1]
    y[:-1] = y[1:]

gufunc turned(inout a: f64[3, 3]):
    a[0] = a[1]
    a[:, 1] = a[2]

gufunc repeated(inout a: f64[m, n]):
    a[:] = a[0]

gufunc tables(v: f64[n]) -> (y: f64[n]):
    t = empty((3, n), f64)
    t[:] = v
    t[1] = 2
    for i in prange(n):
        u = empty(4, f64)
        u[:] = t[0, i]
        u[1:] = u[:3]
        u[3] = t[1, i]
        y[i] = sum(u) + t[2, i]

ufunc small(x: f64) -> f64:
    t = empty(40, f64)
    t[:] = x
    t[20:] = 2
    t[1:] = t[:-1]
    return sum(t)

gufunc parts(x: f64[n], k: i64) -> (y: f64[n]):
    y[:] = 0
    y[k:] = x[k:]
    for i in prange(n):
        y[i] = y[i] + i
"""


def stores(ctx):
    def run(t):
        rng = ctx.rng(71)

        def call(name, *arguments, **asked):
            return ctx.call(SOURCE, name, *arguments, **asked)

        def update(name, *arguments):
            ctx.module(SOURCE)[name](*arguments, device=ctx.dl_device)

        for n in SIZES:
            for dtype in (np.uint8, np.int64, np.float32, np.complex128):
                out = np.empty((2, 3, n), dtype)
                s = np.array([3, 7], dtype)
                t.same(f"filled {n} {np.dtype(dtype)}",
                       call("filled", s, out=out),
                       np.broadcast_to(s[:, None, None], out.shape))
            v = rng.integers(-60, 60, (3, n))
            for dtype in (np.int8, np.float32, np.float64, np.complex64):
                a = v.astype(dtype)
                t.same(f"copied {n} {np.dtype(dtype)}", call("copied", a), a)
                t.same(f"copied backwards {n}", call("copied", a[:, ::-1]),
                       a[:, ::-1])
            t.same(f"wider {n}", call("wider", v.astype(np.int16)),
                   v.astype(np.float64))
            x = v.astype(np.float64)
            c = rng.integers(-9, 9, (3, 5, 1)).astype(np.float64)
            y, z = call("rows", x, c)
            shape = (3, 5, n)
            t.same(f"rows {n}", y, np.broadcast_to(x[:, None], shape))
            t.same(f"columns {n}", z, np.broadcast_to(c, shape))
            f = x.astype(np.float32)
            expected = np.empty((3, n + 2, n), np.float32)
            expected[:, 1:-1] = f[:, None]
            expected[:, 0], expected[:, n + 1] = -1, 1
            t.same(f"bordered {n}", call("bordered", f), expected)
            down, up = x.copy(), x.copy()
            update("moved", down, up)
            e = x.copy()
            e[:, 1:] = x[:, :-1]
            t.same(f"moved down {n}", down, e)
            e = x.copy()
            e[:, :-1] = x[:, 1:]
            t.same(f"moved up {n}", up, e)
            t.same(f"tables {n}", call("tables", x), 4 * x + 2)
            for k in {0, n // 2, n}:
                kept = np.where(np.arange(n) >= k, x, 0) + np.arange(n)
                t.same(f"parts {n} {k}", call("parts", x, k), kept)
        a = rng.integers(0, 100, (50, 3, 3)).astype(np.float64)
        e = a.copy()
        for one in e:
            one[0] = one[1]
            one[:, 1] = one[2].copy()
        update("turned", a)
        t.same("turned", a, e)
        for shape in ((4, 0), (1, 5), (40, 33), (2, 300, 7)):
            a = rng.random(shape)
            e = np.broadcast_to(a[..., :1, :], shape).copy()
            update("repeated", a)
            t.same(f"repeated {shape}", a, e)
        x = rng.integers(-9, 9, 100).astype(np.float64)
        t.same("small", call("small", x), 21 * x + 38)
    return run


RETURNED = """
gufunc two(x: T[n], w: T) -> (T[n], T[n]) where T in (i32, f64):
    if w > 4:
        return x, x * w
    u = x + 1
    return u[::-1], u * w

gufunc mixed(x: T[n]) -> (low: T, y: T[n], k: i64) where T in (i32, f64):
    y[:] = x
    return min(y), y[::-1] + y, argmax(y)

gufunc exchanged(x: T[n]) -> (a: T[n], b: T[n]) where T in (i32, f64):
    a[:] = x
    b[:] = -x
    return b, a

gufunc own(x: T[n]) -> (a: T[n], b: T[n]) where T in (i32, f64):
    a[:] = x
    t = a[::-1]
    return a, t - a

gufunc called(x: T[n]) -> (a: T[n], b: T[n], k: i64) where T in (i32, f64):
    low, a[:], k = mixed(x)
    p, b[:] = two(x, low)
    a[:] = a + p
"""


def returned(ctx):
    """`return` of several results, whose values are as before the first store."""
    def run(t):
        rng = ctx.rng(8)
        m = ctx.module(RETURNED)
        for n in (1, 2, 5, 16, 17, 300):
            for dtype in (np.int32, np.float64):
                x = rng.integers(-60, 60, (3, n)).astype(dtype)
                back = x[:, ::-1]
                up = x + dtype(1)
                label = f"{n} {np.dtype(dtype)}"

                def same(name, want, *arguments):
                    for k, (g, e) in enumerate(zip(
                            m[name](x, *arguments, place=ctx.place), want)):
                        t.same(f"{name} {k} {label}", g, e)
                same("two", (up[:, ::-1], up * dtype(3)), dtype(3))
                same("two", (x, x * dtype(5)), dtype(5))
                same("mixed", (x.min(1), back + x, x.argmax(1)))
                same("exchanged", (-x, x))
                same("own", (x, back - x))
                low = x.min(1, keepdims=True)
                same("called", (back + x + np.where(low > 4, x, up[:, ::-1]),
                                np.where(low > 4, x, up) * low, x.argmax(1)))
    return run


SHARED = """
gufunc shared(x: T[n]) -> (y: T[n], z: T[n], w: T[n]) where T in (i32, f64):
    a = b = x * 2
    b[0] += 1
    c = d = a.copy()
    c[-1] = 7
    y[:] = z[:] = a - x[::-1]
    t = (d, (x, a + b))
    w[:] = t[0] + t[1][0] * t[-1][1] - t[1][1][::-1] + t[0][0]
"""


def shared(ctx):
    """Several names for one array, and arrays in tuples."""
    def run(t):
        rng = ctx.rng(10)
        for n in (1, 2, 5, 33):
            for dtype in (np.int32, np.float64):
                x = rng.integers(-60, 60, n).astype(dtype)
                a = x * dtype(2)
                a[0] += 1
                d = a.copy()
                d[-1] = 7
                y = a - x[::-1]
                want = (y, y, d + x * (2 * a) - (2 * a)[::-1] + d[0])
                for k, (g, e) in enumerate(zip(
                        ctx.call(SHARED, "shared", x), want)):
                    t.same(f"{k} {n} {np.dtype(dtype)}", g, e)
    return run


METHODS = """
import numpy as np

gufunc f(a: f32[m, n], b: i16[n]) -> (y: f64[n], z: f32[m], w: f64[n], r: f64, k: i64):
    mean = a.mean(axis=0)
    y[:] = (a - a.mean(0)).sum(axis=0) + mean.max() + (a * 2).T.prod(1).min()
    z[:] = a.max(1) - a.min(-1) + a.T.sum(0)
    u = b.astype(np.float64) * 2
    w[:] = b.astype(f64) + u.clip(-3, 3) + b.cumsum() + b.argsort() + b.round()
    r = u.dot(u) if (a > 0).any() and not (b > 0).all() else a.sum()
    k = b.argmax() + 10 * a.argmin()

gufunc parts(z: T[n]) -> (y: f64[n], s: f64) where T in (c64, c128, f32):
    y[:] = z.real * 2 - z.imag + (z[::-1] + 1).real.max()
    s = z[0].real + 2 * z[-1].imag
"""


OWN_NP = """
gufunc scaled(z: c128[n], np: i64) -> f64:
    return z[0].real * np

gufunc each(z: c128[n], x: f64[n]) -> f64:
    return sum(np * 2 for np in x) + z[0].real
"""


def methods(ctx):
    def run(t):
        rng = ctx.rng(9)
        z, x = np.array([1.5 + 2j, 3]), np.array([0.25, 4])
        t.same("a parameter np", ctx.call(OWN_NP, "scaled", z, np.int64(3)), 4.5)
        t.same("an index np", ctx.call(OWN_NP, "each", z, x), 10.0)
        for shape in ((1, 1), (4, 4), (8, 40)):  # means are exact
            a = rng.integers(-2, 3, shape).astype(np.float32)
            b = rng.integers(-9, 9, shape[1]).astype(np.int16)
            got = ctx.call(METHODS, "f", a, b)
            w = b.astype(np.float64) * 2
            y = (a - a.mean(0)).sum(0) + a.mean(0).max() + (a * 2).T.prod(1).min()
            want = (y, a.max(1) - a.min(-1) + a.sum(1),
                    b.astype(np.float64) + w.clip(-3, 3) + b.cumsum()
                    + b.argsort(kind="stable") + b, w.dot(w) if (a > 0).any() and not (b > 0).all()
                    else a.sum(), b.argmax() + 10 * a.argmin())
            for k, (g, e) in enumerate(zip(got, want)):
                t.same(f"{k} {shape}", g,
                       np.asarray(e).astype(np.asarray(g).dtype))
            for dtype in (np.complex64, np.complex128, np.float32):
                z = (a[0] + 1j * a[-1]).astype(dtype) if dtype != np.float32 \
                    else a[0]
                y, s = ctx.call(METHODS, "parts", z)
                t.same(f"parts {shape} {dtype}", y, (
                    z.real * 2 - z.imag + (z + 1).real.max()).astype(float))
                t.same(f"of one {shape} {dtype}", s,
                       np.float64(z[0].real + 2 * z[-1].imag))
    return run


TURNED = """
gufunc turned(a: u8[n]) -> (y: u8[n, 4]):
    y[:] = 1
    for i in range(n):
        for j in range(1, 4):
            y[i, j] -= a[i]
    t = u8(-y[:, :0:-1])
    for k in (1, 0, 2):
        t = t * 2 + 1
    y[:, 1:] *= t
"""


def turned(ctx):
    """Three of 64 bytes, the other way round, for which LLVM 22 never ended."""
    def run(t):
        a = ctx.rng(11).integers(0, 256, 67).astype(np.uint8)
        y = np.ones((67, 4), np.uint8)
        y[:, 1:] -= a[:, None]
        y[:, 1:] *= 8 * (0 - y[:, :0:-1]) + np.uint8(7)
        t.same("turned", ctx.call(TURNED, "turned", a), y)
    return run


def cases(ctx):
    yield "several returned", returned(ctx)
    yield "names and tuples", shared(ctx)
    yield "methods", methods(ctx)
    yield "turned bytes", turned(ctx)
    yield "stores to arrays", stores(ctx)
