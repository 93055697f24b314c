"""Nodes of generated programs that say themselves what they mean: the type that
they have, `inferred(types, env)`, and their value of one element,
`evaluated(run)`."""

from dataclasses import dataclass

import numpy as np

import elements
from elements import BOOL, I64, TYPES, is_bool, is_integer, is_weak, need
from tree import Expr

PLACES = [3, -1, 0, 250, 1 << 40]
CONSTANTS = f"const PLACES: i64[{len(PLACES)}] = ({', '.join(map(str, PLACES))})\n\n"


@dataclass(eq=False)
class Member(Expr):
    """`a in (1, 3)`, with these brackets."""
    a: Expr
    values: list
    word: str
    brackets: str

    def __str__(self):
        values = ", ".join(map(str, self.values))
        return f"({self.a} {self.word} {self.brackets[0]}{values},{self.brackets[1]})"

    def inferred(self, types, env):
        t = types.expr(self.a, env)
        need(not is_weak(t) and not is_bool(t), "a weak number")
        return BOOL

    def evaluated(self, run):
        a = run.value(self.a)
        found = any(elements.compare("==", a, np.int64(v)) for v in self.values)
        return np.bool_(found == (self.word == "in"))


@dataclass(eq=False)
class Bits(Expr):
    """A function of an integer's bits."""
    name: str
    a: Expr

    def __str__(self):
        return f"{self.name}({self.a})"

    def inferred(self, types, env):
        t = types.expr(self.a, env)
        need(not is_weak(t) and not is_bool(t) and is_integer(t), "bits of a float")
        return t if self.name == "bit_reverse" else TYPES["i32"]

    def evaluated(self, run):
        a = run.value(self.a)
        width = 8 * a.dtype.itemsize
        text = format(int(a) & (1 << width) - 1, f"0{width}b")
        if self.name == "popcount":
            return np.int32(text.count("1"))
        if self.name == "bit_reverse":
            return elements.convert(np.uint64(int(text[::-1], 2)), a.dtype)
        places = text if self.name == "clz" else text[::-1]
        return np.int32(places.index("1") if "1" in places else width)


@dataclass(eq=False)
class View(Expr):
    """The bits of an integer as those of the other integer type of its width."""
    a: Expr
    type: str

    def __str__(self):
        return f"{self.a}.view({self.type})"

    def inferred(self, types, env):
        t = types.expr(self.a, env)
        need(not is_weak(t) and not is_bool(t) and is_integer(t) and
             t.itemsize == TYPES[self.type].itemsize, "widths")
        return TYPES[self.type]

    def evaluated(self, run):
        return run.value(self.a).view(TYPES[self.type])


@dataclass(eq=False)
class Lookup(Expr):
    """An element of a table, at any integer's remainder."""
    index: Expr

    def __str__(self):
        return f"PLACES[i64({self.index}) % {len(PLACES)}]"

    def inferred(self, types, env):
        t = types.expr(self.index, env)
        need(not is_weak(t) and is_integer(t), "no index")
        return I64

    def evaluated(self, run):
        index = elements.convert(run.value(self.index), I64)
        return np.int64(PLACES[int(index) % len(PLACES)])


@dataclass(eq=False)
class TableSum(Expr):
    """`sum(c * a for c in PLACES)`, of an integer."""
    a: Expr
    kind: str

    def __str__(self):
        return f"{self.kind}(c0 * i64({self.a}) for c0 in PLACES)"

    def inferred(self, types, env):
        t = types.expr(self.a, env)
        need(not is_weak(t) and is_integer(t), "a float")
        return I64

    def evaluated(self, run):
        a = elements.convert(run.value(self.a), I64)
        with np.errstate(all="ignore"):
            products = np.array(PLACES) * a
        return {"sum": products.sum, "max": products.max, "min": products.min}[self.kind]()


def newer(choices, a, t):
    """One of these nodes of a value of type t."""
    need(not is_weak(t) and not is_bool(t), "a weak number")
    if not is_integer(t) or choices.chance(0.25):
        values = choices.random.sample([0, 1, 2, 3, 7, 100, 255, -1], choices.pick([1, 2, 3]))
        return Member(a, values, choices.pick(["in", "in", "not in"]),
                      choices.pick(["()", "[]"]))
    kind = choices.pick(["bits", "view", "lookup", "sum"])
    if kind == "bits":
        return Bits(choices.pick(["popcount", "clz", "ctz", "bit_reverse"]), a)
    if kind == "view":
        name = elements.NAME_OF[t]
        return View(a, ("i" if name[0] == "u" else "u") + name[1:])
    if kind == "lookup":
        return Lookup(a)
    return TableSum(a, choices.pick(["sum", "max", "min"]))
