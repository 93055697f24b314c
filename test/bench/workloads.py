"""The same work in Kern and in its peers, on one GPU, outputs preallocated.

Each workload is a dict: `bytes` moved (inputs read once, outputs written
once), `run` (peer → function), `out` (what they all write) and `error`, which
evaluates the work in float64 and gives the largest error of `out` in units of
the tolerance: at most 1 is right.
"""

import contextlib
import math
import os
import pathlib
import sys

import numpy as np

# numba-cuda still names functions that NumPy 2.5 has dropped.
for _name, _value in {"row_stack": np.vstack, "in1d": np.isin}.items():
    if not hasattr(np, _name):
        setattr(np, _name, _value)
os.environ.setdefault("NUMBA_CUDA_LOG_LEVEL", "ERROR")

import cupy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import kernapi

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
F = np.float32
CHUNK = 1 << 24

try:
    import torch
except ImportError:
    torch = None
try:
    import numba
    from numba import cuda as numba_cuda
    from numba import guvectorize, vectorize
    numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
except ImportError:
    numba = None


def tensor(array):
    """A CuPy array as a DLPack tensor, without copying."""
    size = array.dtype.itemsize
    return kernapi.Tensor(
        array.data.ptr, array.dtype, array.shape,
        [s // size for s in array.strides], (kernapi.CUDA, array.device.id))


def prepared(lib, example, name, arguments, out):
    """A Kern call with everything filled in."""
    module = lib.compile_file(EXAMPLES / example)
    function = module[name]
    call = kernapi.Prepared(
        function,
        [tensor(a) if isinstance(a, cupy.ndarray) else a for a in arguments],
        [tensor(out)])
    return call


HAND_WRITTEN = r"""
__device__ float gauss(float x, float m, float s) {
  float z = (x - m) / s;
  return expf(-0.5f * z * z) / (s * 2.50662827463100050f);
}
__device__ float polar(float a, float b, float c, float d) {
  float s1, c1, s2, c2;
  sincosf(b, &s1, &c1);
  sincosf(d, &s2, &c2);
  float x = a * c1 - c * c2, y = a * s1 - c * s2;
  return sqrtf(x * x + y * y);
}
#define INDEX                                                                  \
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;             \
  if (i >= n) return;
extern "C" __global__ void add4(const float4 *__restrict__ a,
                                const float4 *__restrict__ b,
                                float4 *__restrict__ o, long long n) {
  INDEX
  float4 p = a[i], q = b[i];
  o[i] = make_float4(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w);
}
extern "C" __global__ void gauss4(const float4 *__restrict__ x, float m,
                                  float s, float4 *__restrict__ o,
                                  long long n) {
  INDEX
  float4 p = x[i];
  o[i] = make_float4(gauss(p.x, m, s), gauss(p.y, m, s), gauss(p.z, m, s),
                     gauss(p.w, m, s));
}
extern "C" __global__ void polar4(const float4 *__restrict__ a,
                                  const float4 *__restrict__ b,
                                  const float4 *__restrict__ c,
                                  const float4 *__restrict__ d,
                                  float4 *__restrict__ o, long long n) {
  INDEX
  float4 p = a[i], q = b[i], r = c[i], s = d[i];
  o[i] = make_float4(polar(p.x, q.x, r.x, s.x), polar(p.y, q.y, r.y, s.y),
                     polar(p.z, q.z, r.z, s.z), polar(p.w, q.w, r.w, s.w));
}
__device__ float dot4(float4 v) {
  return v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
}
/* Four lanes a row of 16. */
extern "C" __global__ void norm16(const float4 *__restrict__ a,
                                  float *__restrict__ o) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  float s = dot4(a[i]);
  s += __shfl_xor_sync(~0u, s, 1);
  s += __shfl_xor_sync(~0u, s, 2);
  if ((threadIdx.x & 3) == 0) o[i >> 2] = sqrtf(s);
}
/* One warp a row. */
extern "C" __global__ void norm_warp(const float4 *__restrict__ a,
                                     float *__restrict__ o, int k4) {
  long long row = (long long)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const float4 *p = a + row * k4;
  float s = 0;
  for (int j = threadIdx.x & 31; j < k4; j += 32) s += dot4(p[j]);
  for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(~0u, s, d);
  if (!(threadIdx.x & 31)) o[row] = sqrtf(s);
}
/* One block a row. */
extern "C" __global__ void norm_block(const float4 *__restrict__ a,
                                      float *__restrict__ o, int k4) {
  const float4 *p = a + (long long)blockIdx.x * k4;
  float s = 0;
#pragma unroll 4
  for (int j = threadIdx.x; j < k4; j += blockDim.x) s += dot4(p[j]);
  for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(~0u, s, d);
  __shared__ float w[32];
  if (!(threadIdx.x & 31)) w[threadIdx.x >> 5] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < blockDim.x / 32 ? w[threadIdx.x] : 0;
    for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(~0u, s, d);
    if (!threadIdx.x) o[blockIdx.x] = sqrtf(s);
  }
}
"""
_module = None


def hand(name):
    """A hand-written CUDA C kernel, compiled by NVRTC."""
    global _module
    if _module is None:
        _module = cupy.RawModule(code=HAND_WRITTEN)
    return _module.get_function(name)


def launch(name, n4, *arguments):
    kernel = hand(name)
    grid = ((n4 + 255) // 256,)
    return lambda: kernel(grid, (256,), arguments)


class Data:
    """Fresh random arrays of n f32, shared by the workloads."""

    def __init__(self, n, seed):
        rng = cupy.random.default_rng(seed)
        self.n = n
        # Angles and radii, positions and weights: all in [0.25, 1.25).
        self.arrays = [
            rng.random(n, dtype=F) + F(0.25) for _ in range(4)]
        self.out = cupy.empty(n, F)


def worst(out, expected, tolerance):
    """The largest error over the chunks, in units of the tolerance."""
    largest = 0.0
    for start in range(0, out.size, CHUNK):
        part = slice(start, start + CHUNK)
        want, scale = expected(part)
        error = cupy.abs(out[part].astype(np.float64) - want)
        # A NaN must not pass: nan_to_num makes it infinite.
        error = cupy.nan_to_num(error / (scale * tolerance), nan=np.inf)
        largest = max(largest, float(error.max()))
    return largest


@contextlib.contextmanager
def optional(run, peer):
    """A peer that cannot do the work is left out, and says so."""
    try:
        yield
    except Exception as error:
        run.pop(peer, None)
        print(f"  {peer} cannot: {type(error).__name__}: "
              f"{str(error).splitlines()[0][:100] if str(error) else ''}")


def as_numba(array):
    return numba_cuda.as_cuda_array(array)


def as_torch(array):
    return torch.as_tensor(array, device="cuda")


def add(lib, data):
    a, b = data.arrays[:2]
    out, n = data.out, data.n
    run = {"kern": prepared(lib, "01_add.kern", "add", (a, b), out)}
    run["CUDA C"] = launch("add4", n // 4, a, b, out, np.int64(n // 4))
    element = cupy.ElementwiseKernel(
        "T a, T b", "T c", "c = a + b", "bench_add")
    run["CuPy"] = lambda: element(a, b, out)
    if numba:
        with optional(run, "Numba"):
            def sum_of(x, y):
                return x + y
            f = vectorize(["float32(float32, float32)"],
                          target="cuda")(sum_of)
            da, db, do = map(as_numba, (a, b, out))
            run["Numba"] = lambda: f(da, db, out=do)
    if torch:
        with optional(run, "torch"):
            ta, tb, to = map(as_torch, (a, b, out))
            run["torch"] = lambda: torch.add(ta, tb, out=to)

    def expected(part):
        want = a[part].astype(np.float64) + b[part]
        return want, cupy.abs(want)

    return {"work": "add f32", "bytes": 12 * n, "run": run, "out": out,
            "error": lambda: worst(out, expected, 1e-7)}


def gaussian(lib, data):
    x, out, n = data.arrays[0], data.out, data.n
    mean, sigma = 0.125, 1.5
    run = {"kern": prepared(lib, "03_gaussian_pdf.kern", "gaussian_pdf",
                            (x, mean, sigma), out)}
    run["CUDA C"] = launch("gauss4", n // 4, x, F(mean), F(sigma), out,
                           np.int64(n // 4))
    element = cupy.ElementwiseKernel(
        "T x, T mean, T sigma", "T y",
        "T z = (x - mean) / sigma;"
        "y = exp(T(-0.5) * z * z) / (sigma * T(2.5066282746310002))",
        "bench_gaussian")
    run["CuPy"] = lambda: element(x, F(mean), F(sigma), out)
    if numba:
        with optional(run, "Numba"):
            root = F(math.sqrt(2 * math.pi))

            def density(v, m, s):
                z = (v - m) / s
                return math.exp(F(-0.5) * z * z) / (s * root)
            f = vectorize(["float32(float32, float32, float32)"],
                          target="cuda")(density)
            dx, do = as_numba(x), as_numba(out)
            dm, ds = (numba_cuda.to_device(np.full(1, v, F))
                      for v in (mean, sigma))
            run["Numba"] = lambda: f(dx, dm, ds, out=do)
    if torch:
        with optional(run, "torch"):
            tx, to = as_torch(x), as_torch(out)
            root_t = math.sqrt(2 * math.pi)

            def eager():
                z = (tx - mean) / sigma
                torch.div(torch.exp(-0.5 * z * z), sigma * root_t, out=to)
            run["torch"] = eager

    def expected(part):
        z = (x[part].astype(np.float64) - mean) / sigma
        want = cupy.exp(-0.5 * z * z) / (sigma * math.sqrt(2 * math.pi))
        return want, want

    return {"work": "gaussian_pdf f32", "bytes": 8 * n, "run": run,
            "out": out, "error": lambda: worst(out, expected, 1e-6)}


def polar(lib, data):
    a, b, c, d = data.arrays
    out, n = data.out, data.n
    run = {"kern": prepared(lib, "04_polar_distance.kern", "polar_distance",
                            (a, b, c, d), out)}
    run["CUDA C"] = launch("polar4", n // 4, a, b, c, d, out,
                           np.int64(n // 4))
    element = cupy.ElementwiseKernel(
        "T a, T b, T c, T d", "T y",
        "T x1 = a * cos(b), y1 = a * sin(b), x2 = c * cos(d),"
        "  y2 = c * sin(d);"
        "y = sqrt((x1 - x2) * (x1 - x2) + (y1 - y2) * (y1 - y2))",
        "bench_polar")
    run["CuPy"] = lambda: element(a, b, c, d, out)
    if numba:
        with optional(run, "Numba"):
            @numba_cuda.jit(device=True)
            def cartesian(rho, theta):
                return rho * math.cos(theta), rho * math.sin(theta)

            def distance(r1, t1, r2, t2):
                x1, y1 = cartesian(r1, t1)
                x2, y2 = cartesian(r2, t2)
                return ((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5
            f = vectorize(
                ["float32(float32, float32, float32, float32)"],
                target="cuda")(distance)
            arrays = [as_numba(v) for v in (a, b, c, d)]
            do = as_numba(out)
            run["Numba"] = lambda: f(*arrays, out=do)
    if torch:
        with optional(run, "torch"):
            ta, tb, tc, td, to = map(as_torch, (a, b, c, d, out))

            def eager():
                x = ta * torch.cos(tb) - tc * torch.cos(td)
                y = ta * torch.sin(tb) - tc * torch.sin(td)
                torch.sqrt(x * x + y * y, out=to)
            run["torch"] = eager

    def expected(part):
        p, q, r, s = (v[part].astype(np.float64) for v in (a, b, c, d))
        x = p * cupy.cos(q) - r * cupy.cos(s)
        y = p * cupy.sin(q) - r * cupy.sin(s)
        # Nearby points cancel: the error is measured against the radii.
        return cupy.sqrt(x * x + y * y), p + r

    return {"work": "polar_distance f32", "bytes": 20 * n, "run": run,
            "out": out, "error": lambda: worst(out, expected, 1e-6)}


def l2_norm(lib, data, rows, k):
    x = data.arrays[0][:rows * k].reshape(rows, k)
    out = data.out[:rows]
    run = {"kern": prepared(lib, "09_l2_norm.kern", "l2_norm", (x,), out)}
    if k == 16:
        kernel = hand("norm16")
        run["CUDA C"] = lambda: kernel((rows * 4 // 256,), (256,), (x, out))
    elif k <= 1024:
        kernel = hand("norm_warp")
        run["CUDA C"] = lambda: kernel(
            (rows // 8,), (256,), (x, out, np.int32(k // 4)))
    else:
        kernel = hand("norm_block")
        run["CUDA C"] = lambda: kernel(
            (rows,), (512,), (x, out, np.int32(k // 4)))
    reduction = cupy.ReductionKernel(
        "T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "bench_norm")
    run["CuPy"] = lambda: reduction(x, out, axis=1)
    if numba:
        with optional(run, "Numba"):
            def norm(v, result):
                total = F(0)
                for i in range(v.shape[0]):
                    total += v[i] * v[i]
                result[0] = math.sqrt(total)
            f = guvectorize(["void(float32[:], float32[:])"], "(n)->()",
                            target="cuda")(norm)
            dx, do = as_numba(x), as_numba(out)
            run["Numba"] = lambda: f(dx, out=do)
    if torch:
        with optional(run, "torch"):
            tx, to = as_torch(x), as_torch(out)
            run["torch"] = lambda: torch.linalg.vector_norm(
                tx, dim=1, out=to)

    def error():
        largest = 0.0
        step = max(1, CHUNK // k)
        for start in range(0, rows, step):
            part = x[start:start + step].astype(np.float64)
            want = cupy.sqrt((part * part).sum(axis=1))
            off = cupy.abs(out[start:start + step] - want) / want
            largest = max(largest, float(cupy.nan_to_num(
                off, nan=np.inf).max()))
        # A sequential f32 sum of k terms may be off by about sqrt(k) eps.
        return largest / (1e-6 * max(4.0, k ** 0.5))

    return {"work": f"l2_norm f32 ({rows}, {k})", "bytes": 4 * rows * (k + 1),
            "run": run, "out": out, "error": error}


def copy(data):
    """The ceiling: a device-to-device copy of the same size."""
    source, out, size = data.arrays[0], data.out, data.n * 4
    stream = cupy.cuda.Stream.null
    return 2 * size, lambda: out.data.copy_from_device_async(
        source.data, size, stream)


def everything(lib, data):
    """Makers of the workloads, in order."""
    n = data.n
    yield lambda: add(lib, data)
    yield lambda: gaussian(lib, data)
    yield lambda: polar(lib, data)
    for k in (16, 256, 1 << 14, 1 << 20):
        if k * 16 <= n:
            yield lambda k=k: l2_norm(lib, data, n // k, k)
