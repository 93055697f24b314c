"""Remainders of indices: `x[(i + s) % n]` with `i` from a loop over `n`."""

import numpy as np

SHIFTS = (-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6)


def source(shift):
    sign = "+" if shift >= 0 else "-"
    at = f"(i {sign} {abs(shift)}) % n"
    return f"""
gufunc loop(x: f64[n]) -> (y: f64[n]):
    for i in range(n):
        y[i] = x[{at}]

gufunc parallel(x: f64[n]) -> (y: f64[n]):
    for i in prange(n):
        y[i] = x[{at}]

gufunc inside(x: f64[n]) -> (y: f64[n]):
    for i in range(n):
        y[i] = -1
    for i in range(2, n - 1):
        y[i] = x[{at}]

gufunc beyond(x: f64[n]) -> (y: i64[n], z: i64):
    k = 0
    for i in range(n + 2):
        k += {at}
        if i < n:
            y[i] = {at}
    return k

gufunc stencil(x: f64[n], w: f64[k]) -> (y: f64[n], z: f64):
    for i in prange(n):
        y[i] = sum(x[(i + u {sign} {abs(shift)}) % n] for u in range(3))
    return sum(x[(i {sign} {abs(shift)}) % n] * i for i in range(n))

gufunc plane(a: i32[m, n]) -> (b: i32[m, n], c: i64):
    for i, j in prange(m, n):
        b[i, j] = a[(i {sign} {abs(shift)}) % m, (j {sign} {abs(shift)}) % n]
    k = 0
    i = 0
    while i < n:
        k += {at}
        i += 2
    return k

gufunc changed(n: dim) -> (y: i64[n]):
    i = 5
    for j in range(n):
        y[j] = (j {sign} {abs(shift)}) % n + (i {sign} {abs(shift)}) % n
        i = 3 * i - j
"""


NARROW = """
gufunc narrow(x: T[m], n: T) -> (y: T[m]) where T in (i8, i16):
    i = T(0)
    while i < n:
        y[i64(i)] = (i + T(3)) % n
        i += T(1)
"""


def narrow(ctx):
    """Sums of narrow integers wrap before the remainder."""
    def run(t):
        for dtype, sizes in ((np.int8, (1, 5, 124, 125, 126, 127)),
                             (np.int16, (7, 32764, 32765, 32766, 32767))):
            for n in sizes:
                i = np.arange(n).astype(dtype)
                t.same(f"{n}", ctx.call(NARROW, "narrow", i, dtype(n)),
                       (i + dtype(3)) % dtype(n))
    return run


def cases(ctx):
    yield "narrow", narrow(ctx)
    for shift in SHIFTS:
        yield f"by {shift}", shifted(ctx, shift)


def shifted(ctx, s):
    def run(t):
        text = source(s)
        for n in (1, 2, 3, 4, 5, 7, 17, 30, 100):
            x = np.arange(n) * 1.5 + 1
            at = (np.arange(n) + s) % n
            t.same(f"loop {n}", ctx.call(text, "loop", x), x[at])
            t.same(f"parallel {n}", ctx.call(text, "parallel", x), x[at])
            y = np.full(n, -1.0)
            y[2:n - 1] = x[at][2:n - 1]
            t.same(f"inside {n}", ctx.call(text, "inside", x), y)
            y, total = ctx.call(text, "beyond", x)
            t.same(f"beyond {n}", y, at)
            t.same(f"beyond {n} sum", int(total),
                   int(((np.arange(n + 2) + s) % n).sum()))
            y, total = ctx.call(text, "stencil", x, np.ones(2))
            near = sum(x[(np.arange(n) + u + s) % n] for u in range(3))
            t.same(f"stencil {n}", y, near)
            t.same(f"stencil {n} sum", float(total),
                   float((x[at] * np.arange(n)).sum()))
            for m in (1, 3):
                a = np.arange(m * n, dtype=np.int32).reshape(m, n)
                b, k = ctx.call(text, "plane", a)
                t.same(f"plane {m} {n}", b, np.roll(a, (-s, -s), (0, 1)))
                t.same(f"while {n}", int(k), int(at[::2].sum()))
            expected, i = [], 5
            for j in range(n):
                expected.append((j + s) % n + (i + s) % n)
                i = 3 * i - j
                i = (i + 2**63) % 2**64 - 2**63
            t.same(f"changed {n}", ctx.call(text, "changed", n),
                   np.array(expected))
    return run
