"""kern.elementwise: Kern statements with parameters as CuPy declares them."""

import ast
import re
import textwrap
from typing import NamedTuple

from kern._errors import ArgumentError, CompileError
from kern._jit import PythonRecipe
from kern._module import Module
from kern._names import number_text
from kern._places import Writer
from kern._signatures import scalar_type
from kern._source import SourceFile

# What a type variable may be, in the order in which NumPy tries them.
_TYPES = "bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 c64 c128".split()
_KERN_NAMES = {f"{kind}{bits}" for kind in "iuf" for bits in (16, 32, 64)}
_CUDA_ONLY = {
    "reduce_dims": "how dimensions are merged is the compiler's business",
    "options": "there is no nvcc to give options to",
    "loop_prep": "there is no loop; write a gufunc",
    "after_loop": "there is no loop; write a gufunc",
    "no_return": "results are always given",
    "return_tuple": "one result is an array, several are a tuple",
}


def elementwise(
    in_params, out_params, operation, name="kernel", *, preamble="", doc=None, **others
):
    """Makes a ufunc from Kern statements, as cupy.ElementwiseKernel does from C++.

    in_params, out_params: "float32 x, T y": NumPy's types, or letters for types
        that the call's arguments decide.
        With core dimensions, "T(n) x, T(n, m) y", a parameter is an array, which
        the statements index; those of results may be computed, "T(2 * n) z".
        A parameter may have a default, "float32 y = 2", if those after it have one.
    operation: statements that assign all results, "z = x * y".
    preamble: items of a Kern source that the statements use, `def`s above all.

    A letter stands for each type for which the statements make sense; as for
    NumPy's ufuncs, a call takes the first that its arguments cast to safely.
    `raw` parameters, which are indexed over all dimensions, do not exist.

    Returns a kern.Function with the docstring `doc`. Raises kern.CompileError for
    statements that are refused, kern.ArgumentError for parameters and for keywords of
    CuPy's that have no meaning here. Threads: any number at once.

    >>> import kern, numpy as np
    >>> f = kern.elementwise("T x, T y", "T z", "z = (x - y) * (x - y)", name="sq")
    >>> f(np.float32([1, 5]), np.float32([3, 2]))
    array([4., 9.], dtype=float32)
    """
    for given in others:
        if given not in _CUDA_ONLY:
            raise TypeError(f"elementwise() got an unexpected keyword {given!r}")
        raise ArgumentError(f"elementwise() has no {given!r}: {_CUDA_ONLY[given]}")
    if not name.isidentifier():
        raise ArgumentError(f"name must be an identifier, not {name!r}")
    inputs, outputs = _parameters(in_params), _parameters(out_params)
    if not outputs:
        raise ArgumentError("out_params names no result")
    for one in outputs:
        if one.default:
            raise ArgumentError(f"the result {one.name!r} has a default")
    names = [one.name for one in inputs + outputs]
    for one in names:
        if names.count(one) > 1:
            raise ArgumentError(f"two parameters have the name {one!r}")
    variables = list(dict.fromkeys(one.type for one in inputs if len(one.type) == 1))
    for one in outputs:
        if len(one.type) == 1 and one.type not in variables:
            raise ArgumentError(f"no input decides the type {one.type!r} of {one.name!r}")
    if len(variables) > 2:
        raise ArgumentError(
            f"at most two types may be open, not {', '.join(variables)}; write the "
            "others' names, as in 'float32 x'"
        )
    maker = _Maker(name, inputs, outputs, variables, operation, preamble)
    function = maker.make()[name]
    function.__doc__ = doc
    return function


class _Parameter(NamedTuple):
    type: str  #: Kern's name, or the letter of a variable
    name: str
    core: str  #: dimensions, "[n, m]", or ""
    default: str  #: " = 2", or ""


def _parameters(text):
    found = []
    for part in _parts(text):
        of, core, name, default = _split(part)
        if len(of) == 1 and of.isalpha():
            found.append(_Parameter(of, name, core, default))
            continue
        if of in _KERN_NAMES:
            raise ArgumentError(f"{part!r}: types have NumPy's names here, 'float32'")
        scalar = _scalar(of)
        if scalar is None:
            raise ArgumentError(f"{part!r}: {of!r} is not a numeric type")
        found.append(_Parameter(scalar.kern, name, core, default))
    return found


def _parts(text):
    """The parts between commas that are in no parentheses."""
    parts, depth = [""], 0
    for one in text:
        depth += (one == "(") - (one == ")")
        if one == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += one
    return [one.strip() for one in parts if one.strip()]


def _split(part):
    """The type, the core dimensions, the name and the default of a parameter."""
    words = part.split()
    if words[0] in ("raw", "_non_raw"):
        raise ArgumentError(
            f"{part!r}: a raw parameter is indexed over all dimensions, which Kern's "
            "cannot be; give it core dimensions, 'T(n) x', or write a function of "
            "arrays with kern.guvectorize"
        )
    part, has_default, value = part.partition("=")
    form = re.fullmatch(r"(?:const\s+)?(\w+)\s*(?:\((.*)\)\s*|\s)(\w+)", part.strip())
    if not form or not form[3].isidentifier():
        raise ArgumentError(f"{part!r} is not of the form 'float32 x', 'T x' or 'T(n) x'")
    dims = (form[2] or "").strip()
    core = f"[{dims}]" if dims else ""
    return form[1], core, form[3], _default(part, value, core) if has_default else ""


def _default(part, text, core):
    """" = 2" for the text of a number."""
    try:
        number = number_text(ast.literal_eval(text.strip()))
    except (ValueError, TypeError, SyntaxError):
        number = None
    if number is None or core:
        raise ArgumentError(f"{part.strip()!r}: a default is a number, for a number")
    return f" = {number}"


def _scalar(name):
    import numpy

    try:
        return scalar_type(numpy.dtype(name))
    except TypeError:
        return None


class _Maker:
    """Compiles the module, with the loops for which the statements are valid."""

    def __init__(self, name, inputs, outputs, variables, operation, preamble):
        self.name = name
        self.inputs, self.outputs = inputs, outputs
        self.variables = variables
        lines = textwrap.dedent(operation.rstrip("; \t\n")).strip("\n")
        self.file = SourceFile(
            f"<elementwise {name}>", (lines + "\n").splitlines(keepends=True)
        )
        self.preamble = preamble

    def make(self):
        if not self.variables:
            return self.compiled([()])
        rows = []
        if len(self.variables) == 1:
            rows = self.possible([(of,) for of in _TYPES])
        else:  # in parts: each loop that is refused costs a compilation
            for first in _TYPES:
                rows += self.possible([(first, of) for of in _TYPES])
        # What is wrong with all loops is best said of f64.
        return self.compiled(rows or [("f64",) * len(self.variables)])

    def possible(self, rows):
        """The loops for which the statements are valid."""
        while rows:
            try:
                self.compiled(rows)
                break
            except CompileError as error:
                left = [row for row in rows if row not in self.refused(error)]
                if len(left) == len(rows):
                    raise
                rows = left
        return rows

    def refused(self, error):
        """The loops that the error is about."""
        found = set()
        for one in error.diagnostics:
            for note in one.notes:
                loop = re.fullmatch(r"in the loop \w+\((.*)\)", note.text)
                if loop:
                    types = re.sub(r"\[.*?\]", "", loop[1]).split(", ")
                    given = dict(zip((one.type for one in self.inputs), types))
                    found.add(tuple(given.get(one) for one in self.variables))
        return found

    def compiled(self, rows):
        writer = Writer()
        inputs, outputs = (
            ", ".join(f"{one.name}: {one.type}{one.core}{one.default}" for one in each)
            for each in (self.inputs, self.outputs)
        )
        is_gufunc = any(one.core for one in self.inputs + self.outputs)
        where = ""
        if len(self.variables) == 1:
            where = f" where {self.variables[0]} in ({', '.join(r[0] for r in rows)},)"
        elif self.variables:
            listed = ", ".join(f"({', '.join(row)})" for row in rows)
            where = f" where ({', '.join(self.variables)}) in ({listed},)"
        writer.write(
            f"{'gufunc' if is_gufunc else 'ufunc'} {self.name}({inputs}) -> "
            f"({outputs}){where}:\n",
            self.file,
            0,
        )
        offset = 0
        for line in self.file.lines:
            writer.write("    ")
            writer.write(line, self.file, offset, True)
            offset += len(line)
        if self.preamble:
            writer.write("\n" + textwrap.dedent(self.preamble).strip("\n") + "\n")
        recipe = PythonRecipe("source", writer.text, self.file.name, places=writer.map)
        return Module(recipe._make_handle(), recipe)
