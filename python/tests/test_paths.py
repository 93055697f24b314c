"""Paths as bytes, files in other encodings, and Python files that are run in other
ways: by runpy, from ZIP files."""

import os
import runpy
import subprocess
import sys
import zipfile

import pytest

import kern

SOURCE = "ufunc twice(x): return 2 * x\n"
PYTHON = """# -*- coding: latin-1 -*-
import kern
\u00e4 = 2.0

@kern.vectorize(["f8(f8)"])
def f(x):
    \u00fc = x * \u00e4
    return \u00fc

def plain(x):
    return x + \u00e4

def later():
    return kern.vectorize(plain)
"""


def test_paths_as_bytes(tmp_path):
    path = tmp_path / "one.kern"
    path.write_text(SOURCE)
    folder, name = os.fsencode(tmp_path), os.fsencode(path)
    assert kern.compile_file(name).name == "one"
    assert kern.compile(SOURCE, name).name == "one"
    user = "import one\nufunc f(x): return one.twice(x)"
    for folders in (folder, [folder], [b"/nowhere", str(tmp_path)]):
        assert kern.compile(user, include_path=folders).f(2) == 4
    strange = tmp_path / os.fsdecode(b"na\xefve.kern")
    strange.write_text(SOURCE)
    for given in (strange, os.fsencode(strange)):
        assert kern.compile_file(given).twice(3) == 6
    with pytest.raises(kern.ArtefactError):
        kern.load(name)
    with pytest.raises(FileNotFoundError):
        kern.load(name + b".ptx")


def test_files_that_are_not_utf8(tmp_path):
    path = tmp_path / "latin.kern"
    path.write_bytes("ufunc f(x): return x\n# d\u00e9j\u00e0\n".encode("latin-1"))
    with pytest.raises(kern.CompileError, match="not UTF-8: byte 0xe9") as raised:
        kern.compile_file(path)
    error = raised.value
    assert (error.filename, error.lineno, error.offset) == (str(path), 2, 4)
    assert f"{path}:2:4: error" in error.rendered
    with pytest.raises(UnicodeEncodeError):
        kern.compile("# \udcff\nufunc f(x): return x")


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_bytes(PYTHON.encode("latin-1"))
    return path


def test_runpy(program, monkeypatch):
    monkeypatch.syspath_prepend(program.parent)
    for space in (runpy.run_path(str(program)), runpy.run_module("program")):
        assert space["f"](3.0) == 6
        assert space["later"]()(1) == 3


def test_zip_files(program, tmp_path):
    archive = tmp_path / "program.zip"
    with zipfile.ZipFile(archive, "w") as file:
        text = PYTHON + "\nprint(f(3.0), later()(1))\n"
        file.writestr("__main__.py", text.encode("latin-1"))
    space = runpy.run_path(str(archive))
    assert space["f"](3.0) == 6 and space["later"]()(1) == 3
    done = subprocess.run([sys.executable, archive], capture_output=True, text=True)
    assert done.stdout.split() == ["6.0", "3.0"], done.stderr


def test_a_file_that_is_gone(program, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    space = runpy.run_path(program.name)
    program.rename(tmp_path / "other.py")
    with pytest.raises(kern.CompileError, match="there is no file 'program.py'"):
        space["later"]()
