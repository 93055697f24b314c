"""The trees of generated gufuncs of array expressions, and what they mean: their
bodies are valid Python, and NumPy runs them."""

from dataclasses import dataclass

import numpy as np

from elements import TYPES, IllTyped
from nest_evaluate import TooLong, Undefined
from nest_tree import Gufunc
from tree import Expr, Stmt, headed

LOOP_ELEMENTS = 12  # that NumPy takes one after another
WORK = 200_000  # elements of an array of three dimensions

#: Functions that bodies call, in Kern and in Python.
ARRAY_HELPERS = """\
ufunc twice(x):
    return x + x

def lifted(v, w):
    return v - w[0]

def crossed(v, w):
    return v[1:] + w[:-1]

def spread(v):
    return max(v) - min(v)

def scaled(x, factor=3, shift=1):
    return x * factor + shift

const WIDE = 0

def either(x):
    f = abs if WIDE else twice
    return f(x)

gufunc turned(x: T[m, n]) -> (y: T[n, m]) where T in reals:
    y[:] = x.T[::-1]

"""


def twice(x):
    return x + x


def lifted(v, w):
    return v - w[0]


def crossed(v, w):
    return v[1:] + w[:-1]


def spread(v):
    return np.max(v) - np.min(v)


def scaled(x, factor=3, shift=1):
    return x * factor + shift


def turned(x):
    return x.T[::-1].copy()


def matmul(a, b):
    """Products are of the operands' type, and narrow integers are summed in 64 bits:
    `sum(a * b)`."""
    t = np.result_type(a, b)
    if t.kind == "f" or t.itemsize == 8:
        return np.matmul(a, b)
    rows, columns = np.atleast_2d(a), b.reshape(len(b), -1)
    total = np.sum([np.multiply.outer(rows[:, k], columns[k])
                    for k in range(len(b))], axis=0)
    return total.reshape(a.shape[:-1] + b.shape[1:])[()]


NAMES = {"twice": twice, "lifted": lifted, "crossed": crossed,
         "spread": spread, "scaled": scaled,
         "either": twice, "turned": turned, "matmul": matmul, "dot": matmul,
         "range": range, "prange": range, "len": len}
NAMES.update((name, getattr(np, name)) for name in (
    "where maximum minimum abs sum prod max min any all argmax argmin "
    "outer arange cumsum sort searchsorted zeros_like ones_like "
    "full full_like transpose").split())
NAMES["argsort"] = lambda v: np.argsort(v, kind="stable")

WIDER = {"f32": np.float64, "f64": np.longdouble}


@dataclass(eq=False)
class Form(Expr):
    """A text with places for its parts."""
    pattern: str
    parts: list

    def __str__(self):
        return self.pattern.format(*self.parts)


@dataclass(eq=False)
class Line(Stmt):
    pattern: str
    parts: list

    def text(self, indent):
        return indent + self.pattern.format(*self.parts) + "\n"


@dataclass(eq=False)
class Turns(Stmt):
    """`for name in kind(extent)`; the kind is range, prange, or that of a tuple: ""."""
    kind: str
    name: str
    extent: str
    body: list

    def text(self, indent):
        return headed(f"for {self.name} in {self.kind}({self.extent})",
                      self.body, indent)


@dataclass(eq=False)
class ArrayGufunc(Gufunc):
    """`constants` are the tables before it, as Python writes them: name, type and
    values."""
    constants: list = None

    helpers = ARRAY_HELPERS
    least = 2  # extents, so that parts are within their arrays

    def text(self):
        tables = "".join(f"const {n}: {t}[{len(v)}] = {v}\n"
                         for n, t, v in self.constants)
        return tables + super().text()

    def evaluation(self, dims, count, arguments):
        return InNumPy(self, dims, count, arguments)


class Converter:
    """A type, whose call copies an array that has the type already."""

    def __init__(self, dtype):
        self.dtype = dtype

    def __call__(self, x):
        return np.array(x).astype(self.dtype)[()]


class InNumPy:
    """The results of each loop element. An element that depends on what results held
    before is not defined. Floats that would be rounded make the call Undefined, since
    sums may be regrouped."""

    def __init__(self, function, dims, count, arguments):
        longest = max(dims["m"], dims["n"])
        if count > LOOP_ELEMENTS or dims["m"] * dims["n"] * longest > WORK:
            raise TooLong()
        self.function, self.dims = function, dims
        try:
            self.code = compile("".join(s.text("") for s in function.body),
                                function.name, "exec")
        except SyntaxError as error:
            raise IllTyped(str(error)) from None
        first = self.run(count, arguments, 77, False)
        second = self.run(count, arguments, 33, False)
        self.found = {n: (v, v == second[n]) for n, v in first.items()}
        self.results = []
        if any(t in WIDER for t in self.types()):
            for n, v in self.run(count, arguments, 77, True).items():
                held, defined = self.found[n]
                if (defined & (v != held)).any():
                    raise Undefined("a float that is rounded")

    def types(self):
        return {a.type for a in self.function.arrays}

    def result(self, name):
        return self.found[name]

    def run(self, count, arguments, unset, wider):
        def dtype(t):
            return np.dtype(WIDER[t]) if wider and t in WIDER else TYPES[t]

        function, found = self.function, {}
        shared = {**NAMES, **self.dims}
        shared.update((t, Converter(dtype(t))) for t in TYPES)
        for n, t, values in function.constants:
            shared[n] = np.array(values, dtype(t))
        for a in function.arrays:
            if a.role == "out":
                shape = [int(eval(str(e), {}, self.dims)) for e in a.extents]
                found[a.name] = np.full([count] + shape, unset, dtype(a.type))
            elif a.role == "inout":
                found[a.name] = arguments[a.name].astype(dtype(a.type))
        for k in range(count):
            names = dict(shared)
            for a in function.arrays:
                if a.name in found:
                    names[a.name] = found[a.name][k]
                    continue
                own = arguments[a.name][k].astype(dtype(a.type))
                if own.ndim:
                    own.setflags(write=False)
                names[a.name] = own if own.ndim else own[()]
            try:
                with np.errstate(all="ignore"):
                    exec(self.code, names)
            except (IndexError, ValueError, OverflowError,
                    ZeroDivisionError) as error:
                raise Undefined(str(error)) from None
            except (TypeError, NameError, AttributeError) as error:
                raise IllTyped(str(error)) from None
        return found
