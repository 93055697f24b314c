"""Imports `.kern` files as modules of Python.

    import kern.importer
    import gaussian          # finds gaussian.kern on sys.path
    from package import bio  # and package/bio.kern

A Python module of the same name comes first. The functions are the module's
attributes; `gaussian.__kern__` is the kern.Module. importlib.reload() compiles
the file anew. What a file itself imports is looked for beside it, then in the
folders of install(include_path=…) and of kern.include_path().
"""

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

from kern._module import compile_file


class Loader(importlib.abc.Loader):
    """Compiles a file into a module."""

    def __init__(self, path, include_path=()):
        self.path = path
        self.include_path = include_path

    def create_module(self, spec):
        return None  # Python's own kind of module

    def exec_module(self, module):
        compiled = compile_file(self.path, include_path=self.include_path)
        module.__kern__ = compiled
        module.__doc__ = f"Functions of {self.path}."
        module.__all__ = [function.__name__ for function in compiled]
        for function in compiled:
            setattr(module, function.__name__, function)

    def get_source(self, name):
        """For tracebacks and inspect."""
        with open(self.path, encoding="utf-8") as file:
            return file.read()


class Finder(importlib.abc.MetaPathFinder):
    """Finds `name.kern` where Python would look for `name.py`.

    include_path: that of the files that it finds.
    """

    def __init__(self, include_path=()):
        self.include_path = include_path

    def find_spec(self, name, path, target=None):
        leaf = name.rpartition(".")[2]
        for folder in sys.path if path is None else path:
            file = os.path.join(folder or os.getcwd(), leaf + ".kern")
            if os.path.isfile(file):
                loader = Loader(file, self.include_path)
                return importlib.util.spec_from_file_location(
                    name, file, loader=loader
                )
        return None


def install(include_path=None):
    """Adds the finder, after Python's own; once. Importing this module does it.

    include_path: a folder, or several, in which files that are imported from now
        on look for what they import, after their own folder and before those of
        kern.include_path(). Without it, what was set stays.
    """
    for one in sys.meta_path:
        if isinstance(one, Finder):
            break
    else:
        one = Finder()
        sys.meta_path.append(one)
    if include_path is not None:
        one.include_path = include_path


def uninstall():
    """Removes the finder. Imported modules stay."""
    sys.meta_path[:] = [one for one in sys.meta_path if not isinstance(one, Finder)]


install()
