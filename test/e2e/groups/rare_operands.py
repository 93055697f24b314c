"""Operands for which functions take another way, which all elements of a thread
take together: large angles, subnormal divisors, infinities, among others and
alone. The bits are the same in every layout."""

import itertools

import numpy as np

RARE = """
ufunc sine(x: f32, y: f32) -> f32: return sin(x)
ufunc turns(x: f32, y: f32) -> f32: return sin(x) * cos(2 * y)
ufunc both(x: T, y: T) -> (q: T, r: T) where T in (f16, f32, f64): return divmod(x, y)
ufunc chosen(x: f32, y: f32) -> f32: return sin(x) if y > 0 else x // y
ufunc mixed(x: f32, y: f32) -> f32: return x % y + cos(x)
"""


def function(ctx, name, dtype):
    def run(t):
        rng = np.random.default_rng(77)
        tiny = np.finfo(dtype).smallest_subnormal
        rare = np.array([3e8, -1e6, 2e5, np.inf, np.nan, 7 * tiny, -tiny],
                        "f8").clip(-np.finfo(dtype).max, None).astype(dtype)
        for n, share in itertools.product((1, 2, 7, 64, 1031), (0, .05, 1)):
            x, y = (np.where(rng.random(n) < share, rng.choice(rare, n),
                             rng.uniform(-9, 9, n).astype(dtype))
                    for _ in range(2))
            got = ctx.call(RARE, name, x, y)
            spread = ctx.call(RARE, name, np.repeat(x, 3)[::3],
                              np.repeat(y, 3)[1::3])
            alone = [ctx.call(RARE, name, np.full(8, x[i]),
                              np.full(8, y[i])) for i in range(min(n, 9))]
            for k, part in enumerate(got if name == "both" else [got]):
                label = f"{name} {dtype} {n} {share} {k}"
                other = spread[k] if name == "both" else spread
                t.same(f"{label} strided", other, part)
                t.same(f"{label} alone", part[:len(alone)], np.array(
                    [(a[k] if name == "both" else a)[0] for a in alone],
                    dtype))
            if name == "sine":
                with np.errstate(all="ignore"):
                    t.same(f"{name} {n}", got, np.sin(x.astype("f8")), ulp=4,
                           any_type=True)
            if name == "both":
                with np.errstate(all="ignore"):
                    for part, expected in zip(got, np.divmod(x, y)):
                        t.same(f"{name} {dtype} {n}", part, expected)
    return run


def cases(ctx):
    for name, dtype in (("sine", "f4"), ("turns", "f4"), ("chosen", "f4"),
                        ("mixed", "f4"), ("both", "f2"), ("both", "f4"),
                        ("both", "f8")):
        yield f"{name} {dtype}", function(ctx, name, dtype)
