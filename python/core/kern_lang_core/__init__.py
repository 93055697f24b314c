"""The files of Kern: library, tool, headers, examples."""

import os
import pathlib
import sys

__version__ = "@KERN_VERSION@"


def root() -> pathlib.Path:
    """The folder with bin, include, lib and share."""
    return pathlib.Path(__file__).parent


def library() -> pathlib.Path:
    """The shared library that the package `kern` links."""
    return next(iter(sorted((root() / "lib").glob("libkern.so.*"))))


def run_tool() -> None:
    """Runs the tool `kern` in place of this process, with the same arguments."""
    tool = str(root() / "bin" / "kern")
    os.execv(tool, ["kern", *sys.argv[1:]])
