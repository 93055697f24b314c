#!/usr/bin/env python3
"""What `auto` costs beside the better of CPU and GPU: calls over host arrays of
twenty-one functions, from host memory to host memory.

usage: places.py --lib LIB [--power N,…] [--rows NAME,…] [--seconds S] [--until S]

A row has milliseconds on the CPU, on the GPU, and with KERN_AUTO; the time of the
place that KERN_AUTO takes by that of the better one, and which it is; then what
KERN_AUTO expected of both, or what its first calls took there where the estimates
are close ("measured"). The three take turns, and each has its best call: on a
machine that others use too, two columns of one place differ by more than a wrong
choice costs. So the choice is judged by the columns of the places, and what KERN_AUTO
itself costs by the mean of its column beside that of the place, over all rows. Exit
status 1 if a choice costs more than 1.2 times the better place and 2 us, if the mean
is more than 1.05, or if a result of the GPU is wrong. All sizes take some three
minutes on a machine of 16 cores; small ones come first, and --until ends the run with
those that it has.
"""

import argparse
import ctypes
import itertools
import math
import pathlib
import re
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
gufunc smooth(v: f32[n]) -> (y: f32[n]):
    s = v[0]
    for i in range(n):
        s = 0.9 * s + 0.1 * v[i]
        y[i] = s
"""
# Of gufuncs; matrices are 64 x 64, and the rows that go in order are longer.
CORE, LONG_CORE = 256, 4096
SLACK = 2e-6
ROUNDS = 4


def polar_bounds(a, b, c, d):
    """What is left of a * a + c * c - 2 * a * c * cos(b - d) may be no more than
    the rounding errors of its terms, some 3 units as measured with NumPy in f32;
    NaN if it can be negative."""
    a, b, c, d = (v.astype(np.float64) for v in (a, b, c, d))
    square = a * a + c * c - 2 * a * c * np.cos(b - d)
    error = 8 * 2.0 ** -24 * (a * a + c * c + 2 * a * c)
    with np.errstate(invalid="ignore"):
        return np.sqrt(square - error), np.sqrt(square + error)


# Of functions whose errors have no bound beside their values: from the arguments
# the least and the largest value that is right.
BOUNDS = {"polar": polar_bounds}


class Data:
    """Random arrays of `most` elements, made when they are needed, and parts of
    them."""

    def __init__(self, most):
        self.most = most
        self.made = {}

    def array(self, dtype, k=0):
        key = dtype, k
        if key not in self.made:
            rng = np.random.default_rng(3 + k)
            if dtype == "u4":
                self.made[key] = rng.integers(0, 2**32, self.most, np.uint32)
            else:
                self.made[key] = rng.random(self.most, dtype)
                self.made[key] += np.dtype(dtype).type(0.1)
        return self.made[key]

    def arguments(self, function, n):
        """Arrays of n elements in all for each parameter."""
        def random(k=0, shape=(n,), dtype="f4"):
            return self.array(dtype, k)[:math.prod(shape)].reshape(shape)
        if function == "sine64":
            return [random(dtype="f8")]
        if function == "bits":
            return [random(k, dtype="u4") for k in range(2)]
        if function in ("norm", "softmax", "running"):
            return [random(shape=(max(n // CORE, 1), min(n, CORE)))]
        if function == "smooth":
            return [random(shape=(max(n // LONG_CORE, 1), min(n, LONG_CORE)))]
        if function == "product":
            rows = max(n // 4096, 1)
            side = 64 if n >= 4096 else math.isqrt(n)
            return [random(k, shape=(rows, side, side)) for k in range(2)]
        if function == "axpy":
            return [np.float32(1.5), random(), random(1)]
        if function == "gaussian":
            return [random(), np.float32(0.5), np.float32(0.25)]
        count = {"add": 2, "power": 2, "polar": 4, "black_scholes": 3}
        return [random(k) for k in range(count.get(function, 1))]


def timed(calls, seconds):
    """The least time of each of `calls`, which take turns of at least two calls
    each, forwards and backwards, so that what else the machine does meets all of
    them alike. The first call of a turn is not counted: it finds the threads and
    caches of another place. Slow calls have half of the turns."""
    times = [math.inf] * len(calls)
    order = list(range(len(calls)))
    start = time.perf_counter()
    for number in range(ROUNDS):
        if number == ROUNDS // 2 and (time.perf_counter() - start
                                      > 2 * seconds * len(calls)):
            break
        for k in order:
            call = calls[k]
            call()
            begin = now = time.perf_counter()
            count = 0
            while count < 2 or now - begin < seconds / ROUNDS:
                before = now
                call()
                now = time.perf_counter()
                times[k] = min(times[k], now - before)
                count += 1
        order.reverse()
    return times


def samples(array):
    """Views of the first and the last elements, and of some between them."""
    flat, ends = array.reshape(-1), 1 << 16
    return [flat[:ends], flat[::max(flat.size // ends, 1)], flat[-ends:]]


def is_right(function, given, got, wanted):
    """Whether samples of a result are as expected, here those of the CPU."""
    if function not in BOUNDS:
        return all(np.allclose(part, other, rtol=3e-4, atol=1e-4)
                   for part, other in zip(got, wanted))
    parts = zip(*(samples(array) for array in given))
    for part, arguments in zip(got, parts):
        least, most = BOUNDS[function](*arguments)
        if not np.all(np.where(np.isnan(part), np.isnan(least),
                               ~(part < least) & (part <= most))):
            return False
    return True


def expectation(function, given, target):
    """What KERN_AUTO expects in seconds on the CPU and on the GPU, or what its
    first calls took there where that decides, and which of them it takes."""
    call = kernapi.Prepared(function, given, target,
                            device=(kernapi.CUDA, kernapi.AUTO))
    text = ctypes.create_string_buffer(1 << 14)
    call.options.explanation = ctypes.cast(text, ctypes.c_char_p)
    call.options.explanation_size = len(text)
    for _ in range(70):  # the first ones may be trials
        call()
        said = re.match(r"auto: (\S+) ms on cpu and (\S+) ms on \S+ "
                        r"(expected|measured), so it runs on (\S+)",
                        text.value.decode())
        if said:
            cpu, gpu, how, taken = said.groups()
            return (float(cpu) / 1e3, float(gpu) / 1e3, how,
                    "CPU" if taken == "cpu" else "GPU")
    return math.nan, math.nan, "?", "?"


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--lib", required=True, help="libkern.so")
    options.add_argument("--power", default="8,10,12,14,16,18,20,22,24,26,28",
                         help="2^N elements (8,10,…,28)")
    options.add_argument("--seconds", type=float, default=0.06,
                         help="for each place, at least four calls (0.06)")
    options.add_argument("--until", type=float, default=1e9,
                         help="begin no size of a function after so many seconds")
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
    failed, worst, begun, left = 0, (0.0, ""), time.perf_counter(), []
    beside = []
    powers = [int(p) for p in options.power.split(",")]
    data = Data(1 << max(powers))
    rates = lib.rates(gpu)
    print(f"link {rates.to_device / 1e9:.1f} and {rates.to_host / 1e9:.1f} GB/s, "
          f"copies {rates.copied / 1e9:.1f} GB/s, start {rates.start * 1e6:.1f} us")
    print(f"{'':20}" + "".join(f"{p:>12}" for p in places)
          + f"{'ratio':>9}{'':>7}{'expected: CPU':>15}{'GPU':>12}")
    for power, name in itertools.product(powers, names):
        if only and name not in only:
            continue
        if time.perf_counter() - begun > options.until:
            left.append(f"{name} 2^{power}")
            continue
        given = data.arguments(name, 1 << power)
        expected = module[name](*given, device=places["CPU"])
        wanted = [part.copy() for part in samples(expected)]
        target = [kernapi.Tensor.of(expected)]
        calls = []
        for place, device in places.items():
            for part in samples(expected):
                part[...] = 0
            calls.append(kernapi.Prepared(module[name], given, target,
                                          device=device))
            calls[-1]()
            if not is_right(name, given, samples(expected), wanted):
                print(f"{name} 2^{power} on {place}: wrong")
                failed += 1
        times = dict(zip(places, timed(calls, options.seconds)))
        on_cpu, on_gpu, how, taken = expectation(module[name], given, target)
        better = min(times["CPU"], times["GPU"])
        chosen = times.get(taken, times["auto"])
        beside.append(math.log(times["auto"] / chosen))
        ratio = chosen / better
        is_slow = ratio > 1.2 and chosen - better > SLACK
        failed += is_slow
        if chosen - better > SLACK:
            worst = max(worst, (ratio, f"{name} 2^{power}"))
        print(f"{name + f' 2^{power}':20}" + "".join(
            f"{t * 1e3:12.4f}" for t in times.values())
            + f"{ratio:9.2f}  {taken:5}{on_cpu * 1e3:15.4f}{on_gpu * 1e3:12.4f}"
            + f"  {how}"
            + ("  SLOW" if is_slow else ""), flush=True)
    if left:
        print(f"not measured: {len(left)}, from {left[0]} on")
    print(f"worst: {worst[0]:.2f} {worst[1]}")
    mean = math.exp(sum(beside) / max(len(beside), 1))
    failed += mean > 1.05
    print(f"auto beside the place that it takes: {mean:.3f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
