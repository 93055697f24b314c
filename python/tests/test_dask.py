"""Kern's functions on Dask's arrays, with its threads. Expected values are
NumPy's."""

import kern
import numpy as np
import pytest

da = pytest.importorskip("dask.array")
import kern.dask  # noqa: E402
from dask.base import tokenize  # noqa: E402

MODULE = kern.compile(
    """
    @associative(identity=0)
    ufunc add(x, y): return x + y
    @associative(identity=0)
    ufunc most(x: f64, y: f64) -> f64: return max(x, y)
    ufunc decay(x, y): return x / 2 + y
    ufunc polar(x: T, y: T) -> (T, T) where T in (f32, f64):
        return hypot(x, y), atan2(y, x)
    ufunc divmod(x, y): return x // y, x % y

    gufunc norm(v: T[n]) -> T where T in (f32, f64):
        return sqrt(sum(v[i] * v[i] for i in range(n)))
    gufunc scale(v: T[n], a: T) -> (w: T[n]) where T in (f32, f64):
        for i in prange(n):
            w[i] = v[i] * a
    gufunc ends(v: T[n]) -> (T, T) where T in (f32, f64):
        return v[0], v[n - 1]
    gufunc conv(x: T[n], k: T[m]) -> (y: T[n - m + 1]) where T in (f32, f64):
        for i in prange(n - m + 1):
            y[i] = sum(x[i + j] * k[j] for j in range(m))
    gufunc matmul(a: T[m?, k], b: T[k, n?]) -> (c: T[m?, n?]) where T in (f32, f64):
        for i in prange(m):
            for j in range(n):
                c[i, j] = sum(a[i, l] * b[l, j] for l in range(k))
    gufunc cross(a: T[3], b: T[3]) -> (c: T[3]) where T in (f32, f64):
        for i in prange(3):
            c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]
    gufunc powers(x: T, n: dim) -> (p: T[n]) where T in (f32, f64):
        p[0] = 1
        for i in range(1, n):
            p[i] = p[i - 1] * x
    gufunc twice(inout v: f64[n]):
        for i in prange(n):
            v[i] = 2 * v[i]
    """,
    "for_dask.kern",
)
X = np.arange(24.0).reshape(4, 6) - 7
LAZY = da.from_array(X, chunks=(2, 6))


def close(got, expected):
    assert isinstance(got, da.Array)
    assert got.dtype == expected.dtype and got.shape == expected.shape
    np.testing.assert_allclose(got.compute(), expected, 1e-6)


def test_two_results():
    for y in (3, 3.0, np.float32(3), np.arange(1.0, 7), LAZY[0] ** 2 + 1):
        near = np.asarray(y)
        got = MODULE.divmod(LAZY, y)
        assert isinstance(got, tuple)
        for one, expected in zip(got, np.divmod(X, near)):
            close(one, expected)
    for one, expected in zip(MODULE.divmod(100.0, abs(LAZY) + 1), np.divmod(100.0, abs(X) + 1)):
        close(one, expected)


def test_numbers_stay_weak():
    x = LAZY.astype("f4")
    for one in (*MODULE.divmod(x, 3.0), *MODULE.polar(x, 0.5), MODULE.scale(x, 2.0)):
        assert one.dtype == "f4"
        assert one.compute().dtype == "f4"
    assert MODULE.divmod(x, np.float64(3))[0].dtype == "f8"
    assert MODULE.divmod(x.astype("i2"), True)[0].dtype == "i2"


def test_chunks_need_not_agree():
    other = da.from_array(X, chunks=(3, 4))
    for one, expected in zip(MODULE.divmod(LAZY, abs(other) + 1), np.divmod(X, abs(X) + 1)):
        close(one, expected)
    r, phi = MODULE.polar(LAZY, other[0])
    close(r, np.hypot(X, X[0]))
    close(phi, np.arctan2(X[0], X))
    close(MODULE.scale(LAZY, other[:, 0]), X * X[:, :1])


def test_gufuncs():
    close(MODULE.norm(LAZY), np.linalg.norm(X, axis=1))
    close(MODULE.norm(LAZY, keepdims=True), np.linalg.norm(X, axis=1, keepdims=True))
    tall = da.from_array(X, chunks=(4, 2))
    close(MODULE.norm(tall, axis=0), np.linalg.norm(X, axis=0))
    close(MODULE.norm(tall, axes=[(0,)]), np.linalg.norm(X, axis=0))
    close(MODULE.scale(LAZY, 2), X * 2)
    close(MODULE.scale(2 * X[0], LAZY[:, 0]), np.multiply.outer(X[:, 0], 2 * X[0]))
    close(MODULE.scale(tall, 2.0, axes=[0, (), 0]), X * 2)
    for one, expected in zip(MODULE.ends(LAZY), (X[:, 0], X[:, -1])):
        close(one, expected)
    x = X[:, :3]
    close(MODULE.cross(LAZY[:, :3], np.eye(3)[0]), np.cross(x, np.eye(3)[0]))


def test_computed_and_optional_dimensions():
    kernel = np.array([1.0, -1])
    close(MODULE.conv(LAZY, kernel), -np.diff(X))
    close(MODULE.conv(LAZY, da.from_array(kernel, chunks=-1)), -np.diff(X))
    for a, b in [((4, 6), (6, 2)), ((6,), (6, 2)), ((4, 6), (6,)), ((6,), (6,)), ((3, 4, 6), (6, 2))]:
        a, b = np.random.rand(*a), np.random.rand(*b)
        close(MODULE.matmul(da.from_array(a, chunks=-1), b), np.matmul(a, b))
    close(MODULE.powers(LAZY, 3), X[..., None] ** np.arange(3))
    close(MODULE.powers(x=LAZY[0], n=2), X[0][:, None] ** np.arange(2))


def test_core_dimensions_in_several_chunks():
    tall = da.from_array(X, chunks=(2, 3))
    with pytest.raises(ValueError, match="multiple chunks"):
        MODULE.norm(tall).compute()
    got = kern.dask.call(MODULE.norm, tall, allow_rechunk=True)
    close(got, np.linalg.norm(X, axis=1))


def test_keywords():
    x = LAZY.astype("f4")
    assert MODULE.add(x, 1, dtype="f8").dtype == "f8"
    close(MODULE.add(x, 1, dtype="f8"), X + 1)
    close(MODULE.add(x, 1, casting="safe", order="C"), (X + 1).astype("f4"))
    close(kern.dask.call(MODULE.add, x, y=1), (X + 1).astype("f4"))
    out = da.zeros((4, 6), chunks=(2, 6))
    assert MODULE.add(LAZY, 1, out=out) is out
    close(out, X + 1)
    assert kern.dask.call(MODULE.add, LAZY, 2, out=out) is out
    close(out, X + 2)
    got = MODULE.add(LAZY, 1, out=da.zeros((4, 6)), where=LAZY > 0)
    close(got, np.where(X > 0, X + 1, 0))


def test_metas_need_no_gpu():
    """A call that workers make on their GPUs is prepared without one."""
    for got in (
        MODULE.add(LAZY, 1, device="cuda"),
        MODULE.divmod(LAZY, 2, device="cuda")[0],
        MODULE.norm(LAZY, device="cuda"),
        LAZY.map_blocks(MODULE.add, 1, device="cuda", dtype="f8"),
    ):
        assert got.dtype == "f8" and isinstance(got._meta, np.ndarray)
    if len(kern.devices()) == 1:
        with pytest.raises(kern.Error):
            MODULE.norm(LAZY, device="cuda").compute()
    else:
        close(MODULE.norm(LAZY, device="cuda"), np.linalg.norm(X, axis=1))


def test_ways_of_dasks_own():
    close(da.map_blocks(MODULE.add, LAZY, 1), X + 1)
    close(LAZY.map_blocks(MODULE.scale, 2.0), X * 2)
    close(da.blockwise(MODULE.add, "ij", LAZY, "ij", 1, None, dtype="f8"), X + 1)
    close(da.apply_gufunc(MODULE.norm, MODULE.norm.signature, LAZY), np.linalg.norm(X, axis=1))
    first, last = da.apply_gufunc(MODULE.ends, "(n)->(),()", LAZY, output_dtypes=("f8", "f8"))
    close(last, X[:, -1])
    close(da.as_gufunc(signature="(n)->()", output_dtypes="f8")(MODULE.norm)(LAZY),
          np.linalg.norm(X, axis=1))  # fmt: skip


@pytest.mark.parametrize("axis", [0, 1, None, (0, 1), -1])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reduce(axis, keepdims):
    lazy = da.from_array(X, chunks=(3, 2))
    got = MODULE.add.reduce(lazy, axis=axis, keepdims=keepdims)
    close(got, np.asarray(X.sum(axis=axis, keepdims=keepdims)))
    got = MODULE.most.reduce(abs(lazy), axis=axis, keepdims=keepdims)
    close(got, np.asarray(abs(X).max(axis=axis, keepdims=keepdims)))


def test_other_methods():
    lazy = da.from_array(X, chunks=(3, 2))
    close(MODULE.add.reduce(lazy), X.sum(0))
    close(MODULE.add.reduce(lazy.astype("f4"), dtype="f8"), X.sum(0))
    for axis in (0, 1):
        close(MODULE.add.accumulate(lazy, axis), X.cumsum(axis))
    close(MODULE.add.outer(lazy[0], lazy), np.add.outer(X[0], X))
    close(MODULE.decay.outer(X[0], lazy[1]), np.add.outer(X[0] / 2, X[1]))
    with pytest.raises(TypeError, match="@associative"):
        MODULE.decay.reduce(lazy)
    with pytest.raises(TypeError, match="takes no initial"):
        MODULE.add.reduce(lazy, initial=3)
    with pytest.raises(TypeError, match="NotImplemented"):
        MODULE.add.reduceat(lazy, [0, 1])


def test_xarray():
    xarray = pytest.importorskip("xarray")
    lazy = xarray.DataArray(LAZY, dims=("run", "time"))
    close(MODULE.add(lazy, 1).data, X + 1)
    got = xarray.apply_ufunc(
        MODULE.norm, lazy, input_core_dims=[["time"]], dask="parallelized",
        output_dtypes=["f8"],
    )  # fmt: skip
    close(got.data, np.linalg.norm(X, axis=1))
    first, last = xarray.apply_ufunc(
        MODULE.ends, lazy, input_core_dims=[["time"]], output_core_dims=[[], []],
        dask="allowed",
    )  # fmt: skip
    close(last.data, X[:, -1])
    quotient, rest = xarray.apply_ufunc(
        MODULE.divmod, lazy, 4.0, output_core_dims=[[], []], dask="allowed"
    )
    close(rest.data, X % 4)
    eager = xarray.DataArray(X, dims=("run", "time"))
    got = xarray.apply_ufunc(MODULE.norm, eager, input_core_dims=[["time"]])
    np.testing.assert_allclose(got.values, np.linalg.norm(X, axis=1))


def test_tokens():
    """Equal work has one name, in every process, so that Dask does it once."""
    same = kern.compile(MODULE.source, "elsewhere.kern")
    other = kern.compile(MODULE.source, "for_dask.kern", fp_mode="precise")
    assert tokenize(MODULE.add) == tokenize(same.add)
    assert len({*map(tokenize, (MODULE.add, MODULE.most, other.add))}) == 3
    assert MODULE.norm(LAZY).name == MODULE.norm(LAZY).name
    assert MODULE.divmod(LAZY, 2)[0].name == MODULE.divmod(LAZY, 2)[0].name
    assert MODULE.divmod(LAZY, 2)[0].name != MODULE.divmod(LAZY, 3)[0].name
    a, b = MODULE.add(LAZY, 1, order="C"), MODULE.add(LAZY, 1, order="F")
    assert a.name != b.name


def test_what_is_refused():
    with pytest.raises(TypeError, match="writes to its parameter `v`"):
        MODULE.twice(LAZY)
    with pytest.raises(TypeError, match="one axis"):
        MODULE.norm(LAZY, axis=None)
    with pytest.raises(TypeError, match="takes no out"):
        MODULE.divmod(LAZY, 2, out=(LAZY, LAZY))
    with pytest.raises(kern.DTypeError):
        MODULE.norm(LAZY.astype("c16"))
    with pytest.raises(ValueError):
        MODULE.cross(LAZY, LAZY)
    with pytest.raises(TypeError, match="kern.Function"):
        kern.dask.call(np.add, LAZY, LAZY)
    with pytest.raises(TypeError, match="missing"):
        MODULE.scale(LAZY)
