"""Random values of a type that is asked for, at a place of a gufunc."""

from elements import TYPES, IllTyped
from nest_language import TABLE, Bits, Lookup, Member, Power, Scaled, TableGen, View
from nest_tree import BINS, At, Gen
from tree import Bin, Call, Cast, Choices, Cmp, Cond, Lit, Logic, Name, Un

COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


class Scope:
    """The scope of a place: indices with their extents, names with their types, the
    arrays of its iteration."""

    def __init__(self, indices, names, own=()):
        self.indices, self.names, self.own = indices, names, list(own)

    def within(self, ranges):
        return Scope({**self.indices, **dict(ranges)}, dict(self.names),
                     self.own)

    def without(self, name):
        return Scope(self.indices, {n: t for n, t in self.names.items()
                                    if n != name}, self.own)


def is_float(name):
    return name in ("f16", "f32", "f64")


class Values(Choices):
    def __init__(self, random, exact=True):
        """`exact`: no operation rounds, so that contraction changes nothing."""
        super().__init__(random)
        self.exact = exact
        self.number, self.arrays_read, self.arrays = 0, [], []

    def name(self, letter):
        self.number += 1
        return f"{letter}{self.number}"

    # Indices.

    def index(self, scope, extent):
        """An index of a dimension: an index in scope that fits, perhaps moved;
        else one that data or a remainder bring into it."""
        text = str(extent)
        same = [n for n, e in scope.indices.items() if str(e) == text]
        if same and self.chance(0.85):
            name = Name(self.pick(same))
            if self.chance(0.1):
                return Bin("-", Bin("-", extent, Lit(1)), name)
            if self.chance(0.05) and (order := self.holding("order", extent)):
                return At(order.name, [name])
            return name
        # A shorter range leaves room for a window.
        for n, e in scope.indices.items():
            if isinstance(e, Bin) and e.op == "-" and str(e.a) == text and \
                    isinstance(e.b, Lit) and self.chance(0.9):
                return Bin("+", Name(n), Lit(self.pick(range(e.b.value + 1))))
            if isinstance(e, Bin) and e.op == "//" and str(e.a) == text and \
                    self.chance(0.9):
                return Bin("+", Bin("*", Lit(2), Name(n)),
                           Lit(self.pick([0, 1])))
        return self.elsewhere(scope, extent)

    def elsewhere(self, scope, extent):
        if isinstance(extent, Lit):
            if extent.value >= BINS and self.chance(0.5):
                return self.bin_below(scope, extent)
            return Lit(self.pick(range(extent.value)))
        if scope.indices and self.chance(0.5):
            return Bin("%", Name(self.pick(scope.indices)), extent)
        bins = self.bin_of(scope)
        if bins is not None and self.chance(0.4):
            return bins
        return Lit(0)

    def holding(self, holds, extent):
        for a in self.arrays:
            if a.holds == holds and str(a.extents[-1]) == str(extent):
                return a
        return None

    def bin_of(self, scope):
        """An element of an array of bins, if an index reaches one."""
        for a in self.arrays:
            if a.holds == "bins":
                for n, e in scope.indices.items():
                    if str(e) == str(a.extents[0]):
                        return At(a.name, [Name(n)])
        return None

    def bin_below(self, scope, extent):
        """Where an iteration accumulates."""
        bins = self.bin_of(scope)
        if isinstance(extent, Lit):
            if bins is not None and extent.value >= BINS and self.chance(0.7):
                return bins
            source = Name(self.pick(scope.indices)) if scope.indices else Lit(0)
            if self.chance(0.4):
                source = Bin("+", Bin("*", source, Lit(3)), Lit(1))
            if self.chance(0.3):
                source = Cast("i64", self.value(scope, "i32", 1))
            return Bin("%", source, extent)
        same = [n for n, e in scope.indices.items() if str(e) == str(extent)]
        if same:
            return Name(self.pick(same))
        if bins is not None and self.chance(0.5):
            return bins
        return Bin("%", Name(self.pick(scope.indices)), extent)

    # Values.

    def readable(self, scope, t):
        found = [a for a in self.arrays if a.role == "in" and a.extents and
                 a.type == t and a.holds == "numbers"]
        return found + [a for a in self.arrays_read + scope.own if a.type == t]

    def leaf(self, scope, t):
        options = []
        arrays = self.readable(scope, t)
        # Arrays that the indices in scope reach are what loops are for.
        for a in arrays:
            known = {str(e) for e in scope.indices.values()}
            fits = sum(any(str(e) in k for k in known) for e in a.extents)
            options += [a] * (1 + 3 * fits)
        names = [n for n, held in scope.names.items() if held == t]
        if names and (not options or self.chance(0.3)):
            return Name(self.pick(names))
        if options and self.chance(0.92):
            a = self.pick(options)
            return At(a.name, [self.index(scope, e) for e in a.extents])
        others = [a for a in self.arrays if a.role == "in" and a.extents and
                  a.holds == "numbers"]
        if others and self.chance(0.6):
            a = self.pick(others)
            found = At(a.name, [self.index(scope, e) for e in a.extents])
            if is_float(t) and not is_float(a.type):
                found = Bin("%", found, Lit(5))
            return self.as_type(found, a.type, t)
        if scope.indices and self.chance(0.3):
            return Cast(t, Bin("%", Name(self.pick(scope.indices)), Lit(4)))
        return Cast(t, Lit(self.pick([0, 1, 2, 3])))

    def value(self, scope, t, depth):
        if depth <= 0 or self.chance(0.15):
            return self.leaf(scope, t)
        if self.chance(0.12):
            return self.newer(scope, t, depth - 1)
        kind = self.random.random()
        if kind < 0.5:
            ops = ["+", "-", "*", "*"] if is_float(t) else \
                ["+", "-", "*", "&", "|", "^"]
            op = self.pick(ops)
            a, b = self.value(scope, t, depth - 1), self.value(scope, t,
                                                               depth - 1)
            return Bin(op, a, b)
        if kind < 0.6:
            if is_float(t):
                if not self.exact:
                    a = self.value(scope, t, depth - 1)
                    return self.pick([
                        Bin("/", a, Lit(self.pick([3.0, 7.0]))),
                        Call("sqrt", [Call("abs", [a])])])
                return Un("-", self.value(scope, t, depth - 1))
            a = self.value(scope, t, depth - 1)
            return Bin(self.pick(["//", "%"]), a, Lit(self.pick([2, 3, 7])))
        if kind < 0.7:
            return Call(self.pick(["max", "min"]),
                        [self.value(scope, t, depth - 1) for _ in range(2)])
        if kind < 0.78:
            return Cond(self.condition(scope), self.value(scope, t, depth - 1),
                        self.value(scope, t, depth - 1))
        if kind < 0.9:
            return self.converted(scope, t, depth)
        return self.reduction(scope, t, depth - 1)

    def newer(self, scope, t, depth):
        """A power, a call by name, a table, or bits."""
        a = self.value(scope, t, depth)
        kind = self.pick(["power", "scaled", "table", "table", "lookup", "bits"])
        if kind == "power":
            return Power(a, self.pick([2, 3] if is_float(t) else [2, 3, 4, 7, 12]))
        if kind == "scaled":
            named = {"shift": self.pick([0, 2]), "factor": self.pick([1, 2])}
            return Scaled(a, dict(self.random.sample(list(named.items()),
                                                     self.pick([0, 1, 2]))))
        if kind == "table":
            made = self.table_sum(scope, t)
            sums = made.kind == "sum" and not is_float(t)
            return Cast(t, made) if sums else made
        if kind == "lookup":
            index = Name(self.pick(scope.indices)) if scope.indices else Lit(7)
            return Cast(t, Lookup(self.pick(["TAPS", "PLACES"]),
                                  Bin("%", index, Lit(len(TABLE)))))
        if is_float(t):
            word = {"f16": "u16", "f32": "u32", "f64": "i64"}[t]
            bits = View(word, Call("abs", [a]))
            return Cast(t, Bin("%", Bits("popcount", bits), Lit(5)))
        if self.chance(0.3):
            other = ("i" if t[0] == "u" else "u") + t[1:]
            return Cast(t, View(other, Cast(t, a)))
        return Cast(t, Bits(self.pick(["popcount", "clz", "ctz", "bit_reverse"]), a))

    def table_sum(self, scope, t):
        """`sum(t(c) * a[…] for c in TAPS)` and its kin."""
        name = self.name("c")
        value = Bin("*", Cast(t, Name(name)), self.leaf(scope, t))
        if self.chance(0.3):
            value = Bin("+", value, self.leaf(scope, t))
        return TableGen(self.pick(["sum", "sum", "max", "min"]), value, name,
                        self.pick(["TAPS", "PLACES"]))

    def converted(self, scope, t, depth):
        """A value of another type."""
        other = self.pick(self.types)
        if other == t:
            return self.leaf(scope, t)
        value = self.value(scope, other, depth - 1)
        if is_float(t) and not is_float(other):
            value = Bin("%", value, Lit(self.pick([2, 3, 5])))
        if not is_float(t) and is_float(other):
            return Cast(t, Cast("i64", value))
        return Cast(t, value)

    def condition(self, scope):
        t = self.pick(self.types)
        if scope.indices and self.chance(0.25):
            name = Name(self.pick(scope.indices))
            test = Cmp([self.pick(["==", "!=", "<"])],
                       [Bin("%", name, Lit(3)), Lit(self.pick([0, 1, 2]))])
        elif self.chance(0.12):
            test = Member(self.value(scope, t, 1),
                          self.random.sample([0, 1, 2, 3, 5, 100], self.pick([1, 2, 3])) + [7],
                          self.pick(["in", "in", "not in"]), self.pick(["()", "[]"]))
        else:
            test = Cmp([self.pick(COMPARISONS)],
                       [self.value(scope, t, 1), self.leaf(scope, t)])
        if self.chance(0.1):
            test = Logic(self.pick(["and", "or"]), [test, self.condition(scope)])
        return test

    def reduction(self, scope, t, depth):
        """A reduction as a value of type t. A product of two arrays is what a
        third of the sums are of."""
        ranges = []
        for _ in range(self.pick([1, 1, 1, 2])):
            extent = Name(self.pick(self.dims))
            if self.chance(0.1):
                extent = Lit(self.pick([2, 3, 4]))
            elif self.chance(0.1) and scope.indices:
                extent = Name(self.pick(scope.indices))
            ranges.append((self.name("p"), extent))
        # An index as an extent stands for one of its own.
        known = [(n, scope.indices.get(str(e), e)) for n, e in ranges]
        inside = scope.within(known)
        kind = self.pick(["sum"] * 6 + ["max", "min", "argmax", "argmin", "any",
                                        "all", "prod", "greater", "last_set"])
        if kind in ("any", "all"):
            value, held = self.condition(inside), "bool"
        else:
            held = t if self.chance(0.8) else self.pick(self.types)
            if kind == "sum" and self.chance(0.4):
                value = Bin("*", self.leaf(inside, held),
                            self.leaf(inside, held))
            else:
                value = self.value(inside, held, min(depth, 2))
        if kind == "prod" and is_float(held):
            raise IllTyped("a product of floats")
        made = Gen(kind, value, [n for n, _ in ranges], [e for _, e in ranges])
        if self.chance(0.15) and kind not in ("max", "min"):
            made.test = self.condition(inside)
        if kind in ("greater", "last_set"):
            made.init = Cast(held, Lit(self.pick([0, 1])))
        given = {"any": "bool", "all": "bool", "argmax": "i64",
                 "argmin": "i64"}.get(kind, held)
        if kind in ("sum", "prod") and not is_float(held):
            given = "u64" if held[0] == "u" else "i64"
        return self.as_type(made, given, t)

    def as_type(self, value, given, t):
        if given == t:
            return value
        if is_float(t) and not is_float(given) and given != "bool":
            return Cast(t, Bin("%", value, Lit(7)))
        if is_float(given) and not is_float(t):
            return Cast(t, Cast("i64", value))
        return Cast(t, value)
