"""Subclasses of ndarray, `__array_wrap__`, `subok`: against NumPy's ufuncs."""

import kern
import numpy as np
import pytest
from pairs import MODULE, agree, same


class Tagged(np.ndarray):
    """Carries a tag, which views take over."""

    def __array_finalize__(self, other):
        self.tag = getattr(other, "tag", "none")


class Higher(Tagged):
    __array_priority__ = 5


class Lower(Tagged):
    __array_priority__ = -5


class Counting(np.ndarray):
    """Writes down how its `__array_wrap__` is called."""

    calls = []

    def __array_wrap__(self, array, context=None, return_scalar=False):
        function, arguments, index = context
        self.calls.append((len(arguments), index, return_scalar))
        return ("wrapped", array.view(np.ndarray), index)


def tagged(kind=Tagged, shape=(3,), tag="mine"):
    array = np.arange(np.prod(shape), dtype=float).reshape(shape).view(kind)
    array.tag = tag
    return array


@pytest.mark.parametrize("name", ["add", "divmod", "less", "negative"])
@pytest.mark.parametrize("subok", [True, False, None])
def test_types_of_results(name, subok):
    keywords = {} if subok is None else {"subok": subok}
    count = MODULE[name].nin
    for kinds in [(Tagged, np.ndarray), (np.ndarray, Tagged), (Higher, Tagged)] + [
        (Tagged, Higher),
        (Lower, np.ndarray),
        (np.ndarray, Lower),
        (Lower, Tagged),
    ]:
        args = [np.ones(3).view(kind) for kind in kinds][:count]
        got = getattr(MODULE, name)(*args, **keywords)
        expected = getattr(np, name)(*args, **keywords)
        same(got, expected)


def test_finalize_and_tags():
    got = MODULE.add(tagged(tag="a"), 1.0)
    assert type(got) is Tagged
    assert got.tag == np.add(tagged(tag="a"), 1.0).tag
    assert type(MODULE.add(tagged(shape=()), 1.0)) is type(
        np.add(tagged(shape=()), 1.0)
    )


def test_out_of_a_subclass():
    out = tagged(tag="out")
    got = MODULE.add(np.ones(3), 1.0, out=out)
    assert got is out and got.tag == "out"
    np.testing.assert_array_equal(out.view(np.ndarray), 2)
    plain = np.zeros(3)
    assert MODULE.add(tagged(), 1.0, out=plain) is plain
    agree("add", lambda: ((tagged(), 1.0, np.zeros(3)), {}))


@pytest.mark.parametrize(
    "make",
    [
        lambda: ((np.ones(3).view(Counting), 1.0), {}),
        lambda: ((1.0, np.ones(3).view(Counting)), {}),
        lambda: ((np.float64(1).reshape(()).view(Counting), 1.0), {}),
        lambda: ((np.ones(3), 1.0, np.zeros(3).view(Counting)), {}),
        lambda: ((np.ones(3).view(Counting), 1.0, np.zeros(3)), {}),
    ],
)
@pytest.mark.parametrize("name", ["add", "divmod"])
def test_array_wrap(name, make):
    results, calls = [], []
    for functions in (MODULE, np):
        Counting.calls.clear()
        args, keywords = make()
        if name == "divmod" and len(args) == 3:
            args = (*args, np.zeros(3))
        results.append(getattr(functions, name)(*args, **keywords))
        calls.append(list(Counting.calls))
    assert calls[0] == calls[1]
    same_or_wrapped(*results)


def same_or_wrapped(got, expected):
    assert type(got) is type(expected)
    if isinstance(expected, tuple):
        assert len(got) == len(expected)
        for one, other in zip(got, expected):
            same_or_wrapped(one, other)
    elif isinstance(expected, np.ndarray):
        np.testing.assert_array_equal(got, expected)
    else:
        assert got == expected


def test_context_has_the_function():
    seen = []

    class Seeing(np.ndarray):
        def __array_wrap__(self, array, context=None, return_scalar=False):
            seen.append(context)
            return array

    x = np.ones(3).view(Seeing)
    MODULE.add(x, 2.0)
    function, arguments, index = seen[0]
    assert function is MODULE.add and arguments[0] is x and index == 0


def test_wrap_of_what_is_no_array():
    class Wrapping:
        def __array__(self, dtype=None, copy=None):
            return np.arange(3.0)

        def __array_wrap__(self, array, context=None, return_scalar=False):
            return ("wrapped", array)

    for args in ((Wrapping(), 1.0), (np.ones(3), Wrapping()), ([1, 2, 3], Wrapping())):
        got, expected = MODULE.add(*args), np.add(*args)
        assert type(got) is type(expected)
        np.testing.assert_array_equal(got[1], expected[1])
    got = MODULE.add(Wrapping(), 1.0, subok=False)
    assert type(got) is np.ndarray


def test_wraps_of_old_kinds():
    class Two(np.ndarray):
        def __array_wrap__(self, array, context):
            return "two"

    class One(np.ndarray):
        def __array_wrap__(self, array):
            return "one"

    for kind, answer in ((Two, "two"), (One, "one")):
        with pytest.warns(DeprecationWarning):
            assert MODULE.add(np.ones(2).view(kind), 1.0) == answer


def test_errors_in_wrap():
    class Bad(np.ndarray):
        def __array_wrap__(self, array, context=None, return_scalar=False):
            raise ZeroDivisionError("wrap")

    with pytest.raises(ZeroDivisionError, match="wrap"):
        MODULE.add(np.ones(2).view(Bad), 1.0)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("name", ["add", "less", "divmod", "negative", "maximum"])
def test_matrix(name):
    a, b = np.matrix("1 2; 3 4"), np.matrix("2.5 1; 1 1")
    args = (a, b)[: MODULE[name].nin]
    same(getattr(MODULE, name)(*args), getattr(np, name)(*args))
    if len(args) == 2:
        same(getattr(MODULE, name)(a, 2), getattr(np, name)(a, 2))
        same(
            getattr(MODULE, name)(np.ones((2, 2)), a),
            getattr(np, name)(np.ones((2, 2)), a),
        )


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_matrix_reduce():
    a = np.matrix("1 2; 3 4")
    for axis in (0, 1):
        got, expected = MODULE.add.reduce(a, axis), np.add.reduce(a, axis)
        assert type(got) is type(expected)
        np.testing.assert_array_equal(got, expected)
    np.testing.assert_array_equal(MODULE.add.outer(a.A, a.A), np.add.outer(a.A, a.A))


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "less"])
def test_masked_arrays(name):
    a = np.ma.array([1.0, 2, 3, 4], mask=[0, 1, 0, 0])
    b = np.ma.array([2.0, 1, 5, 0], mask=[0, 0, 1, 0])
    for args in ((a, b), (a, 2.0), (np.ones(4), b)):
        got, expected = MODULE[name](*args), getattr(np, name)(*args)
        assert type(got) is type(expected)
        np.testing.assert_array_equal(got.mask, expected.mask)
        np.testing.assert_array_equal(got.compressed(), expected.compressed())


def test_recarray_fields_and_memmap(tmp_path):
    records = np.rec.array([(1, 2.0), (3, 4.0)], dtype=[("a", "i4"), ("b", "f8")])
    same(MODULE.add(records.a, records.b), np.add(records.a, records.b))
    mapped = np.memmap(tmp_path / "x", "f4", "w+", shape=(4,))
    mapped[:] = 3
    got, expected = MODULE.add(mapped, 1), np.add(mapped, 1)
    assert type(got) is type(expected)
    out = np.memmap(tmp_path / "y", "f4", "w+", shape=(4,))
    assert MODULE.add(mapped, 1, out=out) is out
    np.testing.assert_array_equal(out, 4)


def test_gufunc_results():
    norm = kern.compile("gufunc total(v: f64[n]) -> f64:\n    return sum(v)").total
    got = norm(tagged(shape=(2, 3)))
    assert type(got) is Tagged
    np.testing.assert_array_equal(got.view(np.ndarray), [3, 12])
