"""kern.guvectorize: arrays that a body makes with NumPy's functions."""

import linecache

import numpy as np
import pytest

import kern

FLOATS = ["void(f4[:], f4[:])", "void(f8[:], f8[:])"]
INTEGERS = ["void(u1[:], i8[:])", "void(i4[:], i8[:])"]


def adds_ones(x, y):
    v = np.ones(3)
    for i in range(3):
        y[i] = v[i] + x[i]


def adds_twos(x, y):
    v = np.full(3, 2.0)
    for i in range(3):
        y[i] = v[i] + x[i]


def adds_named(x, y):
    v = np.full((3, 2), dtype=np.int16, fill_value=-7)
    w = np.ones(x.shape, np.int32)
    for i in range(3):
        y[i] = v[i, 1] * x[i] - w[i]


def adds_first(x, y):
    v = np.full(x.shape[0], x[0])
    for i in range(3):
        y[i] = v[i] + x[i]


def agrees(function, signatures, x):
    """Whether Kern gives what Python gives in 64 bits, where Numba computes."""
    result = "f8" if x.dtype.kind == "f" else "i8"
    wide, expected = x.astype(result), np.zeros(x.shape, result)
    function(wide, expected)
    decorate = kern.guvectorize(*([signatures] if signatures else []), "(n)->(n)")
    np.testing.assert_array_equal(decorate(function)(x), expected)


@pytest.mark.parametrize("function", [adds_ones, adds_twos, adds_named, adds_first])
def test_ones_and_full(function):
    agrees(function, FLOATS, np.float32([1, 2, 3]))
    agrees(function, FLOATS, np.float64([1, 2, 3]))
    agrees(function, INTEGERS, np.uint8([200, 100, 3]))
    agrees(function, INTEGERS, np.int32([2**31 - 1, 2, 3]))
    agrees(function, None, np.float64([1, 2, 3]))


def uses_eye(x, y):
    y[0] = np.eye(3)[0, 0] + x[0]


def uses_norm(x, y):
    y[0] = np.linalg.norm(x)


@pytest.mark.parametrize(
    "function, part, said",
    [(uses_eye, "np.eye", "`eye`"), (uses_norm, "np.linalg", "no `norm` of NumPy")],
)
def test_functions_of_numpy_that_kern_lacks(function, part, said):
    with pytest.raises(kern.CompileError) as raised:
        kern.guvectorize(FLOATS, "(n)->(n)")(function)
    error = raised.value
    line = function.__code__.co_firstlineno + 1
    assert (error.filename, error.lineno) == (__file__, line)
    assert error.offset == linecache.getline(__file__, line).index(part) + 1
    assert said in str(error)
