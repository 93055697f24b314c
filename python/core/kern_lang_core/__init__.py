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
    """Replaces this process by the tool `kern`, with the same arguments."""
    tool = str(root() / "bin" / "kern")
    os.execv(tool, ["kern", *sys.argv[1:]])
