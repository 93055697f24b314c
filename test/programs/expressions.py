"""The static types of expressions, by the rules of the language's page."""

from elements import (BOOL, EXACT, F64, I64, LIBRARY, TYPES, carrier, is_bool,
                      is_float, is_integer, is_weak, need, operand_type)
from environments import Constant, Meeting, arriving, meet, typed
from tree import Lit


def compared(op, a, b):
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b,
            "!=": a != b}[op]


class Expressions:
    """The part of infer.Types about expressions."""

    def expr(self, e, env):
        self.constants.pop(e, None)
        self.sets.pop(e, None)
        t = e.inferred(self, env) if hasattr(e, "inferred") else \
            getattr(self, "e_" + type(e).__name__.lower())(e, env)
        self.of[e] = t
        return t

    def known(self, items):
        """The values of these expressions, if all are constants."""
        if all(item in self.constants for item in items):
            return [self.constants[item] for item in items]
        return None

    def e_lit(self, e, env):
        self.constants[e] = e.value
        if isinstance(e.value, bool):
            return BOOL
        return "wi" if isinstance(e.value, int) else "wf"

    def e_name(self, e, env):
        need(e.id in env, "unbound")
        if isinstance(env[e.id], Constant):
            self.constants[e] = env[e.id].value
        return typed(env[e.id])

    def weak_meets(self, a, b, x, y):
        """A weak integer that is not a literal may not fit a narrow type."""
        for weak, other, node in ((a, b, x), (b, a, y)):
            if weak == "wi" and not isinstance(node, Lit):
                need(is_weak(other) or is_float(other) or
                     other.itemsize == 8, "a weak value may not fit")
            if weak == "wi" and isinstance(node, Lit) and not is_weak(other):
                if other.kind == "u":
                    need(node.value >= 0, "a literal does not fit")

    def e_bin(self, e, env):
        a, b = self.expr(e.a, env), self.expr(e.b, env)
        self.weak_meets(a, b, e.a, e.b)
        result = self.operate(e, e.op, a, b, e.b)
        if is_weak(a) and is_weak(b):
            self.fold(e, self.known([e.a, e.b]))
        return result

    def fold(self, e, values):
        """Python's arithmetic on constants: integers do not wrap."""
        if values is None:
            return
        a, b = values
        need(abs(a) < 2**40 and abs(b) < 2**40, "large")
        if e.op in ("/", "//", "%") and b == 0:
            return
        self.constants[e] = {
            "+": lambda: a + b, "*": lambda: a * b, "-": lambda: a - b,
            "/": lambda: a / b, "//": lambda: a // b, "%": lambda: a % b,
            "&": lambda: a & b, "|": lambda: a | b, "^": lambda: a ^ b,
        }[e.op]()

    def operate(self, e, op, a, b, right):
        """The result's type of `a op b`; notes the dtype it works in."""
        work = operand_type(a, b)
        held = carrier(work)
        literal = isinstance(right, Lit)
        if op == "/":
            result = work
            if not is_float(work):
                result = "ixf" if is_weak(work) else F64
                need(work != "wi", "a constant quotient")
            self.work[e] = carrier(result)
            return result
        if op in ("+", "-", "*"):
            need(op != "-" or not is_bool(held), "bool - bool")
            need(not (is_weak(work) and op == "-"), "may become negative")
        elif op in ("//", "%"):
            need(not is_bool(held), "bool division")
            if is_weak(work):
                need(work in ("wi", "ix") and literal and right.value > 0,
                     "a weak division")
        elif op == "**":
            need(literal and not is_bool(held) and not is_weak(a), "a power")
            need(right.value == 2 or is_integer(a) or
                 (right.value == 3 and held.itemsize > 2),
                 "a power that is not one of products")
        elif op in ("&", "|", "^"):
            need(not is_float(held), "bits of a float")
        else:
            need(is_integer(held) and not is_weak(work), "a shift")
        self.work[e] = held
        return work

    def e_un(self, e, env):
        t = self.expr(e.a, env)
        if e.op == "not":
            if e.a in self.constants:
                self.constants[e] = not self.constants[e.a]
            return BOOL
        need(not is_weak(t), "weak")
        need(e.op == "~" or not is_bool(t), "bool")
        need(e.op != "~" or not is_float(t), "bits of a float")
        return t

    def e_cmp(self, e, env):
        types = [self.expr(item, env) for item in e.items]
        values = [self.constants.get(item) for item in e.items]
        for op, x, y in zip(e.ops, values, values[1:]):
            decided = None not in (x, y) and not isinstance(x, bool) and \
                not isinstance(y, bool)
            need(not decided or len(e.ops) == 1, "a chain that is decided")
            if decided:
                self.constants[e] = compared(op, x, y)
        self.work[e] = []
        for a, b in zip(types, types[1:]):
            if is_float(a) or is_float(b):
                self.work[e].append(carrier(operand_type(a, b)))
            else:
                self.work[e].append(None)  # by value
        return BOOL

    def e_logic(self, e, env):
        for item in e.items:
            self.expr(item, env)
            if item not in self.constants:
                break
            self.constants[e] = bool(self.constants[item])
            if self.constants[e] == (e.op == "or"):
                return BOOL
        else:
            return BOOL
        self.constants.pop(e, None)
        for item in e.items:
            self.expr(item, env)
            need(item is e.items[0] or item not in self.constants or
                 bool(self.constants[item]) != (e.op == "or"),
                 "decided by a later operand")
        return BOOL

    def e_cond(self, e, env):
        self.expr(e.test, env)
        if e.test in self.constants:
            taken = e.a if self.constants[e.test] else e.b
            t = self.expr(taken, env)
            need(is_bool(t) or taken not in self.constants,
                 "a constant that is chosen")
            if is_bool(t) and taken in self.constants:
                self.constants[e] = self.constants[taken]
            else:
                self.sets[e] = Meeting(arriving(self.entry(taken, env)))
            return t
        a, b = self.expr(e.a, env), self.expr(e.b, env)
        self.weak_meets(a, b, e.a, e.b)
        whole = meet([self.entry(e.a, env), self.entry(e.b, env)])
        if isinstance(whole, Constant):
            self.constants[e] = whole.value
        self.sets[e] = whole
        return typed(whole)

    def e_cast(self, e, env):
        t = self.expr(e.a, env)
        self.weak_meets(t, TYPES[e.type], e.a, None)
        if e.type == "bool" and is_bool(t) and e.a in self.constants:
            self.constants[e] = self.constants[e.a]
        return TYPES[e.type]

    def e_call(self, e, env):
        types = [self.expr(item, env) for item in e.items]
        need(not all(is_weak(t) for t in types), "weak")
        work = types[0] if len(types) == 1 else operand_type(*types)
        if len(types) == 2:
            self.weak_meets(*types, *e.items)
        if e.name in ("abs", "max", "min"):
            need(not is_bool(work), "bool")
        else:
            need(all(is_float(t) or is_weak(t) for t in types) and
                 is_float(work), "a function of floats")
        assert e.name in EXACT or e.name in LIBRARY
        self.work[e] = carrier(work)
        return work

    def e_element(self, e, env):
        need(is_integer(self.expr(e.index, env)), "an index is not an integer")
        return self.arrays[e.array]

    def e_length(self, e, env):
        return "ix"

    def e_reduce(self, e, env):
        inside = dict(env)
        if e.outer_name:
            need(e.outer_name not in inside, "the name shadows")
            inside[e.outer_name] = self.arrays[e.outer_array]
            if e.outer_test is not None:
                self.expr(e.outer_test, inside)
        need(e.name not in inside, "the name shadows")
        inside[e.name] = self.arrays[e.array]
        t = self.expr(e.value, inside)
        if e.test is not None:
            self.expr(e.test, inside)
        if e.kind in ("any", "all"):
            return BOOL
        need(not is_weak(t), "weak")
        if e.kind in ("min", "max"):
            need(e.test is None and e.outer_test is None and not is_bool(t),
                 "perhaps of nothing")
            return t
        if e.kind in ("argmin", "argmax"):
            need(not is_bool(t), "bools have no order here")
            return I64
        need(not is_float(t), "the order of a float sum is open")
        return TYPES["u64"] if t.kind == "u" else I64
