"""Calls with Dask's arrays.

Dask calls a ufunc of one result block by block by itself. It finds one of several
results by its name among NumPy's, and knows neither core dimensions with computed
extents, nor numbers that are weak, nor our keywords: these calls are made here.
"""

import functools

import dask.array as da
import numpy as np
from dask.array.chunk_types import is_valid_chunk_type

from kern import _kern
from kern._arguments import Parameters
from kern._loops import reduction_dtypes, resolve
from kern._shapes import Shapes


def ask(operand, alias, function, method, inputs, keywords):
    """The `__array_ufunc__` of a Dask array."""
    is_plain = function.signature is None and function.nout == 1
    if method == "__call__" and is_plain and keywords.keys() <= {"out", "where"}:
        return operand.__array_ufunc__(alias, method, *inputs, **keywords)
    if any(map(_holds_arrays, inputs)):
        return NotImplemented
    if method == "__call__":
        return call(function, *inputs, **keywords)
    methods = {"reduce": _reduce, "accumulate": _accumulate, "outer": _outer}
    if method not in methods:
        return NotImplemented
    return methods[method](function, *inputs, **keywords)


def _holds_arrays(value):
    """Whether it is of a library whose arrays may hold Dask's, as xarray's do."""
    return (
        hasattr(value, "__array_ufunc__")
        and not isinstance(value, (da.Array, np.ndarray, np.generic))
        and not is_valid_chunk_type(type(value))
    )


class Bound:
    """A function with keywords, and with some arguments given: what the workers
    call on blocks."""

    def __init__(self, function, keywords, given=()):
        self.function = function
        self.keywords = keywords
        self.given = tuple(given)  # (position, argument) in order
        self.__name__ = function.__name__

    def __call__(self, *blocks, **keywords):
        arguments = list(blocks)
        for position, argument in self.given:
            arguments.insert(position, argument)
        return self.function(*arguments, **self.keywords, **keywords)

    def __dask_tokenize__(self):
        from dask.base import normalize_token

        return (
            "kern",
            self.function.__dask_tokenize__(),
            normalize_token(self.keywords),
            normalize_token(self.given),
        )


def call(function, *arguments, allow_rechunk=False, **keywords):
    if not isinstance(function, _kern.Function):
        raise TypeError(f"a kern.Function is needed, not {type(function).__name__}")
    layout = {
        name: keywords.pop(name)
        for name in ("axis", "axes", "keepdims")
        if name in keywords
    }
    if not isinstance(layout.get("axis", 0), (int, np.integer)):
        raise TypeError(
            f"{function.__name__}() takes one axis on Dask's arrays, not "
            f"{layout['axis']!r}"
        )
    for_dask = {
        name: keywords.pop(name) for name in ("out", "where") if name in keywords
    }
    parameters = Parameters(function)
    named = {name: keywords.pop(name) for name in parameters.names if name in keywords}
    arguments = parameters.bound(arguments, named)
    choice = {
        name: keywords[name]
        for name in ("dtype", "casting", "signature")
        if name in keywords
    }
    found = resolve(function, tuple(map(_type_of, arguments)), **choice)
    dtypes = found[function.nin :]
    if function.signature is None and function.nout == 1:
        return da.core.elemwise(
            Bound(function, keywords), *arguments, dtype=dtypes[0], **for_dask
        )
    if for_dask:
        raise TypeError(
            f"{function.__name__}() takes no {' and no '.join(for_dask)} on Dask's "
            "arrays: they are for ufuncs of one result"
        )
    return GufuncCall(parameters, arguments, layout).make(
        dtypes, keywords, allow_rechunk
    )


def _type_of(value):
    """For resolve(): a dtype, or the type of a number."""
    if isinstance(value, bool):
        return np.dtype(bool)
    for kind in (int, float, complex):
        if type(value) is kind:
            return kind
    return value.dtype if hasattr(value, "dtype") else np.asarray(value).dtype


class GufuncCall:
    """One call by dask.array.apply_gufunc."""

    def __init__(self, parameters, arguments, layout):
        self.parameters = parameters
        self.function = parameters.function
        self.layout = layout
        self.arrays, self.given = {}, []
        for i, (one, core) in enumerate(zip(arguments, parameters.cores)):
            if parameters.dims[i] or not (core or isinstance(one, da.Array)):
                if np.ndim(one) == 0:
                    self.given.append((i, one))
                    continue
            self.arrays[i] = one if isinstance(one, da.Array) else _one_chunk(one)
        shapes = Shapes(self.function)
        info = self.function._info
        at_end = [self._core_last(i, one) for i, one in enumerate(arguments)]
        missing = shapes.missing(at_end)
        self.cores = [shapes.present(one, missing) for one in info["parameters"]]
        self.results = [shapes.present(one, missing) for one in info["results"]]
        self.extents = shapes.extents(at_end, missing)
        self.value = shapes.value

    def _axes(self, i, ndim):
        """The axes of an argument's core dimensions."""
        count = min(self.parameters.cores[i], ndim)
        axes = range(ndim - count, ndim)
        if self.layout.get("axes") is not None:
            number = sum(not is_dim for is_dim in self.parameters.dims[:i])
            axes = self.layout["axes"][number]
            axes = axes if isinstance(axes, (tuple, list)) else (axes,)
        elif self.layout.get("axis") is not None and count:
            axes = (self.layout["axis"],)
        return [axis % ndim for axis in axes]

    def _core_last(self, i, argument):
        """An argument's shape with its core dimensions at the end; a `dim`'s
        value."""
        if i not in self.arrays:
            return argument if self.parameters.dims[i] else ()
        shape = self.arrays[i].shape
        core = self._axes(i, len(shape))
        loop = [extent for axis, extent in enumerate(shape) if axis not in core]
        return (*loop, *(shape[axis] for axis in core))

    def _text(self):
        """The signature as Dask reads it, and the sizes that it cannot know."""
        sizes, names = {}, {}

        def name(part):
            if len(part) == 1 and part[0].isidentifier():
                if not any(part in core for core in self.cores):
                    sizes[part[0]] = self.value(part, self.extents)
                return part[0]
            made = names.setdefault(tuple(part), f"kern{len(names)}")
            sizes[made] = self.value(part, self.extents)
            return made

        def operand(core):
            return f"({','.join(map(name, core))})"

        inputs = ",".join(operand(self.cores[i]) for i in self.arrays)
        outputs = ",".join(map(operand, self.results))
        return f"{inputs}->{outputs}", sizes

    def _unified(self):
        """The arrays with the same chunks along loop dimensions."""
        pairs = []
        for i, array in self.arrays.items():
            core = self._axes(i, array.ndim)
            loop = [axis for axis in range(array.ndim) if axis not in core]
            # Loop dimensions are counted from the right; core ones are left alone.
            index = {axis: len(loop) - number for number, axis in enumerate(loop)}
            pairs += [array, [index.get(a, ("core", i, a)) for a in range(array.ndim)]]
        return da.core.unify_chunks(*pairs)[1]

    def make(self, dtypes, keywords, allow_rechunk):
        signature, sizes = self._text()
        layout = dict(self.layout)
        if layout.get("axes") is not None:
            layout["axes"] = self._axes_of_arrays(layout["axes"])
        if not self.arrays:
            raise TypeError(f"{self.function.__name__}() was given no array")
        return da.apply_gufunc(
            Bound(self.function, keywords, self.given),
            signature,
            *self._unified(),
            output_dtypes=dtypes[0] if len(dtypes) == 1 else dtypes,
            output_sizes=sizes,
            allow_rechunk=allow_rechunk,
            **layout,
        )

    def _axes_of_arrays(self, axes):
        """`axes` without the entries of arguments that no array stands for."""
        operands = [i for i, is_dim in enumerate(self.parameters.dims) if not is_dim]
        inputs = [one for i, one in zip(operands, axes) if i in self.arrays]
        return [*inputs, *axes[len(operands) :]]


def _one_chunk(value):
    return da.from_array(np.asarray(value), chunks=-1)


# Methods.


class Reduction:
    """What the workers do with a block, and with what blocks gave."""

    def __init__(self, function, method):
        self.function = function
        self.method = method
        self.__name__ = f"{function.__name__}_{method}"

    def __call__(self, block, axis=None, **keywords):
        return getattr(self.function, self.method)(block, axis=axis, **keywords)

    def __dask_tokenize__(self):
        return self.method, self.function.__dask_tokenize__()


def _associative(function, method, refused):
    refused = [name for name, value in refused.items() if value is not None]
    if refused:
        raise TypeError(
            f"{function.__name__}.{method} takes no {refused[0]} on Dask's arrays"
        )
    if function.identity is None:
        raise TypeError(
            f"{function.__name__}.{method} on Dask's arrays joins what the blocks "
            "give: the function needs @associative(identity=…)"
        )


def _reduce(function, array, axis=0, dtype=None, keepdims=False, out=None, **refused):
    _associative(function, "reduce", {"out": out, **refused})
    found, _ = reduction_dtypes(function, array.dtype, None, _dtype(dtype))
    part = Reduction(function, "reduce")
    first = functools.partial(part, dtype=dtype) if dtype is not None else part
    return da.reduction(
        array, first, part, axis=axis, keepdims=keepdims, dtype=found
    )


def _accumulate(function, array, axis=0, dtype=None, out=None):
    _associative(function, "accumulate", {"out": out})
    found, _ = reduction_dtypes(function, array.dtype, None, _dtype(dtype), 1)
    return da.reductions.cumreduction(
        Reduction(function, "accumulate"),
        function,
        found.type(function.identity),
        array,
        axis=axis,
        dtype=found,
    )


def _dtype(dtype):
    return dtype if dtype is None else np.dtype(dtype)


def _outer(function, first, second, **keywords):
    first, second = (
        one if isinstance(one, da.Array) else _one_chunk(one) for one in (first, second)
    )
    return call(function, first[(..., *(None,) * second.ndim)], second, **keywords)
