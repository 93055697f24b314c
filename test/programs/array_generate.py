"""Random gufuncs of array expressions: `Arrays(random.Random(seed)).function(name)`.

Expressions are made for a shape that is asked for. An extent is what it is for each
size that a dimension may have, so that parts of several steps and directions that
have one extent meet.
"""

import re

from array_names import ArrayNames
from array_tree import ArrayGufunc, Form, Line, Turns
from array_values import ONE, SIZES, Source, dimension, literal, parts_of
from nest_tree import Array
from tree import Cast, Cmp, Cond, If, Lit, Name

TYPE_SETS = [["i64"], ["i64"], ["i32"], ["i16", "i32"], ["i8", "i64"], ["u8"],
             ["u8", "u32"], ["f64"], ["f32"], ["f32", "f64"]]


#: Names of dimensions that are equal in all calls.
OTHER = {"m": "p", "n": "q"}
SAME = {other: name for name, other in OTHER.items()}


class Arrays(ArrayNames):
    def __init__(self, random, exact=True):
        super().__init__(random)

    @staticmethod
    def check(function):
        """What is wrong NumPy says."""

    def function(self, name):
        self.number, self.sources, self.indices = 0, [], {}
        self.types = self.pick(TYPE_SETS)
        self.is_float = self.types[0][0] == "f"
        self.is_signed = self.types[0][0] != "u"
        self.depth = 2
        arrays, body = self.parameters(), []
        constants = []
        if self.chance(0.4):
            t, values = self.pick(self.types), tuple(
                self.random.randrange(4) for _ in range(self.pick([2, 3, 4])))
            constants = [(f"{name.upper()}_TABLE", t, values)]
            self.sources.append(Source(constants[0][0], t,
                                       [literal(len(values))], False))
        for a in arrays:
            if a.role == "inout":
                self.sources.append(self.source_of(a, True))
        for a in arrays:
            if a.role == "out":
                made = self.source_of(a, True)
                body.append(Line("{}[:] = {}", [
                    Name(a.name), self.make(made.shape, self.depth, False)]))
                self.sources.append(made)
        for _ in range(self.pick([2, 3, 4, 5, 6])):
            body += self.statement(2)
        return ArrayGufunc(name, arrays, [], body, constants)

    def source_of(self, array, is_written):
        shape = [literal(e.value) if isinstance(e, Lit)
                 else dimension(SAME.get(e.id, e.id)) for e in array.extents]
        return Source(array.name, array.type, shape, is_written)

    def extents(self, ranks):
        found = [Name(self.pick(["m", "n"])) for _ in range(self.pick(ranks))]
        for k in range(len(found)):
            if self.chance(0.12):
                found[k] = Lit(self.pick([1, 2, 3, 4]))
        return found

    def parameters(self):
        arrays = [Array("a", self.pick(self.types), [Name("m"), Name("n")], "in")]
        for k in range(self.pick([1, 2, 2, 3])):
            extents = self.extents([1, 1, 1, 2, 2, 3])
            if self.chance(0.2):
                extents = [Name(OTHER[e.id]) if isinstance(e, Name) else e
                           for e in extents]
            arrays.append(Array(f"b{k}", self.pick(self.types), extents, "in"))
        arrays.append(Array("s", self.pick(self.types), [], "in"))
        for a in arrays:
            self.sources.append(self.source_of(a, False))
            if a.type == "i64" and len(a.extents) == 1 and \
                    isinstance(a.extents[0], Name) and self.chance(0.4):
                a.holds = "range"
        if self.chance(0.35):
            arrays.append(Array("g", self.pick(self.types),
                                self.extents([1, 2, 2]), "inout"))
        for k in range(self.pick([1, 1, 2])):
            arrays.append(Array(f"y{k}", self.pick(self.types),
                                self.extents([1, 2, 2, 2, 3]), "out"))
        return arrays

    # Statements.

    def statement(self, depth):
        kinds = [self.store] * 6 + [self.local] * 3 + [
            self.named, self.scatter, self.masked, self.masked, self.filled, self.chosen,
            self.swapped, self.rebound, self.rebound, self.scan, self.called,
            self.paths]
        if depth:
            kinds += [self.branches, self.loop, self.loop, self.parallel,
                      self.again, self.again]
        while True:
            kept = list(self.sources), dict(self.indices), self.now
            try:
                return self.pick(kinds)(depth)
            except LookupError:
                self.sources, self.indices, self.now = kept

    def written(self):
        return [s for s in self.sources if s.is_written and s.shape]

    def target(self, source):
        """A part of an array, and its shape."""
        if self.chance(0.3):
            return Form(source.name + "[:]", []), list(source.shape)
        texts, shape = [], []
        for extent in source.shape:
            if self.chance(0.2):
                texts.append(self.index(extent))
            else:
                text, found = self.pick(parts_of(extent)) \
                    if self.chance(0.6) else (":", extent)
                texts.append(text)
                shape.append(found)
        if all(":" not in t for t in texts) or not shape:
            return Form(f"{source.name}[{', '.join(texts)}]", []), []
        return Form(f"{source.name}[{self.shortened(texts)}]", []), shape

    def store(self, depth):
        source = self.pick(self.written())
        place, shape = self.target(source)
        op = self.pick(["", "", "+", "-", "*"])
        value = self.make(shape, self.depth, False)
        return [Line("{} " + op + "= {}", [place, value])]

    def shape(self):
        """One that some array has, perhaps of a part."""
        source = self.pick([s for s in self.sources if s.shape])
        shape = list(source.shape)
        if len(shape) > 1 and self.chance(0.3):
            del shape[self.random.randrange(len(shape))]
        return [self.pick(parts_of(e))[1] if self.chance(0.2) else e
                for e in shape]

    def local(self, depth):
        shape, name = self.shape(), self.name("t")
        value = self.make(shape, self.depth, True)
        t = self.type_of(value)
        made = Source(name, t, shape, True)
        if isinstance(value, Cond) or isinstance(value, Form) and \
                not value.parts:  # else a name of what there is
            value = Form("{}.copy()", [value]) if self.chance(0.6) else \
                Form("({} + {})", [value, Lit(0)])
        self.sources.append(made)
        return [Line("{} = {}", [Name(name), value])]

    def rebound(self, depth):
        """A local array's name, given a new array of its shape and type."""
        found = [s for s in self.sources if s.name[0] == "t" and s.shape and
                 s.is_written and s.type]
        if not found:
            return self.local(depth)
        source = self.pick(found)
        value = self.make(list(source.shape), self.depth, True)
        if self.type_of(value) != source.type:
            return self.local(depth)
        if isinstance(value, Cond) or isinstance(value, Form) and \
                not value.parts:  # else a name of what there is
            value = Form("({} + {})", [value, Lit(1)])
        return [Line("{} = {}", [Name(source.name), value])]

    def paths(self, depth):
        """A name of an array that each path makes or has as a part of another."""
        shape, name = self.shape(), self.name("v")
        values = [self.make(shape, self.depth, True) for _ in range(2)]
        t = self.type_of(values[0])
        if t is None or t != self.type_of(values[1]):
            return self.local(depth)
        known, roots, is_written = {s.name: s for s in self.sources}, {name}, True
        for k, value in enumerate(values):
            is_part = isinstance(value, Form) and not value.parts
            whole = known.get(re.match(r"\w*", str(value)).group())
            if is_part and whole and self.chance(0.7):
                roots |= whole.roots
                is_written = is_written and whole.is_written
            else:
                values[k] = Form("({} + {})", [value, Lit(0)])
        test = self.test()
        self.sources.append(Source(name, t, shape, is_written, roots))
        return [If([test], [[Line(name + " = {}", [v])] for v in values])]

    def named(self, depth):
        """A name of a part."""
        source = self.pick(self.written() if self.chance(0.6) else
                           [s for s in self.sources if s.shape])
        place, shape = self.target(source)
        if not shape:
            return []
        name = self.name("v")
        self.sources.append(Source(name, source.type, shape, source.is_written,
                                   source.roots))
        return [Line("{} = {}", [Name(name), place])]

    def masked(self, depth):
        source = self.pick(self.written())
        mask = self.mask(list(source.shape), 1, True)
        if self.chance(0.4):
            other = self.view(list(source.shape), True)
            if other is not None and "[" not in str(other) and \
                    ".T" not in str(other):
                held = Form("{}[{}]", [other, mask])
                return [Line(source.name + "[{}] = {}", [mask, held])]
        op = self.pick(["", "+", "*"])
        value = self.make([], 1, False)
        return [Line(source.name + "[{}] " + op + "= {}", [mask, value])]

    def scatter(self, depth):
        """Iterations that join what they have for an element."""
        source = self.pick([s for s in self.written() if len(s.roots) == 1])
        extent = self.pick([dimension("m"), dimension("n"), literal(3)])
        name, kept, read = self.name("i"), dict(self.indices), self.sources
        place = [f"({name} * {self.pick([1, 3])} + {self.pick([0, 1])}) % "
                 f"len({source.name})"]
        for axis in source.shape[1:]:
            place.append(self.index(axis))
        self.indices[name] = extent
        self.sources = [s for s in read if not s.roots & source.roots]
        try:
            value = self.make([], 1, False)
        finally:
            self.sources, self.indices = read, kept
        at = f"{source.name}[{', '.join(place)}]"
        line = Line(at + " += {}", [value]) if self.chance(0.4) else \
            Line(f"{at} = {self.pick(['maximum', 'minimum'])}({at}, " + "{})",
                 [Cast(source.type, value) if source.type else value])
        return [Turns("prange", name, self.text_of(extent), [line])]

    def filled(self, depth):
        source = self.pick(self.written())
        value = self.make([], 1, False)
        return [Line(source.name + self.pick([".fill({})", "[...] = {}"]),
                     [value])]

    def alike(self, among):
        """Two arrays of one shape and type."""
        pairs = [(a, b) for a in among for b in among if a is not b and
                 a.shape == b.shape and a.type == b.type and a.type and a.shape]
        return self.pick(pairs) if pairs else None

    def chosen(self, depth):
        pair = self.alike(self.sources)
        if pair is None:
            return self.store(depth)
        a, b = pair
        test, name = self.test(), self.name("v")
        self.sources.append(Source(name, a.type, a.shape,
                                   a.is_written and b.is_written,
                                   a.roots | b.roots | {name}))
        return [Line(name + " = {} if {} else {}",
                     [Name(a.name), test, Name(b.name)])]

    def swapped(self, depth):
        pair = self.alike([s for s in self.sources if s.name[0] == "t" and
                           s.is_written])
        if pair is None:
            return self.local(depth)
        a, b = pair[0].name, pair[1].name
        return [Line(f"{a}, {b} = {b}, {a}", [])]

    def scan(self, depth):
        source = self.pick(self.written())
        place, shape = self.target(source)
        if len(shape) != 1:
            return self.store(depth)
        value = self.view(shape, True)
        if value is None:
            return []
        return [Line("{} = cumsum({})", [place, value])]

    def called(self, depth):
        shape = self.shape()
        if len(shape) != 2:
            return self.local(depth)
        value = self.view(shape, True)
        if value is None or ONE in shape:
            return []
        name = self.name("t")
        self.sources.append(Source(name, None, shape[::-1], True))
        return [Line(name + " = turned({})", [value])]

    def inside(self, make, depth):
        """Statements whose new names end with them."""
        kept = list(self.sources)
        self.now += 1
        body = make(depth)
        self.now -= 1
        self.sources = kept
        return body

    def branches(self, depth):
        bodies = []
        for _ in range(2):
            bodies.append(self.inside(
                lambda d: self.statement(d) + self.store(d), depth - 1))
        return [If([self.test()], bodies)]

    def loop(self, depth):
        extent = self.pick([dimension("m"), dimension("n"), literal(3)])
        name, kept = self.name("i"), dict(self.indices)
        self.indices[name] = extent
        body = self.inside(
            lambda d: self.statement(d) + self.store(d), depth - 1)
        self.indices = kept
        return [Turns("range", name, self.text_of(extent), body)]

    def parallel(self, depth):
        """Each iteration stores to parts of its own, and reads no array that another
        one stores to."""
        found = [s for s in self.written() if self.text_of(s.shape[0])]
        if not found:
            return []
        source = self.pick(found)
        name, kept = self.name("i"), dict(self.indices)
        self.indices[name] = source.shape[0]

        def make(depth):
            self.sources = [s for s in self.sources
                            if not s.roots & source.roots]
            for s in self.sources:
                s.is_written, s.was = False, s.is_written
            outside = list(self.sources)
            body = self.local(0) if self.chance(0.5) else []
            row = Source(f"{source.name}[{name}]", source.type,
                         source.shape[1:], True)
            body.append(Line(row.name + " = {}", [
                self.make(list(row.shape), self.depth, False)]))
            if row.shape and self.chance(0.5):
                body.append(Line(row.name + "[:] {}= {}".replace(
                    "{}", self.pick("+-*"), 1), [
                    self.make(list(row.shape), 1, False)]))
            for s in outside:
                s.is_written = s.was
            return body
        body = self.inside(make, 0)
        self.indices = kept
        return [Turns("prange", name, self.text_of(source.shape[0]), body)]

    def test(self):
        return Cmp([self.pick(["<", ">", "==", "!="])],
                   [self.make([], 1, False), Lit(self.pick([0, 1, 2]))])
