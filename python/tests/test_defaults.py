"""Defaults, arguments by name, ranges and shapes in calls."""

import inspect

import kern
import numpy as np
import pytest

MODULE = kern.compile(
    """
ufunc scaled(x: T, scale: T = 2.0, shift: T = f64(0.5)) -> T where T in (f32, f64):
    return x * scale + shift

ufunc counted(x, by=3, z=2j, flag=True):
    return x * by if flag else z * x

gufunc windowed(x: T[n], window: dim = 3) -> (y: T[n - window + 1]) where T in (f32, f64):
    for i in prange(n - window + 1):
        y[i] = sum(x[i + j] for j in range(window))

gufunc iota() -> (y: i64[n]):
    for i in prange(n):
        y[i] = i

ufunc options(x, axis=1, out=2):
    return x + 10 * axis + 100 * out

ufunc weibull(x, shape=2.0):
    return x**shape
"""
)
X = np.arange(7.0) / 4  # products are exact


def test_defaults():
    f = MODULE.scaled
    assert f(X).tolist() == (X * 2 + 0.5).tolist()
    assert f(X, 3).tolist() == (X * 3 + 0.5).tolist()
    assert f(X, shift=1).tolist() == (X * 2 + 1).tolist()
    assert f(scale=X, x=X).tolist() == (X * X + 0.5).tolist()
    assert f(1.0) == 2.5
    assert MODULE.counted(np.int8([1, 2])).tolist() == [3, 6]
    assert MODULE.counted(2.0, flag=False) == 4j
    assert MODULE.windowed(X).shape == (5,)
    assert MODULE.windowed(X, window=7).tolist() == [X.sum()]


def test_again():
    """Repeated calls, which are prepared, keep the defaults."""
    for i in range(10):
        x = X + i
        assert MODULE.scaled(x).tolist() == (x * 2 + 0.5).tolist()
        assert MODULE.scaled(x, float(i)).tolist() == (x * i + 0.5).tolist()


def test_out():
    out = np.zeros(7)
    assert MODULE.scaled(X, out=out) is out
    assert out.tolist() == (X * 2 + 0.5).tolist()
    assert MODULE.scaled(X, 1, 0, out) is out
    assert out.tolist() == X.tolist()


@pytest.mark.parametrize(
    "arguments, named, said",
    [
        ((), {}, "missing required argument 'x'"),
        ((1,), {"x": 2}, "multiple values for argument 'x'"),
        ((1,), {"scal": 2}, "unexpected keyword argument 'scal'"),
        ((1, 2, 3, 4, 5), {}, "takes from 1 to 4 positional"),
    ],
)
def test_refused(arguments, named, said):
    with pytest.raises(TypeError, match=said):
        MODULE.scaled(*arguments, **named)


def test_methods_of_calls():
    f = MODULE.scaled
    assert "scaled" in f.explain(X)
    out = np.zeros(7)
    prepared = f.prepare(X, out=out)
    assert prepared().tolist() == (X * 2 + 0.5).tolist()
    assert prepared(X + 1).tolist() == (X * 2 + 2.5).tolist()
    assert prepared(X, 3.0, np.float64(0)).tolist() == (X * 3).tolist()
    with pytest.raises(TypeError, match="takes no arguments or"):
        prepared(1, 2, 3, 4)


def test_signature():
    parameters = inspect.signature(MODULE.scaled).parameters
    assert parameters["scale"].default == 2.0
    assert parameters["shift"].default == np.float64(0.5)
    assert type(parameters["shift"].default) is np.float64
    assert parameters["x"].default is inspect.Parameter.empty
    assert parameters["shape"].default is None
    of = inspect.signature(MODULE.counted).parameters
    assert [of[n].default for n in ("by", "z", "flag")] == [3, 2j, True]
    assert inspect.signature(MODULE.windowed).parameters["window"].default == 3
    by_place = inspect.signature(MODULE.options).parameters["axis"]
    assert by_place.kind == inspect.Parameter.POSITIONAL_ONLY
    inspect.signature(MODULE.weibull)


def test_names_of_options():
    assert MODULE.options(1, 2, 3) == 321
    out = np.zeros((), int)
    assert MODULE.options(1, out=out) is out
    assert out == 211
    with pytest.raises(TypeError, match="'axis': calls have an option of that name"):
        MODULE.options(1, axis=3)
    # Not an option of NumPy's: the parameter has its name.
    assert MODULE.weibull(3.0, shape=3) == 27


def test_compiled_files(tmp_path):
    import pickle

    f = pickle.loads(pickle.dumps(MODULE.scaled))
    assert f(X).tolist() == (X * 2 + 0.5).tolist()


def test_overrides():
    """Other libraries get the defaults too."""
    masked = np.ma.masked_array(X, X > 0.5)
    assert MODULE.scaled(masked).tolist() == (masked * 2 + 0.5).tolist()


def test_python_functions():
    @kern.vectorize
    def power(x, n=2, scale=1.5):
        return scale * x**n

    assert power(3.0) == 13.5
    assert power(3.0, scale=1) == 9
    assert inspect.signature(power).parameters["n"].default == 2

    @kern.vectorize(["f4(f4, f4)", "f8(f8, f8)"])
    def add(x, y=1):
        return x + y

    assert add(np.float32([1])).tolist() == [2]
    assert add(np.float32([1])).dtype == np.float32

    @kern.vectorize(["i8(i8, i8)"])
    def whole(x, y=0.5):  # no type takes it: it has none
        return x + y

    with pytest.raises(TypeError):
        whole(1)

    @kern.vectorize
    def other(x, y=None):
        return x + y

    with pytest.raises(TypeError):
        other(1)


RANGES = [range(7), range(3, 24, 3), range(0, -7, -1), range(2**40, 2**40 + 7)]


@pytest.mark.parametrize("numbers", RANGES, ids=str)
def test_ranges(numbers):
    array = np.arange(numbers.start, numbers.stop, numbers.step)
    add = kern.compile("ufunc add(x, y): return x + y").add
    for other in (X, np.float32(X), 2, 0.5, np.int8(1), X[::-1], X[:, None]):
        got, want = add(numbers, other), np.add(array, other)
        assert got.dtype == want.dtype
        assert np.array_equal(got, want)
    for _ in range(4):
        assert np.array_equal(add(numbers, numbers), array + array)
    out = np.zeros(7)
    assert add(X, numbers, out=out) is out
    assert np.array_equal(out, X + array)
    assert np.array_equal(
        MODULE.windowed(numbers), MODULE.windowed(array.astype(float))
    )
    assert "a range: its numbers are computed" in add.explain(numbers, X)


def test_ranges_that_are_refused():
    add = kern.compile("ufunc add(x, y): return x + y").add
    assert add(range(0), 1).shape == (0,)
    assert add(range(0), 1).dtype == np.int64
    with pytest.raises(OverflowError):
        add(range(2**70), 1)
    with pytest.raises(ValueError):
        add(range(3), np.zeros(4))
    with pytest.raises(TypeError, match="ranges"):
        add.prepare(range(3), 1, out=np.zeros(3))


def test_shapes():
    assert MODULE.iota(shape=4).tolist() == [0, 1, 2, 3]
    assert MODULE.iota(shape=(2, 3)).tolist() == [[0, 1, 2]] * 2
    assert MODULE.iota(shape=np.int64(0)).shape == (0,)
    assert MODULE.scaled(1.0, shape=(2, 2)).tolist() == [[2.5, 2.5]] * 2
    assert MODULE.scaled(X, shape=(3, 7)).shape == (3, 7)
    assert MODULE.scaled(range(7), shape=(3, 7)).shape == (3, 7)
    assert MODULE.scaled(1.0, shape=None) == 2.5
    with pytest.raises(ValueError, match="decided by no argument"):
        MODULE.iota()
    with pytest.raises(ValueError):
        MODULE.scaled(X, shape=6)
    with pytest.raises(TypeError, match="shape takes integers"):
        MODULE.iota(shape="ten")
