"""The exceptions, one for each status of the C interface.

Each is also one of Python's own, so that code which catches `TypeError` or
`ValueError` from NumPy catches Kern's.
"""

import re
import sys

import numpy as np


class Error(Exception):
    """The base class of all exceptions of Kern."""


class CompileError(Error, SyntaxError):
    """A source has errors.

    It has the attributes of SyntaxError for the first error, so that tracebacks
    show the line, and `diagnostics`, a list of kern.Diagnostic, for all.
    """

    diagnostics = ()

    def __reduce__(self):
        # Dask's pickling keeps no SyntaxError's place unless it is told to.
        return type(self), self.args, self.__dict__


class ArtefactError(Error, ValueError):
    """A compiled file is malformed, or of a version that is too new."""


class NotFoundError(Error, LookupError):
    """There is no such function or device."""


class ArgumentError(Error, TypeError, ValueError):
    """Arguments of a wrong number or kind."""


class DTypeError(Error, TypeError):
    """A function has no loop for the types, or a cast is not allowed."""


class RangeError(DTypeError, OverflowError):
    """A Python integer does not fit the loop's type for it."""


class ShapeError(Error, ValueError):
    """Shapes that do not fit together."""


class AxisError(ShapeError, np.exceptions.AxisError):
    """An axis that an array does not have, or a wrong number of axes: NumPy's
    AxisError, with its `axis` and `ndim`."""

    def __init__(self, message, axis=None, ndim=None):
        super().__init__(message)
        self.axis, self.ndim = axis, ndim

    def __reduce__(self):
        return type(self), (str(self), self.axis, self.ndim), self.__dict__


class OverlapError(Error, ValueError):
    """Results that would overlap in memory."""


class OutOfMemoryError(Error, MemoryError):
    """Out of memory, on the host or a device."""


class DeviceError(Error, RuntimeError):
    """A call of the driver failed; the message names it."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class CheckError(Error, RuntimeError):
    """A check of the program failed (`checks=` of kern.compile)."""


class InternalError(Error, RuntimeError):
    """A defect in Kern."""


# By kern_status.
_KINDS = {
    1: CompileError,
    2: ArtefactError,
    3: NotFoundError,
    4: ArgumentError,
    5: DTypeError,
    6: ShapeError,
    7: OverlapError,
    8: OutOfMemoryError,
    9: DeviceError,
    10: FileError,
    11: CheckError,
}

# What NumPy raises its AxisError for.
_BAD_AXIS = re.compile(
    r"axis (-?\d+) is out of bounds for .* of (\d+) dimension|, but `axes` gives it "
)


def make_error(status, message, diagnostics):
    """The exception for a failure. `diagnostics` are the tuples of the
    extension, those of a source that was refused."""
    from kern._diagnostics import diagnostics_of

    kind = _KINDS.get(status, InternalError)
    diagnostics = diagnostics_of(diagnostics)
    if diagnostics and "kern._places" in sys.modules:
        from kern._places import is_mapped, mapped

        if is_mapped(diagnostics):  # they are about Python functions
            diagnostics, message = mapped(diagnostics)
    if kind is CompileError:
        return make_compile_error(message, diagnostics)
    if kind is DTypeError and ", which does not fit " in message:
        kind = RangeError
    if axes := _BAD_AXIS.search(message):
        error = AxisError(message, *(one and int(one) for one in axes.groups()))
    else:
        error = kind(message)
    if diagnostics:  # a loop of a generic function does not compile
        error.diagnostics = diagnostics
    return error


def make_compile_error(message, diagnostics):
    errors = [one for one in diagnostics if one.severity == "error"]
    if not errors or errors[0].place is None:
        error = CompileError(message)
    else:
        first = errors[0]
        place = first.place
        text = f"{first.text} [{first.code}]" if first.code else first.text
        if first.help:
            text += f"; {first.help}"
        if len(errors) > 1:
            text += f" (and {len(errors) - 1} more)"
        error = CompileError(
            text,
            (
                place.file,
                place.line,
                place.column,
                _line_of(message, place.line),
                place.end_line,
                place.end_column,
            ),
        )
    error.diagnostics = diagnostics
    error.rendered = message
    return error


def _line_of(rendered, number):
    """A line of the source, as the rendered message shows it: `12 | text`."""
    for line in rendered.splitlines():
        head, bar, text = line.partition("|")
        if bar and head.strip() == str(number):
            return text[1:] + "\n" if text.startswith(" ") else text + "\n"
    return None
