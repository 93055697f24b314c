"""What a body may do beyond arithmetic: call ufuncs and gufuncs, have local
arrays, fold, add to shared elements, use modules. Against NumPy."""

import numpy as np

from kernapi import COMPILE, SHAPE

SIZES = (0, 1, 2, 3, 7, 32, 33, 100, 1000, 4097)

CALLS = """
from linalg import norm, vecdot
from math import sqrt as root

ufunc square(x: T) -> T where T in (f32, f64):
    if T == f64:
        return x * x
    return T(x * x)

ufunc increment(x: f64) -> f64:
    return x + 1

ufunc both(x: T) -> T where T in (f32, f64):
    return square(x) + square(2)

ufunc widened(x: f32) -> f64:
    return increment(x)

ufunc divided(x: T, y: T) -> (q: T, r: T) where T in integers:
    q = x // y
    r = x % y

ufunc recomposed(x: i16, y: i16) -> i64:
    q, r = divided(x, y)
    return i64(q) * y + r

gufunc moments(v: T[n]) -> (s: T, k: i64) where T in (f32, f64):
    s = sum(x * x for x in v)
    k = n

gufunc parts(v: f32[n], w: f64[n]) -> (r: f64, s: f64, k: i64):
    a, b = moments(v)
    c, d = moments(w[1:])
    return a + c, vecdot(w, v), b + d

gufunc rows(a: f32[m, n]) -> (r: f32[m]):
    for i in prange(m):
        r[i] = norm(a[i])

gufunc columns(a: f64[m, n]) -> (r: f64[n]):
    for j in prange(n):
        r[j] = root(vecdot(a[:, j], a[:, j]))

gufunc halves(inout v: f64[n]) -> i64:
    for i in prange(n):
        v[i] = v[i] / 2
    return n

gufunc quarters(inout v: f64[n]) -> i64:
    return halves(v) + halves(v)

gufunc scaled(inout v: f32[n], k: f32):
    for i in prange(n):
        v[i] = v[i] * k
"""


def calls(ctx):
    def run(t):
        rng = ctx.rng(11)
        f = ctx.callable(CALLS, "both")
        for dtype in (np.float32, np.float64):
            x = rng.random(50).astype(dtype)
            t.same(f"ufunc of {np.dtype(dtype)}", f(x),
                   x * x + dtype(4), ulp=1)
        x = rng.random(50).astype(np.float32)
        t.same("widened", ctx.call(CALLS, "widened", x),
               x.astype(np.float64) + 1)
        a = rng.integers(-300, 300, 200).astype(np.int16)
        b = rng.integers(1, 50, 200).astype(np.int16)
        t.same("two results", ctx.call(CALLS, "recomposed", a, b),
               a.astype(np.int64))
        for n in SIZES[1:]:
            v = rng.integers(0, 9, (3, n)).astype(np.float32)
            w = rng.integers(0, 9, (3, n)).astype(np.float64)
            r, s, k = ctx.call(CALLS, "parts", v, w)
            t.same(f"r {n}", r, (v * v).sum(-1, dtype=np.float64)
                   + (w[:, 1:] ** 2).sum(-1))
            t.same(f"s {n}", s, (v * w).sum(-1))
            t.same(f"k {n}", k, np.full(3, 2 * n - 1))
        a = rng.random((5, 40, 6)).astype(np.float32)
        for layout in (slice(None), slice(None, None, -2)):
            v = rng.random((3, 20))
            given = v.copy()[:, layout]
            module = ctx.module(CALLS)
            k = module["quarters"](given, device=ctx.dl_device)
            t.same("inout through a call", given, v[:, layout] / 4)
            t.same("its result", k, np.full(3, 2 * given.shape[1]))
            w = v.astype(np.float32)
            module["scaled"](w, np.float32(3), device=ctx.dl_device)
            t.same("inout without a result", w,
                   v.astype(np.float32) * np.float32(3))
        t.same("rows", ctx.call(CALLS, "rows", a),
               np.sqrt((a.astype(np.float64) ** 2).sum(-1)).astype("f4"),
               ulp=8)
        b = rng.random((5, 40, 6))
        t.same("columns", ctx.call(CALLS, "columns", b),
               np.sqrt((b ** 2).sum(-2)), ulp=64)
    return run


LOCALS = """
ufunc horner(x: T) -> T where T in (f32, f64):
    c = zeros(4, T)
    for i in range(4):
        c[i] = i + 1
    r = T(0)
    for k in reversed(c):
        r = r * x + k
    return r

gufunc mirrored(v: T[n]) -> (y: T[n]) where T in (i8, f64):
    t = empty(n, T)
    for i in prange(n):
        t[i] = v[n - 1 - i]
    for i in prange(n):
        y[i] = t[i] + t[n - 1 - i]

gufunc commonest(v: i64[n]) -> i64:
    h = zeros(1000, i32)
    for i in prange(n):
        h[v[i]] += 1
    return argmax(h)

gufunc sorted_rows(a: f32[m, n]) -> (r: f32[m, n]):
    for i in prange(m):
        t = zeros(n, f32)
        for j in range(n):
            p = j
            while p > 0 and t[p - 1] > a[i, j]:
                t[p] = t[p - 1]
                p = p - 1
            t[p] = a[i, j]
        for j in range(n):
            r[i, j] = t[j]

gufunc table(v: f64[n], k: dim) -> (y: f64[n]):
    t = zeros((k, n), f64)
    for i, j in prange(k, n):
        t[i, j] = v[j] * i
    for j in prange(n):
        y[j] = sum(t[i, j] for i in range(k))

gufunc rounds(v: i64[n], k: dim) -> i64:
    total = 0
    for r in range(k):
        t = zeros(n, i64)
        for i in prange(n):
            t[(i + r) % n] += v[i]
        total += t[0]
    return total

def third(t):
    return t[2]

def filled(x):
    t = zeros(3, f64)
    t[2] = x
    return t

gufunc of_defs(v: f64[n]) -> f64:
    return sum(third(filled(x)) for x in v)
"""


def locals_(ctx):
    def run(t):
        rng = ctx.rng(12)
        for dtype in (np.float32, np.float64):
            x = rng.integers(-4, 5, 77).astype(dtype)
            t.same(f"horner {np.dtype(dtype)}", ctx.call(LOCALS, "horner", x),
                   ((4 * x + 3) * x + 2) * x + 1)
        for n in SIZES:
            v = rng.integers(-60, 60, (3, n))
            for dtype in (np.int8, np.float64):
                a = v.astype(dtype)
                t.same(f"mirrored {n}", ctx.call(LOCALS, "mirrored", a),
                       (a + a[:, ::-1]).astype(dtype))
            t.same(f"of_defs {n}", ctx.call(LOCALS, "of_defs",
                                            v.astype(np.float64)),
                   v.sum(-1).astype(np.float64))
            if n:
                h = rng.integers(0, 1000, (3, n))
                t.same(f"commonest {n}", ctx.call(LOCALS, "commonest", h),
                       np.array([np.bincount(r).argmax() for r in h]))
                w = v.astype(np.float64)
                t.same(f"table {n}", ctx.call(LOCALS, "table", w, 5), w * 10)
                t.same(f"rounds {n}", ctx.call(LOCALS, "rounds", v, 3),
                       v[:, 0] + v[:, -1 % n] + v[:, -2 % n])
        for m, n in ((1, 1), (3, 17), (100, 40)):
            a = rng.random((4, m, n)).astype(np.float32)
            t.same(f"sorted {m} {n}", ctx.call(LOCALS, "sorted_rows", a),
                   np.sort(a, -1))
        many = rng.integers(0, 1000, (20000, 3))
        t.same("many elements", ctx.call(LOCALS, "commonest", many),
               np.array([np.bincount(r).argmax() for r in many]))
    return run


POSITIONS = """
gufunc largest(a: [k, m, n]) -> i64:
    return argmax(a)

gufunc smallest_inside(a: [k, m, n]) -> i64:
    return argmin(a[1:, 0, :n - 1])
"""


def positions(ctx):
    """Of arrays of several dimensions, counted through all of them."""
    def run(t):
        rng = ctx.rng(14)
        for shape in ((1, 1, 2), (3, 5, 7), (9, 33, 20), (2, 3, 65), (5, 40, 40)):
            a = rng.integers(-9, 10, (4, *shape)).astype(np.float32)
            for what, b in (("plain", a), ("turned", a.transpose(0, 3, 1, 2)),
                            ("nan", np.where(a == 3, np.nan, a))):
                t.same(f"largest {what} {shape}",
                       ctx.call(POSITIONS, "largest", b),
                       b.reshape(4, -1).argmax(-1))
            if shape[0] > 1:
                t.same(f"smallest inside {shape}",
                       ctx.call(POSITIONS, "smallest_inside", a),
                       a[:, 1:, 0, :-1].reshape(4, -1).argmin(-1))
        t.refused("largest of nothing", lambda: ctx.call(
            POSITIONS, "largest", np.zeros((2, 0, 3))), SHAPE, "largest")
    return run


FOLDS = """
def after(f, g):
    a, b = f
    c, d = g
    return a * c, a * d + b

def minus(a, b):
    return a - b

gufunc composed(a: i64[n], b: i64[n]) -> (p: i64, q: i64):
    return fold(after, (1, 0), (x, y) for x, y in zip(a, b))

gufunc subtracted(v: T[n]) -> T where T in (i32, f64):
    return fold(minus, T(100), x for x in v if x > 1)

gufunc largest(a: f64[m, n]) -> f64:
    return fold(maximum, -inf, a[i, j] for i in range(m) for j in range(n))

gufunc of_array(v: i64[n]) -> i64:
    return fold(minus, 7, v)

gufunc each_row(a: i64[m, n]) -> (r: i64[m]):
    for i in prange(m):
        r[i] = fold(minus, i, x for x in a[i])
"""


def folds(ctx):
    def run(t):
        rng = ctx.rng(13)
        for n in SIZES:
            a, b = rng.integers(-3, 4, (2, 3, n))
            p, q = np.ones(3, np.int64), np.zeros(3, np.int64)
            with np.errstate(over="ignore"):
                for i in range(n):
                    p, q = p * a[:, i], p * b[:, i] + q
            got = ctx.call(FOLDS, "composed", a, b)
            t.same(f"composed {n} p", got[0], p)
            t.same(f"composed {n} q", got[1], q)
            for dtype in (np.int32, np.float64):
                v = a.astype(dtype)
                t.same(f"subtracted {n}", ctx.call(FOLDS, "subtracted", v),
                       (100 - np.where(v > 1, v, 0).sum(-1)).astype(dtype))
            t.same(f"array {n}", ctx.call(FOLDS, "of_array", a), 7 - a.sum(-1))
        c = rng.random((4, 5, 6))
        t.same("largest", ctx.call(FOLDS, "largest", c), c.max((-1, -2)))
        d = rng.integers(-9, 9, (4, 5, 6))
        t.same("rows", ctx.call(FOLDS, "each_row", d),
               np.arange(5) - d.sum(-1))
    return run


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
        # Of random floats the order shows: it is the same every time.
        v = rng.integers(0, 3, 10000)
        w = rng.random(10000).astype(np.float32)
        first = ctx.call(SUMS, "weighted", v, w, 3)
        for turn in range(5):
            t.same(f"again {turn}", ctx.call(SUMS, "weighted", v, w, 3), first)
    return run


def modules(ctx):
    def run(t):
        folder = ctx.scratch / "modules"
        folder.mkdir()
        (folder / "shapes.kern").write_text(
            "import units\n"
            "const SIDES = units.TWO * 2\n"
            "def half(x):\n    return x / units.TWO\n"
            "ufunc area(r: T) -> T where T in (f32, f64):\n"
            "    return pi * half(r) ** 2\n")
        (folder / "units.kern").write_text("const TWO = 2\n")
        main = folder / "main.kern"
        main.write_text(
            "import shapes\n"
            "import numpy as np\n"
            "from shapes import half as halve, SIDES\n"
            "const TWO = 20\n"
            "ufunc f(x: T) -> T where T in (f32, f64):\n"
            "    return shapes.area(x) + halve(x) + SIDES + TWO + np.floor(x)\n")
        f = ctx.lib.compile_file(str(main))["f"]
        for dtype in (np.float32, np.float64):
            x = (ctx.rng(15).random(20) * 9).astype(dtype)
            got = f(x, place=ctx.place, device=ctx.dl_device)
            want = (dtype(np.pi) * (x / dtype(2)) ** 2 + x / dtype(2)
                    + dtype(4) + dtype(20) + np.floor(x))
            t.same(f"modules {np.dtype(dtype)}", got, want, ulp=4)
        t.refused("a text has no folder", lambda: ctx.lib.compile(
            "import shapes\nufunc f(x):\n    return x\n", "<source>"),
            COMPILE, "K0212", "shapes")
    return run


def cases(ctx):
    yield "calls of ufuncs and gufuncs", calls(ctx)
    yield "local arrays", locals_(ctx)
    yield "positions", positions(ctx)
    yield "folds", folds(ctx)
    yield "shared sums", sums(ctx)
    yield "modules", modules(ctx)
