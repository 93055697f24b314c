"""Arrays that paths make and join, and that loops bind to their names again, against
NumPy: bodies are valid Python, and NumPy runs them."""

import numpy as np

from groups.array_expressions import NAMES, agree as agreed
from kernapi import SHAPE

HEADER = """
def stepped(v, w):
    if w[0] > 2:
        return v - w[0]
    return v * 2

def clamped(x):
    if x > 5:
        return x - 5
    return x

def both(v, w):
    return v + w, v - w

gufunc f(a: {t}[m, n], b: {t}[n], c: {t}[m, 1], s: {t}) -> (y: {t}[m, n], z: {t}[n], r: {t}):
"""

BODIES = [
    ("paths of a def", """
    if s > 0:
        v = stepped(b, b)
    else:
        v = b * 2
    z[:] = v
    if s > 3:
        w = clamped(a + c)
    elif s > -3:
        w = a + (b[0] if c[0, 0] > 0 else b[-1])
    else:
        w = stepped(a, b)
    y[:] = w
    y += stepped(b + 1, v) if s < 2 else b
    r = sum(stepped(v, b) if s > 1 else v)
"""),
    ("paths beside loops", """
    if s > 0:
        t = s - s
        for i in range(len(a)):
            t += a[i, 0]
        v = b + t
    else:
        v = b - 1
    v[0] += 1
    z[:] = v
    y[:] = a
    for i in range(len(a)):
        if a[i, 0] > s:
            row = clamped(a[i]) + v
        else:
            row = v * 2
        y[i] = row
    r = v[0]
"""),
    ("left early", """
    d = b * 1
    for i in range(len(a)):
        e = a[i] + d
        if sum(e) > 20:
            d = e
            break
    z[:] = d
    y[:] = a
    r = d[0]
"""),
    ("bound in a loop", """
    v = b - s
    for i in range(3):
        v = v + a[0]
    z[:] = v
    w = a
    for i in range(len(a)):
        w = w[::-1] - c
        w[0] += 1
    y[:] = w + a
    r = sum(v)
"""),
    ("the value before", """
    x = b
    t = s - s
    for i in range(4):
        old = x
        x = x[::-1] - a[0]
        t += sum(abs(x - old))
    z[:] = x + b
    y[:] = a * 1
    k = 0
    while k < 3:
        last = y[0] * 1
        k += 1
        last = last + b
        if k == 2:
            continue
        y[0] = last
    r = t
"""),
    ("names that follow", """
    x = b + 1
    p = b * 2
    q = p
    for i in range(5):
        q = p
        p = x
        x = p - q + a[0]
        if i == 3 and s > 0:
            break
    z[:] = x + p * 2 - q
    y[:] = a
    y[0] = p
    r = sum(q)
"""),
    ("swapped", """
    p = b * 1
    q = b + 1
    for i in range(len(a)):
        q[:] = p[::-1] + a[i]
        q[0] = i
        p, q = q, p
    z[:] = p
    e = p * 1
    for i in range(5):
        e = q + e[::-1]
        p, q, e = q, e, p
        if s > 4 and i > 2:
            break
    y[:] = a
    y[0] = p - e * 2
    p, q = q, p
    r = sum(p) + p[0] - 3 * q[0]
"""),
    ("swapped sometimes", """
    p = b * 1
    q = b + 1
    for i in range(4):
        if i % 2 == 1 and s > 0:
            p, q = q, p
        p += i
        q = q - p
    z[:] = p
    k = 0
    while k < 5:
        k += 1
        p, q = q, p
        p[0] += k
        if k == 4 and s < 0:
            continue
        q += 1
    y[:] = a
    y[0] = q
    r = sum(p) - q[0]
"""),
    ("nested", """
    v = b * 1
    w = b + s
    for i in range(3):
        for j in range(i + 1):
            v = v[::-1] + w
            v, w = w, v
        u = v
        v = v - u[0]
        w, v = v, w
    z[:] = v - w
    y[:] = a
    for i in range(len(a)):
        t = a[i]
        for k in range(2):
            t = t + t[::-1]
        y[i] = t
    r = v[0]
"""),
    ("several at once", """
    v = b * 1
    w = b + 1
    for i in range(4):
        v, w = both(v, w)
        v = clamped(v)
    z[:] = v
    for i in range(3):
        v, w = w, v + w
    y[:] = a
    y[0] = v
    r = sum(w)
"""),
    ("chosen in a loop", """
    v = b
    for i in range(4):
        v = v + 1 if s > i else v
        w = v
        if sum(w) > 10:
            w = w - a[0]
        v = w
    z[:] = v
    y[:] = a
    r = v[0]
"""),
    ("scanned", """
    if s > 0:
        v = b + 1
    else:
        v = b * 2
    v[:] = cumsum(v[::-1])
    z[:] = v
    y[:] = a
    r = v[0]
"""),
    ("in a prange", """
    y[:] = a
    for i in prange(len(a)):
        t = a[i] * 1
        for k in range(3):
            last = t
            t = t[::-1] + b
            t = t - last
        p = t + 1
        for k in range(3):
            p[0] += k
            p, t = t, p
        y[i] = p - 2 * t
    z[:] = b
    r = s
"""),
]


def stepped(v, w):
    return v - w[0] if w[0] > 2 else v * 2


NAMES.update(cumsum=np.cumsum, clamped=lambda x: np.where(x > 5, x - 5, x),
             both=lambda v, w: (v + w, v - w), prange=range)


def agree(ctx, source, body, dtype, shapes):
    run = agreed(ctx, source, body, dtype, shapes)

    def named(t):
        NAMES["stepped"] = stepped
        run(t)
    return named


EXTENTS = """
gufunc added(a: T[m], b: T[n]) -> (y: T[n]) where T in (f32, i64):
    y[:] = a + b

gufunc shorter(a: f64[m], b: f64[n]) -> (y: f64[n - 1]):
    d = a[1:] * 2
    y[:] = d + b[:-1]

gufunc product(a: f64[m, k], b: f64[j, n]) -> (c: f64[m, n]):
    c[:] = a @ b

gufunc of_three(a: f64[n], b: f64[3]) -> f64:
    return sum(a * b)

gufunc dots(a: f64[n], b: f64[n]) -> (s: f64):
    s = sum(a[i] * b[i] for i in range(n))

gufunc through(x: f64[m], y: f64[k], c: i64) -> (s: f64):
    s = 0
    if c > 0:
        s = dots(x, y)

gufunc either(x: f64[m], y: f64[k], c: i64) -> (z: f64[k]):
    v = x if c > 0 else y
    z[:] = v + 1

gufunc in_turn(x: f64[m], y: f64[k], c: i64) -> (z: f64[k]):
    v = x
    for _ in range(c):
        v = y
    z[:] = v + 1

gufunc by_type(x: T[m], y: T[k]) -> (s: T) where T in (f32, f64):
    s = x[0]
    if T == f32:
        s = sum(x * y)
"""


def extents(ctx):
    """Extents with different names are equal at each call."""
    def run(t):
        rng = ctx.rng(4)

        def refused(name, *arrays):
            t.refused(f"{name} {[np.shape(a) for a in arrays]}",
                      lambda: ctx.call(EXTENTS, name, *arrays), SHAPE, name,
                      "must be equal", *texts)
        for n in (3, 40):
            for loop in ((), (5,)):
                for dtype in (np.float32, np.int64):
                    a, b = (rng.integers(0, 9, loop + (n,)).astype(dtype)
                            for _ in range(2))
                    t.same(f"added {n} {loop}",
                           ctx.call(EXTENTS, "added", a, b), a + b)
                    texts = [f"`m`", "`n`", str(n), str(n - 1)]
                    refused("added", a, b[..., 1:])
                    refused("added", a[..., 1:], b)
        a, b = np.arange(6.), np.arange(6.) + 2
        t.same("shorter", ctx.call(EXTENTS, "shorter", a, b), a[1:] * 2 + b[:-1])
        texts = ["`m - 1`", "`n - 1`", "5", "4"]
        refused("shorter", a, b[1:])
        a, b = rng.integers(0, 5, (4, 7)) * 1., rng.integers(0, 5, (7, 3)) * 1.
        t.same("product", ctx.call(EXTENTS, "product", a, b), a @ b)
        texts = ["`k`", "`j`", "7", "6"]
        refused("product", a, b[1:])
        t.same("of_three", ctx.call(EXTENTS, "of_three", a[0, :3], b[0]),
               a[0, :3] @ b[0])
        texts = ["`n`", "`3`", "7"]
        refused("of_three", a[0], b[0])
        for c in (0, 1):
            t.same(f"through {c}", ctx.call(
                EXTENTS, "through", a[0], b[:, 0], np.int64(c)),
                a[0] @ b[:, 0] * c)
            texts = ["`m`", "`k`", "7", "3"]
            refused("through", a[0], b[0], np.int64(c))
            for name, is_first in (("either", c), ("in_turn", not c)):
                t.same(f"{name} {c}", ctx.call(
                    EXTENTS, name, a[0], b[:, 0], np.int64(c)),
                    (a[0] if is_first else b[:, 0]) + 1)
                refused(name, a[0], b[0], np.int64(c))
        t.same("by_type f64", ctx.call(EXTENTS, "by_type", a[0], b[0]), a[0, 0])
        texts = ["`m`", "`k`", "7", "3"]
        refused("by_type", a[0].astype(np.float32), b[0].astype(np.float32))
    return run


TYPES = """
def lifted(v):
    if v[0] > 2:
        return v * 2
    return v + 1

gufunc halves(a: T[n], s: i64) -> (y: f64[n], k: f64) where T in (i32, f32):
    if T == f32:
        v = a + 0
    elif s > 0:
        v = lifted(a)
    else:
        v = a * 3
    y[:] = v // 2
    k = 0
    for x in v / 2:
        k += x

gufunc scanned(v: f64[n], s: f64) -> (y: f64[n], w: f64[n]):
    f = add if s > 0 else maximum
    y[:] = accumulate(f, (x for x in v))
    g = maximum if s > 0 else after
    w[:] = accumulate(g, v)

def after(a, b):
    return b
"""


def by_types(ctx):
    """Paths that types decide have no part in the type of an array."""
    def run(t):
        for s in (-1, 1):
            for a in (np.int32([1, 2, 5]), np.int32([4, 2, 5])):
                v = a * 3 if s < 0 else a * 2 if a[0] > 2 else a + 1
                y, k = ctx.call(TYPES, "halves", a, np.int64(s))
                t.same(f"i32 {s} {a[0]}", y, (v // 2).astype(float))
                t.same(f"i32 {s} {a[0]}: sum", k, (v / 2).sum())
            a = np.float32([1, 2, 7])
            y, k = ctx.call(TYPES, "halves", a, np.int64(s))
            t.same(f"f32 {s}", y, (a // 2).astype(float))
            t.same(f"f32 {s}: sum", k, float((a / 2).sum()))
        v = np.random.default_rng(3).integers(-9, 9, 300).astype(float)
        for s in (-1., 1.):
            y, w = ctx.call(TYPES, "scanned", v, s)
            add, top = np.cumsum(v), np.maximum.accumulate(v)
            t.same(f"scanned {s}", y, add if s > 0 else top)
            t.same(f"scanned {s}: 2", w, top if s > 0 else v)
    return run


def cases(ctx):
    shapes = [(2, 2), (3, 4), (2, 1), (5, 40), (40, 33)]
    for name, body in BODIES:
        for t, dtype in (("i64", np.int64), ("f64", np.float64)):
            yield f"{name} {t}", agree(
                ctx, HEADER.format(t=t) + body, body, dtype, shapes)
    yield "extents", extents(ctx)
    yield "types", by_types(ctx)
