#!/usr/bin/env python3
"""Bodies with loops and branches on one thread of the CPU, beside the same bodies
written in C++ for vectors with masks (masked_bodies.cpp).

    masked_bodies.py --lib libkern.so [--rounds 25] [--clang clang++-22]

Both are compiled twice, for this CPU (the C++ in registers of 64 bytes) and for AVX2.
Results are compared first. Contenders take turns; times are CPU time, and the
least of all rounds counts.
"""

import argparse
import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # before threads begin

import numpy as np

import kernapi

SOURCE = """
ufunc mandelbrot(cx: f64, cy: f64) -> i64:
    zr = 0.0
    zi = 0.0
    k = 0
    for i in range(256):
        a = zr * zr
        b = zi * zi
        if a + b > 4:
            break
        zi = 2 * zr * zi + cy
        zr = a - b + cx
        k += 1
    return k

ufunc newton(x: f64) -> f64:
    z = x
    for i in range(50):
        d = (z * z * z - x) / (3.0 * z * z)
        z -= d
        if abs(d) < 1e-12:
            break
    return z

ufunc logistic(r: f32, x0: f32) -> f32:
    x = x0
    for i in range(200):
        y = r * x * (1 - x)
        d = y - x
        x = y
        if abs(d) < 1e-6:
            break
    return x

def f(x, y, z):
    return 10 * (y - x), x * (28 - z) - y, x * y - 2.6666667 * z

ufunc lorenz(x0: f32, y0: f32, z0: f32) -> f32:
    x = x0
    y = y0
    z = z0
    dt = f32(0.01)
    h = dt * f32(0.5)
    for i in range(200):
        a1, b1, c1 = f(x, y, z)
        a2, b2, c2 = f(x + h * a1, y + h * b1, z + h * c1)
        a3, b3, c3 = f(x + h * a2, y + h * b2, z + h * c2)
        a4, b4, c4 = f(x + dt * a3, y + dt * b3, z + dt * c3)
        x += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        y += dt / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
        z += dt / 6 * (c1 + 2 * c2 + 2 * c3 + c4)
    return x + y + z

def hash(x, y):
    h = u32(x) * u32(374761393) + u32(y) * u32(668265263)
    h = (h ^ (h >> u32(13))) * u32(1274126177)
    return h ^ (h >> u32(16))

def grad(h, x, y):
    u = -x if h & 1 != 0 else x
    v = -y if h & 2 != 0 else y
    return u + v

ufunc perlin(x: f32, y: f32) -> f32:
    ix = i32(floor(x))
    iy = i32(floor(y))
    fx = x - f32(ix)
    fy = y - f32(iy)
    u = fx * fx * fx * (fx * (fx * 6 - 15) + 10)
    v = fy * fy * fy * (fy * (fy * 6 - 15) + 10)
    a = grad(hash(ix, iy), fx, fy)
    b = grad(hash(ix + 1, iy), fx - 1, fy)
    c = grad(hash(ix, iy + 1), fx, fy - 1)
    d = grad(hash(ix + 1, iy + 1), fx - 1, fy - 1)
    p = a + u * (b - a)
    q = c + u * (d - c)
    return p + v * (q - p)

def normal(d):
    k = 1.0 / (1.0 + 0.2316419 * abs(d))
    tail = (0.39894228040143267793994605993438 * exp(-0.5 * d * d) *
            (k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 +
             k * (-1.821255978 + k * 1.330274429))))))
    if d > 0:
        tail = 1.0 - tail
    return tail

ufunc black_scholes(s: f64, x: f64, t: f64, r: f64, v: f64) -> f64:
    root = sqrt(t)
    d1 = (log(s / x) + (r + 0.5 * v * v) * t) / (v * root)
    d2 = d1 - v * root
    return x * exp(-r * t) * (1.0 - normal(d2)) - s * (1.0 - normal(d1))

ufunc haversine(lat1: f64, lon1: f64, lat2: f64, lon2: f64) -> f64:
    y = sin(deg2rad(lat2 - lat1) / 2)
    x = sin(deg2rad(lon2 - lon1) / 2)
    a = y ** 2 + cos(deg2rad(lat1)) * cos(deg2rad(lat2)) * x ** 2
    return 2 * 6371.0 * arcsin(min(1.0, sqrt(a)))

def side(a, b, c, d, e):
    b0 = 13.0 / 12.0 * (a - 2 * b + c) ** 2 + 0.25 * (a - 4 * b + 3 * c) ** 2
    b1 = 13.0 / 12.0 * (b - 2 * c + d) ** 2 + 0.25 * (b - d) ** 2
    b2 = 13.0 / 12.0 * (c - 2 * d + e) ** 2 + 0.25 * (3 * c - 4 * d + e) ** 2
    w0 = 0.1 / (1e-6 + b0) ** 2
    w1 = 0.6 / (1e-6 + b1) ** 2
    w2 = 0.3 / (1e-6 + b2) ** 2
    q0 = (2 * a - 7 * b + 11 * c) / 6
    q1 = (-b + 5 * c + 2 * d) / 6
    q2 = (2 * c + 5 * d - e) / 6
    return (w0 * q0 + w1 * q1 + w2 * q2) / (w0 + w1 + w2)

ufunc weno(a: f64, b: f64, c: f64, d: f64, e: f64, s: f64) -> f64:
    if s > 0:
        return side(a, b, c, d, e)
    return side(e, d, c, b, a)
"""
# Of each CPU Kern's level, and Clang's options.
CPUS = {"this CPU": ("", ["-march=native", "-mprefer-vector-width=512"]),
        "AVX2": ("x86-64-v3", ["-march=x86-64-v3"])}


def rows():
    """Each function with its inputs and the type of its result."""
    random = np.random.default_rng(1)

    def numbers(count, low, high, dtype="f8"):
        return random.uniform(low, high, count).astype(dtype)
    x, y = np.meshgrid(np.linspace(-2, 0.5, 512), np.linspace(-1.2, 1.2, 256))
    yield "mandelbrot", [x.ravel(), y.ravel()], np.int64
    yield "newton", [numbers(1 << 17, 1, 100)], np.float64
    few, many = 1 << 15, 1 << 18
    yield ("logistic", [numbers(few, 2.4, 3.9, "f4"), numbers(few, 0, 1, "f4")],
           np.float32)
    yield "lorenz", [numbers(few, 0, 1, "f4") for _ in range(3)], np.float32
    yield "perlin", [numbers(many, -50, 50, "f4") for _ in range(2)], np.float32
    yield ("black_scholes", [numbers(1 << 16, low, high) for low, high in (
        (5, 30), (1, 100), (0.25, 10), (0.01, 0.05), (0.1, 0.5))], np.float64)
    yield ("haversine", [numbers(1 << 16, -high, high)
                         for high in (90, 180, 90, 180)], np.float64)
    yield ("weno", [numbers(1 << 16, 0, 1) for _ in range(5)] +
           [numbers(1 << 16, -0.5, 0.5)], np.float64)


def compiled(clang, folder):
    """The functions in C++, by how they are compiled."""
    libraries = {}
    for number, (name, (_, options)) in enumerate(CPUS.items()):
        library = pathlib.Path(folder) / f"bodies{number}.so"
        subprocess.run([clang, "-O3", "-std=c++20", "-ffp-contract=fast", *options,
                        "-shared", "-fPIC", "-Wno-psabi", HERE / "masked_bodies.cpp",
                        "-o", library, "-lmvec"], check=True)
        libraries[name] = ctypes.CDLL(str(library))
    return libraries


def in_cpp(function, inputs, out):
    arguments = [ctypes.c_int64(out.size),
                 *(ctypes.c_void_p(a.ctypes.data) for a in (*inputs, out))]
    return lambda: function(*arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lib", required=True)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--clang", default="clang++-22")
    options = parser.parse_args()
    library = kernapi.Library(options.lib)
    print("| body, ms |" + "".join(f" Kern, {cpu} | C++, {cpu} |" for cpu in CPUS))
    print("| --- |" + " --- | --- |" * len(CPUS))
    with tempfile.TemporaryDirectory() as folder:
        in_clang = compiled(options.clang, folder)
        modules = {cpu: library.compile(SOURCE + f"\n# {cpu}\n") for cpu in CPUS}
        for name, inputs, dtype in rows():
            calls, outs = [], []
            for cpu, (level, _) in CPUS.items():
                os.environ["KERN_CPU_LEVEL"] = level
                outs += [np.empty(inputs[0].size, dtype) for _ in range(2)]
                calls += [
                    kernapi.Prepared(modules[cpu][name], inputs,
                                     [kernapi.Tensor.of(outs[-2])],
                                     device=(kernapi.CPU, 0)),
                    in_cpp(getattr(in_clang[cpu], name), inputs, outs[-1])]
                for call in calls[-2:]:  # compiles
                    call()
            for out in outs[1:]:  # chaos and sums contracted otherwise: most agree
                if np.mean(np.isclose(out, outs[0], 1e-3, 1e-3)) < 0.95:
                    sys.exit(f"{name}: the results differ")
            best = [float("inf")] * len(calls)
            for _ in range(options.rounds):
                for i, call in enumerate(calls):
                    began = time.process_time()
                    call()
                    best[i] = min(best[i], (time.process_time() - began) * 1e3)
            cells = [f"{ours:.3f} | {theirs:.3f} ({ours / theirs:.2f})"
                     for ours, theirs in zip(best[::2], best[1::2])]
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
