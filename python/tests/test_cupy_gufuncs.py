"""CuPy's cases of generalised ufuncs, written anew: on NumPy's arrays and on CuPy's.

Of the 18 methods of CuPy's test_gufuncs.py 15 are here. Not here: `supports_batched`
and `supports_out`, which say what a Python function behind a gufunc can do, and
`signatures=`, a list of such functions: a Kern function has its loops in its source.
A dimension of results alone is refused by guvectorize, and signature="i" by calls.
"""

import numpy as np
import pytest

import kern
from test_cupy_elementwise import framework  # noqa: F401

MODULE = kern.compile("""
gufunc matrix(x: T[i, j]) -> (y: T[i, j]) where T in (numbers, bool):
    for a, b in prange(i, j):
        y[a, b] = x[a, b]

gufunc row(x: T[i]) -> (y: T[i]) where T in (numbers, bool):
    for a in prange(i):
        y[a] = x[a]

gufunc total(x: T[i]) -> T where T in (i64, f64):
    return sum(v for v in x)

gufunc box(x: T[i, j, k]) -> (y: T[i, j, k]) where T in (i64, f64):
    for a, b, c in prange(i, j, k):
        y[a, b, c] = x[a, b, c]

gufunc first(x: T[i, j, k], y: T[i, j, k]) -> (z: T[i, j, k]) where T in (i64, f64):
    for a, b, c in prange(i, j, k):
        z[a, b, c] = x[a, b, c]

gufunc sums(x: T[i], y: T[i]) -> (z: T[i]) where T in (i32, i64, f32, f64):
    for a in prange(i):
        z[a] = x[a] + y[a]
""")
X = np.arange(120).reshape(2, 3, 4, 5)


def copied(x, y):
    y[:] = x


@pytest.mark.parametrize(
    "layout, inputs, outputs",
    [
        ("(i,j)->(i,j)", [("i", "j")], [("i", "j")]),
        ("(i,j),(j,k)->(k,i)", [("i", "j"), ("j", "k")], [("k", "i")]),
        ("()->()", [()], [()]),
    ],
)
def test_layouts(layout, inputs, outputs):
    from kern._signatures import parse_layout

    found = parse_layout(layout)
    assert (list(found.inputs), list(found.outputs)) == (inputs, outputs)


@pytest.mark.parametrize(
    "layout",
    ["(i,j),(j,k)->(k,l)", "(i,j)(i,j)", "(i,j)-(i,j)", "(i,j)(i,j)->(i,j)", "j->(i", "", "()->()->"],
)
def test_layouts_that_are_refused(layout):
    with pytest.raises(ValueError):
        kern.guvectorize(layout)(copied)


@pytest.mark.parametrize(
    "axes",
    [
        ((-1, -2), (-1, -2)), ((0, 1), (0, 1)), ((0, 1), (-1, -2)), ((1, 2), (-1, -2)),
        ((1, 2), (1, 2)), ((1, 2), (2, 3)), ((2, 3), (-1, -2)), ((2, 3), (0, 1)),
        ((2, 3), (1, 2)), ((0, 3), (1, 2)), ((0, 3), (2, 0)),
    ],
)  # fmt: skip
def test_axes(framework, axes):  # noqa: F811
    got = framework.numpy(MODULE.matrix(framework.make(X), axes=list(axes)))
    np.testing.assert_array_equal(got, np.moveaxis(X, *axes))


@pytest.mark.parametrize(
    "axes",
    [
        (-1, -2), (0, 1), (1, 2), (2, 3), (0, 2), (0, 3), (1, 3), (3, 0), (2, 0),
        (2, 1), (1, 0),
    ],
)  # fmt: skip
def test_axes_of_rows(framework, axes):  # noqa: F811
    got = framework.numpy(MODULE.row(framework.make(X), axes=list(axes)))
    np.testing.assert_array_equal(got, np.moveaxis(X, *axes))


@pytest.mark.parametrize("axis", [0, 1, 2, 3])
def test_axis(framework, axis):  # noqa: F811
    got = framework.numpy(MODULE.total(framework.make(X), axis=axis))
    np.testing.assert_array_equal(got, X.sum(axis=axis))


def test_axis_invalid(framework):  # noqa: F811
    with pytest.raises((ValueError, TypeError)):
        MODULE.matrix(framework.make(X), axis=((0, 1), (0, 1)))


def test_out(framework):  # noqa: F811
    out = framework.make(np.empty(X.shape, X.dtype))
    assert MODULE.matrix(framework.make(X), out=out) is out
    np.testing.assert_array_equal(framework.numpy(out), X)


def test_out_of_another_shape(framework):  # noqa: F811
    out = framework.make(np.empty((3, 3, 4, 5), X.dtype))
    with pytest.raises(ValueError):
        MODULE.matrix(framework.make(X), out=out)


def test_out_of_another_type(framework):  # noqa: F811
    out = framework.make(np.empty(X.shape, "h"))
    with pytest.raises(TypeError):
        MODULE.matrix(framework.make(X.astype("f8")), out=out)


@pytest.mark.parametrize("given", "bBhHiIqQefd")
def test_dtype(framework, given):  # noqa: F811
    x = X.astype(given)
    for wanted in "bBhHiIqQefd":
        if np.can_cast(given, wanted):
            got = framework.numpy(MODULE.matrix(framework.make(x), dtype=wanted))
            assert got.dtype == np.dtype(wanted)
            np.testing.assert_array_equal(got, x.astype(wanted))


@pytest.mark.parametrize("order", ["C", "F", "K"])
def test_order(framework, order):  # noqa: F811
    x = X[0].astype("f8")
    got = MODULE.box(framework.make(x), order=order)
    want = np.asarray(x, order=order)
    np.testing.assert_array_equal(framework.numpy(got), want)
    assert got.strides == want.strides


@pytest.mark.parametrize("orders, want", [("FC", "C"), ("FF", "F")])
def test_order_a(framework, orders, want):  # noqa: F811
    x, y = (framework.make(np.asarray(X[0], "f8", order=one)) for one in orders)
    got = MODULE.first(x, y, order="A")
    assert got.flags.c_contiguous if want == "C" else got.flags.f_contiguous


@pytest.mark.parametrize("char", "fdiq")
def test_each_type_has_its_loop(framework, char):  # noqa: F811
    x = framework.make(np.array([10], char))
    got = MODULE.sums(x, x, casting="no")
    assert got.dtype == np.dtype(char) and framework.numpy(got)[0] == 20


@pytest.mark.parametrize("signature", ["ii->i", ("i", "i", "i")])
def test_signature(framework, signature):  # noqa: F811
    x = framework.make(np.array([10.5]))
    got = MODULE.sums(x, x, casting="unsafe", signature=signature)
    assert got.dtype == np.int32 and framework.numpy(got)[0] == 20
    got = MODULE.sums(x, x, casting="unsafe", dtype="i")  # CuPy's signature="i"
    assert got.dtype == np.int32 and framework.numpy(got)[0] == 20


@pytest.mark.parametrize("signature", ["i->i", "id->i", "", "i"])
def test_signatures_that_are_refused(framework, signature):  # noqa: F811
    x = framework.make(np.array([10.0]))
    with pytest.raises((TypeError, ValueError)):
        MODULE.sums(x, x, casting="unsafe", signature=signature)
