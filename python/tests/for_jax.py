"""What the tests of Kern's functions in JAX share."""

import jax
import jax.numpy as jnp
import kern
import numpy as np
import pytest

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
    ufunc wave_jvp(x: T, k: T, dx: T, dk: T) -> T where T in (f32, f64):
        return (k * dx + x * dk) * cos(k * x)

    ufunc polar(x: T, y: T) -> (T, T) where T in (f32, f64):
        return hypot(x, y), atan2(y, x)
    ufunc polar_partials(x: T, y: T) -> (T, T, T, T) where T in (f32, f64):
        r2 = x * x + y * y
        return x / sqrt(r2), y / sqrt(r2), -y / r2, x / r2

    ufunc sign(x: T) -> (T, bool) where T in (f32, f64): return x, x > 0
    ufunc positive(x: T) -> bool where T in (f32, f64): return x > 0
    ufunc nothing_in() -> f32: return 3.0

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
    gufunc pick(v: f32[n], i: i32) -> f32:
        assert 0 <= i and i < n
        return v[i]
    """,
    "for_jax.kern",
)


@pytest.fixture(autouse=True)
def plain_jax():
    """Without types of 64 bits, as JAX is by itself."""
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", False)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.fixture(params=["x64", "x32"])
def precision(request, plain_jax):
    """With and without JAX's types of 64 bits."""
    jax.config.update("jax_enable_x64", request.param == "x64")
    return request.param


def plain_wave(x, k):
    return jnp.sin(k * x)


def close(a, b, tolerance=1e-6):
    np.testing.assert_allclose(np.asarray(a), np.asarray(b), tolerance, tolerance)
