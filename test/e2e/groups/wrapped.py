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


CHOICES = """
gufunc before(x: f32[n]) -> (y: f32[n]):
    for i in prange(n):
        j = i + 2
        y[i] = x[where(j >= n - 1, j - (n - 1), j)]

gufunc within(x: u8[n]) -> (y: u8[n]):
    for i in prange(n):
        q = 0
        s = u8(0)
        while True:
            if q < 1:
                s ^= u8(7)
            else:
                j = i + q
                s ^= x[where(j >= n, j - n, j)]
            q += 1
            if q == 6:
                break
        y[i] = s

gufunc counted(x: u8[n]) -> (y: u8[n], z: u8[n]):
    for i in prange(n):
        q = 0
        s = 0
        while True:
            if q < 10:
                s += x[i]
            else:
                s += 2 * i64(x[i])
            q += 1
            if q == 1000:
                break
        y[i] = u8(s > 200)
        q = 20
        s = 0
        while True:
            if q < 10:
                break
            q += 1
            s += x[i]
            if q > 1000:
                break
        z[i] = u8(s > 200)

gufunc shifted(x: i64[n], k: i64) -> (y: i64[n]):
    for i in prange(n):
        j = i + k
        y[i] = x[i] + where(j < 0, j + n, j)

gufunc signs(x: f64[n]) -> (y: i64[n], z: i64[n]):
    for i in prange(n):
        r = fmod(i - 1, n)
        y[i] = where((i > 3) & ((r ^ n) < 0), r + n, r)
        z[i] = where((i > 3) & ((r ^ n) > 0), r + n, r)
"""


def choices(ctx):
    """Choices that look like wrapped indices, and loops that look counted."""
    def run(t):
        rng = ctx.rng(3)
        for n in (8, 33, 100, 300):
            i = np.arange(n)
            x = np.arange(n, dtype=np.float32)
            t.same(f"before {n}", ctx.call(CHOICES, "before", x[:]),
                   x[np.where(i + 2 >= n - 1, i + 2 - (n - 1), i + 2)])
            x = rng.integers(0, 256, n).astype(np.uint8)
            want = np.full(n, 7, np.uint8)
            for q in range(1, 6):
                want ^= x[(i + q) % n]
            t.same(f"within {n}", ctx.call(CHOICES, "within", x), want)
            y, z = ctx.call(CHOICES, "counted", x)
            s = x.astype(np.int64)
            t.same(f"counted {n}", y, (s * (10 + 2 * 990) > 200).astype(np.uint8))
            t.same(f"counted to 1000 {n}", z, (s * 981 > 200).astype(np.uint8))
            x = rng.integers(-9, 9, n)
            for k in (-2 ** 63, -n, -1, 0, 3, 2 ** 63 - n, 2 ** 62, -2 ** 57):
                with np.errstate(over="ignore"):
                    j = i + np.int64(k)
                    want = x + np.where(j < 0, j + n, j)
                t.same(f"shifted {n} {k}", ctx.call(
                    CHOICES, "shifted", x, np.int64(k)), want)
            r = np.fmod(i - 1, n)
            y, z = ctx.call(CHOICES, "signs", np.zeros(n))
            t.same(f"signs {n}", y, np.where((i > 3) & ((r ^ n) < 0), r + n, r))
            t.same(f"signs above {n}", z,
                   np.where((i > 3) & ((r ^ n) > 0), r + n, r))
    return run


def cases(ctx):
    yield "choices", choices(ctx)
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
