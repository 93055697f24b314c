"""Runs a generated function on one element, by its tree and its static types."""

import numpy as np

import elements
from elements import BOOL, carrier, convert, is_weak
from tree import (Assign, Aug, Each, For, If, PRange, Store, While)


class Broken(Exception):
    """A loop that runs too long for a generated program, or a result that is never
    written."""


class Jumped(Exception):
    def __init__(self, word):
        self.word = word


class Returned(Exception):
    def __init__(self, values):
        self.values = values


def truth(value):
    return bool(value != 0)


class Evaluation:
    def __init__(self, function, types, arguments, size, limit=20000):
        """`arguments` are NumPy scalars and one-dimensional arrays."""
        self.types, self.limit = types, limit
        self.env, self.arrays = {}, {}
        for parameter, value in zip(function.parameters, arguments):
            if parameter.is_array:
                self.arrays[parameter.name] = value
            else:
                self.env[parameter.name] = value
        if function.array:
            self.arrays["y"] = np.zeros(size, elements.TYPES[function.array])
        self.written = np.zeros(size, bool)
        self.function = function

    def run(self):
        try:
            self.block(self.function.body)
        except Returned as end:
            return [convert(v, t)
                    for v, t in zip(end.values, self.types.results)]
        if not self.written.all():
            raise Broken()
        return [self.arrays["y"]]

    def settle(self, environment):
        """Gives variables the types that they have where paths meet."""
        for name, t in (environment or {}).items():
            self.env[name] = convert(self.env[name], carrier(t))

    def block(self, body):
        for statement in body:
            self.statement(statement)

    def statement(self, s):
        if isinstance(s, Assign):
            values = [self.value(v) for v in s.values]
            self.env.update(zip(s.names, values))
        elif isinstance(s, Aug):
            self.env[s.name] = self.operate(
                s, s.op, self.env[s.name], self.value(s.value))
        elif isinstance(s, If):
            self.branch(s)
            self.settle(self.types.meet[s])
        elif isinstance(s, For):
            lo, hi = int(self.value(s.lo)), int(self.value(s.hi))
            self.loop(s, ([np.int64(i)] for i in range(lo, hi, s.step)),
                      [s.name])
        elif isinstance(s, Each):
            self.loop(s, self.elements(s), s.names)
        elif isinstance(s, While):
            self.loop(s, iter(lambda: [] if truth(self.value(s.test)) else None,
                              None), [])
        elif isinstance(s, PRange):
            for i in range(len(self.arrays[s.array])):
                kept = dict(self.env)
                self.env[s.name] = np.int64(i)
                self.block(s.body)
                self.env = kept
        elif isinstance(s, Store):
            array = self.arrays[s.array]
            at = int(self.value(s.index))
            array[at] = convert(self.value(s.value), array.dtype)
            if s.array == "y":
                self.written[at] = True
        elif hasattr(s, "values"):
            raise Returned([self.value(v) for v in s.values])
        elif s.word != "pass":
            raise Jumped(s.word)

    def branch(self, s):
        for i, body in enumerate(s.bodies):
            if i == len(s.tests) or truth(self.value(s.tests[i])):
                self.block(body)
                return

    def elements(self, s):
        arrays = [self.arrays[a] for a in s.arrays]
        if s.form == "reversed":
            arrays = [a[::-1] for a in arrays]
        for i, values in enumerate(zip(*arrays)):
            yield ([np.int64(i)] if s.form == "enumerate" else []) + \
                list(values)

    def loop(self, s, iterations, names):
        self.settle(self.types.meet[s])
        for values in iterations:
            self.limit -= 1
            if self.limit < 0:
                raise Broken()
            self.env.update(zip(names, values))
            try:
                self.block(s.body)
            except Jumped as jump:
                if jump.word == "break":
                    break
            self.settle(self.types.meet[s])
        else:
            self.block(s.otherwise)
        self.settle(self.types.meet[s, "after"])

    # Expressions: a NumPy scalar of the dtype that carries the static type.

    def value(self, e):
        if hasattr(e, "evaluated"):
            return e.evaluated(self)
        return getattr(self, type(e).__name__.lower())(e)

    def lit(self, e):
        return carrier(self.types.of[e]).type(e.value)

    def name(self, e):
        return self.env[e.id]

    def operate(self, e, op, a, b):
        work = self.types.work[e]
        if op == "**":
            a = convert(a, work)
            if work.kind in "iu":
                return elements.binary(op, a, convert(b, work))
            square = elements.binary("*", a, a)
            return square if b == 2 else elements.binary("*", a, square)
        return elements.binary(op, convert(a, work), convert(b, work))

    def bin(self, e):
        return self.operate(e, e.op, self.value(e.a), self.value(e.b))

    def un(self, e):
        a = self.value(e.a)
        if e.op == "not":
            return np.bool_(not truth(a))
        if e.op == "+":
            return a
        return elements.negative(a) if e.op == "-" else elements.invert(a)

    def cmp(self, e):
        left = self.value(e.items[0])
        for op, item, work in zip(e.ops, e.items[1:], self.types.work[e]):
            right = self.value(item)
            if work is None:
                holds = elements.compare(op, left, right)
            else:
                holds = elements.compare(
                    op, convert(left, work), convert(right, work))
            if not holds:
                return np.bool_(False)
            left = right
        return np.bool_(True)

    def logic(self, e):
        for item in e.items:
            if truth(self.value(item)) == (e.op == "or"):
                return np.bool_(e.op == "or")
        return np.bool_(e.op == "and")

    def cond(self, e):
        chosen = e.a if truth(self.value(e.test)) else e.b
        return convert(self.value(chosen), carrier(self.types.of[e]))

    def cast(self, e):
        return convert(self.value(e.a), elements.TYPES[e.type])

    def call(self, e):
        work = self.types.work[e]
        return elements.call(
            e.name, [convert(self.value(item), work) for item in e.items])

    def element(self, e):
        return self.arrays[e.array][int(self.value(e.index))]

    def length(self, e):
        return np.int64(len(self.arrays[e.array]))

    def turns(self, e):
        """The value of each iteration, or None where the test excludes it."""
        def holds(test):
            return test is None or truth(self.value(test))
        outers = self.arrays[e.outer_array] if e.outer_name else [None]
        for outer in outers:
            self.env[e.outer_name] = outer
            if not holds(e.outer_test):
                yield from [None] * len(self.arrays[e.array])
                continue
            for element in self.arrays[e.array]:
                self.env[e.name] = element
                yield self.value(e.value) if holds(e.test) else None
        self.env.pop(e.outer_name, None)
        self.env.pop(e.name, None)

    def reduce(self, e):
        turns = list(self.turns(e))
        values = [v for v in turns if v is not None]
        result = carrier(self.types.of[e])
        if e.kind in ("any", "all"):
            return BOOL.type({"any": any, "all": all}[e.kind](
                truth(v) for v in values))
        if e.kind in ("sum", "prod"):
            total = result.type(e.kind == "prod")
            for v in values:
                total = elements.binary(
                    "+" if e.kind == "sum" else "*", total, convert(v, result))
            return total
        if e.kind.startswith("arg"):
            best = -1
            for i, v in enumerate(turns):
                if v is None:
                    continue
                if best < 0 or np.isnan(v) or (
                        v > turns[best] if e.kind.endswith("max")
                        else v < turns[best]):
                    best = i
                if np.isnan(turns[best]):
                    break
            return np.int64(best)
        total = values[0]
        for v in values[1:]:
            total = elements.extreme(e.kind == "max", total, v)
        return total


def evaluate(function, types, arguments, size=0):
    """The results of one loop element: scalars, or the array result."""
    assert not any(is_weak(t) for t in types.results)
    with np.errstate(all="ignore"):
        return Evaluation(function, types, arguments, size).run()
