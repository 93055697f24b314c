"""Gufuncs against numpy._core._umath_tests and numpy.linalg: core dimensions,
axis, axes, keepdims."""

import kern
import numpy as np
import pytest
from pairs import both_raise, outcome, same

umt = pytest.importorskip("numpy._core._umath_tests")

SOURCE = """
gufunc inner1d(a: T[i], b: T[i]) -> T where T in (i64, f64):
    acc: T = 0
    for k in range(i):
        acc += a[k] * b[k]
    return acc

gufunc innerwt(a: T[i], b: T[i], w: T[i]) -> T where T in (i64, f64):
    acc: T = 0
    for k in range(i):
        acc += a[k] * b[k] * w[k]
    return acc

gufunc cross1d(a: T[3], b: T[3]) -> (c: T[3]) where T in (i64, f64):
    c[0] = a[1] * b[2] - a[2] * b[1]
    c[1] = a[2] * b[0] - a[0] * b[2]
    c[2] = a[0] * b[1] - a[1] * b[0]

gufunc matrix_multiply(a: T[m, n], b: T[n, p]) -> (c: T[m, p]) where T in (
        i64, f32, f64):
    for i, j in prange(m, p):
        acc: T = 0
        for k in range(n):
            acc += a[i, k] * b[k, j]
        c[i, j] = acc

gufunc matmul(a: T[m?, n], b: T[n, p?]) -> (c: T[m?, p?]) where T in (i64, f32, f64):
    for i, j in prange(m, p):
        acc: T = 0
        for k in range(n):
            acc += a[i, k] * b[k, j]
        c[i, j] = acc

gufunc euclidean_pdist(a: T[n, d]) -> (c: T[n * (n - 1) // 2]) where T in (f32, f64):
    for i in range(n):
        for j in range(i + 1, n):
            acc: T = 0
            for k in range(d):
                acc += (a[i, k] - a[j, k]) ** 2
            c[i * (2 * n - i - 1) // 2 + j - i - 1] = sqrt(acc)

gufunc cumsum(a: T[i]) -> (c: T[i]) where T in (i64, f64):
    acc: T = 0
    for k in range(i):
        acc += a[k]
        c[k] = acc

gufunc conv1d_full(x: f64[m], y: f64[n]) -> (c: f64[m + n - 1]):
    for i in prange(m + n - 1):
        acc: f64 = 0
        for j in range(n):
            if 0 <= i - j < m:
                acc += x[i - j] * y[j]
        c[i] = acc
"""

MODULE = kern.compile(SOURCE, "umath.kern")
NAMES = list(dict(MODULE._functions))


@pytest.fixture(params=["function", "ufunc"])
def kind(request):
    """Both the function itself and its numpy.ufunc."""
    return request.param


def compare(kind, name, *args, **keywords):
    ours = MODULE[name] if kind == "function" else MODULE[name].ufunc

    def fresh(one):
        return one.copy(order="K") if isinstance(one, np.ndarray) else one

    first = {key: fresh(one) for key, one in keywords.items()}
    got, error = outcome(lambda: ours(*args, **first))
    expected, numpy_error = outcome(
        lambda: getattr(umt, name)(*args, **{k: fresh(v) for k, v in keywords.items()})
    )
    if both_raise(error, numpy_error):
        return None
    same(got, expected, 1e-5)
    if "out" in first and isinstance(first["out"], np.ndarray):
        assert got is first["out"]
    return got


def numbers(shape, dtype="f8"):
    return np.random.default_rng(11).integers(-5, 9, shape).astype(dtype)


@pytest.mark.parametrize("dtype", ["i8", "f8", "i4", "f4", "c16", "?"])
@pytest.mark.parametrize("name", ["inner1d", "innerwt", "cumsum", "cross1d"])
def test_loops(kind, name, dtype):
    count = MODULE[name].nin
    for shape in [(3,), (2, 3), (4, 1, 3)]:
        compare(kind, name, *[numbers(shape, dtype)] * count)
    compare(
        kind, name, *[numbers((2, 3), dtype), numbers(3, dtype), numbers(3)][:count]
    )


@pytest.mark.parametrize(
    "shapes",
    [
        ((2, 3), (3, 4)),
        ((5, 2, 3), (3, 4)),
        ((2, 3), (5, 3, 4)),
        ((5, 1, 2, 3), (6, 3, 1)),
    ]
    + [((2, 0), (0, 4)), ((0, 3), (3, 4)), ((0, 2, 3), (3, 4)), ((2, 3), (4, 3))]
    + [((3,), (3, 4)), ((2, 3), (3,)), ((), (3, 4)), ((2, 2, 3), (3, 3, 4))],
    ids=str,
)
@pytest.mark.parametrize("name", ["matrix_multiply", "matmul"])
def test_matrices(kind, name, shapes):
    args = [numbers(shape) for shape in shapes]
    compare(kind, name, *args)
    compare(kind, name, *[one.astype("f4") for one in args])
    if all(len(shape) > 1 for shape in shapes):
        transposed = [one.swapaxes(-1, -2).copy().swapaxes(-1, -2) for one in args]
        compare(kind, name, *transposed)
        compare(kind, name, *[one[..., ::-1, :] for one in args])


def test_optional_dimensions(kind):
    a, b, v = numbers((2, 3)), numbers((3, 4)), numbers(3)
    for args in [(a, b), (v, b), (a, v), (v, v), (numbers((5, 2, 3)), v)]:
        compare(kind, "matmul", *args)
    compare(kind, "matmul", a, numbers(2))
    compare(kind, "matmul", 1.0, a)
    compare(kind, "matmul", v, b, out=np.zeros(4))


@pytest.mark.parametrize("shape", [(4, 3), (2, 4, 3), (1, 3), (5, 1), (3,), (0, 3)])
def test_euclidean_pdist(kind, shape):
    ours = MODULE.euclidean_pdist
    ours = ours if kind == "function" else ours.ufunc
    x = numbers(shape)
    n = shape[-2] if len(shape) > 1 else 0
    p = n * (n - 1) // 2
    out = np.zeros((*shape[:-2], p))
    if len(shape) < 2:
        with pytest.raises(ValueError):
            ours(x)
        return
    expected = umt.euclidean_pdist(x, out.copy()) if p else out
    same(ours(x), expected)  # its extent is computed
    same(ours(x, out), expected)
    with pytest.raises(ValueError):
        ours(x, np.zeros((*shape[:-2], p + 1)))


@pytest.mark.parametrize(
    "shapes", [((5,), (3,)), ((1,), (1,)), ((2, 5), (3,)), ((0,), (0,))]
)
def test_conv1d_full(kind, shapes):
    compare(kind, "conv1d_full", *map(numbers, shapes))
    extent = sum(shape[-1] for shape in shapes) - 1
    if extent > 0:
        lead = np.broadcast_shapes(*(shape[:-1] for shape in shapes))
        compare(
            kind, "conv1d_full", *map(numbers, shapes), out=np.zeros((*lead, extent))
        )
        compare(
            kind,
            "conv1d_full",
            *map(numbers, shapes),
            out=np.zeros((*lead, extent + 1)),
        )


AXIS = [0, 1, -1, -2, 2, 5, None, [0], (0,), 0.5, np.int8(0), "x", (0, 1)]


@pytest.mark.parametrize("axis", AXIS, ids=repr)
@pytest.mark.parametrize("name", ["inner1d", "innerwt", "cumsum", "matrix_multiply"])
def test_axis(kind, name, axis):
    if kind == "function" and (axis is None or isinstance(axis, tuple)):
        return  # Kern takes several axes: test_several_axes
    args = [numbers((3, 3)) for _ in range(MODULE[name].nin)]
    compare(kind, name, *args, axis=axis)
    compare(kind, name, *args, axis=axis, keepdims=True)


def test_several_axes():
    x, y = numbers((2, 3, 4)), numbers((2, 3, 4))
    for axis in (None, (0, 1), (2, 0), (1,), (0, 1, 2), (-1, 0)):
        axes = axis if axis is None else tuple(sorted(one % 3 for one in axis))
        expected = (x * y).sum(axes)
        np.testing.assert_allclose(MODULE.inner1d(x, y, axis=axis), expected)
    for name in ("cumsum", "matrix_multiply"):  # results have the dimension
        for axis in (None, (0, 1)):
            with pytest.raises((TypeError, ValueError)):
                MODULE[name](*[x] * MODULE[name].nin, axis=axis)


AXES = [
    [(-1,), (-1,), ()],
    [-1, -1, ()],
    [(-1,), -1, ()],
    [-1, -1],
    [0, 0],
    [0, 2],
    [np.int8(-1), np.array(-1, dtype=np.int32)],
    -1,
    [-1],
    [-1.0, -1.0],
    [(-1.0,), -1],
    [None, 1],
    [-1, -1, -1],
    [-1, -1, (-1,)],
    [-1, (-2, -1), ()],
    [0, 1],
    [],
    ((-1,), (-1,)),
    [[-1], [-1]],
    [5, -1],
]


@pytest.mark.parametrize("axes", AXES, ids=repr)
@pytest.mark.parametrize("keepdims", [None, False, True])
def test_axes_of_vectors(kind, axes, keepdims):
    a, b = np.arange(27.0).reshape(3, 3, 3), np.arange(10.0, 19).reshape(3, 1, 3)
    keywords = {} if keepdims is None else {"keepdims": keepdims}
    compare(kind, "inner1d", a, b, axes=axes, **keywords)


MATRIX_AXES = [
    [(-2, -1)] * 3,
    [(1, 2), (2, 3), (2, 3)],
    [(0, -1), (1, 2), (-2, -1)],
    [(-2, -1), (-2, -1), (3, 0)],
    1,
    ((-2, -1),) * 3,
    [],
    [(-2, -1)],
    [None] * 3,
    [[-2, -1]] * 3,
    [(-2, -1), (-2, -1), [-2, -1]],
    [(-2, -1), (-2, -1), None],
    [-1, -1, -1],
    [(-2, -1), (-2, -1), -1],
    [(-2, -1), (-2, -1), (-2, -2)],
    [(-2, -1), (-2, -1), (-2, -1), (-2, -1)],
    [(-2, 7), (-2, -1), (-2, -1)],
]


@pytest.mark.parametrize("axes", MATRIX_AXES, ids=repr)
def test_axes_of_matrices(kind, axes):
    a = np.arange(12).reshape(2, 3, 2)
    b = np.arange(8).reshape(2, 2, 2, 1) + 1
    compare(kind, "matrix_multiply", a, b, axes=axes)


def test_axes_and_out(kind):
    a = np.arange(12).reshape(2, 3, 2)
    b = np.arange(8).reshape(2, 2, 2, 1) + 1
    compare(
        kind,
        "matrix_multiply",
        a,
        b,
        out=np.zeros((2, 2, 3, 1), int),
        axes=[(1, 2), (2, 3), (2, 3)],
    )
    compare(
        kind,
        "matrix_multiply",
        a,
        b,
        out=np.zeros((1, 2, 2, 3), int),
        axes=[(-2, -1), (-2, -1), (3, 0)],
    )
    z = np.zeros((2, 2))
    for args, keywords in [
        ((z, z[0]), {}),
        ((z, z), {"out": z[:, 0]}),
        ((z[1], z), {"axes": [0, 1]}),
        ((z, z), {"out": z[0], "axes": [0, 1]}),
        ((z, z), {"axes": [0, 1], "parrot": True}),
        ((z, z), {"axis": 1}),
        ((z, z), {"keepdims": True}),
    ]:
        compare(kind, "matrix_multiply", *args, **keywords)


def test_keepdims(kind):
    a, b, w = (numbers((2, 3)) for _ in range(3))
    for keywords in [
        {"keepdims": True},
        {"keepdims": False},
        {"keepdims": "true"},
        {"keepdims": 1},
        {"keepdims": True, "axis": 0},
        {"keepdims": True, "axes": [0, 0, 0]},
        {"keepdims": True, "axes": [0, 0, 0, 1]},
        {"keepdims": True, "out": np.zeros((2, 1))},
        {"keepdims": True, "out": np.zeros(2)},
        {"keepdims": True, "axis": 0, "out": np.zeros((1, 3))},
        {"axis": 0, "axes": [0, 0, 0]},
    ]:
        compare(kind, "innerwt", a, b, w, **keywords)


def test_overlap(kind):
    for view in (
        lambda a: (a, a),
        lambda a: (a, a[:, ::-1]),
        lambda a: (a[:-1], a[1:]),
        lambda a: (a[:, ::-1], a),
    ):
        x, y = numbers((4, 5)), numbers((4, 5))
        given, out = view(x)
        other, numpy_out = view(y)
        ours = MODULE.cumsum if kind == "function" else MODULE.cumsum.ufunc
        assert ours(given, out=out) is out
        umt.cumsum(other, out=numpy_out)
        np.testing.assert_array_equal(x, y)


def test_strange_arrays(kind):
    base = numbers((4, 6))
    for one in (
        base[::-1, ::2],
        base.T,
        base.astype(">f8"),
        np.broadcast_to(base[0], (4, 6)),
    ):
        compare(kind, "cumsum", one)
        compare(kind, "inner1d", one, one)
    records = np.zeros((3, 5), [("c", "i1"), ("x", "f8")])
    records["x"] = 2
    compare(kind, "cumsum", records["x"])


def test_complex_cores_between_other_fields():
    module = kern.compile(
        "gufunc total(v: c128[n]) -> (y: c128[n]):\n    for i in prange(n):\n"
        "        y[i] = v[i] * 2"
    )
    records = np.zeros((3, 5), [("a", "f8"), ("z", "c16")])
    records["z"] = np.arange(15).reshape(3, 5) + 1j
    for f in (module.total, module.total.ufunc):
        np.testing.assert_array_equal(f(records["z"]), records["z"] * 2)
        out = np.zeros((3, 5), records.dtype)
        f(records["z"], out=out["z"])
        np.testing.assert_array_equal(out["z"], records["z"] * 2)
        np.testing.assert_array_equal(out["a"], 0)


def test_where_is_for_ufuncs(kind):
    compare(kind, "inner1d", numbers((2, 3)), numbers(3), where=True)
    compare(kind, "inner1d", numbers((2, 3)), numbers(3), where=[True, False])


def test_computed_extents_that_are_negative(kind):
    module = kern.compile(
        "gufunc valid(x: f64[n], w: f64[k]) -> (y: f64[n - k + 1]):\n"
        "    for i in prange(n - k + 1):\n        y[i] = x[i] * w[0]"
    )
    f = module.valid if kind == "function" else module.valid.ufunc
    assert f(np.ones(5), np.ones(2)).shape == (4,)
    assert f(np.ones((7, 5)), np.ones(2)).shape == (7, 4)
    with pytest.raises(ValueError):
        f(np.ones(2), np.ones(5))


def test_signatures():
    for name in NAMES:
        if "p" not in getattr(umt, name).signature.split("->")[1]:
            assert MODULE[name].signature == getattr(umt, name).signature
            assert MODULE[name].ufunc.signature == getattr(umt, name).signature


def test_a_bool_is_no_axis():
    x = numbers((2, 3))
    for options in ({"axis": True}, {"axes": [True, True, ()]}):
        with pytest.raises(TypeError, match="integers"):
            MODULE["inner1d"](x, x, **options)
