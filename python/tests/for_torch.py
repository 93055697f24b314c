"""What the tests of Kern's functions as operators of torch share."""

import kern
import numpy as np
import pytest
import torch

MODULE = kern.compile(
    """
    ufunc add(x, y): return x + y

    ufunc wave(x: T, k: T) -> T where T in (f32, f64):
        '''A wave.'''
        return sin(k * x)
    ufunc wave_partials(x: T, k: T) -> (T, T) where T in (f32, f64):
        return k * cos(k * x), x * cos(k * x)
    ufunc wave_vjp(x: T, k: T, g: T) -> (T, T) where T in (f32, f64):
        return g * k * cos(k * x), g * x * cos(k * x)

    ufunc polar(x: T, y: T) -> (T, T) where T in (f32, f64):
        return hypot(x, y), atan2(y, x)
    ufunc polar_partials(x: T, y: T) -> (T, T, T, T) where T in (f32, f64):
        r2 = x * x + y * y
        return x / sqrt(r2), y / sqrt(r2), -y / r2, x / r2

    ufunc sign(x: T) -> (T, bool) where T in (f32, f64): return x, x > 0
    ufunc square(x: T) -> T where T in (c64, c128): return x * x
    ufunc square_partials(x: T) -> T where T in (c64, c128): return 2 * x

    gufunc total(v: T[n]) -> T where T in (f32, f64, i32, i64):
        return sum(v[i] for i in range(n))
    gufunc matmul(a: T[m?, k], b: T[k, n?]) -> (c: T[m?, n?]) where T in (f32, f64):
        for i in prange(m):
            for j in range(n):
                c[i, j] = sum(a[i, l] * b[l, j] for l in range(k))
    gufunc scale(v: T[n], a: T) -> (w: T[n]) where T in (f32, f64):
        for i in prange(n):
            w[i] = v[i] * a
    gufunc scale_vjp(v: T[n], a: T, g: T[n]) -> (dv: T[n], da: T) where T in (f32, f64):
        for i in prange(n):
            dv[i] = g[i] * a
        da = sum(g[i] * v[i] for i in range(n))
    gufunc conv(x: T[n], k: T[m]) -> (y: T[n - m + 1]) where T in (f32, f64):
        for i in prange(n - m + 1):
            y[i] = sum(x[i + j] * k[j] for j in range(m))
    gufunc grid(low: T, high: T, n: dim) -> (x: T[n]) where T in (f32, f64):
        for i in prange(n):
            x[i] = low + (high - low) * T(i) / T(n - 1)
    gufunc twice(inout v: T[n]) where T in (f32, f64):
        for i in prange(n):
            v[i] = 2 * v[i]
    ufunc odd(self: f32, out: f32) -> f32: return self - out
    """,
    "for_torch.kern",
)


@pytest.fixture(params=["cpu", "cuda"])
def device(request):
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip("torch sees no GPU")
    return request.param


def plain_wave(x, k):
    return torch.sin(k * x)


def plain_polar(x, y):
    return torch.hypot(x, y), torch.atan2(y, x)


def close(a, b, tolerance=1e-5):
    np.testing.assert_allclose(
        a.detach().cpu().numpy(), np.asarray(b.detach().cpu() if hasattr(b, "detach") else b),
        tolerance, tolerance,
    )  # fmt: skip
