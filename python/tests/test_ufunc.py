"""`f.ufunc`, a real numpy.ufunc, and NumPy's machinery on it."""

import gc
import threading
import warnings
import weakref

import kern
import numpy as np
import pytest
from pairs import MODULE, outcome, same

LETTERS = "?bBhHiIlLefdFD"


def values(dtype, shape=(3, 4)):
    return np.random.default_rng(7).integers(1, 9, shape).astype(dtype)


def test_what_it_is():
    f = MODULE.add.ufunc
    assert type(f) is np.ufunc and f is MODULE.add.ufunc
    assert (f.nin, f.nout, f.nargs, f.signature) == (2, 1, 3, None)
    assert f.__name__ == "pairs.add" and f.identity == 0
    assert f.ntypes == len(f.types) == len(LETTERS)
    assert MODULE.subtract.ufunc.identity is None
    assert (
        "Gaussian"
        in kern.compile(
            'ufunc g(x):\n    """Gaussian."""\n    return x'
        ).g.ufunc.__doc__
    )


def test_loops_of_generic_functions():
    assert MODULE.add.ufunc.types == [f"{c}{c}->{c}" for c in LETTERS]
    less = MODULE.less.ufunc.types
    assert less == [f"{c}{c}->?" for c in LETTERS] + ["lL->?", "Ll->?"]
    assert MODULE.true_divide.ufunc.types[:2] == ["??->d", "bb->d"]
    ldexp = kern.compile("ufunc f(x, n):\n    return ldexp(x, n)").f.ufunc
    assert "fi->f" in ldexp.types and "dl->d" in ldexp.types
    same(ldexp(np.float32([1.5]), np.int32([3])), np.float32([12]))
    assert MODULE.sin.ufunc.types == ["e->e", "f->f", "d->d"]


@pytest.mark.parametrize("name", ["add", "less", "divmod", "maximum", "hypot"])
@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "u1"])
def test_calls(name, dtype):
    if name == "hypot" and dtype == "u1":
        return
    f, g = MODULE[name].ufunc, getattr(np, name)
    x, y = values(dtype), values(dtype, (4,))
    for args in ((x, y), (x[::-1, ::2], 2), (x.T, y[:3]), (x[0], x[0, 0]), (2, 3)):
        same(f(*args), g(*args))
    same(f(x.astype(x.dtype.newbyteorder()), y), g(x, y))
    mask = x > 4
    out = tuple(
        np.zeros(x.shape, "?" if name == "less" else "f8") for _ in range(f.nout)
    )
    more = tuple(one.copy() for one in out)
    same(f(x, y, out=out, where=mask), g(x, y, out=more, where=mask))


@pytest.mark.parametrize("size", [0, 1, 100, 8192, 8193, 100_000])
def test_sizes(size):
    x = np.random.default_rng(1).random(size)
    same(MODULE.add.ufunc(x, x), x + x)
    same(MODULE.add.ufunc(x.astype("f4"), x), x.astype("f4") + x)
    same(MODULE.add.ufunc(x[::-1], x), x[::-1] + x)


@pytest.mark.parametrize("name", ["add", "multiply", "subtract", "maximum"])
@pytest.mark.parametrize("dtype", ["i8", "f4", "f8"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_reductions(name, dtype, axis):
    """NumPy calls the loop with an operand that is the result, too."""
    f, g = MODULE[name].ufunc, getattr(np, name)
    for x in (values(dtype), values(dtype).T, values(dtype, (3, 300))):
        if name == "multiply":
            x = x % 2 + 1
            x = x[:, :20]
        same(f.reduce(x, axis), g.reduce(x, axis), 1e-4)
        same(f.accumulate(x, axis), g.accumulate(x, axis), 1e-4)
        same(f.reduceat(x, [0, 2, 1], axis), g.reduceat(x, [0, 2, 1], axis), 1e-4)
    same(f.outer(values(dtype), values(dtype)), g.outer(values(dtype), values(dtype)))
    a, b = np.zeros(4, dtype), np.zeros(4, dtype)
    f.at(a, [0, 1, 1, -1], 3)
    g.at(b, [0, 1, 1, -1], 3)
    same(a, b)


def test_reductions_by_identity():
    x = values("f8")
    assert MODULE.add.ufunc.reduce(x, axis=None) == x.sum()
    assert MODULE.add.ufunc.reduce([]) == 0
    assert MODULE.multiply.ufunc.reduce(np.zeros(0, "i4")) == 1
    for call in (lambda f: f.reduce(x, axis=None), lambda f: f.reduce([])):
        with pytest.raises(ValueError):
            call(MODULE.subtract.ufunc)
    same(MODULE.add.ufunc.reduce(x, where=x > 4), np.add.reduce(x, where=x > 4))
    same(MODULE.subtract.ufunc.reduce(x, initial=3), np.subtract.reduce(x, initial=3))


def test_overlap():
    for view in (
        lambda a: (a[1:], a[:-1], a[1:]),
        lambda a: (a[:-1], a[1:], a[1:]),
        lambda a: (a, a[::-1], a),
        lambda a: (a, a, a),
        lambda a: (a[::2], a[1::2], a[::2]),
    ):
        a, b = np.arange(20.0), np.arange(20.0)
        MODULE.add.ufunc(*view(a))
        np.add(*view(b))
        np.testing.assert_array_equal(a, b)


def test_parts_of_complex_numbers():
    """Strides that are whole, and elements that lie between others."""
    z = (np.arange(20) + 1j * np.arange(20)[::-1]).astype("c16")
    w = z.copy()
    MODULE.add.ufunc(z.real, z.imag, out=z.real)
    np.add(w.real, w.imag, out=w.real)
    np.testing.assert_array_equal(z, w)


def test_strides_that_are_no_multiple_of_the_item():
    records = np.zeros(9, [("a", "f8"), ("z", "c16")])
    records["z"] = np.arange(9) + 2j
    assert records["z"].strides[0] % 16
    same(MODULE.add.ufunc(records["z"], 1), records["z"] + 1)
    out = np.zeros(9, records.dtype)
    MODULE.multiply.ufunc(records["z"], 2, out=out["z"])
    np.testing.assert_array_equal(out["z"], records["z"] * 2)
    assert not out["a"].any()
    same(MODULE.add.ufunc.reduce(records["z"]), np.add.reduce(records["z"]))
    packed = np.zeros(5, [("c", "i1"), ("x", "f4")])
    packed["x"] = 3
    same(MODULE.add.ufunc(packed["x"], 1), packed["x"] + 1)


def test_no_warnings_of_lanes_beyond_the_end():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for size in range(1, 40):
            x = np.full(size, 2.0, "f4")
            MODULE.true_divide.ufunc(x, x)
            MODULE.sqrt.ufunc(x)
            MODULE.modf.ufunc(x)
    with np.errstate(all="raise"):
        MODULE.true_divide.ufunc(np.ones(5), np.ones(5))
        # What NumPy looks for after a loop of its own is not there, either.
        np.add(np.ones(5), np.ones(5))


def test_errors_in_the_loop():
    module = kern.compile(
        "ufunc f(x, y):\n    assert x < 100\n    return x + y", checks=["assert"]
    )
    f = module.f.ufunc
    same(f(np.arange(5.0), 1), np.arange(5.0) + 1)
    for size in (1, 200, 20_000):  # with the GIL and without
        x = np.arange(float(size)) + 1000
        for call in (
            lambda: f(x, 1),
            lambda: f(x.astype("f4"), np.float64(1)),
            lambda: f(x, 1, out=np.zeros(size)),
            lambda: f(x, 1, where=np.ones(size, bool), out=np.zeros(size)),
            lambda: f.reduce(np.r_[1000.0, x]),
            lambda: f.accumulate(np.r_[1000.0, x]),
            lambda: f.outer(x[:3], x[:3]),
            lambda: f.at(x.copy(), [0], 1),
        ):
            with pytest.raises(kern.CheckError, match="assert"):
                call()
    same(f(np.arange(5.0), 1), np.arange(5.0) + 1)


def test_functions_without_one():
    module = kern.compile(
        "gufunc f(x: f64[m], n: dim) -> f64:\n    return x[0] * n\n"
        "gufunc g(inout x: f64[n]):\n    for i in prange(n):\n        x[i] = 0\n"
    )
    for f in module:
        with pytest.raises(TypeError, match="no ufunc"):
            f.ufunc


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    f = kern.compile(
        "ufunc f(x: T, y: T) -> T where T in (bf16, f32):\n    return x + y"
    ).f.ufunc
    x = np.arange(5).astype(ml_dtypes.bfloat16)
    got = f(x, x)
    assert got.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(got.astype("f4"), np.arange(5) * 2)
    assert f.types == ["ff->f"]


def test_it_outlives_its_module():
    f = kern.compile("ufunc f(x):\n    return x + 1234").f.ufunc
    gc.collect()
    same(f(np.arange(3)), np.arange(3) + 1234)


def test_nothing_stays_behind():
    module = kern.compile("ufunc f(x, y):\n    return x + y + 4321")
    alive = weakref.ref(module)
    module.f.ufunc(1, 2)
    module.f.reduce([1, 2])
    del module
    gc.collect()
    assert alive() is None


def test_threads():
    module = kern.compile("ufunc f(x, y):\n    return x * 3 + y")
    x = np.arange(100_000.0)
    results, start = [], threading.Barrier(16)

    def work():
        start.wait()
        results.append(module.f.ufunc(x, 1))

    threads = [threading.Thread(target=work) for _ in range(16)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(results) == 16
    for one in results:
        np.testing.assert_array_equal(one, x * 3 + 1)


def test_numpys_tools():
    f = MODULE.add.ufunc
    dtypes = (np.dtype("f4"), float, None)
    assert f.resolve_dtypes(dtypes) == np.add.resolve_dtypes(dtypes)
    assert np.vectorize(f)([1, 2], 3).tolist() == [4, 5]
    assert np.frompyfunc(f, 2, 1)(1, 2) == 3

    class Duck:
        def __array_ufunc__(self, function, method, *inputs, **keywords):
            return function, method

    assert f(Duck(), 1) == (f, "__call__")
    got, error = outcome(lambda: f("a", 1))
    assert isinstance(error, TypeError)
    assert f(np.longlong(3), np.longlong(4)) == 7
