"""What vectorize and guvectorize share: their options and their results."""

import importlib
import inspect
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from kern import _places
from kern._errors import ArgumentError, NotFoundError
from kern._function import bound_to
from kern._module import _CHECKS, Module, Recipe

TARGETS = ("cpu", "parallel", "cuda", "auto")
# Numba's options that have no meaning here, or only the one that always holds.
_IGNORED = {"nopython", "cache", "nogil", "parallel", "error_model", "locals"}
_IGNORED |= {"debug", "inline", "no_cpython_wrapper", "looplift", "is_dynamic"}


@dataclass(frozen=True)
class Options:
    """The keywords of a decorator."""

    target: str = "cpu"
    fastmath: bool = False
    identity: object = None
    checks: int = 0
    writable: tuple = ()

    @classmethod
    def of(cls, given, decorator):
        given = dict(given)
        target = given.pop("target", "cpu")
        if target not in TARGETS:
            raise ArgumentError(
                f"target must be one of {', '.join(map(repr, TARGETS))}, not {target!r}"
            )
        identity = given.pop("identity", None)
        if identity not in (None, 0, 1, "reorderable"):
            raise ArgumentError(
                f"identity must be 0, 1, 'reorderable' or None, not {identity!r}"
            )
        if given.pop("forceobj", False):
            raise ArgumentError("forceobj: Kern runs no Python objects")
        checks = _CHECKS["bounds"] if given.pop("boundscheck", False) else 0
        fastmath = bool(given.pop("fastmath", False))
        writable = given.pop("writable_args", ()) if decorator == "guvectorize" else ()
        unknown = sorted(set(given) - _IGNORED)
        if unknown:
            raise ArgumentError(f"{decorator}() has no option {unknown[0]!r}")
        return cls(target, fastmath, identity, checks, tuple(writable))

    def decorators(self, can_reduce, of_bools=False):
        """The lines of decorators in the source. A function of bools, among others or
        alone, has a bool for its identity, since an integer is none of its values."""
        lines = "@fastmath\n" if self.fastmath else ""
        if can_reduce and self.identity in (0, 1):
            number = bool(self.identity) if of_bools else int(self.identity)
            lines += f"@associative(identity={number})\n"
        return lines


class PythonRecipe(Recipe):
    """The recipe of a module made from Python functions. It keeps their places, so
    that messages in another process refer to them too."""

    def __init__(self, *args, places, **keywords):
        super().__init__(*args, **keywords)
        self.places = places

    def _make_handle(self):
        _places.remember(self.file_name, self.places)
        return super()._make_handle()


def make_function(translation, python, name, signatures, options):
    """The kern.Function of a translated function."""
    code = python.code
    file_name = f"{code.co_filename}#{python.name}@{code.co_firstlineno}"
    recipe = PythonRecipe(
        "source",
        translation.writer.text,
        file_name,
        checks=options.checks,
        places=translation.writer.map,
    )
    function = Module(recipe._make_handle(), recipe)[name]
    if options.target == "cuda":
        function = bound_to(function, "cuda")
    py_func = python.function
    origin = Origin(
        py_func.__module__,
        py_func.__qualname__,
        py_func.__doc__,
        options.target,
        not signatures,
        options.identity,
    )
    return origin.dress(function, py_func)


@dataclass(frozen=True)
class Origin:
    """What pickles keep of the Python function that a kern.Function was made of, and
    of its decorator."""

    module: str
    qualname: str
    doc: str
    target: str
    is_dynamic: bool
    identity: object

    def dress(self, function, py_func=None):
        """Adds the attributes of Numba's functions."""
        py_func = py_func or self.find()
        if py_func is not None:
            function.py_func = py_func
        function._origin = self
        function.__doc__ = self.doc
        function.__module__ = self.module
        function.targetdevice = self.target
        function.is_dynamic = self.is_dynamic
        if self.identity is not None:  # not all sources say it
            is_number = self.identity in (0, 1)
            function._identity = self.identity if is_number else None
            if "identity" not in function._info:
                function._reordering = self.identity
        function.inspect_types = lambda file=None: inspect_types(function, file)
        function.inspect_ptx = lambda **given: inspect_ptx(function, **given)
        return function

    def find(self):
        """The Python function, by its module and name; None where they lead to
        nothing, as those of functions within functions."""
        try:
            found = importlib.import_module(self.module)
            for name in self.qualname.split("."):
                found = getattr(found, name)
        except Exception:  # whatever the module does
            return None
        found = getattr(found, "py_func", found)
        return found if inspect.isfunction(found) else None


def inspect_types(function, file=None):
    """Prints the Kern source that a Python function became, and its loops."""
    out = file or sys.stdout
    print(f"# {function.__name__}: {', '.join(function.types) or 'generic'}", file=out)
    print(function.source.strip("\n"), file=out)


def find_tool():
    """The tool `kern`, in the PATH or beside the package; None if it is not there."""
    beside = os.path.dirname(sys.executable)
    return shutil.which("kern") or shutil.which("kern", path=beside)


def inspect_ptx(function, signature=None, target="sm_90"):
    """The PTX of a function, made by the tool `kern`.

    signature: types for a function without signatures: "f32(f32, f32)", in
        Kern's names.

    The C interface does not return code, so this needs the tool in the PATH or
    beside the package.
    """
    tool = find_tool()
    if tool is None:
        raise NotFoundError(
            "inspect_ptx() runs the tool `kern`, which is not in the PATH"
        )
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "source.kern")
        result = os.path.join(folder, "source.ptx")
        with open(source, "w", encoding="utf-8") as file:
            file.write(function.source)
        command = [tool, "compile", source, "--target", target, "-o", result]
        if signature:  # of this one among the source's functions
            command += ["--signature", f"{function._info['name']}: {signature}"]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        if made.returncode:
            raise ArgumentError(made.stderr.strip())
        with open(result, encoding="utf-8") as file:
            return file.read()


def njit(*args, **options):
    """Marks a helper, as numba.njit does, and returns it unchanged: what
    vectorize and guvectorize call becomes part of their code. Used bare or with
    Numba's arguments, which are ignored; `kern.jit` is the same."""
    if len(args) == 1 and callable(args[0]) and not options:
        if hasattr(args[0], "__code__"):
            return args[0]
    return lambda function: function


jit = njit


def prange(*args):
    """`range`, as in Numba where nothing is parallel. In a function of vectorize or
    guvectorize it is `range` too."""
    return range(*args)
