"""`outer` and `at` of a function; `reduce` and its kin are in
kern._methods and kern._reduceat."""

import math

import numpy as np

from kern import _kern
from kern._errors import OverlapError
from kern._function import _method, _Scope
from kern._known import remember
from kern._operand import Operand, namespace
from kern._reduceat import plain_indices

_INT64 = np.dtype(np.int64)
_ndarray = np.ndarray


@_method
def outer(self, A, B, **keywords):
    """f(A[i, …], B[j, …]) for all pairs: an array of shape A.shape + B.shape.

    Keywords and what it raises are those of a call. Only for ufuncs of two
    parameters: of others it is a ValueError.

    >>> import kern
    >>> f = kern.compile("ufunc sub(x, y): return x - y").sub
    >>> f.outer([5, 6], [1, 2, 3])
    array([[4, 3, 2],
           [5, 4, 3]])
    """
    if not keywords and type(A) is type(B) is _ndarray and _is_binary(self):
        return self(A.reshape(A.shape + (1,) * B.ndim), B)
    if self.signature is not None:
        raise TypeError(
            "method outer is not allowed in ufunc with non-trivial signature"
        )
    if self.nin != 2:
        raise ValueError("outer product only supported for binary functions")
    out = keywords.get("out")
    outputs = () if out is None else out if isinstance(out, tuple) else (out,)
    given = {**keywords, "out": outputs} if outputs else keywords
    override = _kern.method_override(self, "outer", (A, B), outputs, given)
    if override is not NotImplemented:
        return override
    A, B = _outer_operand(self, A, "first"), _outer_operand(self, B, "second")
    return self(A.reshape((*A.shape, *(1 for _ in B.shape))), B, **keywords)


def _is_binary(self):
    return self.nin == 2 and self.signature is None


def _outer_operand(self, operand, which):
    if type(operand) is _ndarray or _kern.foreign_form(operand) is not None:
        return operand
    array = np.asanyarray(operand)
    if isinstance(array, np.matrix):
        raise TypeError(
            f"{self.__name__}.outer() was passed a numpy matrix as {which} argument, "
            "which cannot have more dimensions. Convert it to an ndarray"
        )
    return array


@_method
def at(
    self,
    a,
    indices,
    b=np._NoValue,
    *,
    device=None,
    stream=None,
    threads=None,
):
    """a[indices] = f(a[indices], b), element by element in order, so that an
    index that occurs twice counts twice. Writes to `a` and returns None.

    indices: whatever indexes `a`; outside of it is an IndexError.
    b: broadcasts to a[indices]; left out of a function with one parameter.
    device, stream, threads: as those of a call.

    Threads: none else may use `a` meanwhile.

    >>> import kern, numpy as np
    >>> f = kern.compile("ufunc add(x, y): return x + y").add
    >>> a = np.zeros(3)
    >>> f.at(a, [0, 0, 2], 1)
    >>> a
    array([2., 0., 1.])
    """
    if not (device is stream is threads is None):
        with _Scope(device, stream, threads):
            return at(self, a, indices, b)
    if type(a) is _ndarray and a.ndim == 1:
        known = self._known.get(("at", a.dtype, _kind(b)))
        if known is not None and _at_places(known, a, indices, b):
            return
    if self.signature is not None:
        raise TypeError(
            f"{self.__name__}.at does not support ufunc with non-trivial signature: "
            f"{self.__name__} has signature {self.signature}."
        )
    if self.nin > 2:
        raise ValueError("Only unary and binary ufuncs supported at this time")
    if self.nout != 1:
        raise ValueError("Only single output ufuncs supported at this time")
    if self.nin == 2 and b is np._NoValue:
        raise ValueError("second operand needed for ufunc")
    if self.nin == 1 and b is not np._NoValue:
        raise ValueError("second operand provided when ufunc is unary")
    others = () if b is np._NoValue else (b,)
    override = _kern.method_override(self, "at", (a, indices, *others), (), {})
    if override is not NotImplemented:
        return override
    operand = Operand(self, "at", a, None)
    if not operand.is_foreign:
        if not isinstance(a, np.ndarray):
            raise TypeError("first operand must be array")
        if not a.flags.writeable:
            raise ValueError("output array is read-only")
    if self.source is None:
        return self.ufunc.at(a, indices, *others)
    if type(a) is _ndarray and a.ndim == 1:
        known = _gufunc_at(self, a, b)
        if known is not None and _at_places(known, a, indices, b):
            return
    positions = _positions(operand, indices)
    values, second = _values(operand, others, positions.shape)
    flat = operand.array.reshape(-1)
    others = [one.reshape(-1) for one in (positions, *values)]
    if not operand.is_foreign:
        others = [
            one.copy() if np.may_share_memory(one, flat) else one for one in others
        ]
    made = _kern.resolve_at(self, operand.dtype, *(second or (None,)), 1)
    operand.wait()
    made(flat, *others)
    if _address(flat) != _address(operand.array):  # it is a copy
        operand.wait()
        operand.array[...] = flat.reshape(operand.shape)


def _kind(b):
    """What the types depend on of the second operand."""
    return b.dtype if type(b) is _ndarray else type(b)


def _gufunc_at(self, a, b):
    """The gufunc for an array of one dimension and operands of these types; None
    for what needs more care."""
    rank = 0
    if b is np._NoValue:
        second = None
    elif type(b) is _ndarray:
        second, rank = b.dtype, 1
    elif isinstance(b, (float, complex, np.generic)):
        second = np.asarray(b).dtype
    elif type(b) is int:
        second = _INT64
    else:
        return None
    made = _kern.resolve_at(self, a.dtype, second, rank)
    remember(self, ("at", a.dtype, _kind(b)), made)
    return made


def _at_places(made, a, indices, b):
    """Does it by a gufunc of _gufunc_at(); False for what needs more care. Raises
    IndexError before anything is written."""
    places = plain_indices([indices] if type(indices) is int else indices)
    if places is None:
        return False
    others = (b,)
    if b is np._NoValue:
        others = ()
    elif type(b) is _ndarray:
        if b.shape != places.shape:
            return False
    elif type(b) is int and not -(2**63) <= b < 2**63:
        return False
    wrong = _kern.find_outside(places, -len(a), len(a))
    if wrong >= 0:
        raise IndexError(
            f"index {places[wrong]} is out of bounds for axis 0 with size {len(a)}"
        )
    try:
        made(a, places, *others)
    except OverlapError:  # with what is written: that needs copies
        return False
    return True


def _address(array):
    form = _kern.foreign_form(array)
    return array.ctypes.data if form is None else form[2]


def _positions(operand, indices):
    """Where the elements of array[indices] are in the flat array."""
    if not operand.is_foreign:
        if operand.ndim == 1 and not isinstance(indices, (tuple, slice)):
            places = np.asarray(indices)
            if places.dtype.kind in "iu" and places.size:
                low, high = int(places.min()), int(places.max())
                if -len(operand.array) <= low and high < len(operand.array):
                    places = places.astype(np.int64, copy=False)
                    return places % len(operand.array) if low < 0 else places
        all_places = np.arange(math.prod(operand.shape), dtype=np.int64)
        return np.asarray(all_places.reshape(operand.shape)[indices])
    space = namespace(operand.array)
    all_places = operand.like(np.arange(math.prod(operand.shape), dtype=np.int64))

    def brought(index):
        if isinstance(index, (list, np.ndarray)):
            return operand.like(np.asarray(index))
        return index

    is_tuple = isinstance(indices, tuple)
    indices = tuple(map(brought, indices)) if is_tuple else brought(indices)
    return space.reshape(all_places, operand.shape)[indices]


def _values(operand, others, shape):
    """The second operand, broadcast to the elements, and its dtype."""
    if not others:
        return [], ()
    (value,) = others
    form = _kern.foreign_form(value)
    if form is None:
        value = np.asarray(value)
        dtype = value.dtype
        if not operand.is_foreign:
            try:
                return [np.broadcast_to(value, shape)], (dtype,)
            except ValueError:
                raise ValueError(
                    "array is not broadcastable to correct shape"
                ) from None
        value = operand.like(value)
    else:
        dtype = form[0]
    return [namespace(operand.array).broadcast_to(value, shape)], (dtype,)
