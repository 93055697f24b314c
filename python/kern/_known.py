"""What the methods keep of calls on NumPy's arrays, so that the next one that is like an
earlier one finds nothing out again."""

import functools

import numpy as np

_NO_VALUE = np._NoValue
_NUMBERS = (bool, int, float, complex, np.generic)


def remember(function, key, value):
    """Keeps what a method found out about operands of one layout."""
    if len(function._known) >= 64:
        function._known.clear()
    function._known[key] = value


def is_dtype(dtype):
    """Whether it is a `dtype=` that can be a part of a key."""
    return dtype is None or isinstance(dtype, (str, type, np.dtype))


@functools.lru_cache(256)
def is_safe(given, wanted):
    """Whether a call converts arrays without being told to."""
    return np.can_cast(given, wanted, "safe")


def as_initial(initial, dtype):
    """What a reduction begins with, of its type."""
    if type(initial) is complex and dtype.kind != "c":
        raise TypeError(f"`initial`, {initial!r}, is not a number of {dtype}")
    return np.array(initial).astype(dtype)[()]


def key_of_reduce(array, axis, dtype, out, keepdims, initial, where):
    """What a `reduce` with keywords has in common with those that are done in the same
    way; None for what needs more care."""
    if type(axis) is tuple:
        if any(type(one) is not int for one in axis):
            return None
    elif type(axis) is not int and axis is not None:
        return None
    if type(keepdims) is not bool or not is_dtype(dtype):
        return None
    place = None
    if out is not None:
        if type(out) is not np.ndarray or keepdims:
            return None
        place = out.dtype, out.shape
    masked = where is not True
    if masked and (
        type(where) is not np.ndarray
        or where.dtype != np.bool_
        or where.shape != array.shape
    ):
        return None
    begins = initial is not _NO_VALUE and initial is not None
    if begins and not isinstance(initial, _NUMBERS):
        return None
    start = begins or initial is None and "first"
    key = ("reduce", array.dtype, array.shape, array.strides, axis, dtype, keepdims)
    return (*key, place, start, masked)


def known_reduce(made, where_to, ndim, shape):
    """What reduces an array of a known layout: without keywords where the axes
    are the last ones, since such calls are the fastest."""
    if where_to.get("axis") != (ndim - 1,) and where_to.get("axes", [])[-2:] != [
        (ndim - 2, ndim - 1),
        (ndim - 2,),
    ]:
        made = functools.partial(made, **where_to)
    return made if shape is None else lambda array: made(array).reshape(shape)


def known_reduce_with(
    made, where_to, ndim, shape, dtype, is_plain, begins, masked, start_with
):
    """The same for calls with keywords: a function of the array, `initial`, `where` and
    `out`. `start_with` stands in for an `initial` that is not given."""
    if not is_plain:
        where_to = {**where_to, "dtype": dtype, "casting": "unsafe"}
    call = known_reduce(made, where_to, ndim, None)
    if not is_plain and call is made:
        call = functools.partial(made, dtype=dtype, casting="unsafe")
    number = dtype.type if dtype.kind in "fc" else None

    def known(array, initial, where, out):
        arguments = [array, where] if masked else [array]
        if begins:
            if start_with is not None:
                initial = start_with
            elif number is not None and type(initial) in (int, float):
                initial = number(initial)
            else:
                initial = as_initial(initial, dtype)
            arguments.insert(0, initial)
        if out is not None:
            call(*arguments, out=out)
            return out
        result = call(*arguments)
        return result if shape is None else result.reshape(shape)

    return known
