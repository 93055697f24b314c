"""What a call costs on one element, and what compiling costs."""

import ctypes as C
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

import cupy
import numpy as np

import kernapi
import workloads
from measure import synchronize, wall_us
from workloads import EXAMPLES, F, numba, tensor, torch


def raw_launch():
    """cuLaunchKernel with prepared arguments, also through ctypes: what is
    left when the library does nothing."""
    module = cupy.RawModule(code=r"""
extern "C" __global__ void one(const float *a, const float *b, float *c,
                               long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}""")
    kernel = module.get_function("one")
    driver = C.CDLL("libcuda.so.1")
    x = [cupy.ones(1, F) for _ in range(3)]
    slots = [C.c_uint64(v.data.ptr) for v in x] + [C.c_int64(1)]
    pointers = (C.c_void_p * 4)(*[C.addressof(s) for s in slots])
    launch = driver.cuLaunchKernel
    launch.argtypes = [C.c_void_p] + [C.c_uint] * 7 + [C.c_void_p] * 3
    handle = C.c_void_p(kernel.kernel.ptr)

    def call(keep=(x, slots, module)):
        launch(handle, 1, 1, 1, 128, 1, 1, 0, None, pointers, None)
    return call


def calls(lib):
    """Microseconds of a call on one element, outputs given."""
    a, out = cupy.ones(1, F), cupy.empty(1, F)
    module = lib.compile_file(EXAMPLES / "01_add.kern")
    kern = kernapi.Prepared(module["add"], [tensor(a), tensor(a)],
                            [tensor(out)])
    version = lib.c.kern_version
    rows = [
        ("kern_call", kern, 3000),
        ("an empty ctypes call", lambda: version(), 3000),
        ("cuLaunchKernel alone, through ctypes", raw_launch(), 3000),
        ("CuPy add(out=)", lambda: cupy.add(a, a, out=out), 3000),
    ]
    element = cupy.ElementwiseKernel(
        "T a, T b", "T c", "c = a + b", "bench_add")
    rows.append(("CuPy ElementwiseKernel", lambda: element(a, a, out), 3000))
    if torch:
        ta, to = workloads.as_torch(a), workloads.as_torch(out)
        rows.append(("torch.add(out=)",
                     lambda: torch.add(ta, ta, out=to), 3000))
    if numba:
        def sum_of(x, y):
            return x + y
        f = numba.vectorize(["float32(float32, float32)"],
                            target="cuda")(sum_of)
        da, do = workloads.as_numba(a), workloads.as_numba(out)
        rows.append(("Numba vectorize", lambda: f(da, da, out=do), 300))
    result = {}
    for name, call, count in rows:
        try:
            result[name] = wall_us(call, count)
        except Exception as error:
            print(f"  {name} cannot: {type(error).__name__}: {error}")
    return result


BODY = "exp(-0.5 * z * z) * sin(x) * x ** z / (sigma * 2.5066)"


def first_results(lib, rounds=5):
    """Milliseconds from a source never seen to its first result."""
    a, out = cupy.ones(1, F), cupy.empty(1, F)
    times = {}

    def timed(name, build):
        taken = []
        for k in range(rounds):
            salt = (time.time_ns() + k) % 1000003
            try:
                synchronize()
                began = time.perf_counter()
                build(salt)
                synchronize()
                taken.append((time.perf_counter() - began) * 1e3)
            except Exception as error:
                print(f"  {name} cannot: {type(error).__name__}: {error}")
                return
        times[name] = statistics.median(taken)

    def kern_add(salt):
        module = lib.compile(
            f"ufunc f(a, b):\n    return a + b + {salt}\n")
        kernapi.Prepared(module["f"], [tensor(a), tensor(a)],
                         [tensor(out)])()

    def kern_transcendental(salt):
        module = lib.compile(
            "ufunc f(x: T, mean: T, sigma: T) -> T where T in (f32, f64):\n"
            f"    z = (x - mean) / sigma\n    return {BODY} + {salt}\n")
        kernapi.Prepared(module["f"], [tensor(a), 0.0, 1.0],
                         [tensor(out)])()

    def cupy_transcendental(salt):
        kernel = cupy.ElementwiseKernel(
            "float32 x, float32 mean, float32 sigma", "float32 y",
            "float z = (x - mean) / sigma;"
            "y = expf(-0.5f * z * z) * sinf(x) * powf(x, z)"
            f" / (sigma * 2.5066f) + {salt}", f"f{salt}")
        kernel(a, F(0), F(1), out)

    timed("kern, add", kern_add)
    timed("kern, exp·sin·pow", kern_transcendental)
    timed("CuPy ElementwiseKernel, exp·sin·pow", cupy_transcendental)
    if numba:
        da, do = workloads.as_numba(a), workloads.as_numba(out)

        def numba_transcendental(salt):
            constant = F(salt)

            def body(x, mean, sigma):
                z = (x - mean) / sigma
                return (math.exp(F(-0.5) * z * z) * math.sin(x)
                        * math.pow(x, z) / (sigma * F(2.5066)) + constant)
            numba.vectorize(["float32(float32, float32, float32)"],
                            target="cuda")(body)(da, da, da, out=do)
        timed("Numba vectorize, exp·sin·pow", numba_transcendental)
    return times


CUDA_SOURCE = r"""
extern "C" __global__ void gaussian_pdf(const float *x, float mean,
                                        float sigma, float *y, long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float z = (x[i] - mean) / sigma;
  y[i] = expf(-0.5f * z * z) / (sigma * 2.5066282746f);
}
"""


def processes(kern, architecture, rounds=9):
    """Milliseconds of a whole process that compiles gaussian_pdf to PTX."""
    times = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "g.cu").write_text(CUDA_SOURCE)
        commands = {}
        if kern:
            commands["kern compile --signature"] = [
                kern, "compile", str(EXAMPLES / "03_gaussian_pdf.kern"),
                "--signature", "f32(f32, f32, f32)", "--target",
                architecture, "-o", str(folder / "g.ptx")]
        nvcc = shutil.which("nvcc") or shutil.which(
            "nvcc", path="/usr/local/cuda/bin")
        if nvcc:
            commands["nvcc -ptx"] = [
                nvcc, "-ptx", f"-arch={architecture}", str(folder / "g.cu"),
                "-o", str(folder / "cu.ptx")]
        taken = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in list(commands.items()):
                if name == "nvcc -ptx" and len(taken[name]) >= 4:
                    continue
                began = time.perf_counter()
                done = subprocess.run(command, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True,
                                      env=os.environ)
                if done.returncode:
                    print(f"  {name} failed: {done.stdout[:300]}")
                    del commands[name]
                    continue
                taken[name].append((time.perf_counter() - began) * 1e3)
        for name, values in taken.items():
            if values:
                times[name] = statistics.median(values)
    return times
