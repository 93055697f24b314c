"""Broadcasting: every mix of ranks, layouts and sizes, and outputs."""

import itertools

import numpy as np

import kernapi
import layouts
from suite import brief

SOURCE = """
ufunc add(a, b):
    return a + b

ufunc three(a: T, b: T, c: T) -> T where T in (i32, i64, f64):
    return a - 2 * b + 3 * c

ufunc both(a: T, b: T) -> (s: T, d: T) where T in (i16, i32, f32):
    return a + b, a - b

ufunc negated(a):
    return -a
"""
EXTENTS = (3, 2, 4, 3, 2)


def shapes_of_rank(rank):
    """The last `rank` extents, each once whole and once 1."""
    full = EXTENTS[5 - rank:]
    for ones in itertools.product((False, True), repeat=rank):
        yield tuple(1 if o else n for o, n in zip(ones, full))


def mixes(ctx, rank_a, rank_b):
    def run(t):
        rng = ctx.rng(100 * rank_a + rank_b)
        for sa in shapes_of_rank(rank_a):
            for sb in shapes_of_rank(rank_b):
                a = layouts.values(rng, sa, np.float32)
                b = layouts.values(rng, sb, np.float32)
                t.same(f"{sa} + {sb}", ctx.call(SOURCE, "add", a, b), a + b)
    return run


def named(ctx):
    def run(t):
        rng = ctx.rng(1)
        n = 7
        for shapes in [
                ((4, 3), (3,)), ((3, 3), (3,)), ((2, 4, 3), (4, 3)),
                ((n, 1), (1, n)), ((3,), (4, 3)), ((3, 1), (3,)),
                ((1,), (5,)), ((), (5,)), ((5,), ()), ((), ()),
                ((2, 1, 3, 1), (4, 1, 5)), ((1, 1, 1), (1,)),
                ((6, 1, 4), (1, 5, 1)), ((4, 4), (4, 1)), ((4, 4), (1, 4))]:
            a, b = (layouts.values(rng, s, np.int32) for s in shapes)
            t.same(str(shapes), ctx.call(SOURCE, "add", a, b),
                   np.asarray(a + b))
    return run


def layout_pairs(ctx, dtype, trials):
    def run(t):
        rng = ctx.rng(np.dtype(dtype).num)
        for la, lb in itertools.product(layouts.LAYOUTS, repeat=2):
            for _ in range(trials):
                rank = int(rng.integers(1, 6))
                full = [int(n) for n in rng.integers(1, 6, rank)]
                sa = [n if rng.random() < .8 else 1 for n in full]
                sb = [n if rng.random() < .8 else 1 for n in full]
                sa = sa[int(rng.integers(0, rank)):] if rng.random() < .3 \
                    else sa
                a = layouts.array(rng, sa, dtype, la)
                b = layouts.array(rng, sb, dtype, lb)
                t.same(f"{la} {a.shape}{a.strides} + {lb} "
                       f"{b.shape}{b.strides}",
                       ctx.call(SOURCE, "add", a, b), a + b)
    return run


def three_operands(ctx):
    def run(t):
        rng = ctx.rng(3)
        for trial in range(200):
            rank = int(rng.integers(0, 6))
            full = [int(n) for n in rng.integers(1, 6, rank)]
            args = []
            for _ in range(3):
                shape = [n if rng.random() < .7 else 1 for n in full]
                shape = shape[int(rng.integers(0, rank + 1)):]
                layout = layouts.LAYOUTS[
                    int(rng.integers(len(layouts.LAYOUTS)))]
                args.append(layouts.array(rng, shape, np.int64, layout))
            a, b, c = args
            t.same(f"trial {trial} {[x.shape for x in args]}",
                   ctx.call(SOURCE, "three", a, b, c),
                   np.asarray(a - 2 * b + 3 * c))
    return run


def sizes_1d(ctx, dtype):
    def run(t):
        rng = ctx.rng(4)
        sizes = {0, 1, 2, 3, 5, 31, 32, 33, 100, 255, 256, 257}
        for k in range(4, 18):
            sizes |= {2**k - 1, 2**k, 2**k + 1}
        for n in sorted(sizes):
            a = layouts.values(rng, n + 3, dtype)
            b = layouts.values(rng, n + 3, dtype)
            t.same(f"n={n}", ctx.call(SOURCE, "add", a[:n], b[:n]),
                   a[:n] + b[:n])
            for shift in (1, 2, 3):
                x, y = a[shift:shift + n], b[:n]
                t.same(f"n={n} from {shift}", ctx.call(SOURCE, "add", x, y),
                       x + y)
            t.same(f"n={n} scalar", ctx.call(SOURCE, "add", a[:n], b[0]),
                   a[:n] + b[0])
            t.same(f"n={n} reversed", ctx.call(SOURCE, "add", a[:n][::-1],
                                               b[:n]), a[:n][::-1] + b[:n])
    return run


def sizes_2d(ctx):
    def run(t):
        rng = ctx.rng(5)
        edge = (0, 1, 2, 31, 33, 127, 129)
        for m, n in itertools.product(edge, edge):
            a = layouts.values(rng, (m, n), np.float32)
            b = layouts.values(rng, (n, m), np.float32)
            row = layouts.values(rng, (n,), np.float32)
            column = layouts.values(rng, (m, 1), np.float32)
            for label, x, y in [
                    ("C + T", a, b.T), ("T + T", b.T, b.T), ("row", a, row),
                    ("column", a, column), ("outer", column, row),
                    ("F", np.asfortranarray(a), a)]:
                t.same(f"{m}x{n} {label}", ctx.call(SOURCE, "add", x, y),
                       x + y)
    return run


def empty(ctx):
    def run(t):
        for sa, sb in [((0,), (0,)), ((0,), (1,)), ((0, 5), (1, 5)),
                       ((3, 0), (0,)), ((3, 0), (1,)), ((0, 1), (1, 4)),
                       ((2, 0, 3), ()), ((1, 1), (0,))]:
            a, b = np.zeros(sa, np.float32), np.zeros(sb, np.float32)
            t.same(f"{sa} + {sb}", ctx.call(SOURCE, "add", a, b), a + b)
        t.same("two results", ctx.call(
            SOURCE, "both", np.zeros((0, 2), np.int32),
            np.zeros(2, np.int32))[1], np.zeros((0, 2), np.int32))
    return run


def many_dimensions(ctx):
    """More dimensions than a kernel walks over, none of which merge."""
    def run(t):
        rng = ctx.rng(6)
        for rank in (6, 7, 8, 9):
            shape = [int(n) for n in rng.integers(2, 4, rank)]
            a = layouts.array(rng, shape, np.int32, "sliced")
            b = layouts.values(rng, shape[::-1], np.int32).T
            t.same(f"rank {rank}", ctx.call(SOURCE, "add", a, b), a + b)
            c = layouts.values(
                rng, [n if i % 2 else 1 for i, n in enumerate(shape)],
                np.int32)
            t.same(f"rank {rank} broadcast", ctx.call(SOURCE, "add", a, c),
                   a + c)
    return run


def outputs(ctx):
    def run(t):
        rng = ctx.rng(7)
        for trial in range(150):
            rank = int(rng.integers(0, 5))
            shape = [int(n) for n in rng.integers(1, 7, rank)]
            pick = [layouts.LAYOUTS[int(i)] for i in
                    rng.integers(0, len(layouts.LAYOUTS), 4)]
            a = layouts.array(rng, shape, np.int32, pick[0])
            b = layouts.array(rng, shape, np.int32, pick[1])
            s, base = layouts.writable(rng, shape, np.int32, pick[2])
            d, _ = layouts.writable(rng, shape, np.int32, pick[3])
            outside = base.copy()
            sentinel = np.zeros(base.shape, bool)
            label = f"{shape} {pick}"
            got = ctx.call(SOURCE, "both", a, b, out=(s, d))
            t.check(label + " returned", got[0] is s and got[1] is d)
            t.same(label + " sum", s, np.asarray(a + b))
            t.same(label + " difference", d, np.asarray(a - b))
            # Memory between the elements of the output is untouched.
            if s.ndim and base is not s and base.size != s.size:
                marks = np.lib.stride_tricks.as_strided(
                    sentinel.reshape(-1)[
                        (s.ctypes.data - base.ctypes.data) // 4:],
                    s.shape, [x // 4 for x in s.strides])
                marks[...] = True
                t.check(label + " outside",
                        np.array_equal(base[~sentinel], outside[~sentinel]))
            one = ctx.call(SOURCE, "both", a, b, out=(None, d))
            t.same(label + " first new", one[0], np.asarray(a + b))
    return run


def output_casts(ctx):
    """`same_kind`, for every type of result and of output."""
    def run(t):
        types = [np.dtype(c) for c in "?bBhHiIlLfd"]
        for have in types:
            for want in types:
                a = np.array([1, 0, 1, 1, 0], have)
                out = np.full(5, 1, want)
                label = f"{have} into {want}"
                if np.can_cast(have, want, "same_kind"):
                    ctx.call(SOURCE, "add", a, a, out=out)
                    t.same(label, out, (a + a).astype(want))
                else:
                    t.refused(label, lambda: ctx.call(
                        SOURCE, "add", a, a, out=out), kernapi.TYPE,
                        kernapi.KERN_NAME[have], kernapi.KERN_NAME[want])
                    t.check(label + " untouched", np.all(out == 1))
        a = np.array([1.7, -2.7, 1e30, 3e38])
        out = np.zeros(4, np.float32)
        ctx.call(SOURCE, "add", a, a, out=out)
        with np.errstate(over="ignore"):
            t.same("f64 into f32", out, (a + a).astype(np.float32))
        wide = np.array([[1, 300], [-129, 2**40]])
        narrow = np.zeros((2, 2), np.int8, order="F")
        ctx.call(SOURCE, "add", wide, wide, out=narrow)
        t.same("i64 into i8 wraps", narrow, (wide + wide).astype(np.int8))
    return run


def output_shapes(ctx):
    def run(t):
        a = np.ones((4, 3), np.float32)
        for shape in [(3, 4), (4,), (4, 3, 1), (1, 4, 1), (4, 1), (12,), ()]:
            out = np.full(shape, 7, np.float32)
            t.refused(f"out {shape}", lambda: ctx.call(
                SOURCE, "add", a, a, out=out), kernapi.SHAPE,
                "4, 3", ", ".join(map(str, shape)) if shape else "()")
            t.check(f"out {shape} untouched", np.all(out == 7))
        rng = ctx.rng(8)
        for inputs, shape in [((3,), (4, 3)), ((1, 3), (4, 3)), ((), (5,)),
                              ((2, 1, 3), (2, 70, 3)), ((4, 3), (0, 4, 3))]:
            x = layouts.values(rng, inputs, np.int32)
            for order in "CF":
                out = np.zeros(shape, np.int32, order=order)
                ctx.call(SOURCE, "add", x, x, out=out)
                t.same(f"{inputs} to out {shape} {order}", out,
                       np.broadcast_to(x + x, shape))
    return run


def mismatches(ctx):
    def run(t):
        for sa, sb in [((4, 3), (4,)), ((2, 3), (3, 2)), ((5,), (4,)),
                       ((2, 3, 4), (2, 4)), ((0,), (2,)), ((2, 0), (2, 3))]:
            a, b = np.ones(sa, np.float32), np.ones(sb, np.float32)
            words = [", ".join(map(str, s)) for s in (sa, sb)]
            t.refused(f"{sa} + {sb}", lambda: ctx.call(SOURCE, "add", a, b),
                      kernapi.SHAPE, "add", *words)
        a, b, c = np.ones((2, 3)), np.ones(3), np.ones(4)
        t.refused("third operand", lambda: ctx.call(
            SOURCE, "three", a, b, c), kernapi.SHAPE, "2, 3", "4")
    return run


def report(ctx):
    def run(t):
        a = np.ones((40, 30), np.float32)
        steps = "inner" if ctx.device == "cuda" else "strided"
        for label, x, y, elements in [
                ("contiguous", a, a, 1200),
                (steps, a[:, ::2], a[:, ::2], 600)]:
            said = kernapi.Report()
            ctx.module(SOURCE)["add"](
                x, y, place=ctx.place, device=ctx.dl_device, report=said)
            t.check(label, said.elements == elements and said.kernel
                    and said.form == label.encode(),
                    brief((said.elements, said.kernel, said.form)))
            t.check(label + " device",
                    said.device.device_type == ctx.dl_device[0])
    return run


def cases(ctx):
    yield "named shapes", named(ctx)
    for a in range(6):
        for b in range(6):
            yield f"ranks {a} and {b}", mixes(ctx, a, b)
    for dtype in (np.float32, np.float64, np.int8, np.int16):
        yield f"layouts {np.dtype(dtype)}", layout_pairs(ctx, dtype, 4)
    yield "three operands", three_operands(ctx)
    for dtype in (np.float32, np.uint8, np.float64, np.int16):
        yield f"sizes {np.dtype(dtype)}", sizes_1d(ctx, dtype)
    yield "sizes in two dimensions", sizes_2d(ctx)
    yield "empty", empty(ctx)
    yield "many dimensions", many_dimensions(ctx)
    yield "outputs", outputs(ctx)
    yield "output casts", output_casts(ctx)
    yield "output shapes", output_shapes(ctx)
    yield "mismatches", mismatches(ctx)
    yield "report", report(ctx)
