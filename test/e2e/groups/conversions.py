"""Operands that a loop cannot take as they are: of other types, a byte beside
their alignment, behind a mask, or in the result's memory; each twice, since a
second call is a planned one. Beside NumPy, which copies them."""

import numpy as np

import layouts

TYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8",
         "c8", "c16"]
SOURCE = """
ufunc add(a: T, b: T) -> T where T in (
        i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64, c64, c128):
    return a + b

ufunc both(a: T, b: T) -> (s: T, d: T) where T in (i32, f32, f64):
    return a + b, a - b

ufunc collatz(a: T) -> T where T in (i32, i64):
    n = a
    steps = 0 * a
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps
"""


HALVED = """
ufunc halved(a: T) -> T where T in (i16, i32):
    n = a
    steps = 0 * a
    while n > 0:
        n = n // 2
        steps += 1
    return steps + a
"""
CHECKED = """
ufunc sum_of(a: i32, b: i32) -> i32:
    assert b != 0
    return a + b
"""


def shapes(rng, count):
    for _ in range(count):
        rank = int(rng.integers(0, 4))
        most = int(rng.choice([4, 40, 300])) if rank < 3 else 12
        yield tuple(int(n) for n in rng.integers(1, most, rank))


def lying(rng, shape, dtype, beside):
    """An array of any layout; with `beside` a byte after its alignment."""
    made = layouts.array(rng, shape, dtype, rng.choice(layouts.LAYOUTS)
                         if len(shape) else "C")
    if not beside:
        return made
    low = 0
    for n, s in zip(made.shape, made.strides):
        low += min(0, (n - 1) * s)
    span = made.itemsize + sum(
        (n - 1) * abs(s) for n, s in zip(made.shape, made.strides))
    moved = np.ndarray(made.shape, made.dtype, np.zeros(span + 1, np.uint8), 1
                       - low, made.strides)
    if 0 in made.strides:
        np.lib.stride_tricks.as_strided(
            moved, [1 if s == 0 else n for n, s in zip(
                made.shape, made.strides)], made.strides)[...] = made[tuple(
                    slice(0, 1) if s == 0 else slice(None)
                    for s in made.strides)]
    else:
        moved[...] = made
    return moved


def anything(ctx, seed, may_be_unaligned):
    """Types, layouts, masks and outputs at random."""
    def run(t):
        rng = ctx.rng(seed)
        for shape in shapes(rng, 150):
            types = [np.dtype(x) for x in rng.choice(TYPES, 2)]
            loop = np.result_type(*types)
            if loop == np.bool_:
                continue
            to = np.dtype(rng.choice([x for x in TYPES if np.can_cast(
                loop, x, "same_kind")]))

            def beside():
                return may_be_unaligned and rng.integers(2) == 0
            a, b = (lying(rng, shape, x, beside()) for x in types)
            out = lying(rng, shape, to, beside())
            if 0 in out.strides:
                out = layouts.values(rng, shape, to)
            mask = True
            if rng.integers(2):
                part = tuple(1 if rng.integers(4) == 0 else n for n in shape)
                mask = lying(rng, part, np.bool_, False)
            label = (f"{types[0]} {types[1]} to {to} {shape} "
                     f"{a.strides} {b.strides} {out.strides}")
            asked = {} if mask is True else {"where": mask}
            wanted = np.array(out)
            # The sum in the loop's type, then converted: what a call is.
            with np.errstate(all="ignore"):
                np.copyto(wanted, np.add(a, b, dtype=loop).astype(
                    to, casting="unsafe"), where=mask)
            before = np.array(out)
            for turn in range(2):
                out[...] = before
                ctx.call(SOURCE, "add", a, b, out=out, **asked)
                t.same(f"{label} turn {turn}", np.array(out), wanted)
            fresh = ctx.call(SOURCE, "add", a, b, **asked)
            t.same(f"{label} new", fresh, np.add(
                a, b, where=mask, out=np.zeros(fresh.shape, loop)))
    return run


def two_results(ctx):
    def run(t):
        rng = ctx.rng(12)
        for shape in shapes(rng, 60):
            a = lying(rng, shape, np.dtype("i2"), False)
            b = lying(rng, shape, np.dtype("i4"), False)
            mask = layouts.values(rng, shape, np.bool_)
            s, d = np.zeros(shape, "i8"), np.zeros(shape, "f4")
            for turn in range(2):
                ctx.call(SOURCE, "both", a, b, out=(s, d), where=mask,
                         casting="unsafe")
                t.same("sum", s, np.where(mask, a + b, 0).astype("i8"))
                t.same("difference", d, np.where(mask, a - b, 0).astype("f4"))
    return run


def element_by_element(ctx):
    """A loop whose kernel takes strides: nothing to make vectors of."""
    def steps(n):
        count = 0
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        return count

    def run(t):
        rng = ctx.rng(13)
        table = np.array([steps(n) for n in range(100)])
        for shape in shapes(rng, 60):
            a = np.abs(lying(rng, shape, np.dtype("i2"), False))
            out = lying(rng, shape, np.dtype("i8"), False)
            if 0 in out.strides:
                out = np.zeros(shape, "i8")
            mask = layouts.values(rng, shape, np.bool_)
            before = np.array(out)
            for turn in range(2):
                out[...] = before
                ctx.call(SOURCE, "collatz", a, out=out, where=mask)
                t.same(f"collatz {shape}", np.array(out),
                       np.where(mask, table[a], before))
    return run


def shifted(ctx):
    """Results in the inputs' memory, some elements further."""
    def run(t):
        rng = ctx.rng(14)
        for round in range(120):
            rank = int(rng.integers(1, 4))
            most = int(rng.choice([6, 40]))
            shape = [int(n) for n in rng.integers(1, most, rank)]
            if rank == 1 and rng.integers(2):
                shape = [int(rng.integers(1, 200_000))]
            moves = rng.integers(0, 4, (2, rank))
            memory = layouts.values(
                rng, [n + 3 for n in shape], np.dtype(rng.choice(["f4", "i2"])))
            view, target = (
                tuple(slice(int(m), int(m) + n) for m, n in zip(move, shape))
                for move in moves)
            other = layouts.values(rng, shape, memory.dtype)
            wanted = memory.copy()
            wanted[target] = memory[view] + other
            ctx.call(SOURCE, "add", memory[view], other, out=memory[target])
            t.same(f"{shape} moved {moves.tolist()}", memory, wanted)
    return run


def shifted_rows(ctx):
    """The same where a kernel takes a row at a time: its body loops, or it has
    checks."""
    def run(t):
        rng = ctx.rng(15)
        checked = ctx.lib.compile(CHECKED, "checked.kern", checks=7)
        for round in range(60):
            shape = [int(n) for n in rng.integers(2, 60, int(
                rng.integers(2, 4)))]
            moves = rng.integers(0, 4, (2, len(shape)))
            view, target = (
                tuple(slice(int(m), int(m) + n) for m, n in zip(move, shape))
                for move in moves)
            label = f"{shape} moved {moves.tolist()}"
            memory = rng.integers(-9, 3000, [n + 3 for n in shape]).astype(
                rng.choice(["i2", "i4"]))
            for turn in range(2):
                wanted = memory.copy()
                a = memory[view]
                # The bits of a positive number are how often it is halved.
                wanted[target] = a + np.where(a > 0, np.frexp(a)[1], 0)
                ctx.call(HALVED, "halved", a, out=memory[target])
                t.same(f"{label}, halved", memory, wanted)
            memory = memory.astype("i4")
            other = rng.integers(1, 99, shape).astype("i4")
            wanted = memory.copy()
            wanted[target] = memory[view] + other
            checked["sum_of"](memory[view], other, out=memory[target],
                              place=ctx.place, device=ctx.dl_device)
            t.same(f"{label}, checked", memory, wanted)
    return run


def cases(ctx):
    yield "at any address", anything(ctx, 10, True)
    yield "aligned", anything(ctx, 11, False)
    yield "two results", two_results(ctx)
    yield "element by element", element_by_element(ctx)
    yield "shifted", shifted(ctx)
    yield "shifted rows", shifted_rows(ctx)
