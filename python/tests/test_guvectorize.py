"""kern.guvectorize: Numba's cases of test_gufunc and test_update_inplace,
written anew."""

import numpy as np
import pytest

import kern
from kern import float32, float64, guvectorize, int64, void


def matmulcore(A, B, C):
    """docstring for matmulcore"""
    m, n = A.shape
    n, p = B.shape
    for i in range(m):
        for j in range(p):
            C[i, j] = 0
            for k in range(n):
                C[i, j] += A[i, k] * B[k, j]


def axpy(a, x, y, out):
    out[0] = a * x + y


MATMUL = "(m,n),(n,p)->(m,p)"


@pytest.mark.parametrize("target", ["cpu", "parallel"])
@pytest.mark.parametrize(
    "signatures",
    [
        [void(float32[:, :], float32[:, :], float32[:, :])],
        [(float32[:, :], float32[:, :], float32[:, :])],
        "void(f4[:,:], f4[:,::1], float32[:,:])",
        ["f4[:,:], f4[:,:], f4[:,:]", "f8[:,:], f8[:,:], f8[:,:]"],
    ],
)
def test_matmul(signatures, target):
    f = guvectorize(signatures, MATMUL, target=target)(matmulcore)
    A = np.arange(101 * 2 * 4, dtype=np.float32).reshape(101, 2, 4)
    B = np.arange(101 * 4 * 5, dtype=np.float32).reshape(101, 4, 5)
    got = f(A, B)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, np.matmul(A, B), rtol=1e-5)
    assert f.__doc__ == "docstring for matmulcore"
    assert f.__name__ == "matmulcore"


def test_matmul_without_signatures():
    f = guvectorize(MATMUL)(matmulcore)
    for dtype in (np.int64, np.float32):
        A = np.arange(10 * 2 * 4, dtype=dtype).reshape(10, 2, 4)
        B = np.arange(10 * 4 * 5, dtype=dtype).reshape(10, 4, 5)
        C = np.zeros((10, 2, 5), dtype)
        f(A, B, C)
        np.testing.assert_allclose(C, np.matmul(A, B), rtol=1e-5)


@pytest.mark.parametrize(
    "args", [["(),(),()->()"], ["(i8, i8, i8, i8[:])", "(), (), () -> ()"]]
)
def test_like_a_ufunc(args):
    f = guvectorize(*args)(axpy)
    x = np.arange(10)
    np.testing.assert_array_equal(f(x, x, x), x * x + x)
    out = np.zeros(10, x.dtype)
    f(x, x, x, out=out)
    np.testing.assert_array_equal(out, x * x + x)


@pytest.mark.parametrize("args", [["(n)->(n)"], [["f8[:],f8[:]"], "(n)->(n)"]])
def test_axis(args):
    @guvectorize(*args)
    def my_cumsum(x, res):
        acc = 0
        for i in range(x.shape[0]):
            acc += x[i]
            res[i] = acc

    x = np.ones((20, 30))
    np.testing.assert_array_equal(my_cumsum(x, axis=0), np.cumsum(x, axis=0))
    out = np.zeros_like(x)
    my_cumsum(x, out=out, axis=0)
    np.testing.assert_array_equal(out, np.cumsum(x, axis=0))


def test_several_results():
    @guvectorize(["i4[:], i4[:], f8[:]"], "(x)->(x),(x)")
    def copy_and_multiply(A, B, C):
        for i in range(B.size):
            B[i] = A[i]
            C[i] = A[i] * 1.5

    A = np.arange(10, dtype="i4") + 1
    B, C = copy_and_multiply(A)
    assert (B.dtype, C.dtype) == ("i4", "f8")
    np.testing.assert_array_equal(B, A)
    np.testing.assert_array_equal(C, A * 1.5)


def test_several_results_without_signatures():
    @guvectorize("(x)->(x),(x)")
    def copy_and_double(A, B, C):
        for i in range(B.size):
            B[i] = A[i]
            C[i] = A[i] * 2

    A = np.arange(10, dtype=np.float32)
    B, C = np.zeros_like(A), np.zeros_like(A)
    copy_and_double(A, B, C)
    np.testing.assert_array_equal(B, A)
    np.testing.assert_array_equal(C, 2 * A)


@pytest.mark.parametrize("index", ["0", "()", ":", "..."])
def test_scalar_results(index, tmp_path):
    scope = {}
    path = tmp_path / "made.py"
    path.write_text(
        "def sum_row(inp, out):\n"
        "    tmp = 0.\n"
        "    for i in range(inp.shape[0]):\n"
        "        tmp += inp[i]\n"
        f"    out[{index}] = tmp\n"
    )
    exec(compile(path.read_text(), str(path), "exec"), scope)
    f = guvectorize(["void(int32[:], int32[:])"], "(n)->()")(scope["sum_row"])
    x = np.arange(30, dtype="i4").reshape(10, 3)
    got = f(x)
    assert got.dtype == np.int32
    np.testing.assert_array_equal(got, x.sum(axis=1))


def test_scalar_inputs_given_as_arrays():
    @guvectorize(["int32[:], int32[:], int32[:]"], "(n),()->(n)")
    def foo(inp, n, out):
        for i in range(inp.shape[0]):
            out[i] = inp[i] * n[0]

    x = np.arange(30, dtype=np.int32).reshape(10, 3)
    got = foo(x, 2)
    assert got.dtype == np.int32
    np.testing.assert_array_equal(got, x * 2)
    n = np.arange(10, dtype="i4")
    np.testing.assert_array_equal(foo(x, n), x * n[:, None])


def test_scalar_inputs():
    def pyfunc(inp, n, out):
        for i in range(inp.size):
            out[i] = n * (inp[i] + 1)

    f = guvectorize(["int32[:], int32, int32[:]"], "(n),()->(n)")(pyfunc)
    for x in (np.arange(10, dtype="i4"), np.arange(20, dtype="i4").reshape(10, 2)):
        np.testing.assert_array_equal(f(x, 2), 2 * (x + 1))


@pytest.mark.parametrize(
    "signature, layout, message",
    [
        ("int32[:], int32, int32[:]", "(n),(n)->(n)",
         "scalar type int32 given for non scalar argument #2"),
        ("int32[:], int32[:], int32[:]", "(m,n),(n)->(n)",
         "type and shape signature mismatch for arg #1"),
        ("int32[:], int32[:]", "(n),(n)->(n)", "has 2 types, but `pyfunc` takes 3"),
        ("f8(f8[:], f8[:], f8[:])", "(n),(n)->(n)", "returns void"),
        ("f8[:], f8[:], f8[:]", "(n),(n)->(m)", "no input has the dimension 'm'"),
        ("f8[:], f8[:], f8[:]", "(n),(n)", "the layout has 2 operands"),
        ("f8[:], f8[:], f8[:]", "(n,(n)", "is not of the form"),
        ("f8[:], f8[:], f8[:]", "(n)->(n)", "the layout has 2 operands"),
    ],
)  # fmt: skip
def test_signatures_that_do_not_fit(signature, layout, message):
    def pyfunc(a, b, c):
        pass

    with pytest.raises(TypeError) as raised:
        guvectorize([signature], layout)(pyfunc)
    assert message in str(raised.value)


def test_wrong_number_of_arguments():
    f = guvectorize("(m),(m)->(m)")(lambda_free)
    with pytest.raises(TypeError):
        f(np.arange(3))
    with pytest.raises(TypeError):
        f(*[np.arange(3)] * 5)


def lambda_free(x, y, z):
    for i in range(x.size):
        z[i] = x[i] + y[i]


def test_mismatch_of_core_dimensions():
    f = guvectorize(["f8[:], f8[:], f8[:]"], "(n),(n)->(n)")(lambda_free)
    with pytest.raises(ValueError):
        f(np.zeros(3), np.zeros(2))


def test_signature_attribute():
    f = guvectorize(["f8[:], f8[:], f8[:]"], "(n),(n)->(n)")(lambda_free)
    assert f.signature == "(n),(n)->(n)"


def test_no_results():
    # test_ufuncbuilding: without results, what is written to is an input
    @guvectorize(["void(i4[:,:], i4[:,:], i4[:,:])"], "(x,y),(x,y),(x,y)")
    def guadd(a, b, c):
        x, y = c.shape
        for i in range(x):
            for j in range(y):
                c[i, j] = a[i, j] + b[i, j]

    a, c = np.arange(10, dtype="i4").reshape(2, 5), np.zeros((2, 5), "i4")
    guadd(a, a, c)
    np.testing.assert_array_equal(c, a + a)


@pytest.mark.parametrize("args", [["(),()->()"], [["i8, i8, i8[:]"], "(),()->()"]])
def test_no_core_dimensions_is_a_ufunc(args):
    @guvectorize(*args)
    def add(x, y, res):
        res[0] = x
        res[0] += y

    assert add.signature is None
    got = add(np.arange(3), 2, where=[True, False, True])
    np.testing.assert_array_equal(got, [2, 0, 4])


def test_writable_args():
    # test_update_inplace
    def py_replace_2nd(x_t, y_1):
        for t in range(0, x_t.shape[0], 2):
            x_t[t] = y_1[0]

    for writable in ((0,), ("x_t",)):
        f = guvectorize(["void(f8[:], f8[:])"], "(t),()->", writable_args=writable)(
            py_replace_2nd
        )
        x = np.arange(6.0)
        f(x, 9.0)
        np.testing.assert_array_equal(x, [9, 1, 9, 3, 9, 5])


def test_writable_args_and_results():
    @guvectorize(["void(f8[:], f8[:], f8[:])"], "(t),()->(t)", writable_args=(0,))
    def update_and_double(x, y, z):
        for i in range(x.size):
            z[i] = 2 * x[i]
            x[i] = y[0]

    x = np.arange(3.0)
    np.testing.assert_array_equal(update_and_double(x, 7.0), [0, 2, 4])
    np.testing.assert_array_equal(x, [7, 7, 7])


def test_constant_and_optional_dimensions():
    @guvectorize(["f8[:], f8[:], f8[:]"], "(3),(3)->(3)")
    def cross(a, b, c):
        c[0] = a[1] * b[2] - a[2] * b[1]
        c[1] = a[2] * b[0] - a[0] * b[2]
        c[2] = a[0] * b[1] - a[1] * b[0]

    rng = np.random.default_rng(0)
    a, b = rng.random((5, 3)), rng.random(3)
    np.testing.assert_allclose(cross(a, b), np.cross(a, b))
    f = guvectorize(["f8[:,:], f8[:,:], f8[:,:]"], "(m?,n),(n,p?)->(m?,p?)")(matmulcore)
    assert f(np.ones(3), np.ones(3)) == 3
    np.testing.assert_allclose(f(np.ones((2, 3)), np.ones(3)), [3, 3])


def test_filled_results_and_methods():
    @guvectorize(["f8[:,:], f8[:], f8[:,:], f8[:]"], "(m,n)->(m),(m,n),()")
    def f(x, rows, y, total):
        rows[:] = 0
        y[:, :] = -1
        y[0, 0] = x.max()
        for i in range(x.shape[0]):
            rows[i] += x[i].sum()
        total[0] = x.sum()

    x = np.arange(6.0).reshape(2, 3)
    rows, y, total = f(x)
    np.testing.assert_array_equal(rows, x.sum(1))
    np.testing.assert_array_equal(y, [[5, -1, -1], [-1, -1, -1]])
    assert total == 15


def test_results_of_any_name_are_filled():
    @guvectorize(["f8[:], f8[:]"], "(n)->(n)")
    def f(x, a):  # a name that sorts before the loop's words
        a[:] = 0.0
        a[0] = x[0]

    np.testing.assert_array_equal(f(np.array([3.0, 4.0])), [3, 0])


def test_narrow_elements():
    numba = pytest.importorskip("numba")

    def blend(a, b, out):
        for i in range(a.size):
            out[i] = (a[i] + b[i]) // 2
            out[i] -= 1
            out[i] >>= 1

    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 256, (2, 50)).astype("u1")
    args = (["u1[:], u1[:], u1[:]", "f8[:], f8[:], i2[:]"][:1], "(n),(n)->(n)")
    want = numba.guvectorize(*args)(blend)(a, b)
    np.testing.assert_array_equal(guvectorize(*args)(blend)(a, b), want)


def test_elements_convert_when_they_are_stored():
    @guvectorize(["f8[:], i4[:]", "f4[:], u1[:]"], "(n)->(n)")
    def f(x, y):
        for i in range(x.size):
            y[i] = x[i] * 2
            y[i] += 0.5 * x[i]
            y[i] *= 2

    assert f(np.array([1.0, 3.0])).tolist() == [4, 14]
    assert f(np.float32([1.0, 3.0])).dtype == np.uint8


def test_int64_objects():
    @guvectorize([(int64[:], int64, int64[:])], "(n),()->(n)")
    def g(x, y, res):
        "docstring for g"
        for i in range(x.shape[0]):
            res[i] = x[i] + y

    assert g.__doc__ == "docstring for g"
    np.testing.assert_array_equal(g(np.arange(5), 2), np.arange(5) + 2)


def test_local_arrays_and_helpers():
    @kern.njit
    def weight(i, n):
        return 1.0 / (i + n)

    @guvectorize([(float64[:], float64[:])], "(n)->(n)")
    def f(x, y):
        n = x.shape[0]
        table = np.zeros(4, dtype=np.float64)
        for k in range(4):
            table[k] = weight(k, 1)
        for i in range(n):
            y[i] = x[i] * table[i % 4]

    want = np.ones(6) * (1 / np.array([1, 2, 3, 4, 1, 2]))
    np.testing.assert_allclose(f(np.ones(6)), want)
