"""Numba's types of the integers in a Python function.

In Kern and NumPy the sum of two u8 is u8, and a literal takes the type of what
it meets. In Numba integers are computed in 64 bits, signed unless both operands
are unsigned, and a literal is a signed one. `Inference` follows Numba's rules
through a function for given types of its parameters, and inserts conversions where
Kern's rules differ. Floats follow Kern's rules: literals stay weak, and an f32 stays
f32.
"""

import ast

from kern._expressions import (
    INT64,
    NARROW,
    SHAPE,
    UINT64,
    WEAK,
    Expressions,
    integer_result,
    is_integral,
    of_call,
    unified,
)
from kern._places import Edits
from kern._signatures import ArrayType, Scalar

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


class Inference(Expressions):
    """The types of a function's expressions for types of its parameters.

    python: a PythonFunction.
    parameters: types by name; None for what is not known.
    stores: Kern's names of the types of arrays that are written, by name.
    resolve: gives the object that a Name or an Attribute stands for, or None.
    call_helper: (call, function, types of arguments) -> type of the result.
    """

    def __init__(self, python, parameters, resolve, call_helper, stores=None):
        super().__init__(python, resolve, call_helper)
        self.parameters = parameters
        self.stores = stores or {}
        self.returned = []  # (node, type)
        self.wide = set()  # variables whose literals have a type
        self.loops = []  # of the loops around: environments at their exits
        self._run()

    @property
    def result(self):
        """The type of what is returned, None if it is not known."""
        types = [of for _, of in self.returned]
        if any(isinstance(one, (tuple, ArrayType)) for one in types):
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

    def block(self, statements, env):
        """The environment after the statements; None if their end is not reached."""
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
        of = unified([a, b])
        if not is_integral(of) or {a, b} <= {WEAK, INT64}:
            return of
        # Where a condition is constant, Kern takes the type of one branch alone. So
        # the value is converted wherever its type matters.
        return Scalar(f"joined {of.name.removeprefix('joined ')}", of.kind, of.bits)

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

    def element_name(self, node):
        """Kern's name of the type of an array's elements; None if it is not known."""
        array = self.types.get(node)
        if not isinstance(array, ArrayType):
            return None
        name = array.element.kern
        is_parameter = isinstance(node, ast.Name) and (
            self.parameters.get(node.id) == array
        )
        return self.stores.get(node.id, name) if is_parameter else name

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
            return isinstance(number, bool)
        low = -(1 << element.bits - 1) if element.kind == "i" else 0
        return low <= number < low + (1 << element.bits)

    def _AugAssign(self, node, env):
        target, op = node.target, node.op
        old = self.expression(target, env)
        value = self.expression(node.value, env)
        integral = is_integral(old) and is_integral(value)
        of = integer_result(op, old, value) if integral else unified([old, value])
        if isinstance(target, ast.Name):
            if not integral:
                self.meet(node.value, value, old)
                if of_call(old) is NARROW:
                    self.spell_out(node, "kern_beside(", None, value, "")
            elif of in (INT64, UINT64) and old not in (of, WEAK):
                self.spell_out(node, f"{of.kern}(", of, value, "")
            elif of in (INT64, UINT64):
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
        """`x += v` as `x = STORE(CAST(x) + (CAST(v)))`."""
        python = self.python
        text = python.file.text
        target = python.span(node.target)
        behind = text.index("=", target[1]) + 1
        operator = _OPERATORS[type(node.op)]
        left = f"{store}{before}{text[slice(*target)]})"
        self.edits.replace((target[1], behind), f" = {left} {operator} (")
        if to is not None:
            self.cast(node.value, value, to)
        end = python.span(node)[1]
        self.edits.replace((end, end), "))" if store else ")")

    def _Assert(self, node, env):
        self.truth(node.test, env)
        return env

    def _If(self, node, env):
        self.truth(node.test, env)
        then = self.block(node.body, dict(env))
        return self.join(then, self.block(node.orelse, dict(env)))

    def _While(self, node, env):
        def begin(env):
            self.truth(node.test, env)

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
        """The type of the items of a loop over an expression."""
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
