#!/usr/bin/env python3
"""What `auto` costs beside the better of CPU and GPU: calls over host arrays of
twenty functions, from host memory to host memory.

usage: places.py --lib LIB [--power N,…] [--repeat N] [--rows NAME,…] [--seconds S]

A row has milliseconds on the CPU, on the GPU, and with KERN_AUTO, what that took,
and its time by the better of the two. Exit status 1 if that is more than 1.2 where
the difference is more than 2 us, or if a result of the GPU is wrong.
"""

import argparse
import pathlib
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "e2e"))

import kernapi  # noqa: E402

SOURCE = """
ufunc copy(x: f32) -> f32: return x
ufunc add(x: f32, y: f32) -> f32: return x + y
ufunc axpy(a: f32, x: f32, y: f32) -> f32: return a * x + y
ufunc clip(x: f32) -> f32: return min(max(x, 0.2), 0.8)
ufunc root(x: f32) -> f32: return sqrt(x)
ufunc exponential(x: f32) -> f32: return exp(x)
ufunc sine(x: f32) -> f32: return sin(x)
ufunc sine64(x: f64) -> f64: return sin(x)
ufunc power(x: f32, y: f32) -> f32: return x ** y
ufunc gaussian(x: f32, m: f32, s: f32) -> f32:
    return exp(-0.5 * ((x - m) / s) ** 2) / (s * sqrt(2 * pi))
ufunc polar(a: f32, b: f32, c: f32, d: f32) -> f32:
    return sqrt(a * a + c * c - 2 * a * c * cos(b - d))
ufunc black_scholes(s: f32, k: f32, t: f32) -> f32:
    v = 0.3 * sqrt(t)
    d = (log(s / k) + 0.045 * t) / v
    return 0.5 * s * erfc(-0.7071 * d) - 0.5 * k * exp(-0.02 * t) * erfc(0.7071 * (v - d))
ufunc gamma_log(x: f32) -> f32: return lgamma(x + 1)
ufunc iterated(x: f32) -> f32:
    y = x
    for i in range(64):
        y = y * 0.5 + 1
    return y
ufunc long_iterated(x: f32) -> f32:
    y = x
    for i in range(1000):
        y = y * 0.5 + 1
    return y
ufunc bits(x: u32, y: u32) -> u32: return (x ^ y) * 2654435761
gufunc norm(v: f32[n]) -> f32: return sqrt(sum(x * x for x in v))
gufunc softmax(v: f32[n]) -> (y: f32[n]):
    m = max(v)
    s = sum(exp(x - m) for x in v)
    for i in range(n):
        y[i] = exp(v[i] - m) / s
gufunc running(v: f32[n]) -> (y: f32[n]):
    y[:] = cumsum(v)
gufunc product(a: f32[m, k], b: f32[k, n]) -> (c: f32[m, n]):
    for i in range(m):
        for j in range(n):
            c[i, j] = sum(a[i, l] * b[l, j] for l in range(k))
"""
CORE = 256  # of gufuncs; matrices are 64 x 64
SLACK = 2e-6


def arguments(function, n):
    """Arrays of n elements in all for each parameter."""
    rng = np.random.default_rng(3)

    def random(dtype="f4", shape=(n,)):
        return rng.random(shape, dtype=dtype) + np.dtype(dtype).type(0.1)
    if function == "sine64":
        return [random("f8")]
    if function == "bits":
        return [rng.integers(0, 2**32, n, dtype=np.uint32) for _ in range(2)]
    if function in ("norm", "softmax", "running"):
        return [random(shape=(max(n // CORE, 1), CORE))]
    if function == "product":
        return [random(shape=(max(n // 4096, 1), 64, 64)) for _ in range(2)]
    if function == "axpy":
        return [np.float32(1.5), random(), random()]
    if function == "gaussian":
        return [random(), np.float32(0.5), np.float32(0.25)]
    count = {"add": 2, "power": 2, "polar": 4, "black_scholes": 3}
    return [random() for _ in range(count.get(function, 1))]


def best(call, repeat, seconds):
    call()
    call()
    times, begin = [], time.perf_counter()
    while len(times) < repeat and (
            len(times) < 3 or time.perf_counter() - begin < seconds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--lib", required=True, help="libkern.so")
    options.add_argument("--power", default="8,10,12,14,16,18,20,22,24,26,28",
                         help="2^N elements (8,10,…,28)")
    options.add_argument("--repeat", type=int, default=50)
    options.add_argument("--seconds", type=float, default=0.2,
                         help="for each place, at least three calls (0.2)")
    options.add_argument("--rows", default="", help="only these functions")
    options = options.parse_args()
    lib = kernapi.Library(options.lib)
    if not lib.cuda_count():
        sys.exit("places.py: no GPU: " + lib.cuda_reason())
    module = lib.compile(SOURCE)
    names = [line.split("(")[0].split()[1] for line in SOURCE.splitlines()
             if line.startswith(("ufunc", "gufunc"))]
    only = [name for name in options.rows.split(",") if name]
    gpu, auto = (kernapi.CUDA, 0), (kernapi.CUDA, kernapi.AUTO)
    places = {"CPU": (kernapi.CPU, 0), "GPU": gpu, "auto": auto}
    failed, worst = 0, (0.0, "")
    print(f"{'':20}" + "".join(f"{p:>12}" for p in places) + f"{'ratio':>9}")
    for name in names:
        if only and name not in only:
            continue
        for power in (int(p) for p in options.power.split(",")):
            given = arguments(name, 1 << power)
            expected = module[name](*given, device=places["CPU"])
            out = np.empty_like(expected)
            target = [kernapi.Tensor.of(out)]
            times = {}
            for place, device in places.items():
                out[...] = 0
                call = kernapi.Prepared(module[name], given, target,
                                        device=device)
                times[place] = best(call, options.repeat, options.seconds)
                if not np.allclose(out, expected, rtol=3e-4, atol=1e-4):
                    print(f"{name} 2^{power} on {place}: wrong")
                    failed += 1
            said = kernapi.Report()
            module[name](*given, device=auto, report=said)
            better = min(times["CPU"], times["GPU"])
            ratio = times["auto"] / better
            is_slow = ratio > 1.2 and times["auto"] - better > SLACK
            failed += is_slow
            if times["auto"] - better > SLACK:
                worst = max(worst, (ratio, f"{name} 2^{power}"))
            print(f"{name + f' 2^{power}':20}" + "".join(
                f"{t * 1e3:12.4f}" for t in times.values())
                + f"{ratio:9.2f}  "
                + ("CPU" if said.device.device_type == kernapi.CPU else "GPU")
                + ("  SLOW" if is_slow else ""), flush=True)
    print(f"worst: {worst[0]:.2f} {worst[1]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
