"""The import hook and the cells of notebooks."""

import importlib
import sys

import kern
import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    import kern.importer

    kern.importer.install()
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_a_file_is_imported(folder):
    (folder / "shapes_kern.kern").write_text("ufunc area(r): return 3 * r * r\n")
    import shapes_kern

    assert shapes_kern.area(2) == 12
    assert shapes_kern.__all__ == ["area"]
    assert shapes_kern.__file__ == str(folder / "shapes_kern.kern")
    assert isinstance(shapes_kern.__kern__, kern.Module)


def test_imports_between_files_and_in_packages(folder):
    package = folder / "measures_kern"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "base.kern").write_text("def square(x): return x * x\n")
    (package / "disc.kern").write_text(
        "import base\nufunc area(r): return 3 * base.square(r)\n"
    )
    from measures_kern import disc

    assert disc.area(2) == 12


def test_python_comes_first(folder):
    (folder / "both_kern.py").write_text("language = 'Python'\n")
    (folder / "both_kern.kern").write_text("ufunc f(x): return x\n")
    import both_kern

    assert both_kern.language == "Python"


def test_errors_name_the_file(folder):
    (folder / "wrong_kern.kern").write_text("ufunc f(x):\n    return y\n")
    with pytest.raises(kern.CompileError) as caught:
        importlib.import_module("wrong_kern")
    assert caught.value.filename == str(folder / "wrong_kern.kern")
    assert caught.value.lineno == 2
    assert "wrong_kern" not in sys.modules


def test_reload_compiles_anew(folder):
    path = folder / "changing_kern.kern"
    path.write_text("ufunc f(x): return x + 1\n")
    module = importlib.import_module("changing_kern")
    assert module.f(1) == 2
    path.write_text("ufunc f(x): return x + 2\n")
    assert importlib.reload(module).f(1) == 3


def test_include_path(folder, tmp_path_factory):
    """A file's own folder, then the hook's, then the process's."""
    import kern.importer

    one, two = (tmp_path_factory.mktemp(name) for name in ("one", "two"))
    (one / "size_kern.kern").write_text("const SIZE = 1\n")
    (two / "size_kern.kern").write_text("const SIZE = 2\n")
    text = "import size_kern\nufunc f(x): return x + size_kern.SIZE\n"
    for name in "abcd":
        (folder / f"sized_{name}.kern").write_text(text)
    with pytest.raises(kern.CompileError, match="size_kern"):
        importlib.import_module("sized_a")
    kern.include_path(one)
    try:
        assert importlib.import_module("sized_a").f(0) == 1
        kern.importer.install(include_path=[str(two)])
        assert importlib.import_module("sized_b").f(0) == 2
        kern.importer.install()  # again: nothing changes
        (folder / "inner_kern").mkdir()
        (folder / "inner_kern" / "sized.kern").write_text(text)
        assert importlib.import_module("inner_kern.sized").f(0) == 2
        (folder / "size_kern.kern").write_text("const SIZE = 3\n")
        assert importlib.import_module("sized_c").f(0) == 3
        assert importlib.import_module("sized_a").f(0) == 1  # imported before
    finally:
        kern.include_path([])
        kern.importer.install(include_path=())


def test_uninstalled_it_finds_nothing(folder):
    import kern.importer

    (folder / "absent_kern.kern").write_text("ufunc f(x): return x\n")
    kern.importer.uninstall()
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("absent_kern")
    kern.importer.install()


class Shell:
    execution_count = 3

    def __init__(self):
        self.names, self.magics = {}, {}

    def push(self, names):
        self.names.update(names)

    def register_magic_function(self, function, magic_kind, magic_name):
        self.magics[magic_kind, magic_name] = function


def test_cells(capsys):
    shell = Shell()
    kern.load_ipython_extension(shell)
    run = shell.magics["cell", "kern"]
    run("", "ufunc twice(x): return 2 * x\n")
    assert shell.names["twice"](21) == 42
    run("--name m", "ufunc thrice(x): return 3 * x\n")
    assert shell.names["m"].thrice(2) == 6
    run("", "ufunc f(x): return y\n")
    said = capsys.readouterr().out
    assert "<kern cell 3>:2:" in said and "y" in said
    run("--nonsense", "")
    assert "nonsense" in capsys.readouterr().err
