"""The static types of a generated function, by the rules of the language's page.

`Types(function, arguments)` raises IllTyped for programs that the language
refuses, and for some whose meaning depends on more than the tree shows (weak
values that a narrow type may not hold).

An environment has for each name a type, or where paths have met the set of the
types that arrived (`Meeting`): at the next meeting it is the set that counts. A
name that holds a constant, whose value decides conditions, has a `Constant`.
"""

from elements import (BOOL, EXACT, F64, I64, LIBRARY, TYPES, IllTyped, carrier,
                      is_bool, is_float, is_integer, is_weak, join,
                      operand_type)
from tree import (Assign, Aug, Cmp, Cond, Each, For, If, Lit, Logic, Name,
                  PRange, Return, Un, While, walk)


def need(condition, why):
    if not condition:
        raise IllTyped(why)


class Meeting:
    """The types that arrived where paths met."""

    def __init__(self, types):
        self.types = frozenset(types)
        self.type = join(self.types)

    def __eq__(self, other):
        return isinstance(other, Meeting) and self.types == other.types


class Constant:
    """A value that is known when the program is compiled."""

    def __init__(self, type, value):
        self.type, self.value = type, value

    def __eq__(self, other):
        return isinstance(other, Constant) and self.same(other)

    def same(self, other):
        return type(self.value) is type(other.value) and \
            repr(self.value) == repr(other.value)


def typed(entry):
    """The type of what an environment has for a name."""
    return entry.type if isinstance(entry, (Meeting, Constant)) else entry


def arriving(entry):
    return entry.types if isinstance(entry, Meeting) else {typed(entry)}


def meet(entries):
    """What an environment has for a name where these arrive."""
    entries = list(entries)
    first = entries[0]
    if isinstance(first, Constant) and all(e == first for e in entries):
        return first
    types = set().union(*map(arriving, entries))
    return Meeting(types)


def merge(environments):
    """The types where these paths meet; None is a path that is not taken."""
    environments = [e for e in environments if e is not None]
    if not environments:
        return None
    if len(environments) == 1:
        return environments[0]
    names = set(environments[0]).intersection(*environments[1:])
    return {n: meet(e[n] for e in environments) for n in sorted(names)}


def held(environment):
    """The types alone, for the evaluation."""
    if environment is None:
        return None
    return {n: typed(entry) for n, entry in environment.items()}


def compared(op, a, b):
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b,
            "!=": a != b}[op]


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
        self.constants, self.sets = {}, {}
        self.arrays = {p.name: t for p, t in zip(function.parameters, parameters)
                       if p.is_array}
        if function.array:
            self.arrays["y"] = TYPES[function.array]
        self.returns, self.returned, self.loops = [], [], []
        env = {p.name: t for p, t in zip(function.parameters, parameters)
               if not p.is_array}
        after = self.block(function.body, env)
        if function.array:
            need(not any(isinstance(n, Return) for n in walk(function)),
                 "an array result is not returned")
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
                to = join(types)
                self.results.append(carrier(to))
            for t, values in zip(types, self.returned):
                self.weak_meets(t, to, values[k], None)

    # Statements: the environment before to that after, None if not reached.

    def block(self, body, env):
        for statement in body:
            need(env is not None, "what follows is never reached")
            env = getattr(self, type(statement).__name__.lower())(statement, env)
        return env

    def assign(self, s, env):
        types = [self.expr(v, env) for v in s.values]
        entries = [self.entry(v, env) for v in s.values]
        return {**env, **dict(zip(s.names, entries))}

    def entry(self, e, env):
        """What a name that is bound to this expression has."""
        if isinstance(e, Name):
            return env[e.id]
        if e in self.constants:
            return Constant(self.of[e], self.constants[e])
        return self.sets.get(e, self.of[e])

    def aug(self, s, env):
        need(s.name in env, "unbound")
        t = self.expr(s.value, env)
        old = env[s.name]
        result = self.operate(s, s.op, typed(old), t, s.value)
        self.weak_meets(typed(old), t, None, s.value)
        if isinstance(old, Constant):
            need(s.value not in self.constants, "an augmented constant")
        return {**env, s.name: result}

    def if_(self, s, env):
        """Decided tests turn bodies away; what is left are paths that meet.
        A number that a decided `if` assigns is no constant after it."""
        ends, is_decided = [], False
        for test, body in zip(s.tests, s.bodies):
            self.expr(test, env)
            if test not in self.constants:
                ends.append(self.block(body, env))
                continue
            is_decided = True
            if self.constants[test]:
                ends.append(self.block(body, env))
                break
        else:
            if len(s.bodies) > len(s.tests):
                ends.append(self.block(s.bodies[-1], env))
            else:
                ends.append(env)
        after = merge(ends)
        if is_decided and after is not None:
            assigned = set(assigned_names(s))
            after = {n: Meeting(arriving(entry)) if n in assigned and
                     is_weak(typed(entry)) else entry
                     for n, entry in after.items() if n in env}
        self.meet[s] = held(after)
        return after

    def loop(self, s, env, body_env, test=None):
        """`body_env(head)` adds what each iteration binds. The body is typed
        again with what its end brings, until that stays."""
        carried = {n for statement in s.body
                   for n in assigned_names(statement)} & set(env)
        head = {**env, **{n: typed(env[n]) for n in carried}}
        for _ in range(12):
            self.loops.append(([], []))
            if test is not None:
                self.expr(test, head)
                need(test not in self.constants, "a decided loop")
            end = self.block(s.body, body_env(head))
            breaks, continues = self.loops.pop()
            back = [e for e in [end] + continues if e is not None]
            new = {**env, **{
                n: join(set().union(arriving(env[n]), *(
                    arriving(e[n]) for e in back))) for n in carried}}
            if new == head:
                break
            head = new
        else:
            raise IllTyped("types do not settle")
        for n in carried:
            need(not accumulates(n, s.body, carried) or
                 not is_weak(typed(env[n])) or is_weak(head[n]) or
                 is_float(head[n]) or head[n].itemsize == 8,
                 "what starts weak becomes 64-bit")
        self.meet[s] = held(head)
        after = merge([head] + [{n: e[n] for n in head} for e in breaks])
        self.meet[s, "after"] = held(after)
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
        self.returned.append(s.values)
        return None

    # Expressions.

    def expr(self, e, env):
        self.constants.pop(e, None)
        self.sets.pop(e, None)
        t = getattr(self, "e_" + type(e).__name__.lower())(e, env)
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
        need(is_integer(self.expr(e.index, env)), "an index is no integer")
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


def accumulates(name, body, carried):
    """Whether a loop may compute a name from itself, perhaps by way of other
    names that it carries."""
    for statement in body:
        for node in walk(statement):
            if isinstance(node, Aug) and node.name == name:
                return True
            if isinstance(node, Assign) and name in node.names and any(
                    carried & computed_from(value) for value in node.values):
                return True
    return False


def computed_from(node):
    """The names that a value is computed from; what is only tested is none of
    them."""
    if isinstance(node, Name):
        return {node.id}
    if isinstance(node, (Cmp, Logic)) or \
            isinstance(node, Un) and node.op == "not":
        return set()
    if isinstance(node, Cond):
        return computed_from(node.a) | computed_from(node.b)
    return set().union(*(computed_from(part)
                         for _, _, part in node.children()))


# `if`, `for`, `while` and `return` are words of Python as well.
for _word in ("if", "for", "while", "return"):
    setattr(Types, _word, getattr(Types, _word + "_"))
