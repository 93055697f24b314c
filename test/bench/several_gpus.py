#!/usr/bin/env python3
"""Several GPUs of one machine: copies between them beside cuMemcpyPeer, calls over
host arrays that all of them share, and an array larger than a GPU's memory.

usage: several_gpus.py --lib LIB [--gib N] [--repeat N]
                       [--rows peer,all,parts,large]

    peer   2 GiB from GPU to GPU, GB/s of kern_array_assign and of cuMemcpyPeer
    all    host arrays: add of 2^28 f32 and a heavy function of 2^26, ms on one GPU
           and on all of them
    parts  arrays dealt over the GPUs: add, the same in place and exp of 2^28 f32 a
           GPU, on 1, 2, … GPUs, ms and times one GPU
    large  N GiB of u8 in place through one GPU (N: 200), GB/s, and the most device
           memory that was in use beside what was before

Exit status 1 if a result is wrong.
"""

import argparse
import concurrent.futures
import ctypes as C
import os
import pathlib
import sys
import threading
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "e2e"))

import kernapi  # noqa: E402
import kernsharded  # noqa: E402
from kernapi import ALL_GPUS, CUDA, Tensor  # noqa: E402

SOURCE = """
ufunc add(x: f32, y: f32) -> f32: return x + y
ufunc same(x: f32) -> f32: return x
ufunc exponential(x: f32) -> f32: return exp(x)
ufunc next(x: u8) -> u8: return x + 1
ufunc heavy(x: f32) -> f32:
    y = x
    for i in range(20000):
        y = 3.7 * y * (1 - y)
    return y
"""


def best(call, repeat):
    call()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


class Peer:
    """cuMemcpyPeer between the primary contexts of two GPUs."""

    def __init__(self):
        self.cuda = C.CDLL("libcuda.so.1")
        self.contexts = []
        for ordinal in (0, 1):
            context = C.c_void_p()
            self.check(self.cuda.cuDevicePrimaryCtxRetain(
                C.byref(context), ordinal))
            self.contexts.append(context)

    @staticmethod
    def check(result):
        if result:
            sys.exit(f"several_gpus.py: CUDA error {result}")

    def copy(self, to, from_, size):
        self.check(self.cuda.cuCtxPushCurrent_v2(self.contexts[0]))
        self.check(self.cuda.cuMemcpyPeer(
            C.c_uint64(to), self.contexts[1], C.c_uint64(from_),
            self.contexts[0], C.c_size_t(size)))
        self.check(self.cuda.cuCtxSynchronize())
        self.check(self.cuda.cuCtxPopCurrent_v2(C.byref(C.c_void_p())))


def peer(lib, options):
    size = 2 << 30
    x = lib.new_array(np.uint8, (size,), (CUDA, 0))
    y = lib.new_array(np.uint8, (size,), (CUDA, 1))
    probe = np.arange(1 << 16, dtype=np.uint8)
    lib.assign(Tensor(x.pointer + size - probe.size, np.uint8, probe.shape,
                      (1,), (CUDA, 0)).c, Tensor.of(probe).c)
    ours = best(lambda: lib.assign(y.tensor, x.tensor), options.repeat)
    back = np.zeros_like(probe)
    lib.assign(Tensor.of(back).c, Tensor(
        y.pointer + size - probe.size, np.uint8, probe.shape, (1,),
        (CUDA, 1)).c)
    driver = Peer()
    theirs = best(lambda: driver.copy(y.pointer, x.pointer, size),
                  options.repeat)
    print(f"peer   2 GiB: {size / ours / 1e9:.1f} GB/s, cuMemcpyPeer "
          f"{size / theirs / 1e9:.1f} GB/s, {theirs / ours:.2f} of it",
          flush=True)
    return np.array_equal(back, probe)


def shared(lib, options):
    module = lib.compile(SOURCE)
    right = True
    for name, power, count in (("add", 28, 2), ("heavy", 26, 1)):
        x = [np.random.default_rng(i).random(1 << power, dtype=np.float32)
             for i in range(count)]
        times, outs = [], []
        for device in ((CUDA, 0), (CUDA, ALL_GPUS)):
            out = np.zeros(1 << power, np.float32)
            call = kernapi.Prepared(module[name], x, [Tensor.of(out)],
                                    device=device)
            times.append(best(call, options.repeat))
            outs.append(out)
        right &= np.array_equal(*outs)
        print(f"all    {name} of 2^{power}: {times[0] * 1e3:.1f} ms on one GPU, "
              f"{times[1] * 1e3:.1f} on {lib.cuda_count()}, "
              f"{times[0] / times[1]:.2f} x", flush=True)
    return right


def parts(lib, options):
    module = lib.compile(SOURCE)
    right, one = True, {}
    counts = [n for n in (1, 2, 4, 8) if n <= lib.cuda_count()]
    for count in counts:
        devices = [(CUDA, i) for i in range(count)]
        x, y, z = (kernsharded.Sharded.empty(
            lib, np.float32, (count << 28,), devices) for _ in range(3))
        for value, into in ((0.5, x), (0.25, y)):
            kernsharded.call(module["same"], np.float32(value), out=into)
        for label, name, arguments, out, value in (
                ("add", "add", [x, y], z, 0.75),
                ("exp", "exponential", [x], z, np.exp(np.float32(0.5))),
                ("in place", "add", [x, y], x, None)):
            call = kernsharded.ShardedCall(module[name], arguments, [out])
            loops = 20

            def calls():
                for _ in range(loops):
                    call()
                out.synchronize()
            taken = best(calls, options.repeat) / loops
            one.setdefault(label, taken)
            for i in range(count if value is not None else 0):
                part = out.part(i)
                last = Tensor(part.data + 4 * (part.shape[0] - 64), np.float32,
                              (64,), (1,), (CUDA, i))
                got = lib.copy(last.c, (kernapi.CPU, 0)).numpy(lib)
                right &= np.allclose(got, value, rtol=1e-6)
            print(f"parts  {label} of 2^28 a GPU on {count}: {taken * 1e3:.3f} "
                  f"ms, {count * one[label] / taken:.2f} x", flush=True)
        del x, y, z
    return right


def large(lib, options):
    size = int(options.gib * 2**30)
    next_ = lib.compile(SOURCE)["next"]
    x = np.empty(size, np.uint8)
    step = 1 << 26

    def fill(at):
        x[at:at + step] = (at // step) % 251
    # The system takes longer to give the memory than the pass takes.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        for _ in threads.map(fill, range(0, size, step)):
            pass
    before = lib.describe((CUDA, 0)).memory_free
    least, done = before, threading.Event()

    def watch():
        nonlocal least
        while not done.wait(0.05):
            least = min(least, lib.describe((CUDA, 0)).memory_free)
    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.perf_counter()
    next_(x, out=x, device=(CUDA, 0))
    taken = time.perf_counter() - start
    done.set()
    watcher.join()
    right = all(
        x[at] == (at // step) % 251 + 1 and x[min(at + step, size) - 1] == x[at]
        for at in range(0, size, step))
    print(f"large  {options.gib:g} GiB of u8 in place: {taken:.2f} s, "
          f"{size / taken / 1e9:.1f} GB/s each way, "
          f"{(before - least) / 2**20:.0f} MiB of device memory", flush=True)
    return right


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--lib", required=True, help="libkern.so")
    options.add_argument("--gib", type=float, default=200)
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--rows", default="peer,all,parts,large")
    options = options.parse_args()
    lib = kernapi.Library(options.lib)
    rows = options.rows.split(",")
    if lib.cuda_count() < 2 and set(rows) - {"large", "parts"}:
        sys.exit(f"several_gpus.py: needs two GPUs, there "
                 f"are {lib.cuda_count()}: {lib.cuda_reason()}")
    right = True
    for name, run in (("peer", peer), ("all", shared), ("parts", parts),
                      ("large", large)):
        if name in rows:
            right &= run(lib, options)
    if not right:
        print("wrong results")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
