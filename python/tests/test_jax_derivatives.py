"""Derivatives of Kern's functions in JAX, against JAX's own of the same formulas."""

import kern
import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
import kern.jax  # noqa: E402
from for_jax import MODULE, close, plain_jax, plain_wave  # noqa: E402, F401

GRADIENTS = {
    "partials": lambda: {"partials": MODULE.wave_partials},
    "partials in JAX": lambda: {
        "partials": lambda x, k: (k * jnp.cos(k * x), x * jnp.cos(k * x))
    },
    "vjp": lambda: {"vjp": MODULE.wave_vjp},
    "vjp in JAX": lambda: {
        "vjp": lambda x, k, g: (g * k * jnp.cos(k * x), g * x * jnp.cos(k * x))
    },
    "jvp": lambda: {"jvp": MODULE.wave_jvp},
    "jvp in JAX": lambda: {
        "jvp": lambda x, k, dx, dk: (k * dx + x * dk) * jnp.cos(k * x)
    },
}
SHAPES = [((), ()), ((5,), ()), ((), (5,)), ((4, 1), (3,)), ((1, 3), (4, 3)), ((0,), ())]


@pytest.mark.parametrize("kind", [one for one in GRADIENTS if one != "jvp"])
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_grad(kind, shapes):
    wave = kern.jax.wrap(MODULE.wave, **GRADIENTS[kind]())
    x, k = (np.asarray(np.random.rand(*shape), "f4") for shape in shapes)

    def loss(function):
        return lambda x, k: (function(x, k) ** 2).sum()

    for wrapped in (lambda one: one, jax.jit):
        got = wrapped(jax.grad(loss(wave), (0, 1)))(x, k)
        expected = jax.grad(loss(plain_wave), (0, 1))(x, k)
        for one, other in zip(got, expected):
            assert one.shape == other.shape and one.dtype == other.dtype
            close(one, other, 1e-5)
    # A number of Python's, and one argument alone.
    close(jax.grad(lambda x: loss(wave)(x, 2.0))(x),
          jax.grad(lambda x: loss(plain_wave)(x, 2.0))(x), 1e-5)  # fmt: skip


@pytest.mark.parametrize("kind", [one for one in GRADIENTS if "vjp" not in one])
def test_jvp(kind):
    wave = kern.jax.wrap(MODULE.wave, **GRADIENTS[kind]())
    x, k = np.random.rand(4, 1).astype("f4"), np.random.rand(3).astype("f4")
    tangents = np.random.rand(4, 1).astype("f4"), np.random.rand(3).astype("f4")
    for got, expected in zip(
        jax.jvp(wave, (x, k), tangents), jax.jvp(plain_wave, (x, k), tangents)
    ):
        close(got, expected, 1e-5)
    close(jax.jacfwd(wave)(x, k), jax.jacfwd(plain_wave)(x, k), 1e-5)


def test_vmap_of_grad():
    wave = kern.jax.wrap(MODULE.wave, partials=MODULE.wave_partials)
    x = np.random.rand(7).astype("f4")
    close(jax.vmap(jax.grad(wave), (0, None))(x, 2.0), 2 * np.cos(2 * x), 1e-5)
    close(jax.jacrev(wave)(x, 2.0), np.diag(2 * np.cos(2 * x)), 1e-5)


def test_two_results_with_partials():
    polar = kern.jax.wrap(MODULE.polar, partials=MODULE.polar_partials)

    def plain(x, y):
        return jnp.hypot(x, y), jnp.arctan2(y, x)

    x, y = np.float32([3, -1]), np.float32([4, 1])
    for i in range(2):
        got = jax.grad(lambda x, y: polar(x, y)[i].sum(), (0, 1))(x, y)
        expected = jax.grad(lambda x, y: plain(x, y)[i].sum(), (0, 1))(x, y)
        close(got, expected, 1e-5)


def test_second_derivatives():
    second = kern.compile(
        """
        ufunc cube(x: T) -> T where T in (f32, f64): return x ** 3
        ufunc cube_partials(x: T) -> T where T in (f32, f64): return 3 * x * x
        ufunc cube_second(x: T) -> T where T in (f32, f64): return 6 * x
        """
    )
    first = kern.jax.wrap(second.cube_partials, partials=second.cube_second)
    cube = kern.jax.wrap(second.cube, partials=first)
    close(jax.grad(jax.grad(cube))(2.0), 12)
    close(jax.hessian(cube)(2.0), 12)
    once = kern.jax.wrap(second.cube, partials=second.cube_partials)
    close(jax.grad(once)(2.0), 12)
    with pytest.raises(TypeError, match="`cube_partials` has no derivative"):
        jax.grad(jax.grad(once))(2.0)


def test_vjp_of_a_gufunc():
    scale = kern.jax.wrap(MODULE.scale, vjp=MODULE.scale_vjp)
    v, a = np.random.rand(3, 4).astype("f4"), np.random.rand(3).astype("f4")

    def loss(function):
        return lambda v, a: jnp.sin(function(v, a)).sum()

    def plain(v, a):
        return v * jnp.asarray(a)[..., None]

    for a in (a, np.float32(2)):
        got = jax.grad(loss(scale), (0, 1))(v, a)
        for one, other in zip(got, jax.grad(loss(plain), (0, 1))(v, a)):
            assert one.shape == other.shape
            close(one, other, 1e-5)


def test_integers_have_no_derivative():
    """Of arguments that are integers, and of results that are."""
    pick = kern.compile(
        """
        ufunc power(x: f32, n: i32) -> f32: return x ** n
        ufunc power_partials(x: f32, n: i32) -> (f32, f32): return n * x ** (n - 1), 0
        ufunc power_vjp(x: f32, n: i32, g: f32) -> (f32, f32): return g * n * x ** (n - 1), 0
        """
    )
    for gradient in ({"partials": pick.power_partials}, {"vjp": pick.power_vjp}):
        power = kern.jax.wrap(pick.power, **gradient)
        close(jax.grad(power)(np.float32(2), np.int32(3)), 12)
    positive = kern.jax.wrap(MODULE.positive)
    got = jax.grad(lambda x: jnp.where(positive(x), 2 * x, x).sum())(np.float32([1, -1]))
    close(got, [2, 1])
    both = kern.jax.wrap(MODULE.sign, vjp=lambda x, g, none: g)
    close(jax.grad(lambda x: both(x)[0])(2.0), 1)
    both = kern.jax.wrap(MODULE.sign, partials=lambda x: (1.0, 0.0))
    close(jax.grad(lambda x: both(x)[0])(2.0), 1)


def test_no_derivative_is_an_error():
    wave = kern.jax.wrap(MODULE.wave)
    with pytest.raises(TypeError, match="`wave` has no derivative here: give kern.jax.wrap"):
        jax.grad(wave)(1.0, 2.0)
    with pytest.raises(TypeError, match="no derivative"):
        jax.jit(lambda x: jax.jvp(lambda x: wave(x, 2.0), (x,), (x,)))(1.0)
    still = jax.lax.stop_gradient
    close(jax.grad(lambda x: x * wave(still(x), 2.0))(1.0), np.sin(2.0))
    with pytest.raises(TypeError, match="forward-mode"):
        jax.jvp(kern.jax.wrap(MODULE.wave, vjp=MODULE.wave_vjp), (1.0, 2.0), (1.0, 1.0))
    with pytest.raises(Exception, match="differentiat|no derivative|transpose"):
        jax.grad(kern.jax.wrap(MODULE.wave, jvp=MODULE.wave_jvp))(1.0, 2.0)
