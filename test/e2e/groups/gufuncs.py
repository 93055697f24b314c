"""gufuncs: core dimensions, loop dimensions, layouts, errors."""

import itertools

import numpy as np

import kernapi
import layouts

SOURCE = """
gufunc l2_norm(v: T[n]) -> T where T in (f32, f64):
    return sqrt(sum(x ** 2 for x in v))

gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (i32, f32, f64):
    for i, j in prange(m, n):
        c[i, j] = T(sum(a[i, p] * b[p, j] for p in range(k)))

gufunc convolve_valid(x: T[n], w: T[k]) -> (y: T[n - k + 1]) where T in (i32, f32, f64):
    for i in prange(n - k + 1):
        y[i] = T(sum(x[i + k - 1 - j] * w[j] for j in range(k)))

gufunc softmax(v: T[n]) -> (p: T[n]) where T in (f32, f64):
    top = max(v)
    total = sum(exp(x - top) for x in v)
    for i in prange(n):
        p[i] = exp(v[i] - top) / total

gufunc cumulative(v: T[n]) -> (s: T[n]) where T in (i32, i64, f32, f64):
    acc = T(0)
    for i in range(n):
        acc += v[i]
        s[i] = acc

gufunc outer(a: T[m], b: T[n]) -> (c: T[m, n]) where T in (i32, f64):
    for i in prange(m):
        for j in prange(n):
            c[i, j] = a[i] * b[j]

gufunc minmax(v: T[n]) -> (lo: T, hi: T) where T in (i32, f64):
    return min(v), max(v)

gufunc cross(a: T[3], b: T[3]) -> (c: T[3]) where T in (i32, f64):
    c[0] = a[1] * b[2] - a[2] * b[1]
    c[1] = a[2] * b[0] - a[0] * b[2]
    c[2] = a[0] * b[1] - a[1] * b[0]

gufunc transpose(a: T[m, n]) -> (t: T[n, m]) where T in (u8, i32, f64):
    for i, j in prange(m, n):
        t[j, i] = a[i, j]

gufunc axpy(k: T, x: T[n], y: T[n]) -> (r: T[n]) where T in (i32, f64):
    for i in prange(n):
        r[i] = k * x[i] + y[i]

gufunc length(v: T[n]) -> i64 where T in (i32, f64):
    return n

gufunc trace(a: T[n, n]) -> T where T in (i32, f64):
    return T(sum(a[i, i] for i in range(n)))

gufunc first_of(v: T[n]) -> (i: i64, x: T) where T in (i32, f64):
    i = argmax(v)
    x = v[i]

gufunc sums(v: T[n]) -> (s: T) where T in (i32, f64):
    s = T(sum(v))
"""


def mm(a, b):
    return np.matmul(a, b)


LOOPS = [((), ()), ((3,), ()), ((), (3,)), ((4, 1), (5,)), ((2, 3), (2, 3)),
         ((2, 1, 3), (4, 1)), ((1,), (1,)), ((0,), ()), ((2, 0), (1,)),
         ((3, 1, 2), (1, 2, 1))]


def matmul(ctx):
    def run(t):
        rng = ctx.rng(1)
        for (la, lb), (m, k, n) in itertools.product(
                LOOPS, [(2, 3, 4), (1, 1, 1), (4, 4, 4), (3, 0, 2), (0, 2, 3),
                        (5, 1, 5)]):
            a = layouts.values(rng, la + (m, k), np.int32)
            b = layouts.values(rng, lb + (k, n), np.int32)
            t.same(f"{a.shape} @ {b.shape}",
                   ctx.call(SOURCE, "matmul", a, b), mm(a, b))
        for la, lb in itertools.product(layouts.LAYOUTS, repeat=2):
            a = layouts.array(rng, (2, 1, 4, 3), np.float64, la)
            b = layouts.array(rng, (5, 3, 2), np.float64, lb)
            t.same(f"{la} @ {lb}", ctx.call(SOURCE, "matmul", a, b),
                   mm(a, b))
        a = rng.standard_normal((70, 65)).astype(np.float32)
        b = rng.standard_normal((65, 33)).astype(np.float32)
        got = ctx.call(SOURCE, "matmul", a, b)
        wide = a.astype(float) @ b
        t.check("70x65 @ 65x33 f32", got.dtype == np.float32 and np.allclose(
            got, wide, rtol=1e-5, atol=1e-4))
        out, _ = layouts.writable(rng, (2, 5, 4, 2), np.float64, "sliced")
        a = layouts.values(rng, (2, 1, 4, 3), np.float64)
        b = layouts.values(rng, (5, 3, 2), np.float64)
        ctx.call(SOURCE, "matmul", a, b, out=out)
        t.same("into a sliced output", out, mm(a, b))
        narrow = np.zeros((2, 5, 4, 2), np.float32)
        ctx.call(SOURCE, "matmul", a, b, out=narrow)
        t.same("into a narrower output", narrow, mm(a, b).astype(np.float32))
    return run


ASSOCIATIVE = """
const LOWEST = -inf

@associative(identity=LOWEST)
ufunc larger(a: T, b: T) -> T where T in (f32, f64):
    return max(a, b)

@associative(identity=0)
ufunc divisor(a: T, b: T) -> T where T in (i32, u8, i64):
    return gcd(a, b)

@associative(identity=1)
ufunc times(a, b):
    return a * b

gufunc largest(v: T[n]) -> T where T in (f32, f64):
    return fold(larger, v)

gufunc largest_square(v: T[n]) -> T where T in (f32, f64):
    return fold(larger, x * x for x in v if x < 3)

gufunc divisors(v: T[n]) -> T where T in (i32, u8, i64):
    return fold(divisor, v)

gufunc product(v: [n]):
    return fold(times, v)
"""


def associative(ctx):
    """`fold(f, gen)` begins with the identity of an @associative ufunc."""
    def run(t):
        rng = ctx.rng(6)
        for dtype in (np.float32, np.float64):
            v = rng.normal(0, 4, (5, 9)).astype(dtype)
            t.same(f"largest {np.dtype(dtype)}", ctx.call(
                ASSOCIATIVE, "largest", v), v.max(-1))
            squares = np.where(v < 3, v * v, dtype(-np.inf)).max(-1)
            t.same(f"squares {np.dtype(dtype)}", ctx.call(
                ASSOCIATIVE, "largest_square", v), squares)
            t.same(f"of nothing {np.dtype(dtype)}", ctx.call(
                ASSOCIATIVE, "largest", np.zeros((2, 0), dtype)),
                np.full(2, -np.inf, dtype))
        for dtype in (np.int32, np.uint8, np.int64):
            v = rng.integers(1, 9, (4, 3)).astype(dtype) * dtype(6)
            t.same(f"gcd {np.dtype(dtype)}", ctx.call(
                ASSOCIATIVE, "divisors", v), np.gcd.reduce(v, -1))
        for dtype in (np.float32, np.int64):
            v = rng.integers(1, 5, (4, 3)).astype(dtype)
            t.same(f"product {np.dtype(dtype)}", ctx.call(
                ASSOCIATIVE, "product", v), np.multiply.reduce(v, -1))
        t.check("as a ufunc", ctx.call(ASSOCIATIVE, "larger", 1.0, 2.0) == 2)
    return run


def norms(ctx):
    def run(t):
        rng = ctx.rng(2)
        for dtype in (np.float32, np.float64):
            for shape in [(1,), (5,), (3, 16), (33, 31), (2, 3, 257), (7, 1),
                          (0, 4), (4, 0), (1, 5000), (300, 2), (2, 100000)]:
                v = rng.standard_normal(shape).astype(dtype)
                wide = np.sqrt((v.astype(np.longdouble) ** 2).sum(-1))
                bound = 2 + shape[-1] ** 0.5
                t.same(f"{shape} {np.dtype(dtype)}",
                       ctx.call(SOURCE, "l2_norm", v), wide, ulp=bound,
                       any_type=True)
        v = rng.standard_normal((40, 30, 20)).astype(np.float32)
        for label, view in [
                ("moved axis", np.moveaxis(v, 0, -1)), ("T", v.T),
                ("reversed", v[..., ::-1]), ("stepped", v[:, ::3, ::2]),
                ("broadcast", np.broadcast_to(v[:1], (9, 30, 20))),
                ("one element wide", np.broadcast_to(v[..., :1], v.shape))]:
            wide = np.sqrt((view.astype(np.longdouble) ** 2).sum(-1))
            t.same(label, ctx.call(SOURCE, "l2_norm", view), wide, ulp=8,
                   any_type=True)
    return run


def layout_free(ctx):
    """For a given shape a reduction gives the same bits in any layout."""
    def run(t):
        rng = ctx.rng(3)
        for n in (10, 1000, 4097):
            base = rng.standard_normal((20, n)).astype(np.float32)
            expected = ctx.call(SOURCE, "l2_norm", base)
            spread = np.zeros((20, 2 * n + 1), np.float32)
            spread[:, 1::2] = base
            shifted = np.zeros(20 * n + 1, np.float32)
            shifted[1:] = base.ravel()
            for label, view in [
                    ("Fortran", np.asfortranarray(base)),
                    ("stepped", spread[:, 1::2]),
                    ("reversed twice", base[:, ::-1].copy()[:, ::-1]),
                    ("misaligned", shifted[1:].reshape(20, n))]:
                t.same(f"{n} {label}", ctx.call(SOURCE, "l2_norm", view),
                       expected)
            t.same(f"{n} again", ctx.call(SOURCE, "l2_norm", base), expected)
    return run


def vectors(ctx):
    def run(t):
        rng = ctx.rng(4)
        for layout in layouts.LAYOUTS:
            v = layouts.array(rng, (3, 2, 11), np.int32, layout)
            t.same(f"cumulative {layout}",
                   ctx.call(SOURCE, "cumulative", v),
                   np.cumsum(v, -1, dtype=np.int32))
            lo, hi = ctx.call(SOURCE, "minmax", v)
            t.same(f"min {layout}", lo, v.min(-1))
            t.same(f"max {layout}", hi, v.max(-1))
            t.same(f"sums {layout}", ctx.call(SOURCE, "sums", v),
                   v.sum(-1, dtype=np.int32))
            w = layouts.array(rng, (4,), np.int32, layout)
            expected = np.array([
                [np.convolve(r, w, "valid") for r in p] for p in v], np.int32)
            t.same(f"convolve {layout}",
                   ctx.call(SOURCE, "convolve_valid", v, w), expected)
            t.same(f"outer {layout}", ctx.call(SOURCE, "outer", v, w),
                   v[..., :, None] * w)
            m = layouts.array(rng, (2, 5, 3), np.int32, layout)
            t.same(f"transpose {layout}", ctx.call(SOURCE, "transpose", m),
                   np.swapaxes(m, -1, -2))
            a = layouts.array(rng, (4, 1, 3), np.int32, layout)
            b = layouts.array(rng, (5, 3), np.int32, layout)
            t.same(f"cross {layout}", ctx.call(SOURCE, "cross", a, b),
                   np.cross(a, b))
            s = layouts.array(rng, (4, 4), np.int32, layout)
            t.same(f"trace {layout}", ctx.call(SOURCE, "trace", s),
                   np.asarray(np.trace(s).astype(np.int32)))
            index, best = ctx.call(SOURCE, "first_of", v)
            t.same(f"argmax {layout}", index, v.argmax(-1))
            t.same(f"best {layout}", best, v.max(-1))
    return run


def scalars_among_arrays(ctx):
    def run(t):
        x = np.arange(12.0).reshape(3, 4)
        y = np.ones(4)
        for label, k in [("weak", 2.5), ("typed", np.float64(2.5)),
                         ("0-d", np.array(2.5)),
                         ("loop array", np.array([1.0, 2, 3])),
                         ("column of loops", np.array([[1.0], [2]]))]:
            t.same(label, ctx.call(SOURCE, "axpy", k, x, y),
                   np.asarray(k)[..., None] * x + y)
    return run


def softmax(ctx):
    def run(t):
        rng = ctx.rng(5)
        # Two exponentials of up to 4 ULP each, and a sum of 1025 of them.
        for dtype, rtol in [(np.float32, 4e-6), (np.float64, 1e-14)]:
            for shape in [(1,), (4, 10), (2, 3, 100), (5, 1025)]:
                v = (rng.standard_normal(shape) * 5).astype(dtype)
                w = np.exp(v.astype(np.longdouble)
                           - v.max(-1, keepdims=True))
                w /= w.sum(-1, keepdims=True)
                got = ctx.call(SOURCE, "softmax", v)
                t.check(f"{shape} {np.dtype(dtype)}", got.dtype == dtype
                        and np.allclose(got, w.astype(float), rtol=rtol,
                                        atol=0))
    return run


def lengths(ctx):
    def run(t):
        for shape in [(0,), (1,), (4, 7), (2, 0)]:
            t.same(str(shape), ctx.call(
                SOURCE, "length", np.zeros(shape)),
                np.full(shape[:-1], shape[-1]))
    return run


def of_nothing(ctx):
    def run(t):
        t.same("sum of nothing", ctx.call(SOURCE, "sums", np.zeros((3, 0))),
               np.zeros(3))
        t.same("product over an empty k", ctx.call(
            SOURCE, "matmul", np.zeros((2, 0)), np.zeros((0, 3))),
            np.zeros((2, 3)))
        t.refused("min of nothing", lambda: ctx.call(
            SOURCE, "minmax", np.zeros((3, 0))), kernapi.SHAPE, "minmax", "n")
        t.same("min of nothing, no times", ctx.call(
            SOURCE, "minmax", np.zeros((0, 2)))[0], np.zeros(0))
    return run


def errors(ctx):
    def run(t):
        a, b = np.ones((2, 3)), np.ones((4, 5))
        t.refused("inner dimensions", lambda: ctx.call(
            SOURCE, "matmul", a, b), kernapi.SHAPE, "matmul", "k", "3", "4")
        t.refused("too few dimensions", lambda: ctx.call(
            SOURCE, "matmul", np.ones(3), np.ones((3, 2))), kernapi.SHAPE,
            "matmul", "a")
        t.refused("loop dimensions", lambda: ctx.call(
            SOURCE, "matmul", np.ones((2, 4, 3)), np.ones((5, 3, 2))),
            kernapi.SHAPE, "matmul", "2", "5")
        t.refused("core dimensions do not broadcast", lambda: ctx.call(
            SOURCE, "matmul", np.ones((2, 1)), np.ones((3, 2))),
            kernapi.SHAPE, "k")
        t.refused("constant dimension", lambda: ctx.call(
            SOURCE, "cross", np.ones(2), np.ones(3)), kernapi.SHAPE, "3")
        t.refused("negative result dimension", lambda: ctx.call(
            SOURCE, "convolve_valid", np.ones(2), np.ones(5)),
            kernapi.SHAPE, "n - k + 1")
        t.refused("one dimension, two sizes", lambda: ctx.call(
            SOURCE, "trace", np.ones((2, 3))), kernapi.SHAPE, "n", "2", "3")
        t.refused("output shape", lambda: ctx.call(
            SOURCE, "matmul", a, a.T.copy(), out=np.zeros((2, 3))),
            kernapi.SHAPE, "2, 2", "2, 3")
    return run


def sizes(ctx):
    """Around the places where a kernel's shape changes."""
    def run(t):
        rng = ctx.rng(6)
        for rows in (1, 2, 31, 33, 128, 1000):
            for n in (1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 65, 127, 129, 255,
                      257, 1023, 1025):
                v = rng.integers(-9, 9, (rows, n)).astype(np.int32)
                t.same(f"{rows} of {n}", ctx.call(SOURCE, "sums", v),
                       v.sum(-1, dtype=np.int32))
    return run


def cases(ctx):
    yield "matmul", matmul(ctx)
    yield "associative", associative(ctx)
    yield "l2_norm", norms(ctx)
    yield "the same in any layout", layout_free(ctx)
    yield "vectors", vectors(ctx)
    yield "scalars among arrays", scalars_among_arrays(ctx)
    yield "softmax", softmax(ctx)
    yield "lengths", lengths(ctx)
    yield "of nothing", of_nothing(ctx)
    yield "errors", errors(ctx)
    yield "sizes", sizes(ctx)
