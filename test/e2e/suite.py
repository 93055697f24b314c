"""The framework of the end-to-end groups.

A group is a module with `cases(ctx)`, which yields (name, function); the
function takes a Recorder and makes any number of checks.
"""

import os

import numpy as np

import kernapi
from kernapi import KernError, STATUS_NAMES


class Skip(Exception):
    """A case that cannot run here, with the reason."""


class Recorder:
    def __init__(self):
        self.case = ""
        self.passed = 0
        self.failures = []
        self.skips = []

    def check(self, label, ok, detail=""):
        if ok:
            self.passed += 1
        else:
            self.failures.append((self.case, label, detail))
        return ok

    def fail(self, label, detail):
        self.check(label, False, detail)

    def same(self, label, actual, expected, ulp=0, zero_sign=True,
             any_type=False):
        """`actual` has the type, shape and values of `expected`; floats
        may be `ulp` units in the last place away."""
        expected = np.asarray(expected)
        actual = np.asarray(actual)
        problem = difference(actual, expected, ulp, zero_sign, any_type)
        return self.check(label, problem is None, problem or "")

    def refused(self, label, call, statuses, *words):
        """`call` fails with one of `statuses` and a message that has all
        `words`."""
        if isinstance(statuses, int):
            statuses = (statuses,)
        try:
            result = call()
        except KernError as error:
            names = "/".join(STATUS_NAMES[s] for s in statuses)
            missing = [w for w in words
                       if w.lower() not in error.message.lower()]
            ok = error.status in statuses and not missing
            return self.check(
                label, ok,
                f"expected {names} naming {list(words)}, got {error}")
        return self.check(label, False, f"was accepted, gave {brief(result)}")


def brief(value):
    text = repr(value).replace("\n", " ")
    return text if len(text) < 160 else text[:160] + "…"


def ulp_error(actual, expected):
    """The distance from `expected` (which may be wider than `actual`) in units
    in the last place of `actual`'s type; 0 where both are the same NaN,
    infinity or zero, inf where only one is."""
    actual = np.asarray(actual)
    rounded = np.asarray(expected).astype(actual.dtype)
    wide = np.asarray(expected).astype(np.longdouble)
    with np.errstate(all="ignore"):
        error = np.abs(actual.astype(np.longdouble) - wide) / np.spacing(
            np.abs(rounded)).astype(np.longdouble)
        special = ~np.isfinite(rounded) | ~np.isfinite(actual)
        equal = (rounded == actual) | (np.isnan(rounded) & np.isnan(actual))
    # Where rounding alone decides between the largest number and infinity.
    edge = np.isinf(rounded) & (np.abs(actual) == np.finfo(actual.dtype).max)
    edge |= np.isinf(actual) & (np.abs(rounded) == np.finfo(actual.dtype).max)
    error = np.where(special, np.where(equal, 0.0, np.inf), error)
    return np.where(edge, 1.0, error)


def difference(actual, expected, ulp=0, zero_sign=True, any_type=False):
    """Why two arrays differ, or None."""
    if not any_type and actual.dtype != expected.dtype:
        return f"type {actual.dtype}, expected {expected.dtype}"
    if actual.shape != expected.shape:
        return f"shape {actual.shape}, expected {expected.shape}"
    if actual.size == 0:
        return None
    kind = expected.dtype.kind
    if kind == "c":
        return difference(actual.real, expected.real, ulp, zero_sign) or \
            difference(actual.imag, expected.imag, ulp, zero_sign)
    if kind == "f":
        if ulp:
            error = ulp_error(actual, expected)
            bad = error > ulp
        else:
            equal = (actual == expected) | (
                np.isnan(actual) & np.isnan(expected))
            bad = ~equal
            error = None
        if zero_sign and not ulp:
            bad |= (actual == 0) & (expected == 0) & (
                np.signbit(actual) != np.signbit(expected))
    else:
        bad = actual != expected
        error = None
    if not np.any(bad):
        return None
    at = tuple(int(i) for i in np.argwhere(bad)[0])
    if error is not None:
        at = tuple(int(i) for i in np.unravel_index(
            np.argmax(np.where(bad, error, -1)), bad.shape))
    text = (f"{int(np.sum(bad))} of {bad.size} differ, at {at} "
            f"{actual[at]!r}, expected {expected[at]!r}")
    if error is not None:
        text += f" ({float(error[at]):.1f} ULP)"
    return text


class Context:
    """The context of a group: the library, the tool, the device, a seed."""

    def __init__(self, lib, kern, device, scratch):
        self.lib = lib
        self.kern = kern
        self.device = device  # "cpu" or "cuda"
        if device == "cuda":  # host arrays too are computed there
            lib.device = self.dl_device
        self.scratch = scratch
        self.modules = {}

    @property
    def place(self):
        """Where arrays are when a call sees them. KERN_E2E_ARRAYS=host leaves
        them on the host while a GPU computes."""
        stays = os.environ.get("KERN_E2E_ARRAYS") == "host"
        return "cuda" if self.device == "cuda" and not stays else "host"

    @property
    def dl_device(self):
        return (kernapi.CUDA, 0) if self.device == "cuda" else (kernapi.CPU, 0)

    def rng(self, seed):
        return np.random.default_rng(seed)

    def module(self, text, name="test.kern"):
        key = (text, name)
        if key not in self.modules:
            self.modules[key] = self.lib.compile(text, name)
        return self.modules[key]

    def call(self, text, function, *arguments, **asked):
        """Compiles `text` (once) and calls a function on the suite's device,
        arrays being there. `asked`: `out` and kernapi.call_options()."""
        return self.module(text)[function](
            *arguments, place=self.place, device=self.dl_device, **asked)

    def callable(self, text, function):
        return lambda *a, out=None: self.call(text, function, *a, out=out)
