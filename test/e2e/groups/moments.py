"""Sums of squares about a mean, in every mapping: as accurate as those that are
written, wherever the mean lies, and infinite or NaN where those are."""

import numpy as np

from groups.mappings import Forced, asked, moved

SOURCE = """
gufunc mean_var(v: T[n]) -> (m: T, s: T) where T in (f32, f64):
    m = mean(v)
    s = mean((x - m) ** 2 for x in v)
    return m, s

gufunc about(v: T[n], away: T) -> (c: T, s: T) where T in (f32, f64):
    c = mean(v) + away
    s = sum((c - x) ** 2 for x in v)
    return c, s

gufunc of_products(v: T[n], w: T[n]) -> (m: T, s: T) where T in (f32, f64):
    m = sum(x * y for x, y in zip(v, w)) / T(n)
    s = sum((x * y - m) ** 2 for x, y in zip(v, w))
    return m, s
"""
FORCED = [None, "grouped", "across", "sliced", "resident", "sliced,resident",
          "sliced,recentred", "across,sliced,recentred",
          "sliced,recentred,resident"]
SHAPES = [(1,), (4,), (257,), (100003,), (1, 5000), (3, 1024), (40, 16388),
          (300, 513), (2, 70000), (5, 0)]


def kinds(rng, shape):
    """Values of several kinds about 0, from -1 to 1 mostly."""
    n = shape[-1]
    yield "normal", rng.standard_normal(shape)
    yield "trend", np.broadcast_to(np.linspace(-1, 1, n), shape)
    yield "equal", np.zeros(shape)
    outlier = rng.standard_normal(shape)
    outlier[..., n // 3:n // 3 + 1] = 1e4
    yield "outlier", outlier
    yield "halves", np.broadcast_to(
        np.where(np.arange(n) * 2 < n, -1.0, 1.0), shape)


def moments(ctx, mapping):
    call = Forced(ctx, mapping, SOURCE)

    def check(t, label, values, centre, squares, unit):
        """`squares` is about `centre`, as accurately as sums are whose means
        have the rounding errors of short ones."""
        wide = values.astype(np.longdouble)
        n = wide.shape[-1]
        away = wide - centre.astype(np.longdouble)[..., None]
        wanted = (away * away).sum(-1)
        error = 16 * unit * abs(wide).max(-1)
        allowed = unit * (32 + n / 16) * (wanted + n * error ** 2)
        t.check(label, np.all(squares >= 0) and
                np.all(abs(squares - wanted) <= allowed),
                f"{squares} instead of {wanted}")

    def run(t):
        rng = ctx.rng(71)
        for shape in SHAPES:
            n = shape[-1]
            for dtype, unit in ((np.float32, 2.0 ** -24), (np.float64, 2.0 ** -53)):
                for kind, base in kinds(rng, shape):
                    for offset in (0, 1e3, 1e6):
                        v = (base + offset).astype(dtype)
                        label = f"{kind} + {offset:g} {shape} {v.dtype}"
                        got = [call("mean_var", moved(v, k)) for k in range(3)]
                        t.check(label + ": the same bits", all(
                            a.tobytes() == b.tobytes() for other in got[1:]
                            for a, b in zip(map(np.asarray, got[0]),
                                            map(np.asarray, other))))
                        if n == 0:
                            continue
                        m, s = map(np.asarray, got[0])
                        check(t, label, v, m, s * dtype(n), unit)
                        c, s = map(np.asarray, call("about", v, dtype(3)))
                        check(t, label + " about", v, c, s, unit)
                w = rng.standard_normal(shape).astype(dtype)
                x = (rng.standard_normal(shape) + 100).astype(dtype)
                if n:
                    m, s = map(np.asarray, call("of_products", x, w))
                    # A product may be contracted, and then is not rounded.
                    wide = x.astype(np.longdouble) * w
                    away = wide - m.astype(np.longdouble)[..., None]
                    rounding = 4 * unit * abs(wide).max()
                    t.check(f"products {shape} {x.dtype}", np.allclose(
                        s, (away * away).sum(-1), rtol=unit * (32 + n / 16),
                        atol=n * rounding ** 2), f"{s}")
        for n in (5, 40000):
            for place in (0, n // 2, n - 1):
                for value in (np.inf, -np.inf, np.nan):
                    v = np.ones((2, n), np.float32)
                    v[1, place] = value
                    m, s = call("mean_var", v)
                    t.check(f"{value} at {place} of {n}", m[0] == 1 and s[0] == 0
                            and (m[1] == value or np.isnan(value) and
                                 np.isnan(m[1])) and np.isnan(s[1]), f"{m} {s}")
            v = np.full((2, n), 1e30, np.float32)
            v[:, ::2] = -1e30
            m, s = call("mean_var", v)
            t.check(f"squares too large, {n}", np.all(np.isposinf(s)), str(s))
    return run


def cases(ctx):
    for mapping, name in asked(ctx, FORCED):
        yield name, moments(ctx, mapping)
