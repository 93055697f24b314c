"""What compiling costs: to a first result, from the disk cache, and as a whole
process beside nvcc."""

import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import cupy
import numpy as np

import kernapi
import built
from contenders import HERE, as_numba, jax, numba, reason, tensor, torch
from data import F
from measure import synchronize

BODY = "exp(-0.5 * z * z) * sin(x) * x ** z / (sigma * 2.5066)"
TRANSCENDENTAL = (
    "ufunc f(x: T, mean: T, sigma: T) -> T where T in (f32, f64):\n"
    f"    z = (x - mean) / sigma\n    return {BODY} + SALT\n")
GAUSSIAN = (
    "ufunc f(x: T, mean: T, sigma: T) -> T where T in (f32, f64):\n"
    "    z = (x - mean) / sigma\n"
    "    return exp(-0.5 * z * z) / (sigma * 2.5066282746) + SALT\n")
GUFUNCS = {
    "matvec": "gufunc f(a: T[m, k], x: T[k]) -> (y: T[m]) where T in (f32, f64):\n"
              "    for i in prange(m):\n"
              "        y[i] = sum(a[i, p] * x[p] for p in range(k)) + SALT\n",
    "softmax": "gufunc f(v: T[n]) -> (y: T[n]) where T in (f32, f64):\n"
               "    top = max(v) + SALT\n"
               "    total = sum(exp(x - top) for x in v)\n"
               "    for i in prange(n):\n"
               "        y[i] = exp(v[i] - top) / total\n",
    "matmul": "gufunc f(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f32, f64):\n"
              "    for i, j in prange(m, n):\n"
              "        c[i, j] = sum(a[i, p] * b[p, j] for p in range(k)) + SALT\n",
}


def first_results(lib, rounds=5):
    """Milliseconds from a source never seen to its first result. Those of
    gufuncs are of arrays of 1024 x 1024, whose kernels are the largest."""
    os.environ["KERN_BACKGROUND"] = "1"  # as for a user's first call
    a, out = cupy.ones(1, F), cupy.empty(1, F)
    square, row = cupy.ones((1024, 1024), F), cupy.ones(1024, F)
    operands = {"matvec": ([square, row], [row.copy()]),
                "softmax": ([square], [square.copy()]),
                "matmul": ([square, square], [square.copy()])}
    times = {}

    def timed(name, build, settle=None):
        """`settle` takes what `build` made, and is not timed."""
        taken = []
        for k in range(rounds):
            salt = (time.time_ns() + k) % 1000003
            try:
                synchronize()
                began = time.perf_counter()
                made = build(salt)
                synchronize()
                taken.append((time.perf_counter() - began) * 1e3)
                if settle:
                    settle(made)
            except Exception as error:
                print(f"  {name} cannot: {reason(error)}")
                return
        times[name] = statistics.median(taken)

    def kern(source, *more):
        def build(salt):
            module = lib.compile(source.replace("SALT", str(salt)))
            kernapi.Prepared(module["f"], [tensor(a), *more],
                             [tensor(out)])()
        return build

    def kern_gufunc(name):
        inputs, outputs = ([tensor(x) for x in list_]
                           for list_ in operands[name])

        def build(salt):
            module = lib.compile(GUFUNCS[name].replace("SALT", str(salt)))
            call = kernapi.Prepared(module["f"], inputs, outputs)
            call()
            return module, call
        return build

    def until_made(made):
        """Calls until the kernel is there that later ones have."""
        _, call = made
        for _ in range(1000):
            if b"for now" not in call.told().form:
                return
            time.sleep(0.01)

    def cupy_kernel(salt):
        cupy.ElementwiseKernel(
            "float32 x, float32 mean, float32 sigma", "float32 y",
            "float z = (x - mean) / sigma;"
            "y = expf(-0.5f * z * z) * sinf(x) * powf(x, z)"
            f" / (sigma * 2.5066f) + {salt}", f"f{salt}")(a, F(0), F(1), out)

    timed("kern, add", kern("ufunc f(a, b):\n    return a + b + SALT\n",
                            tensor(a)))
    timed("kern, exp·sin·pow", kern(TRANSCENDENTAL, 0.0, 1.0))
    for name in GUFUNCS:
        timed(f"kern, {name}", kern_gufunc(name), until_made)
    timed("CuPy ElementwiseKernel, exp·sin·pow", cupy_kernel)
    if numba:
        da, do = as_numba(a), as_numba(out)

        def numba_kernel(salt):
            constant = F(salt)

            def body(x, mean, sigma):
                z = (x - mean) / sigma
                return (math.exp(F(-0.5) * z * z) * math.sin(x)
                        * math.pow(x, z) / (sigma * F(2.5066)) + constant)
            numba.vectorize(["float32(float32, float32, float32)"],
                            target="cuda")(body)(da, da, da, out=do)
        timed("Numba vectorize, exp·sin·pow", numba_kernel)
    if jax:
        import jax.numpy as jnp
        ja = jnp.ones(1, jnp.float32)

        def jax_kernel(salt):
            jax.jit(lambda x: jnp.exp(-0.5 * x * x) * jnp.sin(x)
                    * jnp.power(x, x) / 2.5066 + salt)(ja).block_until_ready()
        timed("JAX jit, exp·sin·pow", jax_kernel)
    if torch:
        ta = torch.ones(1, device="cuda")

        def torch_kernel(salt):
            torch._dynamo.reset()
            torch.compile(lambda x: torch.exp(-0.5 * x * x) * torch.sin(x)
                          * torch.pow(x, x) / 2.5066 + salt)(ta)
        rounds = 2
        timed("torch.compile, exp·sin·pow", torch_kernel)
    os.environ["KERN_BACKGROUND"] = "0"
    return times


# In a process of its own: the driver starts first, then the library does.
NEW_PROCESS = r"""
import ctypes as C, sys, time
sys.path.insert(0, sys.argv[2])
import numpy as np
import kernapi
driver = C.CDLL("libcuda.so.1")
context = C.c_void_p()
began = time.perf_counter()
assert driver.cuInit(0) == 0
assert driver.cuDevicePrimaryCtxRetain(C.byref(context), 0) == 0
started = time.perf_counter()
lib = kernapi.Library(sys.argv[1])
loaded = time.perf_counter()
x = lib.copy(kernapi.Tensor.of(np.ones(1, np.float32)).c, (kernapi.CUDA, 0))
lib.synchronize()
ready = time.perf_counter()
module = lib.compile(open(sys.argv[3]).read())
function = module["f"]
values = (kernapi.Value * 3)()
for value, argument in zip(values, (x, 0.0, 1.0)):
    kernapi.fill_value(value, argument, None, [])
result = function.raw(values, None)
lib.synchronize()
done = time.perf_counter()
moments = began, started, loaded, ready, done
print(*(1e3 * (b - a) for a, b in zip(moments, moments[1:])))
"""


def new_processes(options, rounds=7):
    """Milliseconds to the first result in a new process, once the driver has
    started and a first array is on the device: with an empty cache, and with
    what the first process left there."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        source = folder / "f.kern"
        source.write_text(TRANSCENDENTAL.replace("SALT", "1"))
        environment = dict(os.environ, KERN_CACHE_DIR=str(folder / "cache"))
        taken = []
        for _ in range(rounds):
            done = subprocess.run(
                [sys.executable, "-c", NEW_PROCESS, options.lib,
                 str(HERE.parent / "e2e"), str(source)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env=environment)
            if done.returncode:
                print(f"  a new process failed: {done.stderr[-300:]}")
                return {}
            taken.append([float(word) for word in done.stdout.split()])
        later = taken[1:]
        return {
            "the driver's own start": statistics.median(t[0] for t in taken),
            "loading the library": statistics.median(t[1] for t in later),
            "a first array on the device": statistics.median(
                t[2] for t in later),
            "kern, exp·sin·pow, nothing cached": taken[0][3],
            "kern, exp·sin·pow, from the disk cache": statistics.median(
                t[3] for t in later)}


CUDA_SOURCE = r"""
extern "C" __global__ void f(const float *x, float mean, float sigma, float *y,
                             long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float z = (x[i] - mean) / sigma;
  y[i] = RESULT;
}
"""
RESULTS = {
    "gaussian_pdf": (
        GAUSSIAN, "expf(-0.5f * z * z) / (sigma * 2.5066282746f) + 1"),
    "exp·sin·pow": (
        TRANSCENDENTAL,
        "expf(-0.5f * z * z) * sinf(x[i]) * powf(x[i], z)"
        " / (sigma * 2.5066f) + 1"),
}


def processes(kern, architecture, rounds=7):
    """Milliseconds of a whole process that compiles to PTX, Kern and nvcc in
    turn; Kern without its cache."""
    nvcc = shutil.which("nvcc") or shutil.which(
        "nvcc", path="/usr/local/cuda/bin")
    times = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        commands = {}
        for at, (name, (source, result)) in enumerate(RESULTS.items()):
            (folder / f"{at}.kern").write_text(source.replace("SALT", "1"))
            (folder / f"{at}.cu").write_text(
                CUDA_SOURCE.replace("RESULT", result))
            if kern:
                commands[f"kern compile, {name}"] = [
                    kern, "compile", str(folder / f"{at}.kern"),
                    "--signature", "f32(f32, f32, f32)", "--target",
                    architecture, "-o", str(folder / "k.ptx")]
            if nvcc:
                commands[f"nvcc -ptx, {name}"] = [
                    nvcc, "-ptx", f"-arch={architecture}",
                    str(folder / f"{at}.cu"), "-o", str(folder / "c.ptx")]
        taken = {name: [] for name in commands}
        environment = dict(os.environ, KERN_CACHE="0")
        for _ in range(rounds):
            for name, command in list(commands.items()):
                began = time.perf_counter()
                done = subprocess.run(command, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True,
                                      env=environment)
                if done.returncode:
                    print(f"  {name} failed: {done.stdout[:300]}")
                    del commands[name]
                    continue
                taken[name].append((time.perf_counter() - began) * 1e3)
        for name, values in taken.items():
            if values:
                times[name] = statistics.median(values)
    return times


def measure(lib, options, architecture, report):
    """Fills the report's tables, one after the other."""
    report["process"] = processes(options.kern, architecture)
    print("process, ms:", report["process"], flush=True)
    report["ptx"] = built.ptx(options.kern)
    report["cached"] = new_processes(options)
    print("new process, ms:", report["cached"], flush=True)
    report["first"] = first_results(lib)
    print("first result, ms:", report["first"], flush=True)
