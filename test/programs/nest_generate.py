"""Random gufuncs: `Nests(random.Random(seed)).function(name)`.

A function is a list of phases over the same arrays: nests of `prange`s,
reductions, loops in order, scatter accumulations, local arrays. Values are made
for a type that is asked for, so that most programs are well typed; Bounds turns
away the rest.
"""

from elements import IllTyped, TYPES
from nest_language import Extremum, Region, Swap
from nest_tree import BINS, Array, At, Gufunc, Local, Nest, Put
from nest_types import Bounds
from nest_values import Scope, Values
from tree import Aug, Assign, Bin, Call, Cast, For, If, Jump, Lit, Name, Return

TYPE_SETS = [["f32"], ["f64"], ["f32", "f64"], ["f32", "i32"], ["i32", "i64"],
             ["f32", "u8", "i32"], ["i8", "i16", "i64"], ["u32", "i64"],
             ["f16", "f32"], ["f64", "i32", "u16"]]
LONGEST = 4100  # a dimension of functions that add floats
INTEGERS = ["i32", "i64", "u32"]


class Nests(Values):
    @staticmethod
    def check(function):
        Bounds(function, LONGEST)

    def function(self, name):
        while True:
            try:
                found = self.attempt(name)
                self.check(found)
                return found
            except IllTyped:
                continue

    def attempt(self, name):
        self.number, self.arrays_read = 0, []
        self.types = self.pick(TYPE_SETS)
        self.dims = self.random.sample(["m", "n", "k"], self.pick([1, 2, 2, 3]))
        self.arrays = self.parameters()
        scope = Scope({}, {a.name: a.type for a in self.arrays
                           if not a.extents})
        body = []
        for _ in range(self.pick([0, 1, 1, 2, 3])):
            body += self.pick([self.total, self.total, self.scratch,
                               self.in_order])(scope)
        results, returned = self.ends(scope, body)
        held = Gufunc(name, self.arrays, results, body)
        if returned:
            body.append(Return(returned))
        self.prune(held)
        return held

    def prune(self, function):
        """Leaves out parameters that nothing reads, unless they set a dimension's
        size."""
        text = "".join(s.text("") for s in function.body)
        used = [a for a in function.arrays
                if a.role != "in" or f"{a.name}[" in text or
                not a.extents and a.name in text]
        named = {d for a in used if a.role != "out" for d in map(str, a.extents)}
        text += " ".join(str(e) for a in function.arrays for e in a.extents
                         if a.role == "out")
        for a in function.arrays:
            missing = [d for d in map(str, a.extents)
                       if d in self.dims and d not in named and d in text]
            if a not in used and missing:
                used.append(a)
                named |= set(map(str, a.extents))
        function.arrays = [a for a in function.arrays if a in used]
        if not any(a.role == "in" for a in function.arrays):
            raise IllTyped("nothing is read")

    def parameters(self):
        arrays = []
        for k in range(self.pick([1, 2, 2, 3, 3, 4])):
            rank = self.pick([0, 1, 1, 1, 2, 2, 3])
            extents = [Name(self.pick(self.dims)) for _ in range(rank)]
            if rank and self.chance(0.2):
                extents[-1] = Lit(self.pick([2, 3, 4, 7]))
            arrays.append(Array(f"a{k}", self.pick(self.types), extents, "in"))
        # Each dimension occurs in an input.
        named = {str(e) for a in arrays for e in a.extents}
        missing = [d for d in self.dims if d not in named]
        if missing:
            arrays.append(Array("b", self.pick(self.types),
                                [Name(d) for d in missing], "in"))
        if self.chance(0.35):
            arrays.append(Array("at", self.pick(["i32", "i64", "u8"]),
                                [Name(self.pick(self.dims))], "in", "bins"))
        if self.chance(0.15):
            arrays.append(Array("order", self.pick(["i32", "i64"]),
                                [Name(self.pick(self.dims))], "in", "order"))
        return arrays

    # Phases.

    def total(self, scope):
        """A reduction of each loop element, that later phases use."""
        t = self.pick(self.types)
        name = self.name("s")
        value = self.reduction(scope, t, 2)
        scope.names[name] = t
        return [Assign([name], [value])]

    def scratch(self, scope):
        """A local array that one loop fills and later ones read."""
        t, name = self.pick(self.types), self.name("t")
        extents = [Name(d) for d in self.random.sample(
            self.dims, min(len(self.dims), self.pick([1, 1, 2])))]
        if self.chance(0.4):
            extents = [Lit(self.pick([3, 8]))]
        made = [Local(name, t, extents)]
        array = Array(name, t, extents, "local")
        kind = self.random.random()
        if kind < 0.3 and len(extents) == 1 and t in INTEGERS:
            body = self.scatter(scope, array)
        elif kind < 0.4:
            body = self.extrema(scope, array)
        elif kind < 0.5:
            body = self.inner(scope, array)
        else:
            body = self.filled(scope, array)
        self.arrays_read.append(array)
        if self.chance(0.15):
            body += self.swapped(scope, array)
        return made + body

    def extrema(self, scope, array):
        """Iterations that share elements, of which the smallest or largest value stays."""
        ranges = [(self.name("x"), Name(self.pick(self.dims)))]
        inside = scope.within(ranges)
        indices = [self.bin_below(inside, e) for e in array.extents]
        return self.nested(ranges, [Extremum(
            array.name, indices, self.pick(["min", "max"]), self.value(inside, array.type, 2))])

    def inner(self, scope, array):
        """A nest that writes some elements of an array."""
        names = [self.name("x") for _ in array.extents]
        inside = scope.within(zip(names, array.extents))
        value = self.value(inside, array.type, 2)
        return [Region(names, [self.pick([0, 1, 2]) for _ in names], list(array.extents),
                       [Put(array.name, [Name(n) for n in names], "", value)])]

    def swapped(self, scope, array):
        """Steps from one array to another, which change places after each."""
        other, j = self.name("t"), self.name("j")
        names = [self.name("x") for _ in array.extents]
        indices = [Name(n) for n in names]
        inside = scope.within([*zip(names, array.extents)])
        step = Put(other, indices, "", self.value(inside, array.type, 1))
        swap = Swap(*self.random.sample([array.name, other], 2))
        made = [Nest(names, list(array.extents), [step]), swap]
        if self.chance(0.5):
            made = [For(j, Lit(0), Lit(self.pick([1, 2, 3])), 1, made)]
        return [Local(other, array.type, array.extents)] + made

    def filled(self, scope, array):
        """A nest that writes every element of an array."""
        extents = list(array.extents)
        names = [self.name("x") for _ in extents]
        order = list(range(len(extents)))
        self.random.shuffle(order)
        inside = scope.within([(names[k], extents[k]) for k in order])
        body = self.prologue(inside)
        indices = [self.mirrored(n, e) for n, e in zip(names, extents)]
        body += self.stored(inside, array, indices)
        return self.nested([(names[k], extents[k]) for k in order], body)

    def nested(self, ranges, body):
        """One flat `prange`, or some inside one another; or loops in order."""
        if len(ranges) > 1 and self.chance(0.3):
            first, rest = ranges[:1], ranges[1:]
            body = self.nested(rest, body)
            ranges = first
        return [Nest([n for n, _ in ranges], [e for _, e in ranges], body,
                     in_order=self.chance(0.3))]

    def mirrored(self, name, extent):
        if self.chance(0.12):
            return Bin("-", Bin("-", extent, Lit(1)), Name(name))
        return Name(name)

    def prologue(self, scope):
        """Names of an iteration: values, and what a loop in order computes."""
        body = []
        for _ in range(self.pick([0, 0, 0, 1, 1, 2])):
            if self.chance(0.35):
                body += self.in_order(scope)
            else:
                name, t = self.name("v"), self.pick(self.types)
                value = self.reduction(scope, t, 1) if self.chance(0.4) else \
                    self.value(scope, t, 2)
                body.append(Assign([name], [value]))
                scope.names[name] = t
        if self.chance(0.08):
            name, t = self.name("t"), self.pick(self.types)
            array = Array(name, t, [Lit(4)], "local")
            j = self.name("j")
            inner = scope.within([(j, Lit(4))])
            body += [Local(name, t, [Lit(4)]),
                     For(j, Lit(0), Lit(4), 1, [
                         Put(name, [Name(j)], "", self.value(inner, t, 1))])]
            scope.own.append(array)
        return body

    def stored(self, scope, array, indices):
        t = array.type
        value = self.reduction(scope, t, 2) if self.chance(0.4) else \
            self.value(scope, t, 3)
        store = Put(array.name, indices, "", value)
        kind = self.random.random()
        if kind < 0.12:
            other = Put(array.name, indices, "", self.value(scope, t, 2))
            return [If([self.condition(scope)], [[store], [other]])]
        if kind < 0.17:
            return [If([self.condition(scope)], [[store]])]
        return [store]

    def in_order(self, scope):
        """A loop in order over a dimension, that carries a value."""
        t, name, j = self.pick(self.types), self.name("c"), self.name("j")
        extent = Name(self.pick(self.dims)) if self.chance(0.8) else Lit(5)
        first = Cast(t, Lit(self.pick([0, 1])))
        lo, hi, step = Lit(0), extent, 1
        if self.chance(0.15):
            lo, hi, step = Bin("-", extent, Lit(1)), Bin("-", Lit(0), Lit(1)), -1
        elif self.chance(0.2) and scope.indices:
            hi = Name(self.pick(scope.indices))
            extent = scope.indices[hi.id]
        carried = Scope({**scope.indices, j: extent},
                        {**scope.names, name: t}, scope.own)
        kind = self.random.random()
        if kind < 0.4 or TYPES[t].kind == "f" and kind < 0.7:
            body = [Aug(name, "+", self.value(carried.without(name), t, 2))]
        elif TYPES[t].kind == "f":
            body = [Assign([name], [Call(self.pick(["max", "min"]), [
                Name(name), self.value(carried.without(name), t, 2)])])]
        else:
            body = [Assign([name], [Cast(t, Bin(
                "+", Bin("*", Name(name), Lit(3)),
                self.value(carried, t, 2)))])]
        if self.chance(0.2):
            body = [If([self.condition(carried)], [body])]
        if self.chance(0.1):
            body.append(If([self.condition(carried)], [[Jump("break")]]))
        elif self.chance(0.1) and step == 1:
            body.insert(0, If([self.condition(carried)], [[Jump("break")]]))
        scope.names[name] = t
        otherwise = [Aug(name, "+", Cast(t, Lit(1)))] if self.chance(0.15) else []
        return [Assign([name], [first]), For(j, lo, hi, step, body, otherwise)]

    def scatter(self, scope, array):
        """Accumulates into an array that was filled before."""
        ranges = [(self.name("x"), Name(d)) for d in self.random.sample(
            self.dims, min(len(self.dims), self.pick([1, 1, 2])))]
        inside = scope.within(ranges)
        indices = [self.bin_below(inside, e) for e in array.extents]
        op = self.pick(["+", "+", "+", "|", "^"]) \
            if array.type in INTEGERS else "+"
        hidden = [a for a in self.arrays_read if a is not array]
        self.arrays_read, kept = hidden, self.arrays_read
        body = [Put(array.name, indices, op, self.value(inside, array.type, 2))]
        if self.chance(0.2):
            body = [If([self.condition(inside)], [body])]
        self.arrays_read = kept
        return self.nested(ranges, body)

    # The results of a function.

    def ends(self, scope, body):
        kind = self.random.random()
        if kind < 0.15:
            count = self.pick([1, 1, 2, 3])
            results = [self.pick(self.types) for _ in range(count)]
            return results, [Cast(t, self.reduction(scope, t, 2))
                             for t in results]
        if kind < 0.3:
            self.histogram(scope, body)
            return [], None
        if kind < 0.38:
            self.scan(scope, body)
            return [], None
        for k in range(self.pick([1, 1, 1, 2])):
            extents = [self.result_extent() for _ in range(
                self.pick([1, 1, 2, 2, 3]))]
            array = Array(f"y{k}", self.pick(self.types), extents, "out")
            self.arrays.append(array)
            body += self.filled(scope, array)
            if self.chance(0.3):
                self.arrays_read.append(array)
            elif self.chance(0.2) and array.type in INTEGERS and all(
                    isinstance(e, Name) for e in extents):
                body += self.update(scope, array)
        return [], None

    def result_extent(self):
        d = Name(self.pick(self.dims))
        if self.chance(0.15):
            return Bin("-", d, Lit(self.pick([1, 2, 4])))
        if self.chance(0.08):
            return Lit(self.pick([1, 3, 4]))
        if self.chance(0.06):
            return Bin("//", d, Lit(2))
        return d

    def update(self, scope, array):
        """A nest that reads and writes each element once more."""
        names = [self.name("x") for _ in array.extents]
        ranges = list(zip(names, array.extents))
        inside = scope.within(ranges)
        indices = [Name(n) for n in names]
        return self.nested(ranges, [Put(
            array.name, indices, "", Bin(
                "^", At(array.name, indices),
                self.value(inside, array.type, 2)))])

    def histogram(self, scope, body):
        t = self.pick(INTEGERS + ["f32", "f64"])
        extents = [Lit(self.pick([BINS, 8, 40]))]
        if self.chance(0.25):
            extents.insert(0, Name(self.pick(self.dims)))
        is_own = self.chance(0.4)
        array = Array("h", t, extents, "inout" if is_own else "out")
        self.arrays.append(array)
        if not is_own:
            names = [self.name("x") for _ in extents]
            body.append(Nest(names, extents, [Put(
                "h", [Name(n) for n in names], "", Cast(t, Lit(0)))]))
        body += self.scatter(scope, array)

    def scan(self, scope, body):
        """A loop in order that stores as it goes, over rows or over each."""
        t, d = self.pick(self.types), self.pick(self.dims)
        extents, ranges = [Name(d)], []
        if self.chance(0.4):
            ranges = [(self.name("x"), Name(self.pick(self.dims)))]
            extents = [ranges[0][1], Name(d)]
        array = Array("y", t, extents, "out")
        self.arrays.append(array)
        inside = scope.within(ranges)
        j, name = self.name("j"), self.name("c")
        carried = inside.within([(j, Name(d))])
        value = self.value(carried, t, 2)
        step = Call("max", [Name(name), value]) if self.chance(0.3) else None
        loop = For(j, Lit(0), Name(d), 1, [
            Aug(name, "+", value) if step is None else Assign([name], [step]),
            Put("y", [Name(n) for n, _ in ranges] + [Name(j)], "", Name(name))])
        made = [Assign([name], [Cast(t, Lit(0))]), loop]
        body += self.nested(ranges, made) if ranges else made
