"""`np.zeros`, `np.empty`, `np.ones` and `np.full` in the body of a Python function.

Kern's have the same names. What is added is what Kern's lack: parameters by name, types
as texts or of arrays, NumPy's type where none is given, and bools that are numbers.
"""

import ast

import numpy as np

from kern._expressions import named_dtype
from kern._signatures import scalar_type

_PARAMETERS = {
    np.zeros: ("shape", "dtype"),
    np.empty: ("shape", "dtype"),
    np.ones: ("shape", "dtype"),
    np.full: ("shape", "fill_value", "dtype"),
}


def creates_array(callee):
    """Whether it is one of the functions."""
    return any(callee is one for one in _PARAMETERS)


def given_to(node, callee):
    """The arguments of a call by the names of the parameters."""
    names = _PARAMETERS[next(one for one in _PARAMETERS if one is callee)]
    given = dict(zip(names, node.args))
    given.update((one.arg, one.value) for one in node.keywords)
    return given


def spell(names, node, callee):
    """Edits a call of one of the functions. `names` is a kern._names.Names."""
    python, edits = names.python, names.edits
    given = given_to(node, callee)
    _remove_names(names, node)
    names.visit(node.func)
    shape, value, dtype = (given.get(one) for one in ("shape", "fill_value", "dtype"))
    for one in filter(None, (shape, value)):
        names.visit(one)
    number = None if value is None else _type_of_number(names, value)
    if dtype is None:
        if number is not None:
            end = python.span(value)[1]
            edits.replace((end, end), f", dtype={number}")
        return
    element = names.element(dtype) if value is None else None
    if element is not None:
        # A condition that never holds: the type is that of the element.
        end = python.span(shape)[1]
        edits.replace((end, python.span(dtype)[1]), f", {element} {callee is np.ones}")
        edits.replace(python.span(node.func), "np.full")
        return
    name = names.type_name(dtype)
    if value is not None and name is not None:
        edits.wrap(python.span(value), f"{name}(")
    elif callee is np.ones and name == "bool":
        end = python.span(shape)[1]
        edits.replace((end, end), ", True")
        edits.replace(python.span(node.func), "np.full")


def convert_stored(names, target, value):
    """Converts what is stored to a local array of integers or bools, as Numba does.
    `names.elements` has Kern's types of such arrays, by name, as far as the function
    has been seen. For functions whose types a call decides."""
    if isinstance(target, ast.Name):
        names.elements.pop(target.id, None)
        callee = names.static(value.func) if isinstance(value, ast.Call) else None
        if creates_array(callee) and "dtype" in (given := given_to(value, callee)):
            scalar = scalar_type(named_dtype(given["dtype"], names.static))
            if scalar is not None and scalar.kind in "biu":
                names.elements[target.id] = scalar.kern
    elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        name = names.elements.get(target.value.id)
        if name and not any(isinstance(one, ast.Slice) for one in ast.walk(target.slice)):
            names.edits.wrap(names.python.span(value), f"{name}(")


def _remove_names(names, node):
    """Removes `shape=`, which Kern's first parameter does not have, and what has no
    meaning of a local array."""
    python, edits = names.python, names.edits
    behind = python.span(node.args[-1] if node.args else node.func)[1]
    for one in node.keywords:
        begin, end = python.span(one)
        if one.arg == "order":
            edits.replace((behind, end), "")
        elif one.arg == "shape" and one is node.keywords[0]:
            edits.replace((begin, python.span(one.value)[0]), "")
        elif one.arg == "shape":
            raise names.error(one, "the shape comes first")
        behind = end


def _type_of_number(names, node):
    """NumPy's type of a number of Python's that fills an array; None of other values,
    whose type the array has."""
    try:
        number = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        number = names.static(node)
    kinds = {bool: "bool", int: "i64", float: "f64", complex: "c128"}
    return kinds.get(type(number))
