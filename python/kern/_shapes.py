"""The shapes of a function's results, from those of its arguments.

A call finds them itself; this is for programs that are made before there are
arrays, in which extents may be symbols (torch's SymInt).
"""

import functools

from kern import _kern
from kern._errors import ShapeError
from kern._loops import _EXTENTS, _OPERATIONS, _extent, _forms


class Shapes:
    """Of one function. Arguments are shapes, with the core dimensions at the end;
    for a `dim` its value."""

    def __init__(self, function):
        info = function._info
        self.name = function.__name__
        self.parameters = info["parameters"]
        self.results = info["results"]
        self.optional = set(info.get("optional", ()))

    def of_results(self, arguments, broadcast):
        """A shape for each result. `broadcast` takes shapes, and gives the one to
        which they broadcast."""
        missing = self.missing(arguments)
        extents = self.extents(arguments, missing)
        loops = [
            tuple(given[: len(given) - len(self.present(info, missing))])
            for given, info in zip(arguments, self.parameters)
            if not info.get("dim")
        ]
        loop = tuple(broadcast(*loops)) if loops else ()
        return [
            loop + tuple(self.value(part, extents) for part in self.present(one, missing))
            for one in self.results
        ]

    def extents(self, arguments, missing):
        """The extents of core dimensions by their names."""
        extents = {}
        for given, info in zip(arguments, self.parameters):
            if info.get("dim"):
                extents[info["name"]] = given
                continue
            core = self.present(info, missing)
            if len(given) < len(core):
                raise ShapeError(
                    f"`{self.name}`: `{info['name']}` has shape {tuple(given)}, but "
                    f"needs at least {len(core)} dimensions"
                )
            for part, extent in zip(core, given[len(given) - len(core) :]):
                known = _constant(part)
                if known is None:
                    known = extents.setdefault(part[0], extent)
                if known != extent:
                    raise ShapeError(
                        f"`{self.name}`: dimension `{part[0]}` is {known}, and "
                        f"{extent} in `{info['name']}`"
                    )
        return extents

    def missing(self, arguments):
        """The optional dimensions that are not there: where an array has too few,
        its first optional ones."""
        missing = set()
        if not self.optional:
            return missing
        for given, info in zip(arguments, self.parameters):
            core = info.get("core") or ()
            lacking = len(core) - len(given) if not info.get("dim") else 0
            for part in core:
                if lacking > 0 and part[0] in self.optional:
                    missing.add(part[0])
                    lacking -= 1
        return missing

    @staticmethod
    def present(operand, missing):
        """The core dimensions that an operand has."""
        return [one for one in operand.get("core") or () if one[0] not in missing]

    def value(self, part, extents):
        """The extent of a result's core dimension."""
        for name in part:
            if not (name in _OPERATIONS or name in extents or name.isdigit()):
                raise ShapeError(
                    f"`{self.name}`: no argument tells the extent of dimension "
                    f"`{name}`, which only results have"
                )
        if len(part) == 1 and part[0] in extents:
            return extents[part[0]]
        return _extent(part, extents)


def _constant(part):
    return int(part[0]) if len(part) == 1 and part[0].isdigit() else None


@functools.lru_cache(maxsize=1024)
def result_types(function, types):
    """The names of the results' types ("f32").

    types: for each parameter a numpy.dtype or "bf16", or `int`, `float` or
        `complex` for a number of Python's; for a `dim` whatever one likes.
    """
    for extent in _EXTENTS:
        try:
            _, results = _kern.resolve_names(
                function, *_forms(function, types, (), extent)
            )
        except ShapeError:
            continue
        return [name for name, _ in results]
    raise TypeError(
        f"the types of `{function.__name__}` do not tell the extents of its results"
    )
