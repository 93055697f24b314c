"""Methods of functions on operands whose layout came before, which take a
shorter way, against NumPy's."""

import random

import kern
import numpy as np
import pytest

from pairs import MODULE, compare, same

OPERANDS = [
    lambda: np.arange(1.0, 9),
    lambda: np.arange(1.0, 17)[::2],
    lambda: np.arange(1.0, 9)[::-1],
    lambda: np.arange(1, 9, dtype="f4"),
    lambda: np.arange(1, 9, dtype="i8"),
    lambda: np.arange(1, 9, dtype=">i8"),
    lambda: np.arange(1, 9, dtype="u1"),
    lambda: np.array([True, False] * 4),
    lambda: np.arange(1.0, 13).reshape(3, 4),
    lambda: np.arange(1.0, 13).reshape(4, 3).T,
    lambda: np.arange(1.0, 25).reshape(2, 3, 4),
    lambda: np.arange(1.0, 25).reshape(2, 3, 4).transpose(1, 0, 2),
    lambda: np.array(5.0),
    lambda: np.zeros((0, 3)),
    lambda: np.arange(1.0, 13).reshape(3, 4).view(np.matrix),
    lambda: [1.0, 2, 3],
]
AXES = [0, -1, 1, None, (0, 1), 2, True]


DTYPES = ["f8", "f4", float, np.dtype("f8"), "c16", np.float32, "i8"]
INITIALS = [2, 0.5, None, np.float32(3), True, 1j, np.array(4)]


def test_reduce_and_accumulate_after_any_other():
    dice = random.Random(3)
    wide = {np.dtype(kind) for kind in ("f8", "f4", "i8")}
    for _ in range(3000):
        make, axis = dice.choice(OPERANDS), dice.choice(AXES)
        # NumPy's maximum takes several axes, this one does not.
        several = axis is None or isinstance(axis, tuple)
        names = ["multiply"] if several else ["subtract", "maximum", "multiply"]
        name = dice.choice(names)
        method = dice.choice(["reduce", "reduce", "accumulate"])
        keywords = {"axis": axis}
        if method == "reduce" and dice.random() < 0.3:
            keywords["keepdims"] = dice.choice([True, False])
        operand = make()
        if np.asarray(operand).dtype not in wide and name == "multiply":
            continue  # NumPy widens its own
        if name == "subtract" and np.asarray(operand).dtype == bool:
            continue  # NumPy's refuses it
        way = dice.random()
        _compare_one(name, method, make, keywords, way)


def _compare_one(name, method, make, keywords, way):
    """One call, with an `out` made of NumPy's result if `way` is small."""

    def call(function):
        operand = make()
        given = dict(keywords)
        if way < 0.3:
            expected = getattr(getattr(np, name), method)(make(), **keywords)
            if isinstance(expected, np.ndarray) and type(expected) is np.ndarray:
                given["out"] = np.zeros_like(expected)
        if 0.3 < way < 0.4 or way < 0.02:
            given["dtype"] = DTYPES[int(1000 * way) % len(DTYPES)]
        if method == "reduce" and 0.4 < way < 0.6:
            given["initial"] = INITIALS[int(1000 * way) % len(INITIALS)]
        if method == "reduce" and 0.5 < way < 0.7:
            shape = np.shape(operand)
            given["where"] = np.arange(np.prod(shape, dtype=int)).reshape(shape) % 3 > 0
            given.setdefault("initial", 1)
        if "out" in given and 0.1 < way < 0.2:
            given["out"] = (given["out"],)
        result = getattr(function(name), method)(operand, **given)
        if "out" in given:
            out = given["out"]
            assert result is (out[0] if isinstance(out, tuple) else out)
        return result

    compare(call)


def test_out_of_another_type():
    x = np.arange(8.0)
    for out in (np.zeros((), "f8"), np.zeros((), "f4")):
        for _ in range(3):
            assert MODULE.subtract.reduce(x, out=out) is out
            assert out == -28
    with pytest.raises(ValueError):
        MODULE.subtract.reduce(x, out=np.zeros(1))
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        MODULE.subtract.reduce(x, out=out)


INDICES = [
    [0, 2, 2, 5],
    np.array([0, 2, 2, 5]),
    np.array([-1, -8, 3, 3]),
    np.array([7, 0, 1, 7], "u1"),
    np.array([7, 0, 1, 7], "u8"),
    np.array([0, 8, 1, 1]),
    np.array([0, -9, 1, 1]),
    np.array([True, False] * 4),
    np.array([[0, 1], [2, 2]]),
    3,
    -1,
    8,
    slice(0, 4),
    [],
    (np.array([1, 1, 2, 3]),),
    np.array([0.5]),
    np.arange(16)[::4] // 2,
]
SECONDS = [
    1.5,
    2,
    -1,
    np.float32(0.5),
    np.int8(3),
    np.arange(4.0),
    np.arange(8.0)[::2],
    np.arange(4, dtype="i4"),
    np.array(2.5),
    [1.0, 2, 3, 4],
    [1.0, 2],
]


def test_at_after_any_other():
    dice = random.Random(5)
    targets = OPERANDS[:5] + [lambda: np.arange(16.0)[::-2]]
    for _ in range(2500):
        make, index = dice.choice(targets), dice.choice(INDICES)
        name = dice.choice(["subtract", "maximum", "add"])
        second = dice.choice(SECONDS)
        whole = np.asarray(make()).dtype.kind == "i"
        if whole and not isinstance(second, (int, np.int8)):
            continue  # NumPy refuses to store what Kern rounds
        if np.ndim(index) == 2 and np.ndim(second) == 1:
            continue  # NumPy 2.3 does the first row alone

        def call(function):
            target = make()
            function(name).at(target, index, second)
            return target

        compare(call)


def test_unary_at_after_any_other():
    for _ in range(3):
        for make in OPERANDS[:5]:
            for index in INDICES:

                def call(function):
                    target = make()
                    function("negative").at(target, index)
                    return target

                compare(call)


def test_at_that_is_refused_writes_nothing():
    x = np.arange(8.0)
    for _ in range(3):
        MODULE.add.at(x, [0, 1], 0.0)
        with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0"):
            MODULE.add.at(x, [0, 9, 1, -11], 1.0)
    np.testing.assert_array_equal(x, np.arange(8.0))


def test_at_of_what_overlaps():
    for _ in range(3):
        x, expected = np.arange(8.0), np.arange(8.0)
        MODULE.add.at(x, [0, 1, 2, 3], x[2:6])
        np.add.at(expected, [0, 1, 2, 3], expected[2:6].copy())
        same(x, expected)
        MODULE.add.at(x, np.arange(8)[::-1], x)
        np.add.at(expected, np.arange(8)[::-1], expected.copy())
        same(x, expected)


def test_reduceat_after_any_other():
    places = [[0, 3], np.array([0, 3, 1]), [7, 2], [0, 8], [-1, 2], np.array([2], "u2")]
    dice = random.Random(6)
    for _ in range(400):
        make, index = dice.choice(OPERANDS[:5] + OPERANDS[8:10]), dice.choice(places)
        axis = dice.choice([0, -1])
        compare(lambda function: function("subtract").reduceat(make(), index, axis))


def test_many_layouts_are_forgotten():
    add = kern.compile("ufunc add(x, y): return x + y").add
    for size in range(1, 300):
        same(add.reduce(np.ones(size)), np.float64(size))
    assert len(add._known) <= 64


def test_what_the_cpu_does_is_not_kept_for_a_gpu(monkeypatch):
    """Its gufuncs are others: they have as many accumulators as one thread can use."""
    longest = kern.compile("@associative(identity=0)\nufunc f(x, y): return hypot(x, y)").f
    x = np.arange(1.0, 9)
    with monkeypatch.context() as patched:
        patched.setattr(kern._kern, "scope_is_elsewhere", lambda: True)
        for _ in range(2):
            for options in ({}, {"dtype": "f8"}, {"initial": 0}):
                same(longest.reduce(x, **options), np.hypot.reduce(x), 1e-14)
            longest.accumulate(x)
        assert not longest._known
    longest.reduce(x)
    assert longest._known


def test_methods_on_a_gpu_after_the_cpu(gpu):
    longest = kern.compile("@associative(identity=0)\nufunc f(x, y): return hypot(x, y)").f
    x = np.ones(1 << 22)
    for options in ({}, {"dtype": "f8"}, {"initial": 0}):
        for _ in range(2):
            assert abs(longest.reduce(x, **options) - 2**11) < 1e-6
            with kern.trace() as told, kern.on("cuda"):
                assert abs(longest.reduce(x, **options) - 2**11) < 1e-6
            (launch,) = [one for one in told.events if one.kind == "launch"]
            assert str(launch.device).startswith("cuda")
    with kern.on("cpu"):
        assert abs(longest.reduce(x) - 2**11) < 1e-6
