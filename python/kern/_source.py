"""Python functions as text: where it is, what its names mean, and how a place
in the Kern source that is made of it leads back to the Python file.
"""

import ast
import builtins
import functools
import inspect
import linecache
from bisect import bisect_right
from dataclasses import dataclass, field

from kern._errors import CompileError


class SourceFile:
    """The text of a Python file, its tree, and offsets in code points."""

    def __init__(self, name, lines):
        self.name = name
        self.lines = lines
        self.text = "".join(lines)
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line))

    @functools.cached_property
    def tree(self):
        return ast.parse(self.text)

    def offset(self, line, byte):
        """Of a line from 1 on and a column in bytes, as `ast` has them."""
        text = self.lines[line - 1]
        if text.isascii():
            return self.starts[line - 1] + byte
        return self.starts[line - 1] + len(text.encode()[:byte].decode())

    def span(self, node):
        """Where a node of the tree begins and ends."""
        return (
            self.offset(node.lineno, node.col_offset),
            self.offset(node.end_lineno, node.end_col_offset),
        )

    def position(self, offset):
        """Line and column, from 1 on, in code points."""
        line = min(bisect_right(self.starts, offset), max(len(self.lines), 1))
        return line, offset - self.starts[line - 1] + 1

    def error(self, span, text, help_text=""):
        """The CompileError for a part of the file."""
        from kern._errors import make_compile_error
        from kern._module import Diagnostic

        place = self.place(*span)
        one = Diagnostic("error", "", text, help_text, place, (), ())
        return make_compile_error(render([one]), [one])

    def place(self, begin, end):
        """The kern.Place from one offset to another."""
        from kern._module import Place

        _shown[self.name] = self

        def byte(offset):
            return len(self.text[:offset].encode())

        return Place(
            self.name,
            byte(begin),
            byte(end),
            *self.position(begin),
            *self.position(end),
        )


@functools.lru_cache(maxsize=16)
def _source_file(name, text):
    return SourceFile(name, text.splitlines(keepends=True))


def _lines_of(function):
    code = function.__code__
    try:
        lines, _ = inspect.findsource(function)
    except (OSError, TypeError):
        lines = linecache.getlines(code.co_filename, function.__globals__)
    return lines


def _no_source(function, why):
    code = function.__code__
    text = f"the source of `{function.__name__}` is not at hand: {why}"
    line = linecache.getline(code.co_filename, code.co_firstlineno) or None
    error = CompileError(text, (code.co_filename, code.co_firstlineno, 1, line))
    error.rendered = f"{code.co_filename}:{code.co_firstlineno}: error: {text}\n"
    return error


class PythonFunction:
    """A function, the node that defines it, and the objects that its names
    stand for."""

    def __init__(self, function):
        self.function = function
        self.code = function.__code__
        lines = _lines_of(function)
        if not lines:
            raise _no_source(
                function,
                "functions made by exec() have none; write it in a file or a "
                "notebook, or pass its text to kern.compile",
            )
        self.file = _source_file(self.code.co_filename, "".join(lines))
        self.node = self._find()
        self.is_lambda = isinstance(self.node, ast.Lambda)

    @property
    def name(self):
        return "lambda_" if self.is_lambda else self.node.name

    @property
    def parameters(self):
        """The names of its parameters."""
        return list(self.code.co_varnames[: self.code.co_argcount])

    def _find(self):
        code = self.code
        try:
            nodes = list(ast.walk(self.file.tree))
        except SyntaxError:
            raise _no_source(self.function, "its file is no Python any more") from None
        if code.co_name == "<lambda>":
            found = self._find_lambda(nodes)
        else:
            found = [
                node
                for node in nodes
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
                and node.name == code.co_name
                and code.co_firstlineno
                == min([node.lineno, *(d.lineno for d in node.decorator_list)])
            ]
        found = [node for node in found if self._fits(node)]
        if len(found) != 1:
            raise _no_source(
                self.function,
                "its line holds several that could be it; write them on lines of "
                "their own"
                if found
                else "its file has changed since it was read, or it was made by exec()",
            )
        return found[0]

    def _fits(self, node):
        of = node.args
        names = [one.arg for one in (*of.posonlyargs, *of.args, *of.kwonlyargs)]
        return names == list(self.code.co_varnames[: len(names)])

    def _find_lambda(self, nodes):
        line = self.code.co_firstlineno
        found = [
            node
            for node in nodes
            if isinstance(node, ast.Lambda)
            and node.lineno <= line <= node.end_lineno
            and self._fits(node)
        ]
        if len(found) <= 1:
            return found
        places = {
            place for place in self.code.co_positions() if None not in place
        }
        body = [
            node
            for node in found
            if (
                node.body.lineno,
                node.body.end_lineno,
                node.body.col_offset,
                node.body.end_col_offset,
            )
            in places
        ]
        return body or found

    def refuse_header(self):
        """Raises for parameters that no Kern function has."""
        of = self.node.args
        for one in (of.vararg, of.kwarg, *of.kwonlyargs):
            if one:
                raise self.error(
                    one,
                    f"`{one.arg}`: parameters are given by position and each has "
                    "a name",
                )
        if isinstance(self.node, ast.AsyncFunctionDef):
            raise self.error(self.node, f"`{self.name}` is a coroutine")

    @property
    def statements(self):
        """Its statements but for the docstring; of a lambda the expression."""
        if self.is_lambda:
            return [self.node.body]
        body = self.node.body
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            if isinstance(body[0].value.value, str):
                return body[1:]
        return body

    def error(self, node, text, help_text=""):
        return self.file.error(self.file.span(node), text, help_text)

    def span(self, node):
        return self.file.span(node)

    @functools.cached_property
    def local_names(self):
        """All names that the function binds, generators' included."""
        names = {*self.code.co_varnames, *self.code.co_cellvars}
        for node in ast.walk(self.node):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
        return names

    def value(self, node):
        """What a Name stands for outside of the function. Raises NameError."""
        name = node.id
        if name in self.code.co_freevars:
            cell = self.function.__closure__[self.code.co_freevars.index(name)]
            try:
                return cell.cell_contents
            except ValueError:
                raise NameError(name) from None
        if name in self.function.__globals__:
            return self.function.__globals__[name]
        try:
            return getattr(builtins, name)
        except AttributeError:
            raise NameError(name) from None


@dataclass
class Edits:
    """Changes of a function's text: parts that are replaced, and texts put
    around parts."""

    replaced: list = field(default_factory=list)  # (begin, end, text)
    wrapped: list = field(default_factory=list)  # (begin, end, before, after)

    def replace(self, span, text):
        self.replaced.append((*span, text))

    def wrap(self, span, before, after=")"):
        self.wrapped.append((*span, before, after))

    def key(self):
        return (tuple(sorted(self.replaced)), tuple(self.wrapped))

    def pieces(self, text, begin, end):
        """The changed text from `begin` to `end`, as (text, offset, verbatim)."""
        marks = []  # (offset, rank, tie, text, resume)
        for order, (b, e, before, after) in enumerate(self.wrapped):
            # At one offset what ends comes before what begins; of two that
            # begin the longer, of two that end the shorter; of two that cover
            # the same the later one is outside.
            marks.append((b, 2, (-e, -order), before, b))
            marks.append((e, 0, (-b, order), after, e))
        for b, e, new in self.replaced:
            marks.append((b, 3, (0, 0), new, e))
        at = begin
        for offset, _, _, new, resume in sorted(marks):
            if not begin <= offset <= end:
                continue
            if offset > at:
                yield text[at:offset], at, True
                at = offset
            if new:
                yield new, max(min(offset, end - 1), begin), False
            at = max(at, resume)
        if at < end:
            yield text[at:end], at, True


class SourceMap:
    """Which part of a made text comes from where in Python files."""

    def __init__(self):
        self.lines = {}  # line -> [(column, length, file, offset, verbatim)]

    def add(self, line, column, length, file, offset, verbatim):
        segment = (column, length, file, offset, verbatim)
        self.lines.setdefault(line, []).append(segment)

    def find(self, line, column):
        """(file, offset) of a place, columns from 1 on; None of what no
        Python file has."""
        best = None
        for begin, length, file, offset, verbatim in self.lines.get(line, ()):
            if begin <= column - 1:
                inside = min(column - 1 - begin, length)
                best = (file, offset + inside if verbatim else offset)
            elif best is None:
                best = (file, offset)
        return best

    def place(self, place):
        """The kern.Place of the Python file; None if there is none."""
        begin = self.find(place.line, place.column)
        if begin is None:
            return None
        file, offset = begin
        last = self.find(place.end_line, max(place.end_column - 1, 1))
        end = last[1] + 1 if last and last[0] is file else offset + 1
        return file.place(offset, max(end, offset + 1))


class Writer:
    """Makes the text of a Kern module, and its SourceMap."""

    def __init__(self):
        self.parts = []
        self.line, self.column = 1, 0
        self.map = SourceMap()

    @property
    def text(self):
        return "".join(self.parts)

    def write(self, text, file=None, offset=0, verbatim=False):
        for line in text.splitlines(keepends=True):
            length = len(line.rstrip("\r\n"))
            if file is not None:
                self.map.add(
                    self.line, self.column, max(length, 1), file, offset, verbatim
                )
            self.parts.append(line)
            if verbatim:
                offset += len(line)
            if line.endswith(("\n", "\r")):
                self.line, self.column = self.line + 1, 0
            else:
                self.column += length

    def blank_until(self, line):
        """Empty lines, so that the next text is in `line`, or where it can be."""
        self.parts.append("\n" * max(line - self.line, 0))
        self.line = max(line, self.line)

    def body(self, python, edits, indent):
        """The statements of a function, `indent` spaces from the margin. Ends
        with a line's end."""
        file, statements = python.file, python.statements
        if not statements:
            self.write(" " * indent + "pass\n", file, python.span(python.node)[0])
            return
        begin = python.span(statements[0])[0]
        end = python.span(statements[-1])[1]
        before, after = ("return (", ")") if python.is_lambda else ("", "")
        first = file.lines[file.position(begin)[0] - 1].expandtabs(8)
        margin = len(first) - len(first.lstrip())
        self.write(" " * indent + before, file, begin)
        space = 0  # at the begin of the line, in the Python file
        for text, offset, verbatim in edits.pieces(file.text, begin, end):
            for line in text.splitlines(keepends=True):
                if self.column == 0:
                    bare = line.lstrip(" \t\f")
                    blank = len(line) - len(bare)
                    space += len(line[:blank].expandtabs(8))
                    if bare.strip():
                        self.write(" " * max(space - margin + indent, 0))
                    if verbatim:
                        offset += blank
                    line = bare
                self.write(line, file, offset, verbatim)
                if self.column or line:
                    space = 0
                if verbatim:
                    offset += len(line)
        self.write(after + "\n", file, max(end - 1, begin))


def render(diagnostics):
    """The text of diagnostics, as the library writes it."""
    parts = []

    def part(place, head):
        if place is None:
            parts.append(f"{head}\n")
            return
        parts.append(f"{place.file}:{place.line}:{place.column}: {head}\n")
        line = _line_of(place)
        if line:
            last = place.end_column if place.end_line == place.line else len(line) + 1
            under = " " * (place.column - 1) + "^"
            under += "~" * (last - place.column - 1)
            parts.append(f"{place.line:4} | {line}\n     | {under}\n")

    for one in diagnostics:
        code = f"[{one.code}]" if one.code else ""
        part(one.place, f"{one.severity}{code}: {one.text}")
        for note in one.notes:
            part(note.place, f"note: {note.text}")
        if one.help:
            parts.append(f"  = help: {one.help}\n")
    return "".join(parts)


def _line_of(place):
    file = _shown.get(place.file)
    if file is not None:
        return file.lines[place.line - 1].rstrip("\r\n")
    return linecache.getline(place.file, place.line).rstrip("\n")


# The maps of made sources by the names that the compiler knows them by, and the
# files that were spoken of, as they were when functions of them were read.
_maps = {}
_shown = {}


def remember(name, source_map):
    """From now on messages about the source `name` speak of Python files."""
    _maps[name] = source_map


def mapped(diagnostics):
    """The diagnostics with their places in Python files, and their text."""
    from dataclasses import replace

    def place_of(place):
        known = place and _maps.get(place.file)
        return known.place(place) if known else place

    made = []
    for one in diagnostics:
        notes = tuple(
            replace(note, place=place_of(note.place))
            for note in one.notes
            if note.place is None or place_of(note.place) is not None
        )
        is_python = one.place is not None and one.place.file in _maps
        fixes = () if is_python else one.fixes
        place = place_of(one.place)
        made.append(replace(one, place=place, notes=notes, fixes=fixes))
    return made, render(made)


def is_mapped(diagnostics):
    """Whether one of them is about a source that was made of Python."""
    return any(one.place and one.place.file in _maps for one in diagnostics)
