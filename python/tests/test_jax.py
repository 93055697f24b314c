"""Kern's functions in JAX's programs: jit, vmap, other processes. Expected values
are NumPy's."""

import inspect

import kern
import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
import kern.jax  # noqa: E402
from for_jax import MODULE, close, plain_jax, plain_wave, precision  # noqa: E402, F401

ALL = "bool i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16 bfloat16".split()


@pytest.mark.parametrize("dtype", ALL)
def test_every_type(precision, dtype):
    if precision == "x32" and dtype in ("i8", "u8", "f8", "c16"):
        pytest.skip("JAX has no such type without x64")
    x = jnp.array([[0, 1, 2], [3, 1, 5]], dtype)
    add = kern.jax.wrap(MODULE.add)
    for function in (add, jax.jit(add)):
        got = function(x, x)
        assert isinstance(got, jax.Array) and got.dtype == x.dtype
        expected = x | x if dtype == "bool" else x + x
        np.testing.assert_array_equal(np.asarray(got), np.asarray(expected))


def test_what_it_is():
    wave = kern.jax.wrap(MODULE.wave)
    assert wave.__name__ == "wave" and wave.__doc__ == "A wave."
    assert list(inspect.signature(wave).parameters) == ["x", "k"]
    assert wave.function is MODULE.wave
    close(wave(k=2.0, x=jnp.ones(3)), np.sin([2.0] * 3))


def test_numbers_are_weak(precision):
    add = kern.jax.wrap(MODULE.add)
    for kind in ("f2", "bfloat16", "f4"):
        x = jnp.arange(4, dtype=kind)
        for function in (add, jax.jit(add)):
            for number in (2, 0.5, True):
                assert function(x, number).dtype == x.dtype
                close(function(x, number), x + number)
    assert add(jnp.arange(3, dtype="i2"), 7).dtype == jnp.int16
    assert add(jnp.arange(3, dtype="f4"), 1j).dtype == jnp.complex64
    wide = "f8" if precision == "x64" else "f4"
    assert add(jnp.arange(3, dtype="i2"), 0.5).dtype == wide
    assert add(jnp.arange(3, dtype="f4"), np.float64(0.5)).dtype == wide
    assert add(1, 2).dtype == ("i8" if precision == "x64" else "i4")
    power = kern.compile(
        """
        ufunc power(x, n):
            result = x
            for i in range(n - 1):
                result = result * x
            return result
        """
    ).power
    got = kern.jax.wrap(power)(jnp.float16([1, 2]), 3)  # counts, and is no float16
    assert got.dtype == jnp.float16
    close(got, [1, 8])
    assert add(1.0, 2).dtype == wide


def test_narrow_results_are_rounded_once(precision):
    """Without 64 bits a float64 result of Kern's becomes float32."""
    f = kern.compile("ufunc third(x: f32) -> f64: return f64(x) / 3").third
    got = kern.jax.wrap(f)(jnp.float32([1, 2]))
    expected = np.array([1, 2]) / 3
    if precision == "x32":
        expected = expected.astype("f4")
    assert got.dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(got), expected)


def test_shapes():
    add = jax.jit(kern.jax.wrap(MODULE.add))
    for a, b in [((), ()), ((0,), (1,)), ((3, 1), (4,)), ((2, 1, 3), (5, 1)), ((0, 3), (3,))]:
        x, y = np.ones(a, "f4"), np.full(b, 2, "f4")
        got = add(x, y)
        assert got.shape == (x + y).shape
        np.testing.assert_array_equal(np.asarray(got), x + y)


def test_large_arrays():
    x = np.arange(3_000_000, dtype="f4")
    got = jax.jit(lambda x: kern.jax.wrap(MODULE.add)(x, x) + 1)(x)
    np.testing.assert_array_equal(np.asarray(got), x + x + 1)


def test_within_a_program():
    wave = kern.jax.wrap(MODULE.wave)

    @jax.jit
    def program(x):
        def step(carry, _):
            return wave(carry, 0.5) + 0.25, carry

        return jax.lax.scan(step, x, None, length=4)

    x = jnp.linspace(0, 1, 5, dtype="f4")
    expected = x
    for _ in range(4):
        expected = plain_wave(expected, 0.5) + 0.25
    close(program(x)[0], expected)


def test_two_results():
    polar = kern.jax.wrap(MODULE.polar)
    x, y = np.float32([3, -1]), np.float32([4, 1])
    r, phi = jax.jit(polar)(x, y)
    close(r, np.hypot(x, y))
    close(phi, np.arctan2(y, x))


def test_gufuncs():
    x = np.arange(12, dtype="f4").reshape(3, 4)
    close(jax.jit(kern.jax.wrap(MODULE.total))(x), x.sum(-1))
    close(kern.jax.wrap(MODULE.scale)(x, 2), 2 * x)
    close(kern.jax.wrap(MODULE.scale)(x, np.float32([1, 2, 3])), x * [[1], [2], [3]])
    matmul = kern.jax.wrap(MODULE.matmul)
    for a, b in [((2, 3), (3, 4)), ((3,), (3, 4)), ((2, 3), (3,)), ((3,), (3,)), ((5, 2, 3), (3, 2))]:
        a, b = np.random.rand(*a).astype("f4"), np.random.rand(*b).astype("f4")
        close(jax.jit(matmul)(a, b), np.matmul(a, b), 1e-5)
    got = kern.jax.wrap(MODULE.conv)(x, np.float32([1, -1]))
    close(got, -np.diff(x))


def test_sizes():
    grid = kern.jax.wrap(MODULE.grid)
    close(grid(0.0, jnp.float32([1, 2]), 5), np.linspace(0, [1, 2], 5, axis=1))
    close(jax.jit(grid, static_argnames="n")(0.0, np.float32(1), n=3), [0, 0.5, 1])
    with pytest.raises(TypeError, match="static_argnames"):
        jax.jit(grid)(0.0, np.float32(1), 3)
    batched = jax.vmap(lambda high: grid(0.0, high, 3))(np.float32([1, 2]))
    close(batched, [[0, 0.5, 1], [0, 1, 2]])


def test_vmap():
    x, y = np.float32(np.random.rand(5, 3)), np.float32(np.random.rand(5, 4, 3))
    add = kern.jax.wrap(MODULE.add)
    for function in (jax.vmap(add), jax.jit(jax.vmap(add))):
        close(function(x, y), x[:, None] + y)
    close(jax.vmap(add, (0, None))(x, y[0]), x[:, None] + y[0])
    close(jax.vmap(add, (None, 2), 1)(x[0, 0], y), (x[0, 0] + y).transpose(0, 2, 1))
    close(jax.vmap(jax.vmap(add, (0, None)), (None, 0))(x[0], y[:, 0, 0]),
          x[0] + y[:, 0, :1])  # fmt: skip
    a, b = np.float32(np.random.rand(6, 2, 3)), np.float32(np.random.rand(3, 4))
    matmul = kern.jax.wrap(MODULE.matmul)
    close(jax.vmap(matmul, (0, None))(a, b), a @ b, 1e-5)
    close(jax.vmap(matmul, (0, None))(a[:, 0], b), a[:, 0] @ b, 1e-5)
    close(jax.vmap(kern.jax.wrap(MODULE.scale), (0, 0))(y[:, 0], x[:, 0]),
          y[:, 0] * x[:, :1])  # fmt: skip


def test_what_is_refused():
    with pytest.raises(TypeError, match="kern.Function, not function"):
        kern.jax.wrap(lambda x: x)
    with pytest.raises(TypeError, match="one of partials and vjp"):
        kern.jax.wrap(MODULE.wave, partials=MODULE.wave_partials, vjp=MODULE.wave_vjp)
    with pytest.raises(TypeError, match="`wave_vjp` has 3 parameters.*needs 2 and 2"):
        kern.jax.wrap(MODULE.wave, partials=MODULE.wave_vjp)
    with pytest.raises(TypeError, match="gufunc.*vjp or jvp"):
        kern.jax.wrap(MODULE.scale, partials=MODULE.wave_partials)
    with pytest.raises(TypeError, match="gave 1 results for 1 of 2 parameters"):
        jax.grad(kern.jax.wrap(MODULE.wave, partials=lambda x, k: x))(1.0, 2.0)
    with pytest.raises(TypeError, match="gave 1 cotangents for 2"):
        jax.grad(kern.jax.wrap(MODULE.wave, vjp=lambda x, k, g: x))(1.0, 2.0)
    with pytest.raises(TypeError, match="writes to its parameter `v`"):
        kern.jax.wrap(MODULE.twice)
    wave = kern.jax.wrap(MODULE.wave)
    with pytest.raises(TypeError, match="wave\\(\\) is missing a required argument: 'k'"):
        wave(1.0)
    with pytest.raises(TypeError, match="number is needed, not str"):
        wave("a", 1.0)
    with pytest.raises(kern.DTypeError):
        jax.jit(wave)(np.complex64([1]), 1.0)
    with pytest.raises(kern.ShapeError):
        jax.jit(kern.jax.wrap(MODULE.add))(np.ones(2, "f4"), np.ones(3, "f4"))
    with pytest.raises(kern.ShapeError):
        kern.jax.wrap(MODULE.conv)(np.ones(2, "f4"), np.ones(4, "f4"))


def test_tracers_in_a_plain_call():
    """A function takes them as wrap() has it, and loses no gradient."""
    x = np.arange(3, dtype="f4")
    close(jax.jit(lambda x: MODULE.add(x, 1))(x), x + 1)
    close(jax.jit(lambda x: MODULE.add(y=x, x=x))(x), 2 * x)
    close(jax.vmap(MODULE.add, (0, None))(x, x), x[:, None] + x)
    close(jax.jit(MODULE.total)(x), 3)
    assert jax.eval_shape(MODULE.add, x, 1).dtype == jnp.float32
    with pytest.raises(TypeError, match="no derivative"):
        jax.grad(lambda x: MODULE.wave(x, 2.0))(1.0)
    with pytest.raises(TypeError, match="takes no keywords.*'where'"):
        jax.jit(lambda x: MODULE.add(x, 1, where=x > 1))(x)
    with pytest.raises(TypeError, match="NotImplemented"):
        jax.jit(lambda x: MODULE.add.reduce(x))(x)


def test_failures_while_running():
    checked = kern.compile(
        "gufunc pick(v: f32[n], i: i32) -> f32:\n    return v[i]", "checked.kern",
        checks=True,
    )  # fmt: skip
    pick = kern.jax.wrap(checked.pick)
    close(pick(np.float32([1, 2]), 1), 2)
    with pytest.raises(Exception, match="checked.kern:2"):
        jax.block_until_ready(pick(np.float32([1, 2]), 5))


def test_no_parameters():
    assert kern.jax.wrap(MODULE.nothing_in)() == 3


def test_another_process(tmp_path):
    """What was exported says what it lacks where the function is not."""
    import subprocess
    import sys

    from jax import export

    add = jax.jit(kern.jax.wrap(MODULE.add))
    shape = jax.ShapeDtypeStruct((3,), jnp.float32)
    checks = [export.DisabledSafetyCheck.custom_call("kern")]
    exported = export.export(add, disabled_checks=checks)(shape, shape)
    (tmp_path / "exported").write_bytes(exported.serialize())
    (tmp_path / "source.kern").write_text(MODULE.source)
    program = """
import sys, kern, kern.jax, jax, numpy as np
from jax import export
if sys.argv[1] == "with":
    kern.jax.wrap(kern.compile(open("source.kern").read(), "for_jax.kern").add)
else:
    kern.jax.wrap(kern.compile("ufunc other(x): return x").other)
f = export.deserialize(open("exported", "rb").read())
print(f.call(np.ones(3, "f4"), np.ones(3, "f4")))
"""
    for argument, said in (("with", "[2. 2. 2.]"), ("without", "kern.jax.wrap")):
        done = subprocess.run(
            [sys.executable, "-c", program, argument],
            cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip
        assert said in done.stdout + done.stderr, done.stderr
        assert (done.returncode == 0) == (argument == "with")
