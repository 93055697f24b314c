#!/usr/bin/env python3
"""Calls over host arrays on a GPU: from host memory to host memory, in
milliseconds, beside the link's speed, CuPy and the CPU.

usage: host_arrays.py --lib LIB [--power N,…] [--repeat N] [--rows NAME,…]

The link's speed is that of page-locked copies of the same bytes, both ways at
once. Exit status 1 if a result is wrong.
"""

import argparse
import ctypes
import pathlib
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "e2e"))

import kernapi  # noqa: E402

SOURCE = """
ufunc add(x: f32, y: f32) -> f32:
    return x + y

ufunc gaussian_pdf(x: f32, mean: f32, sigma: f32) -> f32:
    return exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * sqrt(2 * pi))

ufunc polar_distance(r1: f32, a1: f32, r2: f32, a2: f32) -> f32:
    return sqrt(r1 * r1 + r2 * r2 - 2 * r1 * r2 * cos(a1 - a2))

gufunc norm(v: f32[n]) -> f32:
    return sqrt(sum(x * x for x in v))
"""


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
    yield "add", (x, y), x + y, lambda c: c[0] + c[1]
    if power >= 28 and only != ["add"]:
        half = n // 2
        z = np.float32(0.5) + x[:half]
        expected = np.exp(-0.5 * ((x[:half] - 0.5) / 0.25) ** 2.0) / (
            0.25 * np.sqrt(2 * np.pi))
        yield "gaussian_pdf", (x[:half], np.float32(0.5), np.float32(0.25)), \
            expected.astype(np.float32), None
        a = [x[:half], y[:half], z, x[half:]]
        wide = [v.astype(np.float64) for v in a]
        expected = np.sqrt(wide[0] ** 2 + wide[2] ** 2 - 2 * wide[0] * wide[2]
                           * np.cos(wide[1] - wide[3]))
        yield "polar_distance", tuple(a), expected.astype(np.float32), None
        m = x.reshape(-1, 1024)
        yield "norm", (m,), np.sqrt((m.astype(np.float64) ** 2).sum(1)).astype(
            np.float32), None
        yield "add a row", (m, y[:1024]), m + y[:1024], None


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
    print(f"{'':24}{'link':>9}{'pinned':>9}{'pageable':>9}{'new':>9}"
          f"{'CuPy':>9}{'CPU':>9}")
    for power in (int(p) for p in options.power.split(",")):
        for name, arrays, expected, peer in rows(power, only):
            if only and name not in only:
                continue
            function = module[name.split()[0]]
            repeat = options.repeat if power > 20 else 50
            up = sum(a.nbytes for a in arrays if np.ndim(a))
            limit = link(cupy, up, expected.nbytes, pinned, repeat)
            locked = [pinned.copy(a) if np.ndim(a) else a for a in arrays]
            locked_out = pinned.array(expected.shape, np.float32)
            out = np.zeros_like(expected)
            device = {"device": (kernapi.CUDA, 0)}

            def check(label, got):
                nonlocal wrong
                if not np.allclose(got, expected, rtol=2e-6, atol=1e-6):
                    print(f"{name} 2^{power}, {label}: wrong")
                    wrong += 1
            times = [best(lambda: function(*locked, out=[locked_out], **device),
                          repeat)]
            check("pinned", locked_out)
            times.append(best(lambda: function(*arrays, out=[out], **device),
                              repeat))
            check("pageable", out)
            fresh = kernapi.Prepared(function, arrays, [None], **device)
            times.append(best(fresh.renew, repeat))
            check("new", function(*arrays, **device))
            if peer:
                times.append(best(lambda: cupy.asnumpy(
                    peer([cupy.asarray(a) for a in arrays])), repeat))
            else:
                times.append(float("nan"))
            out[...] = 0
            times.append(best(lambda: function(*arrays, out=[out]), repeat))
            check("CPU", out)
            print(f"{name + f' 2^{power}':24}" + "".join(
                f"{t:9.3f}" for t in [limit, *times]), flush=True)
            pinned.release()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
