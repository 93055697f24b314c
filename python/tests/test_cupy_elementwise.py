"""CuPy's cases of ElementwiseKernel, written anew: on NumPy's arrays and on CuPy's.

Of the 29 methods of CuPy's test_elementwise.py 21 are here, of the 6 of its
test_userkernel.py 4. Not here: `elementwise_copy` between GPUs (2); cupy.copy (4), which
is no kernel of a user's; an extent of `n + 0.5`, which is no integer in Kern's grammar
(refused, as there); `no_return`, since results are always given (refused, below);
`block_size` (2), which calls choose.
"""

import numpy as np
import pytest

import kern
from test_cupy_vectorize import Numpy
from test_frameworks import Cupy

RNG = np.random.default_rng(5)
INTEGERS = "bBhHiIqQ"
ALL = "?" + INTEGERS + "efdFD"


@pytest.fixture(params=["cpu", "cuda"])
def framework(request):
    return (Cupy if request.param == "cuda" else Numpy)(request.param)


@pytest.fixture(scope="module")
def add():
    return kern.elementwise("T x, T y", "T z", "z = x + y", name="add")


def uniform(*shape):
    return RNG.uniform(size=shape)


def called(framework, kernel, *arrays, **keywords):
    """The results for arrays of a framework, as NumPy's."""
    got = kernel(*map(framework.make, arrays), **keywords)
    results = got if isinstance(got, tuple) else (got,)
    assert all(isinstance(one, framework.type) for one in results)
    found = tuple(map(framework.numpy, results))
    return found if isinstance(got, tuple) else found[0]


# test_elementwise.py


def test_copy(framework):
    copy = kern.elementwise("T x", "T y", "y = x", name="copy")
    for char in ALL:
        x = np.arange(24).reshape(2, 3, 4).astype(char)
        got = called(framework, copy, x)
        assert got.dtype == x.dtype
        np.testing.assert_array_equal(got, x)


@pytest.mark.parametrize("shape", [(0,), (1, 0, 2)])
def test_no_elements(framework, shape):
    copy = kern.elementwise("T x", "T y", "y = x")
    assert called(framework, copy, np.empty(shape)).shape == shape


def test_invalid_shape(framework):
    f = kern.elementwise("T x", "T y", "y = x")
    x, y = np.arange(12).reshape(3, 4), framework.make(np.arange(4))
    with pytest.raises(ValueError):
        f(framework.make(x), y)


def test_invalid_name():
    with pytest.raises(ValueError, match="identifier"):
        kern.elementwise("T x", "T y", "y = 1", "1")


@pytest.mark.parametrize("char", INTEGERS)
@pytest.mark.parametrize("value, first", [
    (lambda info: info.max, 0), (lambda info: info.max - 1, 1),
    (lambda info: info.min, 0), (lambda info: info.min + 1, -1),
])  # fmt: skip
def test_large_python_integers(framework, add, char, value, first):
    """Beside int8: what fits it does, what does not is an OverflowError."""
    x, number = np.array([first], "i1"), value(np.iinfo(char))
    try:
        want = x + number
    except OverflowError:
        with pytest.raises(OverflowError):
            add(framework.make(x), number)
        return
    got = framework.numpy(add(framework.make(x), number))
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("char", INTEGERS)
@pytest.mark.parametrize("value, other", [
    (lambda info: info.max, 0), (lambda info: info.max - 1, 1),
    (lambda info: info.min, 0), (lambda info: info.min + 1, -1),
])  # fmt: skip
def test_large_array_elements(framework, add, char, value, other):
    x, y = np.array([value(np.iinfo(char))], char), np.int8(other)
    want = x + y
    got = framework.numpy(add(framework.make(x), y))
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


class Toy:
    """The product of the sums of all inputs, times one more than the sum of the
    indices of each element of a result; in Kern and in NumPy."""

    def __init__(self, inputs, outputs):
        self.ranks = [self.rank(one) for one in inputs]
        self.out_ranks = [self.rank(one) for one in outputs]
        lines = ["result = T(1)"]
        for i, rank in enumerate(self.ranks):
            index = [f"i{d}" for d in range(rank)]
            loops = " ".join(
                f"for {one} in range(in{i}.shape[{d}])" for d, one in enumerate(index)
            )
            item = f"in{i}[{', '.join(index)}]"
            lines.append(f"result *= sum({item} {loops})" if rank else f"result *= in{i}")
        for k, rank in enumerate(self.out_ranks):
            index = [f"j{d}" for d in range(rank)]
            for d, one in enumerate(index):
                lines.append(f"{'    ' * d}for {one} in range(out{k}.shape[{d}]):")
            place = f"out{k}[{', '.join(index)}]" if rank else f"out{k}"
            factor = f" * ({' + '.join(f'T({one})' for one in index)} + 1)" if rank else ""
            lines.append(f"{'    ' * rank}{place} = result{factor}")
        self.kernel = kern.elementwise(
            ", ".join(f"T{one} in{i}" for i, one in enumerate(inputs)),
            ", ".join(f"T{one} out{k}" for k, one in enumerate(outputs)),
            "\n".join(lines),
            name="toy",
        )

    @staticmethod
    def rank(dims):
        return dims.count(",") + 1 if dims != "()" else 0

    def expected(self, *arrays, shapes):
        value = 1
        for one, rank in zip(arrays, self.ranks):
            value = value * (one.sum(axis=tuple(range(-rank, 0))) if rank else one)
        found = []
        for shape, rank in zip(shapes, self.out_ranks):
            core = shape[len(shape) - rank :]
            index = sum(np.ogrid[tuple(map(slice, core))]) + 1 if rank else 1
            found.append(np.reshape(value, np.shape(value) + (1,) * rank) * index)
        return found


GUFUNCS = {
    "scalar": (["()", "()"], ["()"], [(1, 10), (10, 1)], [(10, 10)]),
    "reduction": (["(i)"], ["()"], [(30, 20, 100)], [(30, 20)]),
    "matmul_like": (["(m,n)", "(n,p)"], ["(m,p)"],
                    [(1, 10, 30, 20), (2, 10, 20, 50)], [(2, 10, 30, 50)]),
    "frozen_dims": (["(3)", "(3)"], ["(3)"], [(100, 3), (100, 3)], [(100, 3)]),
    "pdist_like": (["(n, d)"], ["(n * (n - 1) // 2)"], [(100, 6, 10)], [(100, 15)]),
    "multiple_outputs": (["(m,n)", "(n,p)"], ["(m*m+p*p, 2*n*n)", "(m*n*n*p)"],
                         [(10, 1, 3, 2), (1, 10, 2, 4)],
                         [(10, 10, 25, 8), (10, 10, 48)]),
}  # fmt: skip


@pytest.mark.parametrize("name", GUFUNCS)
def test_core_dimensions(framework, name):
    inputs, outputs, shapes, results = GUFUNCS[name]
    toy = Toy(inputs, outputs)
    arrays = [uniform(*one) for one in shapes]
    got = called(framework, toy.kernel, *arrays)
    got = got if isinstance(got, tuple) else (got,)
    want = toy.expected(*arrays, shapes=results)
    assert [one.shape for one in got] == results
    for one, of in zip(got, want):
        np.testing.assert_allclose(one, of)


def test_with_preallocated_out(framework):
    inputs, outputs, shapes, results = GUFUNCS["multiple_outputs"]
    toy = Toy(inputs, outputs)
    arrays = [uniform(*one) for one in shapes]
    outs = [framework.make(np.empty(one)) for one in results]
    got = toy.kernel(*map(framework.make, arrays), *outs)
    assert got[0] is outs[0] and got[1] is outs[1]
    for one, of in zip(outs, toy.expected(*arrays, shapes=results)):
        np.testing.assert_allclose(framework.numpy(one), of)


def test_extents_of_out_alone(framework):
    toy = Toy(["(i)"], ["(j)"])
    x, out = uniform(100, 10), framework.make(np.empty((100, 20)))
    assert toy.kernel(framework.make(x), out) is out
    (want,) = toy.expected(x, shapes=[(100, 20)])
    np.testing.assert_allclose(framework.numpy(out), want)


@pytest.mark.parametrize("n", [5, 9])
def test_extents_that_are_negative(framework, n):
    toy = Toy(["(n)"], ["(n-10)"])
    with pytest.raises(ValueError):
        toy.kernel(framework.make(uniform(20, n)))


def test_extents_that_are_no_integers():
    with pytest.raises((ValueError, SyntaxError)):
        Toy(["(n)"], ["(n + 0.5)"])


@pytest.mark.parametrize("option", ["return_tuple", "no_return"])
def test_what_is_returned_is_fixed(option):
    with pytest.raises(ValueError, match=option):
        kern.elementwise("T x", "T y", "y = x", **{option: True})


# test_userkernel.py


def test_plain_kernel(framework, add):
    x, y = uniform(100).astype("f4"), uniform(100).astype("f4")
    np.testing.assert_array_equal(called(framework, add, x, y), x + y)


@pytest.mark.parametrize("kind", [int, float, bool])
def test_python_scalar(framework, add, kind):
    x = RNG.integers(0, 2, (4, 5)).astype(kind)
    got = framework.numpy(add(framework.make(x), kind(2)))
    np.testing.assert_array_equal(got, x + kind(2))


@pytest.mark.parametrize("char", ALL)
def test_numpy_scalar(framework, add, char):
    x, number = RNG.integers(0, 2, (4, 5)).astype(char), np.dtype(char).type(2)
    got = framework.numpy(add(framework.make(x), number))
    np.testing.assert_array_equal(got, x + number)


@pytest.mark.parametrize("value", [-1, 2**32, 2**63 - 1, -(2**63)])
@pytest.mark.parametrize("char", ALL)
def test_scalars_that_may_not_fit(framework, add, char, value):
    """As NumPy 2 has it: what does not fit is an OverflowError, and wraps in CuPy."""
    x = np.arange(24).reshape(2, 3, 4).astype(char)
    with np.errstate(over="ignore", invalid="ignore"):
        try:
            want = x + value
        except OverflowError:
            with pytest.raises(OverflowError):
                add(framework.make(x), value)
            return
    got = framework.numpy(add(framework.make(x), value))
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-3 if char == "e" else 1e-6)
