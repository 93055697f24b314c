"""The arguments of a call: DLPack tensors over NumPy's memory and Kern's, numbers,
and options with NumPy's names."""

import ctypes as C

import numpy as np

from kernabi import (
    Axes, CPU, DLDataType, DLDevice, DLTensor, DL_CODE, DL_TO_NUMPY, ENUM, Options,
    Progress, Range, STEP,
)

CASTINGS = ["no", "equiv", "safe", "same_kind", "unsafe"]
ORDERS = "KCFA"
ALL_AXES = "all"


class Tensor:
    """A DLTensor that keeps its shape and strides alive."""

    def __init__(self, pointer, dtype, shape, strides, device=(CPU, 0)):
        dtype = np.dtype(dtype)
        ndim = len(shape)
        self.shape = (C.c_int64 * max(ndim, 1))(*shape)
        self.strides = (C.c_int64 * max(ndim, 1))(*strides)
        self.c = DLTensor(
            pointer, DLDevice(*device), ndim,
            DLDataType(DL_CODE[dtype], dtype.itemsize * 8, 1),
            C.cast(self.shape, C.POINTER(C.c_int64)),
            C.cast(self.strides, C.POINTER(C.c_int64)), 0,
        )

    @staticmethod
    def of(array, pointer=None, device=(CPU, 0)):
        """The tensor of a NumPy array, or the same layout elsewhere."""
        size = array.dtype.itemsize
        if any(s % size for s in array.strides):
            raise ValueError("strides are not whole elements")
        return Tensor(
            array.ctypes.data if pointer is None else pointer, array.dtype,
            array.shape, [s // size for s in array.strides], device,
        )


class Owned:
    """A DLManagedTensor that is released with this object."""

    def __init__(self, managed):
        self.managed = managed

    @property
    def tensor(self):
        return self.managed.contents.dl_tensor

    @property
    def pointer(self):
        t = self.tensor
        return (t.data or 0) + t.byte_offset

    @property
    def dtype(self):
        t = self.tensor.dtype
        return DL_TO_NUMPY[t.code, t.bits]

    @property
    def shape(self):
        t = self.tensor
        return tuple(t.shape[i] for i in range(t.ndim))

    def element_strides(self):
        t = self.tensor
        if t.strides:
            return tuple(t.strides[i] for i in range(t.ndim))
        strides, step = [], 1
        for count in reversed(self.shape):
            strides.append(step)
            step *= count
        return tuple(reversed(strides))

    def on_host(self):
        return self.tensor.device.device_type == CPU

    def numpy(self, lib):
        """A copy as a NumPy array, with the array's own memory order.

        `kern_array_copy` gives C order; of an array on a device its bytes are
        brought home and looked at with its strides.
        """
        shape, dtype = self.shape, self.dtype
        if 0 in shape:
            return np.empty(shape, dtype)
        strides = [s * dtype.itemsize for s in self.element_strides()]
        span = dtype.itemsize + sum(
            (n - 1) * s for n, s in zip(shape, strides))
        bytes_ = self
        if not self.on_host():
            device = self.tensor.device
            bytes_ = lib.copy(
                Tensor(self.pointer, np.uint8, (span,), (1,),
                       (device.device_type, device.device_id)).c, (CPU, 0))
        memory = (C.c_ubyte * span).from_address(bytes_.pointer)
        view = np.ndarray(shape, dtype, memory, 0, strides)
        return view.copy(order="K")

    def __del__(self):
        if self.managed:
            self.managed.contents.deleter(self.managed)
            self.managed = None


def fill_value(value, argument, tensor, keep):
    """Fills one kern_value. Plain Python numbers are weak."""
    if isinstance(argument, np.ndarray):
        argument = tensor(argument)
    if isinstance(argument, Owned):
        keep.append(argument)
        value.kind = 0
        value.as_.array = C.pointer(argument.tensor)
    elif isinstance(argument, Tensor):
        keep.append(argument)
        value.kind = 0
        value.as_.array = C.pointer(argument.c)
    elif isinstance(argument, (bool, np.generic)):
        scalar = np.asarray(argument)
        value.kind = 1
        value.dtype = ENUM[scalar.dtype]
        raw = scalar.tobytes()
        C.memmove(C.addressof(value.as_), raw, len(raw))
    elif isinstance(argument, range):
        numbers = Range(argument.start, argument.stop, argument.step)
        keep.append(numbers)
        value.kind = 5
        value.as_.range = C.pointer(numbers)
    elif isinstance(argument, int):
        value.kind = 2
        value.as_.integer = argument
    elif isinstance(argument, float):
        value.kind = 3
        value.as_.real = argument
    elif isinstance(argument, complex):
        value.kind = 4
        value.as_.complex_parts[0] = argument.real
        value.as_.complex_parts[1] = argument.imag
    else:
        raise TypeError(f"cannot pass {type(argument).__name__}")


def fill_axes(c, axes, keep):
    """`axes`: an int, a tuple of them, or ALL_AXES."""
    if axes == ALL_AXES:
        return
    axes = (axes,) if isinstance(axes, int) else tuple(axes)
    memory = (C.c_int64 * max(len(axes), 1))(*axes)
    keep.append(memory)
    c.axes = C.cast(memory, C.POINTER(C.c_int64))
    c.count = len(axes)


def call_options(keep, tensor, device=None, axis=None, axes=None,
                 keepdims=False, order=None, casting=None, dtype=None,
                 signature=None, where=None, shape=None, progress=None):
    """kern_call_options in the words of NumPy; `progress(done, total)` goes on
    if it returns 0. `signature` has a type or None
    for each input and result, `axis` may be ALL_AXES; what the options point
    at is appended to `keep`."""
    options = Options()
    if device is not None:
        options.has_device = 1
        options.device = DLDevice(*device)
    if axis is not None:
        one = Axes()
        fill_axes(one, axis, keep)
        keep.append(one)
        options.axis = C.pointer(one)
    if axes is not None:
        many = (Axes * max(len(axes), 1))()
        for c, entry in zip(many, axes):
            fill_axes(c, entry, keep)
        keep.append(many)
        options.axes = C.cast(many, C.POINTER(Axes))
        options.axes_count = len(axes)
    options.keepdims = keepdims
    if order is not None:
        options.order = 1 + ORDERS.index(order)
    if casting is not None:
        options.casting = 1 + CASTINGS.index(casting)
    if dtype is not None:
        options.has_dtype, options.dtype = 1, ENUM[np.dtype(dtype)]
    if signature is not None:
        types = (C.c_int * len(signature))(
            *[-1 if t is None else ENUM[np.dtype(t)] for t in signature])
        keep.append(types)
        options.signature = C.cast(types, C.POINTER(C.c_int))
    if shape is not None:
        extents = (C.c_int64 * max(len(shape), 1))(*shape)
        keep.append(extents)
        options.shape = C.cast(extents, C.POINTER(C.c_int64))
        options.shape_ndim = len(shape)
    if progress is not None:
        told = Progress(None, STEP(
            lambda _, done, total: progress(done, total)))
        keep.append(told)
        options.progress = C.pointer(told)
    if where is not None:
        mask = tensor(where)
        keep.append(mask)
        options.where = C.pointer(mask.c)
    return options
