"""`out` takes part in broadcasting: calls of ufuncs and gufuncs against NumPy's."""

import kern
import numpy as np
import pytest
from pairs import agree, ones
from test_gufuncs import MODULE as GUFUNCS
from test_gufuncs import compare, numbers


@pytest.mark.parametrize(
    "out",
    [(3,), (2, 3), (1, 3), (4, 2, 3), (0, 3), (1,), (), (3, 1), (2, 4), (3, 0)],
    ids=str,
)
@pytest.mark.parametrize("shapes", [((3,), (3,)), ((1,), ()), ((3,), ()), ((), ())])
def test_inputs_broadcast_to_out(shapes, out):
    def make(**keywords):
        x, y = (ones(shape) for shape in shapes)
        return (x, y), {"out": np.full(out, 9.0), **keywords}

    agree("add", make)
    agree("less", lambda: make(casting="unsafe", dtype=bool))
    for mask in ([True, False, True], [[True], [False]], False):
        agree("add", lambda: make(where=mask))
    agree("add", lambda: ((2, ones(shapes[1]), np.zeros(out)), {}))


@pytest.mark.parametrize(
    "shapes",
    [
        ((2, 3), None),
        (None, (2, 3)),
        ((2, 3), (2, 3)),
        ((2, 3), (3,)),
        ((3,), (2, 3)),
        ((1, 3), (2, 3)),
        ((4, 1, 3), None),
        ((2, 1), None),
    ],
    ids=str,
)
def test_all_results_have_the_shape_of_the_largest_out(shapes):
    def make():
        out = tuple(None if one is None else np.full(one, 9.0) for one in shapes)
        return (ones(3, scale=2.5), 2.0), {"out": out}

    agree("divmod", make)
    agree("modf", lambda: (make()[0][:1], make()[1]))


def test_a_row_of_out_is_read_before_it_is_written():
    def make():
        out = np.arange(6.0).reshape(2, 3)
        return (out[1], out[0, ::-1]), {"out": out}

    agree("add", make)


OUTS = [(), (1,), (4,), (2, 4), (3, 1), (2, 3), (3,), (0,)]


@pytest.mark.parametrize("out", OUTS, ids=str)
@pytest.mark.parametrize("kind", ["function", "ufunc"])
@pytest.mark.parametrize("lead", [(), (1,), (4,), (2, 1)], ids=str)
def test_loop_dimensions_broadcast_to_out(kind, lead, out):
    x, y = numbers((*lead, 3)), numbers(3)
    a, b = numbers((*lead, 2, 3)), numbers((3, 2))
    if len(out) >= len(lead):  # else NumPy drops leading extents of 1
        compare(kind, "inner1d", x, y, out=np.full(out, 9.0))
        compare(kind, "matrix_multiply", a, b, out=np.full((*out, 2, 2), 9.0))
        axes = [(-1, 0), (0, 1), (0, 1)]
        if not lead:
            compare(kind, "matrix_multiply", a, b, axes=axes, out=np.ones((2, 2, *out)))
    if kind == "function":  # NumPy's iterator drops axes of extent 1 that stay
        try:
            shape = np.broadcast_shapes(lead, out)
        except ValueError:
            shape = None
        into = np.full((*out, 1), 9.0)
        if shape != out:
            with pytest.raises(ValueError):
                GUFUNCS.inner1d(x, y, keepdims=True, out=into)
            return
        GUFUNCS.inner1d(x, y, keepdims=True, out=into)
        expected = np.broadcast_to((x * y).sum(-1, keepdims=True), into.shape)
        np.testing.assert_array_equal(into, expected)


def test_new_results_are_as_large_as_out():
    module = kern.compile(
        "gufunc both(x: f64[n]) -> (y: f64[n], s: f64):\n    total = sum(x)\n"
        "    y[:] = x - total\n    s = total"
    )
    x, out = numbers((2, 4)), np.zeros((3, 2, 4))
    y, s = module.both(x, out=(out, None))
    np.testing.assert_array_equal(y, np.broadcast_to(x - x.sum(1)[:, None], out.shape))
    np.testing.assert_array_equal(s, np.broadcast_to(x.sum(1), (3, 2)))
    # A place among the axes of a new result counts those of the array.
    y, s = module.both(x, out=(None, np.zeros((3, 2))), axes=[1, 0, ()])
    np.testing.assert_array_equal(
        y, np.moveaxis(np.broadcast_to(x - x.sum(1)[:, None], out.shape), -1, 0)
    )
    with pytest.raises(ValueError, match="result 2"):
        module.both(x, out=(out, np.zeros(2)))
