"""Modules: compiled sources and loaded files."""

import functools
import os
import textwrap
import weakref

from kern import _kern
from kern._errors import CompileError

# The bits of kern_check.
_CHECKS = {"bounds": 1, "assert": 2, "results": 4, "races": 8}


def _parsed(manifest):
    import json

    return json.loads(manifest)


def _bits(flags):
    return sum(1 << i for i, flag in enumerate(flags) if flag)


class Module:
    """The functions of one source or compiled file.

    They are its attributes (`module.add`) and its items (`module["add"]`);
    iteration gives them in the source's order. A name that there is not is an
    AttributeError or a KeyError. A module pickles: by its source and options, which
    the receiver compiles or finds in its cache. Modules of equal sources and options
    are one object. Its functions hold a module; its code is freed with the last of
    them, which waits for work on GPUs.

    Threads: any number at once.

        >>> import kern
        >>> m = kern.compile("ufunc twice(x): return 2 * x")
        >>> m, m["twice"](4), [f.__name__ for f in m]
        (<kern module '<string>': twice>, np.int64(8), ['twice'])
    """

    def __init__(self, handle, recipe):
        self._handle = handle
        self._recipe = recipe
        self._manifest = _parsed(handle.manifest())
        self._functions = {}
        for index, info in enumerate(self._manifest["functions"]):
            parameters = info["parameters"]
            function = handle.function_at(
                index,
                self,
                tuple(one["name"] for one in parameters),
                info["kind"] == "gufunc",
                _bits(one.get("inout") for one in parameters),
                _bits(one.get("dim") for one in parameters),
            )
            function._info = info
            function._known = {}  # of its methods (kern._methods)
            function.__doc__ = info.get("doc") or None
            self._functions[info["name"]] = function
        # So `module.add` costs what an attribute costs; __getattr__ has the others.
        for name, function in self._functions.items():
            if not hasattr(type(self), name):
                self.__dict__.setdefault(name, function)

    @property
    def name(self):
        """The file's name without folder and ending."""
        return os.path.splitext(os.path.basename(self._recipe.file_name))[0]

    @property
    def source(self):
        """The text that was compiled; None of a compiled file."""
        return self._recipe.source

    @property
    def hash(self):
        """A hash of the text, of what it imports and of the options that it was
        compiled with (kern_module_hash): 32 hexadecimal digits, the same in every
        process and on every machine."""
        return self._handle.hash()

    @property
    def manifest(self):
        """What the C interface's kern_module_manifest() says of the functions, as
        dicts and lists; a new copy at each access."""
        return _parsed(self._handle.manifest())

    @functools.cached_property
    def diagnostics(self):
        """The warnings of the source, and its remarks if they were asked for: a list
        of kern.Diagnostic, empty of a compiled file."""
        from kern._diagnostics import diagnostics_of

        return diagnostics_of(self._handle.diagnostics())

    def __getattr__(self, name):
        functions = self.__dict__.get("_functions", {})
        if name in functions:
            return functions[name]
        message = f"module {self.name!r} has no function {name!r}"
        if not name.startswith("_") and functions:
            import difflib

            near = difflib.get_close_matches(name, functions, 1)
            if near:
                message += f"; did you mean {near[0]!r}?"
        raise AttributeError(message, name=name, obj=self)

    def __getitem__(self, name):
        return self._functions[name]

    def __iter__(self):
        return iter(self._functions.values())

    def __len__(self):
        return len(self._functions)

    def __contains__(self, name):
        return name in self._functions

    def __dir__(self):
        return sorted({*super().__dir__(), *self._functions})

    def __repr__(self):
        return f"<kern module {self.name!r}: {', '.join(self._functions)}>"

    def __reduce__(self):
        return self._recipe.make, ()


class Recipe:
    """A module's source and options: enough to compile it again elsewhere."""

    def __init__(
        self,
        kind,  #: "source" or "compiled"
        text,  #: str, or bytes
        file_name,
        fp_mode="default",
        checks=0,
        remarks=False,
        include_path="",
    ):
        self.kind = kind
        self.text = text
        self.file_name = file_name
        self.fp_mode = fp_mode
        self.checks = checks
        self.remarks = remarks
        self.include_path = include_path

    @property
    def source(self):
        return self.text if self.kind == "source" else None

    def make(self):
        """The module: the same object for one recipe, while somebody holds it."""
        key = (self.kind, self.file_name, self.fp_mode, self.checks, self.remarks)
        key += (self.include_path, self.text)
        module = _made.get(key)
        if module is None:
            module = _made.setdefault(key, Module(self._make_handle(), self))
        return module

    def _make_handle(self):
        if self.kind == "compiled":
            return _kern.load_text(self.text)
        precise = self.fp_mode == "precise"
        return _kern.compile_text(
            self.text,
            self.file_name,
            precise,
            self.checks,
            self.remarks,
            self.include_path,
        )


_made = weakref.WeakValueDictionary()  # modules by what their recipes say


def _checks(names):
    if names is True:
        return sum(_CHECKS.values())
    if not names:
        return 0
    if isinstance(names, str):
        names = [names]
    unknown = [name for name in names if name not in _CHECKS]
    if unknown:
        known = ", ".join(map(repr, _CHECKS))
        raise ValueError(f"checks must be of {known}, not {unknown[0]!r}")
    return sum(_CHECKS[name] for name in set(names))


def _path_text(path):
    """A path as the compiler takes it; bytes of it that are no text are replaced."""
    return os.fsencode(path).decode("utf-8", "replace")


def _folders(paths):
    if isinstance(paths, (str, bytes, os.PathLike)):
        paths = [paths]
    return ":".join(map(_path_text, paths))


def _fp_mode(mode):
    if mode not in ("default", "precise"):
        raise ValueError(f"fp_mode must be 'default' or 'precise', not {mode!r}")
    return mode


def compile(
    source,
    name="<string>",
    *,
    fp_mode="default",
    checks=(),
    remarks=False,
    include_path=(),
):
    """Compiles the text of a source. The common indentation of its lines is removed,
    so that the source may be in an indented string.

    source: a str.
    name: the file's name, for messages.
    fp_mode: "default" may contract a * b + c to one operation and obeys
        @fastmath; "precise" does neither.
    checks: what calls check while they run: any of "bounds", "assert",
        "results", "races"; True for all. What fails is a kern.CheckError.
    remarks: whether `diagnostics` include performance remarks.
    include_path: folders in which imported modules are looked for, after the
        file's own and before those of `kern.include_path`.

    Returns a kern.Module. Machine code is made at a function's first call for the
    types of that call, and kept on disk. Raises kern.CompileError, a SyntaxError, if
    the source has errors, and ValueError for options that do not exist.

    Threads: any number at once.

    >>> import kern
    >>> kern.compile("ufunc twice(x): return 2 * x").twice(21)
    np.int64(42)
    """
    if not isinstance(source, str):
        raise TypeError(f"source must be str, not {type(source).__name__}")
    source.encode()  # raises UnicodeEncodeError for what is no text
    recipe = Recipe(
        "source",
        textwrap.dedent(source),
        _path_text(name),
        _fp_mode(fp_mode),
        _checks(checks),
        remarks,
        _folders(include_path),
    )
    return recipe.make()


def compile_file(
    path, *, fp_mode="default", checks=(), remarks=False, include_path=()
):
    """Compiles a `.kern` file; otherwise as `compile`.

    path: a str, bytes or path. The file is UTF-8.

    Modules that it imports are looked for beside it, then in the folders of
    `include_path`, of `kern.include_path` and of the variable KERN_PATH. Raises
    OSError, mostly a FileNotFoundError, if the file cannot be read.
    """
    with open(path, "rb") as file:
        data = file.read()
    name = _path_text(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse_encoding(name, error)
    recipe = Recipe(
        "source",
        text,
        name,
        _fp_mode(fp_mode),
        _checks(checks),
        remarks,
        _folders(include_path),
    )
    return recipe.make()


def _refuse_encoding(name, error):
    """Raises for a file that is not UTF-8, at the place."""
    before = error.object[: error.start].decode("utf-8")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    text = f"the file is not UTF-8: byte {error.object[error.start]:#x} is no text"
    raised = CompileError(text, (name, line, column, None))
    raised.rendered = f"{name}:{line}:{column}: error: {text}\n"
    raise raised from None


def load(path):
    """Loads a file of `kern compile` (`.ptx`).

    Its functions run on the GPUs that it was compiled for, and have the loops that
    it holds. Returns a kern.Module. Raises kern.ArtefactError, a ValueError, if it is
    no such file or of a later version, and OSError if it cannot be read.

    Threads: any number at once.
    """
    with open(path, "rb") as file:
        text = file.read()
    return Recipe("compiled", text, _path_text(path)).make()


def loads(text, name="<compiled>"):
    """The same as `load` for a text in memory, str or bytes.

    name: the file's name, for messages.
    """
    data = text.encode() if isinstance(text, str) else bytes(text)
    return Recipe("compiled", data, name).make()


def include_path(folders):
    """Sets the folders in which this process looks for imported modules, after
    a file's own and before those of KERN_PATH.

    folders: a str or path, or several. They replace those of an earlier call, and
        hold for modules that are compiled from then on.

    Threads: any; a compilation of another thread sees all of the old or the new.
    """
    _kern.set_include_path(_folders(folders))


def cache_problem():
    """Why compiled code is not kept on disk, a str: "" if it is.

    It is what the last attempt said: a full disk, a folder without permission. Calls
    work nevertheless; each process then compiles anew. Threads: any.
    """
    return _kern.cache_problem()
