"""Numba's own tests of its decorators, unchanged, with `vectorize` and
`guvectorize` replaced by Kern's. What fails is listed with why. Of Numba 0.68.1's
modules below pass 15 of 18, 25 of 48 (one is skipped), 36 of 46, 2 of 5, 7 of 7 and 2 of
12, which are about exceptions and warnings."""

import importlib
import io
import unittest

import pytest

import kern

pytest.importorskip("numba")

REASONS = {
    "unknown options are a TypeError": ["unrecognized_arg"],
    "generic functions do not list the loops that calls made": [
        "test_dynamic_matmul",
    ],
    "a function's __qualname__ is its __name__": ["test_docstring"],
    "messages are Kern's": ["test_mismatch_", "test_guvectorize_invalid_layout"],
    "results convert under same_kind": ["test_dynamic_scalar_output"],
    "reductions by method are tested elsewhere": ["test_gufunc_attributes"],
    "code of Numba cannot call Kern's": ["TestGUVectorizeJit"],
    "what Numba keeps under names that begin with _": ["TestGUVectorizePickling"],
    "a result must be written": ["test_incorrect_number_of_pos_args"],
    "there are no Python objects": ["objmode", "objectmode"],
    "Dask has its own tests": ["TestDask"],
    "written inputs are written back whatever their type": ["test_update_inplace"],
    "unknown names in writable_args are a TypeError": ["TestUpdateInplace.test_exc"],
    "there are no exceptions": ["test_gufunc_raise", "test_ufunc_raise"],
    "there are no floating-point warnings": ["TestFloatingPointExceptions"],
}
# How many of each module pass at least.
MODULES = {
    "test_vectorize_decor": 15,
    "test_gufunc": 24,
    "test_ufuncbuilding": 33,
    "test_update_inplace": 2,
    "test_ufunc": 7,
    "test_errors": 2,
}


class _Builder:
    """Numba's Vectorize and GUVectorize, which take signatures one by one."""

    decorator = None

    def __init__(self, function, *args, **options):
        self.function, self.args, self.options = function, args, options
        self.signatures = []

    def add(self, signature):
        self.signatures.append(signature)

    def disable_compile(self):
        pass


class _Vectorize(_Builder):
    def build_ufunc(self):
        return kern.vectorize(self.signatures, **self.options)(self.function)


class _GUVectorize(_Builder):
    def __new__(cls, function, *args, **options):
        if options.pop("is_dynamic", False):
            return kern.guvectorize(*args, **options)(function)
        return super().__new__(cls)

    def build_ufunc(self):
        make = kern.guvectorize(self.signatures, *self.args, **self.options)
        return make(self.function)


OURS = {
    "vectorize": kern.vectorize,
    "guvectorize": kern.guvectorize,
    "Vectorize": _Vectorize,
    "GUVectorize": _GUVectorize,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODULES)
def test_module(name, monkeypatch):
    module = importlib.import_module(f"numba.tests.npyufunc.{name}")
    for one, ours in OURS.items():
        if hasattr(module, one):
            monkeypatch.setattr(module, one, ours)
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
    failed = {test.id(): text for test, text in result.failures + result.errors}
    unknown = {
        test: text
        for test, text in failed.items()
        if not any(part in test for parts in REASONS.values() for part in parts)
    }
    assert not unknown, "\n".join(unknown.values())
    skipped = len(result.skipped) + len(result.expectedFailures)
    passed = result.testsRun - skipped - len({one.split(" ")[0] for one in failed})
    assert passed >= MODULES[name] - skipped
