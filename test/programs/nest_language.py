"""Nodes of generated gufuncs that say themselves what they mean.

Expressions have `evaluated(run)`, on an Evaluation (nest_evaluate.py), and
`bounded(rules)`, on Bounds (nest_types.py); statements `executed(run)` and
`ruled(rules)`.
"""

from dataclasses import dataclass

import numpy as np

from elements import BOOL, NAME_OF, TYPES, is_float, is_weak, need
from nest_evaluate import Undefined, reduced
from tree import Bin, Expr, Lit, Name, Stmt, headed

TABLE = [1, 2, 0, 3, 5]
HELPERS = f"""\
const TAPS = ({", ".join(map(str, TABLE))})
const PLACES: i64[{len(TABLE)}] = ({", ".join(map(str, TABLE))})

def scaled(x, factor=3, shift=1):
    return x * factor + shift

"""
EXTREMA = {"min": np.minimum, "max": np.maximum}


@dataclass(eq=False)
class Power(Expr):
    a: Expr
    exponent: int

    def __str__(self):
        return f"({self.a} ** {self.exponent})"

    def evaluated(self, run):
        a = run.value(self.a)
        found = a
        for _ in range(self.exponent - 1):
            found = found * a
        return found

    def bounded(self, rules):
        a = rules.expr(self.a)
        need(not is_weak(a.type) and a.exact, "a power that is rounded")
        found = rules.made(a.type, a.bound ** self.exponent)
        need(found.exact, "a power that is rounded")
        return found


@dataclass(eq=False)
class Member(Expr):
    """`a in (1, 3)`, with these brackets."""
    a: Expr
    values: list
    word: str
    brackets: str

    def __str__(self):
        values = ", ".join(map(str, self.values))
        return f"({self.a} {self.word} {self.brackets[0]}{values}{self.brackets[1]})"

    def evaluated(self, run):
        a = run.value(self.a)
        found = np.logical_or.reduce([a == v for v in self.values])
        return found if self.word == "in" else ~found

    def bounded(self, rules):
        need(not is_weak(rules.expr(self.a).type), "a weak number")
        return rules.made(BOOL, 1)


@dataclass(eq=False)
class Bits(Expr):
    """A function of an integer's bits."""
    name: str
    a: Expr

    def __str__(self):
        return f"{self.name}({self.a})"

    def evaluated(self, run):
        a = run.value(self.a)
        width = 8 * a.dtype.itemsize
        word = np.ascontiguousarray(a).view(f"u{a.dtype.itemsize}")
        bits = np.stack([word >> word.dtype.type(k) & word.dtype.type(1)
                         for k in range(width)], -1)  # the lowest first
        if self.name == "popcount":
            return bits.sum(-1).astype(np.int32)
        if self.name == "bit_reverse":
            places = word.dtype.type(1) << np.arange(width, dtype=word.dtype)
            return (bits[..., ::-1] * places).sum(-1, dtype=word.dtype).view(a.dtype)
        first = bits if self.name == "ctz" else bits[..., ::-1]
        return np.where(bits.any(-1), first.argmax(-1), width).astype(np.int32)

    def bounded(self, rules):
        t = rules.expr(self.a).type
        need(not is_weak(t) and t.kind in "iu", "bits of a float")
        return rules.made(t if self.name == "bit_reverse" else TYPES["i32"], 1 << 63)


@dataclass(eq=False)
class View(Expr):
    """The bits of a number as those of a type of its width."""
    type: str
    a: Expr

    def __str__(self):
        return f"{self.a}.view({self.type})"

    def evaluated(self, run):
        return np.ascontiguousarray(run.value(self.a)).view(TYPES[self.type])

    def bounded(self, rules):
        t = rules.expr(self.a).type
        need(not is_weak(t) and t.itemsize == TYPES[self.type].itemsize, "widths")
        return rules.made(TYPES[self.type], 1 << 63)


@dataclass(eq=False)
class Scaled(Expr):
    """A call with defaults and arguments by name."""
    a: Expr
    named: dict

    def __str__(self):
        named = "".join(f", {name}={value}" for name, value in self.named.items())
        return f"scaled({self.a}{named})"

    def parts(self):
        return {"factor": 3, "shift": 1, **self.named}

    def evaluated(self, run):
        return run.value(self.a) * self.parts()["factor"] + self.parts()["shift"]

    def bounded(self, rules):
        a = rules.expr(self.a)
        need(not is_weak(a.type), "a weak number")
        return rules.made(a.type, a.bound * self.parts()["factor"] + self.parts()["shift"],
                          a.exact)


@dataclass(eq=False)
class Lookup(Expr):
    """An element of a table, at an index below its length."""
    table: str
    index: Expr

    def __str__(self):
        return f"{self.table}[{self.index}]"

    def evaluated(self, run):
        return np.array(TABLE)[run.value(self.index) % len(TABLE)]

    def bounded(self, rules):
        rules.expr(self.index)
        return rules.made("wi", max(TABLE)) if self.table == "TAPS" else \
            rules.made(TYPES["i64"], max(TABLE))


@dataclass(eq=False)
class TableGen(Expr):
    """A reduction over a table."""
    kind: str
    value: Expr
    name: str
    table: str

    def __str__(self):
        return f"{self.kind}({self.value} for {self.name} in {self.table})"

    def evaluated(self, run):
        values, kept = [], dict(run.env)
        for value in TABLE:
            run.env[self.name] = np.full(1, value)
            values.append(run.lifted(run.value(self.value)))
        run.env = kept
        value = np.stack(np.broadcast_arrays(*values), -1)
        taken = np.ones(value.shape, bool)
        return reduced(self.kind, value, taken, None, taken)

    def bounded(self, rules):
        kept = dict(rules.env)
        rules.env[self.name] = rules.made("wi", max(TABLE))
        value = rules.expr(self.value)
        rules.env = kept
        need(not is_weak(value.type) and value.type != BOOL, "no numbers")
        if self.kind != "sum":
            return value
        if not is_float(value.type):
            return rules.made(TYPES["u64" if value.type.kind == "u" else "i64"], 1 << 63)
        total = rules.made(value.type, value.bound * len(TABLE), value.exact)
        need(total.exact, f"a sum of {NAME_OF[value.type]} that is not exact")
        return total


@dataclass(eq=False)
class Swap(Stmt):
    """Two local arrays change places."""
    a: str
    b: str

    def text(self, indent):
        return f"{indent}{self.a}, {self.b} = {self.b}, {self.a}\n"

    def executed(self, run):
        if not run.mask.all():
            raise Undefined("some iterations alone")
        run.arrays[self.a], run.arrays[self.b] = run.arrays[self.b], run.arrays[self.a]

    def ruled(self, rules):
        both = rules.grow(rules.arrays[self.a], rules.arrays[self.b])
        rules.arrays[self.a] = rules.arrays[self.b] = both


@dataclass(eq=False)
class Extremum(Stmt):
    """`h[e] = min(h[e], v)`, perhaps of several iterations."""
    array: str
    indices: list
    kind: str
    value: Expr

    def text(self, indent):
        place = f"{self.array}[{', '.join(map(str, self.indices))}]"
        return f"{indent}{place} = {self.kind}({place}, {self.value})\n"

    def executed(self, run):
        held = run.arrays[self.array]
        reached = run.whole(run.mask)
        places = tuple(run.whole(p)[reached] for p in run.places(held, self.indices))
        EXTREMA[self.kind].at(held.values, places,
                              run.whole(run.value(self.value))[reached])

    def ruled(self, rules):
        held, new = rules.arrays[self.array], rules.expr(self.value)
        need(new.type == held.type, "a value does not convert")
        for index in self.indices:
            rules.expr(index)
        rules.arrays[self.array] = rules.grow(held, new)


@dataclass(eq=False)
class Region(Stmt):
    """A `prange` over ranges that begin at these numbers."""
    names: list
    firsts: list
    extents: list
    body: list

    def text(self, indent):
        ranges = ", ".join(f"({a}, {b})" for a, b in zip(self.firsts, self.extents))
        if len(self.names) == 1:
            ranges = ranges[1:-1]
        return headed(f"for {', '.join(self.names)} in prange({ranges})", self.body,
                      indent)

    def executed(self, run):
        sizes = [Bin("-", e, Lit(first)) for first, e in zip(self.firsts, self.extents)]
        if any((run.value(size) < 0).any() for size in sizes):
            sizes = [Lit(0)]
        saved = run.enter(self.names, sizes)
        for name, first in zip(self.names, self.firsts):
            run.env[name] = run.env.get(name, np.zeros(1, np.int64)) + first
        if 0 not in run.axes:
            run.block(self.body)
        run.leave(saved)

    def ruled(self, rules):
        rules.loop(self, self.names, self.extents)
