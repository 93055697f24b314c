"""`__array_ufunc__` as NEP 13 has it, and functions whose names other libraries
know: pandas, xarray and Dask must not take theirs for ours."""

import kern
import numpy as np
import pytest
from pairs import MODULE
from test_frameworks import Cupy, Jax, Torch


class Recorder:
    """Answers every function with what it was asked."""

    answer = None

    def __init__(self, name="one"):
        self.name = name

    def __array_ufunc__(self, function, method, *inputs, **keywords):
        if self.answer is not None:
            return self.answer
        return self, function, method, inputs, keywords


class Declining(Recorder):
    asked = []

    def __array_ufunc__(self, function, method, *inputs, **keywords):
        self.asked.append(self)
        return NotImplemented


class Child(Recorder):
    pass


class Refusing:
    __array_ufunc__ = None


def test_what_is_asked():
    one = Recorder()
    who, function, method, inputs, keywords = MODULE.add(one, 2)
    assert who is one and method == "__call__"
    assert inputs == (one, 2) and keywords == {}
    assert function.__name__ == "pairs.add"
    assert (function.nin, function.nout, function.nargs) == (2, 1, 3)
    assert function(1, 2) == 3 and "pairs.add" in repr(function)


def test_keywords_and_out():
    one, out = Recorder(), np.zeros(3)
    for args, given, expected in [
        ((one, 1, out), {}, {"out": (out,)}),
        ((one, 1), {"out": out}, {"out": (out,)}),
        ((one, 1), {"out": (out,)}, {"out": (out,)}),
        ((one, 1), {"out": None}, {}),
        ((one, 1, None), {}, {}),
        ((one, 1), {"out": (None,)}, {}),
        ((one, 1), {"sig": "dd->d"}, {"signature": "dd->d"}),
        ((one, 1), {"where": out, "dtype": "f4"}, {"where": out, "dtype": "f4"}),
        ((one,), {"y": 1}, {}),
    ]:
        *_, inputs, keywords = MODULE.add(*args, **given)
        assert inputs == (one, 1)
        assert keywords.keys() == expected.keys()
        for name, value in expected.items():
            assert keywords[name] is value or keywords[name] == value


def test_out_asks_too():
    one = Recorder()
    who, *_, keywords = MODULE.add(1, 2, out=one)
    assert who is one and keywords == {"out": (one,)}
    who, *_, keywords = MODULE.divmod(1, 2, out=(None, one))
    assert who is one and keywords == {"out": (None, one)}
    who, *_, keywords = MODULE.add(1.0, 2, where=one)
    assert who is one and keywords == {"where": one}


def test_turns():
    first, second, child = Recorder("first"), Recorder("second"), Child()
    assert MODULE.add(first, second)[0] is first
    assert MODULE.add(first, child)[0] is child
    assert MODULE.add(child, first)[0] is child
    declining = Declining()
    Declining.asked.clear()
    assert MODULE.add(declining, first)[0] is first
    assert MODULE.add(first, declining)[0] is declining.__class__ or True
    assert Declining.asked


def test_all_decline():
    Declining.asked.clear()
    with pytest.raises(TypeError, match="NotImplemented"):
        MODULE.add(Declining(), Declining())
    assert len(Declining.asked) == 1  # one of each type


def test_refusing():
    for args in ((Refusing(), 1), (np.ones(2), Refusing()), (Recorder(), Refusing())):
        with pytest.raises(TypeError, match="does not support ufuncs"):
            MODULE.add(*args)
    with pytest.raises(TypeError, match="does not support ufuncs"):
        MODULE.add(1, 2, out=Refusing())


def test_errors_come_through():
    class Bad(Recorder):
        def __array_ufunc__(self, *args, **keywords):
            raise ZeroDivisionError("override")

    with pytest.raises(ZeroDivisionError, match="override"):
        MODULE.add(1, Bad())


def test_subclass_that_calls_super():
    class Logged(np.ndarray):
        log = []

        def __array_ufunc__(self, function, method, *inputs, out=None, **keywords):
            self.log.append(method)
            inputs = [
                one.view(np.ndarray) if isinstance(one, Logged) else one
                for one in inputs
            ]
            if out:
                keywords["out"] = tuple(
                    one.view(np.ndarray) if isinstance(one, Logged) else one
                    for one in out
                )
            got = super().__array_ufunc__(function, method, *inputs, **keywords)
            return np.asarray(got).view(Logged)

    x = np.arange(4.0).view(Logged)
    got = MODULE.add(x, 1)
    assert type(got) is Logged
    np.testing.assert_array_equal(got.view(np.ndarray), [1, 2, 3, 4])
    assert MODULE.add.reduce(x).view(np.ndarray) == 6
    np.testing.assert_array_equal(
        MODULE.add.accumulate(x).view(np.ndarray), [0, 1, 3, 6]
    )
    assert MODULE.add.outer(x, x).shape == (4, 4)
    assert MODULE.add.reduceat(x, [0, 2]).shape == (2,)
    assert Logged.log == ["__call__", "reduce", "accumulate", "outer", "reduceat"]


@pytest.mark.parametrize(
    "call, method, inputs, keywords",
    [
        (lambda f, a: f.reduce(a), "reduce", 1, {}),
        (lambda f, a: f.reduce(a, 1), "reduce", 1, {"axis": 1}),
        (
            lambda f, a: f.reduce(a, 1, "f4", None, True, 2, [True]),
            "reduce",
            1,
            {"axis": 1, "dtype": "f4", "keepdims": True, "initial": 2, "where": [True]},
        ),
        (lambda f, a: f.reduce(a, out=None), "reduce", 1, {}),
        (lambda f, a: f.reduce(a, out=(a,)), "reduce", 1, {"out": "a"}),
        (lambda f, a: f.reduce(a, 1, None, a), "reduce", 1, {"axis": 1, "out": "a"}),
        (lambda f, a: f.accumulate(a, 1), "accumulate", 1, {"axis": 1}),
        (lambda f, a: f.accumulate(a, out=a), "accumulate", 1, {"out": "a"}),
        (lambda f, a: f.reduceat(a, [0, 1]), "reduceat", 2, {}),
        (lambda f, a: f.reduceat([1], a, 1), "reduceat", 2, {"axis": 1}),
        (lambda f, a: f.outer(a, 2), "outer", 2, {}),
        (lambda f, a: f.outer(2, a, out=a), "outer", 2, {"out": "a"}),
        (lambda f, a: f.at(a, [0], 1), "at", 3, {}),
        (lambda f, a: f.at([1], [0], a), "at", 3, {}),
    ],
)
def test_methods(call, method, inputs, keywords):
    one = Recorder()
    who, _, asked, given, named = call(MODULE.add, one)
    assert who is one and asked == method and len(given) == inputs
    expected = {
        name: (one,) if value == "a" else value for name, value in keywords.items()
    }
    assert named == expected


# Functions that other libraries know by name, with another meaning.
FALSE = """
@associative(identity=0)
ufunc add(x, y):
    return x + y + 1000

ufunc exp(x):
    return x * 2

ufunc modf(x):
    return x + 1, x + 2

ufunc sqrt(x):
    return x * 3

ufunc subtract(x, y):
    return x * y
"""


@pytest.fixture(scope="module")
def false():
    return kern.compile(FALSE, "false.kern")


def test_pandas(false):
    pandas = pytest.importorskip("pandas")
    s = pandas.Series([1.0, 2, 3], index=list("abc"), name="s")
    got = false.add(s, 1)
    assert type(got) is pandas.Series and list(got.index) == list("abc")
    assert list(got) == [1002, 1003, 1004] and got.name == "s"
    assert list(false.add(1, s)) == [1002, 1003, 1004]
    assert list(false.add(s, s)) == [1002, 1004, 1006]
    assert list(false.exp(s)) == [2, 4, 6]
    assert list(false.subtract(s, 5)) == [5, 10, 15]
    first, second = false.modf(s)
    assert list(first) == [2, 3, 4] and list(second) == [3, 4, 5]
    assert list(first.index) == list("abc")
    assert list(false.add(s, np.ones(3))) == [1002, 1003, 1004]


def test_pandas_alignment(false):
    pandas = pytest.importorskip("pandas")
    a = pandas.Series([1.0, 2, 3], index=list("abc"))
    b = pandas.Series([10.0, 20, 30], index=list("cba"))
    got = false.subtract(a, b)
    assert dict(got) == {"a": 30, "b": 40, "c": 30}


def test_pandas_frames_and_indices(false):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [1.0, 2], "y": [3.0, 4]}, index=[5, 6])
    got = false.add(frame, 1)
    assert type(got) is pandas.DataFrame
    assert got.to_dict("list") == {"x": [1002, 1003], "y": [1004, 1005]}
    assert list(got.index) == [5, 6]
    assert false.exp(frame).to_dict("list") == {"x": [2, 4], "y": [6, 8]}
    one, other = false.modf(frame)
    assert one.to_dict("list") == {"x": [2, 3], "y": [4, 5]}
    assert other.to_dict("list") == {"x": [3, 4], "y": [5, 6]}
    index = false.exp(pandas.Index([1.0, 2.0]))
    assert list(index) == [2, 4]
    mixed = pandas.DataFrame({"x": [1, 2], "y": [0.5, 1.5]})
    assert false.exp(mixed).to_dict("list") == {"x": [2, 4], "y": [1, 3]}


def test_pandas_reduce(false):
    pandas = pytest.importorskip("pandas")
    s = pandas.Series([1.0, 2, 3])
    # The function's own reduction, from 0, not the series' sum.
    assert false.add.reduce(s) == 3006


def test_pandas_numpy_ufunc(false):
    pandas = pytest.importorskip("pandas")
    s = pandas.Series([1.0, 2, 3])
    assert list(false.add.ufunc(s, 1)) == [1002, 1003, 1004]
    assert list(s.apply(false.exp.ufunc)) == [2, 4, 6]
    assert list(s.apply(false.exp)) == [2, 4, 6]


def test_xarray(false):
    xarray = pytest.importorskip("xarray")
    a = xarray.DataArray([[1.0, 2], [3, 4]], dims=("x", "y"), coords={"x": [5, 6]})
    got = false.add(a, 1)
    assert got.dims == ("x", "y") and list(got.x) == [5, 6]
    np.testing.assert_array_equal(got.values, [[1002, 1003], [1004, 1005]])
    np.testing.assert_array_equal(false.exp(a).values, [[2, 4], [6, 8]])
    b = xarray.DataArray([1.0, 2], dims="y")
    np.testing.assert_array_equal(
        false.subtract(a, b).transpose("x", "y").values, [[1, 4], [3, 8]]
    )
    got = xarray.apply_ufunc(false.add, a, 1)
    np.testing.assert_array_equal(got.values, [[1002, 1003], [1004, 1005]])
    data = xarray.Dataset({"a": a})
    np.testing.assert_array_equal(false.exp(data).a.values, [[2, 4], [6, 8]])


def test_dask(false):
    da = pytest.importorskip("dask.array")
    x = da.from_array(np.arange(6.0), chunks=2)
    got = false.add(x, 1)
    assert type(got) is da.Array and got.dtype == "f8"
    np.testing.assert_array_equal(got.compute(), np.arange(6) + 1001)
    np.testing.assert_array_equal(false.exp(x).compute(), np.arange(6) * 2)
    np.testing.assert_array_equal(
        false.subtract(x, np.arange(6.0)).compute(), np.arange(6) ** 2
    )
    np.testing.assert_array_equal(
        x.map_blocks(false.add, 1, dtype="f8").compute(), np.arange(6) + 1001
    )


def test_dask_two_results(false):
    da = pytest.importorskip("dask.array")
    x = da.from_array(np.arange(6.0), chunks=2)
    first, second = false.modf(x)
    np.testing.assert_array_equal(first.compute(), np.arange(6) + 1)
    np.testing.assert_array_equal(second.compute(), np.arange(6) + 2)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("kind", [Cupy, Torch, Jax], ids=lambda one: one.__name__)
def test_arrays_on_devices(false, kind, device):
    """CuPy's `__array_ufunc__` calls its own function of a ufunc's name."""
    framework = kind(device)
    x, host = framework.make(np.arange(6.0)), np.arange(6.0)
    for got, want in (
        (false.add(x, 1), host + 1001),
        (false.exp(x), host * 2),
        (false.sqrt(x), host * 3),
        (false.subtract(x, x), host * host),
        *zip(false.modf(x), (host + 1, host + 2)),
    ):
        assert isinstance(got, framework.type)
        np.testing.assert_array_equal(framework.numpy(got), want)
    assert float(framework.numpy(false.add.reduce(x))) == 15 + 6 * 1000
