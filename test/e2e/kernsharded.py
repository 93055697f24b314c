"""Arrays dealt over several GPUs (kern/sharded.h) through ctypes."""

import ctypes as C

import numpy as np

from kernabi import DLDevice, DLTensor, DL_TO_NUMPY, ENUM, Value
from kernarguments import Tensor, call_options, fill_value


class ShardedValue(C.Structure):
    _fields_ = [("sharded", C.c_void_p), ("value", Value)]


class Sharded:
    """An array in parts, which is released with this object."""

    def __init__(self, lib, handle):
        self.lib, self.handle = lib, handle

    def __del__(self):
        if self.handle:
            self.lib.c.kern_sharded_release(self.handle)

    @staticmethod
    def _make(lib, function, *arguments, devices=()):
        handle = C.c_void_p()
        given = (DLDevice * max(len(devices), 1))(
            *[DLDevice(*device) for device in devices])
        lib.check(function(*arguments, given if devices else None,
                           C.c_size_t(len(devices)), C.byref(handle)))
        return Sharded(lib, handle)

    @classmethod
    def empty(cls, lib, dtype, shape, devices=()):
        return cls._make(lib, lib.c.kern_sharded_new, ENUM[np.dtype(dtype)],
                         len(shape), (C.c_int64 * len(shape))(*shape),
                         devices=devices)

    @classmethod
    def scatter(cls, lib, array, devices=()):
        return cls._make(lib, lib.c.kern_sharded_scatter,
                         C.byref(Tensor.of(array).c), devices=devices)

    @classmethod
    def replicate(cls, lib, array, devices=()):
        return cls._make(lib, lib.c.kern_sharded_replicate,
                         C.byref(Tensor.of(array).c), devices=devices)

    def assign(self, array):
        self.lib.check(self.lib.c.kern_sharded_assign(
            self.handle, C.byref(Tensor.of(array).c)))

    def _tensor(self, name, *arguments):
        function = getattr(self.lib.c, name)
        function.restype = C.POINTER(DLTensor)
        return function(self.handle, *arguments).contents

    def part(self, index):
        return self._tensor("kern_sharded_part", C.c_size_t(index))

    def part_count(self):
        function = self.lib.c.kern_sharded_part_count
        function.restype = C.c_size_t
        return function(self.handle)

    def gather(self):
        form = self._tensor("kern_sharded_form")
        out = np.empty(form.shape[:form.ndim] if form.ndim else (),
                       DL_TO_NUMPY[form.dtype.code, form.dtype.bits])
        self.lib.check(self.lib.c.kern_sharded_gather(
            self.handle, C.byref(Tensor.of(out).c)))
        return out

    def synchronize(self):
        self.lib.check(self.lib.c.kern_sharded_synchronize(self.handle))


def options_of(keep, where=None, **others):
    """kern_call_options of what is over parts: `where` may be a Sharded."""
    is_sharded = isinstance(where, Sharded)
    options = call_options(keep, Tensor.of,
                           where=None if is_sharded else where, **others)
    if is_sharded:
        keep.append(where)
        options.sharded_where = where.handle
    return options


class ShardedCall:
    """One call with its arguments filled in once; `outputs` has a Sharded or
    None for each result."""

    def __init__(self, function, arguments, outputs=None, where=None):
        self.keep = [arguments, outputs]
        self.options = options_of(self.keep, where)
        self.function = function
        nout = function.nout
        self.values = (ShardedValue * max(len(arguments), 1))()
        for value, argument in zip(self.values, arguments):
            if isinstance(argument, Sharded):
                value.sharded = argument.handle.value
            else:
                fill_value(value.value, argument, Tensor.of, self.keep)
        outputs = outputs or [None] * nout
        self.outputs = (C.c_void_p * nout)(
            *[output.handle if output else None for output in outputs])
        self.results = (C.c_void_p * nout)()
        self.arguments = (function.handle, self.values,
                          C.c_size_t(len(arguments)), self.outputs, self.results,
                          C.c_size_t(nout), C.byref(self.options), None)

    def __call__(self):
        lib = self.function.lib
        lib.check(lib.c.kern_sharded_call(*self.arguments))
        return [Sharded(lib, C.c_void_p(made)) if made else None
                for made in self.results]


def call(function, *arguments, out=None, where=None):
    """The one result of a function over parts."""
    made = ShardedCall(function, arguments, None if out is None else [out],
                       where)()
    return out if out is not None else made[0]


def reduce(function, array, axis=0, dtype=None, initial=None, where=None,
           keepdims=False):
    """kern_sharded_reduce(); `axis` may be several, or kernapi.ALL_AXES."""
    keep, made, lib = [], C.c_void_p(), function.lib
    options = options_of(keep, where, axis=axis, dtype=dtype,
                         keepdims=keepdims)
    begin = Value()
    if initial is not None:
        fill_value(begin, initial, Tensor.of, keep)
    lib.check(lib.c.kern_sharded_reduce(
        function.handle, array.handle,
        None if initial is None else C.byref(begin), C.byref(made),
        C.byref(options), None))
    return Sharded(lib, made)
