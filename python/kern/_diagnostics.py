"""What the compiler says of a source, as data."""

from dataclasses import dataclass

_SEVERITIES = {1: "remark", 2: "warning", 3: "error"}


@dataclass(frozen=True)
class Place:
    """A range of a source. Lines and columns count from 1, columns in code
    points; `begin` and `end` are bytes."""

    file: str
    begin: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class Note:
    """Another place that has to do with a diagnostic, and what it says there."""

    place: Place | None
    text: str


@dataclass(frozen=True)
class Fix:
    """A change of the source that does what the help says."""

    place: Place | None
    replacement: str


@dataclass(frozen=True)
class Diagnostic:
    """What the compiler says of a source."""

    severity: str  #: "error", "warning" or "remark"
    code: str  #: "K0201"; docs/reference/errors explains each
    text: str
    help: str  #: "" if there is none
    place: Place | None
    notes: tuple
    fixes: tuple


def _place(values):
    return None if values[0] is None else Place(*values)


def diagnostics_of(tuples):
    """From the extension's tuples."""
    return [
        Diagnostic(
            _SEVERITIES[severity],
            code,
            text,
            help_text,
            _place(place),
            tuple(Note(_place(where), said) for where, said in notes),
            tuple(Fix(_place(where), new) for where, new in fixes),
        )
        for severity, code, text, help_text, place, notes, fixes in tuples
    ]
