"""How a place in a Kern source that was made of Python functions leads back to
the Python file.
"""

import linecache
from dataclasses import dataclass, field, replace

from kern._source import shown


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

    def wrap_first(self, span, before, after=")"):
        """Within all that is put around the same part."""
        self.wrapped.insert(0, (*span, before, after))

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
    """Maps parts of a generated text to their places in Python files.

    helpers: the line from which on the text has what the function uses; None if there
        is none.
    """

    def __init__(self, lines=None, helpers=None):
        self.lines = lines or {}  # line -> [(column, length, file, offset, verbatim)]
        self.helpers = helpers

    def add(self, line, column, length, file, offset, verbatim):
        segment = (column, length, file, offset, verbatim)
        self.lines.setdefault(line, []).append(segment)

    def __reduce__(self):
        """Pickles only the parts of the files that places can refer to."""
        spans = {}
        for segments in self.lines.values():
            for _, length, file, offset, _ in segments:
                span = spans.get(file, (offset, offset))
                end = min(offset + length, len(file.text))
                spans[file] = (min(span[0], offset), max(span[1], end))
        parts = {file: file.part(*span) for file, span in spans.items()}
        lines = {}
        for line, segments in self.lines.items():
            for column, length, file, offset, verbatim in segments:
                part, begin = parts[file]
                one = (column, length, part, offset - begin, verbatim)
                lines.setdefault(line, []).append(one)
        return SourceMap, (lines, self.helpers)

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

    def is_in_helper(self, place):
        """Whether a place in the generated text is in what the function uses."""
        return self.helpers is not None and place.line >= self.helpers

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
    file = shown.get(place.file)
    if file is not None:
        index = place.line - file.first
        inside = 0 <= index < len(file.lines)
        return file.lines[index].rstrip("\r\n") if inside else ""
    return linecache.getline(place.file, place.line).rstrip("\n")


# The maps of made sources by the names that the compiler knows them by.
_maps = {}


def remember(name, source_map):
    """Makes messages about the source `name` refer to Python files from now on."""
    _maps[name] = source_map


def mapped(diagnostics):
    """The diagnostics with their places in Python files, and their text. What is wrong
    in a helper comes before what is wrong with its results."""

    def place_of(place):
        known = place and _maps.get(place.file)
        return known.place(place) if known else place

    def is_of_use(one):
        known = one.place and _maps.get(one.place.file)
        return not (known and known.is_in_helper(one.place))

    made = []
    for one in sorted(diagnostics, key=is_of_use):
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
    """Whether one of them is about a source made from Python."""
    return any(one.place and one.place.file in _maps for one in diagnostics)
