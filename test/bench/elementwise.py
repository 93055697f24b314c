"""Functions of contiguous arrays."""

import math

import cupy
import numpy as np

from contenders import (
    Work, add_peers, as_torch, handwritten, jax, over, torch)
from data import F, equal, within

if jax:
    import jax.numpy as jnp

ADD = "01_add.kern"
MULTIPLY = "ufunc multiply(a, b):\n    return a * b\n"
MEAN, SIGMA = 0.125, 1.5
ROOT = math.sqrt(2 * math.pi)
HALF = math.sqrt(0.5)
# Ahead of every peer: two runs of one kernel differ by half a percent.
FAST = [("hand", 0.98), ("peers", 0.995)]


def vectors(n, itemsize):
    """16-byte vectors in n elements."""
    return n * itemsize // 16


def add(sources, data, which, dtype, name, scale=1):
    n = data.n * scale
    exact = None
    if dtype == np.uint8:
        a, b = (data.integers(0, 256, dtype, n) for _ in range(2))
        out = cupy.empty(n, dtype)
        exact = equal(lambda part: a[part] + b[part])
    elif dtype == np.float64:
        (a, b), out = (data.f64() for _ in range(2)), cupy.empty(n, dtype)
    else:
        (a, b), (out,) = data.f32(2), data.out()

    def expected(part):
        want = a[part].astype(np.float64) + b[part]
        return want, cupy.abs(want)

    size = a.dtype.itemsize
    work = Work(
        f"add {name}", 3 * size * n,
        {"kern": sources.call(ADD, "add", (a, b), (out,))}, [out],
        exact or within(expected, 1e-7 if dtype == F else 1e-15), FAST)
    n16, per = vectors(n, size), 512 if dtype == np.uint8 else 256
    work.add("CUDA C", lambda: handwritten(
        f"add_{name}", over(n16, per), 256, a, b, out, np.int64(n16)))

    def torch_out():
        ta, tb, to = map(as_torch, (a, b, out))

        def call():
            torch.add(ta, tb, out=to)
        return call
    kind = {"f32": "float32", "f64": "float64", "u8": "uint8"}[name]
    add_peers(
        work, which, arguments=(a, b),
        cupy_kernel=("T a, T b", "T c", "c = a + b", "add"),
        numba_kernel=(f"{kind}({kind}, {kind})", numba_sum),
        torch_function=lambda x, y: x + y, torch_out=torch_out,
        jax_function=lambda x, y: x + y)
    return work


def numba_sum(x, y):
    return x + y


def gaussian(sources, data, which, dtype, name):
    if dtype == F:
        (x,), (out,) = data.f32(1), data.out()
    else:
        x, out = data.f64(), cupy.empty(data.n, dtype)

    def expected(part):
        z = (x[part].astype(np.float64) - MEAN) / SIGMA
        want = cupy.exp(-0.5 * z * z) / (SIGMA * ROOT)
        return want, want

    size, mean, sigma = x.dtype.itemsize, dtype(MEAN), dtype(SIGMA)
    work = Work(
        f"gaussian_pdf {name}", 2 * size * data.n,
        {"kern": sources.call("03_gaussian_pdf.kern", "gaussian_pdf",
                              (x, MEAN, SIGMA), (out,))}, [out],
        within(expected, 1e-6 if dtype == F else 1e-14), FAST)
    n16 = vectors(data.n, size)
    work.add("CUDA C", lambda: handwritten(
        f"gaussian_{name}", over(n16), 256, x, out, np.int64(n16), mean,
        sigma))
    root, half = dtype(ROOT), dtype(-0.5)

    def numba_density(v, m, s):
        z = (v - m) / s
        return math.exp(half * z * z) / (s * root)
    kind = {"f32": "float32", "f64": "float64"}[name]
    # Neither mean nor sigma is known when anyone compiles.
    scalars = cupy.full((), MEAN, dtype), cupy.full((), SIGMA, dtype)
    add_peers(
        work, which, arguments=(x, *scalars),
        torch_function=lambda v, m, s: torch.exp(
            -0.5 * ((v - m) / s) ** 2) / (s * ROOT),
        jax_function=lambda v, m, s: jnp.exp(
            -0.5 * ((v - m) / s) ** 2) / (s * ROOT))
    add_peers(
        work, which, arguments=(x, mean, sigma),
        cupy_kernel=(
            "T x, T mean, T sigma", "T y",
            "T z = (x - mean) / sigma;"
            "y = exp(T(-0.5) * z * z) / (sigma * T(2.5066282746310002))",
            "gaussian"),
        numba_kernel=(f"{kind}({kind}, {kind}, {kind})", numba_density))
    return work


def polar(sources, data, which):
    a, b, c, d = data.f32(4)
    out, = data.out()

    def expected(part):
        p, q, r, s = (v[part].astype(np.float64) for v in (a, b, c, d))
        x = p * cupy.cos(q) - r * cupy.cos(s)
        y = p * cupy.sin(q) - r * cupy.sin(s)
        # Nearby points cancel: the error is measured against the radii.
        return cupy.sqrt(x * x + y * y), p + r

    work = Work(
        "polar_distance f32", 20 * data.n,
        {"kern": sources.call("04_polar_distance.kern", "polar_distance",
                              (a, b, c, d), (out,))}, [out],
        within(expected, 1e-6), [("hand", 0.98)])
    n16 = vectors(data.n, 4)
    work.add("CUDA C", lambda: handwritten(
        "polar_f32", over(n16), 256, a, b, c, d, out, np.int64(n16)))

    def numba_distance(r1, t1, r2, t2):
        x = r1 * math.cos(t1) - r2 * math.cos(t2)
        y = r1 * math.sin(t1) - r2 * math.sin(t2)
        return math.sqrt(x * x + y * y)

    def distance(m):
        return lambda p, q, r, s: m.sqrt(
            (p * m.cos(q) - r * m.cos(s)) ** 2
            + (p * m.sin(q) - r * m.sin(s)) ** 2)
    add_peers(
        work, which, arguments=(a, b, c, d),
        cupy_kernel=(
            "T a, T b, T c, T d", "T y",
            "T x1 = a * cos(b), y1 = a * sin(b), x2 = c * cos(d),"
            "  y2 = c * sin(d);"
            "y = sqrt((x1 - x2) * (x1 - x2) + (y1 - y2) * (y1 - y2))",
            "polar"),
        numba_kernel=("float32(float32, float32, float32, float32)",
                      numba_distance),
        torch_function=torch and distance(torch),
        jax_function=jax and distance(jnp))
    return work


def black_scholes(sources, data, which, fast):
    s, k, t, r, v = data.f32(5)
    out = data.out(2)

    def prices(m, erf, spot, strike, years, rate, volatility):
        root = volatility * m.sqrt(years)
        d1 = (m.log(spot / strike)
              + (rate + 0.5 * volatility * volatility) * years) / root
        n1 = 0.5 + 0.5 * erf(d1 * HALF)
        n2 = 0.5 + 0.5 * erf((d1 - root) * HALF)
        present = strike * m.exp(-rate * years)
        call = spot * n1 - present * n2
        return call, call - spot + present

    def expected(part):
        from cupyx.scipy.special import erf
        wide = [x[part].astype(np.float64) for x in (s, k, t, r, v)]
        # Prices cancel: the error is measured against what they are made of.
        return [(want, wide[0] + wide[1])
                for want in prices(cupy, erf, *wide)]

    name = "black_scholes_fast" if fast else "black_scholes"
    work = Work(
        "Black-Scholes f32" + (" @fastmath" if fast else ""), 28 * data.n,
        {"kern": sources.call("11_black_scholes.kern", name,
                              (s, k, t, r, v), out)}, out,
        within(expected, 1e-5 if fast else 2e-6),
        [("copy", 0.97)] if fast else [("hand", 0.98)])
    n16 = vectors(data.n, 4)
    work.add("CUDA C", lambda: handwritten(
        "black_scholes_f32", over(n16), 256, s, k, t, r, v, *out,
        np.int64(n16)))
    add_peers(
        work, which, arguments=(s, k, t, r, v),
        cupy_kernel=(
            "T s, T k, T t, T r, T v", "T c, T p",
            "T root = v * sqrt(t);"
            "T d1 = (log(s / k) + (r + T(0.5) * v * v) * t) / root;"
            "T n1 = normcdf(d1), n2 = normcdf(d1 - root);"
            "T e = k * exp(-r * t);"
            "c = s * n1 - e * n2; p = e * (1 - n2) - s * (1 - n1)",
            "black_scholes"),
        torch_function=torch and (
            lambda *x: prices(torch, torch.erf, *x)),
        jax_function=jax and (
            lambda *x: prices(jnp, jax.scipy.special.erf, *x)))
    return work


def zero_suppress(sources, data, which):
    n, threshold = data.n * 2, 15
    x = data.integers(-300, 300, np.int16, n)
    out = cupy.empty_like(x)
    zero = np.int16(0)
    work = Work(
        "zero_suppress i16", 4 * n,
        {"kern": sources.call("05_zero_suppress.kern", "zero_suppress",
                              (x, threshold), (out,))}, [out],
        equal(lambda part: cupy.where(x[part] < threshold, zero, x[part])),
        FAST)
    n16 = vectors(n, 2)
    work.add("CUDA C", lambda: handwritten(
        "zero_suppress_i16", over(n16, 512), 256, x, out, np.int64(n16),
        np.int16(threshold)))

    def numba_zero(w, t):
        if w < t:
            return zero
        return w
    add_peers(
        work, which, arguments=(x, np.int16(threshold)),
        cupy_kernel=("T w, T t", "T y", "y = w < t ? T(0) : w", "zero"),
        numba_kernel=("int16(int16, int16)", numba_zero))
    add_peers(
        work, which, arguments=(x,),
        torch_function=lambda w: torch.where(
            w < threshold, torch.zeros_like(w), w),
        jax_function=lambda w: jnp.where(
            w < threshold, jnp.int16(0), w))
    return work


def hidden_layer(sources, data, which):
    g, w = data.f32(2)
    out, = data.out()

    def expected(part):
        want = cupy.tanh(g[part].astype(np.float64) / 255 * w[part])
        return want, cupy.abs(want)

    work = Work(
        "hidden_layer f32", 12 * data.n,
        {"kern": sources.call("07_hidden_layer.kern", "hidden_layer", (g, w),
                              (out,))}, [out],
        within(expected, 1e-6), FAST)
    n16 = vectors(data.n, 4)
    work.add("CUDA C", lambda: handwritten(
        "hidden_f32", over(n16), 256, g, w, out, np.int64(n16)))

    def numba_hidden(a, b):
        return math.tanh(a / F(255) * b)
    add_peers(
        work, which, arguments=(g, w),
        cupy_kernel=("T g, T w", "T y", "y = tanh(g / T(255) * w)", "hidden"),
        numba_kernel=("float32(float32, float32)", numba_hidden),
        torch_function=lambda a, b: torch.tanh(a / 255 * b),
        jax_function=lambda a, b: jnp.tanh(a / 255 * b))
    return work


def multiply_complex(sources, data, which):
    n = data.n // 2
    a, b = (v.view(np.complex64) for v in data.f32(2))
    out = data.out()[0].view(np.complex64)

    def expected(part):
        want = a[part].astype(np.complex128) * b[part]
        return want, cupy.abs(want)

    work = Work(
        "multiply c64", 24 * n,
        {"kern": sources.call(MULTIPLY, "multiply", (a, b), (out,))}, [out],
        within(expected, 1e-6), FAST)
    n16 = vectors(n, 8)
    work.add("CUDA C", lambda: handwritten(
        "multiply_c64", over(n16), 256, a, b, out, np.int64(n16)))

    def torch_out():
        ta, tb, to = map(as_torch, (a, b, out))

        def call():
            torch.mul(ta, tb, out=to)
        return call

    def numba_product(x, y):
        return x * y
    add_peers(
        work, which, arguments=(a, b),
        cupy_kernel=("T a, T b", "T c", "c = a * b", "multiply"),
        numba_kernel=("complex64(complex64, complex64)", numba_product),
        torch_function=lambda x, y: x * y, torch_out=torch_out,
        jax_function=lambda x, y: x * y)
    return work


def gelu(sources, data, which):
    n = data.n * 2
    x = ((data.rng.random(n, dtype=F) - F(0.5)) * F(8)).astype(np.float16)
    out = cupy.empty_like(x)

    def expected(part):
        from cupyx.scipy.special import erf
        wide = x[part].astype(np.float64)
        # Each step rounds to f16, and 1 + erf cancels on the left.
        return 0.5 * wide * (1 + erf(wide * HALF)), cupy.abs(wide) + 1e-4

    work = Work(
        "gelu f16", 4 * n,
        {"kern": sources.call("12_gelu.kern", "gelu", (x,), (out,))}, [out],
        within(expected, 2e-3), [("copy", 0.95)])
    n16 = vectors(n, 2)
    work.add("CUDA C", lambda: handwritten(
        "gelu_f16", over(n16, 512), 256, x, out, np.int64(n16)))
    add_peers(
        work, which, arguments=(x,),
        cupy_kernel=(
            "float16 x", "float16 y",
            "float v = x; y = 0.5f * v * (1.0f + erff(v * 0.70710678f))",
            "gelu"),
        torch_function=lambda v: torch.nn.functional.gelu(v),
        jax_function=lambda v: jax.nn.gelu(v, approximate=False))
    return work


def works(sources, data, which):
    """The benchmarks in order, each as its name and a function that makes it."""
    def make(name, function, *rest):
        return name, lambda: function(sources, data, which, *rest)
    yield make("add f32", add, F, "f32")
    yield make("add f64", add, np.float64, "f64")
    yield make("add u8", add, np.uint8, "u8", 4)
    yield make("zero_suppress i16", zero_suppress)
    yield make("gaussian_pdf f32", gaussian, F, "f32")
    yield make("gaussian_pdf f64", gaussian, np.float64, "f64")
    yield make("hidden_layer f32", hidden_layer)
    yield make("multiply c64", multiply_complex)
    yield make("polar_distance f32", polar)
    yield make("Black-Scholes f32", black_scholes, False)
    yield make("Black-Scholes f32 @fastmath", black_scholes, True)
    yield make("gelu f16", gelu)
