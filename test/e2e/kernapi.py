"""Kern's C interface (kern/kern.h) through ctypes, on NumPy arrays.

    lib = Library("build/dev/lib/libkern.so")
    module = lib.compile("ufunc add(a, b):\n    return a + b\n")
    module["add"](numpy.arange(3), 2)

With `place="cuda"` the arrays of a call are uploaded with their strides, so
that the call sees device arrays of exactly the host arrays' layout (views of
one buffer stay views of one buffer); results and outputs come back to the host.
"""

import ctypes as C
import json

import numpy as np

# Some are for those who import this module.
from kernabi import (
    ALL_AXES, ARGUMENT, ARTEFACT, CASTINGS, CHECK, COMPILE, CPU, CUDA,
    CompileOptions, DEVICE, DLDataType, DLDevice, DLManagedTensor, DLTensor,
    DL_CODE, DL_TO_NUMPY, DTYPES, DeviceInfo, ENUM, IO, KERN_NAME, MEMORY,
    ManagedPointer, NOT_FOUND, NUMPY_TYPE, OK, OVERLAP, Options, Report,
    SHAPE, STATUS_NAMES, TYPE, Value, call_options,
)


class KernError(Exception):
    def __init__(self, status, message):
        super().__init__(f"{STATUS_NAMES.get(status, status)}: {message}")
        self.status = status
        self.message = message


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


class Library:
    def __init__(self, path):
        self.c = c = C.CDLL(str(path))
        text = C.c_char_p
        for name, result, arguments in [
            ("kern_last_error", text, []),
            ("kern_version", text, []),
            ("kern_cuda_device_count", C.c_int, []),
            ("kern_cuda_unavailable_reason", text, []),
            ("kern_device_describe", C.c_int, [DLDevice, C.POINTER(DeviceInfo)]),
            ("kern_default_device", DLDevice, []),
            ("kern_compile_source", C.c_int,
             [text, C.c_size_t, text, C.POINTER(C.c_void_p)]),
            ("kern_compile_source_with", C.c_int,
             [text, C.c_size_t, text, C.POINTER(CompileOptions),
              C.POINTER(C.c_void_p)]),
            ("kern_compile_file", C.c_int, [text, C.POINTER(C.c_void_p)]),
            ("kern_load_file", C.c_int, [text, C.POINTER(C.c_void_p)]),
            ("kern_load_text", C.c_int,
             [text, C.c_size_t, C.POINTER(C.c_void_p)]),
            ("kern_module_release", None, [C.c_void_p]),
            ("kern_module_function_count", C.c_size_t, [C.c_void_p]),
            ("kern_module_function_at", C.c_void_p, [C.c_void_p, C.c_size_t]),
            ("kern_module_find", C.c_int,
             [C.c_void_p, text, C.POINTER(C.c_void_p)]),
            ("kern_module_manifest", text, [C.c_void_p]),
            ("kern_function_name", text, [C.c_void_p]),
            ("kern_function_input_count", C.c_size_t, [C.c_void_p]),
            ("kern_function_output_count", C.c_size_t, [C.c_void_p]),
            ("kern_function_signature", text, [C.c_void_p]),
            ("kern_array_new", C.c_int,
             [C.c_int, C.c_int, C.POINTER(C.c_int64), DLDevice,
              C.POINTER(ManagedPointer)]),
            ("kern_array_copy", C.c_int,
             [C.POINTER(DLTensor), DLDevice, C.POINTER(ManagedPointer)]),
            ("kern_array_assign", C.c_int,
             [C.POINTER(DLTensor), C.POINTER(DLTensor)]),
            ("kern_npy_read", C.c_int, [text, C.POINTER(ManagedPointer)]),
            ("kern_npy_write", C.c_int, [text, C.POINTER(DLTensor)]),
            ("kern_call", C.c_int,
             [C.c_void_p, C.POINTER(Value), C.c_size_t,
              C.POINTER(C.POINTER(DLTensor)), C.POINTER(ManagedPointer),
              C.c_size_t, C.POINTER(Options), C.POINTER(Report)]),
            ("kern_synchronize", C.c_int, [DLDevice]),
        ]:
            function = getattr(c, name)
            function.restype = result
            function.argtypes = arguments

    def check(self, status):
        if status != OK:
            raise KernError(
                status, self.c.kern_last_error().decode("utf-8", "replace"))

    def version(self):
        return self.c.kern_version().decode()

    def cuda_count(self):
        return self.c.kern_cuda_device_count()

    def cuda_reason(self):
        return self.c.kern_cuda_unavailable_reason().decode()

    def describe(self, device):
        info = DeviceInfo()
        self.check(self.c.kern_device_describe(DLDevice(*device), C.byref(info)))
        return info

    def synchronize(self, device=(CUDA, 0)):
        self.check(self.c.kern_synchronize(DLDevice(*device)))

    def _module(self, status, handle):
        self.check(status)
        return Module(self, handle)

    def compile(self, text, name="test.kern", fp_mode=None, checks=0):
        """`fp_mode`: a kern_fp_mode; `checks`: bits of kern_check. Without
        either, a call without options."""
        data = text if isinstance(text, bytes) else text.encode()
        handle = C.c_void_p()
        if fp_mode is not None or checks:
            options = CompileOptions(C.sizeof(CompileOptions), fp_mode or 0,
                                     checks)
            return self._module(
                self.c.kern_compile_source_with(
                    data, len(data), name.encode(), C.byref(options),
                    C.byref(handle)), handle)
        return self._module(
            self.c.kern_compile_source(
                data, len(data), name.encode(), C.byref(handle)), handle)

    def compile_file(self, path):
        handle = C.c_void_p()
        return self._module(
            self.c.kern_compile_file(str(path).encode(), C.byref(handle)),
            handle)

    def load_file(self, path):
        handle = C.c_void_p()
        return self._module(
            self.c.kern_load_file(str(path).encode(), C.byref(handle)), handle)

    def load_text(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        handle = C.c_void_p()
        return self._module(
            self.c.kern_load_text(data, len(data), C.byref(handle)), handle)

    def new_array(self, dtype, shape, device=(CPU, 0)):
        managed = ManagedPointer()
        dims = (C.c_int64 * max(len(shape), 1))(*shape)
        self.check(self.c.kern_array_new(
            ENUM[np.dtype(dtype)], len(shape), dims, DLDevice(*device),
            C.byref(managed)))
        return Owned(managed)

    def copy(self, tensor, device):
        """A C-contiguous copy of a DLTensor on a device."""
        managed = ManagedPointer()
        self.check(self.c.kern_array_copy(
            C.byref(tensor), DLDevice(*device), C.byref(managed)))
        return Owned(managed)

    def assign(self, destination, source):
        self.check(self.c.kern_array_assign(
            C.byref(destination), C.byref(source)))

    def read_npy(self, path):
        managed = ManagedPointer()
        self.check(self.c.kern_npy_read(str(path).encode(), C.byref(managed)))
        return Owned(managed)

    def write_npy(self, path, tensor):
        self.check(self.c.kern_npy_write(str(path).encode(), C.byref(tensor)))


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


class Module:
    def __init__(self, lib, handle):
        self.lib = lib
        self.handle = handle

    def __del__(self):
        if self.handle:
            self.lib.c.kern_module_release(self.handle)
            self.handle = None

    def __getitem__(self, name):
        function = C.c_void_p()
        self.lib.check(self.lib.c.kern_module_find(
            self.handle, name.encode(), C.byref(function)))
        return Function(self, function)

    def names(self):
        count = self.lib.c.kern_module_function_count(self.handle)
        return [
            Function(self, C.c_void_p(
                self.lib.c.kern_module_function_at(self.handle, i))).name
            for i in range(count)
        ]

    def manifest(self):
        return json.loads(self.lib.c.kern_module_manifest(self.handle))


class Function:
    def __init__(self, module, handle):
        self.module = module
        self.lib = module.lib
        self.handle = handle

    @property
    def name(self):
        return self.lib.c.kern_function_name(self.handle).decode()

    @property
    def signature(self):
        return self.lib.c.kern_function_signature(self.handle).decode()

    @property
    def nin(self):
        return self.lib.c.kern_function_input_count(self.handle)

    @property
    def nout(self):
        return self.lib.c.kern_function_output_count(self.handle)

    def raw(self, values, outputs, options=None, report=None):
        """kern_call on prepared arguments; the results as Owned or None."""
        nout = self.nout
        results = (ManagedPointer * max(nout, 1))()
        pointers = None
        if outputs is not None:
            pointers = (C.POINTER(DLTensor) * max(nout, 1))(
                *[C.pointer(t.c) if t is not None else None for t in outputs])
        self.lib.check(self.lib.c.kern_call(
            self.handle, values, len(values), pointers, results, nout,
            C.byref(options) if options else None,
            C.byref(report) if report is not None else None))
        return [Owned(r) if r else None for r in results[:nout]]

    def __call__(self, *arguments, out=None, place="host", report=None,
                 **asked):
        """Calls the function.

        `place` is "host" or "cuda": where arrays are when the call sees them.
        What else can be asked for: call_options().
        """
        if out is not None and not isinstance(out, (tuple, list)):
            out = (out,)
        arrays = [a for a in arguments if isinstance(a, np.ndarray)]
        outs = [a for a in out or () if isinstance(a, np.ndarray)]
        if isinstance(asked.get("where"), np.ndarray):
            arrays.append(asked["where"])
        staging = None
        if place == "cuda":
            from staging import Staging
            staging = Staging(self.lib, arrays + outs)

        def tensor(array):
            return staging.tensor(array) if staging else Tensor.of(array)

        keep = []
        values = (Value * len(arguments))()
        for value, argument in zip(values, arguments):
            fill_value(value, argument, tensor, keep)
        outputs = None
        if out is not None:
            outputs = [
                None if a is None else
                tensor(a) if isinstance(a, np.ndarray) else a for a in out]
        options = None
        if any(value is not None for value in asked.values()):
            options = call_options(keep, tensor, **asked)
        results = self.raw(values, outputs, options, report)
        if staging:
            self.lib.synchronize()
            staging.bring_back(outs)
        answers = [
            out[i] if r is None else r.numpy(self.lib)
            for i, r in enumerate(results)]
        return answers[0] if len(answers) == 1 else tuple(answers)


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


class Prepared:
    """One call with its arguments filled in once, for timing."""

    def __init__(self, function, arguments, outputs):
        self.keep = []
        self.values = (Value * len(arguments))()
        for value, argument in zip(self.values, arguments):
            fill_value(value, argument, Tensor.of, self.keep)
        self.outputs = outputs
        nout = function.nout
        self.pointers = (C.POINTER(DLTensor) * nout)(
            *[C.pointer(t.c) for t in outputs])
        self.results = (ManagedPointer * nout)()
        self.arguments = (
            function.handle, self.values, len(self.values), self.pointers,
            self.results, nout, None, None)
        self.function = function
        self.call = function.lib.c.kern_call

    def __call__(self):
        status = self.call(*self.arguments)
        if status:
            self.function.lib.check(status)
