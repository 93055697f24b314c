#!/usr/bin/env python3
"""A few small calls of each kind of kernel that gufuncs have on a GPU.

    compute-sanitizer --tool racecheck each_kernel.py --lib libkern.so

The results are compared with those of the CPU. The groups of run.py test far
more, but under the sanitizers they would take hours.
"""

import argparse
import os
import pathlib
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import kernapi  # noqa: E402

SOURCES = {
    "mappings": (HERE / "groups/mappings.kern").read_text(),
    "scans": (HERE / "groups/scans.kern").read_text(),
    "statements": (HERE / "groups/statements.kern").read_text(),
    "nests": (HERE.parent / "bench/nests.kern").read_text(),
    "language": """
const WEIGHTS: f32[5] = [0.1, 0.2, 0.4, 0.2, 0.1]

gufunc weighed(v: f32[n]) -> (y: f32[n]):
    for i in prange(n):
        y[i] = v[i] * WEIGHTS[i % 5]

gufunc bounds(v: f32[n], at: i32[n], start: f32[m]) -> (low: f32[m], high: f32[m]):
    low[:] = start
    high[:] = start
    for i in prange(n):
        low[at[i]] = min(low[at[i]], v[i])
    for i in prange(n):
        high[at[i]] = max(high[at[i]], v[i])

gufunc moment(v: f32[n], w: i64[n]) -> (y: f32):
    y = sum(v[i] * f32(w[i]) for i in range(n)) / f32(n)

ufunc scaled(x: f32, i: i64) -> f32:
    return x * f32(i)
""",
    "filters": """
gufunc filter(x: T[m, n], w: T[r, s]) -> (y: T[m - r + 1, n - s + 1]) where T in (f32, f64):
    for i, j in prange(m - r + 1, n - s + 1):
        y[i, j] = sum(x[i + u, j + v] * w[u, v] for u in range(r) for v in range(s))
""",
}
ROWS = ["grouped", "across", "sliced", "across,sliced", "resident",
        "sliced,resident", "sliced,recentred", "sliced,recentred,resident"]


def calls(random):
    """(source, function, arguments, mappings, KERN_EXTENTS)"""
    def f32(*shape):
        return random.random(shape, dtype=np.float32)

    def columns(*shape):
        return np.asfortranarray(f32(*shape))

    for v in (f32(3, 1000), f32(16388), columns(40, 300)):
        yield "mappings", "l2_norm", (v,), ROWS, None
        yield "mappings", "mean_var", (v,), ROWS, None
        yield "mappings", "softmax", (v,), ROWS, None
        yield "mappings", "extremes", (v,), ROWS[:4], None
    for v in (f32(70, 100), f32(3, 5000), f32(40000), columns(40, 3000)):
        yield "scans", "sums", (v,), [
            None, "grouped", "across", "sliced", "resident",
            "sliced,resident"], None
        yield "scans", "relative", (v,), ["grouped", "across", "sliced"], None
    yield "scans", "sums", (f32(2200000),), [None], None
    yield "scans", "recurrence", (f32(40000), f32(40000)), [None], None
    tiles = ["flat", "across", "flat,sliced", "flat,tiled16", "flat,tiled32",
             "flat,tiled64", "flat,tiled128", "flat,tiled256"]
    for dtype in (np.float16, np.float32, np.float64):
        a = random.random((140, 200), dtype=np.float32).astype(dtype)
        b = random.random((200, 264), dtype=np.float32).astype(dtype)
        turned = np.ascontiguousarray(b.T).T
        yield "nests", "matmul", (a, b), tiles, None
        yield "nests", "matmul", (a, turned), tiles[3:], None
        yield "nests", "matmul", (a[:, 1:], b[1:, 3:]), tiles[3:], None
    yield "nests", "matmul", (f32(500, 4, 4), f32(500, 4, 4)), [
        "flat", "staged", "flat,tiled"], "constant"
    yield "nests", "convolve", (f32(5000), f32(7)), [
        "flat", "flat,tiled", "flat,unrolled,tiled"], "constant"
    yield "nests", "convolve", (f32(5000), f32(100)), [
        "flat", "flat,tiled", "flat,sliced"], None
    yield "filters", "filter", (f32(70, 300), f32(5, 5)), [
        "flat", "flat,tiled", "flat,unrolled,tiled"], "constant"
    for name in ("stencil7", "stencil27"):
        yield "nests", name, (f32(9, 37, 260),), ["flat", "flat,tiled"], None
    yield "nests", "turned", (f32(3, 70, 90),), ["flat", "grouped"], None
    yield "nests", "sosfilt", (f32(2, 6) * np.float32(0.1), f32(70, 300)), [
        "flat", "staged", "staged,spread"], None
    for v in (f32(70, 300), columns(70, 300)):
        yield "nests", "running", (v,), [
            "flat", "staged", "staged,spread"], None
    spd = f32(70, 4, 4)
    spd = spd @ spd.swapaxes(1, 2) + 4 * np.eye(4, dtype=np.float32)
    yield "nests", "cholesky", (spd,), ["flat", "staged"], "constant"
    bytes_ = random.integers(0, 256, (3, 20000)).astype(np.uint8)
    yield "nests", "histogram", (bytes_,), [
        "grouped", "sliced", "privatised", "sliced,privatised"], None
    yield "language", "weighed", (f32(3, 20000),), [None, "grouped"], None
    yield "statements", "five_points", (f32(300, 200),), [
        None, "sliced", "phases"], None
    yield "statements", "in_phases", (f32(3, 20001),), [
        None, "sliced", "phases"], None
    keys = random.integers(0, 9, (3, 20001)).astype(np.int32)
    yield "statements", "counted", (keys,), [
        None, "privatised", "sliced,privatised", "phases"], None
    at = random.integers(0, 50, (3, 20000)).astype(np.int32)
    yield "language", "bounds", (f32(3, 20000), at, f32(3, 50)), [
        None, "grouped", "sliced"], None
    yield "language", "moment", (f32(3, 20000), range(7, 60007, 3)), [
        None, "sliced"], None
    yield "language", "scaled", (f32(20000), range(5, 60005, 3)), [None], None


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--lib", required=True, help="libkern.so")
    options.add_argument("--place", default="cuda", help="cuda, or host")
    options.add_argument("--only", help="functions, with commas between them")
    options.add_argument("--part", default="0/1", metavar="I/N",
                         help="every N-th call, from the I-th on")
    options.add_argument("--seconds", type=float, default=600,
                         help="begin nothing later than this")
    options = options.parse_args()
    library, began = kernapi.Library(options.lib), time.monotonic()
    only = options.only.split(",") if options.only else None
    part, parts = map(int, options.part.split("/"))
    done = failed = left = number = 0
    for source, name, arguments, mappings, extents in calls(
            np.random.default_rng(5)):
        for mapping in mappings:
            number += 1
            if (only and name not in only) or number % parts != part:
                continue
            if time.monotonic() - began > options.seconds:
                left += 1
                continue
            for variable, value in (("KERN_MAPPING", mapping),
                                    ("KERN_EXTENTS", extents)):
                os.environ.pop(variable, None)
                if value:
                    os.environ[variable] = value
            # A module keeps the plans of its calls.
            module = library.compile(f"{SOURCES[source]}# {mapping} {extents}\n")
            expected = module[name](*arguments)
            found = module[name](*arguments, place=options.place)
            if not isinstance(found, tuple):
                expected, found = (expected,), (found,)
            epsilon = max(1e-4, 8 * float(np.finfo(arguments[0].dtype).eps)) \
                if arguments[0].dtype.kind == "f" else 0
            same = all(np.allclose(a, b, rtol=epsilon, atol=epsilon)
                       for a, b in zip(expected, found))
            done, failed = done + 1, failed + (not same)
            if not same:
                print(f"{name} {[np.shape(a) for a in arguments]} {mapping}: "
                      "another result than the CPU's", flush=True)
    print(f"{done - failed} passed, {failed} failed, {left} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
