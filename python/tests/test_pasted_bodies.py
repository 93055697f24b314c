"""examples/pasted/bodies.py through Numba and, with one import changed, through
Kern."""

import importlib.util
import pathlib
import sys

import numpy as np
import pytest

import kern

numba = pytest.importorskip("numba")

RNG = np.random.default_rng(7)
BODIES = pathlib.Path(__file__).parents[2] / "examples" / "pasted" / "bodies.py"


def bodies(of, monkeypatch):
    """examples/pasted/bodies.py with its `numba` another module."""
    monkeypatch.setitem(sys.modules, "numba", of)
    spec = importlib.util.spec_from_file_location(f"bodies_{of.__name__}", BODIES)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.undo()
    return module


@pytest.mark.skipif(not BODIES.exists(), reason="not in the repository")
def test_one_changed_import(monkeypatch):
    theirs, ours = bodies(numba, monkeypatch), bodies(kern, monkeypatch)
    made = {
        "f64": lambda shape: RNG.uniform(0.1, 0.9, shape),
        "i64": lambda shape: RNG.integers(1, 50, shape),
        "u8": lambda shape: RNG.integers(0, 256, shape).astype("u1"),
    }
    count = 0
    for name, f in vars(ours).items():
        if not isinstance(f, kern.Function):
            continue
        letters = [("u8", "f64", "i64")["BdlL".index(c)] for c in f.types[0][: f.nin]]
        shapes = [(5, 8)] * f.nin
        if f.signature:
            groups = f.signature.partition("->")[0].split("),(")
            shapes = [(5, 8) if one.strip("()") else (5,) for one in groups]
        args = [made[one](shape) for one, shape in zip(letters, shapes)]
        want, got = getattr(theirs, name)(*args), f(*args)
        assert got.dtype == want.dtype, name
        np.testing.assert_allclose(got, want, 1e-13, 1e-14, err_msg=name)
        count += 1
    assert count == 26
