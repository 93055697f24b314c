"""What the names in a Python function stand for, and how Kern spells them.

Numbers from outside become `const`s, functions become `def`s, the library is
spelled `math.` and `np.`. What Kern has no place for is an error at its line.
"""

import ast
import builtins
import cmath
import inspect
import math
import numbers
from types import ModuleType

from kern._creation import convert_stored, creates_array, spell
from kern._expressions import CONJUGATES, TO_INTEGER, UINT64, Expressions
from kern._expressions import is_dtype, named_dtype
from kern._kern import Function
from kern._module import Module
from kern._signatures import is_of_numpy, scalar_type, type_of

_KEYWORDS = {"const", "gufunc", "ufunc"}  # Kern's, of those that Python lacks
_LIBRARY_NUMBERS = {"pi", "e", "tau", "inf", "nan"}
_METHODS = {"sum", "prod", "min", "max", "mean", "any", "all", "argmin", "argmax"}


def python_function(value):
    """The plain Python function behind a compiled one, or None."""
    if inspect.isfunction(value):
        return value
    for holder in (value, getattr(value, "_dispatcher", None)):
        function = getattr(holder, "py_func", None)
        if inspect.isfunction(function):
            return function
    return None


def helper_function(value):
    """The Python function of a call that the caller's code takes in, or None. Those of
    NumPy are the library's."""
    return None if is_of_numpy(value) else python_function(value)


def kern_name(name):
    """A Python name, changed if necessary to one that Kern allows."""
    return name + "_" if name in _KEYWORDS else name


def number_text(value):
    """A number as Kern writes it; None for other objects."""
    scalar = type_of(value)
    if scalar is not None:
        value = value.item()
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, complex):
        return f"({value.real!r} + {value.imag!r} * 1j)"
    return None


def static_value(python, node):
    """The object that a Name or an Attribute stands for outside of the
    function; None where it is a local value or unknown."""
    if isinstance(node, ast.Name):
        if node.id in python.local_names:
            return None
        try:
            return python.value(node)
        except NameError:
            return None
    if isinstance(node, ast.Attribute):
        base = static_value(python, node.value)
        if isinstance(base, (ModuleType, Module)):
            return getattr(base, node.attr, None)
    return None


class Names(ast.NodeVisitor):
    """Puts Kern's spelling of all names into a function's edits."""

    def __init__(self, translation, python, edits, inference, ranks):
        self.translation = translation
        self.ranks = ranks  # of the arrays among its parameters
        self.python = python
        self.edits = edits
        self.inference = inference  # None where nothing is typed
        self.types = inference.types if inference else {}
        self.elements = {}  # of local arrays (kern._creation)

    def all(self):
        for statement in self.python.statements:
            self.visit(statement)

    def error(self, node, text, help_text=""):
        return self.python.error(node, text, help_text)

    def spell(self, node, text):
        span = self.python.span(node)
        if self.python.file.text[slice(*span)] != text:
            self.edits.replace(span, text)

    def visit_Name(self, node):
        if node.id in self.python.local_names:
            if node.id in _KEYWORDS:
                self.spell(node, kern_name(node.id))
            return
        try:
            value = self.python.value(node)
        except NameError:
            raise self.error(
                node, f"name `{node.id}` is not defined", self.near(node.id)
            ) from None
        self.outside(node, node.id, value)

    def near(self, name):
        import difflib

        known = {*self.python.local_names, *self.python.function.__globals__}
        found = difflib.get_close_matches(name, known, 1)
        if found:
            return f"did you mean `{found[0]}`?"
        for module in (math, cmath):
            if hasattr(module, name):
                return f"write `{module.__name__}.{name}`, and import {module.__name__}"
        return ""

    def visit_Attribute(self, node):
        base = static_value(self.python, node.value)
        if base is None and is_dtype(node):
            self.dtype(node)
            return
        if base is None:
            self.visit(node.value)
            return
        if not isinstance(base, (ModuleType, Module)):
            self.visit(node.value)  # says what is wrong with it
            return
        try:
            value = getattr(base, node.attr)
        except AttributeError as error:
            raise self.error(node, str(error)) from None
        module = getattr(base, "__name__", "").partition(".")[0]
        if module in ("math", "cmath", "numpy") and node.attr in _LIBRARY_NUMBERS:
            prefix = "np" if module == "numpy" else module
            self.spell(node, f"{prefix}.{node.attr}")
            return
        self.outside(node, node.attr, value)

    def dtype(self, node):
        """`x.dtype` of a local x."""
        name = self.inference and self.inference.element_name(node.value)
        if not name:
            text = self.python.file.text[slice(*self.python.span(node.value))]
            raise self.error(
                node,
                f"the type of `{text}` is not known here",
                "give the decorator signatures with arrays, or write "
                f"`np.zeros_like({text})`",
            )
        self.spell(node, name)

    def type_name(self, node):
        """Spells a type in Kern's way, and returns that."""
        scalar = scalar_type(named_dtype(node, self.static))
        if scalar is None or scalar.kind == "V":
            self.visit(node)
            return None
        self.spell(node, scalar.kern)
        return scalar.kern

    def element(self, node):
        """For `x.dtype` of a parameter whose type a call decides: the beginning of an
        expression of its elements' type. None for others."""
        value = node.value if is_dtype(node) else None
        if not isinstance(value, ast.Name) or self.inference:
            return None
        rank = self.ranks.get(value.id)
        if not rank:
            return None
        name = kern_name(value.id)
        return f"{name}[{', '.join(['0'] * rank)}] if len({name}) < 0 else"

    def static(self, node):
        return static_value(self.python, node)

    def outside(self, node, name, value):
        """A use of an object from outside of the function."""
        scalar = None
        if isinstance(value, ModuleType):
            raise self.error(node, f"`{name}` is a module, and this needs a value")
        if number_text(value) is not None:
            self.spell(node, self.translation.constant(name, value))
            return
        if any(value is one for one in (int, float, complex, bool)):
            self.spell(node, value.__name__)
            return
        scalar = scalar_type(value)
        if scalar is not None and scalar.kind != "V":
            self.spell(node, scalar.kern)
            return
        text = library_name(value)
        if text is not None:
            self.spell(node, text)
            return
        if is_prange(value):
            self.spell(node, "range")
            return
        if is_of_numpy(value):
            raise self.error(node, f"Kern has no `{name}` of NumPy")
        function = helper_function(value)
        if function is not None:
            self.spell(node, self.helper(node, function, None)[0])
            return
        if isinstance(value, Function):

            def refuse(why):
                return self.error(node, f"`{name}` cannot be called here: {why}")

            self.spell(node, self.translation.kern_function(value, refuse))
            return
        raise self.error(
            node,
            f"`{name}` is {article(type(value).__name__)} from outside of "
            f"`{self.python.name}`; only numbers and functions can be used so",
            "make it an argument",
        )

    def visit_Assign(self, node):
        if self.inference is None and len(node.targets) == 1:
            convert_stored(self, node.targets[0], node.value)
        self.generic_visit(node)

    def visit_FunctionDef(self, node):
        raise self.error(
            node,
            f"`{node.name}` is defined within `{self.python.name}`",
            "write it outside; the compiler puts it in where it is called",
        )

    def visit_Lambda(self, node):
        raise self.error(
            node,
            f"there is a lambda within `{self.python.function.__name__}`",
            "write a function outside; the compiler puts it in where it is called",
        )

    def visit_Import(self, node):
        raise self.error(node, "a function cannot import", "import at the file's top")

    visit_ImportFrom = visit_Import

    def helper(self, node, function, types):
        translation = self.translation
        if function in translation.active:
            raise self.error(
                node, f"`{function.__name__}` calls itself; Kern has no recursion"
            )
        return translation.helper(function, types)

    def visit_Call(self, node):
        callee = static_value(self.python, node.func)
        function = helper_function(callee)
        if function is not None and not is_prange(callee):
            self.call_helper(node, function)
        elif creates_array(callee):
            spell(self, node, callee)
            return
        elif any(callee is one for one in TO_INTEGER) or (
            callee is round and len(node.args) == 1
        ):
            self.visit(node.func)
            given = self.types.get(node.args[0]) if node.args else None
            whole = "u64(" if self.types.get(node) == UINT64 and given else "i64("
            self.edits.wrap_first(self.python.span(node), whole)
        elif callee is None and self.is_conjugate(node):
            value, end = node.func.value, self.python.span(node)[1]
            value_end, name_end = self.python.span(value)[1], self.python.span(node.func)[1]
            dot = self.python.file.text.rindex(".", value_end, name_end)
            self.edits.replace((dot, end), ")")
            self.edits.wrap(self.python.span(node), "np.conjugate(", "")
            self.visit(value)
        elif callee is None and self.is_method(node):
            value = node.func.value
            end = self.python.span(value)[1]
            self.edits.replace((end, self.python.span(node)[1]), ")")
            self.edits.wrap(self.python.span(value), f"{node.func.attr}(", "")
            self.visit(value)
        else:
            self.visit(node.func)
        for one in node.args:
            self.visit(one)
        for one in node.keywords:
            self.visit(one.value)

    def is_conjugate(self, node):
        """Whether it is `z.conjugate()` of a number or an array."""
        func = node.func
        return (
            isinstance(func, ast.Attribute)
            and func.attr in CONJUGATES
            and not node.args
            and not node.keywords
            and not isinstance(static_value(self.python, func.value), ModuleType)
        )

    def is_method(self, node):
        """Whether it is `x.sum()` of a local x."""
        func = node.func
        return (
            isinstance(func, ast.Attribute)
            and func.attr in _METHODS
            and not node.args
            and not node.keywords
            and isinstance(func.value, (ast.Name, ast.Subscript))
        )

    def call_helper(self, node, function):
        helper = self.translation.function(function)
        names = helper.parameters
        given = list(node.args)
        for one in node.args:
            if isinstance(one, ast.Starred):
                raise self.error(one, "arguments are written out, one by one")
        for one in node.keywords:
            at = len(given)
            if at >= len(names) or one.arg != names[at]:
                raise self.error(
                    one, "arguments of a helper come in the order of its parameters"
                )
            begin = self.python.span(one)[0]
            self.edits.replace((begin, self.python.span(one.value)[0]), "")
            given.append(one.value)
        types = [self.types.get(one) for one in given]
        types += self.add_defaults(node, function, given, names)
        self.spell(node.func, self.helper(node.func, function, types)[0])

    def add_defaults(self, node, function, given, names):
        """Writes out the arguments that a call leaves to their defaults."""
        defaults = dict(zip(reversed(names), reversed(function.__defaults__ or ())))
        missing = [one for one in names[len(given) :] if one in defaults]
        if not missing or len(given) + len(missing) != len(names):
            return []
        texts = [number_text(defaults[one]) for one in missing]
        if None in texts:
            name = missing[texts.index(None)]
            raise self.error(
                node, f"the default of `{name}` is not a number", "give the argument"
            )
        end = self.python.span(node)[1] - 1
        before = self.python.file.text[:end].rstrip()
        comma = "" if before.endswith((",", "(")) else ", "
        self.edits.replace((end, end), comma + ", ".join(texts))
        return [Expressions.number(defaults[one]) for one in missing]


def library_name(value):
    """Kern's name of a function of Python or NumPy; None for others."""
    import numpy

    name = getattr(value, "__name__", None)
    if not isinstance(name, str):
        return None
    for module, prefix in ((builtins, ""), (math, "math."), (cmath, "cmath.")):
        if getattr(module, name, None) is value:
            return prefix + name
    if isinstance(value, numpy.ufunc) or callable(value):
        if getattr(numpy, name, None) is value:
            return "np." + name
    return None


def is_prange(value):
    """Numba's prange or Kern's; iterations in order are valid for both."""
    name = getattr(value, "__name__", None)
    module = getattr(value, "__module__", None) or ""
    return name == "prange" and module.partition(".")[0] in ("numba", "kern")


def article(noun):
    return f"an {noun}" if noun[0] in "aeiouAEIOU" else f"a {noun}"
