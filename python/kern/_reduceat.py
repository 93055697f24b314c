"""`reduceat` of a function, and what it has in common with `at`."""

import functools

import numpy as np

from kern import _kern
from kern._function import _method, _Scope
from kern._known import is_dtype, is_safe, remember
from kern._methods import (
    REDUCEAT,
    _check_binary,
    _one_axis,
    _out_of,
    _override,
    _plain_out,
    resolved,
)
from kern._operand import Operand

_INT64 = np.dtype(np.int64)
_ndarray = np.ndarray


@_method
def reduceat(
    self,
    array,
    indices,
    axis=0,
    dtype=None,
    out=None,
    *,
    device=None,
    stream=None,
    threads=None,
):
    """`reduce` over pieces along one axis: of array[indices[i]:indices[i + 1]],
    where that is not empty, else array[indices[i]] itself.

    indices: integers, in one dimension; on a GPU they may be there. Raises
        IndexError for one that the axis does not have. The other arguments as for
        `accumulate`.

    Returns an array with as many elements along the axis as there are indices.

    >>> import kern
    >>> f = kern.compile("ufunc sub(x, y): return x - y").sub
    >>> f.reduceat([9, 1, 2, 4], [0, 2])
    array([ 8, -2])
    """
    if not (device is stream is threads is None):
        with _Scope(device, stream, threads):
            return reduceat(self, array, indices, axis, dtype, out)
    key = None
    if (
        type(array) is _ndarray
        and out is None
        and type(axis) is int
        and is_dtype(dtype)
    ):
        key = ("reduceat", array.dtype, array.ndim, axis, dtype)
        known = self._known.get(key)
        places = None if known is None else plain_indices(indices)
        if places is not None:
            wrong = _kern.find_outside(places, 0, len(array))
            if wrong >= 0:
                _refuse_index(self, places[wrong], len(array))
            return known(array, places)
    _check_binary(self, "reduceat")
    out = _out_of(out)
    override = _override(
        self, "reduceat", (array, indices), out, axis=(axis, 0), dtype=(dtype, None)
    )
    if override is not NotImplemented:
        return override
    operand = Operand(self, "reduceat", array, out)
    if self.source is None:
        return self.ufunc.reduceat(array, indices, axis, dtype, out)
    places = _host_indices(indices)
    if places.ndim > 1:
        raise ValueError("object too deep for desired array")
    if places.ndim < 1:
        raise ValueError("object of too small depth for desired array")
    places = places.astype(np.int64, casting="safe")
    axis = _one_axis(axis, operand, "reduceat")
    extent = operand.shape[axis]
    wrong = _kern.find_outside(places, 0, extent)
    if wrong >= 0:
        _refuse_index(self, places[wrong], extent)
    shape = (*operand.shape[:axis], len(places), *operand.shape[axis + 1 :])
    place = _plain_out(self, operand, shape)
    made, types, _, _ = resolved(self, REDUCEAT, operand, (axis,), dtype)
    if key is not None and operand.ndim == 1:
        converts = {"dtype": types[0], "casting": "unsafe"}
        is_plain = is_safe(operand.dtype, types[1])
        known = made if is_plain else functools.partial(made, **converts)
        remember(self, key, known)
    places = operand.like(places)
    operand.wait()
    result = made(
        operand.array,
        places,
        axes=[(axis,), (0,), (axis,)],
        dtype=types[0],
        casting="unsafe",
        out=place,
    )
    return operand.wrapped(result)


def _refuse_index(self, index, extent):
    raise IndexError(
        f"index {index} out-of-bounds in {self.__name__}.reduceat [0, {extent})"
    )


def plain_indices(indices):
    """Indices in one dimension as NumPy's int64; None of what needs more care."""
    if type(indices) is list:
        indices = np.asarray(indices)
    if type(indices) is not _ndarray or indices.ndim != 1:
        return None
    dtype = indices.dtype
    if dtype is _INT64:
        return indices
    if dtype.kind == "i" or dtype.kind == "u" and dtype.itemsize < 8:
        return indices.astype(np.int64)
    return None


def _host_indices(indices):
    if not hasattr(indices, "dtype"):
        return np.array(indices, np.int64)  # as NumPy: 2.7 in a list is 2
    if _kern.foreign_form(indices) is not None:
        for method in ("get", "cpu"):  # CuPy's and torch's way to the host
            if hasattr(indices, method):
                indices = getattr(indices, method)()
                break
    return np.asarray(indices)
