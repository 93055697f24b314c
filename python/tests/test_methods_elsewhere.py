"""The methods on arrays of other libraries, and of functions of compiled files."""

import os
import pathlib
import shutil
import subprocess
import sys

import kern
import numpy as np
import pytest

import small_arrays
from pairs import MODULE, array, same
from test_frameworks import Cupy, Jax, Torch


def test_arrays_of_another_library():
    """They stay where they are; results are its arrays."""
    x = array("f8", (3, 4, 5))
    mask = np.arange(5) % 2 == 0
    add, subtract, ours = MODULE.add, MODULE.subtract, small_arrays.Array

    def check(got, expected):
        assert type(got) is ours
        same(got.array, np.asarray(expected))

    for axis in (0, 1, -1):
        check(subtract.reduce(ours(x), axis), np.subtract.reduce(x, axis))
        check(
            subtract.reduce(ours(x), axis, keepdims=True, initial=2),
            np.subtract.reduce(x, axis, keepdims=True, initial=2),
        )
        check(add.accumulate(ours(x), axis), np.add.accumulate(x, axis))
        check(add.reduceat(ours(x), [0, 2], axis), np.add.reduceat(x, [0, 2], axis))
        indices = ours(np.array([1, 0]))
        check(add.reduceat(ours(x), indices, axis), np.add.reduceat(x, [1, 0], axis))
    check(add.reduce(ours(x), None), np.add.reduce(x, None))
    check(add.reduce(ours(x), ()), np.add.reduce(x, ()))
    check(add.reduce(ours(x), 2, where=mask), np.add.reduce(x, 2, where=mask))
    check(add.reduce(ours(x), 2, where=ours(mask)), np.add.reduce(x, 2, where=mask))
    check(add.reduce(ours(x), 0, "f4"), np.add.reduce(x, 0, "f4"))
    check(add.outer(ours(x[0]), ours(x[1, 0])), np.add.outer(x[0], x[1, 0]))
    out = ours(np.zeros((4, 5)))
    assert add.reduce(ours(x), out=out) is out
    check(out, np.add.reduce(x))
    out = ours(np.zeros((1, 4, 5)))
    assert add.reduce(ours(x), keepdims=True, out=out) is out
    check(out, np.add.reduce(x, keepdims=True))
    for indices in ([0, 0, 2], (np.array([0, 1, 1]), 2), slice(1, 3)):
        a, b = x.copy(), x.copy()
        add.at(ours(a), indices, 3)
        np.add.at(b, indices, 3)
        np.testing.assert_array_equal(a, b)
        MODULE.negative.at(ours(a.T), indices)  # a flat view there is none
        np.negative.at(b.T, indices)
        np.testing.assert_array_equal(a, b)
    with pytest.raises(TypeError):
        add.reduce(x, out=ours(np.zeros((4, 5))))
    with pytest.raises(ValueError, match="not reorderable"):
        subtract.reduce(ours(x), (0, 1))


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("kind", [Torch, Cupy, Jax], ids=lambda one: one.__name__)
def test_arrays_of_frameworks(kind, device):
    framework = kind(device)
    x = array("f4", (3, 40, 5))
    mask = np.arange(5) % 2 == 0
    add, subtract = MODULE.add, MODULE.subtract

    def check(got, expected):
        assert isinstance(got, framework.type)
        same(framework.numpy(got), np.asarray(expected), 1e-4)

    for axis in (0, 1, -1):
        given = framework.make(x)
        check(subtract.reduce(given, axis), np.subtract.reduce(x, axis))
        check(add.accumulate(given, axis), np.add.accumulate(x, axis))
        check(add.reduceat(given, [0, 2], axis), np.add.reduceat(x, [0, 2], axis))
        check(
            add.reduce(given, axis, keepdims=True, initial=2),
            np.add.reduce(x, axis, keepdims=True, initial=2),
        )
    check(add.reduce(framework.make(x), None), np.add.reduce(x, None))
    check(
        add.reduce(framework.make(x), 2, where=framework.make(mask)),
        np.add.reduce(x, 2, where=mask),
    )
    check(
        add.outer(framework.make(x[0, 0]), framework.make(x[1, 0])),
        np.add.outer(x[0, 0], x[1, 0]),
    )
    if kind is Jax:
        with pytest.raises(ValueError):
            add.at(framework.make(x), [0], 1)
        return
    for indices in ([0, 0, 2], ([0, 1, 1], [3, 3, 3]), slice(1, 3)):
        given, expected = framework.make(x), x.copy()
        add.at(given, indices, 3)
        np.add.at(expected, indices, 3)
        check(given, expected)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Functions of a compiled file, which has no source."""
    beside = pathlib.Path(sys.executable).with_name("kern")
    tool = os.environ.get("KERN_TOOL") or shutil.which("kern") or beside
    if not pathlib.Path(tool).exists():
        pytest.skip("the program `kern` is not installed")
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "f.kern").write_text(
        "ufunc add(x: T, y: T) -> T where T in (i64, f32, f64):\n    return x + y\n"
        "ufunc subtract(x: f64, y: f64) -> f64:\n    return x - y\n"
    )
    subprocess.run(
        [tool, "compile", folder / "f.kern", "-o", folder / "f.ptx"], check=True
    )
    return kern.load(folder / "f.ptx")


def test_without_a_source(compiled):
    """NumPy's machinery does what it can: it asks for code for the CPU, of which
    a compiled file has none."""
    assert compiled.add.source is None and compiled.add.identity is None
    assert compiled.add.ufunc.types == ["ll->l", "ff->f", "dd->d"]
    x = array("f8", (3, 4))
    for call in (
        lambda f: f.reduce(x),
        lambda f: f.accumulate(x, 1),
        lambda f: f.reduceat(x, [0, 1]),
        lambda f: f.outer(x, x),
        lambda f: f.at(x, [0, 0, 1], 2),
    ):
        with pytest.raises(kern.ArtefactError, match="none for the CPU"):
            call(compiled.add)
    with pytest.raises(ValueError, match="not reorderable"):
        compiled.subtract.reduce(x, axis=None)
