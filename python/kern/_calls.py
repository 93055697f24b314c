"""Numba's types of calls: of Python's functions, of `math` and of NumPy."""

import ast
import math

from kern._creation import creates_array, given_to
from kern._expressions import (
    BOOL,
    COMPLEX128,
    CONJUGATES,
    FLOAT32,
    FLOAT64,
    INT64,
    OF_INTEGERS,
    SHAPE,
    TESTS,
    TO_INTEGER,
    UINT64,
    WEAK,
    ArrayType,
    Scalar,
    is_integral,
    of_call,
    unified,
)
from kern._signatures import is_of_numpy, scalar_type

_REDUCTIONS = ("sum", "prod", "min", "max", "amin", "amax", "mean")


def type_of_call(inference, node, callee, env):
    """The type of a call of `callee`, None if it is not known. What must be
    converted for Kern to agree is noted in the inference's edits."""
    if (callee is min or callee is max) and len(node.args) > 1:
        return inference.choice(node.args, env)
    for one in node.args:
        inference.expression(one, env)
    for one in node.keywords:
        inference.expression(one.value, env)
    types = [inference.types.get(one) for one in node.args]
    if callee is None:
        return _method(inference, node, env)
    to = scalar_type(callee) if not isinstance(callee, (int, float, complex)) else None
    if to is not None:
        return to
    try:
        known = _CALLS.get(callee)
    except TypeError:  # not hashable
        return None
    if known is not None:
        return known(inference, node, types)
    module = getattr(callee, "__module__", None) or ""
    if module == "math":
        return _of_math(inference, node, callee, types)
    import numpy

    if isinstance(callee, numpy.ufunc):
        return _of_ufunc(inference, node, callee, types)
    if is_of_numpy(callee):
        return _of_numpy(inference, node, callee, types, env)
    return inference.call_helper(node, callee, types)


def _method(inference, node, env):
    """`x.sum()` of an array, `z.conjugate()` of a number or an array."""
    if isinstance(node.func, ast.Attribute):
        of = inference.expression(node.func.value, env)
        if node.func.attr in CONJUGATES:
            return of
        if isinstance(of, ArrayType):
            return _reduced(node.func.attr, of.element)
    return None


def _reduced(name, element):
    if name in ("argmin", "argmax"):
        return INT64
    if name in ("any", "all"):
        return BOOL
    if name not in _REDUCTIONS or not isinstance(element, Scalar):
        return None
    if not is_integral(element) or name in ("min", "max", "amin", "amax"):
        return element
    if name == "mean":
        return FLOAT64
    return UINT64 if element.kind == "u" else INT64


def _element(of):
    return of.element if isinstance(of, ArrayType) else of


def _reduction(name):
    def call(inference, node, types):
        return _reduced(name, _element(types[0])) if types else None

    return call


def _absolute(inference, node, types):
    of = types[0] if types else None
    if isinstance(of, Scalar) and of.kind == "c":
        return FLOAT32 if of.bits == 64 else FLOAT64
    return of


def _int(inference, node, types):
    of = types[0] if types else None
    if of_call(of):
        inference.edits.replace(inference.python.span(node.func), "")
        return of
    if isinstance(of, Scalar) and of.is_integer and of not in (WEAK, INT64):
        inference.edits.replace(inference.python.span(node.func), of.kern)
        return of
    return WEAK if of is WEAK else INT64


def _constant(of):
    return lambda inference, node, types: of


def _power(inference, node, types):
    if len(types) != 2:
        return None
    return inference.operation(
        ast.Pow(), node.args[0], types[0], node.args[1], types[1]
    )


def _divmod(inference, node, types):
    if len(types) != 2:
        return None
    of = inference.operation(
        ast.FloorDiv(), node.args[0], types[0], node.args[1], types[1]
    )
    return (of, of)


def _rounded(inference, node, types):
    return INT64 if len(types) == 1 else None


_CALLS = {
    abs: _absolute,
    int: _int,
    float: _constant(FLOAT64),
    bool: _constant(BOOL),
    complex: _constant(COMPLEX128),
    len: _constant(INT64),
    pow: _power,
    divmod: _divmod,
    round: _rounded,
    sum: _reduction("sum"),
    min: _reduction("min"),
    max: _reduction("max"),
    any: _constant(BOOL),
    all: _constant(BOOL),
}


def _of_math(inference, node, callee, types):
    if callee in TO_INTEGER:
        of = types[0] if types else None
        return UINT64 if isinstance(of, Scalar) and of.kind == "u" else INT64
    if callee in OF_INTEGERS:
        if not all(map(is_integral, types)):
            return unified(types)
        to = UINT64 if all(of.kind == "u" for of in types) else INT64
        for one, of in zip(node.args, types):
            inference.cast(one, of, to)
        return to
    if callee in TESTS:
        return BOOL
    if callee is math.frexp:
        return (FLOAT64, INT64)
    for one, of in zip(node.args, types):
        if is_integral(of):
            inference.cast(one, of, FLOAT64)
    narrow = types and all(of == FLOAT32 or of is WEAK for of in types)
    return FLOAT32 if narrow else FLOAT64


def _of_ufunc(inference, node, callee, types):
    import numpy

    if callee.nout != 1 or len(types) != callee.nin:
        return None
    if any(not isinstance(of, Scalar) for of in types):
        return None
    dtypes = [(INT64 if of is WEAK else of).dtype for of in types]
    try:
        resolved = callee.resolve_dtypes((*dtypes, None))
    except TypeError:
        return None
    of = scalar_type(resolved[-1])
    if of == FLOAT64:
        for one, given in zip(node.args, types):
            if of_call(given):
                inference.wrap(one, "kern_real(")
    if resolved[0] == numpy.float16 and any(map(is_integral, types)):
        # Numba has no f16: its loop is the next one.
        resolved, of = [numpy.dtype("f4")] * len(resolved), FLOAT32
    if WEAK in types or of == FLOAT32:
        for one, dtype, given in zip(node.args, resolved, types):
            if is_integral(given):
                inference.cast(one, given, scalar_type(dtype))
    return of


def _of_numpy(inference, node, callee, types, env):
    name = callee.__name__
    if creates_array(callee):
        return _array(inference, given_to(node, callee))
    if name == "where" and len(types) == 3:
        return unified(types[1:])
    return _reduced(name, _element(types[0])) if types else None


def _array(inference, given):
    """A new array: its element type is given, or that of the value which fills it."""
    shape, value, dtype = (given.get(one) for one in ("shape", "fill_value", "dtype"))
    if dtype is not None:
        element = inference.dtype(dtype)
    else:
        element = FLOAT64 if value is None else inference.types[value]
        element = INT64 if element is WEAK else element
    if not isinstance(element, Scalar) or shape is None:
        return None
    ndim = len(shape.elts) if isinstance(shape, ast.Tuple) else 1
    if inference.types.get(shape) is SHAPE:
        ndim = getattr(inference.types.get(shape.value), "ndim", 1)
    return ArrayType(element, ndim)
