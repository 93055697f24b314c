"""What is known about names at a place of a function.

An environment has for each name a type, or where paths have met the set of the
types that arrived (`Meeting`): at the next meeting it is the set that counts. A
name that holds a constant, whose value decides conditions, has a `Constant`.
"""

from elements import join


class Meeting:
    """The types that arrived where paths met."""

    def __init__(self, types):
        self.types = frozenset(types)
        self.type = join(self.types)

    def __eq__(self, other):
        return isinstance(other, Meeting) and self.types == other.types


class Constant:
    """A value that is known when the program is compiled."""

    def __init__(self, type, value):
        self.type, self.value = type, value

    def __eq__(self, other):
        return isinstance(other, Constant) and self.same(other)

    def same(self, other):
        return type(self.value) is type(other.value) and \
            repr(self.value) == repr(other.value)


def typed(entry):
    """The type of what an environment has for a name."""
    return entry.type if isinstance(entry, (Meeting, Constant)) else entry


def arriving(entry):
    return entry.types if isinstance(entry, Meeting) else {typed(entry)}


def meet(entries):
    """What an environment has for a name where these arrive."""
    entries = list(entries)
    first = entries[0]
    if isinstance(first, Constant) and all(e == first for e in entries):
        return first
    types = set().union(*map(arriving, entries))
    return Meeting(types)


def merge(environments):
    """The types where these paths meet; None is a path that is not taken."""
    environments = [e for e in environments if e is not None]
    if not environments:
        return None
    if len(environments) == 1:
        return environments[0]
    names = set(environments[0]).intersection(*environments[1:])
    return {n: meet(e[n] for e in environments) for n in sorted(names)}


def held(environment):
    """The types alone, for the evaluation."""
    if environment is None:
        return None
    return {n: typed(entry) for n, entry in environment.items()}
