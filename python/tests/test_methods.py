"""reduceat, at, outer and what holds for all methods: against NumPy's ufuncs."""

import kern
import numpy as np
import pytest

from pairs import MODULE, array, compare


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


def test_at_with_operands_that_overlap():
    def call(f):
        a = np.arange(5)
        f("add").at(a, [0, 1, 1], a[2:])
        f("subtract").at(a, a[:2] % 5, a[:2])
        f("add").at(a[::-1], [0, 1, 2, 3, 4], a)
        return a

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


def test_indices_in_records():
    """Their strides are no whole elements."""
    records = np.zeros(3, [("index", "i8"), ("rest", "i4")])
    records["index"] = [0, 2, 2]

    def at(f):
        a = np.zeros(3)
        f("add").at(a, records["index"], 1.5)
        return a

    compare(at)
    compare(lambda f: f("add").reduceat(np.arange(3.0), records["index"]))
    records["index"][2] = 3
    compare(at)


@pytest.mark.parametrize(
    "indices",
    [
        [0, 2.7],
        [True, False],
        [],
        (0, 2),
        np.array([]),
        np.array([0.0, 2.0]),
        np.array([0, 2], "u8"),
        np.array([0, 2**64 - 1], "u8"),
        [0, 2**63],
        np.array([0, 2], "u4"),
        np.array([2, 0], "u1"),
        np.array([0, 2], ">i4"),
        np.array([True, False]),
        np.array([0, 2], object),
        [np.uint64(1)],
        [0, -1],
        range(0, 4, 2),
        5,
        [[0, 1]],
        ["a"],
        [None],
    ],
    ids=repr,
)
def test_indices_of_reduceat(indices):
    compare(lambda f: f("add").reduceat(np.arange(4.0), indices))


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "i1", ">u8", "f8"])
def test_types_of_indices(dtype):
    def call(f):
        a = np.zeros(300)
        f("add").at(a, np.array([0, 200 if dtype != "i1" else 100, 0], dtype), 1)
        f("add").at(a.reshape(3, 100), (np.array([1, 1], dtype), slice(2)), 1)
        return a

    compare(call)


def test_outer_of_plain_arrays():
    x = np.arange(6.0).reshape(2, 3)
    for a, b in [(x, x), (x, x[0]), (x[0], x.T[::-1]), (x[:0], x), (x[0, 0, None], x)]:
        for name in ("add", "less", "divmod", "hypot"):
            compare(lambda f: f(name).outer(a, b))
    three = kern.compile("ufunc three(x, y, z): return x + y + z").three
    one = kern.compile("gufunc one(x: [n], y: [n]) -> (z: [n]): z[:] = x").one
    with pytest.raises(ValueError, match="binary"):
        three.outer(x, x)
    with pytest.raises(TypeError, match="non-trivial signature"):
        one.outer(x, x)


def test_outer_of_matrices():
    m, x = np.matrix([[1.0, 2], [3, 4]]), np.arange(2.0)
    for a, b in [(m, m), (m, x), (x, m), (m, 1), (1, m)]:
        compare(lambda f: f("add").outer(a, b))
