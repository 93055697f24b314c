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


def takes_dtype(x, y):
    v = np.zeros(len(x), dtype=x.dtype)
    w = np.empty(x.shape, y.dtype)
    for i in range(3):
        v[i] += 2 * x[i]
        w[i] = x[i]
        y[i] = v[i] + w[i]


def test_dtype_of_an_array():
    agrees(takes_dtype, FLOATS, np.float32([1, 2, 3]))
    agrees(takes_dtype, FLOATS, np.float64([1, 2, 3]))
    agrees(takes_dtype, ["void(i4[:], i8[:])"], np.int32([2**29, 2, 3]))
    f = kern.guvectorize(FLOATS, "(n)->(n)")(takes_dtype)
    assert "zeros(len(x), dtype=T)" in f.source


def wraps(x, y):
    v = scratch(x)
    for i in range(3):
        v[i] = x[i] + 56
        y[i] = v[i]


def scratch(x):
    return np.ones((3,), x.dtype)


def test_dtype_is_that_of_the_elements():
    f = kern.guvectorize(["void(u1[:], i8[:])", "void(i8[:], i8[:])"], "(n)->(n)")(wraps)
    assert f(np.uint8([200, 1, 2])).tolist() == [0, 57, 58]
    assert f(np.int64([200, 1, 2])).tolist() == [256, 57, 58]


def test_dtype_without_signatures():
    with pytest.raises(kern.CompileError, match="type of `y` is not known") as raised:
        kern.guvectorize("(n)->(n)")(takes_dtype)
    assert raised.value.lineno == takes_dtype.__code__.co_firstlineno + 2


def conjugate_of_an_array(x, y):
    v = x.conj()
    for i in range(len(x)):
        y[i] = v[i] + x[i].conjugate()


@pytest.mark.parametrize("signatures", [[], ["void(c16[:], c16[:])"]])
def test_conjugate_of_an_array(signatures):
    x = np.array([1 + 2j, 3 - 1j])
    decorate = kern.guvectorize(*([signatures] if signatures else []), "(n)->(n)")
    assert decorate(conjugate_of_an_array)(x).tolist() == [2 - 4j, 6 + 2j]
