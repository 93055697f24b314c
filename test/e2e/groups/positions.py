"""`argmin`, `argmax` and `mean` of generators with several `for`s and `if`s.

Each expression is written once in Kern and once in Python, which evaluates it over
the same arrays: the list of the `for`s' elements, in order, each with whether the
`if`s keep it.
"""

import itertools

import numpy as np

import kernapi

SOURCE = """
gufunc kept(v: T[n]) -> (lo: i64, hi: i64) where T in (bool, i8, i64, u64, f16, bf16, f32, f64, c64, c128):
    lo = argmin(x for x in v if x != 1)
    hi = argmax(x for x in v if x != 1)

gufunc every_second(v: T[n]) -> i64 where T in (i32, f32):
    return argmax(v[i] for i in range(n - 1, 0, -2) if v[i] < 3)

gufunc grid(a: T[m, n]) -> (lo: i64, hi: i64) where T in (u8, i32, f32, f64, c64):
    lo = argmin(a[i, j] for i in range(m) for j in range(n))
    hi = argmax(x for row in a for x in row)

gufunc grid_if(a: T[m, n]) -> (lo: i64, hi: i64) where T in (u8, i32, f32, f64, c64):
    lo = argmin(a[i, j] for i in range(m) for j in range(n) if a[i, j] != 2)
    hi = argmax(x for row in a if row[0] != 1 for x in row if x != 3)

gufunc triangle(a: T[m, n]) -> (lo: i64, hi: i64) where T in (i32, f64):
    lo = argmin(a[i, j] for i in range(m) for j in range(min(i, n)))
    hi = argmax(a[i, j] for i in range(m) for j in range(i % 3, n) if a[i, j] != 3)

gufunc cube(a: T[l, m, n]) -> (lo: i64, hi: i64) where T in (i16, f32):
    lo = argmin(a[i, j, k] for i in range(l) if i % 2 == 0 for j in range(1, m, 2) for k in reversed(range(n)) if a[i, j, k] != 0)
    hi = argmax(a[i, j, k] for i in range(l - 1, -1, -1) for j in range(min(i, m)) for k in range(min(j + 1, n)) if a[i, j, k] != 3)

gufunc mixed(a: T[l, m, n]) -> i64 where T in (i16, f32):
    return argmax(a[i, j, k] for i in range(l) for j in range(m) if a[i, j, 0] != 2 for k in range(n))

gufunc late(a: T[l, m, n]) -> i64 where T in (i16, f32):
    return argmin(a[i, j, k] for i in range(min(l, 3)) for j in range(m) for k in range(min(j, n)))

gufunc weighted(v: f32[n], w: f32[k]) -> f32:
    p = argmax(x * (i + 1) * y for i, x in enumerate(v) for y in w if y > 0)
    return -1 if p < 0 else v[p // k] * w[p % k]

gufunc in_rows(a: T[m, n], b: T[n, k]) -> (y: i64[m]) where T in (i32, f32):
    for i in prange(m):
        y[i] = argmax(a[i, j] * b[j, p] for j in range(n) for p in range(k) if b[j, p] != 1)

gufunc mean_if(v: T[n]) -> f64 where T in (u8, i64, f16, f32, f64):
    return mean(x for x in v if x > 1)

gufunc mean_all(a: T[m, n]) -> f64 where T in (i32, f32):
    return mean(a[i, j] for i in range(m) for j in range(n))

gufunc mean_some(a: T[m, n]) -> f64 where T in (i32, f32):
    return mean(a[i, j] for i in range(m) if i != 1 for j in range(min(i, n)) if a[i, j] > 0)

gufunc mean_complex(a: c128[n]) -> c128:
    return mean(z for z in a if real(z) > 0)

gufunc of_nothing(a: f64[m, n]) -> (x: f64, s: f64):
    x = max(a[i, j] for i in range(m) for j in range(n))
    s = sum(min(row) for row in a)
"""


def key(x):
    """NaN is an extremum of any others, and complex numbers are ordered by their
    parts."""
    return (x.real, x.imag) if np.iscomplexobj(x) else x


def position(turns, largest):
    """Of (value, whether it is kept): the first extremum, NaN first."""
    kept = [i for i, (_, keep) in enumerate(turns) if keep]
    for i in kept:
        if np.isnan(turns[i][0]):
            return i
    if not kept:
        return -1
    best = kept[0]
    for i in kept:
        x, y = key(turns[i][0]), key(turns[best][0])
        if x > y if largest else x < y:
            best = i
    return best


def both(low, high):
    return [np.int64(position(low, False)), np.int64(position(high, True))]


def kept(v):
    turns = [(x, x != 1) for x in v]
    return both(turns, turns)


def every_second(v):
    return [np.int64(position(
        [(v[i], v[i] < 3) for i in range(len(v) - 1, 0, -2)], True))]


def grid(a):
    turns = [(x, True) for row in a for x in row]
    return both(turns, turns)


def grid_if(a):
    return both([(x, x != 2) for row in a for x in row],
                [(x, row[0] != 1 and x != 3) for row in a for x in row])


def triangle(a):
    m, n = a.shape
    return both(
        [(a[i, j], True) for i in range(m) for j in range(min(i, n))],
        [(a[i, j], a[i, j] != 3) for i in range(m) for j in range(i % 3, n)])


def cube(a):
    l, m, n = a.shape
    return both(
        [(a[i, j, k], i % 2 == 0 and a[i, j, k] != 0)
         for i in range(l) for j in range(1, m, 2)
         for k in reversed(range(n))],
        [(a[i, j, k], a[i, j, k] != 3) for i in range(l - 1, -1, -1)
         for j in range(min(i, m)) for k in range(min(j + 1, n))])


def mixed(a):
    l, m, n = a.shape
    return [np.int64(position([(a[i, j, k], a[i, j, 0] != 2) for i in range(l)
                               for j in range(m) for k in range(n)], True))]


def late(a):
    l, m, n = a.shape
    return [np.int64(position([(a[i, j, k], True) for i in range(min(l, 3))
                               for j in range(m)
                               for k in range(min(j, n))], False))]


def mean_of(values):
    with np.errstate(all="ignore"):
        return [np.float64(np.sum(np.asarray(values, np.float64)))
                / np.float64(len(values))]


def mean_if(v):
    return mean_of([x for x in v if x > 1])


def mean_all(a):
    return mean_of([x for row in a for x in row])


def mean_some(a):
    m, n = a.shape
    return mean_of([a[i, j] for i in range(m) if i != 1
                    for j in range(min(i, n)) if a[i, j] > 0])


def numbers(rng, shape, dtype):
    """Small whole numbers, for ties and exact sums; some NaN, some infinities."""
    dtype = np.dtype(dtype)
    a = rng.integers(0, 5, shape)
    if dtype.kind == "c":
        a = a + 1j * rng.integers(0, 3, shape)
    a = a.astype(dtype)
    if dtype.kind in "fc" and rng.random() < 0.3:
        a[rng.random(shape) < 0.1] = np.nan
    if dtype.kind in "fc" and rng.random() < 0.3:
        a[rng.random(shape) < 0.2] = -np.inf
    return a


def agrees(ctx, function, dtypes, rank, reference, sizes, count=4):
    def run(t):
        rng = ctx.rng(len(function) * 7 + rank)
        for dtype in dtypes:
            for shape in itertools.product(*([sizes] * rank)):
                a = numbers(rng, (count, *shape), dtype)
                got = ctx.call(SOURCE, function, a)
                got = got if isinstance(got, tuple) else (got,)
                rows = [reference(row) for row in a]
                for k in range(len(rows[0])):
                    t.same(f"{dtype} {shape}: result {k}", got[k],
                           np.array([row[k] for row in rows]))
    return run


def nothing_kept(ctx):
    def run(t):
        ones = np.ones((3, 70), np.float32)
        for got in ctx.call(SOURCE, "kept", ones):
            t.same("nothing kept", got, np.full(3, -1))
        for got in ctx.call(SOURCE, "kept", np.ones((3, 0), np.float32)):
            t.same("nothing there", got, np.full(3, -1))
        low, high = ctx.call(SOURCE, "grid_if", np.full((4, 5), 2.0))
        t.same("the first leaves 2 out", low, np.int64(-1))
        t.same("the second does not", high, np.int64(0))
        t.same("a triangle of nothing", ctx.call(
            SOURCE, "triangle", np.zeros((1, 3)))[0], np.int64(-1))
        t.same("of the smallest", ctx.call(
            SOURCE, "triangle", np.full((3, 3), -np.inf))[1], np.int64(0))
    return run


def refused(ctx):
    def run(t):
        for shape in ((0, 3), (3, 0)):
            a = np.zeros(shape, np.float64)
            t.refused(f"positions in {shape}",
                      lambda: ctx.call(SOURCE, "grid", a), kernapi.SHAPE,
                      "grid")
            t.refused(f"of nothing, {shape}",
                      lambda: ctx.call(SOURCE, "of_nothing", a),
                      kernapi.SHAPE, "of_nothing")
        t.same("of something", ctx.call(
            SOURCE, "of_nothing", np.arange(6.0).reshape(2, 3))[1],
            np.float64(3))
    return run


def used(ctx):
    """The value is at the position."""
    def run(t):
        rng = ctx.rng(11)
        for n, k in ((1, 1), (3, 5), (40, 70), (700, 3)):
            v = rng.permutation(np.arange(1, n + 1)).astype(np.float32)
            w = rng.permutation(np.arange(-k // 2, k - k // 2)).astype(
                np.float32)
            products = v * np.arange(1, n + 1, dtype=np.float32)
            want = np.float32(-1)
            if (w > 0).any():
                want = v[products.argmax()] * w.max()
            t.same(f"{n} by {k}", ctx.call(SOURCE, "weighted", v, w), want)
        for m, n, k in ((1, 1, 1), (5, 6, 7), (33, 40, 70)):
            for dtype in (np.int32, np.float32):
                a = rng.integers(-9, 9, (m, n)).astype(dtype)
                b = rng.integers(0, 4, (n, k)).astype(dtype)
                want = [position([(a[i, j] * b[j, p], b[j, p] != 1)
                                  for j in range(n) for p in range(k)], True)
                        for i in range(m)]
                t.same(f"{m} {n} {k}", ctx.call(SOURCE, "in_rows", a, b),
                       np.array(want))
    return run


def complex_mean(ctx):
    def run(t):
        rng = ctx.rng(12)
        for n in (1, 5, 300):
            z = rng.integers(-4, 5, n) + 1j * rng.integers(-4, 5, n)
            z[0] = 1 + 2j
            t.same(f"of {n}", ctx.call(SOURCE, "mean_complex", z),
                   z[z.real > 0].sum() / (z.real > 0).sum(), ulp=2)
    return run


LONG = """
gufunc ends(v: T[n]) -> (lo: i64, hi: i64) where T in (i8, u32, i64, f32, f64):
    lo = argmin(v)
    hi = argmax(v)

gufunc near(v: T[n], x: T) -> (at: i64, kept: i64) where T in (f32, f64):
    at = argmin(abs(v[i] - x) for i in range(n))
    kept = argmax(y for y in v if y < x)
"""
LENGTHS = (1, 63, 64, 65, 128, 200, 8191, 8192, 8193, 20000)


def long(ctx, dtype):
    """The host compares blocks first: ties, NaN and infinities in several of
    them, ones without an element that is kept, and none of these."""
    def run(t):
        rng = ctx.rng(41)
        for n in LENGTHS:
            v = rng.integers(0, 100, n).astype(dtype)
            arrays = [v, np.zeros(n, dtype), v[::-1], np.sort(v)]
            if v.dtype.kind == "f":
                for place in (0, n // 2, n - 1):
                    nan = v.copy()
                    nan[place:] = np.where(rng.random(n - place) < 0.3, np.nan,
                                           nan[place:])
                    nan[place] = np.nan
                    arrays += [nan, -nan]
                arrays += [np.full(n, np.inf, dtype), np.full(n, -np.inf, dtype),
                           np.where(v < 99, dtype(3), -dtype(np.inf)),
                           np.where(v < 50, dtype(0), -dtype(0)),
                           np.where(v < 50, np.finfo(dtype).smallest_subnormal,
                                    -np.finfo(dtype).smallest_subnormal)]
            for x in arrays:
                lo, hi = ctx.call(LONG, "ends", x)
                t.same(f"{n} ends", (int(lo), int(hi)),
                       (int(np.argmin(x)), int(np.argmax(x))))
                if v.dtype.kind != "f":
                    continue
                for limit in (dtype(50), dtype(3), dtype(-1)):
                    at, kept = ctx.call(LONG, "near", x, limit)
                    where = np.flatnonzero(x < limit)
                    expected = where[np.argmax(x[where])] if where.size else -1
                    t.same(f"{n} near {limit}", (int(at), int(kept)),
                           (int(np.argmin(abs(x - limit))), int(expected)))
    return run


ALONE = """
gufunc highest(v: T[n]) -> i64 where T in (i8, i32, u32, i64, f16, f32, f64):
    return argmax(v)

gufunc lowest(v: T[n]) -> i64 where T in (i8, i32, u32, i64, f16, f32, f64):
    return argmin(v)

gufunc nearest(v: f32[n], x: f32) -> i64:
    return argmin(abs(y - x) for y in v)
"""


def alone(ctx, dtype):
    """One position of each row, which lanes of a GPU look for in several chunks
    at once: ties within a chunk and between them, NaN before and behind numbers."""
    def run(t):
        rng = ctx.rng(43)
        kind = np.dtype(dtype).kind
        for n in (1, 3, 4, 31, 64, 100, 128, 255, 256, 257, 1000, 4099, 70000):
            rows = [rng.integers(0, high, n) for high in (1, 2, 3, 100, 100)]
            rows += [np.arange(n) % 100, 100 - np.arange(n) % 101]
            v = np.array(rows).astype(dtype)
            if kind in "if":
                v = np.concatenate([v, -v])
            if kind == "f":
                odd = np.repeat(v[3:4], 9, axis=0)
                for k, share in enumerate((0.001, 0.1, 0.9)):
                    odd[k, rng.random(n) < share] = np.nan
                odd[3, n // 2:] = np.nan
                odd[4, :n // 2] = np.nan
                odd[5], odd[6, ::2] = -np.inf, np.inf
                odd[7] = rng.choice([0.0, -0.0], n)
                odd[8, rng.integers(n)] = np.nan
                v = np.concatenate([v, odd, -odd])
            # Few rows, and as many as fill a GPU.
            for some in (v[:1], v, np.repeat(v, 1 if n > 300 else 400, axis=0)):
                t.same(f"{n} highest", ctx.call(ALONE, "highest", some),
                       some.argmax(-1))
                t.same(f"{n} lowest", ctx.call(ALONE, "lowest", some),
                       some.argmin(-1))
                if dtype == np.float32:
                    with np.errstate(all="ignore"):
                        away = abs(some - np.float32(50))
                    t.same(f"{n} nearest", ctx.call(ALONE, "nearest", some,
                                                    np.float32(50)),
                           away.argmin(-1))
    return run


def cases(ctx):
    lengths = (1, 2, 5, 33, 67, 1000)
    few = (1, 2, 3, 5, 40)
    for dtype in ("?", "i1", "i8", "u8", "f2", "f4", "f8", "c8", "c16"):
        yield f"kept {dtype}", agrees(ctx, "kept", [dtype], 1, kept, lengths)
    for name, reference, dtypes, rank in (
            ("every_second", every_second, ("i4", "f4"), 1),
            ("grid", grid, ("u1", "i4", "f4", "f8", "c8"), 2),
            ("grid_if", grid_if, ("u1", "i4", "f4", "f8", "c8"), 2),
            ("triangle", triangle, ("i4", "f8"), 2),
            ("cube", cube, ("i2", "f4"), 3),
            ("mixed", mixed, ("i2", "f4"), 3),
            ("late", late, ("i2", "f4"), 3)):
        sizes = {1: lengths, 2: few, 3: (1, 2, 3, 5)}[rank]
        yield name, agrees(ctx, name, dtypes, rank, reference, sizes)
    yield "mean_if", agrees(ctx, "mean_if", ("u1", "i8"), 1, mean_if, lengths)
    yield "mean_all", agrees(ctx, "mean_all", ("i4",), 2, mean_all, few)
    yield "mean_some", agrees(ctx, "mean_some", ("i4",), 2, mean_some, few)
    yield "many rows", agrees(ctx, "grid_if", ("f4",), 2, grid_if, (3, 17),
                              count=300)
    yield "nothing kept", nothing_kept(ctx)
    yield "nothing at all", refused(ctx)
    yield "used", used(ctx)
    yield "complex mean", complex_mean(ctx)
    for dtype in (np.int8, np.uint32, np.int64, np.float32, np.float64):
        yield f"long {np.dtype(dtype)}", long(ctx, dtype)
    for dtype in (np.int8, np.int32, np.uint32, np.int64, np.float16, np.float32,
                  np.float64):
        yield f"alone {np.dtype(dtype)}", alone(ctx, dtype)
