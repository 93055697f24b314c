"""kern.elementwise: CuPy's cases of test_elementwise, written anew."""

import numpy as np
import pytest

import kern


def test_one_type():
    f = kern.elementwise("T x, T y", "T z", "z = (x - y) * (x - y)", name="sq")
    assert f.__name__ == "sq"
    for dtype in ("f4", "f8", "i4", "c8"):
        x, y = np.arange(6, dtype=dtype).reshape(2, 3), np.ones(3, dtype)
        got = f(x, y)
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, (x - y) ** 2)


def test_only_types_that_make_sense():
    f = kern.elementwise("T x, T y", "T z", "z = x - y")
    assert f(True, np.int8(3)) == -2  # there is no `-` of bool


def test_weak_numbers_and_promotion():
    f = kern.elementwise("T x, T y", "T z", "z = x + y")
    assert f(np.float32([1]), 2.5).dtype == np.float32
    assert f(np.float32([1]), np.array([2.5])).dtype == np.float64


def test_two_types_and_two_results():
    f = kern.elementwise(
        "T x, S n", "T z, bool w", "z = x * T(n); w = x < 2;", name="two"
    )
    z, w = f(np.float32([1, 3]), np.int64([2, 2]))
    assert (z.dtype, w.dtype) == (np.float32, bool)
    np.testing.assert_array_equal(z, [2, 6])
    np.testing.assert_array_equal(w, [True, False])


def test_named_types():
    operation = "z = x * f32(y) + f32(t)"
    f = kern.elementwise("float32 x, int64 y, d t", "float32 z", operation)
    assert f(np.float32([1.5]), 2, 1.0)[0] == 4


def test_statements():
    f = kern.elementwise(
        "T x, T low",
        "T y",
        """
        if x < low:
            y = low
        else:
            y = x
        """,
    )
    np.testing.assert_array_equal(f(np.array([1.0, 5.0]), 2), [2, 5])


def test_preamble_and_doc():
    f = kern.elementwise(
        "T x", "T y", "y = cube(x)", preamble="def cube(v): return v * v * v", doc="x³"
    )
    assert f(np.float32([2]))[0] == 8
    assert f.__doc__ == "x³"


def test_out():
    f = kern.elementwise("T x", "T y", "y = x + 1")
    out = np.zeros(3)
    assert f(np.arange(3.0), out) is out
    np.testing.assert_array_equal(out, [1, 2, 3])


@pytest.mark.parametrize(
    "args, said",
    [
        (("raw T x", "T y", "y = x[0]"), "kern.guvectorize"),
        (("T x", "S y", "y = x"), "no input decides the type 'S'"),
        (("f32 x", "f32 y", "y = x"), "NumPy's names"),
        (("float33 x", "float32 y", "y = x"), "is not a numeric type"),
        (("x", "T y", "y = x"), "not of the form"),
        (("T x, T x", "T y", "y = x"), "two parameters"),
        (("T x", "", "y = x"), "names no result"),
        (("A a, B b, C c", "A y", "y = a"), "at most two types"),
        (("T x", "T y", "y = x", "a b"), "identifier"),
    ],
)
def test_parameters_that_are_refused(args, said):
    with pytest.raises(TypeError) as raised:
        kern.elementwise(*args)
    assert said in str(raised.value)


@pytest.mark.parametrize("option", ["options", "loop_prep", "reduce_dims", "nonsense"])
def test_options_that_are_refused(option):
    with pytest.raises(TypeError, match=option):
        kern.elementwise("T x", "T y", "y = x", **{option: ()})


@pytest.mark.parametrize(
    "operation, line, column, said",
    [
        ("y = x + q", 1, 9, "unknown name `q`"),
        ("y = x\ny = x.foo", 2, 5, "no attribute `foo`"),
        ("y = (x < 0) ? 1 : 2", 1, 13, "a if condition else b"),
        ("x = 1", 1, 1, "assign `y`"),
    ],
)
def test_places(operation, line, column, said):
    with pytest.raises(kern.CompileError) as raised:
        kern.elementwise("T x", "T y", operation, name="op")
    error = raised.value
    assert error.filename == "<elementwise op>"
    assert (error.lineno, error.offset) == (line, column)
    assert error.text == operation.splitlines()[line - 1] + "\n"
    assert said in str(error)
