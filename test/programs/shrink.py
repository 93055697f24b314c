"""Makes a failing program smaller: statements are dropped or replaced by their
bodies, expressions by their parts or a literal, as long as it fails."""

import copy

from elements import IllTyped
from infer import Types
from tree import Expr, If, Lit, walk


def lists_of(function):
    """Every list of statements in a function."""
    yield function.body
    for node in walk(function):
        if isinstance(node, If):
            yield from node.bodies
        elif hasattr(node, "body") and node is not function:
            yield node.body
            if getattr(node, "otherwise", []):
                yield node.otherwise


def places(function):
    """(node, attribute, index) of every expression."""
    for node in list(walk(function)):
        for name, index, child in node.children():
            if name is not None and isinstance(child, Expr):
                yield node, name, index


def get(place):
    node, name, index = place
    value = getattr(node, name)
    return value if index is None else value[index]


def put(place, value):
    node, name, index = place
    if index is None:
        setattr(node, name, value)
    else:
        getattr(node, name)[index] = value


def smaller(function, parameters):
    """Copies of a function, each with one part removed; `parameters` names the
    attribute that lists what it has."""
    for k, body in enumerate(lists_of(function)):
        for i, statement in enumerate(body):
            nested = [getattr(statement, "body", [])] + \
                list(getattr(statement, "bodies", []))
            for replacement in [[]] + [b for b in nested if b]:
                candidate = copy.deepcopy(function)
                list(lists_of(candidate))[k][i:i + 1] = \
                    copy.deepcopy(replacement)
                yield candidate
    for k, place in enumerate(places(function)):
        parts = [c for _, _, c in get(place).children() if isinstance(c, Expr)]
        literals = [] if isinstance(get(place), Lit) else [Lit(1), Lit(0.5)]
        for part in parts + literals:
            candidate = copy.deepcopy(function)
            put(list(places(candidate))[k], copy.deepcopy(part))
            yield candidate
    for k in range(len(getattr(function, parameters))):
        candidate = copy.deepcopy(function)
        del getattr(candidate, parameters)[k]
        yield candidate


def smallest(function, parameters, fails, attempts):
    """The smallest function found for which `fails` holds. It raises IllTyped
    or KeyError for candidates that are not well typed, which are not counted."""
    found = True
    while found and attempts > 0:
        found = False
        for candidate in smaller(function, parameters):
            try:
                found = fails(candidate)
            except (IllTyped, KeyError):
                continue
            attempts -= 1
            if found:
                function = candidate
            if found or attempts <= 0:
                break
    return function


def shrink(function, types, fails, attempts=400):
    """`fails(function, types)` says whether a well-typed candidate still does
    what it is shrunk for. Returns the smallest found, with its types."""
    by_name = {p.name: t for p, t in zip(function.parameters, types)}

    def kept(candidate):
        return [by_name[p.name] for p in candidate.parameters]

    def well_typed_fails(candidate):
        if not candidate.parameters:
            raise IllTyped("no parameters")
        Types(candidate, kept(candidate))
        return fails(candidate, kept(candidate))
    found = smallest(function, "parameters", well_typed_fails, attempts)
    return found, kept(found)
