"""Gufuncs along axis 0, the middle axis and the like, where loop elements lie side by
side: on the CPU the form across reads them row by row. Results have the bits of
contiguous arrays, whatever the width of a vector, and nothing else is written."""

import os

import numpy as np

from groups.across import spread
from kernapi import Prepared, Tensor
from suite import Skip

SOURCE = """
def square(x):
    return x * x

gufunc total(v: T[n]) -> T where T in (i8, u8, i32, i64, f16, f32, f64, c64):
    return sum(v)

gufunc product(v: T[n]) -> T where T in (i8, i64, f32, f64):
    return prod(v)

gufunc norm(v: T[n]) -> T where T in (f16, f32, f64):
    return sqrt(sum(x * x for x in v))

gufunc variance(v: T[n]) -> T where T in (f32, f64):
    m = sum(v) / n
    return sum((x - m) ** 2 for x in v) / n

gufunc moments(v: T[n]) -> (a: T, b: T, c: i64) where T in (f16, f32, f64):
    a = sum(v)
    b = sum(x * x for x in v)
    c = sum(1 for x in v if x > 0)

gufunc powers(v: T[n]) -> T where T in (f32, f64):
    return sum(square(x) * square(x) for x in v) + sum(square(x) for x in v)

gufunc largest(v: T[n]) -> T where T in (i8, u8, i32, i64, f16, f32, f64):
    return max(v)

gufunc place(v: T[n]) -> i64 where T in (i8, u8, i32, i64, f16, f32, f64):
    return argmax(v)

gufunc some(v: T[n]) -> bool where T in (i8, u8, f32, f64):
    return any(x > 2 for x in v)

gufunc each(v: bool[n]) -> bool:
    return all(v)

gufunc positive(v: T[n]) -> T where T in (f32, f64):
    return sum(x * x for x in v if x > 0)

gufunc chosen(v: T[n], k: T) -> T where T in (f32, f64):
    return sum(x * k if x > k else x * x for x in v)

gufunc dot(v: T[n], w: T[n]) -> T where T in (f32, f64):
    return sum(v[i] * w[i] for i in range(n))

gufunc log_sum(v: T[n]) -> T where T in (f32, f64):
    m = max(v)
    return m + log(sum(exp(x - m) for x in v))

gufunc difference(v: T[n]) -> T where T in (f32, f64):
    return sum(x * x + x * 2 - x * x * 0.5 for x in v) + sum(x * x - 2 * x for x in v)

gufunc gammas(v: T[n]) -> T where T in (f32, f64):
    return sum(gamma(x) + erfc(x) for x in v)

gufunc decaying(v: T[n]) -> T where T in (f32, f64):
    s = v[0]
    for i in range(n):
        if v[i] > 0:
            s = s * 0.5 + log(v[i])
    return s

gufunc wide(v: f32[n], k: f64) -> f64:
    return sum(exp(x) * k for x in v)

gufunc running(v: T[n]) -> T[n] where T in (u8, i32, f32, f64):
    return cumsum(v)

gufunc softmax(v: T[n]) -> T[n] where T in (f32, f64):
    e = exp(v - max(v))
    return e / sum(e)

gufunc normed(v: T[n], k: T) -> T[n] where T in (f32, f64):
    m = sum(v) / n
    return (v - m) / sqrt(sum((x - m) ** 2 for x in v) / n + abs(k))

gufunc smoothed(v: T[n], k: T) -> (y: T[n], last: T) where T in (f32, f64):
    last = v[0]
    for i in range(n):
        last = last * k + v[i] * v[i]
        if last > 100:
            last = last / 2
        y[i] = last

gufunc between(v: T[n]) -> T where T in (f32, f64):
    return sum(v) + sum(x * x for x in v) * prod(v)

gufunc beyond(v: T[n], k: T) -> T where T in (f32, f64):
    return k + prod(x * k for x in v)

@fastmath
gufunc loose(v: T[n], k: T) -> T where T in (f32, f64):
    s = v[0]
    for i in range(1, n):
        if v[i] > k:
            s = ((v[i] * k + v[i]) - -v[i])
    return s

gufunc unless_few(v: T[n]) -> T where T in (f32, f64):
    s = sum(v)
    if n < 16:
        s = v[0]
    return s

gufunc turned(v: T[n]) -> T[n] where T in (u8, f32, f64):
    return v[::-1]

def lesser(a, b):
    if a > b:
        return a - b
    return b * a

gufunc forked(v: T[n]) -> (y: T[n]) where T in (f32, f64):
    for i in range(n):
        y[i] = v[i] - lesser(v[i], v[i])

gufunc moved(v: T[n], k: T) -> T where T in (f32, f64):
    return sum(x * k - v[0] * k for x in v)

gufunc steady(v: T[n]) -> T where T in (f32, f64):
    return sum(v[0] * v[0] if x > 0 else -0.0 for x in v)

gufunc until(v: T[n]) -> i64 where T in (f32, f64):
    i = 0
    while i < n and v[i] < 1:
        i += 1
    return i
"""
FLOATS = (np.float32, np.float64)
MORE_FLOATS = (np.float16, *FLOATS)
NUMBERS = (np.int8, np.uint8, np.int32, np.int64, *MORE_FLOATS)
# Types, and NumPy's function along axis 0 where it gives the same.
FUNCTIONS = {
    "total": ((np.int8, np.uint8, np.int32, np.int64, *MORE_FLOATS, np.complex64),
              lambda v: v.sum(0, v.dtype) if v.dtype.kind in "iu" else None),
    "product": ((np.int8, np.int64, *FLOATS),
                lambda v: v.prod(0, v.dtype) if v.dtype.kind == "i" else None),
    "norm": (MORE_FLOATS, None), "variance": (FLOATS, None),
    "moments": (MORE_FLOATS, None), "powers": (FLOATS, None),
    "largest": (NUMBERS, lambda v: v.max(0)),
    "place": (NUMBERS, lambda v: v.argmax(0)),
    "some": ((np.int8, np.uint8, *FLOATS), lambda v: (v > 2).any(0)),
    "each": ((np.bool_,), lambda v: v.all(0)),
    "positive": (FLOATS, None), "chosen": (FLOATS, None), "dot": (FLOATS, None),
    "difference": (FLOATS, None), "gammas": (FLOATS, None),
    "decaying": (FLOATS, None), "log_sum": (FLOATS, None), "wide": ((np.float32,), None),
    "running": ((np.uint8, np.int32, *FLOATS), lambda v: v.cumsum(0, v.dtype)),
    "softmax": (FLOATS, None), "normed": (FLOATS, None),
    "smoothed": (FLOATS, None), "between": (FLOATS, None), "beyond": (FLOATS, None),
    "loose": (FLOATS, None),
    "unless_few": (FLOATS, None), "turned": ((np.uint8, *FLOATS), lambda v: v[::-1]),
    "forked": (FLOATS, None), "moved": (FLOATS, None), "steady": (FLOATS, None),
    "until": (FLOATS, lambda v: np.where((v >= 1).any(0), (v >= 1).argmax(0),
                                         len(v)) if not np.isnan(v).any() else None),
}
# Complex numbers have no such form, and no sums of functions with branches. LLVM rewrites
# what is @fastmath.
GENERAL = {("total", np.complex64), ("gammas", np.float32), ("gammas", np.float64),
           ("loose", np.float32), ("loose", np.float64)}
ROWS = (2, 6, 15, 16, 17, 24, 31, 32, 33, 127, 1000, 1025)
COLUMNS = (64, 65, 79, 100, 129, 200, 257)
FEW_COLUMNS = (1, 7, 8, 9, 15, 16, 17, 33)


def sample(rng, dtype, shape):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) < 0.99
    if kind in "iu":
        return rng.integers(0, 100, shape).astype(dtype)
    values = rng.standard_normal(shape)
    if dtype != np.float16:
        values *= np.exp(rng.standard_normal(shape))
    values = values.astype(dtype)
    if len(shape) == 2 and shape[0] == 17 and kind == "f":
        values[3, ::2] = np.nan
        values[5, 1::3] = np.inf
        values[7:9, ::5] = -0.0
    return values


def others_of(rng, name, v):
    """What a function takes beside `v`, by columns or one for all of them."""
    if name == "dot":
        yield "columns", [sample(rng, v.dtype, v.shape).T]
        yield "a row for all", [sample(rng, v.dtype, v.shape[:1])]
    elif name in ("chosen", "normed", "smoothed", "wide", "beyond",
                  "loose", "moved"):
        dtype = np.float64 if name == "wide" else v.dtype
        k = rng.random((v.shape[1], 2)).astype(dtype)
        yield "each its own", [k[:, 0]]
        yield "one for all", [dtype.type(0.5) if name != "wide" else 0.5]
    else:
        yield "", []


def listed(results):
    return results if isinstance(results, tuple) else (results,)


def agree(ctx, t, name, dtype, shapes, text=SOURCE):
    types, numpy = FUNCTIONS[name]
    rng = ctx.rng(sum(map(ord, name)))
    for shape in shapes:
        v = sample(rng, dtype, shape)
        expected = numpy(v) if numpy else None
        for label, others in others_of(rng, name, v):
            title = f"{name} {np.dtype(dtype)} {shape} {label}"
            dense = listed(ctx.call(
                text, name, v.T.copy(), *(o.copy() if o.ndim == 2 else o
                                          for o in map(np.asarray, others))))
            outs, around = [], []
            for result in dense:
                whole = np.full((*result.shape[1:], result.shape[0] + 5), 77,
                                result.dtype)
                around.append(whole)
                outs.append(np.moveaxis(whole[..., 2:-3], -1, 0))
            ctx.call(text, name, v.T, *others, out=tuple(outs))
            # Such as Kern makes itself: each loop element is dense.
            made = listed(ctx.call(text, name, v.T, *others))
            for result, own in zip(dense, made):
                t.same(f"{title}, a new result", own, result)
            for out, result, whole in zip(outs, dense, around):
                t.same(title, out, result)
                edge = np.concatenate([whole[..., :2], whole[..., -3:]], -1)
                t.same(f"beside {title}", edge, np.full_like(edge, 77))
            # A GPU adds running sums in another order than NumPy.
            if expected is not None and (ctx.device == "cpu" or name != "running"):
                t.same(f"{title}, NumPy", outs[0],
                       np.moveaxis(expected, -1, 0).astype(outs[0].dtype))


def function(ctx, name):
    def run(t):
        for dtype in FUNCTIONS[name][0]:
            agree(ctx, t, name, dtype, [(n, c) for n in ROWS for c in COLUMNS])
            agree(ctx, t, name, dtype, [(33, c) for c in FEW_COLUMNS])
            agree(ctx, t, name, dtype, [(20000, c) for c in (2, 3, 7)])
    return run


def forms(ctx):
    """Else everything else would compare the general form with itself."""
    def run(t):
        if ctx.device != "cpu":
            raise Skip("a form of the CPU")
        rng = ctx.rng(1)
        for name, (types, _) in FUNCTIONS.items():
            for dtype in types:
                v = sample(rng, dtype, (40, 300))
                _, others = next(others_of(rng, name, v))
                dense = listed(ctx.call(SOURCE, name, v.T, *others))
                outs = [np.moveaxis(np.zeros((*r.shape[1:], r.shape[0]), r.dtype),
                                    -1, 0) for r in dense]
                call = Prepared(ctx.module(SOURCE)[name],
                                [Tensor.of(x) if isinstance(x, np.ndarray) else x
                                 for x in (v.T, *others)], list(map(Tensor.of, outs)))
                wanted = "general" if (name, dtype) in GENERAL else "across"
                t.check(f"{name} {np.dtype(dtype)}",
                        call.told().form.decode() == wanted,
                        call.told().form.decode())
        # Rows of less than a vector, of elements of 4 or 8 bytes.
        for shape, wanted in (((40, 9), "across"), ((40, 7), "general"),
                              ((20000, 3), "across"), ((20000, 1), "general")):
            for dtype in FLOATS:
                v = sample(rng, dtype, shape)
                call = Prepared(ctx.module(SOURCE)["norm"], [Tensor.of(v.T)],
                                [Tensor.of(np.zeros(shape[1], dtype))])
                t.check(f"norm {np.dtype(dtype)} {shape}",
                        call.told().form.decode() == wanted,
                        call.told().form.decode())
    return run


def widths(ctx):
    """Every width of a vector gives the same bits."""
    def run(t):
        if ctx.device != "cpu":
            raise Skip("vectors of the CPU")
        before = os.environ.get("KERN_LANES")
        try:
            for lanes in (1, 2, 4, 32):
                os.environ["KERN_LANES"] = str(lanes)
                text = SOURCE + f"\n# {lanes}\n"
                for name, (types, _) in FUNCTIONS.items():
                    agree(ctx, t, name, types[-1],
                          [(n, c) for n in (17, 33, 100) for c in (33, 300)],
                          text)
        finally:
            if before is None:
                del os.environ["KERN_LANES"]
            else:
                os.environ["KERN_LANES"] = before
    return run


def panels(ctx):
    """Sums by panels: all partial sums at a time, some of them, few rows."""
    def run(t):
        for name in ("total", "product", "norm", "dot", "chosen", "positive", "beyond"):
            for dtype in FLOATS:
                agree(ctx, t, name, dtype, [
                    (300, 2500), (257, 6001), (130, 17001), (63, 3000), (65, 1801),
                    (16, 40001), (5, 70000), (1, 3000), (33, 25000)])
    return run


SOME = """
gufunc evens(v: T[n]) -> (y: T[n]) where T in (u8, f32):
    for i in range(0, n, 2):
        y[i] = v[i] + v[n - 1 - i]

gufunc products(v: f32[n], w: f32[m]) -> (y: f32[n, m], z: f32[n]):
    y[:, :] = outer(v, w)
    z[:] = cumsum(v)
"""


def dense(ctx):
    """Results with dense loop elements: what is not written stays, in them and
    between them."""
    def run(t):
        rng = ctx.rng(3)
        for dtype in (np.uint8, np.float32):
            for n in (2, 17, 100, 1000):
                for count in (8, 16, 17, 40, 300):
                    v = rng.integers(0, 100, (n, count)).astype(dtype)
                    whole = np.full((count, n + 3), 77, dtype)
                    expected = whole.copy()
                    expected[:, 1:-2:2] = (v + v[::-1])[::2].T
                    ctx.call(SOME, "evens", v.T, out=whole[:, 1:-2])
                    t.same(f"evens {np.dtype(dtype)} {n} {count}", whole, expected)
        for n, m, count in ((2, 3, 40), (33, 5, 100), (40, 40, 17)):
            v = rng.standard_normal((n, count)).astype(np.float32)
            w = rng.standard_normal((m, count)).astype(np.float32)
            y, z = ctx.call(SOME, "products", v.T, w.T)
            t.same(f"products {n} {m} {count}", y, v.T[:, :, None] * w.T[:, None])
            # A GPU adds in another order than NumPy.
            running = (np.cumsum(v.T, 1, v.dtype) if ctx.device == "cpu" else
                       ctx.call(SOME, "products", v.T.copy(), w.T.copy())[1])
            t.same("beside it", z, running)
            z = np.zeros((n, count), np.float32)
            ctx.call(SOME, "products", v.T, w.T, out=(y, z.T))
            t.same("one of each", z, running.T)
    return run


def axes(ctx):
    """The middle axis, blocks of larger arrays, several threads."""
    def run(t):
        rng = ctx.rng(2)
        v = rng.standard_normal((6, 500, 200)).astype(np.float32)
        for name, view in (("the middle axis", v.transpose(0, 2, 1)),
                           ("the first axis", v.transpose(1, 2, 0)),
                           ("a part", v[:, 3:400, 7:190].transpose(0, 2, 1)),
                           ("every other row", v[:, ::2].transpose(0, 2, 1)),
                           ("backwards", v[:, ::-1].transpose(0, 2, 1))):
            for function in ("norm", "softmax", "place"):
                t.same(f"{function} {name}", ctx.call(SOURCE, function, view),
                       ctx.call(SOURCE, function, view.copy()))
        for shape in ((3000, 1000), (70, 50001), (50000, 40)):
            v = rng.standard_normal(shape).astype(np.float32)
            for function in ("norm", "variance", "place"):
                t.same(f"{function} {shape}", ctx.call(SOURCE, function, v.T),
                       ctx.call(SOURCE, function, v.T.copy()))
        v = rng.standard_normal((100, 300)).astype(np.float32)
        expected = ctx.call(SOURCE, "softmax", v.T.copy())
        out = v.copy()
        ctx.call(SOURCE, "softmax", out.T, out=out.T)
        t.same("in place", out.T, expected)
        t.same("another order",
               ctx.call(SOURCE, "norm", spread(v.T, 1)),
               ctx.call(SOURCE, "norm", v.T.copy()))
    return run


def cases(ctx):
    yield "forms", forms(ctx)
    yield "widths", widths(ctx)
    yield "panels", panels(ctx)
    yield "axes", axes(ctx)
    yield "dense results", dense(ctx)
    for name in FUNCTIONS:
        yield name, function(ctx, name)
