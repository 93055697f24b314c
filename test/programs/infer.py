"""The static types of a generated function, by the rules of the language's page.

`Types(function, arguments)` raises IllTyped for programs that the language
refuses, and for some whose meaning does not follow from the tree alone (weak
values that may not fit a narrow type).
"""

from elements import (TYPES, IllTyped, carrier, is_bool, is_float, is_integer,
                      is_weak, join, need)
from environments import Constant, Meeting, arriving, held, merge, typed
from expressions import Expressions
from tree import (Assign, Aug, Cmp, Cond, Each, For, If, Logic, Name, PRange,
                  Return, Un, While, walk)


def storable(source, to):
    """Whether a value may be returned as, or stored into, type `to`."""
    if is_weak(source):
        if source in ("wi", "ix"):
            return not is_bool(to)
        return is_float(to)
    rank = lambda t: 0 if is_bool(t) else 1 if t.kind == "u" else \
        2 if t.kind == "i" else 3
    return rank(source) <= rank(to)


class Types(Expressions):
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
        for value in s.values:
            self.expr(value, env)
        entries = [self.entry(v, env) for v in s.values]
        return {**env, **dict(zip(s.names, entries))}

    def entry(self, e, env):
        """The type of a name that is bound to this expression."""
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
        """Decided tests drop bodies; the remaining paths meet.
        A number that a decided `if` assigns is not a constant after it."""
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
        """`body_env(head)` adds what each iteration binds. The body is typed again
        with the types at its end, until they are stable."""
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
        last = self.block(s.otherwise, dict(head)) if s.otherwise else head
        ends = [e for e in [last] + breaks if e is not None]
        after = merge([{n: e[n] for n in head} for e in ends])
        self.meet[s, "after"] = held(after)
        return after

    def for_(self, s, env):
        for bound in (s.lo, s.hi):
            need(is_integer(self.expr(bound, env)), "a bound is not an integer")
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
        need(is_integer(self.expr(s.index, env)), "an index is not an integer")
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
        for inner in statement.body + getattr(statement, "otherwise", []):
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
    """The names that a value is computed from, without those that are only
    tested."""
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
