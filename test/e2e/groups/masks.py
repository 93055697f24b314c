"""`where` of a call, tried at random on NumPy's own functions beside ours."""

import numpy as np

import kernapi
import layouts
from groups.options import SOURCE, any_array


def where(ctx):
    def run(t):
        rng = ctx.rng(8)
        for round in range(300):
            rank = int(rng.integers(1, 4))
            shape = tuple(int(n) for n in rng.integers(1, 5, rank))
            a = any_array(rng, shape, np.int32)
            b = any_array(rng, shape[int(rng.integers(0, rank)):], np.int32)
            part = tuple(1 if rng.integers(4) == 0 else n for n in shape)
            mask = any_array(rng, part, np.bool_)
            dtype = rng.choice(["i4", "i8", "f8"])
            out, memory = layouts.writable(
                rng, shape, np.dtype(dtype),
                rng.choice(["C", "sliced", "reversed"]))
            before, untouched = memory.copy(), np.array(out)
            wanted = np.array(out)
            np.add(a, b, out=wanted, where=mask)
            ctx.call(SOURCE, "add", a, b, where=mask, out=out)
            t.same(f"{a.shape} {b.shape} where {mask.shape}", np.array(out),
                   wanted)
            out[...] = untouched
            t.check("nothing else of its memory is written",
                    np.array_equal(memory, before))
            fresh = ctx.call(SOURCE, "add", a, b, where=mask)
            t.same("a new result is 0 elsewhere", fresh,
                   np.add(a, b, where=mask, out=np.zeros_like(fresh)))
    return run


def where_shapes(ctx):
    def run(t):
        call = ctx.call
        a = np.arange(3, dtype=np.int32)
        mask = np.array([[True, False, True], [False, True, False]])
        t.same("the mask broadcasts the call",
               call(SOURCE, "add", a, a, where=mask),
               np.add(a, a, where=mask, out=np.zeros((2, 3), np.int32)))
        t.same("in place", in_place(ctx, mask),
               np.where(mask, 2 * np.arange(6).reshape(2, 3),
                        np.arange(6).reshape(2, 3)))
        flags = np.array([True, False, True])
        wanted = flags.copy()
        np.less(a, np.int32(1), out=wanted, where=flags)
        call(SOURCE, "less", a, 1, out=flags, where=flags)
        t.same("the mask is the output", flags, wanted)
        s, d = call(SOURCE, "both", a, a, where=np.array([True, True, False]))
        t.same("two results", s, np.array([0, 2, 0], np.int32))
        t.same("two results", d, np.zeros(3, np.int32))
        t.refused("a mask of numbers",
                  lambda: call(SOURCE, "add", a, a, where=a),
                  kernapi.TYPE, "`where` is an array of i32")
        t.refused("a mask that does not broadcast",
                  lambda: call(SOURCE, "add", a, a,
                               where=np.array([True, False])),
                  kernapi.SHAPE, "`where`", "(2,)")
        t.refused("a gufunc", lambda: call(
            SOURCE, "total", a.astype(np.int64), where=mask),
            kernapi.ARGUMENT, "gufunc")
    return run


MANY = "ufunc sum_of(x, y): return x + y\n"


def where_many(ctx):
    """Whole blocks of a GPU, whose threads read only what is beside an element
    that is on."""
    def run(t):
        rng = ctx.rng(9)
        n = 3 * 4096 + 5
        at = np.arange(n)
        masks = {"runs of 64": at // 64 % 2 == 0, "runs of 5": at // 5 % 3 == 0,
                 "random": rng.integers(0, 2, n).astype(np.bool_),
                 "one": at == n - 7, "none": at < 0, "all": at >= 0,
                 "blocks": at // 4096 % 2 == 1}
        for kind in (np.float32, np.float16, np.float64, np.int8):
            x, y = (rng.integers(-50, 50, n).astype(kind) for _ in "xy")
            for name, mask in masks.items():
                for form, view in (("contiguous", np.s_[:]), ("odd", np.s_[1:]),
                                   ("strided", np.s_[::3]),
                                   ("reversed", np.s_[::-1])):
                    out = np.full(n, 7, kind)
                    wanted = out.copy()
                    for by in (y, kind(3)):
                        operand = by[view] if by is y else by
                        np.add(x[view], operand, out=wanted[view],
                               where=mask[view])
                        ctx.call(MANY, "sum_of", x[view], operand,
                                 out=out[view], where=mask[view])
                    t.same(f"{name}, {form}, {kind.__name__}", out, wanted)
                rows = np.zeros((n // 123, 123), np.bool_)
                rows[:] = mask[:rows.size].reshape(rows.shape)
                a, b = (v[:rows.size].reshape(rows.shape) for v in (x, y))
                out = np.full(rows.shape, 7, kind)
                wanted = out.copy()
                for part in (np.s_[:, :-2], np.s_[:, ::2], np.s_[1:, 3:]):
                    np.add(a[part], b[part][:1], out=wanted[part],
                           where=rows[part])
                    ctx.call(MANY, "sum_of", a[part], b[part][:1],
                             out=out[part], where=rows[part])
                t.same(f"rows, {name}, {kind.__name__}", out, wanted)
                wide = rows[:, :1]
                ctx.call(MANY, "sum_of", a, b, out=out, where=wide)
                np.add(a, b, out=wanted, where=wide)
                t.same(f"whole rows, {name}, {kind.__name__}", out, wanted)
        flags = masks["runs of 5"].copy()
        wanted = flags.copy()
        x = rng.integers(0, 9, n).astype(np.int32)
        np.less(x, np.int32(4), out=wanted, where=flags)
        ctx.call(SOURCE, "less", x, 4, out=flags, where=flags)
        t.same("the mask is the output", flags, wanted)
    return run


def in_place(ctx, mask):
    x = np.arange(6).reshape(2, 3)
    ctx.call(SOURCE, "add", x, x, out=x, where=mask)
    return x


def cases(ctx):
    yield "where", where(ctx)
    yield "where shapes", where_shapes(ctx)
    yield "where of many", where_many(ctx)
