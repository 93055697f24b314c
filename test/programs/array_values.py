"""Random expressions of arrays of a shape that is asked for."""

import re

from array_tree import Form
from elements import TYPES
from tree import Bin, Call, Cast, Choices, Cmp, Cond, Lit, Name, Un

SIZES = range(2, 33)  # of a dimension

#: Parts of an axis, and the extent from which each is within it.
PARTS = {":": 0, "::-1": 0, "::2": 0, "::-2": 0, "::3": 0, "::-3": 0, "1:": 1,
         ":-1": 1, ":0:-1": 1, "1::2": 1, ":1": 1, "-1:": 1, "1:-1": 2,
         "2:": 2, ":-2": 2, "-2::-1": 2, "-2::-2": 2, ":2": 2, "-2:": 2,
         "1::-1": 2}


def literal(n):
    return "", (n,) * len(SIZES)


def dimension(name):
    return name, tuple(SIZES)


ONE = literal(1)


def parts_of(extent):
    """(text, extent) of each part that is within an axis."""
    name, sizes = extent
    found = []
    for text, least in PARTS.items():
        if min(sizes) < least:
            continue
        cut = slice(*(int(t) if t else None for t in text.split(":")))
        left = tuple(len(range(size)[cut]) for size in sizes)
        found.append((text, literal(left[0]) if len(set(left)) == 1
                      else (name, left)))
    return found


class Source:
    """An array that may be read: its elements are those of `roots`. A type of None
    is not known."""

    def __init__(self, name, type, shape, is_written, roots=None):
        self.name, self.type, self.shape = name, type, list(shape)
        self.is_written = is_written
        self.roots = frozenset(roots or [name])


class ArrayValues(Choices):
    def __init__(self, random):
        super().__init__(random)
        self.number, self.sources, self.indices = 0, [], {}
        self.level, self.now = {}, 0

    def name(self, letter):
        self.number += 1
        if f"{letter}{self.number}" in TYPES:  # `i8` would hide the type
            self.number += 1
        self.level[f"{letter}{self.number}"] = self.now
        return f"{letter}{self.number}"

    def text_of(self, extent):
        name, sizes = extent
        if not name:
            return str(sizes[0])
        return name if sizes == tuple(SIZES) else ""

    def type_of(self, value):
        """Of an expression, where all arrays have one type and it is not widened."""
        text = str(value)
        unknown = {s.name for s in self.sources if s.type is None}
        if len(self.types) > 1 or unknown & set(re.findall(r"\w+", text)) or any(
                w in text for w in ("sum", "prod", "arg", "turned", "@", "dot",
                                    "matmul")):
            return None
        return self.types[0]

    # Leaves.

    def index(self, extent):
        """The text of an index of an axis."""
        same = [n for n, e in self.indices.items() if e == extent]
        if same and self.chance(0.8):
            name = self.pick(same)
            if self.text_of(extent) and self.chance(0.2):
                return f"{self.text_of(extent)} - 1 - {name}"
            return name
        least = min(extent[1])
        if least == 0:
            raise LookupError("no index of a part that may be empty")
        return self.pick(["0", "-1"] + ["1", "-2"] * (least > 1))

    def shortened(self, texts):
        """The text of an index without some of the last whole axes, or with `...`
        for whole axes next to each other."""
        texts = list(texts)
        if ":" in texts and self.chance(0.2):
            first = texts.index(":")
            last = first + 1
            while texts[last:last + 1] == [":"]:
                last += 1
            texts[first:last] = ["..."]
            return ", ".join(texts)  # those after it count from the end
        while len(texts) > 1 and texts[-1] == ":" and self.chance(0.6):
            texts.pop()
        return ", ".join(texts)

    def view(self, shape, exact):
        """A part of an array that has a shape, or, unless `exact`, broadcasts to
        it; None if none is found."""
        readable = [s for s in self.sources if s.shape]
        for _ in range(12):
            source = self.pick(readable)
            turned = len(shape) == 2 and len(source.shape) == 2 and \
                self.chance(0.3)
            wanted = shape[::-1] if turned else shape
            rank = len(source.shape)
            if exact or turned:
                count = len(shape)
            else:
                count = self.pick(range(0 if not shape else 1,
                                        len(shape) + 1))
            if count > rank:
                continue
            axes = sorted(self.random.sample(range(rank), count))
            texts = self.texts_of(source, axes, wanted[len(wanted) - count:],
                                  exact)
            if texts is None:
                continue
            if all(t == ":" for t in texts) and self.chance(0.8):
                text = source.name
            else:
                text = f"{source.name}[{self.shortened(texts)}]"
            return Form(text + ".T" * turned, [])
        return None

    def texts_of(self, source, axes, wanted, exact):
        texts, left = [], list(wanted)
        for axis, extent in enumerate(source.shape):
            if axis not in axes:
                texts.append(self.index(extent))
                continue
            want = left.pop(0)
            fits = [t for t, e in parts_of(extent)
                    if e == want or e == ONE and not exact]
            if not fits:
                return None
            texts.append(":" if ":" in fits and self.chance(0.5)
                         else self.pick(fits))
        return texts

    def made(self, shape):
        """An array of a shape that no array in scope has: of numbers."""
        texts = [self.text_of(e) for e in shape]
        t = self.pick(self.types)
        if "" not in texts:
            if len(shape) == 1 and self.chance(0.6):
                return Cast(t, Form(f"arange({texts[0]})", []))
            dims = texts[0] if len(shape) == 1 else f"({', '.join(texts)})"
            return Form(f"full({dims}, {t}(" + "{}))", [Lit(self.pick(range(4)))])
        return None

    def number_leaf(self):
        kind = self.random.random()
        if kind < 0.25:
            return Name("s")
        if kind < 0.4 and self.indices:
            return Cast(self.pick(self.types),
                        Name(self.pick(self.indices)))
        found = self.view([], True)
        return found if found is not None else Name("s")

    def leaf(self, shape, exact):
        if not shape:
            return self.number_leaf()
        found = self.view(shape, exact)
        if found is None and not exact:
            return self.number_leaf()
        if found is None:
            found = self.made(shape)
        if found is None:
            raise LookupError("no array has this shape")
        return found

    # Expressions.

    def make(self, shape, depth, exact):
        """An expression of a shape; unless `exact`, one that broadcasts to it."""
        for _ in range(20):
            try:
                return self.attempt(list(shape), depth, exact)
            except LookupError:
                continue
        raise LookupError("no expression of this shape")

    def attempt(self, shape, depth, exact):
        if not exact and shape and self.chance(0.15):
            shape = shape[1:]
        elif not exact and shape and self.chance(0.1):
            shape[self.random.randrange(len(shape))] = ONE
        if depth <= 0 or self.chance(0.12):
            return self.leaf(shape, exact)
        kind = self.random.random()
        if kind < 0.4:
            return self.paired(shape, depth, exact)
        if kind < 0.6:
            return self.of_one(shape, depth, exact)
        if kind < 0.72:
            return self.choice(shape, depth, exact)
        if kind < 0.9:
            return self.reduced(shape, depth)
        return self.of_arrays(shape, depth, exact)

    def paired(self, shape, depth, exact):
        a = self.make(shape, depth - 1, exact)
        b = self.make(shape, depth - 1, False)
        if self.chance(0.3):
            b = Lit(self.pick([1, 2, 3]))
        elif self.chance(0.5):
            a, b = b, a
        ops = ["+", "+", "-", "*"] + ([] if self.is_float else ["&", "|", "^"])
        if self.chance(0.25):
            return Call(self.pick(["maximum", "minimum"]), [a, b])
        return Bin(self.pick(ops), a, b)

    def of_one(self, shape, depth, exact):
        a = self.make(shape, depth - 1, exact)
        kind = self.random.randrange(10)
        if kind == 7:
            return Call("either", [a])
        if kind == 8:
            given = self.pick(["", ", 2", ", shift=2", ", shift=3, factor=2"])
            return Form("scaled({}" + given + ")", [a])
        if kind == 9 and len(self.types) == 1 and not self.is_float:
            other = {"i": "u", "u": "i"}[self.types[0][0]] + self.types[0][1:]
            bits = Form("{}.view(" + other + ")", [Cast(self.types[0], a)])
            return Cast(self.types[0], Bin("^", bits, Lit(3)))
        if kind == 0:
            return Un("-", a)
        if kind == 1:
            return Call("abs", [a])
        if kind == 2:
            return Call("twice", [a])
        if kind == 3:
            return Bin("%", a, Lit(self.pick([2, 3, 7])))
        if kind == 4:
            return Cast(self.pick(self.types), a)
        if kind == 5:
            return Bin("//", a, Lit(self.pick([2, 3])))
        return Bin("**", a, Lit(2))

    def choice(self, shape, depth, exact):
        if self.chance(0.6):
            return Call("where", [self.mask(shape, depth - 1, exact),
                                  self.make(shape, depth - 1, False),
                                  self.leaf(shape, False)])
        test = Cmp([self.pick(["<", ">", "=="])],
                   [self.number_leaf(), Lit(self.pick([0, 1, 2]))])
        arms = [self.make(shape, depth - 1, True) for _ in range(2)]
        if self.types not in (["i64"], ["f32"], ["f64"]):
            # Of two types NumPy has that of the arm, and Kern what both promote to.
            t = self.pick(self.types)
            arms = [Cast(t, arm) for arm in arms]
        return Cond(test, *arms)

    def mask(self, shape, depth, exact):
        mask = Cmp([self.pick(["<", "<=", ">", ">=", "==", "!="])],
                   [self.make(shape, depth, exact),
                    self.make(shape, 0, False)])
        if self.chance(0.2):
            mask = Bin(self.pick("&|^"), mask, self.mask(shape, 0, False))
        elif self.chance(0.1):
            mask = Un("~", mask)
        return mask

    def reduced(self, shape, depth):
        """A reduction of one more axis, or of all."""
        extent = self.pick(self.pick([s for s in self.sources
                                      if s.shape]).shape)
        kinds = ["sum"] * 3 + ["max", "min", "argmax", "argmin", "any", "all"]
        kinds += [] if self.is_float else ["prod"]
        kind = self.pick(kinds)
        if len(shape) > 2:
            raise LookupError("too many axes")
        if len(shape) < 2 and kind not in ("argmax", "argmin") and \
                self.chance(0.2):
            return self.of_two_axes(shape, depth, kind, extent)
        axis = self.random.randrange(len(shape) + 1)
        inner = shape[:axis] + [extent] + shape[axis:]
        keeps = shape and axis < len(shape) and shape[axis] == ONE and \
            self.chance(0.7)
        if keeps:
            inner = shape[:axis] + [extent] + shape[axis + 1:]
        value = self.mask(inner, depth - 1, True) if kind in ("any", "all") \
            else self.make(inner, depth - 1, True)
        text = ""
        if len(inner) > 1 or self.chance(0.3):
            at = axis - len(inner) if self.chance(0.3) else axis
            text = f", axis={at}"
        if keeps:
            text = f", axis={axis}, keepdims=True"
        made = Form(kind + "({}" + text + ")", [value])
        if kind in ("any", "all", "argmax", "argmin"):
            return Cast(self.pick(self.types), made)
        return made

    def of_two_axes(self, shape, depth, kind, extent):
        axes = sorted(self.random.sample(range(len(shape) + 2), 2))
        inner = list(shape)
        for axis in axes:
            inner.insert(axis, extent)
        value = self.mask(inner, depth - 1, True) if kind in ("any", "all") \
            else self.make(inner, depth - 1, True)
        if self.chance(0.5):
            axes.reverse()
        made = Form(kind + f"({{}}, axis=({axes[0]}, {axes[1]}))", [value])
        return Cast(self.pick(self.types), made)

    def of_arrays(self, shape, depth, exact):
        """Functions of whole arrays."""
        extent = self.pick(self.pick([s for s in self.sources
                                      if s.shape]).shape)

        def make(shape):
            return self.make(shape, depth - 1, True)
        if len(shape) == 2:
            kind = self.random.randrange(3)
            if kind == 0:
                return Call("outer", [make(shape[:1]), make(shape[1:])])
            if kind == 1:
                return Call("matmul", [make([shape[0], extent]),
                                          make([extent, shape[1]])])
            return Form("{}.T", [Form("({} + {})", [make(shape[::-1]), Lit(1)])])
        if len(shape) == 1:
            kind = self.random.randrange(4)
            if kind == 0:
                return Call("matmul", [make([shape[0], extent]),
                                          make([extent])])
            if kind == 1:
                return Call("lifted", [make(shape), make([extent])])
            if kind == 2:
                return Call("sort", [make(shape)])
            return Cast(self.pick(self.types),
                        Call("argsort", [make(shape)]))
        if not shape:
            kind = self.random.randrange(3)
            if kind == 0:
                return Call("dot", [make([extent]), make([extent])])
            if kind == 1:
                return Call("spread", [make([extent])])
            return Form("sum({})", [make([extent, self.pick(
                [dimension("m"), dimension("n")])])])
        raise LookupError("no function of arrays of this shape")
