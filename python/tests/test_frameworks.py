"""Arrays of torch, CuPy, JAX, Numba and of whoever has DLPack: results are theirs.

Each framework that is installed is tried on each device that it has. Expected
values are NumPy's.
"""

import gc
import sys
import weakref

import kern
import numpy as np
import pytest

MODULE = kern.compile(
    """
    ufunc add(x, y): return x + y
    ufunc both(x: T) -> (T, bool) where T in (f32, f64, i32): return -x, x > 0
    gufunc total(v: T[n]) -> T where T in (f32, f64, i64):
        return sum(v[i] for i in range(n))
    gufunc scaled(v: T[n], a: T) -> (w: T[n]) where T in (f32, f64):
        for i in prange(n):
            w[i] = v[i] * a
    """,
    "frameworks.kern",
)


class Torch:
    def __init__(self, device):
        self.torch = pytest.importorskip("torch")
        if device == "cuda" and not self.torch.cuda.is_available():
            pytest.skip("torch sees no GPU")
        self.device = device
        self.type = self.torch.Tensor

    def make(self, array):
        if array.dtype in (np.uint16, np.uint32, np.uint64):
            pytest.skip("torch has little of wide unsigned integers")
        return self.torch.from_numpy(array.copy()).to(self.device)

    def numpy(self, array):
        return array.cpu().numpy()

    def strides(self, array):
        return array.stride()


class Cupy:
    def __init__(self, device):
        if device == "cpu":
            pytest.skip("CuPy has no arrays on the CPU")
        self.cupy = pytest.importorskip("cupy")
        try:
            self.cupy.cuda.runtime.getDeviceCount()
        except self.cupy.cuda.runtime.CUDARuntimeError as error:
            pytest.skip(str(error))
        self.type = self.cupy.ndarray

    def make(self, array):
        return self.cupy.asarray(array)

    def numpy(self, array):
        return array.get()

    def strides(self, array):
        return tuple(step // array.itemsize for step in array.strides)


class Jax:
    def __init__(self, device):
        self.jax = pytest.importorskip("jax")
        self.jax.config.update("jax_enable_x64", True)
        try:
            self.device = self.jax.devices(device)[0]
        except RuntimeError as error:
            pytest.skip(str(error).splitlines()[0])
        self.type = self.jax.Array

    def make(self, array):
        return self.jax.device_put(array, self.device)

    def numpy(self, array):
        return np.asarray(array)


class Numba:
    def __init__(self, device):
        if device == "cpu":
            pytest.skip("Numba's device arrays are on GPUs")
        self.cuda = pytest.importorskip("numba.cuda")
        if not self.cuda.is_available():
            pytest.skip("Numba sees no GPU")
        self.type = type(self.cuda.to_device(np.zeros(1)))

    def make(self, array):
        return self.cuda.to_device(array)

    def numpy(self, array):
        return array.copy_to_host()


@pytest.fixture(params=["cpu", "cuda"])
def device(request):
    return request.param


@pytest.fixture(params=[Torch, Cupy, Jax, Numba], ids=lambda one: one.__name__)
def framework(request, device):
    return request.param(device)


@pytest.mark.parametrize(
    "dtype", ["bool", "i1", "u1", "i2", "i4", "i8", "f2", "f4", "f8", "c8", "c16"]
)
def test_every_type_comes_and_goes(framework, dtype):
    x = np.array([[0, 1, 2], [3, 1, 5]]).astype(dtype)
    result = MODULE.add(framework.make(x), framework.make(x))
    assert isinstance(result, framework.type)
    expected = np.add(x, x)
    np.testing.assert_array_equal(framework.numpy(result), expected)
    assert framework.numpy(result).dtype == expected.dtype


def test_numbers_and_numpy_scalars_go_along(framework):
    x = np.arange(6, dtype="f4").reshape(2, 3)
    for other in (2, 2.5, True, np.float32(3), np.float64(0.1), np.array(2, "i4")):
        result = MODULE.add(framework.make(x), other)
        expected = np.add(x, other)
        assert isinstance(result, framework.type)
        assert framework.numpy(result).dtype == expected.dtype
        np.testing.assert_array_equal(framework.numpy(result), expected)


def test_two_results(framework):
    x = np.array([-1, 0, 2], "f4")
    negative, positive = MODULE.both(framework.make(x))
    np.testing.assert_array_equal(framework.numpy(negative), -x)
    np.testing.assert_array_equal(framework.numpy(positive), x > 0)


def test_gufuncs(framework):
    x = np.arange(12, dtype="f8").reshape(3, 4)
    np.testing.assert_array_equal(
        framework.numpy(MODULE.total(framework.make(x))), x.sum(-1)
    )
    np.testing.assert_array_equal(
        framework.numpy(MODULE.total(framework.make(x), axis=0)), x.sum(0)
    )
    np.testing.assert_array_equal(
        framework.numpy(MODULE.scaled(framework.make(x), 3)), x * 3
    )


@pytest.mark.parametrize("shape", [(), (0,), (1,), (0, 3), (2, 1, 3), (1, 1)])
def test_shapes(framework, shape):
    x = np.ones(shape, "f4")
    result = framework.numpy(MODULE.add(framework.make(x), 1))
    assert result.shape == shape
    np.testing.assert_array_equal(result, x + 1)


@pytest.mark.parametrize("kind", [Torch, Cupy], ids=["Torch", "Cupy"])
def test_results_keep_the_order_of_arrays(kind, device):
    framework = kind(device)
    x = framework.make(np.arange(24, dtype="f4").reshape(2, 3, 4))
    for axes in ((0, 1, 2), (2, 1, 0), (1, 0, 2), (2, 0, 1)):
        turned = x.permute(axes) if kind is Torch else x.transpose(axes)
        result = MODULE.add(turned, 1)
        assert framework.strides(result) == framework.strides(turned)
        np.testing.assert_array_equal(
            framework.numpy(result), framework.numpy(turned) + 1
        )
    # Steps, and neighbours that are one element.
    stepped = x[:, ::2, 1:3]
    np.testing.assert_array_equal(
        framework.numpy(MODULE.add(stepped, x[:1, :1, :1])),
        framework.numpy(stepped) + framework.numpy(x[:1, :1, :1]),
    )


@pytest.mark.parametrize("kind", [Torch, Cupy, Numba], ids=lambda one: one.__name__)
def test_out(kind, device):
    framework = kind(device)
    x, y = np.arange(6, dtype="f4").reshape(2, 3), np.full((2, 3), 7, "f4")
    out = framework.make(np.zeros((2, 3), "f4"))
    assert MODULE.add(framework.make(x), framework.make(y), out=out) is out
    np.testing.assert_array_equal(framework.numpy(out), x + y)
    assert MODULE.add(framework.make(x), 1, out) is out
    np.testing.assert_array_equal(framework.numpy(out), x + 1)


def test_where(framework):
    x = np.arange(4, dtype="f4")
    mask = np.array([True, False, True, False])
    result = MODULE.add(framework.make(x), 1, where=framework.make(mask))
    np.testing.assert_array_equal(framework.numpy(result)[mask], (x + 1)[mask])


def test_arrays_of_two_frameworks_are_refused(device):
    torch, jax = Torch(device), Jax(device)
    x = np.ones(3, "f4")
    with pytest.raises(TypeError, match="torch.*convert one|convert one"):
        MODULE.add(torch.make(x), jax.make(x))


def test_host_and_device_arrays_are_refused(gpu, framework, device):
    if device == "cpu":
        pytest.skip("needs arrays on a GPU")
    with pytest.raises(TypeError, match=r"argument 2 \(`.*`\) on cpu"):
        MODULE.add(framework.make(np.ones(3, "f4")), np.ones(3, "f4"))


def test_nothing_is_kept(framework):
    x = framework.make(np.ones(1000, "f4"))
    try:
        alive = weakref.ref(MODULE.add(x, 1))
    except TypeError:  # Numba's and JAX's arrays take none
        pytest.skip("no weak references")
    gc.collect()
    assert alive() is None
    before = sys.getrefcount(x)
    for _ in range(100):
        MODULE.add(x, x)
    assert sys.getrefcount(x) == before


def test_gradients_are_never_lost(device):
    torch = Torch(device)
    x = torch.make(np.ones(3, "f4")).requires_grad_()
    with pytest.raises(RuntimeError, match="requires grad"):
        MODULE.add(x, 1)
    with torch.torch.no_grad():
        assert not MODULE.add(x, 1).requires_grad
    assert MODULE.add(x.detach(), 1).tolist() == [2, 2, 2]


def test_lazy_bits_of_torch_are_refused(device):
    torch = Torch(device)
    x = torch.make(np.ones(3, "c8"))
    with pytest.raises(ValueError, match="resolve_conj"):
        MODULE.add(x.conj(), 1)
    with pytest.raises(ValueError, match="resolve_neg"):
        MODULE.add(x.conj().imag, 1)
    np.testing.assert_array_equal(
        torch.numpy(MODULE.add(x.conj().resolve_conj(), 1)), np.full(3, 2, "c8")
    )


def test_jax_arrays_are_not_written(device):
    jax = Jax(device)
    x = jax.make(np.ones(3, "f4"))
    with pytest.raises(ValueError, match="JAX"):
        MODULE.add(x, 1, out=x)


class OnlyDlpack:
    """An array that can do nothing else, as of a small library."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, *, stream=None, max_version=None, **rest):
        assert stream is None
        return self.array.__dlpack__(max_version=max_version)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def from_dlpack(array):
    return OnlyDlpack(np.from_dlpack(array))


def test_a_library_with_dlpack_alone():
    x = OnlyDlpack(np.arange(3, dtype="f4"))
    sys.modules[__name__].from_dlpack = from_dlpack
    result = MODULE.add(x, 1)
    assert isinstance(result, OnlyDlpack)
    np.testing.assert_array_equal(result.array, [1, 2, 3])


class Column:
    """What a column of cuDF shows of itself, and its Series too: memory of a GPU, by
    the first version of CUDA's interface, with a mask where there are nulls."""

    def __init__(self, address, count, dtype, mask=None):
        dtype = np.dtype(dtype)
        self.facts = {
            "shape": (count,),
            "strides": (dtype.itemsize,),
            "typestr": dtype.str,
            "data": (address, False),
            "version": 1,
        }
        if mask is not None:
            self.facts["mask"] = mask

    @property
    def __cuda_array_interface__(self):
        return self.facts


def test_columns_with_nulls_are_refused():
    mask = Column(4096, 1, "u1")
    for wrong in (Column(4096, 3, "f4", mask), Column(4096, 3, "i8", mask)):
        for arguments in ((wrong, 1), (1, wrong), (wrong, Column(8192, 3, "f4"))):
            with pytest.raises(TypeError, match="fill its nulls first"):
                MODULE.add(*arguments)
        with pytest.raises(TypeError, match="fill its nulls first"):
            MODULE.add.reduce(wrong)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8"])
def test_columns_without_nulls(gpu, dtype):
    cupy = Cupy("cuda")
    memory = cupy.make(np.arange(1000, dtype=dtype))
    column = Column(memory.data.ptr, 1000, dtype)
    for given in (column, Column(memory.data.ptr, 1000, dtype, mask=None)):
        result = MODULE.add(given, given)
        want = 2 * np.arange(1000, dtype=dtype)
        np.testing.assert_array_equal(cupy.cupy.asarray(result).get(), want)
        assert result.dtype == want.dtype
    out = cupy.make(np.zeros(1000, dtype))
    MODULE.add(column, 1, out=Column(out.data.ptr, 1000, dtype))
    np.testing.assert_array_equal(out.get(), np.arange(1000, dtype=dtype) + 1)


def test_kern_takes_its_own_device_arrays(gpu):
    cupy = Cupy("cuda")

    class Plain:  # CUDA's interface without a library behind it
        def __init__(self, array):
            self.array = array
            self.__cuda_array_interface__ = array.__cuda_array_interface__

    Plain.__cuda_array_interface__ = property(
        lambda self: self.array.__cuda_array_interface__
    )
    plain = object.__new__(Plain)
    plain.array = cupy.make(np.arange(3, dtype="f4"))
    result = MODULE.add(plain, 1)
    assert isinstance(result, kern.DeviceArray)
    assert result.shape == (3,) and result.dtype == np.float32
    np.testing.assert_array_equal(cupy.cupy.from_dlpack(result).get(), [1, 2, 3])
    np.testing.assert_array_equal(cupy.cupy.asarray(result).get(), [1, 2, 3])


def test_streams(gpu):
    cupy = Cupy("cuda")
    stream = cupy.cupy.cuda.Stream(non_blocking=True)
    with stream:
        x = cupy.cupy.arange(1 << 20, dtype="f4")
        for _ in range(20):
            x = MODULE.add(x, 1)
        result = x.get()
    np.testing.assert_array_equal(result, np.arange(1 << 20, dtype="f4") + 20)
    y = cupy.cupy.zeros(8, "f4")
    cupy.cupy.cuda.get_current_stream().synchronize()
    MODULE.add(y, 1, out=y, stream=stream)
    stream.synchronize()
    np.testing.assert_array_equal(y.get(), np.ones(8, "f4"))
