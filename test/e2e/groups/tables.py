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
        x = np.arange(9)
        few = np.stack([x, 2 * x, 0 * x + 7])
        t.same("picked", ctx.call(source, "picked", x),
               few[x % 3, np.arange(9)] + 7)
        i = np.arange(100)
        total = sum(long) - sum(c * (k % 2) for k, c in enumerate(long[:70]))
        t.same("far", ctx.call(source, "far", i), total + np.array(long))
    return run


def cases(ctx):
    for dtype in TYPES:
        yield f"of {np.dtype(dtype)}", typed(ctx, dtype)
    yield "weak", weak(ctx)
