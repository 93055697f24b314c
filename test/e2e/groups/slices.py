"""Constant indices and slices with constant bounds, of arrays that may be too
short for them."""

import pathlib
import subprocess

import numpy as np

import kernapi
from groups.slice_bounds import elements
from suite import Skip

# What is called with arrays of n elements, and how many it needs at least.
SLICES = """
const LAST: i64 = -1
const THIRD: i32 = 2

gufunc begin(x: f64[n]) -> (y: f64[9]):
    y[:] = x[:9]

gufunc middle(x: f64[n]) -> (y: f64[5]):
    y[:] = x[2:7]

gufunc every(x: f64[n]) -> (y: f64[3]):
    y[:] = x[1:6:2]

gufunc last(x: f64[n]) -> (y: f64[4]):
    y[:] = x[-4:]

gufunc down(x: f64[n]) -> (y: f64[4]):
    y[:] = x[3::-1]

gufunc back(x: f64[n]) -> (y: f64[4]):
    y[:] = x[:-5:-1]

gufunc rest(x: f64[n]) -> (y: f64[2]):
    y[:] = x[3:][:2]

gufunc stored(x: f64[n]) -> (y: f64[n]):
    y[:] = x
    y[:3] = 0

gufunc rows(x: f64[m, n]) -> (y: f64[m]):
    for i in prange(m):
        y[i] = sum(x[i, :4])

gufunc guarded(x: f64[n]) -> (y: f64[n]):
    y[:] = x
    if n >= 4:
        y[:4] = 0

gufunc beyond_front(x: f64[n]) -> f64:
    return sum(x[2:-6:-1])

gufunc mirrored(x: f64[n]) -> f64:
    return sum(x[-2::-1]) + sum(x[-1:0:-1]) + sum(x[-2:-3])

gufunc after_if(x: f64[n]) -> f64:
    s = 0.0
    if n > 2:
        s = 1.0
    return sum(v * s for v in x[:4])

gufunc without_last(x: f64[n]) -> f64:
    part = x[:-3]
    return len(part) + 10 * part.size + sum(part)

gufunc by_bound(x: f64[n]) -> (y: f64[n]):
    y[:] = x
    for k in range(4, 6):
        y[k:4] = 0
    for i in prange(n // (n - n)):
        y[i] = sum(x[:20])

def one_more(v, k):
    return k + 1

gufunc by_call(x: f64[n]) -> f64:
    s = 0.0
    for i in range(one_more(x, 3)):
        s += i
    return s

gufunc empty_slice(x: f64[n]) -> f64:
    return sum(x[6:2]) + sum(x[40:]) + sum(x[:-40]) + sum(x[-4:0]) + sum(x[5:-1:-1])

gufunc ninth(x: f64[n]) -> f64:
    return x[8]

gufunc fifth_last(x: f64[n]) -> f64:
    k = -5
    return x[k] + x[-2] + x[3]

gufunc of_view(x: f64[n]) -> f64:
    v = x[::2]
    return v[2]

def third(v):
    return v[2]

gufunc in_def(x: f64[n]) -> f64:
    return third(x * 1.0)

gufunc of_table(x: f64[n]) -> f64:
    return sum(x[k] for k in (1, 8, 4))

gufunc of_counter(x: f64[n]) -> f64:
    return sum(w * x[1 + j] for j, w in enumerate(WEIGHTS))

gufunc of_counters(x: f64[n]) -> f64:
    return sum(x[i + 2] * x[j - 1] for i in range(0, 6, 2) for j in range(1, 3))

gufunc of_prange(x: f64[n]) -> (y: f64[5]):
    for i in prange(5):
        y[i] = x[i + 1]

gufunc of_no_counter(x: f64[n]) -> f64:
    return sum(x[i + 9] for i in range(3, 3)) + 1

gufunc of_filter(x: f64[n]) -> f64:
    return sum(x[k] for k in (1, 8, 4) if k < n) + sum(x[k] if k < n else 0 for k in range(9))

gufunc written(x: f64[n]) -> (y: f64[n]):
    y[:] = 0
    y[-3] = 1

gufunc column(x: f64[m, n]) -> (y: f64[m]):
    for i in range(m):
        y[i] = x[i][3]

gufunc guarded_index(x: f64[n]) -> (y: f64, z: f64, w: f64):
    y = x[3] if n > 3 else 0.0
    z = sum(x[3] for i in range(n) if n > 3)
    w = 0.0
    if n > 3 and x[3] > 0:
        w = 1
    for i in range(3, n):
        w += x[3]
    return y, z, w

gufunc returned(x: f64[n]) -> f64:
    if n < 4:
        return 0
    return x[3]

gufunc with_types(x: f64[n]) -> f64:
    k = i8(-3)
    t = ones((THIRD, THIRD + 1))
    return x[LAST] + x[THIRD] + x[k] + sum(x[:-THIRD]) * sum(t) + x[THIRD - 3]

const WEIGHTS = (1.0, 2.0, 3.0, 4.0)

gufunc written_out(x: f64[3]) -> (a: f64, b: f64):
    a = 0.0
    b = 0.0
    for i in range(4):
        if i < 3:
            a += WEIGHTS[i] * x[i]
        b += WEIGHTS[i] * sum(x[:i]) if i <= len(x) else -1.0
    return a, b

def fifth(x):
    if len(x) <= 5:
        return x[0]
    return x[5]

gufunc dead(x: f64[4]) -> f64:
    s = 0.0
    for k in (1, 3, 8):
        if k < 4:
            s += x[k]
        else:
            s += 1
        if k >= 4:
            break
        s += x[k]
    s += x[5] if len(x) > 5 else x[0]
    if len(x) > 5 and x[5] > 0 or len(x) == 4 or x[7] > 0:
        s += 10
    if x.size < 9:
        s += fifth(x)
    else:
        s += x[8] + sum(x[:9])
    while len(x) > 5:
        return x[5]
    if not len(x) > 5:
        s += 100
    else:
        s += x[6]
    if 3 < len(x) < 6:
        s += 1000
    elif x.size > 4 and x[0] > 0:
        s += x[7]
    return s + (sum(x[k] for k in (1, 8)) if len(x) > 8 else 0.0)

gufunc of_four(x: f64[4]) -> f64:
    return sum(x[k] for k in (1, 8, 4))

gufunc of_local(x: f64[4]) -> f64:
    z = zeros(5, f64)
    return sum(z[i + 1] for i in range(5)) + x[0]

gufunc flat(a: f64[m, n]) -> (y: f64[m * n]):
    y[:] = 1
    y[5] = 2
"""
# How many elements each needs, what it gives, and the rest of the message where
# that is not about `x` and its line is not the first one.
X = "`x`", "(`n`)", 1, 0
NEEDS = {"begin": (9, lambda x: x[:9], X), "middle": (7, lambda x: x[2:7], X),
         "every": (6, lambda x: x[1:6:2], X),
         "last": (4, lambda x: x[-4:], X), "down": (4, lambda x: x[3::-1], X),
         "back": (4, lambda x: x[:-5:-1], X),
         "rest": (5, lambda x: x[3:][:2], ("`x[3:]`", "(`n - 3`)", 1, 3)),
         "beyond_front": (5, lambda x: np.sum(x[2:-6:-1]), X),
         "mirrored": (0, lambda x: np.sum(x[-2::-1]) + np.sum(x[-1:0:-1]), X),
         "after_if": (4, lambda x: np.sum(x[:4]), ("`x`", "(`n`)", 4, 0)),
         "without_last": (0, lambda x: 11.0 * len(x[:-3]) + np.sum(x[:-3]), X),
         "by_bound": (0, lambda x: x, X),
         "by_call": (0, lambda x: np.float64(6), X),
         "stored": (3, lambda x: np.where(np.arange(len(x)) < 3, 0, x),
                    ("`y`", "(`n`)", 2, 0)),
         "ninth": (9, lambda x: x[8], X),
         "fifth_last": (5, lambda x: x[-5] + x[-2] + x[3],
                        ("`x`", "(`n`)", 2, 0)),
         "in_def": (3, lambda x: x[2], ("`v`", "(`n`)", -2, 0)),
         "of_table": (9, lambda x: x[1] + x[8] + x[4], X),
         "of_counter": (5, lambda x: x[1:5] @ np.arange(1.0, 5), X),
         "of_counters": (7, lambda x: x[2:7:2].sum() * x[:2].sum(), X),
         "of_prange": (6, lambda x: x[1:6], ("`x`", "(`n`)", 2, 0)),
         "of_no_counter": (0, lambda x: np.float64(1), X),
         "of_filter": (0, lambda x: sum((x[k] for k in (1, 8, 4) if k < len(x)),
                                        x[:9].sum()), X),
         "written": (3, lambda x: np.eye(len(x))[-3], ("`y`", "(`n`)", 2, 0)),
         "with_types": (3, lambda x: 2 * x[-1] + x[2] + x[-3] + 6 * x[:-2].sum(),
                        ("`x`", "(`n`)", 3, 0)),
         "returned": (0, lambda x: x[3] if len(x) > 3 else np.float64(0), X)}


def messages(ctx):
    """Calls whose arrays are too short are refused, with the place."""
    def run(t):
        check(t, ctx, ctx.module(SLICES, "slices.kern"))
    return run


def compiled(ctx):
    """The same of a compiled file, which has the needs in its manifest."""
    def run(t):
        if ctx.device != "cuda" or not ctx.kern:
            raise Skip("compiled files are for GPUs, and need the kern tool")
        file = pathlib.Path(ctx.scratch) / "slices.ptx"
        source = file.with_suffix(".kern")
        source.write_text(SLICES)
        subprocess.run([ctx.kern, "compile", source, "-o", file], check=True)
        check(t, ctx, ctx.lib.load_file(file))
    return run


def check(t, ctx, module):
    lines = SLICES.splitlines()

    def call(name, *arguments):
        return module[name](*arguments, place=ctx.place,
                            device=ctx.dl_device)

    def too_short(name, *arguments, axis=0, has, needed, of=X):
        array, extent, below, less = of
        line = 1 + below + next(i for i, each in enumerate(lines)
                                if each.startswith(f"gufunc {name}("))
        t.refused(f"{name} {has}", lambda: call(name, *arguments),
                  kernapi.SHAPE, f"`{name}` at ", f"slices.kern:{line}:",
                  f": {array} has {elements(max(has - less, 0))} along axis "
                  f"{axis} {extent}, and at least {needed - less} are needed")

    for name, (needed, expected, of) in NEEDS.items():
        for n in range(12):
            x = np.arange(2.0, n + 2)
            if n < needed:
                too_short(name, x, has=n, needed=needed, of=of)
            else:
                t.same(f"{name} {n}", call(name, x), expected(x))
    for n in range(5):
        t.refused(f"of_view {n}", lambda: call("of_view", np.ones(n)),
                  kernapi.SHAPE, f": `v` has {elements((n + 1) // 2)} along",
                  "at least 3 are needed")
    t.same("of_view", call("of_view", np.arange(5.0)), np.float64(4))
    x = np.arange(24.0).reshape(4, 6)
    for name, expected, array in (("rows", x[:, :4].sum(1), "`x`"),
                                  ("column", x[:, 3], "`x[i]`")):
        t.same(name, call(name, x), expected)
        too_short(name, x[:, :3], axis=int(name == "rows"), has=3, needed=4,
                  of=(array, "(`n`)", 2, 0))
        t.same(f"{name} of none", call(name, x[:0, :3]), np.empty(0))
    x = np.array([3.0, 5.0, 7.0, 11.0])
    t.same("dead", call("dead", x),
           np.float64(2 * (5 + 11) + 1 + 3 + 10 + 3 + 1100))
    for name, has, needed in (("of_four", "`x` has 4", 9),
                              ("of_local", "`z` has 5", 6)):
        t.refused(name, lambda: call(name, x), kernapi.SHAPE, has,
                  f"and at least {needed} are needed")
    # The counter of a loop that is written out is behind a condition here.
    for one, expected in zip(call("written_out", np.array([3.0, 5.0, 7.0])),
                             (34.0, 2 * 3 + 3 * 8 + 4 * 15)):
        t.same("written out", one, np.float64(expected))
    for m, n in ((0, 7), (1, 5), (2, 3), (3, 4)):
        if m * n < 6:
            too_short("flat", np.ones((m, n)), has=m * n, needed=6,
                      of=("`y`", "(`m * n`)", 2, 0))
        else:
            t.same(f"flat {m} {n}", call("flat", np.ones((m, n))),
                   1.0 + (np.arange(m * n) == 5))
    for n in range(6):
        x = np.arange(2.0, n + 2)
        t.same(f"guarded {n}", call("guarded", x),
               np.where((np.arange(n) < 4) & (n >= 4), 0, x))
        t.same(f"empty {n}", call("empty_slice", x), np.float64(0))
        third = x[3] if n > 3 else 0.0
        y, z, w = call("guarded_index", x)
        t.same(f"guarded index {n}", y, np.float64(third))
        t.same(f"guarded sum {n}", z, np.float64(third * n))
        t.same(f"guarded loop {n}", w,
               np.float64((n > 3) + third * max(n - 3, 0)))
    # Without loop elements nothing is read.
    t.same("no elements", call("ninth", np.empty((0, 3))), np.empty(0))


def cases(ctx):
    yield "messages", messages(ctx)
    yield "messages of compiled files", compiled(ctx)
