"""kern.vectorize: Numba's cases of test_vectorize_decor, test_ufuncbuilding,
test_dufunc and test_ufunc, written anew."""

import math

import numpy as np
import pytest

import kern
from kern import float32, float64, int32, uint32, vectorize

PI = math.pi


def sinc(x):
    if x == 0.0:
        return 1.0
    else:
        return math.sin(x * PI) / (PI * x)


def scaled_sinc(x, scale):
    if x == 0.0:
        return scale
    else:
        return scale * (math.sin(x * PI) / (PI * x))


def vector_add(a, b):
    return a + b


# test_vectorize_decor


@pytest.mark.parametrize("target", ["cpu", "parallel"])
@pytest.mark.parametrize(
    "signatures",
    [
        ["float64(float64)", "float32(float32)"],
        [float64(float64), float32(float32)],
        [(float64,)],
        ["d->d"],
        "float64(float64)",
        float64(float64),
        (float64(float64),),
    ],
)
def test_sinc(signatures, target):
    f = vectorize(signatures, target=target)(sinc)
    x = np.arange(100, dtype=np.float64)
    np.testing.assert_allclose(f(x), np.vectorize(sinc)(x), atol=1e-15)


def test_scaled_sinc():
    f = vectorize(["float64(float64, uint32)"])(scaled_sinc)
    x = np.arange(100, dtype=np.float64)
    want = np.vectorize(scaled_sinc)(x, 3.0)
    np.testing.assert_allclose(f(x, np.uint32(3)), want, atol=1e-8)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u4"])
def test_several_loops(dtype):
    f = vectorize(
        [
            int32(int32, int32),
            uint32(uint32, uint32),
            float32(float32, float32),
            float64(float64, float64),
        ]
    )(vector_add)
    x = np.arange(100, dtype=dtype)
    assert f(x, x).dtype == dtype
    np.testing.assert_array_equal(f(x, x), x + x)


@pytest.mark.parametrize("options", [{}, {"target": "parallel"}, {"cache": True}])
@pytest.mark.parametrize("signatures", [[[float32(float32, float32)]], []])
def test_nopython(signatures, options):
    f = vectorize(*signatures, nopython=True, **options)(vector_add)
    got = f(np.float32([2]), np.float32([3]))
    assert got.dtype == np.float32 and got == 5


@pytest.mark.parametrize(
    "options", [{"nonexistent": 2}, {"target": "tpu"}, {"identity": 7}, {"forceobj": 1}]
)
def test_unknown_options(options):
    with pytest.raises((TypeError, ValueError)):
        vectorize([float32(float32, float32)], **options)(vector_add)


def test_bare_and_called_decorators():
    @vectorize
    def one(x, y):
        return x + y

    @vectorize()
    def two(x, y):
        return x + y

    for f in (one, two):
        assert f(1, 2) == 3
        assert f(np.float32([1]), 2).dtype == np.float32


def test_jitted_functions():
    assert vectorize(["f8(f8)"])(kern.njit(sinc))(0.0) == 1
    numba = pytest.importorskip("numba")
    assert vectorize(["f8(f8)"])(numba.njit(sinc))(0.0) == 1
    assert vectorize(numba.vectorize(sinc))(0.0) == 1


def test_numba_types():
    nb = pytest.importorskip("numba")
    for signature in (nb.float64(nb.float64), (nb.float64,), nb.types.double(nb.f8)):
        assert vectorize([signature])(sinc)(0.0) == 1


# test_ufuncbuilding


def test_many_types():
    f = vectorize(["i4(i4, i4)", "i8(i8, i8)", "f4(f4, f4)", "c8(c8, c8)"])(vector_add)
    for dtype in ("i4", "i8", "f4", "c8"):
        x = np.ones(3, dtype)
        assert f(x, x).dtype == dtype
        np.testing.assert_array_equal(f(x, x), x + x)


def equals(x, y):
    return x == y


def test_bool_results():
    f = vectorize(["b1(i4, i4)", "b1(f8, f8)"])(equals)
    got = f(np.arange(3, dtype="i4"), np.array([0, 2, 2], "i4"))
    assert got.dtype == bool
    np.testing.assert_array_equal(got, [True, False, True])


GAIN = 2 + 1j


def conjugates(x, y):
    return (x * y
        + GAIN).conj() * GAIN.conjugate() - x.conjugate().conj() * y.conj().imag  # fmt: skip


@pytest.mark.parametrize("signatures", [["c8(c8, c8)", "c16(c16, c16)"], []])
def test_conjugate(signatures):
    f = vectorize(signatures)(conjugates)
    x, y = np.array([1 + 2j, 3 - 1j]), np.array([0.5j, -1 + 0.25j])
    np.testing.assert_allclose(f(x, y), conjugates(x, y), rtol=1e-15)
    x, y = x.astype("c8"), y.astype("c8")
    assert f(x, y).dtype == "c8"
    np.testing.assert_allclose(f(x, y), conjugates(x, y), rtol=1e-6)


def test_conjugate_of_integers():
    add = lambda x, y: x.conjugate() + y.conj()  # noqa: E731
    x, y = np.uint8([200]), np.uint8([100])
    assert vectorize(["i8(u1, u1)"])(add)(x, y) == 300
    assert vectorize(add)(x, y) == 300


def test_complex():
    @vectorize(["c16(c16, c16)"])
    def f(x, y):
        return x * y + 1j

    assert f(1 + 2j, 3 - 1j) == (1 + 2j) * (3 - 1j) + 1j


def test_nested_calls_and_closures():
    factor = np.float32(3)

    def inner(x):
        return x * factor

    @kern.njit
    def outer(x, times=2):
        return inner(x) * times

    @vectorize(["f4(f4)"])
    def f(x):
        return outer(x) + outer(x, 1) + outer(x, times=0)

    assert f(np.float32([2]))[0] == 18


def test_vectorized_functions_call_one_another():
    @vectorize(["f8(f8)"])
    def half(x):
        return x / 2

    @vectorize
    def quarter(x):
        return half(half(x))

    assert quarter(8.0) == 2


def test_kern_functions_are_called():
    m = kern.compile("ufunc twice(x): return 2 * x\ndef unused(x): return x")
    twice = m.twice

    @vectorize(["f8(f8)"])
    def f(x):
        return twice(x) + m.twice(x)

    assert f(2.0) == 8


def test_from_imports_and_aliases():
    from math import exp as exponential
    from math import pi

    import numpy as xp

    @vectorize(["f8(f8)"])
    def f(x):
        return exponential(x) + xp.sin(x) + math.floor(x) + pi + xp.float32(1)

    want = math.exp(1.5) + math.sin(1.5) + 1 + math.pi + 1
    np.testing.assert_allclose(f(1.5), want)


def test_keywords_of_kern_are_renamed():
    def f(const, ufunc):
        gufunc = const + ufunc
        return gufunc

    assert vectorize(["f8(f8, f8)"])(f)(1, 2) == 3


def test_a_global_hides_no_function():
    exp = 2.0

    @vectorize(["f8(f8)"])
    def f(x):
        return math.exp(x) * exp

    np.testing.assert_allclose(f(1.0), 2 * math.e)


@pytest.mark.parametrize(
    "function, want",
    [
        (lambda x: math.floor(x), 2),
        (lambda x: math.ceil(x), 3),
        (lambda x: math.trunc(x), 2),
        (lambda x: round(x), 2),
        (lambda x: int(x), 2),
    ],
)
def test_whole_numbers_are_integers(function, want):
    got = vectorize(function)(np.array([2.5]))
    assert got.dtype == np.int64
    assert got[0] == want


# test_dufunc, test_ufunc


def test_properties():
    f = vectorize(["f8(f8, f8)", "f4(f4, f4)"], identity=0)(vector_add)
    assert (f.nin, f.nout, f.nargs) == (2, 1, 3)
    assert f.signature is None
    assert f.__name__ == "vector_add"
    assert f.__module__ == __name__
    assert f.py_func is vector_add
    assert f.targetdevice == "cpu"
    assert f.types[0] == "dd->d"


@pytest.mark.parametrize("more", [[], ["f8(f8, f8)"]])
def test_identity_of_bools(more):
    f = vectorize(["boolean(boolean, boolean)", *more], identity=1)(lambda a, b: a * b)
    assert f.identity == 1
    for x in ([], [True, True], [True, False]):
        x = np.array(x, bool)
        assert f.reduce(x) == np.logical_and.reduce(x)
    if more:
        assert f.reduce(np.zeros(0)) == 1.0


def test_order_of_loops():
    # As NumPy and so Numba has it: the first to which the arguments cast.
    wide = vectorize(["f8(f8)", "f4(f4)"])(sinc)
    assert wide(np.float32([1])).dtype == np.float64
    narrow = vectorize(["f4(f4)", "f8(f8)"])(sinc)
    assert narrow(np.float32([1])).dtype == np.float32
    assert narrow(np.int8([1])).dtype == np.float32
    assert narrow(np.int32([1])).dtype == np.float64


def test_types_that_do_not_fit():
    f = vectorize(["f4(f4)"])(sinc)
    with pytest.raises(TypeError):
        f(np.array(["a"]))
    with pytest.raises(TypeError):
        f(np.array([1.0]))


def test_broadcasting_and_out():
    f = vectorize(["f8(f8, f8)"])(vector_add)
    x, y = np.arange(3.0), np.arange(4.0)[:, None]
    np.testing.assert_array_equal(f(x, y), x + y)
    out = np.zeros((4, 3))
    assert f(x, y, out) is out
    assert f(x, y, out=out) is out
    np.testing.assert_array_equal(out, x + y)
    got = f(x[::-1], y[::2])
    np.testing.assert_array_equal(got, x[::-1] + y[::2])


def test_empty_arrays():
    assert vectorize(["f8(f8, f8)"])(vector_add)(np.zeros(0), 1.0).shape == (0,)


def test_division_by_zero():
    @vectorize(["f8(f8)"])
    def f(x):
        return 1 / x

    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(f(np.array([0.0, -0.0])), [np.inf, -np.inf])


def test_result_type_that_is_not_said():
    f = vectorize(["(f4, f4)", (float64, float64)])(vector_add)
    assert f(np.float32([1]), np.float32([1])).dtype == np.float32
    assert f(1.0, 2.0) == 3


def test_fastmath():
    f = vectorize(["f4(f4)"], fastmath=True)(sinc)
    assert "@fastmath" in f.source
    np.testing.assert_allclose(f(np.float32([0.5])), 2 / math.pi, rtol=1e-5)


def test_target_cuda_asks_for_a_gpu():
    f = vectorize(["f8(f8)"], target="cuda")(sinc)
    assert f.targetdevice == "cuda"
    assert f.nin == 1
    if len(kern.devices()) == 1:
        with pytest.raises((LookupError, RuntimeError)):
            f(np.zeros(3))
        assert f(0.0, device="cpu") == 1


def test_truth_of_numbers():
    @vectorize(["i8(f8, f8)"])
    def f(x, y):
        both = x > 0 and y > 0
        if (x and not y) or (both and x):
            return 1
        return 2 if x or y else 3

    np.testing.assert_array_equal(f([1, 1, -1, 0], [0, 1, 1, 0]), [1, 1, 2, 3])


def test_prange_is_a_range():
    @vectorize(["i8(i8)"])
    def f(n):
        total = 0
        for i in kern.prange(n):
            total += i
        return total

    assert f(5) == 10
