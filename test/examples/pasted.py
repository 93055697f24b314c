"""examples/pasted: the bodies are exactly those of the Python files, and give the
same results as Python, for several sizes and types.
"""

import importlib.util
import pathlib
import re
import sys
import types
import unittest.mock

import numpy as np

import kernapi
from pasted_inputs import INPUTS, SIZES, Inputs

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "pasted"
BODY = r"(\w+)\(.*\).*:\n((?:    .*\n|\n)+)"
CONSTANT = r"([A-Z][A-Z_0-9]*) = (.*)"
# Functions whose bodies say the same in other words, and why.
RESTRUCTURED = {
    "viterbi": "stores an i64 to elements of u16, which says so in Kern",
    "area_and_centroid": "an index of -1 that only the call knows",
    "ising_energy": "an index of -1 that only the call knows",
}
MOST_RESTRUCTURED = 5
TOLERANCE = {"f": 1e-4, "d": 1e-12, "D": 1e-12}


def bodies(path, words):
    """name → text of the functions that begin with one of the words."""
    found = re.findall(rf"^(?:{words}) {BODY}", path.read_text(), re.M)
    return {name: text.strip("\n") for name, text in found}


def constants(path, word):
    return dict(re.findall(rf"^{word}{CONSTANT}", path.read_text(), re.M))


def stand_in():
    """A module `numba` whose decorators leave functions as they are, and note
    whether they are given their results or return them."""
    def decorator(fills):
        def mark(function):
            function.fills = fills
            return function

        def decorate(*given, **options):
            return mark(given[0]) if given and callable(given[0]) else mark
        return decorate

    numba = types.ModuleType("numba")
    numba.vectorize = numba.njit = decorator(False)
    numba.guvectorize = decorator(True)
    return numba


def originals(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    with unittest.mock.patch.dict(sys.modules, numba=stand_in()):
        spec.loader.exec_module(module)  # as plain Python
    return module


def core_counts(signature):
    """How many core dimensions each input has, and each result."""
    return [[len(one.split(",")) if one else 0
             for one in re.findall(r"\(([^)]*)\)", side)]
            for side in signature.split("->")]


def plain(value):
    """What Python computes with: its own numbers where they have 64 bits."""
    return value.item() if value.dtype.char in "dlDq?" else value


def row(values):
    """Numba computes with 64 bits, whatever the integers of an array have."""
    narrow = values.dtype.kind in "iu" and values.itemsize < 8
    return values.astype(np.int64) if narrow else values.copy()


def by_python(original, inputs, cores, results):
    """Loop element by loop element; `results` has Kern's, for their types."""
    ranks, result_ranks = cores
    ranks = ranks + [0] * (len(inputs) - len(ranks))  # a `dim` has none
    inputs = [np.asarray(one) for one in inputs]
    loop = np.broadcast_shapes(*(
        a.shape[:a.ndim - rank] for a, rank in zip(inputs, ranks)))
    inputs = [np.broadcast_to(a, loop + a.shape[a.ndim - rank:])
              for a, rank in zip(inputs, ranks)]
    expected = [np.zeros_like(one) for one in results]
    for place in np.ndindex(*loop):
        given = [row(a[place]) if rank else plain(a[place])
                 for a, rank in zip(inputs, ranks)]
        if original.fills:
            made = [unwritten(one[place].shape if rank else (1,), one.dtype)
                    for one, rank in zip(expected, result_ranks)]
            original(*given, *made)
            made = [one if rank else one[0]
                    for one, rank in zip(made, result_ranks)]
        else:
            made = original(*given)
            made = made if isinstance(made, tuple) else (made,)
        for one, value in zip(expected, made):
            one[place] = value
    return expected


def unwritten(shape, dtype):
    return np.full(shape, np.nan if dtype.kind in "fc" else 77, dtype)


def difference(got, expected):
    """The largest, in units of the largest value or of one."""
    if expected.dtype.kind in "iub":
        return 0 if np.array_equal(got, expected) else np.inf
    finite = np.isfinite(expected)
    if not np.array_equal(got[~finite], expected[~finite], equal_nan=True):
        return np.inf
    wide = got[finite].astype(complex) - expected[finite]
    return np.max(np.abs(wide) / np.maximum(np.abs(expected[finite]), 1),
                  initial=0)


def check_texts(tests, path):
    """Bodies and constants of a file's functions, letter by letter."""
    python = bodies(path.with_suffix(".py"), "def")
    kern = bodies(path, "def|ufunc|gufunc")
    tests.check(f"{path.name}: the functions", python.keys() == kern.keys(),
                f"{python.keys() ^ kern.keys()}")
    tests.check(f"{path.name}: the constants",
                constants(path, "const ") == constants(
                    path.with_suffix(".py"), ""), "are others")
    for name, text in kern.items():
        same = python.get(name) == text
        tests.check(f"{path.name}: the body of {name}",
                    same != (name in RESTRUCTURED),
                    "is as in Python" if same else "is not as in Python")


def check_results(tests, label, function, original, inputs, place):
    with np.errstate(all="ignore"):
        got = function(*inputs, place=place)
        got = got if isinstance(got, tuple) else (got,)
        expected = by_python(
            original, inputs, core_counts(function.signature), got)
    for one, want in zip(got, expected):
        error = difference(one, want)
        tests.check(label, error <= TOLERANCE.get(want.dtype.char, 0),
                    f"off by {error}")


def as_f32(inputs):
    return [a.astype(np.float32)
            if isinstance(a, np.ndarray) and a.dtype == np.float64 else a
            for a in inputs]


def run(tests, place="host"):
    lib = kernapi.Library(tests.build / "lib" / "libkern.so")
    called = set()
    for path in sorted(FOLDER.glob("*.kern")):
        check_texts(tests, path)
        text = path.read_text()
        module = lib.compile_file(path)
        original = originals(path.with_suffix(".py"))
        for name in module.names():
            called.add(name)
            if not tests.check(f"{path.name}: {name} has inputs",
                               name in INPUTS, "in pasted_inputs.py"):
                continue
            for size in SIZES:
                inputs = INPUTS[name](Inputs(*size))
                kinds = {"": inputs}
                if re.search(rf"^g?ufunc {name}\(.* where .*f32", text, re.M):
                    kinds[" of f32"] = as_f32(inputs)
                for kind, given in kinds.items():
                    check_results(
                        tests, f"{path.name}: {name}{kind}, {size}",
                        module[name], getattr(original, name), given, place)
    tests.check("pasted: inputs of functions that are there",
                called == set(INPUTS), f"{called ^ set(INPUTS)}")
    tests.check("pasted: fifty besides the first twenty", len(called) > 70,
                f"{len(called)}")
    tests.check("pasted: few are restructured",
                len(RESTRUCTURED) <= MOST_RESTRUCTURED, f"{RESTRUCTURED}")
