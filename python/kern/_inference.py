"""Numba's types of the integers in a Python function.

In Kern and NumPy the sum of two u8 is u8, and a literal takes the type of what
it meets. In Numba integers are computed in 64 bits, signed unless both operands
are unsigned, and a literal is a signed one. `Inference` follows Numba's rules
through a function for given types of its parameters, and puts conversions where
Kern's would give something else. Floats it leaves alone: there literals stay
weak, and an f32 stays f32.
"""

import ast
import builtins
import math

from kern._signatures import ArrayType, Scalar, scalar_type, type_of
from kern._source import Edits

INT64 = Scalar("int64", "i", 64)
UINT64 = Scalar("uint64", "u", 64)
FLOAT32 = Scalar("float32", "f", 32)
FLOAT64 = Scalar("float64", "f", 64)
COMPLEX128 = Scalar("complex128", "c", 128)
BOOL = Scalar("bool", "b", 8)
# What literals and their like are: to Numba int64, to Kern weak.
WEAK = Scalar("literal int64", "i", 64)
SHAPE = object()  # of an array: a tuple of INT64

_OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
_TO_INTEGER = {math.floor, math.ceil, math.trunc}
_OF_INTEGERS = {math.gcd, math.lcm, math.isqrt, math.factorial, math.comb, math.perm}
_TESTS = {math.isnan, math.isinf, math.isfinite}


def is_integral(of):
    return isinstance(of, Scalar) and of.kind in "biu"


def unified(types):
    """NumPy's, and Numba's, common type of scalars; None if one is unknown."""
    import numpy

    if any(not isinstance(one, Scalar) for one in types):
        return None
    if all(one is WEAK for one in types):
        return WEAK
    return scalar_type(
        numpy.result_type(*[(INT64 if one is WEAK else one).dtype for one in types])
    )


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


class Inference:
    """The types of a function's expressions for types of its parameters.

    python: a PythonFunction.
    parameters: types by name; None for what is not known.
    stores: Kern's names of the types of arrays that are written, by name.
    resolve: gives the object that a Name or an Attribute stands for, or None.
    call_helper: (function, types of arguments) -> type of the result.
    """

    def __init__(self, python, parameters, resolve, call_helper, stores=None):
        self.python = python
        self.parameters = parameters
        self.resolve = resolve
        self.call_helper = call_helper
        self.stores = stores or {}
        self.types = {}
        self.edits = Edits()
        self.returned = []  # (node, type)
        self.wide = set()  # variables whose literals have a type
        self.loops = []  # of the loops around: environments at their exits
        self._run()

    @property
    def result(self):
        """The type of what is returned, None if it is not known."""
        types = [of for _, of in self.returned]
        if any(isinstance(one, tuple) for one in types):
            return types[0] if len(set(types)) == 1 else None
        return unified(types) if types else None

    def _run(self):
        while True:
            count = len(self.wide)
            self.edits, self.types, self.returned = Edits(), {}, []
            env = dict(self.parameters)
            if self.python.is_lambda:
                body = self.python.node.body
                self.returned.append((body, self.expression(body, env)))
            else:
                self.block(self.python.statements, env)
            if len(self.wide) == count:
                return

    # Edits

    def wrap(self, node, before, after=")"):
        self.edits.wrap(self.python.span(node), before, after)

    def cast(self, node, of, to):
        if of is not WEAK and of != to:
            self.wrap(node, f"{to.kern}(")

    # Statements

    def block(self, statements, env):
        """The environment behind the statements; None if they do not end."""
        for statement in statements:
            if env is None:
                break
            method = getattr(self, f"_{type(statement).__name__}", None)
            env = method(statement, env) if method else env
        return env

    def join(self, a, b):
        if a is None or b is None:
            return a if b is None else b
        joined = {**a, **b}
        for name in a.keys() & b.keys():
            joined[name] = self.join_types(name, a[name], b[name])
        return joined

    def join_types(self, name, a, b):
        if a is b or a == b:
            return a
        if not (isinstance(a, Scalar) and isinstance(b, Scalar)):
            return None
        if WEAK in (a, b):
            other = b if a is WEAK else a
            if other.is_integer and other != INT64:
                self.wide.add(name)
        return unified([a, b])

    def _Expr(self, node, env):
        self.expression(node.value, env)
        return env

    def _Return(self, node, env):
        of = self.expression(node.value, env) if node.value else None
        self.returned.append((node, of))
        return None

    def _Assign(self, node, env):
        of = self.expression(node.value, env)
        for target in node.targets:
            self.bind(target, of, node.value, env)
        return env

    def _AnnAssign(self, node, env):
        if node.value is not None:
            of = self.expression(node.value, env)
            self.bind(node.target, of, node.value, env)
        return env

    def bind(self, target, of, value, env):
        if isinstance(target, ast.Name):
            if of is WEAK and target.id in self.wide:
                self.wrap(value, "i64(")
                of = INT64
            env[target.id] = of
        elif isinstance(target, (ast.Tuple, ast.List)):
            parts = [None] * len(target.elts)
            if of is SHAPE:
                parts = [INT64] * len(target.elts)
            elif isinstance(of, tuple) and len(of) == len(parts):
                parts = of
            values = parts
            if isinstance(value, ast.Tuple) and len(value.elts) == len(parts):
                values = value.elts
            for one, part, from_value in zip(target.elts, parts, values):
                known = isinstance(from_value, ast.AST)
                self.bind(one, part, from_value if known else value, env)
        elif isinstance(target, ast.Subscript):
            self.expression(target, env)
            self.convert_stored(target, of, value, env)

    def stored_name(self, target, env):
        """Kern's type of the elements of what is written to, and Numba's."""
        base = target.value
        if not isinstance(base, ast.Name):
            return None, None
        array = env.get(base.id)
        element = array.element if isinstance(array, ArrayType) else array
        if not isinstance(element, Scalar) or element.kind not in "biu":
            return None, None
        return self.stores.get(base.id, element.kern), element

    def convert_stored(self, target, of, value, env):
        name, element = self.stored_name(target, env)
        if name is None or of == element:
            return
        if of is WEAK:
            if not self.fits(value, element):
                self.wrap(value, f"{name}(i64(", "))")
        else:
            self.wrap(value, f"{name}(")

    @staticmethod
    def fits(value, element):
        """Whether a literal is one of the type."""
        try:
            number = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError):
            return False
        if element.kind == "b":
            return number in (0, 1)
        low = -(1 << element.bits - 1) if element.kind == "i" else 0
        return low <= number < low + (1 << element.bits)

    def _AugAssign(self, node, env):
        target, op = node.target, node.op
        old = self.expression(target, env)
        value = self.expression(node.value, env)
        integral = is_integral(old) and is_integral(value)
        of = integer_result(op, old, value) if integral else unified([old, value])
        if isinstance(target, ast.Name):
            if integral and of in (INT64, UINT64) and old not in (of, WEAK):
                self.spell_out(node, f"{of.kern}(", of, value, "")
            elif integral and of in (INT64, UINT64):
                self.cast(node.value, value, of)
            if old is WEAK and of is WEAK:
                of = WEAK
            env[target.id] = of
            return env
        if not isinstance(target, ast.Subscript):
            return env
        name, element = self.stored_name(target, env)
        if name is None:
            return env
        if not integral or of not in (INT64, UINT64):
            if value != element:
                self.spell_out(node, "(", None, value, f"{name}(")
        elif element != of:
            self.spell_out(node, f"{of.kern}(", of, value, f"{name}(")
        else:
            self.cast(node.value, value, of)
        return env

    def spell_out(self, node, before, to, value, store):
        """`x += v` as `x = STORE(CAST(x) + CAST(v))`."""
        python = self.python
        target, begin = python.span(node.target), python.span(node.value)[0]
        text = python.file.text[slice(*target)]
        new = f" = {store}{before}{text}) {_OPERATORS[type(node.op)]} "
        self.edits.replace((target[1], begin), new)
        end = ")" if store else ""
        if to is not None and value not in (to, WEAK):
            self.wrap(node.value, f"{to.kern}(", "))" if store else ")")
        else:
            self.wrap(node.value, "(", ")" + end)

    def _If(self, node, env):
        self.expression(node.test, env)
        then = self.block(node.body, dict(env))
        return self.join(then, self.block(node.orelse, dict(env)))

    def _While(self, node, env):
        def begin(env):
            self.expression(node.test, env)

        return self.loop(node, env, begin)

    def _For(self, node, env):
        def begin(env):
            self.bind(node.target, self.items(node.iter, env), node.iter, env)

        return self.loop(node, env, begin)

    def _Break(self, node, env):
        if self.loops:
            self.loops[-1][0].append(env)
        return None

    def _Continue(self, node, env):
        if self.loops:
            self.loops[-1][1].append(env)
        return None

    def loop(self, node, env, begin):
        for _ in range(16):
            wrapped, replaced = len(self.edits.wrapped), len(self.edits.replaced)
            returned = len(self.returned)
            breaks, continues = [], []
            self.loops.append((breaks, continues))
            inner = dict(env)
            begin(inner)
            ends = [self.block(node.body, inner), *continues]
            self.loops.pop()
            new = env
            for end in ends:
                new = self.join(new, end)
            if new == env:
                break
            env = new
            del self.edits.wrapped[wrapped:], self.edits.replaced[replaced:]
            del self.returned[returned:]
        for one in breaks:
            env = self.join(env, one)
        return self.block(node.orelse, env) if node.orelse else env

    def items(self, node, env):
        """The type of what a loop over an expression gives."""
        if isinstance(node, ast.Call):
            callee = self.resolve(node.func)
            name = getattr(callee, "__name__", "")
            if callee is range or name == "prange":
                for one in node.args:
                    self.expression(one, env)
                return INT64
            if callee is enumerate and node.args:
                return (INT64, self.items(node.args[0], env))
            if callee is reversed and node.args:
                return self.items(node.args[0], env)
            if callee is zip:
                return tuple(self.items(one, env) for one in node.args)
        of = self.expression(node, env)
        if isinstance(of, ArrayType):
            one = of.ndim == 1
            return of.element if one else ArrayType(of.element, of.ndim - 1)
        return None

    # Expressions

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
        """The type of a number that stands in Python code."""
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

    def _Tuple(self, node, env):
        return tuple(self.expression(one, env) for one in node.elts)

    def _BinOp(self, node, env):
        a, b = self.expression(node.left, env), self.expression(node.right, env)
        return self.operation(node.op, node.left, a, node.right, b)

    def operation(self, op, left, a, right, b):
        if not (is_integral(a) and is_integral(b)):
            return unified([a, b])
        of = integer_result(op, a, b)
        if of in (INT64, UINT64):
            self.cast(left, a, of)
            self.cast(right, b, of)
        return of

    def _UnaryOp(self, node, env):
        of = self.expression(node.operand, env)
        if isinstance(node.op, ast.Not):
            return BOOL
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

    def _BoolOp(self, node, env):
        self.parts(node, env)
        return BOOL

    def _IfExp(self, node, env):
        self.expression(node.test, env)
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
                self.expression(test, inner)
        return self.expression(node.elt, inner)

    _ListComp = _GeneratorExp

    def _Call(self, node, env):
        from kern._calls import type_of_call

        return type_of_call(self, node, self.resolve(node.func), env)


