"""Functions with target="cuda": a kern.Function that runs host arrays on a GPU."""

import pickle

import numpy as np
import pytest

import kern
from test_frameworks import Cupy, Numba, Torch

X = np.arange(6, dtype="f8").reshape(2, 3)
# Where there is no GPU, the error shows where a call would have run.
NO_GPU = (LookupError, RuntimeError)


@kern.vectorize(["f8(f8, f8)"], target="cuda")
def add(x, y):
    """Adds."""
    return x + y


@kern.guvectorize(["void(f8[:], f8[:])"], "(n)->()", target="cuda")
def total(v, res):
    acc = 0.0
    for one in v:
        acc += one
    res[0] = acc


def has_gpu():
    return len(kern.devices()) > 1


def is_there(call):
    """Whether a call runs on a GPU, or would."""
    if has_gpu():
        return call() is not None
    with pytest.raises(NO_GPU):
        call()
    return True


def test_it_is_a_function():
    for f in (add, total):
        assert type(f) is kern.Function
        assert f.device == "cuda:0" and f.targetdevice == "cuda"
    assert add.py_func.__name__ == add.__name__ == "add" and add.__doc__ == "Adds."
    assert (add.nin, add.nout, add.types) == (2, 1, ["dd->d"])
    assert kern.vectorize(["f8(f8)"])(lambda x: x + 1).device is None


def test_host_arrays_and_numbers_run_on_a_gpu():
    assert is_there(lambda: add(X, 1))
    assert is_there(lambda: add(1, 2))
    assert is_there(lambda: add(X, X, out=np.empty_like(X)))
    assert is_there(lambda: total(X))


@pytest.mark.parametrize("call", [
    lambda: add.reduce(X), lambda: add.accumulate(X), lambda: add.outer(X, X),
    lambda: add.reduceat(X, [0, 1]), lambda: add.at(X.copy(), ([0], [1]), 2) or 1,
])  # fmt: skip
def test_methods_run_there_too(call):
    assert is_there(call)


def test_the_call_decides():
    for call in (
        lambda: add(X, 1, device="cpu"),
        lambda: add.outer(X, X, device="cpu"),
    ):
        assert "cpu" in add.explain(X, 1, device="cpu") and call() is not None
    with kern.on("cpu"):
        np.testing.assert_array_equal(add(X, 1), X + 1)
        np.testing.assert_array_equal(add.reduce(X), X.sum(0))
        np.testing.assert_array_equal(total(X), X.sum(1))
    with kern.on("cuda:999"), pytest.raises(NO_GPU):
        add(X, 1)


def test_names_and_pickles_keep_it():
    for f in (add, total):
        again = pickle.loads(pickle.dumps(f))
        assert type(again) is kern.Function and again.device == "cuda:0"
        with kern.on("cpu"):
            np.testing.assert_array_equal(
                again(*[X] * f.nin), f(*[X] * f.nin)
            )  # fmt: skip
        assert f.__dask_tokenize__() == again.__dask_tokenize__()
    plain = add.module["add"]
    assert plain.device is None and plain(1, 2) == 3
    assert plain.__dask_tokenize__() != add.__dask_tokenize__()


def test_overrides_get_it_bound():
    class Other:
        def __array_ufunc__(self, function, method, *inputs, **keywords):
            return function

    assert add(Other(), 1).device == "cuda:0"


@pytest.mark.parametrize("kind", [Torch, Cupy, Numba], ids=lambda one: one.__name__)
def test_arrays_on_a_gpu(gpu, kind):
    """As Numba's functions of this target: device arrays in and out."""
    framework = kind("cuda")
    x, y = framework.make(X), framework.make(X + 1)
    for _ in range(3):  # a known call at last
        got = add(x, y)
        assert isinstance(got, framework.type)
        np.testing.assert_array_equal(framework.numpy(got), 2 * X + 1)
    out = framework.make(np.zeros_like(X))
    assert add(x, 2.5, out=out) is out
    np.testing.assert_array_equal(framework.numpy(out), X + 2.5)
    np.testing.assert_array_equal(framework.numpy(total(x)), X.sum(1))


def test_host_arrays_on_a_gpu(gpu):
    for _ in range(3):
        np.testing.assert_array_equal(add(X, X), 2 * X)
    assert isinstance(add(1, 2), np.float64) and add(1, 2) == 3
    out = np.zeros_like(X)
    assert add(X, 1, out=out) is out
    np.testing.assert_array_equal(out, X + 1)
    np.testing.assert_array_equal(add.reduce(X, 1), X.sum(1))
    assert add.explain(X, 1).splitlines()[1].startswith("cuda:0")
