"""A Python function of numbers as a Kern ufunc."""

import numpy as np

from kern import _lazy
from kern._errors import ArgumentError
from kern._expressions import WEAK
from kern._inference import Inference
from kern._names import kern_name, number_text
from kern._signatures import ArrayType, void

_KINDS = "buifc"  # of NumPy's types, each after those that cast to it


def defaults(python, kinds, count=None):
    """For each of the first `count` parameters " = 2.0", if its default is a number
    that one of its types takes, or "". kinds: those of its types, none of what is no
    number; None where calls decide."""
    count = len(python.parameters) if count is None else count
    given = dict(
        zip(reversed(python.parameters), reversed(python.function.__defaults__ or ()))
    )
    texts = [""] * count
    for i in range(1, count + 1):
        value = given.get(python.parameters[count - i])
        text = number_text(value)
        if text is None:
            break
        kind = "c" if isinstance(value, complex) else np.asarray(value).dtype.kind
        taken = kinds and kinds[count - i]
        if kinds and not taken:
            break
        if taken and max(map(_KINDS.index, taken)) < _KINDS.index(kind) - (kind == "i"):
            break
        texts[-i] = f" = {text}"
    return texts


def ufunc_text(translation, python, signatures, options):
    """Writes the module for a ufunc into the translation. Returns its name."""
    name = translation.names_main(python)
    parameters = [kern_name(one) for one in python.parameters]
    if not signatures:
        _generic(translation, python, name, parameters, options)
        return name
    for one in signatures:
        if len(one.args) != len(parameters):
            raise ArgumentError(
                f"signature {one!r} has {len(one.args)} types, but `{python.name}` "
                f"takes {len(parameters)} arguments"
            )
        if any(isinstance(of, ArrayType) for of in (*one.args, one.result)):
            raise ArgumentError(
                f"signature {one!r} has arrays; vectorize is for functions of "
                "numbers, guvectorize for those of arrays"
            )
        if void in (*one.args, one.result):
            raise ArgumentError(
                f"signature {one!r} has void; vectorize is for functions of numbers "
                "that return one: write `f8(f8)`"
            )
    loops = reachable(signatures)
    header = Header(translation, python, [_row(one) for one in loops])
    result = header.operands[-1] if loops[0].result is not None else None
    variants = [
        _variant(translation, python, one, result and header.operands[-1])
        for one in loops
    ]
    kinds = [{of.kind for of in column} for column in zip(*(one.args for one in loops))]
    named = zip(parameters, header.operands, defaults(python, kinds))
    listed = ", ".join(f"{one}: {of}{value}" for one, of, value in named)
    text = f"ufunc {name}({listed})"
    if result:
        text += f" -> {result}"
    text += header.where + ":\n"
    is_uniform = result and len({*header.operands}) == 1
    of_bools = any(one.args[0].kern == "bool" for one in loops if one.args)
    lines = options.decorators(len(parameters) == 2 and is_uniform, of_bools)
    write_variants(translation, python, lines + text, header, variants)
    translation.finish()
    return name


def _row(signature):
    types = [*signature.args]
    if signature.result is not None:
        types.append(signature.result)
    return [of.kern for of in types]


def reachable(signatures):
    """The loops that a call can take. As in NumPy and Numba, a call takes the first
    one to which its arguments cast safely. Later ones for types that cast to an
    earlier one's are never reached."""
    import numpy

    loops = []
    for one in signatures:
        if not any(
            all(
                numpy.can_cast(a.dtype, b.dtype, "safe")
                for a, b in zip(one.args, earlier.args)
            )
            for earlier in loops
        ):
            loops.append(one)
    if any((one.result is None) != (loops[0].result is None) for one in loops):
        raise ArgumentError("either all signatures say the result's type or none")
    return loops


def _generic(translation, python, name, parameters, options):
    lines = options.decorators(False)
    named = map("".join, zip(parameters, defaults(python, None)))
    lines += f"ufunc {name}({', '.join(named)}):\n"
    _lazy.write(translation, python, lines, parameters)
    translation.finish()


def _variant(translation, python, signature, result):
    """The edits of the body for one loop."""
    types = dict(zip(python.parameters, signature.args))
    edits, inference = translation.translate(python, types)
    if signature.result is not None:
        for node, of in inference.returned:
            if node is not None:
                _convert(python, edits, node, of, signature.result, result)
    return edits


def _convert(python, edits, node, of, to, name):
    """Converts what is returned to the declared type, as Numba does, whatever
    it loses."""
    import ast

    value = node if isinstance(node, ast.expr) else node.value
    if value is None or of == to or to.kind in "fc":
        return
    if of is WEAK and not Inference.fits(value, to):
        edits.wrap(python.span(value), f"{name}(i64(", "))")
    elif of is not WEAK:
        edits.wrap(python.span(value), f"{name}(")


class Header:
    """The types of a header: equal columns of loops share a type variable.

    operands: the text for each operand.
    where: " where …", or "".
    variables: the variables' names; rows: their values in each loop.
    """

    def __init__(self, translation, python, rows):
        taken = {*python.local_names, *translation.names, *python.code.co_names}
        free = iter(
            [one for one in "TUVWRSABCDEFGHKLMNOPQXYZ" if one not in taken]
            + [f"T{i}" for i in range(100)]
        )
        columns = {}
        self.operands = []
        for column in zip(*rows):
            if len(set(column)) == 1:
                self.operands.append(column[0])
            else:
                if column not in columns:
                    columns[column] = next(free)
                self.operands.append(columns[column])
        self.variables = list(columns.values())
        self.rows = list(zip(*columns))
        self.where = ""
        if len(self.variables) == 1:
            values = [row[0] for row in self.rows]
            if len(set(values)) == len(values):
                self.where = f" where {self.variables[0]} in ({', '.join(values)})"
        if self.variables and not self.where:
            tuples = ", ".join(f"({', '.join(row)},)" for row in self.rows)
            self.where = f" where ({', '.join(self.variables)}) in ({tuples})"
            self.where = self.where.replace(",)", ")")

    def condition(self, loops):
        """The test for being in one of these loops."""
        tests = [
            " and ".join(
                f"{name} == {value}"
                for name, value in zip(self.variables, self.rows[i])
            )
            for i in loops
        ]
        if len(tests) == 1:
            return tests[0]
        return " or ".join(f"({one})" for one in tests)


def begin(translation, python, lines):
    """Writes the lines before a body so that its lines agree with Python's."""
    first = python.statements[0] if python.statements else python.node
    offset = python.span(first)[0]
    line = python.file.position(offset)[0]
    translation.writer.blank_until(line - lines.count("\n"))
    translation.writer.write(lines, python.file, name_offset(python))


def name_offset(python):
    """Where a function's name stands."""
    offset = python.span(python.node)[0]
    if python.is_lambda:
        return offset
    return python.file.text.index(python.node.name, offset + len("def"))


def write_variants(translation, python, lines, header, variants):
    """Writes a function: one body, or one for each group of loops that need
    the same."""
    groups = {}
    for i, edits in enumerate(variants):
        groups.setdefault(edits.key(), (edits, []))[1].append(i)
    groups = list(groups.values())
    if len(groups) == 1:
        begin(translation, python, lines)
        translation.writer.body(python, groups[0][0], 4)
        return
    for number, (edits, loops) in enumerate(groups):
        if number == 0:
            head = f"    if {header.condition(loops)}:\n"
            begin(translation, python, lines + head)
        else:
            last = number == len(groups) - 1
            head = "else" if last else f"elif {header.condition(loops)}"
            translation.writer.write(f"    {head}:\n")
        translation.writer.body(python, edits, 8)
