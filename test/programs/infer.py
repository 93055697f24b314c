"""The static types of a generated function, by the rules of the language's page.

`Types(function, arguments)` raises IllTyped for programs that the language
refuses, and for some whose meaning depends on more than the tree shows (weak
values that a narrow type may not hold).
"""

from elements import (BOOL, EXACT, F64, I64, LIBRARY, TYPES, IllTyped, carrier,
                      is_bool, is_float, is_integer, is_weak, join,
                      operand_type)
from tree import Assign, Aug, Each, For, If, Lit, PRange, While


def need(condition, why):
    if not condition:
        raise IllTyped(why)


def merge(environments):
    """The types where these paths meet; None is a path that is not taken."""
    environments = [e for e in environments if e is not None]
    if not environments:
        return None
    names = set(environments[0]).intersection(*environments[1:])
    return {n: join(e[n] for e in environments) for n in sorted(names)}


def storable(source, to):
    """Whether a value may be returned as, or stored into, type `to`."""
    if is_weak(source):
        if source in ("wi", "ix"):
            return not is_bool(to)
        return is_float(to)
    rank = lambda t: 0 if is_bool(t) else 1 if t.kind == "u" else \
        2 if t.kind == "i" else 3
    return rank(source) <= rank(to)


class Types:
    """`of[node]` is an expression's type; `work[node]` the dtype in which its
    operator works; `meet[node]` the environments at a statement's joins;
    `results` what the function returns."""

    def __init__(self, function, parameters):
        self.of, self.work, self.meet = {}, {}, {}
        self.arrays = {p.name: t for p, t in zip(function.parameters, parameters)
                       if p.is_array}
        if function.array:
            self.arrays["y"] = TYPES[function.array]
        self.returns, self.loops = [], []
        env = {p.name: t for p, t in zip(function.parameters, parameters)
               if not p.is_array}
        after = self.block(function.body, env)
        if function.array:
            need(not self.returns, "an array result is not returned")
            self.results = [TYPES[function.array]]
            return
        need(after is None, "an end without a return")
        need(self.returns, "nothing is returned")
        need(len({len(r) for r in self.returns}) == 1, "returns differ")
        self.results = []
        for k, types in enumerate(zip(*self.returns)):
            if function.results:
                to = TYPES[function.results[k]]
                for t in types:
                    need(storable(t, to), "a result does not convert")
                self.results.append(to)
            else:
                self.results.append(carrier(join(types)))

    # Statements: the environment before to that after, None if not reached.

    def block(self, body, env):
        for statement in body:
            need(env is not None, "what follows is never reached")
            env = getattr(self, type(statement).__name__.lower())(statement, env)
        return env

    def assign(self, s, env):
        types = [self.expr(v, env) for v in s.values]
        return {**env, **dict(zip(s.names, types))}

    def aug(self, s, env):
        need(s.name in env, "unbound")
        t = self.expr(s.value, env)
        result = self.operate(s, s.op, env[s.name], t, s.value)
        self.weak_meets(env[s.name], t, None, s.value)
        return {**env, s.name: result}

    def if_(self, s, env):
        for test in s.tests:
            self.expr(test, env)
        ends = [self.block(body, env) for body in s.bodies]
        if len(s.bodies) == len(s.tests):
            ends.append(env)
        after = self.meet[s] = merge(ends)
        return after

    def loop(self, s, env, body_env, test=None):
        """`body_env(head)` adds what each iteration binds."""
        head = env
        for _ in range(12):
            self.loops.append(([], []))
            if test is not None:
                self.expr(test, head)
            end = self.block(s.body, body_env(head))
            breaks, continues = self.loops.pop()
            new = merge([env] + [{n: t for n, t in e.items() if n in env}
                                 for e in [end] + continues if e is not None])
            if new == head:
                break
            head = new
        else:
            raise IllTyped("types do not settle")
        self.meet[s] = head
        after = merge([head] + breaks)
        self.meet[s, "after"] = after
        return after

    def for_(self, s, env):
        for bound in (s.lo, s.hi):
            need(is_integer(self.expr(bound, env)), "a bound is no integer")
        need(s.name not in env, "the index shadows")
        return self.loop(s, env, lambda head: {**head, s.name: "ix"})

    def each(self, s, env):
        need(not set(s.names) & set(env), "the index shadows")
        types = [self.arrays[a] for a in s.arrays]
        if s.form == "enumerate":
            types = ["ix"] + types
        return self.loop(
            s, env, lambda head: {**head, **dict(zip(s.names, types))})

    def while_(self, s, env):
        return self.loop(s, env, dict, s.test)

    def prange(self, s, env):
        """What an iteration assigns is its own; names from outside are read
        only."""
        assigned = {n for statement in s.body for n in assigned_names(statement)}
        need(not assigned & set(env), "a scalar is carried between iterations")
        self.loops.append(([], []))
        end = self.block(s.body, {**env, s.name: "ix"})
        breaks, continues = self.loops.pop()
        need(not breaks and not continues and end is not None, "a jump")
        return env

    def store(self, s, env):
        need(is_integer(self.expr(s.index, env)), "an index is no integer")
        t = self.expr(s.value, env)
        need(storable(t, self.arrays[s.array]), "a value does not convert")
        self.weak_meets(t, self.arrays[s.array], s.value, None)
        return env

    def jump(self, s, env):
        if s.word == "pass":
            return env
        need(self.loops, "a jump outside of a loop")
        self.loops[-1][s.word == "continue"].append(env)
        return None

    def return_(self, s, env):
        self.returns.append([self.expr(v, env) for v in s.values])
        return None

    # Expressions.

    def expr(self, e, env):
        t = getattr(self, "e_" + type(e).__name__.lower())(e, env)
        self.of[e] = t
        return t

    def e_lit(self, e, env):
        if isinstance(e.value, bool):
            return BOOL
        return "wi" if isinstance(e.value, int) else "wf"

    def e_name(self, e, env):
        need(e.id in env, "unbound")
        return env[e.id]

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
        return self.operate(e, e.op, a, b, e.b)

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
            need(right.value == 2 or (is_integer(a) and 0 <= right.value <= 3),
                 "a power that is a library function")
        elif op in ("&", "|", "^"):
            need(not is_float(held), "bits of a float")
        else:
            need(is_integer(held) and not is_weak(work), "a shift")
        self.work[e] = held
        return work

    def e_un(self, e, env):
        t = self.expr(e.a, env)
        if e.op == "not":
            return BOOL
        need(not is_weak(t), "weak")
        need(e.op == "~" or not is_bool(t), "bool")
        need(e.op != "~" or not is_float(t), "bits of a float")
        return t

    def e_cmp(self, e, env):
        types = [self.expr(item, env) for item in e.items]
        need(not all(isinstance(item, Lit) for item in e.items),
             "decided when compiled: a branch that is no part of the program")
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
        return BOOL

    def e_cond(self, e, env):
        self.expr(e.test, env)
        a, b = self.expr(e.a, env), self.expr(e.b, env)
        self.weak_meets(a, b, e.a, e.b)
        return join([a, b])

    def e_cast(self, e, env):
        t = self.expr(e.a, env)
        self.weak_meets(t, TYPES[e.type], e.a, None)
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
        need(is_integer(self.expr(e.index, env)), "an index is no integer")
        return self.arrays[e.array]

    def e_length(self, e, env):
        return "ix"

    def e_reduce(self, e, env):
        need(e.name not in env, "the name shadows")
        inside = {**env, e.name: self.arrays[e.array]}
        t = self.expr(e.value, inside)
        if e.test is not None:
            self.expr(e.test, inside)
        if e.kind in ("any", "all"):
            return BOOL
        need(not is_weak(t), "weak")
        if e.kind in ("min", "max"):
            need(e.test is None and not is_bool(t), "perhaps of nothing")
            return t
        if e.kind in ("argmin", "argmax"):
            need(e.test is None and not is_bool(t), "perhaps of nothing")
            return I64
        need(not is_float(t), "the order of a float sum is open")
        return TYPES["u64"] if t.kind == "u" else I64


def assigned_names(statement):
    if isinstance(statement, Assign):
        yield from statement.names
    elif isinstance(statement, Aug):
        yield statement.name
    elif isinstance(statement, If):
        for body in statement.bodies:
            for inner in body:
                yield from assigned_names(inner)
    elif isinstance(statement, (For, Each, While, PRange)):
        for inner in statement.body:
            yield from assigned_names(inner)


# `if`, `for`, `while` and `return` are words of Python as well.
for _word in ("if", "for", "while", "return"):
    setattr(Types, _word, getattr(Types, _word + "_"))
