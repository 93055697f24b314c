"""Numba's own tests of `target="cuda"`, unchanged, with `vectorize` and `guvectorize`
replaced by Kern's. What fails is listed with why. They need a GPU."""

import importlib.util
import io
import pathlib
import unittest
import warnings

import pytest

import kern

numba = pytest.importorskip("numba")

FOLDER = pathlib.Path(numba.__file__).parent / "cuda" / "tests" / "cudapy"
# How many methods each has in Numba 0.68; of all of them those pass that are not below.
MODULES = {
    "test_vectorize": 16,
    "test_vectorize_decor": 12,
    "test_gufunc": 27,
    "test_gufunc_scalar": 5,
    "test_vectorize_scalar_arg": 2,
    "test_vectorize_complex": 1,
    "test_vectorize_device": 1,
}
REASONS = {
    "host and device arrays in one call are refused": [
        "test_gufunc_auto_transfer", "test_manual_transfer",
    ],
    "there are no warnings about launches": ["test_inefficient_launch_configuration"],
    "messages are Kern's": ["test_gufunc_scalar_cast"],
    "unknown options are a TypeError": ["unrecognized_arg"],
    "there is no warning about what is always so": ["test_target_cuda_nopython"],
}
OURS = {"vectorize": kern.vectorize, "guvectorize": kern.guvectorize}


def loaded(name):
    """The module, also where numba-cuda is in the place of numba.cuda."""
    path = FOLDER / f"{name}.py"
    if not path.is_file():
        pytest.skip(f"this Numba has no {path.name}")
    spec = importlib.util.spec_from_file_location(f"numbas_{name}", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ImportError as error:
        pytest.skip(str(error))
    return module


@pytest.mark.parametrize("name", MODULES)
def test_module(gpu, name, monkeypatch):
    module = loaded(name)
    for one, ours in OURS.items():
        if hasattr(module, one):
            monkeypatch.setattr(module, one, ours)
    base = importlib.import_module("numba.tests.npyufunc.test_vectorize_decor")
    monkeypatch.setattr(base, "vectorize", kern.vectorize)
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
    failed = {test.id(): text for test, text in result.failures + result.errors}
    unknown = [
        text
        for test, text in failed.items()
        if not any(part in test for parts in REASONS.values() for part in parts)
    ]
    count = result.testsRun - len(result.skipped)
    print(f"{name}: {count - len(failed)} of {result.testsRun} pass")
    assert not unknown, "\n".join(unknown)
    assert result.testsRun >= MODULES[name]
