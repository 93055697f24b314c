"""The trees of generated gufuncs: the nodes for nests of loops, beyond those of
tree.py."""

from dataclasses import dataclass, field

import nest_language
from nest_evaluate import Evaluation
from tree import Expr, Node, Stmt, headed

#: Functions that generated ones fold with: both are associative, and the second
#: does not commute.
HELPERS = nest_language.HELPERS + """\
def greater(a, b):
    return a if a > b else b

def last_set(a, b):
    return b if b != 0 else a

"""


@dataclass(eq=False)
class At(Expr):
    """An element of an array."""
    array: str
    indices: list

    def __str__(self):
        return f"{self.array}[{', '.join(map(str, self.indices))}]"


@dataclass(eq=False)
class Gen(Expr):
    """`kind(value for name in range(extent) … if test)`; a fold begins with
    `init`."""
    kind: str
    value: Expr
    names: list
    extents: list
    test: Expr = None
    init: Expr = None

    def __str__(self):
        text = str(self.value)
        for name, extent in zip(self.names, self.extents):
            text += f" for {name} in range({extent})"
        if self.test is not None:
            text += f" if {self.test}"
        if self.init is not None:
            return f"fold({self.kind}, {self.init}, ({text}))"
        return f"{self.kind}({text})"


@dataclass(eq=False)
class Put(Stmt):
    """`array[indices] op= value`; `op` is empty, or that of an accumulation."""
    array: str
    indices: list
    op: str
    value: Expr

    def text(self, indent):
        at = ", ".join(map(str, self.indices))
        return f"{indent}{self.array}[{at}] {self.op}= {self.value}\n"


@dataclass(eq=False)
class Nest(Stmt):
    """A `prange` over one or several extents, or loops in order, which may run as
    one."""
    names: list
    extents: list
    body: list
    in_order: bool = False

    def text(self, indent):
        if self.in_order:
            *outer, inner = zip(self.names, self.extents)
            text = ""
            for name, extent in outer:
                text += f"{indent}for {name} in range({extent}):\n"
                indent += "    "
            name, extent = inner
            return text + headed(f"for {name} in range({extent})", self.body, indent)
        head = (f"for {', '.join(self.names)} in "
                f"prange({', '.join(map(str, self.extents))})")
        return headed(head, self.body, indent)


@dataclass(eq=False)
class Local(Stmt):
    """A local array of zeros."""
    name: str
    type: str
    extents: list

    def text(self, indent):
        shape = ", ".join(map(str, self.extents))
        if len(self.extents) > 1:
            shape = f"({shape})"
        return f"{indent}{self.name} = zeros({shape}, {self.type})\n"


@dataclass(eq=False)
class Array(Node):
    """A parameter or an array result. `holds` says which values it gets:
    "numbers", "bins" (below BINS), "order" (a permutation of its last
    dimension), "range" (equal steps, given as a range)."""
    name: str
    type: str
    extents: list
    role: str  # in, inout, out
    holds: str = "numbers"

    def declared(self):
        shape = f"[{', '.join(map(str, self.extents))}]" if self.extents else ""
        prefix = "inout " if self.role == "inout" else ""
        return f"{prefix}{self.name}: {self.type}{shape}"


BINS = 5


@dataclass(eq=False)
class Gufunc(Node):
    """`results` are the types of returned scalars, if no array is a result."""
    name: str
    arrays: list
    results: list
    body: list = field(default_factory=list)

    helpers = HELPERS
    least = 0  # the smallest extent that a dimension may have

    def evaluation(self, dims, count, arguments):
        return Evaluation(self, dims, count, arguments)

    def children(self):
        for i, statement in enumerate(self.body):
            yield "body", i, statement

    def inputs(self):
        return [a for a in self.arrays if a.role != "out"]

    def outputs(self):
        return [a for a in self.arrays if a.role == "out"]

    def text(self):
        head = f"gufunc {self.name}("
        head += ", ".join(a.declared() for a in self.inputs()) + ")"
        results = [a.declared() for a in self.outputs()]
        if self.results:
            results = [f"r{k}: {t}" for k, t in enumerate(self.results)]
        if results:
            head += f" -> ({', '.join(results)})"
        return headed(head, self.body, "")
