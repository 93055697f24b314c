"""Core dimensions: optional ones, and names that are also operators."""

import itertools

import numpy as np

import kernapi
import layouts

OPTIONAL = """
gufunc matmul(a: T[m?, k], b: T[k, n?]) -> (c: T[m?, n?]) where T in (i32, f64, c128):
    for i, j in prange(m, n):
        c[i, j] = T(sum(a[i, p] * b[p, j] for p in range(k)))

gufunc total(v: T[n?]) -> T where T in (i64, f64):
    return T(sum(v))

gufunc scaled(v: T[n?], k: T) -> (y: T[n?]) where T in (i64, f64):
    for i in range(n):
        y[i] = v[i] * k
"""


def optional_dimensions(ctx):
    """`m?`, as in NumPy's matmul: which operand may lack which dimension, and
    what the result lacks then."""
    def run(t):
        rng = ctx.rng(5)
        t.check("signature", ctx.module(OPTIONAL)["matmul"].signature
                == "(m?,k),(k,n?)->(m?,n?)")
        shapes = [((3,), (3,)), ((3,), (3, 4)), ((2, 3), (3,)),
                  ((2, 3), (3, 4)), ((5, 2, 3), (3,)), ((3,), (5, 3, 4)),
                  ((5, 2, 3), (5, 3, 4)), ((5, 1, 2, 3), (6, 3, 4)), ((0,), (0,)),
                  ((3,), (0, 3, 4)), ((2, 0), (0,)), ((1, 3), (3,))]
        for dtype, (sa, sb) in itertools.product(
                (np.int32, np.float64, np.complex128), shapes):
            a = layouts.values(rng, sa, np.int32).astype(dtype)
            b = layouts.values(rng, sb, np.int32).astype(dtype)
            t.same(f"{sa} @ {sb} {np.dtype(dtype)}",
                   ctx.call(OPTIONAL, "matmul", a, b), np.matmul(a, b))
        for la, lb in itertools.product(layouts.LAYOUTS, repeat=2):
            a = layouts.array(rng, (5, 2, 3), np.float64, la)
            b = layouts.array(rng, (3,), np.float64, lb)
            t.same(f"{la} @ {lb}", ctx.call(OPTIONAL, "matmul", a, b),
                   np.matmul(a, b))
        a = rng.integers(-9, 9, (4, 2, 3)).astype(np.float64)
        b = rng.integers(-9, 9, (3,)).astype(np.float64)
        out = np.zeros((4, 2))
        ctx.call(OPTIONAL, "matmul", a, b, out=out)
        t.same("out", out, np.matmul(a, b))
        narrow = np.zeros((4, 2), np.complex128)[:, ::-1]
        ctx.call(OPTIONAL, "matmul", a, b, out=narrow)
        t.same("a reversed, wider out", narrow, np.matmul(a, b) + 0j)
        axes = [(0, 1), (0,), (0,)]
        t.same("axes", ctx.call(
            OPTIONAL, "matmul", np.ascontiguousarray(a.transpose(1, 2, 0)), b,
            axes=axes), np.matmul(np.ascontiguousarray(
                a.transpose(1, 2, 0)), b, axes=axes))
        for v in (np.int64(7), np.arange(4), np.arange(6).reshape(2, 3)):
            v = np.asarray(v)
            t.same(f"total of {v.shape}", ctx.call(OPTIONAL, "total", v),
                   np.sum(v, -1) if v.ndim else v)
            t.same(f"scaled {v.shape}", ctx.call(OPTIONAL, "scaled", v,
                                                 np.int64(3)), v * 3)
        t.same("a number", ctx.call(OPTIONAL, "total", 2.5), np.float64(2.5))
        t.same("a typed number", ctx.call(OPTIONAL, "scaled", np.float64(2.5),
                                          np.ones((2, 3))), np.full((2, 3), 2.5))
        for name, sa, sb in (("a number has no k", (), (3,)),
                             ("k differs", (2, 3), (4,)),
                             ("k differs, vectors", (3,), (4,))):
            t.refused(name, lambda sa=sa, sb=sb: ctx.call(
                OPTIONAL, "matmul", np.ones(sa), np.ones(sb)),
                kernapi.SHAPE, "matmul")
        t.refused("out has the dimension", lambda: ctx.call(
            OPTIONAL, "matmul", a, b, out=np.zeros((4, 2, 1))), kernapi.SHAPE,
            "has shape (4, 2, 1)", "the result has (4, 2)")
        # Messages have the shapes that were given, not the kernel's.
        t.refused("out is too small", lambda: ctx.call(
            OPTIONAL, "matmul", a, b, out=np.zeros((2, 1))), kernapi.SHAPE,
            "has shape (2, 1)", "the result has (4, 2)")
        t.refused("out is turned", lambda: ctx.call(
            OPTIONAL, "scaled", np.ones((4, 2)), np.float64(2),
            axes=[(0,), (), (0,)], out=np.zeros((2, 4))), kernapi.SHAPE,
            "has shape (2, 4)", "the result has (4, 2)")
    return run

NAMED = """
gufunc joined(a: T[min], b: T[max]) -> (c: T[min + max]) where T in (i32, f64):
    for i in prange(min):
        c[i] = a[i]
    for i in prange(max):
        c[min + i] = b[i]

gufunc padded(a: f64[m?, max], min: dim) -> (c: f64[m?, max + min]):
    for i, j in prange(m, max):
        c[i, j] = a[i, j]
    for i, j in prange(m, min):
        c[i, max + j] = 0

gufunc least(a: f64[max]) -> f64:
    low = min(x for x in a)
    t = zeros(max + 1)
    for i in range(max):
        t[i] = a[i]
    return t[max] + low
"""


def named_as_operators(ctx):
    """Dimensions called `min` and `max` are not the operators of extents."""
    def run(t):
        rng = ctx.rng(7)
        for dtype in (np.int32, np.float64):
            a = rng.integers(-9, 9, (4, 3)).astype(dtype)
            b = rng.integers(-9, 9, (4, 5)).astype(dtype)
            t.same(f"joined {np.dtype(dtype)}", ctx.call(NAMED, "joined", a, b),
                   np.concatenate([a, b], -1))
        a = rng.standard_normal((2, 3, 4))
        for size in (0, 2):
            t.same(f"padded by {size}", ctx.call(NAMED, "padded", a, size),
                   np.pad(a, ((0, 0), (0, 0), (0, size))))
            t.same(f"one padded by {size}",
                   ctx.call(NAMED, "padded", a[0, 0], size),
                   np.pad(a[0, 0], (0, size)))
        v = np.arange(12.0).reshape(3, 4)
        t.same("a local array", ctx.call(NAMED, "least", v), v.min(-1))
        t.refused("the least of nothing", lambda: ctx.call(
            NAMED, "least", v[:, :0]), kernapi.SHAPE, "least", "max")
        t.refused("two sizes of one", lambda: ctx.call(
            NAMED, "joined", a, a, out=np.zeros((2, 3, 9))), kernapi.SHAPE,
            "joined", "9", "8")
    return run


def cases(ctx):
    yield "optional dimensions", optional_dimensions(ctx)
    yield "named as operators", named_as_operators(ctx)
