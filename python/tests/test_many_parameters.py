"""Bools among more than four parameters, without signatures, as Numba computes them."""

import itertools
import math

import numpy as np
import pytest

import kern

numba = pytest.importorskip("numba")

BOOLS, NUMBERS = np.array([True, False, True]), np.array([1, 2, 300])
OTHERS = [np.array([200, 3, 255], "u1"), np.array([-3, 5, 100], "i2"), np.arange(3.0)]


def total(a, b, c, d, e): return a + b + c + d + e
def chosen(a, b, c, d, e): return (a + b) * c - d if e else a - b
def bits(a, b, c, d, e): return (a & b) | (c ^ d) | e
def powers(a, b, c, d, e, f): return math.exp(a) + b * c + d * e * f
def bounds(a, b, c, d, e): return min(a, b) + max(c, d) * e
def counted(a, b, c, d, e):
    n = 0
    for i in range(3):
        n += a + i * b
    return n * d + (c == e)


@pytest.mark.parametrize("function", [total, chosen, bits, powers, bounds, counted])
def test_bools(function):
    count = function.__code__.co_argcount
    ours = kern.vectorize(function)
    rows = list(itertools.product((BOOLS, NUMBERS), repeat=count))
    for other in OTHERS:
        if function is not bits or other.dtype.kind != "f":
            rows += [(BOOLS,) * (count - 1) + (other,), (other, *(BOOLS,) * (count - 1))]
            rows.append((BOOLS, BOOLS, other, other, BOOLS, BOOLS)[:count])
    for row in rows:
        expected = numba.vectorize(function)(*row)
        got = ours(*row)
        assert got.dtype == expected.dtype, [one.dtype for one in row]
        np.testing.assert_allclose(got, expected)


def nine(a, b, c, d, e, f, g, h, i): return a + b + c + d + e + f + g + h + i


def test_more_than_can_be_told_apart():
    """They are not in bodies of their own; bools are then Kern's."""
    f = kern.vectorize(nine)
    assert f(*range(9)) == 36 and f(*np.uint8([100] * 9)) == 900
    assert f.source.count("return") == kern.vectorize(bits).source.count("return")
    assert kern.vectorize(total).source.count("return") > f.source.count("return")
