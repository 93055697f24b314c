"""docs/reference/python.md: what the docstrings say, all of it."""

import doctest
import importlib
import inspect
import pathlib
import sys

import kern
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "python.md"
SCRIPTS = ROOT / "tools" / "scripts"
HERE = pytest.mark.skipif(not PAGE.is_file(), reason="the documents are not here")
MODULES = ["types", "torch", "jax", "dask", "importer", "ipython"]


@HERE
def test_page(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
    page = importlib.import_module("python_page").page()
    assert page == PAGE.read_text(encoding="utf-8"), (
        "write it again: tools/scripts/python_page.py > docs/reference/python.md"
    )


@HERE
def test_every_public_name_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    for name in kern.__all__:
        assert f"`kern.{name}" in text, name
    for owner in (kern.Function, kern.Module, kern.Device, kern.DeviceArray):
        for name in vars(owner):
            if not name.startswith("_"):
                assert f".{name}" in text or f"`{name}`" in text, (owner, name)
    for name in MODULES:
        assert f"`kern.{name}`" in text


def documented():
    """All that has a docstring of its own."""
    for name in kern.__all__:
        value = getattr(kern, name)
        yield f"kern.{name}", value
        if inspect.isclass(value):
            for attribute in vars(value):
                if not attribute.startswith("_"):
                    of = inspect.getattr_static(value, attribute)
                    if callable(of) or hasattr(type(of), "__get__"):
                        yield f"kern.{name}.{attribute}", of
    for name in MODULES:
        yield f"kern.{name}", importlib.import_module(f"kern.{name}")


@pytest.mark.parametrize("name, value", list(documented()))
def test_docstring(name, value):
    text = inspect.getdoc(value)
    assert text and text.strip(), name


def test_what_says_threads():
    """Whatever makes, changes or waits for something says which threads may call it."""
    for name in ["compile", "compile_file", "load", "loads", "include_path", "devices",
                 "on", "get_num_threads", "set_num_threads", "synchronize",
                 "cache_problem", "vectorize", "guvectorize", "elementwise", "Function",
                 "Module", "Device"]:  # fmt: skip
        text = inspect.getdoc(getattr(kern, name))
        assert "Threads: " in text or "as `" in text or "for `vectorize`" in text, name


def test_sessions():
    """The examples of docstrings that python/tests/test_objects.py does not run."""
    runner = doctest.DocTestRunner()
    found = 0
    for value in (kern.Function, kern.vectorize, kern.guvectorize, kern.elementwise,
                  kern.devices, kern.Module):  # fmt: skip
        for test in doctest.DocTestFinder(recurse=False).find(value, globs={}):
            found += bool(test.examples)
            runner.run(test)
    assert found == 6 and runner.summarize().failed == 0
