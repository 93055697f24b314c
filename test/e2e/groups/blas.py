"""Products of matrices that cuBLAS computes, if KERN_CUBLAS asks for it,
against NumPy and against Kern's own kernels."""

import ctypes
import os
import pathlib
import site

import numpy as np

from agreement import NP
from groups.mappings import Forced, moved
from groups.tiles import transposed, whole
from kernabi import Report
from suite import Skip

SOURCE = """
gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f16, bf16, f32, f64, c64, c128):
    for i, j in prange(m, n):
        c[i, j] = T(sum(a[i, p] * b[p, j] for p in range(k)))

gufunc widened(a: T[m, k], b: T[n, k]) -> (c: f32[m, n]) where T in (f16, bf16):
    for i, j in prange(m, n):
        c[i, j] = sum(f32(a[i, p]) * f32(b[j, p]) for p in range(k))

gufunc each(a: T[m, q, k], b: T[q, k, n]) -> (c: T[q, n, m]) where T in (f32, f64):
    for i, j, l in prange(m, q, n):
        c[j, l, i] = sum(a[i, j, p] * b[j, p, l] for p in range(k))

gufunc layer(a: T[m, k], b: T[k, n], bias: T[n]) -> (c: T[m, n]) where T in (f32,):
    for i, j in prange(m, n):
        c[i, j] = tanh(sum(a[i, p] * b[p, j] for p in range(k)) + bias[j])
"""


def library():
    """What KERN_CUBLAS has to be: `1`, or the path of a library of one of
    NVIDIA's Python packages."""
    if os.environ.get("KERN_CUBLAS", "0") != "0":
        return os.environ["KERN_CUBLAS"]
    for name in ("libcublas.so.13", "libcublas.so.12", "libcublas.so.11"):
        try:
            ctypes.CDLL(name)
            return "1"
        except OSError:
            pass
    for folder in [*site.getsitepackages(), site.getusersitepackages()]:
        for path in sorted(pathlib.Path(folder).glob(
                "nvidia/*/lib/libcublas.so.*")):
            return str(path)
    raise Skip("cuBLAS is not installed")


class Blas(Forced):
    """Calls that ask for cuBLAS, and whether it computed the last one."""

    def __init__(self, ctx, asked):
        super().__init__(ctx, None, SOURCE)
        self.wanted["KERN_CUBLAS"] = asked
        self.text += f"# {asked}\n"
        self.form = ""

    def __call__(self, function, *arguments, **asked):
        report = Report()
        result = super().__call__(function, *arguments, report=report, **asked)
        self.form = report.form.decode()
        return result


TYPES = [np.float16, np.float32, np.float64, np.complex64, np.complex128] + (
    [NP["bf16"]] if "bf16" in NP else [])
SHAPES = [((), 64, 64, 64), ((), 65, 127, 130), ((), 300, 64, 513),
          ((5,), 64, 100, 96), ((3, 4), 66, 65, 67)]


def products(ctx):
    def run(t):
        call = Blas(ctx, library())
        rng = ctx.rng(31)
        for loop, m, k, n in SHAPES:
            for dtype in TYPES:
                a = whole(rng, loop + (m, k), dtype)
                b = whole(rng, loop + (k, n), dtype)
                wide = np.result_type(dtype, np.float64)
                # Some BLAS libraries give -0 where a sum of both signs is 0.
                expected = (a.astype(wide) @ b.astype(wide) + 0).astype(dtype)
                for way in range(4):
                    x = transposed(a) if way & 1 else a
                    y = transposed(b) if way & 2 else b
                    label = f"{np.dtype(dtype)} {loop} {m} {k} {n} way {way}"
                    t.same(label, call("matmul", x, y), expected)
                    t.check(f"{label}: cuBLAS", call.form == "cuBLAS",
                            call.form)
                t.same(f"{np.dtype(dtype)} {loop}: strides of our own",
                       call("matmul", moved(a, 2), b), expected)
                t.check("which cuBLAS does not take", call.form != "cuBLAS")
            a = whole(rng, loop + (m, k), np.float16)
            b = whole(rng, loop + (n, k), np.float16)
            t.same(f"widened {loop} {m} {k} {n}", call("widened", a, b),
                   a.astype(np.float32) @ b.astype(np.float32).swapaxes(-1, -2))
            t.check("widened: cuBLAS", call.form == "cuBLAS", call.form)
        for dtype in (np.float32, np.float64):
            a = whole(rng, (70, 9, 80), dtype)
            b = whole(rng, (9, 80, 90), dtype)
            t.same(f"each {np.dtype(dtype)}", call("each", a, b),
                   np.einsum("ijp,jpl->jli", a, b))
            t.check("each: cuBLAS", call.form == "cuBLAS", call.form)
        a = whole(rng, (4, 70, 80), np.float32)
        b = whole(rng, (80, 90), np.float32)
        t.same("one matrix for all", call("matmul", a, b), a @ b)
        t.check("one for all: cuBLAS", call.form == "cuBLAS", call.form)
        for _ in range(3):  # by its plan
            c = whole(rng, (80, 90), np.float32)
            t.same("again", call("matmul", a, c), a @ c)
    return run


def accuracy(ctx):
    """Nothing is rounded to TF32, and halves are summed in f32."""
    def run(t):
        call = Blas(ctx, library())
        rng = ctx.rng(32)
        for dtype in TYPES[:3] + TYPES[5:]:
            a = rng.standard_normal((130, 1000)).astype(dtype)
            b = rng.standard_normal((1000, 140)).astype(dtype)
            x, y = a.astype(np.float64), b.astype(np.float64)
            size = np.abs(x) @ np.abs(y)
            error = np.abs(call("matmul", a, b).astype(np.float64) - x @ y)
            sums = np.float64 if dtype == np.float64 else np.float32
            bound = size * np.finfo(sums).eps * 40
            if np.dtype(dtype).itemsize == 2:
                bound += np.abs(x @ y) * (2.0 ** -10 if dtype == np.float16
                                          else 2.0 ** -7)
            t.check(f"{np.dtype(dtype)}: error", bool((error <= bound).all()),
                    f"{float((error / bound).max())} of the bound")
            t.check("cuBLAS", call.form == "cuBLAS", call.form)
    return run


def ours(ctx):
    def run(t):
        call = Blas(ctx, library())
        rng = ctx.rng(33)
        a, b = whole(rng, (70, 80), np.float32), whole(rng, (80, 90),
                                                       np.float32)
        bias = whole(rng, (90,), np.float32)
        got = call("layer", a / 100, b, bias)
        t.check("fused: close", np.allclose(
            got, np.tanh(a / 100 @ b + bias), rtol=1e-5, atol=1e-5))
        t.check("fused: our own", call.form != "cuBLAS", call.form)
        t.same("small", call("matmul", a[:10], b), a[:10] @ b)
        t.check("small: our own", call.form != "cuBLAS", call.form)
    return run


def cases(ctx):
    if ctx.device != "cuda":
        return
    yield "products", products(ctx)
    yield "accuracy", accuracy(ctx)
    yield "what stays with our own kernels", ours(ctx)
