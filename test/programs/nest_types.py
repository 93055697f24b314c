"""The rules for generated gufuncs: types, and how large values become.

Sums of floats may be regrouped, so generated programs only add floats whose
sums are exact in any order: integers that are small enough. `Bounds(function,
longest)` raises IllTyped for programs for which that does not follow from the
largest extent.
"""

from elements import (BOOL, I64, NAME_OF, TYPES, IllTyped, is_float, is_weak,
                      need, promote)
from nest_tree import BINS
from tree import Lit

DIGITS = {"f16": 11, "f32": 24, "f64": 53}
LARGEST_NUMBER = {"f16": 2, "f32": 8, "f64": 8}


def range_of(dtype):
    """The largest magnitude of an integer type."""
    return 1 if dtype == BOOL else 1 << 63 if dtype.itemsize == 8 else \
        1 << (8 * dtype.itemsize)


class Value:
    """A type (a dtype, "ix" or "wi"), a bound of the magnitude, and whether it
    is an integer."""

    def __init__(self, type, bound, exact=True):
        if not is_weak(type):
            if not is_float(type):
                bound, exact = min(bound, range_of(type)), True
            elif bound > 1 << DIGITS[NAME_OF[type]]:
                exact = False
        self.type, self.bound, self.exact = type, bound, exact


class Bounds:
    def __init__(self, function, longest):
        self.longest = longest
        self.env, self.arrays = {}, {}
        for a in function.arrays:
            t = TYPES[a.type]
            bound = BINS if a.holds == "bins" else longest \
                if a.holds == "order" else LARGEST_NUMBER.get(a.type, 1 << 63)
            self.arrays[a.name] = Value(t, bound)
        # Stores raise an array's bound until it is stable.
        for _ in range(6):
            before = {n: (v.bound, v.exact) for n, v in self.arrays.items()}
            self.env = {a.name: self.arrays[a.name] for a in function.arrays
                        if not a.extents}
            self.added = {}
            self.trips, self.again = 1, False
            self.block(function.body)
            if before == {n: (v.bound, v.exact)
                          for n, v in self.arrays.items() if n in before}:
                break
        else:
            raise IllTyped("bounds do not settle")

    def grow(self, old, new):
        need(old.type == new.type, "a type changes")
        return Value(old.type, max(old.bound, new.bound),
                     old.exact and new.exact)

    made = staticmethod(Value)

    # Statements.

    def block(self, body):
        for statement in body:
            if hasattr(statement, "ruled"):
                statement.ruled(self)
            else:
                getattr(self, "s_" + type(statement).__name__.lower())(statement)

    def s_assign(self, s):
        for name, value in zip(s.names, s.values):
            new = self.expr(value)
            need(not is_weak(new.type), "a weak name")
            need(not self.again or name not in self.env or
                 not is_float(new.type) or
                 new.bound <= self.env[name].bound, "a number grows")
            self.env[name] = self.grow(self.env[name], new) \
                if name in self.env else new

    def s_aug(self, s):
        old, new = self.env[s.name], self.expr(s.value)
        need(promote({old.type, new.type}) == old.type, "a type changes")
        if is_float(old.type):
            need(s.op == "+", "a product of floats")
            if self.again:
                need(new.bound <= self.added[s], "a number grows")
                return
            self.added[s] = new.bound
            self.env[s.name] = Value(old.type,
                                     old.bound + new.bound * self.trips,
                                     old.exact and new.exact)
        else:
            self.env[s.name] = Value(old.type, 1 << 63)

    def s_if(self, s):
        for test in s.tests:
            need(self.expr(test).type == BOOL, "no condition")
        for body in s.bodies:
            kept = set(self.env)
            self.block(body)
            self.env = {n: v for n, v in self.env.items() if n in kept}

    def loop(self, s, names, extents):
        """The body is visited twice: the bounds at its head must not grow a second
        time."""
        kept, trips = set(self.env), self.trips
        for extent in extents:
            need(is_index(self.expr(extent).type), "no extent")
        self.trips *= self.longest
        for name in names:
            self.env[name] = Value("ix", self.longest)
        self.block(s.body)
        again, self.again = self.again, True
        self.block(s.body)
        self.trips, self.again = trips, again
        self.env = {n: v for n, v in self.env.items() if n in kept}

    def s_for(self, s):
        self.loop(s, [s.name], [s.lo, s.hi])
        self.block(s.otherwise)

    def s_nest(self, s):
        self.loop(s, s.names, s.extents)

    def s_local(self, s):
        if s.name not in self.arrays:
            self.arrays[s.name] = Value(TYPES[s.type], 0)

    def s_put(self, s):
        held, new = self.arrays[s.array], self.expr(s.value)
        need(new.type == held.type, "a value does not convert")
        for index in s.indices:
            need(is_index(self.expr(index).type), "no index")
        if s.op == "+" and is_float(held.type):
            need(new.exact, "a sum of fractions")
            new = Value(held.type, LARGEST_NUMBER["f64"] +
                        new.bound * self.trips)
            need(new.exact, "a sum that is not exact")
        elif s.op:
            need(not is_float(held.type), "bits of floats")
            new = Value(held.type, 1 << 63)
        self.arrays[s.array] = self.grow(held, new)

    def s_jump(self, s):
        pass

    def s_return(self, s):
        for value in s.values:
            self.expr(value)

    # Expressions.

    def expr(self, e):
        if hasattr(e, "bounded"):
            return e.bounded(self)
        return getattr(self, "e_" + type(e).__name__.lower())(e)

    def e_lit(self, e):
        return Value("wi", abs(e.value), isinstance(e.value, int))

    def e_name(self, e):
        return self.env[e.id] if e.id in self.env else Value("ix", self.longest)

    def e_at(self, e):
        for index in e.indices:
            need(is_index(self.expr(index).type), "no index")
        return self.arrays[e.array]

    def meet(self, a, b):
        if is_weak(a.type) and is_weak(b.type):
            return "ix" if "ix" in (a.type, b.type) else "wi"
        if is_weak(a.type) or is_weak(b.type):
            weak, typed = (a, b) if is_weak(a.type) else (b, a)
            need(weak.type == "wi", "an index beside a number")
            return typed.type
        return promote({a.type, b.type})

    def e_bin(self, e):
        a, b = self.expr(e.a), self.expr(e.b)
        t = self.meet(a, b)
        exact = a.exact and b.exact
        if e.op in ("+", "-"):
            return Value(t, a.bound + b.bound, exact)
        if e.op == "*":
            return Value(t, a.bound * b.bound, exact)
        if e.op == "/":
            need(is_float(t) and isinstance(e.b, Lit), "a quotient")
            return Value(t, a.bound, False)
        need(is_weak(t) or not is_float(t), "bits of a float")
        if e.op == "%":
            need(isinstance(e.b, Lit) or is_weak(t), "a remainder")
            return Value(t, b.bound, exact)
        return Value(t, max(a.bound, b.bound) if e.op == "//" else 1 << 63)

    def e_un(self, e):
        a = self.expr(e.a)
        return Value(a.type, a.bound, a.exact)

    def e_cmp(self, e):
        for item in e.items:
            self.expr(item)
        return Value(BOOL, 1)

    def e_logic(self, e):
        for item in e.items:
            self.expr(item)
        return Value(BOOL, 1)

    def e_cond(self, e):
        need(self.expr(e.test).type == BOOL, "no condition")
        a, b = self.expr(e.a), self.expr(e.b)
        need(a.type == b.type, "paths of two types")
        return self.grow(a, b)

    def e_cast(self, e):
        a, to = self.expr(e.a), TYPES[e.type]
        if is_float(to):
            new = Value(to, a.bound, a.exact)
            need(new.exact or not a.exact, "a number that is rounded")
            return new
        if not is_weak(a.type) and is_float(a.type):
            need(a.exact and a.bound < range_of(to) // 2 and to.kind == "i",
                 "a float that does not fit")
        return Value(to, a.bound)

    def e_call(self, e):
        items = [self.expr(item) for item in e.items]
        t = items[0].type
        need(all(i.type == t for i in items), "types differ")
        return Value(t, max(i.bound for i in items),
                     all(i.exact for i in items) and e.name != "sqrt")

    def e_gen(self, e):
        kept, trips = dict(self.env), self.trips
        count = 1
        for name, extent in zip(e.names, e.extents):
            need(is_index(self.expr(extent).type), "no extent")
            count *= extent.value if isinstance(extent, Lit) else self.longest
            self.env[name] = Value("ix", self.longest)
        self.trips *= count
        if e.test is not None:
            need(self.expr(e.test).type == BOOL, "no condition")
        value = self.expr(e.value)
        self.env, self.trips = kept, trips
        need(not is_weak(value.type), "a weak sum")
        if e.init is not None:
            need(self.expr(e.init).type == value.type, "types differ")
            return value
        if e.kind in ("any", "all"):
            need(value.type == BOOL, "no condition")
            return value
        need(value.type != BOOL, "bools are not numbers here")
        if e.kind in ("argmin", "argmax"):
            return Value(I64, 1 << 40)
        if e.kind in ("min", "max"):
            need(e.test is None or not is_float(value.type), "an infinity")
            return value
        if not is_float(value.type):
            return Value(TYPES["u64"] if value.type.kind == "u" else I64,
                         1 << 63)
        need(e.kind == "sum" and value.exact, "a sum of fractions")
        total = Value(value.type, value.bound * count)
        need(total.exact, "a sum that is not exact")
        return total


def is_index(t):
    return is_weak(t) or t.kind in "iu"
