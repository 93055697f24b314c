"""Kern functions that are NumPy's ufuncs, and how a call of one is compared with
a call of the other."""

import kern
import numpy as np
from numpy.exceptions import AxisError

SOURCE = """
import numpy as np

@associative(identity=0)
ufunc add(x, y):
    return x + y

@associative(identity=1)
ufunc multiply(x, y):
    return x * y

ufunc subtract(x, y):
    return x - y

ufunc hypot(x, y):
    return np.hypot(x, y)

ufunc divmod(x, y):
    return x // y, x % y

ufunc modf(x):
    return np.modf(x)

ufunc less(x, y):
    return x < y

ufunc equal(x, y):
    return x == y

ufunc logical_and(x, y):
    return x and y

ufunc logical_not(x):
    return not x

ufunc isnan(x):
    return np.isnan(x)

ufunc maximum(x, y):
    return np.maximum(x, y)

ufunc minimum(x, y):
    return np.minimum(x, y)

ufunc negative(x):
    return -x

ufunc sqrt(x):
    return np.sqrt(x)

ufunc sin(x: T) -> T where T in (f16, f32, f64):
    return np.sin(x)

ufunc true_divide(x, y):
    return x / y

ufunc bitwise_or(x: T, y: T) -> T where T in (
        bool, i8, u8, i16, u16, i32, u32, i64, u64):
    return x | y

ufunc copysign(x: T, y: T) -> T where T in (f16, f32, f64):
    return np.copysign(x, y)
"""

MODULE = kern.compile(SOURCE, "pairs.kern")

_BASES = (IndexError, ValueError, TypeError, OverflowError, RuntimeError)


def outcome(call):
    """(result, None) or (None, the exception)."""
    try:
        return call(), None
    except Exception as error:
        return None, error


def builtin_of(error):
    """Python's own class among an exception's."""
    return next(one for one in type(error).__mro__ if one.__module__ == "builtins")


def both_raise(error, numpy_error):
    """Whether both calls raised an exception. Fails if NumPy's has another class or
    only NumPy raised; raises Kern's exception if only Kern did."""
    if numpy_error is not None:
        assert error is not None, f"NumPy: {numpy_error!r}"
        assert isinstance(error, builtin_of(numpy_error)), (error, numpy_error)
        if isinstance(numpy_error, AxisError):
            assert isinstance(error, AxisError), (error, numpy_error)
            assert (error.axis, error.ndim) == (numpy_error.axis, numpy_error.ndim)
        return True
    if error is not None:
        raise error
    return False


def same(got, expected, rtol=1e-6):
    """Whether types, dtypes, shapes and values are equal."""
    if isinstance(expected, tuple):
        assert type(got) is tuple and len(got) == len(expected)
        for one, other in zip(got, expected):
            same(one, other, rtol)
        return
    assert type(got) is type(expected)
    if not isinstance(expected, (np.ndarray, np.generic)):
        assert got == expected or got is expected
        return
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    if expected.dtype.kind in "fc":
        rtol = 2e-3 if expected.dtype.itemsize == 2 else rtol
        np.testing.assert_allclose(
            np.asarray(got), np.asarray(expected), rtol=rtol, equal_nan=True
        )
    else:
        np.testing.assert_array_equal(np.asarray(got), np.asarray(expected))


# A function's first call of a layout is planned, the second is learnt by heart,
# and the third is done so.
ROUNDS = 3


def agree(name, make, rtol=1e-6):
    """Calls Kern's and NumPy's `name` with the arguments of `make()`, made for each
    anew: (args, kwargs). Results, exceptions, and what was written to arguments
    must agree, each time. Gives Kern's result."""
    for _ in range(ROUNDS):
        got = _agree_once(name, make, rtol)
    return got


def _agree_once(name, make, rtol):
    args, keywords = make()
    got, error = outcome(lambda: getattr(MODULE, name)(*args, **keywords))
    numpy_args, numpy_keywords = make()
    with np.errstate(all="ignore"):
        expected, numpy_error = outcome(
            lambda: getattr(np, name)(*numpy_args, **numpy_keywords)
        )
    if both_raise(error, numpy_error):
        return None
    same(got, expected, rtol)
    flat = [*args, *_tuple(keywords.get("out"))]
    numpy_flat = [*numpy_args, *_tuple(numpy_keywords.get("out"))]
    for one, other in zip(flat, numpy_flat):
        if isinstance(other, np.ndarray):
            same(one, other, rtol)
    results, numpy_results = _tuple(got), _tuple(expected)
    for one, other in zip(results, numpy_results):
        outs = [at for at, x in enumerate(numpy_flat) if x is other]
        assert [at for at, x in enumerate(flat) if x is one] == outs
    return got


def _tuple(value):
    return value if isinstance(value, tuple) else () if value is None else (value,)


def ones(shape=(3, 4), dtype="f8", scale=1.5):
    """1, 2, … times `scale`."""
    return (np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape) * scale).astype(
        dtype
    )


def array(dtype, shape=(3, 4, 5)):
    """Small integers of a type."""
    return np.random.default_rng(5).integers(1, 9, shape).astype(dtype)


def compare(call, rtol=1e-6):
    """`call` with Kern's function and with NumPy's gives the same, each time."""
    for _ in range(ROUNDS):
        _compare_once(call, rtol)


def _compare_once(call, rtol):
    def wrapped(functions):
        return lambda: call(functions)

    got, error = outcome(wrapped(lambda name: MODULE[name]))
    with np.errstate(all="ignore"):
        expected, numpy_error = outcome(wrapped(lambda name: getattr(np, name)))
    if both_raise(error, numpy_error):
        return
    same(got, expected, rtol)
