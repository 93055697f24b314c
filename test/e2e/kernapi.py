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
import os

import numpy as np

# Some are for those who import this module.
from kernabi import (
    ALL_GPUS, ARGUMENT, ARTEFACT, AUTO, CANCELLED, CHECK, COMPILE, CPU, CUDA,
    CompileOptions, DEVICE,
    DLDataType, DLDevice, DLManagedTensor, DLTensor, DL_CODE, DL_TO_NUMPY,
    DTYPES, DeviceInfo, ENUM, FUNCTIONS, IO, KERN_NAME, MEMORY, ManagedPointer,
    NOT_FOUND, NUMPY_TYPE, OK, OVERLAP, Options, Rates, Report, SHAPE, STATUS_NAMES,
    TYPE, Value,
)
from kernarguments import (
    ALL_AXES, CASTINGS, Owned, Tensor, call_options, fill_value,
)


# What is tested and timed is the kernel that calls have for good.
os.environ.setdefault("KERN_BACKGROUND", "0")


class KernError(Exception):
    def __init__(self, status, message):
        super().__init__(f"{STATUS_NAMES.get(status, status)}: {message}")
        self.status = status
        self.message = message


class Library:
    #: The device of calls that name none: None is that of their arrays.
    device = None

    def __init__(self, path):
        self.c = c = C.CDLL(str(path))
        for name, result, arguments in FUNCTIONS:
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

    def rates(self, gpu=(CUDA, 0)):
        rates = Rates()
        self.check(self.c.kern_device_rates(DLDevice(*gpu), 1, C.byref(rates)))
        return rates

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
            options = CompileOptions(fp_mode or 0, checks)
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

    def bound(self, values, named, keep, tensor):
        """The values of a call with arguments by name (kern_bind_arguments)."""
        others = (Value * max(len(named), 1))()
        for value, argument in zip(others, named.values()):
            fill_value(value, argument, tensor, keep)
        names = (C.c_char_p * max(len(named), 1))(
            *[name.encode() for name in named])
        all_ = (Value * max(self.nin, 1))()
        self.lib.check(self.lib.c.kern_bind_arguments(
            self.handle, values, len(values), names, others, len(named), all_,
            self.nin))
        return (Value * self.nin)(*all_[:self.nin])

    def __call__(self, *arguments, out=None, place="host", report=None,
                 named=None, **asked):
        """Calls the function; `named` has arguments by name.

        `place` is "host" or "cuda": where arrays are when the call sees them.
        What else can be asked for: call_options(); `device=None` asks for no
        device, whatever the library's is.
        """
        asked.setdefault("device", self.lib.device)
        if out is not None and not isinstance(out, (tuple, list)):
            out = (out,)
        arrays = [a for a in (*arguments, *(named or {}).values())
                  if isinstance(a, np.ndarray)]
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
        if named is not None:
            values = self.bound(values, named, keep, tensor)
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
            # Arguments may be `inout`.
            staging.bring_back(outs + [a for a in arrays if a.flags.writeable])
        answers = [
            out[i] if r is None else r.numpy(self.lib)
            for i, r in enumerate(results)]
        return answers[0] if len(answers) == 1 else tuple(answers)


class Prepared:
    """One call with its arguments filled in once, for timing. What else can
    be asked for: call_options(); a mask is a Tensor."""

    def __init__(self, function, arguments, outputs, stream=None, **asked):
        self.keep = []
        self.options = None
        if stream is not None or asked:
            self.options = call_options(self.keep, lambda made: made, **asked)
            self.options.stream = stream
        self.values = (Value * len(arguments))()
        for value, argument in zip(self.values, arguments):
            fill_value(value, argument, Tensor.of, self.keep)
        self.outputs = outputs
        nout = function.nout
        self.pointers = (C.POINTER(DLTensor) * nout)(
            *[C.pointer(t.c) if t else None for t in outputs])
        self.results = (ManagedPointer * nout)()
        self.arguments = (
            function.handle, self.values, len(self.values), self.pointers,
            self.results, nout,
            C.byref(self.options) if self.options else None, None)
        self.function = function
        self.call = function.lib.c.kern_call

    def __call__(self):
        status = self.call(*self.arguments)
        if status:
            self.function.lib.check(status)

    def told(self):
        """The report of a call."""
        report = Report()
        self.function.lib.check(
            self.call(*self.arguments[:-1], C.byref(report)))
        return report

    def renew(self):
        """The call, with new results, which are released."""
        self()
        for i, made in enumerate(self.results):
            if made:
                Owned(made)
                self.results[i] = None
