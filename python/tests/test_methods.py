"""reduceat, at, outer and the whole of a function's methods: against NumPy's ufuncs,
for functions with a source and for those of compiled files."""

import os
import pathlib
import shutil
import subprocess
import sys

import kern
import numpy as np
import pytest

import small_arrays
from pairs import MODULE, array, compare, same
from test_frameworks import Cupy, Jax, Torch


@pytest.mark.parametrize("name", ["add", "subtract"])
@pytest.mark.parametrize(
    "indices",
    [[0], [0, 2], [2, 0], [0, 0, 1, 3], [3, 3], [], [4], [-1], [[0, 1]], 1, [0.5]]
    + [[True], np.array([0, 2], "u1"), np.array([1], "i8")],
    ids=repr,
)
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_reduceat(name, indices, axis):
    compare(lambda f: f(name).reduceat(array("f8", (4, 4)), indices, axis))


@pytest.mark.parametrize("name", ["add", "divmod", "less", "hypot"])
def test_outer(name):
    for a, b in [
        (array("f4", (3,)), array("f4", (2, 2))),
        ([1, 2], 3),
        (2.5, [[1], [2]]),
        (1, 2),
        (np.zeros((0, 2)), np.zeros(3)),
        (np.float32([1]), 1.0),
    ]:
        compare(lambda f: f(name).outer(a, b))
    if name == "add":
        compare(lambda f: f(name).outer([1, 2], [3.0], out=np.zeros((2, 1))))
        compare(lambda f: f(name).outer([1, 2], [3.0], dtype="f4"))


INDICES = [
    [0, 1, 1, 1, -1],
    [5],
    [-6],
    [],
    slice(None),
    slice(1, None, 2),
    2,
    np.array([True, False, True, True, False]),
    np.array([[0, 0], [1, 1]]),
    (np.array([1, 1]),),
    Ellipsis,
    np.array([0.5]),
    np.array([1, 1], "u1"),
    None,
]


@pytest.mark.parametrize("indices", INDICES, ids=repr)
@pytest.mark.parametrize("dtype", ["f8", "i4", "f4", "c8"])
@pytest.mark.parametrize("value", [1, 2.5, np.float32(3), [1.0], [1, 2, 3, 4, 5]])
def test_at(indices, dtype, value):
    def call(f):
        a = array(dtype, (5,))
        assert f("add").at(a, indices, value) is None
        return a

    compare(call)


@pytest.mark.parametrize(
    "indices",
    [
        (0, 1),
        ([0, 1, 1], [0, 2, 2]),
        (slice(None), [1, 1, 2]),
        ([2, 2], slice(1, 3)),
        [0, 0, 1],
        np.eye(3, dtype=bool),
        (np.newaxis, 1),
        (3, 0),
        ([[0], [0]], [1, 1]),
    ],
    ids=repr,
)
@pytest.mark.parametrize("layout", ["C", "F", "strided"])
def test_at_of_two_dimensions(indices, layout):
    def call(f):
        a = np.arange(9.0).reshape(3, 3)
        if layout == "F":
            a = np.asfortranarray(a)
        elif layout == "strided":
            big = np.zeros((6, 9))
            big[::2, ::3] = a
            a = big[::2, ::3]
        f("add").at(a, indices, 2)
        f("negative").at(a, indices)
        return a

    compare(call)


def test_at_errors():
    for call in [
        lambda f: f("add").at([1, 2], [0], 1),
        lambda f: f("add").at(np.ones(2), [0]),
        lambda f: f("negative").at(np.ones(2), [0], 1),
        lambda f: f("divmod").at(np.ones(2), [0], 1),
        lambda f: f("add").at(np.ones(2), [0, 1], [1, 2, 3]),
        lambda f: f("add").at(np.array(["a"]), [0], 1),
    ]:
        compare(call)


def test_at_read_only():
    with pytest.raises(ValueError, match="read-only"):
        MODULE.add.at(np.broadcast_to(1.0, (3,)), [0], 1)


def test_at_is_in_order_and_unbuffered():
    for size in (10, 100_000):
        index = np.random.default_rng(1).integers(0, 7, size)
        value = np.random.default_rng(2).random(size)
        got, expected = np.zeros(7), np.zeros(7)
        MODULE.subtract.at(got, index, value)
        np.subtract.at(expected, index, value)
        np.testing.assert_array_equal(got, expected)


def test_errors():
    for call in [
        lambda f: f("negative").reduce([1]),
        lambda f: f("divmod").reduce([1]),
        lambda f: f("divmod").accumulate([1]),
        lambda f: f("negative").accumulate([1]),
        lambda f: f("negative").outer(1, 2),
        lambda f: f("add").accumulate(1.0),
        lambda f: f("add").reduceat(1.0, [0]),
        lambda f: f("less").reduce([True, False]),
        lambda f: f("less").accumulate([1, 2]),
        lambda f: f("add").reduce(np.array(["a"])),
        lambda f: f("add").reduce([1], nonsense=1),
        lambda f: f("add").reduce(),
        lambda f: f("add").reduce([1], axis=0.5),
        lambda f: f("add").reduce([1], dtype="nonsense"),
        lambda f: f("add").reduce([[1], [2, 3]]),
        lambda f: f("add").reduce(*range(8)),
        lambda f: f("subtract").reduce([1.0], where=[True]),
    ]:
        compare(call)


def test_gufuncs_have_none():
    total = kern.compile("gufunc total(v: f64[n]) -> f64:\n    return sum(v)").total
    x = np.ones((2, 2))
    for method in ("reduce", "accumulate", "reduceat", "at", "outer"):
        args = (x, [0]) if method in ("reduceat", "at", "outer") else (x,)
        with pytest.raises((TypeError, RuntimeError)):
            getattr(total, method)(*args)


def test_logical_functions():
    """The accumulator is a bool, the elements are what they are."""
    for given in ([1, 2, 0, 3], [1.5, 2.0], [True, False], []):
        got = MODULE.logical_and.reduce(np.array(given), initial=True)
        assert got == np.logical_and.reduce(np.array(given)) and got.dtype == bool
    # NumPy's `less` has no loop for a bool and an integer; a generic one has.
    assert MODULE.less.reduce([1, 5, 3]) == ((1 < 5) < 3)


def test_strides_and_orders():
    base = array("f8", (6, 7, 8))
    views = [base[::2, ::-1], base.T, base.swapaxes(0, 1), base[:, :1]]
    views += [np.broadcast_to(base[0], base.shape), base.astype(">f8")]
    for view in views:
        for axis in (0, 1, 2):
            compare(lambda f: f("subtract").reduce(view, axis))
            compare(lambda f: f("add").accumulate(view, axis))


def test_overlapping_out():
    def call(f):
        a = array("f8", (4, 4))
        f("add").reduce(a, out=a[0])
        f("add").accumulate(a, out=a)
        f("subtract").accumulate(a, axis=1, out=a[::-1])
        return a

    compare(call)


def test_many_elements():
    x = np.random.default_rng(3).random(1 << 20)
    got = MODULE.add.reduce(x)
    assert type(got) is np.float64
    np.testing.assert_allclose(got, np.add.reduce(x), rtol=1e-9)
    np.testing.assert_array_equal(MODULE.subtract.reduce(x), np.subtract.reduce(x))
    np.testing.assert_array_equal(MODULE.add.accumulate(x), np.add.accumulate(x))


def test_names_in_the_source():
    """What is composed takes no name of the source's."""
    module = kern.compile(
        "const kern_n = 5\nconst v = 2\n"
        "ufunc kern_run(kern_v, n):\n    return kern_v + n * v + kern_n - 5"
    )
    assert module.kern_run.reduce([1, 2, 3]) == 11
    np.testing.assert_array_equal(module.kern_run.accumulate([1, 2, 3]), [1, 5, 11])


def test_sources_that_end_oddly():
    for end in ("", "\n", "  # a comment", "\n\n    # indented\n", " \\\n"):
        try:
            module = kern.compile("ufunc f(x, y):\n    return x - y" + end)
        except kern.CompileError:
            continue
        assert module.f.reduce([5, 1, 1]) == 3


def test_checks_and_precision_stay():
    module = kern.compile(
        "ufunc f(x, y):\n    assert x > y\n    return x - y", checks=["assert"]
    )
    with pytest.raises(kern.CheckError):
        module.f.reduce([1.0, 2.0])


@pytest.mark.parametrize(
    "shape", [(50, 70), (3, 1), (1, 3), (4, 5, 6), (7, 0), (300, 4)]
)
def test_rows_and_columns(shape):
    """Both ways through memory."""
    x = array("f8", shape)
    for one in (x, np.asfortranarray(x), x[::-1], x[..., ::-1], x.astype("f4")):
        for axis in range(x.ndim):
            for name in ("add", "subtract"):
                compare(lambda f: f(name).reduce(one, axis), 1e-4)
                compare(lambda f: f(name).reduce(one, axis, keepdims=True), 1e-4)
                compare(lambda f: f(name).reduce(one, axis, initial=2), 1e-4)
                compare(lambda f: f(name).accumulate(one, axis), 1e-4)
                extents = one.shape[:axis] + one.shape[axis + 1 :]
                out = np.zeros(extents, order="F")
                compare(lambda f: f(name).reduce(one, axis, out=out.copy("K")), 1e-4)


@pytest.mark.parametrize("kind", ["number", "array", "subclass"])
def test_out_ellipsis(kind):
    class Sub(np.ndarray):
        pass

    one = {"number": 1, "array": np.array(1), "subclass": np.array(1).view(Sub)}[kind]
    for call in (
        lambda f: f("add")(one, 2, out=...),
        lambda f: f("divmod")(one, 2, out=...),
        lambda f: f("add").reduce(one, out=...),
        lambda f: f("add").reduce([one, one], out=...),
        lambda f: f("add").reduceat(np.arange(3), [0, 1], out=...),
        lambda f: f("add")(one, 2, ...),
        lambda f: f("negative")(one, out=(...,)),
        lambda f: f("divmod")(one, 2, out=(np.empty(()), ...)),
        lambda f: f("add").reduce(one, out=(...,)),
    ):
        compare(call)


def test_composed_once():
    before = MODULE.subtract.reduce([5, 1])
    count = len(MODULE.subtract._composed)
    assert MODULE.subtract.reduce([5, 1]) == before
    assert len(MODULE.subtract._composed) == count


def test_arrays_of_another_library():
    """They stay where they are; results are its arrays."""
    x = array("f8", (3, 4, 5))
    mask = np.arange(5) % 2 == 0
    add, subtract, ours = MODULE.add, MODULE.subtract, small_arrays.Array

    def check(got, expected):
        assert type(got) is ours
        same(got.array, np.asarray(expected))

    for axis in (0, 1, -1):
        check(subtract.reduce(ours(x), axis), np.subtract.reduce(x, axis))
        check(
            subtract.reduce(ours(x), axis, keepdims=True, initial=2),
            np.subtract.reduce(x, axis, keepdims=True, initial=2),
        )
        check(add.accumulate(ours(x), axis), np.add.accumulate(x, axis))
        check(add.reduceat(ours(x), [0, 2], axis), np.add.reduceat(x, [0, 2], axis))
        indices = ours(np.array([1, 0]))
        check(add.reduceat(ours(x), indices, axis), np.add.reduceat(x, [1, 0], axis))
    check(add.reduce(ours(x), None), np.add.reduce(x, None))
    check(add.reduce(ours(x), ()), np.add.reduce(x, ()))
    check(add.reduce(ours(x), 2, where=mask), np.add.reduce(x, 2, where=mask))
    check(add.reduce(ours(x), 2, where=ours(mask)), np.add.reduce(x, 2, where=mask))
    check(add.reduce(ours(x), 0, "f4"), np.add.reduce(x, 0, "f4"))
    check(add.outer(ours(x[0]), ours(x[1, 0])), np.add.outer(x[0], x[1, 0]))
    out = ours(np.zeros((4, 5)))
    assert add.reduce(ours(x), out=out) is out
    check(out, np.add.reduce(x))
    out = ours(np.zeros((1, 4, 5)))
    assert add.reduce(ours(x), keepdims=True, out=out) is out
    check(out, np.add.reduce(x, keepdims=True))
    for indices in ([0, 0, 2], (np.array([0, 1, 1]), 2), slice(1, 3)):
        a, b = x.copy(), x.copy()
        add.at(ours(a), indices, 3)
        np.add.at(b, indices, 3)
        np.testing.assert_array_equal(a, b)
        MODULE.negative.at(ours(a.T), indices)  # a flat view there is none
        np.negative.at(b.T, indices)
        np.testing.assert_array_equal(a, b)
    with pytest.raises(TypeError):
        add.reduce(x, out=ours(np.zeros((4, 5))))
    with pytest.raises(ValueError, match="not reorderable"):
        subtract.reduce(ours(x), (0, 1))


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("kind", [Torch, Cupy, Jax], ids=lambda one: one.__name__)
def test_arrays_of_frameworks(kind, device):
    framework = kind(device)
    x = array("f4", (3, 40, 5))
    mask = np.arange(5) % 2 == 0
    add, subtract = MODULE.add, MODULE.subtract

    def check(got, expected):
        assert isinstance(got, framework.type)
        same(framework.numpy(got), np.asarray(expected), 1e-4)

    for axis in (0, 1, -1):
        given = framework.make(x)
        check(subtract.reduce(given, axis), np.subtract.reduce(x, axis))
        check(add.accumulate(given, axis), np.add.accumulate(x, axis))
        check(add.reduceat(given, [0, 2], axis), np.add.reduceat(x, [0, 2], axis))
        check(
            add.reduce(given, axis, keepdims=True, initial=2),
            np.add.reduce(x, axis, keepdims=True, initial=2),
        )
    check(add.reduce(framework.make(x), None), np.add.reduce(x, None))
    check(
        add.reduce(framework.make(x), 2, where=framework.make(mask)),
        np.add.reduce(x, 2, where=mask),
    )
    check(
        add.outer(framework.make(x[0, 0]), framework.make(x[1, 0])),
        np.add.outer(x[0, 0], x[1, 0]),
    )
    if kind is Jax:
        with pytest.raises(ValueError):
            add.at(framework.make(x), [0], 1)
        return
    for indices in ([0, 0, 2], ([0, 1, 1], [3, 3, 3]), slice(1, 3)):
        given, expected = framework.make(x), x.copy()
        add.at(given, indices, 3)
        np.add.at(expected, indices, 3)
        check(given, expected)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Functions of a compiled file, which has no source."""
    beside = pathlib.Path(sys.executable).with_name("kern")
    tool = os.environ.get("KERN_TOOL") or shutil.which("kern") or beside
    if not pathlib.Path(tool).exists():
        pytest.skip("the program `kern` is not installed")
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "f.kern").write_text(
        "ufunc add(x: T, y: T) -> T where T in (i64, f32, f64):\n    return x + y\n"
        "ufunc subtract(x: f64, y: f64) -> f64:\n    return x - y\n"
    )
    subprocess.run(
        [tool, "compile", folder / "f.kern", "-o", folder / "f.ptx"], check=True
    )
    return kern.load(folder / "f.ptx")


def test_without_a_source(compiled):
    """NumPy's machinery does what it can: it asks for code for the CPU, of which
    a compiled file has none."""
    assert compiled.add.source is None and compiled.add.identity is None
    assert compiled.add.ufunc.types == ["ll->l", "ff->f", "dd->d"]
    x = array("f8", (3, 4))
    for call in (
        lambda f: f.reduce(x),
        lambda f: f.accumulate(x, 1),
        lambda f: f.reduceat(x, [0, 1]),
        lambda f: f.outer(x, x),
        lambda f: f.at(x, [0, 0, 1], 2),
    ):
        with pytest.raises(kern.ArtefactError, match="none for the CPU"):
            call(compiled.add)
    with pytest.raises(ValueError, match="not reorderable"):
        compiled.subtract.reduce(x, axis=None)
