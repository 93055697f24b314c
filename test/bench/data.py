"""The arrays of a run, and how results are compared with float64."""

import math

import cupy
import numpy as np

F = np.float32
CHUNK = 1 << 24


class Data:
    """Fresh random arrays of n elements. Arrays of f32 are kept for the whole
    run, others are made on request."""

    def __init__(self, n, seed):
        self.n = n
        self.rng = cupy.random.default_rng(seed)
        self.single = []
        self._out = []

    def f32(self, count):
        """Angles and radii, prices and volatilities: all in [0.25, 1.25)."""
        while len(self.single) < count:
            self.single.append(
                self.rng.random(self.n, dtype=F) + F(0.25))
        return self.single[:count]

    def out(self, count=1):
        while len(self._out) < count:
            self._out.append(cupy.empty(self.n, F))
        return self._out[:count]

    def f64(self):
        return self.rng.random(self.n) + 0.25

    def integers(self, low, high, dtype, n=None):
        out = cupy.empty(n or self.n, dtype)
        for start in range(0, out.size, CHUNK):
            part = out[start:start + CHUNK]
            part[...] = self.rng.integers(low, high, part.size, dtype=np.int32)
        return out


def largest(error):
    """A NaN must not pass: it counts as infinite."""
    return float(cupy.nan_to_num(error, nan=np.inf, posinf=np.inf).max())


def within(expected, tolerance):
    """A check of flat arrays: `expected(part)` gives, for a slice, what each
    output should be in float64 and the scale of its error."""
    def check(results):
        worst = 0.0
        for start in range(0, results[0].size, CHUNK):
            part = slice(start, start + CHUNK)
            wanted = expected(part)
            wanted = wanted if isinstance(wanted, list) else [wanted]
            for result, (want, scale) in zip(results, wanted):
                found = result.ravel()[part].astype(want.dtype)
                error = cupy.abs(found - want) / (scale * tolerance)
                worst = max(worst, largest(error))
        return worst
    return check


def equal(expected):
    """A check of exact results, part by part along the first dimension."""
    def check(results):
        result = results[0]
        step = max(1, CHUNK // max(1, math.prod(result.shape[1:])))
        for start in range(0, result.shape[0], step):
            part = slice(start, start + step)
            if not bool((result[part] == expected(part)).all()):
                return math.inf
        return 0.0
    return check


def copy_of(data):
    """The ceiling: bytes moved by a device-to-device copy, and the copy."""
    source, out, size = data.f32(1)[0], data.out()[0], data.n * 4
    stream = cupy.cuda.Stream.null
    return 2 * size, lambda: out.data.copy_from_device_async(
        source.data, size, stream)
