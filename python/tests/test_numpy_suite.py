"""NumPy's own tests of gufuncs, unchanged, with the functions of `_umath_tests`
written in Kern: called themselves, and as numpy.ufuncs.

33 methods of numpy/_core/tests/test_ufunc.py use `_umath_tests`. 18 of them are about
what is no function of Kern's: NumPy's parser of signatures (15), pickling and the
docstring of NumPy's own ufuncs, and `indexed_negative`, whose loop counts calls. Of
the 15 others 12 pass as ufuncs and 11 as functions; REASONS says why the others fail.
"""

import inspect
import re
import types

import pytest

from test_gufuncs import MODULE

module = pytest.importorskip("numpy._core.tests.test_ufunc")


def cases():
    """(class, method) of the tests that use only functions that MODULE has."""
    for owner in (module.TestUfunc, module.TestGUFuncProcessCoreDims):
        for name, method in vars(owner).items():
            if name.startswith("test") and inspect.isfunction(method):
                used = set(re.findall(r"\bumt\.(\w+)", inspect.getsource(method)))
                if used and all(one in MODULE for one in used):
                    yield pytest.param(owner, name, id=name)


CASES = list(cases())
# By the method: why it fails, and for which kind.
REASONS = {
    "test_keepdims_argument": (
        "keepdims=False is what holds anyway, so any gufunc takes it",
        ["function"],
    ),
    "test_euclidean_pdist": (
        "the source says the result's extent, which NumPy's needs `out` for",
        ["function", "ufunc"],
    ),
    "test_bad_out_shape": ("messages are Kern's", ["function", "ufunc"]),
    "test_bad_input_both_inputs_length_zero": (
        "messages are Kern's",
        ["function", "ufunc"],
    ),
}


def test_there_are_cases():
    assert len(CASES) == 15, [one.id for one in CASES]


@pytest.mark.parametrize("kind", ["function", "ufunc"])
@pytest.mark.parametrize("owner, name", CASES)
def test_case(owner, name, kind, monkeypatch, request):
    why, kinds = REASONS.get(name, ("", []))
    if kind in kinds:
        request.applymarker(pytest.mark.xfail(reason=why, strict=True))
    ours = {one.__name__: one for one in MODULE}
    if kind == "ufunc":
        ours = {name: one.ufunc for name, one in ours.items()}
    monkeypatch.setattr(module, "umt", types.SimpleNamespace(**ours))
    getattr(owner(), name)()
