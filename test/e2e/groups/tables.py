"""Tables of constants: arrays that are indexed, iterated, reduced and computed with,
against NumPy."""

import numpy as np

TYPES = (np.int8, np.uint8, np.int32, np.int64, np.uint64, np.float16,
         np.float32, np.float64, np.complex64, np.complex128)

VALUES = [1, 2, 3, 5, 7, 11, 13, 17]

SOURCE = """
const ROW: {t}[8] = ({values})
const GRID: {t}[2, 4] = [[1, 2, 3, 5], [7, 11, 13, 17]]
const FLAGS = [True, False, True, True]

ufunc at(i: i64) -> {t}:
    return ROW[i]

ufunc cell(i: i64, j: i64) -> {t}:
    return GRID[i, j]

ufunc row_of(i: i64, j: i64) -> {t}:
    row = GRID[i]
    return row[j]

ufunc flag(i: i64) -> bool:
    return FLAGS[i % 4]

ufunc folded(x: {t}) -> {t}:
    s = ROW[0]
    for i in range(1, len(ROW)):
        s = s * x + ROW[i]
    return s

ufunc iterated(x: {t}) -> {t}:
    s = x * 0
    for c in ROW:
        s = s * x + c
    for i, row in enumerate(GRID):
        for j in range(4):
            s = s + row[j] * {t}(i + j)
    for a, b in zip(GRID[0], reversed(GRID[1])):
        s = s + a * b
    return s

gufunc whole(x: {t}[8]) -> (y: {t}[8], z: {t}[4], s: {t}):
    y[:] = ROW * x + ROW
    z[:] = GRID[1] - x[:4] + sum(GRID, axis=0)
    s = sum(ROW * x) + sum(a * b for a, b in zip(ROW, x)) + GRID.shape[1]

gufunc reduced(x: {t}[n]) -> (s: {t}[n], p: {t}[n], a: bool[n], e: bool[n], r: {t}[n]):
    for i in prange(n):
        s[i] = {t}(sum(c * x[i] for c in ROW))
        p[i] = {t}(prod(c + x[i] for c in GRID[0]))
        a[i] = any(c == x[i] for c in ROW)
        e[i] = all(f or x[i] == 0 for f in FLAGS)
        r[i] = {t}(sum(GRID[j, k] * x[(i + k) % n] for j in range(2) for k in range(4)))

gufunc chosen(x: {t}[n], k: i64) -> (y: {t}[n]):
    table = GRID[0] if k > 0 else GRID[1]
    for i in prange(n):
        y[i] = x[i] * table[i % 4]
"""

WEAK = """
const WEIGHTS = [0.1, 0.25, 3]
const COUNTS = (1, 200, 3)

ufunc scaled(x: T, i: i64) -> T where T in (f16, f32, f64):
    return x * WEIGHTS[i] + COUNTS[i]

ufunc bytes(x: u8, i: i64) -> u8:
    return x + COUNTS[i]

ufunc summed(x: T) -> T where T in (f32, f64):
    return sum(c * x for c in COUNTS) + sum(w for w in WEIGHTS)

ufunc picked(x: i64) -> i64:
    few = [x, 2 * x, 7]
    return few[x % 3] + few[-1]

gufunc turned(v: T[2], x: T) -> (w: T[2], d: T, f: T) where T in (f16, f32, f64, i32):
    m = [[x, -2], [2, x + 1]]
    w[:] = m @ v
    m[1, 0] += 1
    d = m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]
    f = sum([[[x, 1], [2, 3]], [[x, x], [v[0], v[1]]]])

ufunc extremes(x: T) -> (most: T, least: T, first: i64, kept: T, mid: T) where T in (f16, f32, f64, i32):
    most = T(max(c * x for c in COUNTS))
    least = T(min(c - x for c in COUNTS))
    first = argmax(c * x for c in COUNTS)
    kept = T(sum(c * x for c in COUNTS if c > x))
    mid = T(mean(c * x for c in COUNTS))

ufunc listed(x: i64) -> (y: bool, z: bool):
    return x in [1, 3], x not in [1, 3]

const LONG = [{long}]

ufunc far(i: i64) -> i64:
    total = 0
    for c in LONG:
        total += c
    for c, k in zip(LONG, range(70)):
        total -= c * (k % 2)
    return total + LONG[i]
"""


def typed(ctx, dtype):
    name = np.dtype(dtype)
    short = {"f": "f", "i": "i", "u": "u", "c": "c"}[name.kind]
    source = SOURCE.format(t=f"{short}{8 * name.itemsize}",
                           values=", ".join(map(str, VALUES)))
    row = np.array(VALUES, dtype)
    grid = row.reshape(2, 4)

    def run(t):
        i, j = np.arange(8), np.arange(8) % 4
        t.same("at", ctx.call(source, "at", i), row)
        for cell in ("cell", "row_of"):
            t.same(cell, ctx.call(source, cell, i // 4, j), grid[i // 4, j])
        t.same("flag", ctx.call(source, "flag", i),
               np.array([True, False, True, True])[i % 4])
        x = np.array([0, 1, 2, 3], dtype)
        ulp = 2 if name.kind in "fc" else 0
        s = row[0] + 0 * x
        for c in row[1:]:
            s = s * x + c
        t.same("folded", ctx.call(source, "folded", x), s, ulp=ulp)
        for k in range(2):
            for n in range(4):
                s = s + grid[k, n] * dtype(k + n)
        for a, b in zip(grid[0], grid[1][::-1]):
            s = s + a * b
        t.same("iterated", ctx.call(source, "iterated", x), s, ulp=ulp)
        x = np.arange(8).astype(dtype)
        y, z, s = ctx.call(source, "whole", x)
        t.same("whole y", y, row * x + row)
        t.same("whole z", z, grid[1] - x[:4] + grid.sum(0, dtype=dtype))
        t.same("whole s", s, (2 * (row * x).sum(dtype=dtype) + dtype(4)))
        s, p, a, e, r = ctx.call(source, "reduced", x)
        with np.errstate(all="ignore"):
            t.same("sums", s, (row * x[:, None]).sum(1, dtype=dtype))
            t.same("products", p, (row[:4] + x[:, None]).prod(1, dtype=dtype))
            moved = x[(np.arange(8)[:, None] + np.arange(4)) % 8]
            t.same("nested", r, (grid.sum(0, dtype=dtype) * moved).sum(1, dtype=dtype))
        t.same("any", a, np.isin(x, row))
        t.same("all", e, x == 0)
        for k in (0, 1):
            t.same(f"chosen {k}", ctx.call(source, "chosen", x, np.int64(k)),
                   x * grid[1 - k][np.arange(8) % 4])
    return run


def weak(ctx):
    long = [(7 * k) % 101 for k in range(100)]
    source = WEAK.format(long=", ".join(map(str, long)))

    def run(t):
        i = np.arange(3)
        for dtype in (np.float16, np.float32, np.float64):
            x = np.array([1.5, -2, 4], dtype)
            weights = np.array([0.1, 0.25, 3]).astype(dtype)
            counts = np.array([1, 200, 3]).astype(dtype)
            t.same(f"scaled {np.dtype(dtype)}", ctx.call(source, "scaled", x, i),
                   x * weights + counts, ulp=1)
        x = np.array([100, 100, 255], np.uint8)
        t.same("bytes", ctx.call(source, "bytes", x, i),
               x + np.array([1, 200, 3], np.uint8))
        for dtype in (np.float32, np.float64):
            x = np.array([1.5, -2], dtype)
            t.same(f"summed {np.dtype(dtype)}", ctx.call(source, "summed", x),
                   (204 * x + dtype(3.35)).astype(dtype), ulp=1)
        counts = np.array([1, 200, 3])
        for dtype in (np.float16, np.float32, np.float64, np.int32):
            x = np.array([2, -2, 0, 7, 250], dtype)
            each = counts.astype(dtype) * x[:, None]
            most, least, first, kept, mid = ctx.call(source, "extremes", x)
            t.same(f"max {np.dtype(dtype)}", most, each.max(1))
            t.same(f"min {np.dtype(dtype)}", least, (counts.astype(dtype) - x[:, None]).min(1))
            t.same(f"argmax {np.dtype(dtype)}", first, each.argmax(1))
            wide = each.astype(np.float64)
            t.same(f"if {np.dtype(dtype)}", kept,
                   np.where(counts > x[:, None], wide, 0).sum(1).astype(dtype))
            t.same(f"mean {np.dtype(dtype)}", mid, wide.mean(1).astype(dtype), ulp=1)
        x = np.arange(5)
        y, z = ctx.call(source, "listed", x)
        t.same("in a list", y, np.isin(x, [1, 3]))
        t.same("not in a list", z, ~np.isin(x, [1, 3]))
        x = np.arange(9)
        few = np.stack([x, 2 * x, 0 * x + 7])
        t.same("picked", ctx.call(source, "picked", x),
               few[x % 3, np.arange(9)] + 7)
        for dtype in (np.float16, np.float32, np.float64, np.int32):
            v = np.array([[3, -1], [0, 2], [5, 7]], dtype)
            x = np.array([1, -2, 4], dtype)
            w, d, f = ctx.call(source, "turned", v, x)
            wanted = np.stack([x * v[:, 0] - 2 * v[:, 1],
                               2 * v[:, 0] + (x + 1) * v[:, 1]], 1)
            t.same(f"turned {np.dtype(dtype)}", w, wanted.astype(dtype))
            t.same(f"determinant {np.dtype(dtype)}", d, (x * (x + 1) + 6).astype(dtype))
            t.same(f"nested {np.dtype(dtype)}", f, (3 * x + 6 + v.sum(1)).astype(dtype))
        i = np.arange(100)
        total = sum(long) - sum(c * (k % 2) for k, c in enumerate(long[:70]))
        t.same("far", ctx.call(source, "far", i), total + np.array(long))
    return run


def cases(ctx):
    for dtype in TYPES:
        yield f"of {np.dtype(dtype)}", typed(ctx, dtype)
    yield "weak", weak(ctx)
