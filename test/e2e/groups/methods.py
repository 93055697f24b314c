"""reduce and accumulate of ufuncs against NumPy's, over all axes, layouts, types
and empty arrays; and what is refused."""

import itertools

import numpy as np

from kernabi import ARGUMENT, BFLOAT16, SHAPE, TYPE
from kernapi import ALL_AXES
from kernmethods import Methods
from layouts import LAYOUTS, array, values
from suite import Skip

SOURCE = """
@associative(identity=0)
ufunc add(x, y):
    return x + y

@associative(identity=1)
ufunc multiply(x, y):
    return x * y

ufunc subtract(x, y):
    return x - y

@associative(identity=-inf)
ufunc larger(x, y):
    return x if x > y else y

ufunc maximum(x, y):
    return max(x, y)

ufunc hypot(x: T, y: T) -> T where T in (f32, f64):
    return sqrt(x * x + y * y)

ufunc less(x, y):
    return x < y

ufunc both(x, y):
    return x and y

ufunc negative(x):
    return -x

ufunc scaled(x: f64, n: i32) -> f64:
    return x / 2 + n

ufunc divided(x, y):
    return x // y, x % y

gufunc total(v: f64[n]) -> f64:
    return sum(v)
"""

TYPES = [np.dtype(t) for t in (
    "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "c8", "c16")]
SHAPES = [(), (1,), (2,), (17,), (3, 4), (1, 5), (5, 1), (33, 3), (2, 3, 4),
          (2, 1, 3, 2)]
EMPTY = [(0,), (0, 3), (3, 0), (2, 0, 3), (0, 0)]


def axes_of(ndim):
    """Axes as a call names them, negative ones among them; None is all."""
    yield 0
    for axis in range(-ndim, ndim):
        yield axis
    yield None
    yield ()
    for count in range(2, ndim + 1):
        for several in itertools.combinations(range(ndim), count):
            yield several
            yield tuple(axis - ndim for axis in several)


def expected(method, *arguments, **keywords):
    """NumPy's answer as an array."""
    with np.errstate(all="ignore"):
        return np.asarray(method(*arguments, **keywords))


def asked(axis):
    return {"axis": ALL_AXES if axis is None else axis}


class Called:
    """The methods of one of the functions, where the suite runs."""

    def __init__(self, ctx):
        self.ctx = ctx

    def __getitem__(self, name):
        return Methods(self.ctx.module(SOURCE)[name], self.ctx.place,
                       self.ctx.dl_device)


def reductions(ctx):
    call = Called(ctx)

    def run(t):
        rng = ctx.rng(1)
        for shape in SHAPES + EMPTY:
            for axis in axes_of(len(shape)):
                dtype = TYPES[rng.integers(len(TYPES))]
                layout = LAYOUTS[rng.integers(len(LAYOUTS))]
                x = array(rng, shape, dtype, layout)
                keepdims = bool(rng.integers(2))
                for name in ("add", "multiply"):
                    label = f"{name} {shape} {axis} {dtype} {layout} {keepdims}"
                    # Of NumPy's own types: add widens narrow integers there.
                    want = expected(getattr(np, name).reduce, x, axis, dtype,
                                    keepdims=keepdims)
                    got = call[name].reduce(x, **asked(axis), keepdims=keepdims)
                    if dtype.kind in "fc" and name == "multiply":
                        # In another order, a part may be beyond the type.
                        with np.errstate(all="ignore"):
                            most = np.maximum(abs(x), 1).prod(
                                axis, keepdims=keepdims)
                        ok = np.isclose(got, want, 1e-5, equal_nan=True)
                        t.check(label, got.shape == want.shape and np.all(
                            ok | ~np.isfinite(most)), f"{got} {want}")
                    else:
                        t.same(label, got, want, zero_sign=False)
                one = axis if isinstance(axis, int) else 0
                if not shape or shape[one] == 0:
                    continue
                with np.errstate(all="ignore"):
                    want = np.subtract.reduce(x, one, keepdims=keepdims)
                t.same(f"subtract {shape} {one} {dtype} {layout}",
                       call["subtract"].reduce(x, axis=one, keepdims=keepdims),
                       want, zero_sign=False)
    return run


def in_order(ctx):
    """Floats that are not associative, so that only one order is right."""
    call = Called(ctx)

    def run(t):
        rng = ctx.rng(2)
        for shape in ((1000,), (40, 300), (300, 40), (5, 6, 70)):
            for dtype in ("f4", "f8"):
                x = rng.standard_normal(shape).astype(dtype)
                for axis in range(len(shape)):
                    for one in (x, np.asfortranarray(x)):
                        label = f"{shape} {dtype} {axis} {one.flags.c_contiguous}"
                        t.same("subtract " + label,
                               call["subtract"].reduce(one, axis=axis),
                               np.subtract.reduce(x, axis))
                        t.same("accumulate " + label,
                               call["add"].accumulate(one, axis=axis),
                               np.add.accumulate(x, axis))
    return run


def beginnings(ctx):
    """initial, where, dtype and out."""
    call = Called(ctx)

    def run(t):
        rng = ctx.rng(3)
        for shape in ((7,), (4, 5), (5, 4), (2, 3, 4), (0, 3)):
            for layout in LAYOUTS:
                if 0 in shape and layout != "C":
                    continue
                x = array(rng, shape, "i4", layout)
                mask = array(rng, shape, "?", layout)
                row = values(rng, shape[-1:], "?")
                for axis in (0, -1, None):
                    label = f"{shape} {layout} {axis} "
                    to = {"axis": axis}
                    if axis is not None:
                        t.same(label + "initial",
                               call["subtract"].reduce(x, 5, **asked(axis)),
                               expected(np.subtract.reduce, x, initial=5, **to))
                        t.same(label + "initial and where",
                               call["subtract"].reduce(x, np.int64(-3), where=row,
                                                       **asked(axis)),
                               expected(np.subtract.reduce, x, initial=-3,
                                        where=row, **to))
                        t.same(label + "maximum",
                               call["maximum"].reduce(x, -10**6, **asked(axis)),
                               expected(np.maximum.reduce, x, initial=-10**6,
                                        **to))
                    t.same(label + "where",
                           call["add"].reduce(x, where=mask, **asked(axis)),
                           expected(np.add.reduce, x, dtype="i4", where=mask, **to))
                    t.same(label + "where all",
                           call["add"].reduce(x, where=np.array(True),
                                              keepdims=True, **asked(axis)),
                           expected(np.add.reduce, x, dtype="i4", keepdims=True,
                                    **to))
                    for dtype in ("f8", "i2"):
                        t.same(label + dtype,
                               call["add"].reduce(x, dtype=dtype, **asked(axis)),
                               expected(np.add.reduce, x, dtype=dtype, **to))
                    want = expected(np.add.reduce, x, dtype="i4", keepdims=True,
                                    **to)
                    out = np.zeros(want.shape, "f8", "F")
                    call["add"].reduce(x, out=out, keepdims=True, **asked(axis))
                    t.same(label + "out", out, want.astype("f8"))
                    largest = expected(np.max, x, initial=np.iinfo("i4").min, **to)
                    t.same(label + "identity of another type",
                           call["larger"].reduce(x, **asked(axis)), largest)
    return run


def types(ctx):
    call = Called(ctx)

    def run(t):
        rng = ctx.rng(4)
        flags = values(rng, (6, 7), "?")
        for axis in (0, 1):
            t.same(f"both {axis}", call["both"].reduce(flags, axis=axis),
                   np.logical_and.reduce(flags, axis))
            t.same(f"add bool {axis}", call["add"].reduce(flags, axis=axis),
                   np.add.reduce(flags, axis, dtype=bool))
        x = rng.integers(0, 3, (5, 6))
        got = call["less"].reduce(x[:, 0])
        t.same("less", got, ((((x[0, 0] < x[1, 0]) < x[2, 0]) < x[3, 0]) < x[4, 0]))
        halves = [np.dtype("f2")] + ([BFLOAT16] if BFLOAT16 else [])
        for dtype in halves:
            x = rng.integers(-4, 5, (9, 33)).astype(dtype)  # sums are exact
            for axis in (0, 1):
                t.same(f"{dtype} {axis}", call["add"].reduce(x, axis=axis),
                       x.astype("f4").sum(axis).astype(dtype), zero_sign=False)
                t.same(f"accumulate {dtype} {axis}",
                       call["add"].accumulate(x, axis=axis),
                       x.astype("f4").cumsum(axis).astype(dtype), zero_sign=False)
        x = rng.standard_normal((50, 4)).astype("f4")
        want = np.sqrt((x.astype("f8") ** 2).sum(0))
        got = call["hypot"].reduce(x)
        t.check("hypot", got.dtype == np.float32 and np.allclose(got, want, 1e-5))
        t.same("a number", call["add"].reduce(5), np.int64(5))
        t.same("a number kept", call["add"].reduce(np.float32(2), keepdims=True),
               np.float32(2))
    return run


def accumulations(ctx):
    call = Called(ctx)

    def run(t):
        rng = ctx.rng(5)
        for shape in [s for s in SHAPES + EMPTY if s]:
            for axis in range(-len(shape), len(shape)):
                for layout in ("C", "Fortran", "reversed", "sliced"):
                    if 0 in shape and layout != "C":
                        continue
                    dtype = TYPES[rng.integers(len(TYPES))]
                    x = array(rng, shape, dtype, layout)
                    for name in ("subtract", "add"):
                        t.same(f"{name} {shape} {axis} {dtype} {layout}",
                               call[name].accumulate(x, axis=axis),
                               expected(getattr(np, name).accumulate, x, axis,
                                        dtype), zero_sign=False)
        x = values(rng, (4, 5), "i4")
        for out in (np.zeros((4, 5)), np.zeros((4, 5), "i8", "F"), x.copy()):
            call["add"].accumulate(x, out=out, axis=1)
            t.same(f"out {out.dtype}", out, np.cumsum(x, 1).astype(out.dtype))
        a = x.copy()
        call["subtract"].accumulate(a, out=a)
        t.same("in place", a, np.subtract.accumulate(x))
    return run


def refusals(ctx):
    """What NumPy refuses too, and in one kind."""
    call = Called(ctx)

    def run(t):
        x = np.ones((2, 3))
        for label, make, numpy, status, words in [
            ("several axes", lambda: call["subtract"].reduce(x, axis=(0, 1)),
             lambda: np.subtract.reduce(x, axis=(0, 1)), ARGUMENT,
             ["associative", "one axis after the other"]),
            ("nothing", lambda: call["subtract"].reduce(np.ones((0, 3))),
             lambda: np.subtract.reduce(np.ones((0, 3))), SHAPE,
             ["identity", "(0, 3)"]),
            ("mask", lambda: call["subtract"].reduce(x, where=x > 0),
             lambda: np.subtract.reduce(x, where=x > 0), ARGUMENT,
             ["where", "initial value"]),
            ("an array to begin with",
             lambda: call["add"].reduce(x, initial=np.ones(3)),
             lambda: np.add.reduce(x, initial=np.ones(3)), ARGUMENT,
             ["one number", "(3,)"]),
            ("axis", lambda: call["add"].reduce(x, axis=2),
             lambda: np.add.reduce(x, axis=2), SHAPE, ["axis 2", "2 dimensions"]),
            ("an axis twice", lambda: call["add"].reduce(x, axis=(0, -2)),
             lambda: np.add.reduce(x, axis=(0, -2)), ARGUMENT, ["twice"]),
            ("one parameter", lambda: call["negative"].reduce(x),
             lambda: np.negative.reduce(x), ARGUMENT, ["2 parameters"]),
            ("two results", lambda: call["divided"].reduce(x),
             lambda: np.divmod.reduce(x), ARGUMENT, ["one result"]),
            ("accumulate a number", lambda: call["add"].accumulate(1.0),
             lambda: np.add.accumulate(1.0), ARGUMENT, ["axis"]),
            ("accumulate two axes",
             lambda: call["add"].accumulate(x, axis=(0, 1)),
             lambda: np.add.accumulate(x, axis=(0, 1)), ARGUMENT, ["one axis"]),
            ("out's shape", lambda: call["add"].reduce(x, out=np.zeros(2)),
             lambda: np.add.reduce(x, out=np.zeros(2)), SHAPE, ["(2,)", "(3,)"]),
            ("larger out", lambda: call["add"].reduce(x, out=np.zeros((2, 3))),
             lambda: np.add.reduce(x, out=np.zeros((2, 3))), SHAPE,
             ["(2, 3)", "(3,)"]),
            ("wider out", lambda: call["add"].reduce(x[:, :1], out=np.zeros(3)),
             lambda: np.add.reduce(x[:, :1], out=np.zeros(3)), SHAPE,
             ["(3,)", "(1,)"]),
            ("wider out of a scan", lambda: call["add"].accumulate(
                x, out=np.zeros((2, 2, 3))),
             lambda: np.add.accumulate(x, out=np.zeros((2, 2, 3))), SHAPE,
             ["(2, 2, 3)", "(2, 3)"]),
            ("kept out", lambda: call["add"].reduce(
                x, out=np.zeros((2, 3)), keepdims=True),
             lambda: np.add.reduce(x, out=np.zeros((2, 3)), keepdims=True),
             SHAPE, ["extent 1"]),
            ("where's shape", lambda: call["add"].reduce(
                x, where=np.ones((2, 2), bool)),
             lambda: np.add.reduce(x, where=np.ones((2, 2), bool)), SHAPE,
             ["where", "(2, 2)"]),
            ("outer of one", lambda: call["negative"].outer(x, x),
             lambda: np.negative.outer(x, x), ARGUMENT, ["2 parameters"]),
            ("no result again", lambda: call["less"].accumulate(x[0]),
             lambda: np.less.accumulate(x[0]), TYPE, ["dtype"]),
        ]:
            t.refused(label, make, status, *words)
            try:
                numpy()
                t.fail(label, "NumPy accepts it")
            except (ValueError, TypeError):
                t.check(label + " in NumPy", True)
        t.refused("a gufunc", lambda: call["total"].reduce(x), ARGUMENT, "gufunc")
        t.refused("an option", lambda: call["add"].accumulate(x, keepdims=True),
                  ARGUMENT, "keepdims")
        t.refused("the mask's type", lambda: call["add"].reduce(x, where=x), TYPE,
                  "bool")
    return run


def mappings(ctx):
    """On a GPU: the same bits for any strides, and rows of all lengths."""
    call = Called(ctx)

    def run(t):
        if ctx.device != "cuda":
            raise Skip("for a GPU")
        rng = ctx.rng(9)
        for shape in ((300_000,), (3, 100_003), (100_003, 3), (513, 257),
                      (65, 33, 129)):
            x = rng.standard_normal(shape).astype("f4")
            for axis in [*range(len(shape)), None]:
                first = None
                for one in (x, np.asfortranarray(x)):
                    got = call["add"].reduce(one, **asked(axis))
                    want = x.astype("f8").sum(axis)
                    t.check(f"{shape} {axis}", got.shape == want.shape and np.allclose(
                        got, want, 1e-3, 0.5), "far off")
                    if first is not None and axis is not None:
                        t.same(f"{shape} {axis} bits", got, first)
                    first = got
    return run


def cases(ctx):
    yield "reduce", reductions(ctx)
    yield "in order", in_order(ctx)
    yield "initial, where, dtype, out", beginnings(ctx)
    yield "types", types(ctx)
    yield "accumulate", accumulations(ctx)
    yield "refused", refusals(ctx)
    yield "mappings", mappings(ctx)
