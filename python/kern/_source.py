"""The text of Python functions: where it is, and what its names mean."""

import ast
import builtins
import functools
import importlib.util
import inspect
import linecache
from bisect import bisect_right

from kern._errors import CompileError


class SourceFile:
    """The text of a Python file, its functions, and offsets in code points.

    A part of a file begins in line `first`, after `skipped` bytes.
    """

    def __init__(self, name, lines, first=1, skipped=0):
        self.name = name
        self.lines = lines
        self.first = first
        self.skipped = skipped
        self.text = "".join(lines)
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line))

    @functools.cached_property
    def functions(self):
        """Its functions and lambdas. Raises SyntaxError."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        tree = ast.parse(self.text)
        return [node for node in ast.walk(tree) if isinstance(node, kinds)]

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
        return line + self.first - 1, offset - self.starts[line - 1] + 1

    def part(self, begin, end):
        """The lines with the text from `begin` to `end`, and where they begin."""
        first, last = self.position(begin)[0], self.position(end)[0]
        lines = self.lines[first - self.first : last - self.first + 1]
        offset = self.starts[first - self.first]
        skipped = self.skipped + len(self.text[:offset].encode())
        return SourceFile(self.name, lines, first, skipped), offset

    def __reduce__(self):
        return SourceFile, (self.name, self.lines, self.first, self.skipped)

    def error(self, span, text, help_text=""):
        """The CompileError for a part of the file."""
        from kern._errors import make_compile_error
        from kern._diagnostics import Diagnostic
        from kern._places import render

        place = self.place(*span)
        one = Diagnostic("error", "", text, help_text, place, (), ())
        return make_compile_error(render([one]), [one])

    def place(self, begin, end):
        """The kern.Place from one offset to another."""
        from kern._diagnostics import Place

        shown[self.name] = self

        def byte(offset):
            return self.skipped + len(self.text[:offset].encode())

        return Place(
            self.name,
            byte(begin),
            byte(end),
            *self.position(begin),
            *self.position(end),
        )


# The files that were spoken of, as they were when functions of them were read.
shown = {}


@functools.lru_cache(maxsize=16)
def _source_file(name, text):
    return SourceFile(name, text.splitlines(keepends=True))


def _lines_of(function):
    name, space = function.__code__.co_filename, function.__globals__
    for read in (
        lambda: inspect.findsource(function)[0],
        lambda: linecache.getlines(name, space),
        lambda: _decoded(space["__loader__"].get_data(name)),  # of a ZIP file
    ):
        try:
            if lines := read():
                return lines
        except (OSError, TypeError, ValueError, SyntaxError, KeyError, AttributeError):
            pass
    return []


def _decoded(data):
    return importlib.util.decode_source(data).splitlines(keepends=True)


def _lines_and_columns(node):
    """Where a node begins and ends in its file."""
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _does(node):
    """What a lambda computes, if it needs no variable of a function around it."""
    consts = compile(ast.Expression(node), "", "eval").co_consts
    return _content([one for one in consts if inspect.iscode(one)][-1])


def _content(code):
    constants = [repr(one) for one in code.co_consts if not inspect.iscode(one)]
    return code.co_code, code.co_names, constants


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
            name = self.code.co_filename
            why = "what exec() makes has none"
            if name == "<stdin>":
                why = "what is typed at Python's prompt has none"
            elif not name.startswith("<"):
                why = f"there is no file {name!r}"
            raise _no_source(
                function,
                f"{why}; write it in a file or a notebook, or pass its text to "
                "kern.compile",
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
            nodes = self.file.functions
        except SyntaxError:
            raise _no_source(self.function, "its file is not Python any more") from None
        if code.co_name == "<lambda>":
            found = self._find_lambda(nodes)
        else:
            found = [
                node
                for node in nodes
                if not isinstance(node, ast.Lambda)
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
        of, code = node.args, self.code
        names = [one.arg for one in (*of.posonlyargs, *of.args, *of.kwonlyargs)]
        count = code.co_argcount + code.co_kwonlyargcount
        return names == list(code.co_varnames[:count])

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
        # Its body is the innermost that all of the code is in. Instructions of no
        # width, with which functions begin, and those without columns say nothing.
        code = [
            ((line, column), (end_line, end_column))
            for line, end_line, column, end_column in self.code.co_positions()
            if column is not None and (line, column) != (end_line, end_column)
        ]
        if not code:  # as of a constant, in some versions
            return [one for one in found if _does(one) == _content(self.code)][:1] or found
        around = {
            begin: node
            for node in found
            for begin, end in [_lines_and_columns(node.body)]
            if all(begin <= one[0] and one[1] <= end for one in code)
        }
        return [around[max(around)]] if around else found

    def refuse_header(self):
        """Raises for parameters that Kern functions cannot have."""
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
        """Its statements without the docstring; for a lambda the expression."""
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
        """The object of a Name outside the function. Raises NameError."""
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
