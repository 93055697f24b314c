"""Calls of Kern's functions by XLA: what JAX's programs hold of them."""

import atexit
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import dtypes

from kern import _kern
from kern._arguments import Parameters
from kern._loops import resolve

_TARGET = "kern"


@functools.cache
def _register():
    for platform, handler in _kern.xla_handlers().items():
        jax.ffi.register_ffi_target(_TARGET, handler, platform=platform)
    atexit.register(_kern.forget_for_xla)


class XlaCall:
    """Calls of one function by XLA. Takes the values of the `dim`s and arrays,
    and returns a tuple of arrays."""

    def __init__(self, function):
        _register()
        self.function = function
        self.parameters = parameters = Parameters(function)
        self.name = f"{function.module.hash}:{function.__name__}"
        bits = sum(1 << i for i, is_dim in enumerate(parameters.dims) if is_dim)
        _kern.name_for_xla(self.name, function, bits)

    def sorted(self, arguments):
        """The values of the `dim`s, and the arrays, of a call's arguments."""
        sizes = [
            self._size(name, one)
            for name, one, is_dim in zip(
                self.parameters.names, arguments, self.parameters.dims
            )
            if is_dim
        ]
        return tuple(sizes), list(map(_array, self.parameters.arrays(arguments)))

    def taken(self, arrays):
        """The arrays with the loop's types. A weak array beside others is
        converted, as a number is."""
        arrays = list(arrays)
        weak = [one.aval.weak_type for one in arrays]
        if any(weak):
            for i, dtype in enumerate(self._types_taken(arrays, weak)):
                if weak[i]:
                    dtype = dtypes.canonicalize_dtype(dtype)
                    arrays[i] = jax.lax.convert_element_type(arrays[i], dtype)
        return arrays

    def _size(self, name, value):
        if isinstance(value, jax.core.Tracer):
            raise TypeError(
                f"`{name}` of `{self.function.__name__}` is a size, which JAX must "
                "know when it traces; under jax.jit name it in static_argnames"
            )
        return value.__index__()

    def _types_taken(self, arrays, weak):
        """Types for weak arrays that do not make the results wider."""
        cores = self.parameters.arrays(self.parameters.cores)
        # A number has no core dimensions; where some are wanted, its type counts.
        kinds = [
            _kind(one.dtype) if is_weak and not core else np.dtype(one.dtype)
            for one, is_weak, core in zip(arrays, weak, cores)
        ]
        taken, results = self._resolved(kinds)
        if self._resolved(taken)[1] == results:
            return taken
        # Of a generic function, which takes a number as it is: beside float16 a 2
        # is an int64, whose results are float16 because it is weak.
        typed = [one for one in kinds if isinstance(one, np.dtype)]
        return [
            one if isinstance(one, np.dtype) else _beside(typed, one) for one in kinds
        ]

    def _resolved(self, kinds):
        sizes = [int] * sum(self.parameters.dims)
        found = resolve(self.function, tuple(self.parameters.together(kinds, sizes)))
        nin = self.function.nin
        return self.parameters.arrays(found[:nin]), found[nin:]

    def __call__(self, sizes, *arrays):
        forms = [(np.dtype(one.dtype), one.shape) for one in arrays]
        _, results = _kern.resolve(
            self.function, tuple(self.parameters.together(forms, sizes)), ()
        )
        shapes = [
            jax.ShapeDtypeStruct(shape, dtypes.canonicalize_dtype(dtype))
            for dtype, shape in results
        ]
        attributes = {"function": self.name}
        if sizes:
            attributes["dims"] = np.array(sizes, np.int64)
        # A dimension that vmap adds comes first: all arrays need as many loop
        # dimensions for that. Optional core dimensions would take it for theirs.
        optional = self.parameters.has_optional
        method = "sequential" if optional else "expand_dims"
        if not optional:
            arrays = self._with_equal_loops(arrays)
        return tuple(
            jax.ffi.ffi_call(_TARGET, shapes, vmap_method=method)(
                *arrays, **attributes
            )
        )

    def _with_equal_loops(self, arrays):
        cores = self.parameters.arrays(self.parameters.cores)
        loops = [one.ndim - core for one, core in zip(arrays, cores)]
        most = max(loops, default=0)
        return [
            jax.lax.expand_dims(one, range(most - loop))
            for one, loop in zip(arrays, loops)
        ]


def _array(value):
    """What jax.jit takes."""
    if isinstance(value, (jax.Array, np.ndarray, np.generic, int, float, complex)):
        return value
    if isinstance(value, list):
        return jnp.asarray(value)
    if hasattr(value, "__jax_array__"):
        return value.__jax_array__()
    raise TypeError(f"a JAX array or a number is needed, not {type(value).__name__}")


def _kind(dtype):
    """The type of Python's number that a weak array stands for."""
    if dtype == bool:
        return np.dtype(bool)
    if np.issubdtype(dtype, np.complexfloating):
        return complex
    return int if np.issubdtype(dtype, np.integer) else float


def _beside(typed, kind):
    """The type that a number gets beside typed arrays."""
    if any(one.isbuiltin != 1 for one in typed):  # bfloat16, not NumPy's own
        return jnp.result_type(*typed, kind(1))
    return np.result_type(*typed, kind(1))
