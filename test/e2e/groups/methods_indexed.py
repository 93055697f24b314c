"""reduceat, at and outer of ufuncs against NumPy's."""

import itertools

import numpy as np

from groups.methods import TYPES, Called, expected
from kernabi import ARGUMENT, SHAPE, TYPE
from layouts import LAYOUTS, array, values


KINDS = [*TYPES, np.dtype("f2")]


def pieces(ctx):
    call = Called(ctx)

    def run(t):
        rng = ctx.rng(6)
        for indices in ([0], [0, 2], [2, 0], [0, 0, 1, 3], [3, 3], []):
            for dtype in ("i8", "u1", "i4"):
                given = np.array(indices, dtype)
                for axis in (0, 1, -1):
                    for layout in ("C", "Fortran", "reversed"):
                        kind = KINDS[rng.integers(len(KINDS))]
                        x = array(rng, (4, 4), kind, layout)
                        for name in ("add", "subtract"):
                            t.same(
                                f"{name} {indices} {dtype} {axis} {layout} {kind}",
                                call[name].reduceat(x, given, axis=axis),
                                expected(getattr(np, name).reduceat, x,
                                         given.astype("i8"), axis, kind),
                                zero_sign=False)
        x = values(rng, (5,), "f4")
        out = np.zeros(2)
        call["add"].reduceat(x, np.array([4, 1]), out=out)
        t.same("out", out, np.add.reduceat(x, [4, 1]).astype("f8"))
        for bad in (-1, 5):
            t.refused(f"index {bad}", lambda: call["add"].reduceat(
                x, np.array([0, bad])), ARGUMENT, f"index {bad}", "extent 5")
        t.refused("rank", lambda: call["add"].reduceat(x, np.array([[0]])),
                  ARGUMENT, "one dimension")
        t.refused("float", lambda: call["add"].reduceat(x, np.array([0.0])), TYPE,
                  "integers")
    return run


def at_indices(ctx):
    call = Called(ctx)

    def run(t):
        rng = ctx.rng(7)

        def check(label, name, a, indices, *operand):
            want, got = a.copy(), a.copy("K")
            with np.errstate(all="ignore"):
                getattr(np, name).at(want, indices, *operand)
            call[name].at(got, indices, *operand)
            t.same(f"{label} {name} {a.dtype}", got, want, zero_sign=False)

        for dtype in KINDS:
            a = values(rng, (5,), dtype)
            for indices in ([0, 1, 1, 1, -1], [], [4], [-5, 4, -5]):
                index = np.array(indices, "i8")
                many = values(rng, (len(indices),), dtype)
                check(f"{indices}", "add", a, index, dtype.type(3))
                check(f"{indices}", "subtract", a, index, many)
                if dtype.kind != "u":
                    check(f"{indices}", "negative", a, index)
                check(f"{indices} reversed", "subtract", a, index[::-1],
                      many[::-1])
        flags = np.array([True, False, False])
        check("bool", "add", flags, np.array([1, 1]), np.array([False, True]))
        for layout in ("C", "Fortran", "sliced", "transposed"):
            a = array(rng, (4, 6), "i8", layout)
            rows, columns = np.array([0, 1, 1, -1]), np.array([5, 2, 2, -6])
            check(layout, "subtract", a, rows, values(rng, (4, 6), "i8"))
            check(layout + " a row for all", "add", a, rows, values(rng, (6,), "i8"))
            check(layout + " pairs", "subtract", a, (rows, columns),
                  values(rng, (4,), "i8"))
            check(layout + " grid", "add", a,
                  (rows[:, None], np.array([1, 1, 4], "u2")), values(
                      rng, (4, 3), "i8"))
            check(layout + " grid and row", "add", a,
                  (rows[:, None], np.array([1, 1, 4], "u2")), values(
                      rng, (3,), "i8"))
            check(layout + " a column", "subtract", a,
                  (rows, np.array(2)), values(rng, (1,), "i8"))
        many = rng.integers(0, 100, 100_000)
        weights = rng.random(100_000)
        check("in order", "subtract", np.zeros(100), many, weights)
        check("counts", "add", np.zeros(100, "i4"), many.astype("u1"), np.int32(1))
        x, n = np.arange(4.0), np.array([1, 2], np.int32)
        want = x.copy()
        for place, one in zip([2, 2], n):
            want[place] = want[place] / 2 + one
        call["scaled"].at(x, np.array([2, 2]), n)
        t.same("other types", x, want)
        a = np.arange(5)
        want = a.copy()
        np.add.at(want, [0, 1, 1], a[2:].copy())
        call["add"].at(a, np.array([0, 1, 1]), a[2:])
        t.same("an operand in the array", a, want)
        for bad in (5, -6):
            a = np.arange(5)
            t.refused(f"index {bad}", lambda: call["add"].at(
                a, np.array([0, bad]), 1), ARGUMENT, f"index {bad}", "axis 0")
            t.same(f"unchanged {bad}", a, np.arange(5))
        t.refused("shapes", lambda: call["add"].at(
            np.zeros(3), np.array([0, 1]), np.zeros(3)), SHAPE, "operand")
    return run


def outers(ctx):
    call = Called(ctx)

    def run(t):
        rng = ctx.rng(8)
        for a, b in itertools.product(
                [(), (3,), (2, 2), (0, 2), (1,)], repeat=2):
            for layout in LAYOUTS:
                if 0 in a + b and layout != "C":
                    continue
                x, y = array(rng, a, "f4", layout), array(rng, b, "i2", layout)
                t.same(f"{a} {b} {layout}", call["subtract"].outer(x, y),
                       np.subtract.outer(x, y))
        for one, other in (("c8", "f2"), ("?", "u8"), ("f2", "i1"), ("c16", "c8")):
            x, y = values(rng, (3,), one), values(rng, (2, 2), other)
            t.same(f"{one} {other}", call["multiply"].outer(x, y),
                   np.multiply.outer(x, y))
        x = values(rng, (4,), "f4")
        t.same("a number", call["add"].outer(x, 2), np.add.outer(x, 2))
        t.same("dtype", call["add"].outer(x, x, dtype="f8"),
               np.add.outer(x, x, dtype="f8"))
    return run


def cases(ctx):
    yield "reduceat", pieces(ctx)
    yield "at", at_indices(ctx)
    yield "outer", outers(ctx)
