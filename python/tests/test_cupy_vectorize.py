"""CuPy's cases of cupy.vectorize, written anew: on NumPy's arrays and on CuPy's.

Of the 66 methods of CuPy's test_vectorize.py 59 are here. `excluded` is no keyword of
kern.vectorize, which needs none: numbers are numbers by themselves (6 methods); a
variable for a type and a constant object's attribute are refused here (the places say
so in test_vectorize_errors.py). As in Numba, which these functions come from, integers
are computed in 64 bits: expected are NumPy's results for arguments of that width.
"""

import itertools

import numpy as np
import pytest

import kern
from cupy_functions import (
    reciprocal,
    add,
    sub,
    mul,
    power,
    minmax,
    div,
    floor_div,
    mod,
    lshift,
    rshift,
    bit_or,
    bit_and,
    bit_xor,
    invert,
    logical_not,
    eq,
    neq,
    lt,
    le,
    gt,
    ge,
    usub,
    ifexp,
    incr,
    ufunc_call,
    typecast,
    assign_new,
    assign_update,
    augassign,
    nonconst,
    if_else,
    if_alone,
    elif_,
    while_,
    for_,
    for_const_range,
    for_range_step,
    for_compound,
    for_update_condition,
    tuples,
    return_tuple,
    const_value,
    arithmetic,
    relu,
)
from test_frameworks import Cupy

SIGNED, UNSIGNED, FLOATS, COMPLEX = "bhiq", "BHIQ", "fd", "FD"
REAL = SIGNED + UNSIGNED + FLOATS
RNG = np.random.default_rng(11)


def pairs(types):
    """Without uint64 beside other integers, which has no common type."""
    return [
        one
        for one in itertools.combinations_with_replacement(types, 2)
        if not ("Q" in one and set(one) & set("bhiqBHI"))
    ]


# A function, the types of its arguments, and what else they must be.
OPERATIONS = [
    (reciprocal, [(one,) for one in FLOATS + COMPLEX], ""),
    (add, pairs(REAL + COMPLEX), ""),
    (sub, [(one, one) for one in SIGNED + FLOATS + COMPLEX], ""),
    (mul, pairs(REAL + COMPLEX), ""),
    (power, [(one, one) for one in "qQfd"], "not zero"),
    (minmax, pairs(SIGNED + FLOATS) + pairs(UNSIGNED), ""),
    (div, pairs(FLOATS + COMPLEX) + [("i", "q"), ("b", "d")], "not zero"),
    (floor_div, pairs(SIGNED) + pairs(UNSIGNED) + pairs(FLOATS), "not zero"),
    (mod, pairs(SIGNED) + pairs(UNSIGNED) + pairs(FLOATS), "not zero"),
    (lshift, [(one, one) for one in "iIqQ"], ""),
    (rshift, pairs(SIGNED) + pairs(UNSIGNED), ""),
    (bit_or, pairs(SIGNED) + pairs(UNSIGNED), ""),
    (bit_and, pairs(SIGNED) + pairs(UNSIGNED), ""),
    (bit_xor, pairs(SIGNED) + pairs(UNSIGNED), ""),
    (invert, [("q",)], ""),
    (logical_not, [(one,) for one in "?" + REAL], ""),
    *((one, pairs(REAL), "") for one in (eq, neq, lt, le, gt, ge)),
    (usub, [(one,) for one in SIGNED + FLOATS + COMPLEX], ""),
    (ifexp, [(c, one, one) for c in "?bqd" for one in "qQfdFD"], ""),
    (incr, [(one,) for one in REAL + COMPLEX], ""),
    (ufunc_call, [(one, one) for one in "qQ" + FLOATS + COMPLEX], ""),
    (typecast, [(one,) for one in REAL], ""),
    *((one, [(of,) for of in REAL + COMPLEX], "")
      for one in (assign_new, assign_update, augassign)),
    (arithmetic, [("d", "d", "d"), ("f", "f", "f")], ""),
    (const_value, [("q", "q")], ""),
]  # fmt: skip
CASES = [
    pytest.param(function, types, need, id=f"{function.__name__}-{''.join(types)}")
    for function, rows, need in OPERATIONS
    for types in rows
]
COUNT = np.arange(1, 11)
STATEMENTS = [
    (nonconst, [COUNT]), (if_else, [COUNT]), (if_alone, [COUNT]), (elif_, [COUNT]),
    (while_, [COUNT]), (for_, [COUNT]), (for_, [COUNT.astype("u8")]),
    (for_const_range, [COUNT]),
    (for_range_step, [np.arange(6), np.array([-21, -23, -19, 17, 27, 24]),
                      np.array([-3, -2, -1, 1, 2, 3])]),
    (for_compound, [np.arange(5), np.arange(5)]), (for_update_condition, [np.arange(5)]),
    (tuples, [np.arange(5), np.arange(5, 10)]), (relu, [np.array([0.4, -0.2, 1.8])]),
    (relu, [np.float32([0.4, -0.2, 1.8])]),
    (return_tuple, [np.arange(5), np.arange(5, 10)]),
]  # fmt: skip


class Numpy:
    """NumPy's arrays, as the frameworks of test_frameworks.py."""

    type = np.ndarray

    def __init__(self, device):
        pass

    def make(self, array):
        return array

    def numpy(self, array):
        return array


@pytest.fixture(params=["cpu", "cuda"])
def device(request):
    return request.param


@pytest.fixture
def framework(device):
    return (Cupy if device == "cuda" else Numpy)(device)


_made = {}


def made(function):
    """One for all types: loops are made at calls."""
    if function not in _made:
        _made[function] = kern.vectorize(function)
    return _made[function]


def random(char, shape, need):
    kind = np.dtype(char).kind
    if kind == "b":
        return RNG.integers(0, 2, shape).astype(char)
    if kind in "iu":
        return RNG.integers(1 if need else 0, 10, shape).astype(char)
    values = RNG.uniform(0.5 if need else 0, 10, shape)
    if kind == "c":
        values = values + 1j * RNG.uniform(0, 10, shape)
    return values.astype(char)


def widened(*arrays, literals=False):
    """As functions without signatures take them: integers have 64 bits, signed ones
    unless all are unsigned; a literal is a signed one. Beside floats they are what
    they are, but for a u16, which is a u32."""
    if any(one.dtype.kind in "fc" for one in arrays):
        return [one.astype("u4") if one.dtype == "u2" else one for one in arrays]
    integers = [one for one in arrays if one.dtype.kind in "iu"]
    is_unsigned = all(one.dtype.kind == "u" for one in integers) and not literals
    to = "u8" if is_unsigned else "i8"
    return [one.astype(to) if one.dtype.kind in "iu" else one for one in arrays]


def by_numpy(function, arguments):
    if function is typecast:
        return arguments[0].astype("f4")
    if function is logical_not:
        return np.logical_not(*arguments)
    if function is minmax:
        return np.maximum(*arguments) - np.minimum(*arguments)
    if function is ifexp:
        return np.where(*arguments)
    return function(*arguments)


@pytest.mark.parametrize("function, types, need", CASES)
def test_operation(framework, function, types, need):
    shape = (2, 3) if function in (arithmetic, power) else (20, 30)
    arguments = [random(one, shape, need) for one in types]
    got = made(function)(*map(framework.make, arguments))
    assert isinstance(got, framework.type)
    got = framework.numpy(got)
    expected = by_numpy(function, widened(*arguments, literals=function is incr))
    assert got.shape == expected.shape
    single = np.result_type(got.dtype, "f4") in ("f4", "c8")
    np.testing.assert_allclose(got, expected, 2e-5 if single else 1e-12)
    if got.dtype.kind in "b" or function in (add, sub, mul, incr, usub):
        assert got.dtype == expected.dtype


@pytest.mark.parametrize("function, arguments", STATEMENTS,
                         ids=[one.__name__ + a[0].dtype.char for one, a in STATEMENTS])  # fmt: skip
def test_statements(framework, function, arguments):
    got = made(function)(*map(framework.make, arguments))
    expected = np.vectorize(function)(*arguments)
    if not isinstance(got, tuple):
        got, expected = (got,), (expected,)
    for one, of in zip(got, expected):
        np.testing.assert_allclose(framework.numpy(one), of, 1e-6)


def test_broadcast_and_scalars(framework):
    f = made(add)
    for char in REAL + COMPLEX:
        x, y = random(char, (20, 30), ""), random(char, (30,), "")
        got = framework.numpy(f(framework.make(x), framework.make(y)))
        np.testing.assert_allclose(got, np.add(*widened(x, y)), 1e-6)
        got = framework.numpy(f(framework.make(x), 1))
        np.testing.assert_allclose(got, widened(x)[0] + 1, 1e-6)
        got = framework.numpy(f(framework.make(x), x.dtype.type(1)))
        np.testing.assert_allclose(got, widened(x)[0] + 1, 1e-6)


def test_lambda(framework):
    f = kern.vectorize(lambda a, b, c: a + b * c)
    x = [random("q", (20, 30), "") for _ in range(3)]
    got = f(*map(framework.make, x))
    np.testing.assert_array_equal(framework.numpy(got), x[0] + x[1] * x[2])


def test_lambdas_in_one_line():
    """CuPy cannot tell them apart; a place tells them apart here, or it is said."""
    functions = [lambda a, b: a + b, lambda a, b: a * b]
    try:
        got = [kern.vectorize(one)(3, 4) for one in functions]
    except kern.Error as error:
        assert "lambda" in str(error)
    else:
        assert got == [7, 12]


def test_numbers_instead_of_excluded(framework):
    """What CuPy's `excluded` is for: an argument that is one number."""

    @kern.vectorize
    def f(x, y, z):
        return x + y + z

    x, z = random("d", (20, 30), ""), random("d", (30,), "")
    got = framework.numpy(f(framework.make(x), 2.5, framework.make(z)))
    np.testing.assert_allclose(got, x + 2.5 + z)


def test_what_is_no_value_is_refused():
    def f(x):
        x = np.float32
        return x

    with pytest.raises((TypeError, SyntaxError)):
        kern.vectorize(f)(np.arange(3))
