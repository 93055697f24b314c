"""Where the result of a function without branches must lie, if every operator
rounds correctly (or is contracted) and every library function is within its
bound. Intervals are pairs of f64; each step widens them by what it may err.
"""

import math

import numpy as np

from tree import Assign, Bin, Call, Lit, Name, Return

#: ULP that a function of the library may be off, and one for the reference.
BOUND = 4 + 1


class Open(Exception):
    """There is no interval: a pole, a NaN or an infinity is possible."""


def widen(lo, hi, dtype, ulp):
    """The interval widened by `ulp` units in the last place of `dtype` on both
    sides."""
    if not (math.isfinite(lo) and math.isfinite(hi)):
        raise Open()
    info = np.finfo(dtype)

    def unit(x):
        x = max(abs(x), float(info.tiny))
        if x > float(info.max):
            raise Open()
        return float(np.spacing(dtype.type(x)))
    lo, hi = lo - ulp * unit(lo), hi + ulp * unit(hi)
    if max(abs(lo), abs(hi)) >= float(info.max):
        raise Open()
    return lo, hi


def arithmetic(op, a, b):
    if op == "+":
        return a[0] + b[0], a[1] + b[1]
    if op == "-":
        return a[0] - b[1], a[1] - b[0]
    if op == "/":
        if b[0] <= 0 <= b[1]:
            raise Open()
        ends = [x / y for x in a for y in b]
    else:
        ends = [x * y for x in a for y in b]
    return min(ends), max(ends)


RISING = {"exp", "log", "tanh", "exp2", "log1p", "expm1", "arctan", "cbrt"}
STARTS = {"log": 0.0, "log1p": -1.0}


def function(name, arguments):
    a = arguments[0]
    if name in RISING:
        if name in STARTS and a[0] <= STARTS[name]:
            raise Open()
        return tuple(float(getattr(np, name)(x)) for x in a)
    if name in ("sin", "cos"):
        middle, half = (a[0] + a[1]) / 2, (a[1] - a[0]) / 2
        if abs(middle) > 1e5 or half > 1:
            raise Open()
        value = float(getattr(np, name)(middle))
        return value - half, value + half
    b = arguments[1]
    if name == "hypot":
        ends = [math.hypot(x, y) for x in a for y in b]
        low = 0.0 if a[0] < 0 < a[1] or b[0] < 0 < b[1] else min(ends)
        return low, max(ends)
    # arctan2: away from the origin and from its cut.
    if a[0] <= 0 <= a[1] and b[0] <= 0:
        raise Open()
    ends = [math.atan2(y, x) for y in a for x in b]
    return min(ends), max(ends)


class Reach:
    def __init__(self, names, dtype):
        self.names, self.dtype = names, dtype

    def value(self, e):
        if isinstance(e, Lit):
            exact = float(self.dtype.type(e.value))
            return exact, exact
        if isinstance(e, Name):
            return self.names[e.id]
        if isinstance(e, Bin):
            result = arithmetic(e.op, self.value(e.a), self.value(e.b))
            return widen(*result, self.dtype, 1)
        assert isinstance(e, Call)
        result = function(e.name, [self.value(item) for item in e.items])
        return widen(*result, self.dtype, BOUND)


def reach(tree, arguments):
    """The interval of the result, or None if there is none."""
    dtype = arguments[0].dtype
    names = {p.name: (float(x), float(x))
             for p, x in zip(tree.parameters, arguments)}
    state = Reach(names, dtype)
    try:
        with np.errstate(all="ignore"):
            for statement in tree.body:
                if isinstance(statement, Assign):
                    names[statement.names[0]] = state.value(
                        statement.values[0])
                elif isinstance(statement, Return):
                    return state.value(statement.values[0])
    except (Open, OverflowError, FloatingPointError):
        return None
    return None
