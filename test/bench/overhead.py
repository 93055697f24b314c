"""What a call costs on one element, from Python."""

import ctypes as C

import cupy
import numpy as np

import contenders
import kernapi
from contenders import EXAMPLES, numba, tensor, torch
from data import F
from measure import wall_us


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
        ta, to = contenders.as_torch(a), contenders.as_torch(out)
        rows.append(("torch.add(out=)",
                     lambda: torch.add(ta, ta, out=to), 3000))
    if numba:
        def sum_of(x, y):
            return x + y
        f = numba.vectorize(["float32(float32, float32)"],
                            target="cuda")(sum_of)
        da, do = contenders.as_numba(a), contenders.as_numba(out)
        rows.append(("Numba vectorize", lambda: f(da, da, out=do), 300))
    result = {}
    for name, call, count in rows:
        try:
            result[name] = wall_us(call, count)
        except Exception as error:
            print(f"  {name} cannot: {type(error).__name__}: {error}")
    return result
