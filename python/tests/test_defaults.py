"""Defaults, arguments by name, ranges and shapes in calls."""

import inspect
import pickle

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
    total = kern.compile("gufunc total(v: i64[n]) -> i64: return sum(v)").total
    with pytest.raises(ValueError, match="range, whose numbers are written to memory"):
        total.prepare(range(3), out=np.zeros((), int))
    with pytest.raises(TypeError, match="takes arrays, numbers and ranges as they are"):
        add.prepare([1, 2, 3], 1, out=np.zeros(3))


def test_ranges_in_calls_that_come_again():
    add = kern.compile("ufunc again(x, y): return x + 2 * y", "again.kern").again
    for _ in range(3):
        assert add(range(0, 6, 2), 1).tolist() == [2, 4, 6]
    assert add._known_calls == 1
    assert add(range(0, 5, 2), 5).tolist() == [10, 12, 14]  # the same numbers
    for other in (range(1, 7, 2), range(0, 3), range(0, 8, 2), range(4, -2, -2), range(0)):
        for number in (1, 3):
            assert add(other, number).tolist() == [one + 2 * number for one in other]
    for x in (np.arange(0, 6, 2), [0, 2, 4], 7):
        np.testing.assert_array_equal(add(x, 1), np.asarray(x) + 2)
    for _ in range(3):
        with pytest.raises(OverflowError):
            add(range(2**70, 2**70 + 3), 1)


def test_prepared_ranges():
    add = kern.compile("ufunc add(x, y): return x + y").add
    out = np.zeros(3)
    prepared = add.prepare(range(0, 6, 2), 0.5, out=out)
    assert prepared() is out and out.tolist() == [0.5, 2.5, 4.5]
    assert prepared(range(0, 6, 2), 1.5).tolist() == [1.5, 3.5, 5.5]
    for other in (range(3), range(1, 7, 2), np.arange(0, 6, 2), [0, 2, 4]):
        with pytest.raises(ValueError, match="prepared for other"):
            prepared(other, 1.5)


def test_ranges_in_methods():
    add = kern.compile("@associative(identity=0)\nufunc add(x, y): return x + y").add
    numbers, array = range(1, 9, 2), np.arange(1, 9, 2)
    for _ in range(3):
        assert add.reduce(numbers) == 16 and add.reduce(numbers, initial=1) == 17
        assert add.accumulate(numbers).tolist() == [1, 4, 9, 16]
        assert add.reduceat(numbers, range(0, 4, 2)).tolist() == [4, 12]
        np.testing.assert_array_equal(add.outer(numbers, numbers), np.add.outer(array, array))
        x = np.zeros(9)
        add.at(x, numbers, 1)
        add.at(x, [0, 2, 4, 6], numbers)
        assert x.tolist() == [1, 1, 3, 1, 5, 1, 7, 1, 0]


def scaled(x, factor=2.0, res=None):
    for i in range(len(x)):
        res[i] = x[i] * factor


def first(x, factor=2.0, res=None):
    res[0] = x[0] * factor[0]


def plain(x, y=2.0, res=None):
    res[0] = x - y


@pytest.mark.parametrize(
    "signatures", [["void(f8[:], f8, f8[:])", "void(f4[:], f4, f4[:])"], None]
)
def test_guvectorize(signatures):
    args = (signatures, "(n),()->(n)") if signatures else ("(n),()->(n)",)
    f = kern.guvectorize(*args)(scaled)
    assert f(X).tolist() == (X * 2).tolist() and f(X, 3).tolist() == (X * 3).tolist()
    assert f(X, factor=-1).tolist() == (-X).tolist()
    assert f(np.float32(X)).dtype == "f4"
    assert f.__signature__.parameters["factor"].default == 2.0
    assert pickle.loads(pickle.dumps(f))(X).tolist() == (X * 2).tolist()


def test_guvectorize_of_numbers_and_of_arrays():
    f = kern.guvectorize(["void(f8[:], f8[:], f8[:])"], "(n),()->()")(first)
    assert f(X + 1) == 2 * (X[0] + 1) and f(X + 1, 5.0) == 5 * (X[0] + 1)
    f = kern.guvectorize(["void(f8, f8, f8[:])"], "(),()->()")(plain)
    assert f(X).tolist() == (X - 2).tolist() and f(1, y=1) == 0
    # An integer cannot be 2.0, and an array is no number.
    f = kern.guvectorize(["void(i8[:], i8, i8[:])"], "(n),()->(n)")(scaled)
    with pytest.raises(TypeError, match="'factor'"):
        f(np.arange(3))
    f = kern.guvectorize(["void(f8[:], f8[:], f8[:])"], "(n),(n)->()")(first)
    with pytest.raises(TypeError, match="'factor'"):
        f(X)


def test_elementwise():
    f = kern.elementwise("T x, T y = 2, float64 z = -0.5", "T r", "r = x * y + z")
    assert f(np.float32(X)).tolist() == (X * 2 - 0.5).tolist()
    assert f(1.0, 3) == 2.5 and f(1.0, z=1) == 3
    for inputs, outputs, said in [
        ("T x = 1, T y", "T r", "come last"),
        ("T x, T(n) y = 2", "T r", "a default is a number, for a number"),
        ("T x, T y = x", "T r", "a default is a number"),
        ("T x, T y =", "T r", "a default is a number"),
        ("T x", "T r = 2", "'r' has a default"),
    ]:
        with pytest.raises((kern.ArgumentError, kern.CompileError), match=said):
            kern.elementwise(inputs, outputs, "r = x")


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
