"""A Kern module made from Python functions.

A body is copied without changes, except for names that Kern does not have and,
where types are known, conversions that make integers behave as in Numba.
"""

import builtins
import cmath
import math

from kern._inference import Inference
from kern._lazy import PRELUDE, PRELUDE_NAMES
from kern._names import Names, helper_function, kern_name, number_text, static_value
from kern._places import Edits, Writer
from kern._signatures import type_of
from kern._source import PythonFunction


class Translation:
    """A Kern module while it is written: its text and its names.

    typed: whether the types of parameters are known, so that integers can be
    computed as Numba does. For calls without signatures they are only known where
    translate() is given types.
    """

    def __init__(self, typed):
        self.typed = typed
        self.writer = Writer()
        self.names = {}  # of the module's items: what each stands for
        self.constants = []
        self.pending = []  # helpers: (name, PythonFunction, Edits)
        self.modules = []
        self.helpers = {}  # by function and edits: (name, type of the result)
        self.needs_prelude = False  # what calls without signatures use
        self.active = []  # functions that are being translated
        self.read = {}

    def unique(self, name, meaning):
        """A name for an item of the module, the given one if it is free."""
        import numpy

        name = kern_name(name)
        hidden = any(hasattr(of, name) for of in (math, cmath, numpy, builtins))
        candidate, number = (name + "_" if hidden else name), 2
        while self.names.get(candidate, meaning) != meaning:
            candidate = f"{name}_{number}"
            number += 1
        self.names[candidate] = meaning
        return candidate

    def names_main(self, python):
        """The name of the requested function."""
        name = kern_name(python.name)
        self.names[name] = python.function
        return name

    def function(self, value):
        """The PythonFunction of a Python function."""
        python = self.read.get(value)
        if python is None:
            python = PythonFunction(value)
            python.refuse_header()
            self.read[value] = python
        return python

    def translate(self, python, types=None, stores=None, ranks=()):
        """What must change in a function's text for types of its parameters, or, where
        calls decide these, for the ranks of the arrays among them by name. Returns the
        Edits and the Inference, None where nothing is typed."""
        self.active.append(python.function)
        before, self.typed = self.typed, self.typed or types is not None
        try:
            inference = None
            if types is not None:
                inference = Inference(
                    python,
                    types,
                    lambda node: static_value(python, node),
                    lambda node, callee, given: self.result_of(python, callee, given),
                    stores,
                )
            edits = inference.edits if inference else Edits()
            Names(self, python, edits, inference, dict(ranks)).all()
        finally:
            self.typed = before
            self.active.pop()
        return edits, inference

    def result_of(self, python, callee, types):
        """The type of a helper's result, in the first pass over a caller."""
        function = helper_function(callee)
        if function is None or function in self.active:
            return None
        try:
            return self.helper(function, types)[1]
        except SyntaxError:
            return None  # it is told when names are looked at

    def helper(self, function, types):
        """The name of the `def` for a function and types, and its result."""
        python = self.function(function)
        given = None
        if self.typed and types is not None:
            given = dict.fromkeys(python.parameters)
            given.update(zip(python.parameters, types))
        edits, inference = self.translate(python, given)
        key = (function, edits.key())
        if key not in self.helpers:
            name = self.unique(python.name, key)
            result = inference.result if inference else None
            self.helpers[key] = (name, result)
            self.pending.append((name, python, edits))
        return self.helpers[key]

    def constant(self, name, value):
        """The name of a `const` for a number from outside."""
        text = number_text(value)
        scalar = type_of(value)
        annotation = f": {scalar.kern}" if scalar else ""
        meaning = (annotation, text)
        name = self.unique(name, meaning)
        line = f"const {name}{annotation} = {text}\n"
        if line not in self.constants:
            self.constants.append(line)
        return name

    def kern_function(self, function, error):
        """The name of a Kern function whose module is copied into this one."""
        module = function.module
        if module.source is None:
            raise error("it is from a compiled file and its source is not at hand")
        if module not in self.modules:
            for one in module:
                taken = self.names.get(one.__name__, one)
                if taken is not one and one.__name__ not in PRELUDE_NAMES:
                    raise error(f"its module has another `{one.__name__}`")
                self.names[one.__name__] = one
            self.modules.append(module)
        return function.__name__

    def finish(self):
        """Writes what was deferred, after the main function."""
        writer = self.writer
        writer.map.helpers = writer.line
        for line in self.constants:
            writer.write(line)
        for name, python, edits in self.pending:
            names = ", ".join(map(kern_name, python.parameters))
            begin = python.span(python.node)[0]
            writer.write(f"\ndef {name}({names}):\n", python.file, begin)
            writer.body(python, edits, 4)
        for module in self.modules:
            source = module.source.removesuffix(PRELUDE)
            self.needs_prelude |= len(source) < len(module.source)
            writer.write("\n" + source.rstrip("\n") + "\n")
        if self.needs_prelude:
            writer.write(PRELUDE)
        return writer.text
