"""Norms of rows of every length."""

import math

import cupy
import numpy as np

from contenders import (
    Work, as_numba, as_torch, handwritten, jax, jitted, numba, torch)
from data import CHUNK, F, largest

if jax:
    import jax.numpy as jnp


def norm(sources, data, which, rows, k):
    x = data.f32(1)[0][:rows * k].reshape(rows, k)
    out = data.out()[0][:rows]

    def check(results):
        worst, step = 0.0, max(1, CHUNK // k)
        for start in range(0, rows, step):
            part = x[start:start + step].astype(np.float64)
            want = cupy.sqrt((part * part).sum(axis=1))
            off = cupy.abs(results[0][start:start + step] - want) / want
            worst = max(worst, largest(off))
        # A sequential f32 sum of k terms may be off by about sqrt(k) eps.
        return worst / (1e-6 * max(4.0, k ** 0.5))

    work = Work(
        f"l2_norm f32 ({rows},{k})", 4 * rows * (k + 1),
        {"kern": sources.call("09_l2_norm.kern", "l2_norm", (x,), (out,))},
        [out], check, [])
    four = np.int32(k // 4)
    work.add("CUDA C", lambda: (
        handwritten("norm_lanes", rows * 4 // 256, 256, x, out) if k == 16
        else handwritten("norm_warp", rows // 8, 256, x, out, four)
        if k <= 1024 else
        handwritten("norm_block", rows, 512, x, out, four)))
    if "CuPy" in which:
        def reduction():
            kernel = cupy.ReductionKernel(
                "T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0",
                "bench_norm")

            def call():
                kernel(x, out, axis=1)
            return call
        work.add("CuPy", reduction)
    if numba and "Numba" in which:
        def guvectorized():
            def one(v, result):
                total = F(0)
                for i in range(v.shape[0]):
                    total += v[i] * v[i]
                result[0] = math.sqrt(total)
            f = numba.guvectorize(["void(float32[:], float32[:])"], "(n)->()",
                                  target="cuda")(one)
            dx, do = as_numba(x), as_numba(out)

            def call():
                f(dx, out=do)
            return call
        work.add("Numba", guvectorized)
    if torch and "torch" in which:
        def vector_norm():
            tx, to = as_torch(x), as_torch(out)

            def call():
                torch.linalg.vector_norm(tx, dim=1, out=to)
            return call
        work.add("torch", vector_norm)
    if jax and "JAX" in which:
        work.add("JAX", lambda: jitted(
            lambda v: jnp.sqrt((v * v).sum(axis=1)), (x,)))
    return work


def works(sources, data, which):
    for k in (16, 256, 1 << 14, 1 << 20):
        if k * 16 <= data.n:
            yield f"l2_norm {k}", lambda k=k: norm(
                sources, data, which, data.n // k, k)
