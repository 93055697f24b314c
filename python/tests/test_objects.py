"""Functions as Python objects: pickling, copies, references, signatures; threads;
memory."""

import collections.abc
import copy
import doctest
import gc
import importlib
import inspect
import pickle
import pydoc
import subprocess
import sys
import threading
import tracemalloc
import weakref

import kern
import numpy as np
import pytest

from pairs import MODULE

SOURCE = '''
"""Two functions."""

ufunc scaled(x: T, factor: T) -> T where T in (f32, f64):
    """`x` times a factor."""
    return x * factor

gufunc total(v: T[n]) -> T where T in (f32, f64):
    return sum(v)
'''


@pytest.fixture
def module():
    return kern.compile(SOURCE, "objects.kern")


def test_every_name_of_the_package_is_there():
    for name in [*dir(kern), *kern.__all__]:
        assert hasattr(kern, name), name
    assert not hasattr(kern, "nothing")


def test_pickle_and_copy(module):
    f = module.scaled
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(f, protocol)) is f
        assert pickle.loads(pickle.dumps(module, protocol)) is module
    assert copy.copy(f) is f and copy.deepcopy(f) is f
    assert copy.deepcopy({"f": [f]}) == {"f": [f]}


def test_pickle_into_another_process(module):
    f = kern.compile(SOURCE, "objects.kern", fp_mode="precise").scaled
    program = (
        "import pickle, sys, numpy as np\n"
        "f, bound = pickle.load(sys.stdin.buffer)\n"
        "print(f(np.float32(3), 2), f.module.name, bound([1.0, 2.0]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps((f, MODULE.add.reduce)),
        capture_output=True,
    )
    assert done.stdout.split() == [b"6.0", b"objects", b"3.0"], done.stderr.decode()


def test_pickle_of_another_name(module):
    """What an `__array_ufunc__` is given travels too."""

    class Asked:
        def __array_ufunc__(self, function, *args, **keywords):
            return function

    alias = module.scaled(Asked(), 1)
    assert alias is not module.scaled and alias.__name__ == "objects.scaled"
    assert pickle.loads(pickle.dumps(alias))(3.0, 2) == 6
    assert copy.deepcopy(alias)(3.0, 2) == 6
    assert alias(np.float32(3), 2) == 6 and "objects.scaled" in repr(alias)


def test_identity_of_objects(module):
    f = module.scaled
    assert f == f and f != module.total
    assert len({f, module.total, f}) == 2
    assert module.scaled is module["scaled"] is f
    assert isinstance(f, collections.abc.Callable) and callable(f)
    alive = weakref.ref(f)
    assert alive() is f
    note = weakref.WeakKeyDictionary({f: 1})
    assert note[f] == 1


def test_they_go_with_their_module():
    module = kern.compile("ufunc gone(x):\n    return x + 99887")
    alive = weakref.ref(module), weakref.ref(module.gone)
    f = module.gone
    del module
    gc.collect()
    assert alive[0]() is not None and f(1) == 99888  # the function holds it
    del f
    gc.collect()
    assert alive[0]() is None and alive[1]() is None


def test_attributes(module):
    f, g = module.scaled, module.total
    assert f.__name__ == f.__qualname__ == "scaled"
    assert f.__doc__ == "`x` times a factor." and g.__doc__ is None
    assert (f.nin, f.nout, f.nargs, f.signature) == (2, 1, 3, None)
    assert (g.nin, g.nout, g.signature) == (1, 1, "(n)->()")
    assert f.module is module and f.source == SOURCE
    assert repr(f) == "<kern ufunc 'scaled'>" and repr(g) == "<kern gufunc 'total'>"
    assert {"reduce", "ufunc", "types", "nin", "source"} <= set(dir(f))
    f.mine = 5
    assert f.mine == 5 and vars(f)["mine"] == 5
    for name in ("nin", "nout", "signature", "module", "types", "ufunc"):
        with pytest.raises(AttributeError):
            setattr(f, name, 1)
    with pytest.raises(TypeError):
        type(f)()
    assert bool(f)


def test_signature(module):
    names = list(inspect.signature(module.scaled).parameters)
    assert names[:3] == ["x", "factor", "out"] and "where" in names
    assert "axis" not in names
    names = list(inspect.signature(module.total).parameters)
    assert {"axis", "axes", "keepdims"} <= set(names) and "where" not in names
    module.scaled(1.0, factor=2.0)
    assert inspect.signature(module.scaled).bind(1, factor=2)
    for name in ("reduce", "accumulate", "reduceat", "at", "outer"):
        assert inspect.signature(getattr(module.scaled, name))
        assert getattr(module.scaled, name).__doc__
    assert list(inspect.signature(module.scaled.reduce).parameters) == (
        "array axis dtype out keepdims initial where device stream threads".split()
    )


@pytest.mark.parametrize("name", ["_loops", "_methods", "_module", "_outer_at"])
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module("kern." + name))
    assert result.attempted and not result.failed


def test_help(module):
    text = pydoc.render_doc(module.scaled, renderer=pydoc.plaintext)
    assert "scaled" in text and "factor" in text
    assert pydoc.render_doc(type(module.scaled), renderer=pydoc.plaintext)


def test_module(module):
    assert list(module) == [module.scaled, module.total] and len(module) == 2
    assert "scaled" in module and "scaled" in dir(module)
    with pytest.raises(AttributeError, match="did you mean 'scaled'"):
        module.scale
    assert copy.copy(module) is module


def run_threads(count, work):
    start, errors = threading.Barrier(count), []

    def one(number):
        start.wait()
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=one, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors[0]


def test_64_threads_making_first_calls():
    module = kern.compile(
        "ufunc f(x, y):\n    return x * 7 + y\n"
        "gufunc g(v: T[n]) -> T where T in (i32, f32, f64):\n    return sum(v)\n"
        "@associative(identity=0)\nufunc h(x, y):\n    return x + y\n"
    )
    types = ["i4", "f4", "f8", "i8", "u2", "c16"]

    def work(number):
        x = np.arange(50, dtype=types[number % len(types)])
        for _ in range(3):
            np.testing.assert_array_equal(module.f(x, x), x * 7 + x)
            assert module.f(2, 3) == 17
            assert module.g(np.ones(9, "f4")) == 9
            assert module.h.reduce(np.ones(9)) == 9
            assert module.h.identity == 0
            assert module.f.ufunc(2, 3) == 17
            out = np.empty_like(x)
            assert module.f(x, 1, out=out) is out

    run_threads(64, work)


def test_threads_with_large_arrays():
    x = np.arange(200_000.0)

    def work(number):
        for _ in range(4):
            np.testing.assert_array_equal(MODULE.add(x, number), x + number)

    run_threads(16, work)


def test_threads_that_fail():
    def work(number):
        for _ in range(50):
            with pytest.raises(ValueError):
                MODULE.add(np.ones(2), np.ones(3))
            with pytest.raises(TypeError):
                MODULE.hypot("a", number)

    run_threads(16, work)


class Duck:
    def __array_ufunc__(self, *args, **keywords):
        return None


class Wrapped(np.ndarray):
    def __array_wrap__(self, array, context=None, return_scalar=False):
        return array


class BadWrap(np.ndarray):
    def __array_wrap__(self, array, context=None, return_scalar=False):
        raise KeyError("no")


class BadArray:
    def __array__(self, dtype=None, copy=None):
        raise KeyError("no")


X = np.arange(6.0)
SWAPPED = X.astype(">f8")
READ_ONLY = np.broadcast_to(1.0, 6)
WRONG = np.zeros(5)
OUT = np.zeros(6)
OUT_SWAPPED = np.zeros(6, ">f8")
LOGGED, BAD = X.view(Wrapped), X.view(BadWrap)
TOTAL = kern.compile(SOURCE, "objects.kern").total

CALLS = {
    "arrays": lambda: MODULE.add(X, X),
    "out": lambda: MODULE.add(X, X, out=OUT),
    "positional out": lambda: MODULE.add(X, X, OUT),
    "out as a tuple": lambda: MODULE.add(X, X, out=(OUT,)),
    "numbers": lambda: MODULE.add(1.0, 2),
    "large numbers": lambda: MODULE.add(X, 2**70),
    "scalars": lambda: MODULE.add(np.float32(1), 2),
    "lists": lambda: MODULE.add([1, 2], [3.0, 4]),
    "swapped": lambda: MODULE.add(SWAPPED, X, out=OUT_SWAPPED),
    "two results": lambda: MODULE.divmod(X, 2.0),
    "by name": lambda: MODULE.add(x=X, y=1),
    "options": lambda: MODULE.add(
        X, 1, where=X > 2, casting="unsafe", order="F", dtype="f4", subok=False
    ),
    "signature": lambda: MODULE.add(X, 1, signature=("f8", None, None)),
    "gufunc": lambda: TOTAL(X.reshape(2, 3), axis=0, keepdims=True),
    "axes": lambda: TOTAL(X.reshape(2, 3), axes=[0, ()]),
    "override": lambda: MODULE.add(Duck(), X, out=None),
    "wrap": lambda: MODULE.add(LOGGED, 1),
    "bad wrap": lambda: MODULE.add(BAD, 1),
    "bad array": lambda: MODULE.add(X, BadArray()),
    "shapes": lambda: MODULE.add(X, WRONG),
    "wrong out": lambda: MODULE.add(X, X, out=WRONG),
    "read-only out": lambda: MODULE.add(X, X, out=READ_ONLY),
    "cast": lambda: MODULE.add(X, X, out=np.zeros(6, int)),
    "no loop": lambda: MODULE.hypot("a", X),
    "wrong keyword": lambda: MODULE.add(X, X, nonsense=1),
    "missing": lambda: MODULE.add(X),
    "too many": lambda: MODULE.add(X, X, OUT, OUT),
    "two outs": lambda: MODULE.add(X, X, OUT, out=OUT),
    "wrong tuple": lambda: MODULE.add(X, X, out=(OUT, OUT)),
    "wrong order": lambda: MODULE.add(X, X, order="Q"),
    "wrong axes": lambda: TOTAL(X, axes=[None]),
    "wrong signature": lambda: MODULE.add(X, X, signature="x->"),
    "out of range": lambda: MODULE.add(np.int8([1]), 1000),
    "resolve": lambda: MODULE.add.resolve_dtypes((X.dtype, float, None)),
    "types": lambda: TOTAL.types,
    "reduce": lambda: MODULE.add.reduce(X),
    "reduce where": lambda: MODULE.add.reduce(X, where=X > 1, initial=2),
    "reduce, failing": lambda: MODULE.subtract.reduce([]),
    "accumulate": lambda: MODULE.add.accumulate(X, out=OUT),
    "reduceat": lambda: MODULE.add.reduceat(X, [0, 2]),
    "outer": lambda: MODULE.add.outer(X, X),
    "at": lambda: MODULE.add.at(OUT, [0, 0], 1),
    "ufunc": lambda: MODULE.add.ufunc(X, X),
    "pickle": lambda: pickle.loads(pickle.dumps(MODULE.add)),
}


def quiet(call):
    try:
        call()
    except Exception:
        pass


@pytest.mark.parametrize("name", CALLS)
def test_no_leaks(name):
    call = CALLS[name]
    for _ in range(30):
        quiet(call)
    watched = [X, SWAPPED, READ_ONLY, WRONG, OUT, OUT_SWAPPED, LOGGED, BAD, None, True]
    watched += [MODULE, MODULE.add, Duck, Wrapped, np.dtype("f8"), np.dtype("f4")]
    gc.collect()
    before = [sys.getrefcount(one) for one in watched]
    tracemalloc.start()
    try:
        # Python keeps some of what was traced; what leaks grows each time.
        grown, last = [], 0
        for _ in range(5):
            for _ in range(200):
                quiet(call)
            gc.collect()
            now = tracemalloc.get_traced_memory()[0]
            grown.append(now - last)
            last = now
    finally:
        tracemalloc.stop()
    after = [sys.getrefcount(one) for one in watched]
    assert all(abs(a - b) < 20 for a, b in zip(after, before)), (before, after)
    assert min(grown) < 200 * 8, f"{grown} bytes in 200 calls each"


def test_arrays_are_freed():
    alive = weakref.ref(made := np.ones(10).view(Wrapped))
    MODULE.add(made, 1)
    del made
    gc.collect()
    assert alive() is None

    def pass_a_new_type():  # frames of a free-threaded Python keep what they have had
        kind = type("Passing", (np.ndarray,), {})
        MODULE.add(np.ones(3).view(kind), 1)
        return weakref.ref(kind)

    alive = pass_a_new_type()
    for _ in range(3):
        gc.collect()
    assert alive() is None  # nor are types remembered for ever
