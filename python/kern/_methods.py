"""`reduce` and `accumulate` of a function; `reduceat` is in kern._reduceat.

They run compiled, as gufuncs that the library makes of the function's own source
(kern/methods.h). A function of a compiled file has none: its methods are those of
its numpy.ufunc, on the host.
"""

import functools
import math
import operator

import numpy as np
from numpy.exceptions import AxisError

from kern import _kern
from kern._errors import ShapeError
from kern._function import _method, _Scope
from kern._known import (
    as_initial,
    is_dtype,
    is_safe,
    key_of_reduce,
    known_reduce,
    known_reduce_with,
    remember,
)
from kern._operand import Operand

_NO_VALUE = np._NoValue
_ndarray = np.ndarray

# kern_method and kern_start.
REDUCE, ACCUMULATE, REDUCEAT = range(3)
DEFAULT, FIRST, GIVEN = range(3)


def _check_binary(self, method):
    if self.signature is not None:
        raise RuntimeError("Reduction not defined on ufunc with signature")
    if self.nin != 2:
        raise ValueError(f"{method} only supported for binary functions")
    if self.nout != 1:
        raise ValueError(
            f"{method} only supported for functions returning a single value"
        )


def _out_of(out):
    """The array in `out`, which may be a tuple of one."""
    if not isinstance(out, tuple):
        return out
    if any(one is ... for one in out):
        raise TypeError("must use `...` as `out=...` and not per-operand/in a tuple")
    if len(out) != 1:
        raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
    return out[0]


def _override(self, method, inputs, out=None, **keywords):
    """The result of another library's `__array_ufunc__`; NotImplemented if none of
    the operands has one. `keywords` are values and their defaults."""
    given = {name: one for name, (one, other) in keywords.items() if one is not other}
    outputs = () if out is None or out is ... else (out,)
    if out is not None:
        given["out"] = outputs or out
    return _kern.method_override(self, method, inputs, outputs, given)


def _axis_index(axis, ndim):
    if isinstance(axis, bool):
        raise TypeError("an integer is required for the axis")
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise AxisError(axis, ndim)
    return axis % ndim


def _axes(axis, ndim):
    """A tuple of axes, counted from the front, in their order."""
    if axis is None:
        return tuple(range(ndim))
    if isinstance(axis, tuple):
        axes = tuple(_axis_index(one, ndim) for one in axis)
        if len(set(axes)) != len(axes):
            raise ValueError("duplicate value in 'axis'")
        return tuple(sorted(axes))
    if ndim == 0 and not isinstance(axis, bool) and operator.index(axis) in (0, -1):
        return ()
    return (_axis_index(axis, ndim),)


def _one_axis(axis, operand, method):
    axes = _axes(axis, operand.ndim)
    if operand.ndim == 0:
        raise TypeError(f"cannot {method} on a scalar")
    if len(axes) != 1:
        raise ValueError(f"{method} does not allow multiple axes")
    return axes[0]


@_method
def reduce(
    self,
    array,
    axis=0,
    dtype=None,
    out=None,
    keepdims=False,
    initial=_NO_VALUE,
    where=True,
    *,
    device=None,
    stream=None,
    threads=None,
):
    """Combines an array's elements along axes, in order: f(f(a[0], a[1]), a[2]).

    axis: an axis; a tuple of axes or None, which is all, only of a function that
        is `@associative`, whose elements are taken in C order.
    dtype: of the accumulator; by default the function's result for two
        elements. (NumPy widens narrow integers for its own `add` and `multiply`;
        no other function is.)
    initial: what to begin with; None begins with the first element. By default
        the identity, where the function has one.
    where: an array of bool that broadcasts to `array`: what to combine. It needs
        an identity or `initial`.
    out: an array of the result's shape, or a tuple of it.
    keepdims: whether the reduced axes stay, with extent 1.
    device, stream, threads: as those of a call.

    Returns a new array of the operand's library without the axes, a scalar if none
    are left; or `out`. Raises ValueError for an empty reduction without identity, for
    several axes of a function that is not associative and for functions of other than
    two parameters and one result; TypeError where the result is not what the next
    call takes; AxisError. Threads: as for a call.

    >>> import kern
    >>> f = kern.compile("ufunc hypot2(x, y): return sqrt(x * x + y * y)").hypot2
    >>> f.reduce([2.0, 3.0, 6.0])
    np.float64(7.0)
    """
    if not (device is stream is threads is None):
        with _Scope(device, stream, threads):
            return reduce(self, array, axis, dtype, out, keepdims, initial, where)
    key = None
    is_bare = dtype is None and where is True and initial is _NO_VALUE
    if type(array) is list:
        array = np.asarray(array)
    if type(out) is tuple and len(out) == 1 and type(out[0]) is _ndarray:
        (out,) = out
    if type(array) is not _ndarray or _kern.scope_is_elsewhere():
        pass
    elif not is_bare or type(axis) is tuple:
        key = key_of_reduce(array, axis, dtype, out, keepdims, initial, where)
        known = None if key is None else self._known.get(key)
        if known is not None:
            return known(array, initial, where, out)
    elif type(axis) is int or axis is None:
        if out is None and type(keepdims) is bool:
            key = ("reduce", array.dtype, array.shape, array.strides, axis, keepdims)
            known = self._known.get(key)
            if known is not None:
                return known(array)
        elif type(out) is _ndarray and keepdims is False:
            key = ("reduce", array.dtype, array.shape, array.strides, axis)
            key += (out.dtype, out.shape)
            known = self._known.get(key)
            if known is not None:
                known(array, out=out)
                return out
    _check_binary(self, "reduce")
    out = _out_of(out)
    override = _override(
        self,
        "reduce",
        (array,),
        out,
        axis=(axis, 0),
        dtype=(dtype, None),
        keepdims=(keepdims, False),
        initial=(initial, _NO_VALUE),
        where=(where, True),
    )
    if override is not NotImplemented:
        return override
    operand = Operand(self, "reduce", array, out)
    if self.source is None:
        return self.ufunc.reduce(array, axis, dtype, out, keepdims, initial, where)
    axes = _axes(axis, operand.ndim)
    place, kept = _place_for(self, operand, axes, keepdims)
    masked, given = where is not True, initial
    if initial is _NO_VALUE and (masked or 0 in (operand.shape[i] for i in axes)):
        initial = _identity_beside(self)
    start = DEFAULT if initial is _NO_VALUE else FIRST if initial is None else GIVEN
    found = resolved(self, REDUCE, operand, axes, dtype, start, masked)
    made, types, where_to, adds_axis = found
    arguments = [operand.array]
    if masked:
        arguments.append(operand.mask(where))
    if adds_axis:
        arguments = [one[..., None] for one in arguments]
    if start == GIVEN:
        if not (hasattr(initial, "shape") and _kern.foreign_form(initial)):
            initial = as_initial(initial, types[0])
        arguments.insert(0, initial)
    if masked:
        operand.wait()
    where_to = _placed(where_to, start == GIVEN, len(arguments))
    if key is not None and not adds_axis:
        shape = kept[0] if keepdims else None
        is_plain = is_safe(operand.dtype, types[1]) and (
            place is None or place.dtype == types[0]
        )
        if not is_bare or type(axis) is tuple:
            start_with = initial if given is _NO_VALUE and start == GIVEN else None
            known = known_reduce_with(
                made, where_to, operand.ndim, shape, types[0], is_plain, start == GIVEN,
                masked, start_with,
            )  # fmt: skip
            remember(self, key, known)
        elif is_plain:
            remember(self, key, known_reduce(made, where_to, operand.ndim, shape))
    result = made(*arguments, **where_to, dtype=types[0], casting="unsafe", out=place)
    if operand.out is None and keepdims:
        result = result.reshape(kept[0])
    return operand.wrapped(result)


def resolved(self, method, operand, axes, dtype, start=DEFAULT, masked=False):
    """How the library calls a method: the gufunc, the dtypes of its result and of
    elements, (the array's axes, the result's or None), and whether the array needs
    another axis."""
    shape, one = operand.shape, axes
    is_elsewhere = operand.is_foreign or _kern.scope_is_elsewhere()
    strides = None if is_elsewhere else operand.array.strides
    merges = len(axes) > 1 and "_reordering" in self.__dict__
    if merges:  # as one axis: the source does not say that they may be several
        kept = [n for i, n in enumerate(shape) if i not in axes]
        shape = (*kept, math.prod(shape[i] for i in axes))
        strides, one = None, (len(kept),)
    made, value, element, adds_axis, places, result = _kern.resolve_reduction(
        self,
        method,
        operand.dtype,
        shape,
        strides,
        start,
        operand.form_of_out()[0],
        one,
        _dtype(dtype),
        masked,
    )
    if merges:
        places = axes
    return made, (value, element), (places, result), adds_axis


def _identity_beside(self):
    """The identity of a Python function whose source does not say it."""
    given = self.__dict__.get("_reordering")
    return _NO_VALUE if given is None or given == "reorderable" else given


def _placed(where_to, is_begun, count):
    """The keywords for axes of a call with `count` arguments. If the reduction has an
    initial value, the first argument is that number."""
    places, result = where_to
    if result is None:
        return {"axis": places}
    return {"axes": [()] * is_begun + [places] * (count - is_begun) + [result]}


def _dtype(dtype):
    if dtype is None:
        return None
    dtype = np.dtype(dtype)
    if not dtype.isnative:
        raise TypeError(f"`dtype` names a type, not a byte order: '{dtype.str}'")
    return dtype


def _place_for(self, operand, axes, keepdims):
    """The array in `out` without the axes that stay, and the shapes of the
    result with them and without."""
    full = tuple(1 if i in axes else n for i, n in enumerate(operand.shape))
    short = tuple(n for i, n in enumerate(operand.shape) if i not in axes)
    if operand.out is None:
        return None, (full, short)
    shape = operand.form_of_out()[1]
    wanted = full if keepdims else short
    if len(shape) != len(wanted):
        kept = " (must match the operand's when keepdims=True)" if keepdims else ""
        raise ValueError(
            f"output parameter for reduction operation {self.__name__} has the wrong "
            f"number of dimensions: Found {len(shape)} but expected {len(wanted)}"
            + kept
        )
    out = _plain_out(self, operand, wanted)
    if keepdims:
        index = (0 if i in axes else slice(None) for i in range(operand.ndim))
        out = out[(*index, ...)]
    return out, (full, short)


def _plain_out(self, operand, wanted):
    """The array in `out`, which has to have the result's shape: unlike calls,
    methods do not broadcast to it."""
    shape = operand.form_of_out()[1]
    if shape is not None and tuple(shape) != wanted:
        raise ShapeError(
            f"{self.__name__}: the array in `out` has shape {tuple(shape)}, but the "
            f"result has {wanted}"
        )
    return operand.plain_out()


@_method
def accumulate(
    self,
    array,
    axis=0,
    dtype=None,
    out=None,
    *,
    device=None,
    stream=None,
    threads=None,
):
    """The results of `reduce` over the first 1, 2, … elements along an axis.

    dtype: of the elements and results. The other arguments, and what it raises, as
        for `reduce`.

    Returns an array of the operand's shape, or `out`.

    >>> import kern
    >>> f = kern.compile("ufunc sub(x, y): return x - y").sub
    >>> f.accumulate([9, 1, 2])
    array([9, 8, 6])
    """
    if not (device is stream is threads is None):
        with _Scope(device, stream, threads):
            return accumulate(self, array, axis, dtype, out)
    key = None
    if type(array) is list:
        array = np.asarray(array)
    if (
        type(array) is _ndarray
        and type(axis) is int
        and is_dtype(dtype)
        and not _kern.scope_is_elsewhere()
    ):
        place = None
        if type(out) is _ndarray:
            place = out.dtype, out.shape
        if (out is None) is (place is None):
            key = ("accumulate", array.dtype, array.shape, array.strides, axis)
            key += (dtype, place)
            known = self._known.get(key)
            if known is not None:
                if out is None:
                    return known(array)
                known(array, out=out)
                return out
    _check_binary(self, "accumulate")
    out = _out_of(out)
    override = _override(
        self, "accumulate", (array,), out, axis=(axis, 0), dtype=(dtype, None)
    )
    if override is not NotImplemented:
        return override
    operand = Operand(self, "accumulate", array, out)
    if self.source is None:
        return self.ufunc.accumulate(array, axis, dtype, out)
    axis = _one_axis(axis, operand, "accumulate")
    made, types, where_to, _ = resolved(self, ACCUMULATE, operand, (axis,), dtype)
    places = where_to[0]
    place = _plain_out(self, operand, operand.shape)
    if key is not None:
        is_last = places == tuple(range(operand.ndim))[-len(places) :]
        axes = {} if is_last else {"axes": [places, places]}
        if not is_safe(operand.dtype, types[1]) or (
            place is not None and place.dtype != types[0]
        ):
            axes.update(dtype=types[0], casting="unsafe")
        remember(self, key, functools.partial(made, **axes) if axes else made)
    result = made(
        operand.array,
        axes=[places, places],
        dtype=types[0],
        casting="unsafe",
        out=place,
    )
    return operand.wrapped(result)
