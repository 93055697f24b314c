"""Kern beside NumPy on the CPU: `a + b` of arrays of every memory layout.

Part of host.py: the same arrays, outputs given, in turn within each batch.
"""

import statistics
import time

import numpy as np

import kernapi

SOURCE = """\
ufunc add(a: T, b: T) -> T where T in (f32, u8):
    return a + b
"""
TYPES = (np.float32, np.uint8)


def pairs(log2, dtype, random):
    """The name of a layout and two operands of 2^log2 results, or fewer."""
    count = 1 << log2
    side = 1 << log2 // 2
    other = count // side

    def array(*shape):
        return (random.random(shape, dtype=np.float32) * 100).astype(dtype)

    x, y = array(side, other), array(side, other)
    yield "contiguous", x, y
    yield "array + number", x, dtype(3)
    yield "row bias", x, y[0]
    yield "column bias", x, y[:, :1]
    yield "outer sum", x[:, :1], y[:1]
    yield "half of each row", x[:, :other // 2], y[:, :other // 2]
    yield "x[::-1] + y", x.ravel()[::-1], y.ravel()
    yield "x[::2] + y[::2]", x.ravel()[::2], y.ravel()[::2]
    yield "x[::3] + y[::3]", x.ravel()[::3], y.ravel()[::3]
    yield "X.T + Y", array(other, side).T, y
    yield "X.T + Y, odd extents", array(other - 3, side - 5).T, \
        array(side - 5, other - 3)
    yield "C + Fortran order", x, np.asfortranarray(y)
    edge = 1 << log2 // 4
    d = array(edge, edge, edge, edge)
    yield "(0,2,1,3) + contiguous", d.transpose(0, 2, 1, 3), array(*d.shape)
    yield "(3,2,1,0) + contiguous", d.transpose(3, 2, 1, 0), array(*d.shape)


def measure(lib, log2, batches, random):
    """Rows of milliseconds and of Kern's time as a share of NumPy's."""
    function = lib.compile(SOURCE)["add"]
    rows = []
    for dtype in TYPES:
        for name, a, b in pairs(log2, dtype, random):
            shape = np.broadcast_shapes(np.shape(a), np.shape(b))
            right, out = np.add(a, b), np.empty(shape, dtype)
            out.fill(0)
            runs = {"kern": lambda: function(a, b, out=[out],
                                             device=(kernapi.CPU, 0)),
                    "NumPy": lambda: np.add(a, b, out=out)}
            runs["kern"]()
            row = {"work": f"{name}, {np.dtype(dtype).name}", "ms": {},
                   "right": bool((out == right).all())}
            times = {peer: [] for peer in runs}
            for _ in range(batches):
                for peer, run in runs.items():
                    began = time.perf_counter()
                    run()
                    times[peer].append((time.perf_counter() - began) * 1e3)
            for peer, taken in times.items():
                row["ms"][peer] = statistics.median(taken)
            row["ratio"] = statistics.median(
                mine / theirs for mine, theirs in zip(*times.values()))
            rows.append(row)
            print(row["work"], f"{row['ms']['kern']:.2f}",
                  f"{row['ms']['NumPy']:.2f}", f"{row['ratio']:.2f}",
                  "" if row["right"] else "WRONG", flush=True)
    return rows


def markdown(rows):
    lines = ["`a + b` of layouts: milliseconds, medians, and Kern's time as a "
             "share of NumPy's, the median over the batches.", "",
             "| layout | **Kern** | NumPy | share |", "| --- | --- | --- | --- |"]
    for row in rows:
        lines.append(f"| {row['work']} | {row['ms']['kern']:.2f} "
                     f"| {row['ms']['NumPy']:.2f} | {row['ratio']:.2f} |")
    return "\n".join(lines) + "\n"
