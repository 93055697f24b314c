"""kern.Function.prepare: calls with everything fixed but arrays, numbers and stream."""

import gc
import sys
import threading
import weakref

import numpy as np
import pytest

import kern

MODULE = kern.compile(
    """
    ufunc add(x, y): return x + y
    ufunc both(x, y): return x + y, x - y
    gufunc first(v: T[n], k: dim) -> (w: T[k]) where T in (f32, f64):
        for i in prange(k):
            w[i] = v[i]
    """,
    "prepared.kern",
)
X = np.arange(8, dtype="f4")


def test_nothing_is_run():
    out = np.full(8, 7, "f4")
    prepared = MODULE.add.prepare(X, 1, out=out)
    assert (out == 7).all()
    assert prepared() is out
    np.testing.assert_array_equal(out, X + 1)


def test_other_arrays_and_numbers():
    out, other = np.empty(8, "f4"), np.empty(8, "f4")
    prepared = MODULE.add.prepare(X, 1, out=out)
    assert prepared(2 * X, 3) is out
    np.testing.assert_array_equal(out, 2 * X + 3)
    assert prepared(X, -5, out=other) is other
    assert prepared(X, 9, out=(other,)) is other
    np.testing.assert_array_equal(other, X + 9)
    np.testing.assert_array_equal(out, 2 * X + 3)
    assert prepared.function is MODULE.add and "add" in repr(prepared)


def test_two_results():
    one, two = np.empty(8, "f4"), np.empty(8, "f4")
    prepared = MODULE.both.prepare(X, X[::-1], out=(one, two))
    got = prepared()
    assert got[0] is one and got[1] is two
    np.testing.assert_array_equal(one, X + X[::-1])
    np.testing.assert_array_equal(two, X - X[::-1])


def test_options_are_fixed():
    out = np.empty(8, "f8")
    prepared = MODULE.add.prepare(X, y=1, dtype="f8", out=out)
    prepared(X, 200)
    np.testing.assert_array_equal(out, X + np.float64(200))
    first = np.empty((3, 4), "f8")
    prepared = MODULE.first.prepare(np.ones((9, 4)), 3, out=first, axes=[0, 0])
    prepared(np.arange(36.0).reshape(9, 4), 3)
    np.testing.assert_array_equal(first, np.arange(12).reshape(3, 4))
    with pytest.raises(ValueError, match="prepared for other"):
        prepared(np.ones((9, 4)), 2)


@pytest.mark.parametrize(
    "x, out",
    [
        (X.astype("f8"), None),
        (X[:4], None),
        (np.arange(16, dtype="f4")[::2], None),
        (X.reshape(2, 4), None),
        (2.0, None),
        (X, np.empty(8)),
        (X, np.empty(9, "f4")[1:9][::-1]),
        (list(X), None),
    ],
)
def test_what_does_not_fit(x, out):
    kept = np.full(8, 7, "f4")
    prepared = MODULE.add.prepare(X, X, out=kept)
    with pytest.raises(ValueError, match="prepared for other"):
        prepared(x, X, **({} if out is None else {"out": out}))
    assert (kept == 7).all()


def test_what_the_plan_does_not_fit_is_called_all_the_same():
    """Other alignments, ranges of integers, overlaps."""
    prepared = MODULE.add.prepare(X, 1, out=np.empty(8, "f4"), casting="unsafe")
    for number in (0, -1, 127, 128, -40000, 1 << 40):
        np.testing.assert_array_equal(prepared(X, number), X + np.float32(number))
    room = np.zeros(100, "f4")
    for start in range(9):
        x = room[start : start + 8]
        x[:] = X
        out = room[20 + 7 * start % 5 :][:8]
        np.testing.assert_array_equal(prepared(x, 2, out=out), X + 2)
        np.testing.assert_array_equal(prepared(x, 3, out=x), X + 3)
        x[:] = X
        np.testing.assert_array_equal(prepared(x, 4, out=room[start + 1 :][:8]), X + 4)


def test_read_only_results_are_refused():
    prepared = MODULE.add.prepare(X, 1, out=np.empty(8, "f4"))
    out = np.empty(8, "f4")
    out.flags.writeable = False
    with pytest.raises(ValueError):
        prepared(X, 1, out=out)


@pytest.mark.parametrize(
    "args, keywords, error, said",
    [
        ((X, 1), {}, TypeError, "an array in `out` for each result"),
        (([1.0], 1), {"out": X}, TypeError, "no lists"),
        ((X, 10**30), {"out": X}, TypeError, "as they are"),
        ((X, 1), {"out": X, "where": X > 0}, kern.ArgumentError, "`where`"),
        ((X, 1), {"out": np.empty(2, "f4")}, kern.ShapeError, "shape"),
        ((X, 1), {"out": np.empty(8, "i4")}, kern.DTypeError, "i32"),
        ((X,), {"out": X}, TypeError, "missing required argument 'y'"),
        ((X, np.ma.array(X)), {"out": X}, TypeError, "no lists, subclasses"),
    ],
)
def test_what_cannot_be_prepared(args, keywords, error, said):
    with pytest.raises(error, match=said):
        MODULE.add.prepare(*args, **keywords)


def test_wrong_arguments_of_a_call():
    prepared = MODULE.add.prepare(X, 1, out=np.empty(8, "f4"))
    with pytest.raises(TypeError, match="no arguments or 2, not 1"):
        prepared(X)
    with pytest.raises(TypeError, match="not 'where'"):
        prepared(X, 1, where=True)
    with pytest.raises(ValueError, match="exactly one entry"):
        prepared(X, 1, out=(X, X))
    with pytest.raises(TypeError):
        kern.Prepared()


def test_objects_of_other_libraries():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="objects whose library makes the call"):
        MODULE.add.prepare(pandas.Series(X), 1, out=X)


def test_lives_by_itself():
    module = kern.compile("ufunc plus(x, y): return x + y + 1", "alone.kern")
    out = np.empty(8, "f4")
    prepared = module.plus.prepare(X, X, out=out)
    gone = weakref.ref(module.plus)
    del module
    gc.collect()
    assert gone() is prepared.function
    np.testing.assert_array_equal(prepared(), 2 * X + 1)
    before = sys.getrefcount(out)
    del prepared
    gc.collect()
    assert gone() is None
    assert sys.getrefcount(out) == before - 1


def test_threads_share_one():
    prepared = MODULE.add.prepare(X, 0, out=np.empty(8, "f4"))
    wrong = []

    def work(number):
        out = np.empty(8, "f4")
        for i in range(200):
            if (prepared(X, number + i, out=out) != X + (number + i)).any():
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(one,)) for one in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong


def test_on_a_gpu(gpu):
    """Arrays of CuPy: on its current stream, on a given one, in a graph."""
    cupy = pytest.importorskip("cupy")
    x, out = cupy.asarray(X), cupy.zeros(8, "f4")
    prepared = MODULE.add.prepare(x, 1, out=out)
    assert (out.get() == 0).all()
    assert prepared() is out
    np.testing.assert_array_equal(out.get(), X + 1)
    stream = cupy.cuda.Stream(non_blocking=True)
    prepared(x, 2, stream=stream)
    stream.synchronize()
    np.testing.assert_array_equal(out.get(), X + 2)
    with kern.on(stream=stream):
        prepared(x, 3)
    stream.synchronize()
    np.testing.assert_array_equal(out.get(), X + 3)
    with stream:
        stream.begin_capture()
        prepared(x, 4)
        graph = stream.end_capture()
    out[:] = 0
    cupy.cuda.runtime.deviceSynchronize()
    graph.launch(stream)
    stream.synchronize()
    np.testing.assert_array_equal(out.get(), X + 4)
    with pytest.raises(ValueError, match="prepared for other"):
        prepared(X, 1)
    with pytest.raises(kern.ArgumentError):
        MODULE.add.prepare(X, 1, out=np.empty(8, "f4"), device="cuda")
