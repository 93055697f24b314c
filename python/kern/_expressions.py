"""Numba's types of expressions, and the conversions that make Kern agree.

Inference, the class built on this one, says what the rules are.
"""

import ast
import math

import numpy

from kern._places import Edits
from kern._signatures import ArrayType, Scalar, scalar_type, type_of

INT64 = Scalar("int64", "i", 64)
UINT64 = Scalar("uint64", "u", 64)
FLOAT32 = Scalar("float32", "f", 32)
FLOAT64 = Scalar("float64", "f", 64)
COMPLEX128 = Scalar("complex128", "c", 128)
BOOL = Scalar("bool", "b", 8)
# What literals and their like are: to Numba int64, to Kern weak.
WEAK = Scalar("literal int64", "i", 64)
# Integers in calls without signatures, whose width a call decides: unsigned of less
# than 64 bits and of 64, and signed.
NARROW = Scalar("narrow unsigned", "u", 32)
WIDE = Scalar("wide unsigned", "u", 64)
SIGNED = Scalar("signed", "i", 32)
_OF_CALLS = {one.name: one for one in (NARROW, WIDE, SIGNED)}
SHAPE = object()  # of an array: a tuple of INT64

TO_INTEGER = {math.floor, math.ceil, math.trunc}
OF_INTEGERS = {math.gcd, math.lcm, math.isqrt, math.factorial, math.comb, math.perm}
CONJUGATES = ("conjugate", "conj")  # methods of numbers and of arrays
TESTS = {math.isnan, math.isinf, math.isfinite}


def is_integral(of):
    return isinstance(of, Scalar) and of.kind in "biu"


def is_dtype(node):
    """Whether it is an attribute `dtype`, as `x.dtype`."""
    return isinstance(node, ast.Attribute) and node.attr == "dtype"


def named_dtype(node, resolve):
    """The object that names a type: `np.float32`, `"float32"`, `np.dtype("f4")`; None
    of what else it may be. `resolve` gives the object that a name stands for."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        (inner,) = node.args
        return named_dtype(inner, resolve) if resolve(node.func) is numpy.dtype else None
    named = node.value if isinstance(node, ast.Constant) else resolve(node)
    if not isinstance(named, str) and named not in (bool, int, float, complex):
        return named
    try:
        return numpy.dtype(named)
    except TypeError:
        return None


def of_call(of):
    """NARROW, WIDE or SIGNED, if a type is one of them; else None."""
    name = of.name if isinstance(of, Scalar) else ""
    return _OF_CALLS.get(name.removeprefix("joined "))


def unified(types):
    """NumPy's, and Numba's, common type of scalars; None if one is unknown."""
    if any(not isinstance(one, Scalar) for one in types):
        return None
    if all(one is WEAK for one in types):
        return WEAK
    dtype = numpy.result_type(*[(INT64 if one is WEAK else one).dtype for one in types])
    for one in filter(of_call, types):
        if one.dtype == dtype:
            return of_call(one)
    return scalar_type(dtype)


def integer_result(op, a, b):
    """Numba's type of an operator on two integers or bools."""
    if isinstance(op, ast.Div):
        return FLOAT64
    if isinstance(op, (ast.LShift, ast.RShift)):
        return WEAK if a is b is WEAK else UINT64 if a.kind == "u" else INT64
    if a.kind == b.kind == "b" and isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
        return BOOL
    if a is b is WEAK:
        return WEAK
    return UINT64 if a.kind == b.kind == "u" else INT64


class Expressions:
    """The types of a function's expressions; `Inference` adds statements.

    python: a PythonFunction.
    resolve: gives the object that a Name or an Attribute stands for, or None.
    call_helper: (call, function, types of arguments) -> type of the result.
    types: what was found, by node.
    edits: what must be converted.
    """

    def __init__(self, python, resolve, call_helper):
        self.python = python
        self.resolve = resolve
        self.call_helper = call_helper
        self.types = {}
        self.edits = Edits()
        self.truths = set()

    def wrap(self, node, before, after=")"):
        self.edits.wrap(self.python.span(node), before, after)

    def cast(self, node, of, to):
        if of is not WEAK and of != to:
            self.wrap(node, f"{to.kern}(")

    def expression(self, node, env):
        method = getattr(self, f"_{type(node).__name__}", None)
        of = method(node, env) if method else self.parts(node, env)
        self.types[node] = of
        return of

    def parts(self, node, env):
        for one in ast.iter_child_nodes(node):
            if isinstance(one, ast.expr):
                self.expression(one, env)
        return None

    def _Constant(self, node, env):
        return self.number(node.value)

    @staticmethod
    def number(value):
        """The type of a number literal in Python code."""
        if isinstance(value, bool):
            return BOOL
        if isinstance(value, int):
            return WEAK
        if isinstance(value, float) and type_of(value) is None:
            return FLOAT64
        if isinstance(value, complex) and type_of(value) is None:
            return COMPLEX128
        return type_of(value)

    def _Name(self, node, env):
        if node.id in self.python.local_names:
            return env.get(node.id)
        return self.number(self.resolve(node))

    def _Attribute(self, node, env):
        value = self.resolve(node)
        if value is not None:
            return self.number(value)
        of = self.expression(node.value, env)
        if node.attr == "shape":
            return SHAPE
        if node.attr in ("size", "ndim"):
            return INT64
        if node.attr in ("real", "imag") and isinstance(of, Scalar) and of.kind == "c":
            return FLOAT32 if of.bits == 64 else FLOAT64
        return None

    def dtype(self, node):
        """The type that an expression such as `np.float32` or `x.dtype` names, or
        None."""
        value = named_dtype(node, self.resolve)
        if value is None and is_dtype(node):
            array = self.types.get(node.value)
            return array.element if isinstance(array, ArrayType) else None
        return scalar_type(value)

    def _Tuple(self, node, env):
        return tuple(self.expression(one, env) for one in node.elts)

    def _BinOp(self, node, env):
        a, b = self.expression(node.left, env), self.expression(node.right, env)
        return self.operation(node.op, node.left, a, node.right, b)

    def operation(self, op, left, a, right, b):
        if not (is_integral(a) and is_integral(b)):
            self.meet(left, a, b)
            self.meet(right, b, a)
            return unified([a, b])
        of = integer_result(op, a, b)
        if of in (INT64, UINT64):
            self.cast(left, a, of)
            self.cast(right, b, of)
        return of

    def meet(self, node, of, other):
        """Converts the operand `node` if its type, `of`, and that of the other operand
        call for it. One of the two is not an integer or not known: it may be a bool."""
        if of is None and of_call(other):
            self.wrap(node, "kern_counted(")
        elif of_call(of) is NARROW:
            self.wrap(node, "kern_beside(")

    def _UnaryOp(self, node, env):
        if isinstance(node.op, ast.Not):
            self.truth(node.operand, env)
            return BOOL
        of = self.expression(node.operand, env)
        if not is_integral(of) or of is WEAK:
            return of
        if of.kind == "b" and isinstance(node.op, ast.Invert):
            return BOOL
        if of.kind == "b":
            self.cast(node.operand, of, INT64)
            return INT64
        # Numba computes these in the operand's type, and widens what comes out.
        to = UINT64 if of.kind == "u" else INT64
        self.cast(node, of, to)
        return to

    def _Compare(self, node, env):
        self.parts(node, env)
        return BOOL

    def truth(self, node, env):
        """An expression of which only the truth value is used."""
        self.truths.add(node)
        return self.expression(node, env)

    def _BoolOp(self, node, env):
        is_truth = node in self.truths
        for one in node.values:
            of = self.truth(one, env) if is_truth else self.expression(one, env)
            if not is_truth and isinstance(of, Scalar) and of.kind != "b":
                word = "or" if isinstance(node.op, ast.Or) else "and"
                raise self.python.error(
                    node,
                    f"`{word}` of numbers is one of them in Python, and a bool in Kern",
                    "write `x if x else y`, or compare the numbers",
                )
        return BOOL

    def _IfExp(self, node, env):
        self.truth(node.test, env)
        return self.choice([node.body, node.orelse], env)

    def choice(self, nodes, env):
        """One of several values, of Numba's common type."""
        types = [self.expression(one, env) for one in nodes]
        of = unified(types)
        if of is None or not all(is_integral(one) for one in types):
            return of
        if WEAK in types and of is not WEAK:
            for node, one in zip(nodes, types):
                self.cast(node, one, of)
        return of

    def _Subscript(self, node, env):
        base = self.expression(node.value, env)
        index = node.slice
        self.expression(index, env)
        if base is SHAPE:
            return INT64
        if isinstance(base, tuple):
            try:
                return base[ast.literal_eval(index)]
            except (ValueError, TypeError, IndexError, SyntaxError):
                return None
        if isinstance(base, Scalar):
            return base
        if not isinstance(base, ArrayType):
            return None
        indices = index.elts if isinstance(index, ast.Tuple) else [index]
        left = base.ndim - sum(not isinstance(one, ast.Slice) for one in indices)
        return base.element if left <= 0 else ArrayType(base.element, left)

    def _GeneratorExp(self, node, env):
        inner = dict(env)
        for one in node.generators:
            self.bind(one.target, self.items(one.iter, inner), one.iter, inner)
            for test in one.ifs:
                self.truth(test, inner)
        return self.expression(node.elt, inner)

    _ListComp = _GeneratorExp

    def _Call(self, node, env):
        from kern._calls import type_of_call

        return type_of_call(self, node, self.resolve(node.func), env)
