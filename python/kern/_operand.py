"""The array of a reduction: NumPy's or another library's."""

import sys

import numpy as np

from kern import _kern


class Operand:
    """The array of a reduction: as it was given, as a call takes it, its NumPy
    dtype."""

    def __init__(self, self_, method, given, out):
        self.keeps_array = out is ...
        self.out = out = None if self.keeps_array else out
        form = _kern.foreign_form(given)
        if form is None and out is not None:
            form = _kern.foreign_form(out) and _refuse_mixed(self_)
        self.is_foreign = form is not None
        if self.is_foreign:
            self.wraps = False
            self.array = given
            self.dtype, self.shape, _ = form
            if self_.source is None:
                raise TypeError(
                    f"{self_.__name__}.{method} takes only host arrays: the function "
                    "is of a compiled file, and what runs on a GPU is made of the "
                    "source"
                )
        else:
            array = np.asanyarray(given)
            self.wraps = hasattr(type(given), "__array_wrap__") and (
                type(given) is not np.ndarray and not isinstance(given, np.generic)
            )
            self.array = array.view(np.ndarray)
            self.dtype, self.shape = array.dtype, array.shape
        self.given = given
        self.ndim = len(self.shape)
        if out is not None and not self.is_foreign and not isinstance(out, np.ndarray):
            raise TypeError("return arrays must be of ArrayType")

    def form_of_out(self):
        """The dtype and shape of `out`."""
        if self.out is None:
            return None, None
        form = _kern.foreign_form(self.out) if self.is_foreign else None
        return form[:2] if form else (self.out.dtype, self.out.shape)

    def plain_out(self):
        is_array = isinstance(self.out, np.ndarray)
        return self.out.view(np.ndarray) if is_array else self.out

    def like(self, values):
        """A NumPy array as an array of the operand's framework and device."""
        if not self.is_foreign:
            return values
        space = namespace(self.array)
        device = getattr(self.array, "device", None)
        try:
            return space.asarray(values, device=device)
        except TypeError:
            return space.asarray(values)

    def mask(self, where):
        """An array of bool of the operand's shape."""
        if not self.is_foreign:
            if not isinstance(where, (np.ndarray, np.generic)):
                where = np.asarray(where, bool)
            elif where.dtype != bool:
                where = where.astype(bool, casting="safe")
            if where.ndim > self.ndim:
                raise ValueError(
                    "input operand has more dimensions than allowed by the axis remapping"
                )
            return np.broadcast_to(where, self.shape)
        if _kern.foreign_form(where) is None:
            where = self.like(np.asarray(where, bool))
        return namespace(self.array).broadcast_to(where, self.shape)

    def wait(self):
        """Waits for what the array's library has been asked to do on its own stream,
        if calls run on another one."""
        if self.is_foreign and _kern.scope_has_stream():
            kind, index = self.array.__dlpack_device__()
            if kind != 1:
                _kern.synchronize(f"cuda:{index}")

    def wrapped(self, result):
        if self.out is not None:
            return self.out
        if not self.wraps:
            return np.asarray(result) if self.keeps_array else result
        array = np.asarray(result)
        is_scalar = array.ndim == 0 and not self.keeps_array
        return self.given.__array_wrap__(array, None, is_scalar)


def _refuse_mixed(self):
    raise TypeError(
        f"{self.__name__}() was given arrays of numpy and of another library; "
        "convert one"
    )


def namespace(array):
    """The functions of an array's framework."""
    name = type(array).__module__.partition(".")[0]
    if name not in ("torch", "cupy") and hasattr(array, "__array_namespace__"):
        return array.__array_namespace__()
    return sys.modules[name]
