"""examples/pasted: the bodies are exactly those of the Python file, and give the
same results as Python.
"""

import importlib.util
import pathlib
import re
import sys
import unittest.mock

import numpy as np

import kernapi

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "pasted"
BODY = r"(\w+)\(.*\).*:\n((?:    .*\n|\n)+)"
COUNT = 300


def bodies(path, words):
    """name → text of the functions that begin with one of the words."""
    found = re.findall(rf"^(?:{words}) {BODY}", path.read_text(), re.M)
    return {name: text.strip("\n") for name, text in found}


def originals():
    spec = importlib.util.spec_from_file_location(
        "bodies", FOLDER / "bodies.py")
    module = importlib.util.module_from_spec(spec)
    with unittest.mock.patch.dict(sys.modules, numba=None):
        spec.loader.exec_module(module)  # as plain Python
    return module


def arguments(rng):
    """name → inputs, where Python's own functions raise no error."""
    def reals(low, high, count):
        return [rng.uniform(low, high, COUNT) for _ in range(count)]

    def whole(low, high):
        return rng.integers(low, high, COUNT)

    option = [rng.uniform(10, 50, COUNT), rng.uniform(10, 50, COUNT),
              rng.uniform(0.2, 3, COUNT), rng.uniform(0, 0.1, COUNT),
              rng.uniform(0.1, 0.6, COUNT)]
    places = [rng.uniform(-90, 90, COUNT), rng.uniform(-180, 180, COUNT)] * 2
    rows = rng.normal(0, 2, (40, 17))
    return {
        "gaussian": reals(-2, 2, 2) + reals(0.5, 3, 1),
        "hypotenuse": [np.append(a, 0.0) for a in reals(-5, 5, 2)],
        "black_scholes_call": option,
        "black_scholes_put": option,
        "logistic_map": reals(1, 3, 1) + reals(0, 1, 1) + [whole(0, 40)],
        "sinc": [np.append(reals(-5, 5, 1)[0], 0.0)],
        "haversine": [p + rng.uniform(-1, 1, COUNT) for p in places],
        "clipped": reals(-3, 3, 1) + reals(-2, 0, 1) + reals(0, 2, 1),
        "escape_time": reals(-2, 1, 1) + reals(-1, 1, 1) + [whole(1, 80)],
        "gelu": reals(-5, 5, 1),
        "sigmoid": reals(-800, 800, 1),
        "softplus": reals(-50, 50, 1),
        "huber": reals(-3, 3, 1) + reals(0.5, 2, 1),
        "collatz": [whole(1, 100000)],
        "euclid": [whole(-10000, 10000), whole(-10000, 10000)],
        "is_prime": [whole(-5, 20000)],
        "kepler": reals(0, 3, 1) + reals(0, 0.9, 1),
        "polar_distance": reals(0.5, 3, 4),
        "lennard_jones": reals(0.8, 4, 1) + reals(0.9, 1.1, 1),
        "blend": [rng.integers(0, 256, COUNT).astype(np.uint8),
                  rng.integers(0, 256, COUNT).astype(np.uint8)]
        + reals(0, 1, 1),
        "angle_difference": reals(-9, 9, 2),
        "smoothstep": reals(-1, 2, 1),
        "running_norm": [rows],
        "moving_average": [rows, rng.uniform(0.1, 1, (40, 5))],
        "softmax": [rows],
        "exponential_smoothing": [rows, rng.uniform(0, 1, 40)],
    }


def by_python(function, inputs, rows):
    """Element by element; of functions of rows, row by row."""
    out = []
    for values in zip(*inputs):
        if rows:
            result = np.zeros_like(values[0])
            function(*values, result)
        else:
            with np.errstate(all="ignore"):
                result = function(*[v if v.dtype == np.uint8 else v.item()
                                    for v in values])
        out.append(result)
    return np.array(out)


def run(tests, place="host"):
    python = bodies(FOLDER / "bodies.py", "def")
    kern = bodies(FOLDER / "bodies.kern", "def|ufunc|gufunc")
    python = {n: t for n, t in python.items() if n in kern}
    tests.check("pasted: twenty bodies", len(kern) > 20, f"{len(kern)}")
    lib = kernapi.Library(tests.build / "lib" / "libkern.so")
    module, original = lib.compile_file(FOLDER / "bodies.kern"), originals()
    inputs = arguments(np.random.default_rng(7))
    for name, text in kern.items():
        tests.check(f"pasted: the body of {name}", python.get(name) == text,
                    "is not that of bodies.py")
    tests.check("pasted: all are called",
                set(module.names()) == set(inputs),
                f"{set(module.names()) ^ set(inputs)}")
    for name, values in inputs.items():
        rows = values[0].ndim == 2
        expected = by_python(getattr(original, name), values, rows)
        got = module[name](*values, place=place)
        scale = np.maximum(np.abs(expected.astype(float)), 1)
        error = np.max(np.abs(got.astype(float) - expected) / scale)
        exact = expected.dtype.kind in "iub"
        tests.check(f"pasted: {name}", error <= (0 if exact else 1e-12),
                    f"off by {error}")
