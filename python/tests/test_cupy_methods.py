"""CuPy's cases of the methods of ufuncs, written anew: on NumPy's arrays and on CuPy's.

All 20 methods of CuPy's test_ufunc_methods.py are here. Expected are NumPy's results;
where NumPy's own `add.reduce` widens integers, `dtype=` says so here.
"""

import numpy as np
import pytest

import kern
from pairs import MODULE
from test_cupy_elementwise import framework  # noqa: F401

BITS = kern.compile("""
ufunc bitwise_and(x, y): return x & y
ufunc bitwise_xor(x, y): return x ^ y
""")
RNG = np.random.default_rng(3)
SIZE = 50
FLAT = RNG.random(SIZE) < 0.5
INDICES = RNG.integers(0, SIZE, SIZE).astype("i4")


def random(char, shape=(SIZE,), scale=10):
    kind = np.dtype(char).kind
    if kind == "b":
        return RNG.integers(0, 2, shape).astype(char)
    if kind in "iu":
        return RNG.integers(0, scale, shape).astype(char)
    values = RNG.integers(0, scale, shape) + 1j * RNG.integers(0, scale, shape)
    return (values if kind == "c" else values.real).astype(char)


def test_outer(framework):  # noqa: F811
    x, y = random("i4", (2, 3)), random("i4", (4, 1, 5))
    got = MODULE.add.outer(framework.make(x), framework.make(y))
    np.testing.assert_array_equal(framework.numpy(got), np.add.outer(x, y))


def test_outer_of_numbers():
    assert MODULE.add.outer(2, 3) == 5


WHERE = {"some": np.nonzero(FLAT)[0], "often": INDICES, "mask": FLAT}
AT = [
    ("add", "iIqQefd"), ("subtract", "iIqfd"), ("minimum", "iIqQfd"),
    ("maximum", "iIqQfd"), ("bitwise_and", "iIqQ"), ("bitwise_or", "iIqQ"),
    ("bitwise_xor", "iIqQ"),
]  # fmt: skip


@pytest.mark.parametrize("values", ["number", "array"])
@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize(
    "name, char", [(name, char) for name, chars in AT for char in chars]
)
def test_at(framework, name, char, where, values):  # noqa: F811
    x, index = random(char), WHERE[where]
    count = int(index.sum()) if where == "mask" else index.size
    y = x.dtype.type(3) if values == "number" else random(char, count)
    want = x.copy()
    getattr(np, name).at(want, index, y)
    got = framework.make(x.copy())
    function = MODULE[name] if name in MODULE else BITS[name]
    other = y if values == "number" else framework.make(y)
    function.at(got, framework.make(index), other)
    np.testing.assert_array_equal(framework.numpy(got), want)


@pytest.mark.parametrize("char", "iIqQefd")
def test_at_two_dimensions(framework, char):  # noqa: F811
    x, index = random(char, (20, 30)), np.nonzero(RNG.random((20, 30)) < 0.5)
    want = x.copy()
    np.add.at(want, index, 3)
    got = framework.make(x.copy())
    MODULE.add.at(got, tuple(map(framework.make, index)), 3)
    np.testing.assert_array_equal(framework.numpy(got), want)


@pytest.mark.parametrize("char", "bBhHiIqQefdFD")
@pytest.mark.parametrize("name", ["add", "multiply"])
@pytest.mark.parametrize("method", ["reduce", "accumulate"])
def test_reduce_and_accumulate(framework, method, name, char):  # noqa: F811
    x = random(char, (3, 4), scale=4)
    want = getattr(getattr(np, name), method)(x, axis=-1)
    ours = getattr(MODULE[name], method)
    got = framework.numpy(ours(framework.make(x), axis=-1, dtype=want.dtype))
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, 1e-3 if char == "e" else 1e-6)
