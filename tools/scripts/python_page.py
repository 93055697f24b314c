#!/usr/bin/env python3
"""Writes docs/reference/python.md from the docstrings of the Python package.

usage: python_page.py > docs/reference/python.md

Run it by a Python that has the package: python/tests/test_reference.py compares.
"""

import importlib
import inspect
import re
import sys
import textwrap

import kern

TOP = """\
# The Python package, `kern`

`tools/scripts/python_page.py` writes this page from the package's docstrings, which `help()` shows as well. [Call Kern from
Python](../how-to/python.md) is the place to begin.

All names may be used by any number of threads at once, also of a free-threaded Python, unless a name's text says
otherwise. Arrays that a call gives belong to the caller. Memory is measured in bytes. Whatever fails is a `kern.Error`,
which is one of Python's own exceptions too, or one of Python's own. The package has types for mypy and pyright.
"""
MODULES = ["types", "torch", "jax", "dask", "importer", "ipython"]
# The names of `kern` in the order of the page, which has all of them.
SECTIONS = {
    "Compile and load": ["compile", "compile_file", "load", "loads", "include_path",
                         "cache_problem", "Module"],
    "Functions": ["Function", "Prepared"],
    "Functions written in Python": ["vectorize", "guvectorize", "elementwise", "njit",
                                    "jit", "prange"],
    "Devices": ["devices", "Device", "on", "synchronize", "cuda_unavailable_reason",
                "DeviceArray", "get_num_threads", "set_num_threads"],
    "Tracing": ["trace", "TraceEvent"],
    "Diagnostics": ["Diagnostic", "Place", "Note", "Fix"],
}  # fmt: skip
# Attributes of functions that are written in C++ or NumPy's.
FIRST = ["nin", "nout", "nargs", "signature", "module", "device", "explain", "prepare"]


def errors():
    """The exceptions, the base class first."""
    found = [one for one in map(vars(kern).get, kern.__all__)
             if inspect.isclass(one) and issubclass(one, kern.Error)]  # fmt: skip
    return sorted(found, key=lambda one: (one is not kern.Error, one.__name__))


def public(owner):
    """The names of a class that have no underscore; Function's C++ ones first."""
    fields = getattr(owner, "__dataclass_fields__", {})
    names = [one for one in vars(owner) if not (one.startswith("_") or one in fields)]
    return sorted(names, key=lambda one: (FIRST + [one]).index(one))


def prose(text):
    """A docstring as Markdown: its sessions are code, and so are its indented
    lines; its arguments become a list."""
    out, code, item = [], [], False
    lines = inspect.cleandoc(text or "").splitlines() + [""]
    in_session = False

    def flush():
        if code:
            block = textwrap.dedent("\n".join(code)).strip("\n")
            mark = "pycon" if block.startswith(">>>") else "py"
            out.extend(["", f"```{mark}", block, "```", ""])
            code.clear()

    for number, line in enumerate(lines):
        argument = re.match(r"([a-z]\w*(?:, \w+)*): (.*)", line)
        stripped = line.strip()
        if stripped.startswith(">>>") or (in_session and stripped):
            in_session, item = True, False
            code.append(line)
            continue
        in_session = False
        if not stripped:
            before = lines[number - 1].strip() if number else ""
            if not (code and not before.startswith(">>>") and _goes_on(lines, number)):
                flush()
            else:
                code.append("")
            item = False
            out.append("")
        elif argument and (item or not lines[number - 1].strip()):
            flush()
            names = ", ".join(f"`{one}`" for one in argument[1].split(", "))
            out.append(f"- {names}: {argument[2]}")
            item = True
        elif line.startswith("    ") and not item:
            code.append(line)
        else:
            flush()
            out.append("  " + stripped if item else stripped)
    flush()
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip()
    # A list after a paragraph.
    return re.sub(r"(?m)^((?!- |  ).+)\n(- `)", r"\1\n\n\2", text)


def _goes_on(lines, number):
    """Whether code goes on after empty lines."""
    rest = [one for one in lines[number:] if one.strip()]
    return bool(rest) and rest[0].startswith("    ")


def title(level, name, of=None):
    text = f"{name}{inspect.signature(of)}" if of is not None else name
    return f"{'#' * level} `{text.replace('(self, ', '(').replace('(self)', '()')}`"


def entry(owner, name, level=3):
    """A function or class with what belongs to it."""
    value = getattr(owner, name)
    where = owner.__name__
    if not inspect.isclass(value):
        yield title(level, f"{where}.{name}", value)
        yield prose(value.__doc__)
        return
    yield title(level, f"{where}.{name}")
    yield prose(value.__doc__)
    fields = getattr(value, "__dataclass_fields__", {})
    if fields:
        listed = ", ".join(f"`{one}`" for one in fields)
        yield f"Its fields: {listed}."
    for attribute in public(value):
        yield from member(value, attribute)


def member(owner, name):
    """A method, with a heading, or a property."""
    value = inspect.getattr_static(owner, name)
    shown = f"{owner.__name__[0].lower()}.{name}"
    text = prose(value.__doc__)
    if callable(value):
        yield title(4, shown, value)
        yield text
    else:
        yield f"**`{shown}`**: {text}"


def page():
    missing = set(kern.__all__) - {one for names in SECTIONS.values() for one in names}
    missing -= {one.__name__ for one in errors()}
    if missing:
        raise SystemExit(f"python_page.py: no section has {', '.join(sorted(missing))}")
    parts = [TOP]
    for heading, names in SECTIONS.items():
        parts.append(f"## {heading}")
        for name in names:
            parts += entry(kern, name)
    parts.append("## Errors")
    for one in errors():
        bases = ", ".join(
            "kern." * issubclass(base, kern.Error) + base.__name__
            for base in one.__bases__
        )
        parts.append(f"**`kern.{one.__name__}`** ({bases}): {prose(one.__doc__)}")
    parts.append("## Modules")
    for name in MODULES:
        module = importlib.import_module(f"kern.{name}")
        parts += [f"### `kern.{name}`", prose(module.__doc__)]
        if name == "types":
            listed = ", ".join(f"`{one}`" for one in module.__all__)
            parts.append(f"{listed}.")
            continue
        for attribute, value in vars(module).items():
            is_own = getattr(value, "__module__", "") == module.__name__
            if is_own and not attribute.startswith("_") and inspect.isfunction(value):
                parts += entry(module, attribute, 4)
    return "\n\n".join(one for one in parts if one).rstrip() + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
