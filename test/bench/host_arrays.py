#!/usr/bin/env python3
"""Calls over host arrays on a GPU: from host memory to host memory, in
milliseconds, beside the link's speed, CuPy and the CPU, and for functions that
compute much beside an addition that moves the same bytes.

usage: host_arrays.py --lib LIB [--power N,…] [--repeat N] [--rows NAME,…]

The link's speed is that of page-locked copies of the same bytes, both ways at
once. Exit status 1 if a result is wrong.
"""

import argparse
import ctypes
import math
import pathlib
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "e2e"))

import kernapi  # noqa: E402

PRICES = (ROOT / "examples" / "11_black_scholes.kern").read_text()
SOURCE = PRICES + """
ufunc add(x: f32, y: f32) -> f32:
    return x + y

ufunc gaussian_pdf(x: f32, mean: f32, sigma: f32) -> f32:
    return exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * sqrt(2 * pi))

ufunc polar_distance(r1: f32, a1: f32, r2: f32, a2: f32) -> f32:
    return sqrt(r1 * r1 + r2 * r2 - 2 * r1 * r2 * cos(a1 - a2))

gufunc norm(v: f32[n]) -> f32:
    return sqrt(sum(x * x for x in v))

gufunc softmax(x: f32[n]) -> (y: f32[n]):
    e = exp(x - max(x))
    y[:] = e / sum(e)

ufunc moves_1_1(a: f32) -> f32:
    return a + 1

ufunc moves_4_1(a: f32, b: f32, c: f32, d: f32) -> f32:
    return a + b + c + d

ufunc moves_3_2(a: f32, b: f32, c: f32) -> (f32, f32):
    return a + b, b + c
"""


class Row:
    """A call and what it gives, in whole or for a part of its elements. `peer`
    is the same in CuPy, `plain` a function that moves the same bytes."""

    def __init__(self, name, arrays, expected, peer=None, plain=None,
                 part=slice(None), atol=1e-6):
        self.name = name
        self.arrays = arrays
        self.expected = expected if isinstance(expected, list) else [expected]
        self.peer = peer
        self.plain = plain
        self.part = part
        self.atol = atol
        self.shape = np.broadcast_shapes(*[np.shape(a) for a in arrays])
        if name == "norm":
            self.shape = self.shape[:-1]

    def agrees(self, results):
        return all(
            np.allclose(got[self.part], expected, rtol=2e-6, atol=self.atol)
            for got, expected in zip(results, self.expected))


def prices(spot, strike, years, rate, volatility):
    """What examples/11_black_scholes.kern computes, in f64."""
    def cdf(x):
        return 0.5 * np.vectorize(math.erfc)(-np.sqrt(0.5) * x)
    spot, strike, years = (a.astype(np.float64)
                           for a in (spot, strike, years))
    root = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * volatility ** 2) * years) / root
    present = strike * np.exp(-rate * years)
    n1, n2 = cdf(d1), cdf(d1 - root)
    return [spot * n1 - present * n2, present * (1 - n2) - spot * (1 - n1)]


class Pinned:
    """Page-locked arrays."""

    def __init__(self, cupy):
        self.cupy = cupy
        self.blocks = []

    def array(self, shape, dtype):
        count = int(np.prod(shape))
        block = self.cupy.cuda.PinnedMemory(
            max(count * np.dtype(dtype).itemsize, 1))
        self.blocks.append(block)
        buffer = (ctypes.c_byte * block.size).from_address(block.ptr)
        return np.frombuffer(buffer, dtype, count).reshape(shape)

    def copy(self, array):
        out = self.array(array.shape, array.dtype)
        out[...] = array
        return out

    def release(self):
        self.blocks = []


def best(run, repeat):
    run()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


def link(cupy, up, down, pinned, repeat):
    """Milliseconds for so many bytes up and down at once."""
    piece = 64 << 20
    a, b = (pinned.array((min(n, piece),), np.uint8) for n in (up, down))
    x, y = (cupy.empty(p.size, np.uint8) for p in (a, b))
    streams = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]

    def run():
        for n, stream, to, source, kind in (
                (up, streams[0], x.data.ptr, a.ctypes.data, 1),
                (down, streams[1], b.ctypes.data, y.data.ptr, 2)):
            for at in range(0, n, piece):
                cupy.cuda.runtime.memcpyAsync(
                    to, source, min(piece, n - at), kind, stream.ptr)
        for stream in streams:
            stream.synchronize()
    return best(run, repeat)


def rows(power, only):
    n = 1 << power
    rng = np.random.default_rng(1)

    def random(*shape):
        return rng.random(shape, dtype=np.float32)

    x, y = random(n), random(n)
    yield Row("add", (x, y), x + y, peer=lambda c: c[0] + c[1])
    if power >= 24 and only != ["add"]:
        m = x.reshape(-1, 1024)
        part = slice(None, None, 64)
        e = np.exp(m[part].astype(np.float64))
        yield Row("softmax", (m,), e / e.sum(1, keepdims=True), part=part,
                  plain="moves_1_1")
    if power >= 28 and only != ["add"]:
        half = n // 2
        z = np.float32(0.5) + x[:half]
        expected = np.exp(-0.5 * ((x[:half] - 0.5) / 0.25) ** 2.0) / (
            0.25 * np.sqrt(2 * np.pi))
        yield Row("gaussian_pdf",
                  (x[:half], np.float32(0.5), np.float32(0.25)),
                  expected.astype(np.float32), plain="moves_1_1")
        a = [x[:half], y[:half], z, x[half:]]
        wide = [v.astype(np.float64) for v in a]
        expected = np.sqrt(wide[0] ** 2 + wide[2] ** 2 - 2 * wide[0] * wide[2]
                           * np.cos(wide[1] - wide[3]))
        yield Row("polar_distance", tuple(a), expected.astype(np.float32),
                  plain="moves_4_1")
        part = slice(None, None, half // (1 << 16))
        a = [z, y[:half] + np.float32(0.5), y[half:] + np.float32(0.1)]
        numbers = np.float32(0.02), np.float32(0.3)
        yield Row("black_scholes", (*a, *numbers),
                  prices(*[v[part] for v in a], *numbers), plain="moves_3_2",
                  part=part, atol=1e-5)
        m = x.reshape(-1, 1024)
        yield Row("norm", (m,), np.sqrt(
            (m.astype(np.float64) ** 2).sum(1)).astype(np.float32))
        yield Row("add a row", (m, y[:1024]), m + y[:1024])


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--lib", required=True, help="libkern.so")
    options.add_argument("--power", default="10,16,20,24,28",
                         help="2^N elements (10,16,20,24,28)")
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--rows", default="", help="only these functions")
    options = options.parse_args()
    import cupy
    module = kernapi.Library(options.lib).compile(SOURCE)
    cupy.empty(1)  # makes a context
    pinned = Pinned(cupy)
    wrong = 0
    only = [name for name in options.rows.split(",") if name]
    print("".join(f"{word:>{24 if not word else 9}}" for word in (
        "", "link", "pinned", "pageable", "new", "CuPy", "CPU", "plain")))
    for power in (int(p) for p in options.power.split(",")):
        for row in rows(power, only):
            if only and row.name not in only:
                continue
            function = module[row.name.split()[0]]
            repeat = options.repeat if power > 20 else 50
            up = sum(a.nbytes for a in row.arrays if np.ndim(a))
            count = len(row.expected)
            down = count * 4 * int(np.prod(row.shape))
            limit = link(cupy, up, down, pinned, repeat)
            locked = [pinned.copy(a) if np.ndim(a) else a for a in row.arrays]
            locked_out = [pinned.array(row.shape, np.float32)
                          for _ in range(count)]
            out = [np.zeros(row.shape, np.float32) for _ in range(count)]
            device = {"device": (kernapi.CUDA, 0)}

            def check(label, got):
                nonlocal wrong
                if not row.agrees(got if isinstance(got, (list, tuple))
                                  else [got]):
                    print(f"{row.name} 2^{power}, {label}: wrong")
                    wrong += 1

            def on_gpu(called, arrays, places):
                return best(lambda: called(*arrays, out=places, **device),
                            repeat)
            times = [on_gpu(function, locked, locked_out)]
            check("pinned", locked_out)
            times.append(on_gpu(function, row.arrays, out))
            check("pageable", out)
            fresh = kernapi.Prepared(function, row.arrays, [None] * count,
                                     **device)
            times.append(best(fresh.renew, repeat))
            check("new", function(*row.arrays, **device))
            if row.peer:
                times.append(best(lambda: cupy.asnumpy(
                    row.peer([cupy.asarray(a) for a in row.arrays])), repeat))
            else:
                times.append(float("nan"))
            for place in out:
                place[...] = 0
            times.append(best(lambda: function(*row.arrays, out=out), repeat))
            check("CPU", out)
            if row.plain:
                times.append(on_gpu(module[row.plain],
                                    [a for a in locked if np.ndim(a)],
                                    locked_out))
            print(f"{row.name + f' 2^{power}':24}" + "".join(
                f"{t:9.3f}" for t in [limit, *times]), flush=True)
            pinned.release()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
