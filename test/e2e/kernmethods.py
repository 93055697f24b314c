"""The methods of ufuncs (kern/methods.h) through ctypes, as NumPy has them.

    Methods(module["add"]).reduce(x, axis=(0, 1), keepdims=True)
"""

import ctypes as C

import numpy as np

from kernabi import DLTensor, ManagedPointer, Options, Report, Value
from kernarguments import Owned, Tensor, call_options, fill_value

VALUE, TENSOR = C.POINTER(Value), C.POINTER(DLTensor)
TAIL = [C.POINTER(Options), C.POINTER(Report)]
RESULT = [TENSOR, C.POINTER(ManagedPointer)]
SIGNATURES = {
    "kern_reduce": [C.c_void_p, VALUE, VALUE, *RESULT, *TAIL],
    "kern_accumulate": [C.c_void_p, VALUE, *RESULT, *TAIL],
    "kern_reduceat": [C.c_void_p, VALUE, VALUE, *RESULT, *TAIL],
    "kern_at": [C.c_void_p, TENSOR, VALUE, C.c_size_t, VALUE, *TAIL],
    "kern_outer": [C.c_void_p, VALUE, VALUE, C.POINTER(TENSOR),
                   C.POINTER(ManagedPointer), C.c_size_t, *TAIL],
}


class Methods:
    """A function's methods. Arrays are where `place` says, "host" or "cuda",
    when the call sees them; `device` is what the call asks for."""

    def __init__(self, function, place="host", device=None):
        self.function = function
        self.lib = function.lib
        self.place = place
        self.device = device
        self.report = Report()
        for name, arguments in SIGNATURES.items():
            entry = getattr(self.lib.c, name)
            entry.restype, entry.argtypes = C.c_int, arguments

    def reduce(self, array, initial=None, out=None, **asked):
        return self._make("kern_reduce", [array, initial], out, asked)

    def accumulate(self, array, out=None, **asked):
        return self._make("kern_accumulate", [array], out, asked)

    def reduceat(self, array, indices, out=None, **asked):
        return self._make("kern_reduceat", [array, indices], out, asked)

    def outer(self, a, b, **asked):
        return self._make("kern_outer", [a, b], None, asked)

    def at(self, array, indices, operand=None, **asked):
        """`indices`: an array, or a tuple of them."""
        if not isinstance(indices, tuple):
            indices = (indices,)
        return self._make("kern_at", [array, operand, *indices], array, asked)

    def _make(self, name, arguments, out, asked):
        asked = {"device": self.device, **asked}
        arrays = [a for a in arguments if isinstance(a, np.ndarray)]
        given = [a for a in (out, asked.get("where"))
                 if isinstance(a, np.ndarray)]
        staging = None
        if self.place == "cuda":
            from staging import Staging
            staging = Staging(self.lib, arrays + given)

        def tensor(array):
            return staging.tensor(array) if staging else Tensor.of(array)

        keep = []
        values = (Value * len(arguments))()
        for value, argument in zip(values, arguments):
            if argument is not None:
                fill_value(value, argument, tensor, keep)
        place = None if out is None else tensor(out)
        options = call_options(keep, tensor, **asked)
        made = ManagedPointer()
        output = C.pointer(place.c) if place else None
        head = [None if a is None else C.pointer(v)
                for a, v in zip(arguments, values)]
        entry, tail = getattr(self.lib.c, name), (
            C.byref(options), C.byref(self.report))
        handle = self.function.handle
        if name == "kern_at":
            count = len(arguments) - 2
            indices = C.cast(C.byref(values, 2 * C.sizeof(Value)), VALUE)
            status = entry(handle, output, indices, count, head[1], *tail)
        elif name == "kern_outer":
            status = entry(handle, *head, None, C.byref(made), 1, *tail)
        else:
            status = entry(handle, *head, output, C.byref(made), *tail)
        self.lib.check(status)
        result = Owned(made).numpy(self.lib) if made else out
        if staging:
            self.lib.synchronize()
            if out is not None:
                staging.bring_back([out])
        return result
