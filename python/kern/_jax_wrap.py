"""What kern.jax.wrap gives: a function that XLA calls, and its derivatives."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import dtypes

from kern import _kern
from kern._arguments import check_counts, only_one
from kern._jax_call import XlaCall

def wrap(function, *, partials=None, vjp=None, jvp=None):
    if not isinstance(function, _kern.Function):
        raise TypeError(
            f"kern.jax.wrap takes a kern.Function, not {type(function).__name__}"
        )
    kind, gradient = only_one(partials=partials, vjp=vjp, jvp=jvp)
    call = XlaCall(function)
    if kind is not None:
        gradient = _gradient_function(call, kind, gradient)
    make = {None: _refusing, "partials": _with_partials, "vjp": _with_vjp,
            "jvp": _with_jvp}[kind]  # fmt: skip

    @functools.cache
    def program(sizes):
        differentiable = make(call, gradient, functools.partial(call, sizes))

        def run(*arrays):
            return differentiable(*call.taken(arrays))

        return jax.jit(run, inline=True)

    def wrapped(*arguments, **named):
        sizes, arrays = call.sorted(call.parameters.bound(arguments, named))
        results = program(sizes)(*arrays)
        return results[0] if function.nout == 1 else results

    wrapped.__name__ = wrapped.__qualname__ = function.__name__
    wrapped.__doc__ = function.__doc__
    wrapped.__signature__ = call.parameters.signature
    wrapped.function = function
    return wrapped


def _gradient_function(call, kind, given):
    """The gradient function as one that gives a tuple."""
    function = call.function
    arrays = len(call.parameters.arrays(call.parameters.names))
    if isinstance(given, _kern.Function):
        counts = {
            "partials": (function.nin, function.nout * arrays),
            "vjp": (function.nin + function.nout, arrays),
            "jvp": (function.nin + arrays, function.nout),
        }
        check_counts(function, given, *counts[kind], kind)
        given = wrap(given)
    if not callable(given):
        raise TypeError(f"{kind} must be a function, not {type(given).__name__}")
    if kind == "partials" and function.signature is not None:
        raise TypeError(
            f"`{function.__name__}` is a gufunc, and partials are those of a ufunc; "
            "give vjp or jvp"
        )

    def as_tuple(*arguments):
        got = given(*arguments)
        return tuple(got) if isinstance(got, (tuple, list)) else (got,)

    return as_tuple


# Derivatives. Each makes, of a function that gives a tuple, one that JAX can
# differentiate.


def _is_inexact(array):
    return jnp.issubdtype(array.dtype, jnp.inexact)


def _no_tangent(result):
    return np.zeros(result.shape, dtypes.float0)


def _tangent(result, value):
    """A tangent as JAX wants it for a result."""
    if not _is_inexact(result):
        return _no_tangent(result)
    return jnp.broadcast_to(value, result.shape).astype(result.dtype)


def _refusing(call, gradient, primal):
    function = jax.custom_jvp(primal)

    @function.defjvp
    def rule(primals, tangents):
        results = function(*primals)
        if not any(map(_is_inexact, results)):
            return results, tuple(map(_no_tangent, results))
        name = call.function.__name__
        raise TypeError(
            f"`{name}` has no derivative here: give kern.jax.wrap its partials, vjp "
            "or jvp, or its arguments through jax.lax.stop_gradient"
        )

    return function


def _with_partials(call, partials, primal):
    function = jax.custom_jvp(primal)
    sizes = primal.args[0]

    def rule(primals, tangents):
        results = function(*primals)
        parts = partials(*call.parameters.together(primals, sizes))
        if len(parts) != len(results) * len(primals):
            raise TypeError(
                f"partials of `{call.function.__name__}` gave {len(parts)} results "
                f"for {len(results)} of {len(primals)} parameters"
            )
        moved = [
            (i, tangent)
            for i, (one, tangent) in enumerate(zip(primals, tangents))
            if _is_inexact(one) and type(tangent) is not _ZERO
        ]
        sums = (
            sum(parts[number * len(primals) + i] * tangent for i, tangent in moved)
            for number in range(len(results))
        )
        return results, tuple(map(_tangent, results, sums))

    function.defjvp(rule, symbolic_zeros=True)
    return function


_ZERO = jax.custom_derivatives.SymbolicZero


def _with_jvp(call, jvp, primal):
    function = jax.custom_jvp(primal)
    sizes = primal.args[0]

    @function.defjvp
    def rule(primals, tangents):
        results = function(*primals)
        # Integers do not move.
        given = [
            tangent if _is_inexact(one) else jnp.zeros(one.shape)
            for one, tangent in zip(primals, tangents)
        ]
        got = jvp(*call.parameters.together(primals, sizes), *given)
        if len(got) != len(results):
            raise TypeError(
                f"jvp of `{call.function.__name__}` gave {len(got)} tangents for "
                f"{len(results)} results"
            )
        return results, tuple(map(_tangent, results, got))

    return function


def _with_vjp(call, vjp, primal):
    function = jax.custom_vjp(primal)
    sizes = primal.args[0]

    def forward(*arrays):
        return primal(*arrays), arrays

    def backward(arrays, cotangents):
        # Those of integers are none.
        given = [
            jnp.zeros(one.shape) if one.dtype == dtypes.float0 else one
            for one in cotangents
        ]
        got = vjp(*call.parameters.together(arrays, sizes), *given)
        if len(got) != len(arrays):
            raise TypeError(
                f"vjp of `{call.function.__name__}` gave {len(got)} cotangents for "
                f"{len(arrays)} parameters"
            )
        return tuple(map(_cotangent, arrays, got))

    function.defvjp(forward, backward)
    return function


def _cotangent(array, value):
    """A cotangent as JAX wants it for an argument: summed over what broadcast."""
    if not _is_inexact(array):
        return _no_tangent(array)
    value = jnp.asarray(value)
    extra = value.ndim - array.ndim
    if extra > 0:
        value = value.sum(tuple(range(extra)))
    axes = tuple(
        i
        for i, extent in enumerate(array.shape)
        if extent == 1 and value.shape[i] != 1
    )
    value = value.sum(axes, keepdims=True) if axes else value
    return jnp.broadcast_to(value, array.shape).astype(array.dtype)


@functools.lru_cache(maxsize=256)
def _plain(function):
    return wrap(function)


def ask(operand, alias, function, method, inputs, keywords):
    """A call with a tracer among its arguments: as wrap() makes it, without a
    derivative."""
    if method != "__call__":
        return NotImplemented
    if keywords:
        raise TypeError(
            f"{function.__name__}() under JAX's tracing takes no keywords but its "
            f"parameters' names, not {', '.join(map(repr, keywords))}"
        )
    return _plain(function)(*inputs)
