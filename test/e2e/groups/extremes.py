"""Minima and maxima that a loop carries, beside the same loop over NumPy's numbers: NaN
and the sign of zero depend on the order of the elements."""

import operator

import numpy as np

TYPES = {"f32": np.float32, "f64": np.float64}
COMPARISONS = {"greater": operator.gt, "greater_equal": operator.ge,
               "less": operator.lt, "less_equal": operator.le}
SIGNS = {"greater": ">", "greater_equal": ">=", "less": "<", "less_equal": "<="}
SOURCE = "".join(f"""
gufunc {name}(v: T[n], s: T) -> T where T in (f32, f64):
    m = s
    for x in v:
        if x {sign} m:
            m = x
    return m

gufunc not_{name}(v: T[n], s: T) -> T where T in (f32, f64):
    m = s
    for x in v:
        m = m if x {sign} m else x
    return m
""" for name, sign in SIGNS.items()) + """
gufunc fmax_of(v: T[n], s: T) -> T where T in (f32, f64):
    m = s
    for x in v:
        m = fmax(m, x)
    return m

gufunc fmin_of(v: T[n], s: T) -> T where T in (f32, f64):
    m = s
    for x in v:
        m = fmin(m, x)
    return m

gufunc range_of(v: T[n], s: T) -> (low: T, high: T) where T in (f32, f64):
    low = s
    high = s
    for x in v:
        low = x if x < low else low
        if abs(x) >= high:
            high = abs(x)

gufunc first_of(v: T[n], s: T) -> (m: T, place: i64) where T in (f32, f64):
    m = s
    place = -1
    for i in range(len(v)):
        if v[i] > m:
            m = v[i]
            place = i
"""
POOLS = [None, [0.0, -0.0], [0.0, -0.0, -1.0], [0.0, -0.0, np.nan, 1.0, -1.0], [np.nan],
         [np.inf, -np.inf, 1.0, np.nan], [-0.0, -2.0], [0.0, 2.0]]
STARTS = [0.0, -0.0, 1.0, np.nan, np.inf, -np.inf]


def numbers(rng, n, pool, dtype):
    v = rng.standard_normal(n)
    if pool and n:
        some = rng.random(n) < rng.choice([1.0, 0.1])
        some[rng.integers(n)] = True
        v = np.where(some, rng.choice(pool, n), v)
    return v.astype(dtype)


def ignoring(v, s, sign):
    """fmax() of all for `sign` 1, fmin() for -1; 0.0 is greater than -0.0."""
    kept = [x for x in (s, *v) if x == x]
    best = max(kept, key=lambda x: (sign * x, sign * (not np.signbit(x))), default=s)
    return best


def in_order(v, s, replaces):
    for x in v:
        if replaces(x, s):
            s = x
    return s


def extremes(ctx):
    def run(t):
        rng = ctx.rng(18)
        for n in (0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 64, 100, 257, 1000):
            for pool in POOLS:
                for dtype in TYPES.values():
                    v, s = numbers(rng, n, pool, dtype), dtype(rng.choice(STARTS))
                    layout = rng.integers(3)
                    if layout:
                        v = np.repeat(v, 2)[::2] if layout == 1 else v[::-1]
                    check(ctx, t, v, s)
    return run


def check(ctx, t, v, s):
    where = f"{v.dtype} {len(v)} from {s}"

    def same(name, got, want):
        got, want = np.asarray(got), np.asarray(want, np.asarray(got).dtype)
        t.same(f"{name} {where}", got, want)
        if want == 0:
            t.same(f"{name} {where}, sign", np.signbit(got), np.signbit(want))
    for name, compare in COMPARISONS.items():
        same(name, ctx.call(SOURCE, name, v, s), in_order(v, s, compare))
        same("not " + name, ctx.call(SOURCE, "not_" + name, v, s),
             in_order(v, s, lambda x, m: not compare(x, m)))
    same("fmax", ctx.call(SOURCE, "fmax_of", v, s), ignoring(v, s, 1))
    same("fmin", ctx.call(SOURCE, "fmin_of", v, s), ignoring(v, s, -1))
    low, high = ctx.call(SOURCE, "range_of", v, s)
    same("low", low, in_order(v, s, operator.lt))
    same("high", high, in_order(np.abs(v), s, operator.ge))
    m, place = ctx.call(SOURCE, "first_of", v, s)
    best, at = s, -1
    for i, x in enumerate(v):
        if x > best:
            best, at = x, i
    same("first", m, best)
    same("its place", place, at)


def cases(ctx):
    yield "carried", extremes(ctx)
