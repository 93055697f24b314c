"""`--check=races` finds each race, and nothing else."""

import numpy as np

import kernapi
import pranges
from checkedsource import CheckedSource

RACES = 8

# Races that a prange refuses when the compiler sees them, here hidden behind indices
# from arrays; without a race, `at` and the others are permutations.
SOURCE = CheckedSource("races.kern", """gufunc after_if(at: i64[n], v: f64[n]) -> (y: f64[n]):
    for i in prange(n):
        y[at[i]] = v[i] if i == 0 else y[at[i - 1]] + v[i]

gufunc reads(at: i64[n], v: f64[n]) -> (y: f64[n]):
    for i in prange(n):
        y[i] = v[i]
    for i in prange(n):
        y[i] = y[at[i]] + v[i]

gufunc stores(at: i64[n], v: f64[n]) -> (y: f64[n]):
    for i in prange(n):
        y[at[i]] = v[i]  # wherever

gufunc summed(at: i64[n], v: f64[n], k: i64) -> (y: f64[n]):
    for i in prange(n):
        y[i] = v[i]
    for i in prange(n):
        y[i] = sum(y[at[j]] for j in range(i, min(i + k, n)))

gufunc grid(at: i64[m, n]) -> (y: i64[m, n]):
    for i, j in prange(m, n):
        y[at[i, j], j] = 10 * i + j

gufunc boxes(at: i64[n]) -> (y: i64[n, 2, 3]):
    for i, j, k in prange(n, 2, 3):
        y[at[i], j, k] = 100 * i + 10 * j + k

gufunc steps(at: i64[n]) -> (y: i64[n]):
    for i in prange(3 + 2 * n - 2, 1, -2):
        y[at[(i - 3) // 2]] = i

gufunc rows(at: i64[m, n]) -> (y: i64[m, n]):
    for i in prange(m):
        for j in prange(n):
            y[i, at[i, j]] = j

gufunc outer(at: i64[m], n: dim) -> (y: i64[m, n]):
    for i in prange(m):
        for j in prange(n):
            y[at[i], j] = i
            y[at[i], j] = i + j

gufunc inner(at: i64[m], v: i64[n]) -> (y: i64[m, n]):
    for i in prange(m):
        for j in range(n):
            y[at[i], j] = y[at[i], 0] + v[j] if j > 0 else v[0]

def put(t, i, x):
    t[i] = x

gufunc local(at: i64[n], v: f64[n]) -> (y: f64[n]):
    t = zeros((n, 2), f64)
    for i in prange(n):
        put(t[:, 1], at[i], v[i])
    for i in prange(n):
        y[i] = t[i, 1]

gufunc inout_update(inout v: f64[n], at: i64[n]) -> i64:
    for i in prange(n):
        if at[i] > i:
            t = v[i]  # the smaller
            v[i] = v[at[i]]
            v[at[i]] = t
    return n

gufunc searched(key: i64[n]) -> (y: i64[n]):
    for i in prange(n):
        p = 0
        while key[p] != i and p < n - 1:
            p += 1
        y[p] = i

gufunc segments(begin: i64[m], v: i64[n]) -> (y: i64[n]):
    for i in prange(m - 1):
        for j in range(begin[i], begin[i + 1]):
            y[j] = v[j] + i

gufunc added(at: i64[n], like: i64[b]) -> (h: i64[b]):
    for j in prange(b):
        h[j] = 0
    for i in prange(n):
        h[at[i]] += i + 1

gufunc again(at: i64[n], times: dim) -> (y: i64[n]):
    for s in range(times):
        for i in prange(n):
            y[at[i]] = s + i
        for i in prange(n):
            y[i] = y[i] + 1

gufunc made_inside(at: i64[n]) -> (y: i64[n]):
    for i in prange(n):
        t = zeros(n, i64)
        t[at[i]] = i
        t[0] = t[at[i]] + 1
        y[i] = t[0]
""")


def found_races(ctx):
    """Messages name both iterations and both places, for every kind of access."""
    def run(t):
        call = SOURCE.compiled(ctx, RACES)
        order, twice = np.array([2, 0, 1, 3]), np.array([2, 0, 2, 3])
        v = np.arange(1.0, 5.0)

        def found(function, arguments, first, second, what):
            """`first` and `second` are (iteration, text of its place)."""
            (one, place), (other, cause) = second, first
            verb, element, cause_verb = what
            t.refused(
                function, lambda: call(function, *arguments), kernapi.CHECK,
                f"`{function}` at {SOURCE.place_of(place)}: "
                f"iteration {one} of the `prange` {verb} `{element}`, which "
                f"iteration {other} {cause_verb} at "
                f"{SOURCE.place_of(cause)}")

        found("after_if", [order, v], (0, "y[at[i]] = v[i] if"),
              (1, "y[at[i - 1]] + v[i]"), ("reads", "y[2]", "writes"))
        # An element that was read may not be written either.
        found("reads", [np.array([1, 1, 2, 3]), v], (0, "y[at[i]] + v[i]"),
              (1, "y[i] = y[at[i]]"), ("writes", "y[1]", "reads"))
        found("reads", [np.array([0, 0, 2, 3]), v], (0, "y[i] = y[at[i]]"),
              (1, "y[at[i]] + v[i]"), ("reads", "y[0]", "writes"))
        found("stores", [twice, v], (0, "y[at[i]] = v[i]  #"),
              (2, "y[at[i]] = v[i]  #"), ("writes", "y[2]", "writes"))
        found("summed", [np.arange(4), v, np.int64(2)], (0, "y[at[j]] for"),
              (1, "y[i] = sum"), ("writes", "y[1]", "reads"))
        found("grid", [np.array([[0, 1, 0], [1, 1, 1]])],
              ("(0, 1)", "y[at[i, j], j]"), ("(1, 1)", "y[at[i, j], j]"),
              ("writes", "y[1, 1]", "writes"))
        found("boxes", [np.array([1, 1])],
              ("(0, 0, 0)", "y[at[i], j, k]"), ("(1, 0, 0)", "y[at[i], j, k]"),
              ("writes", "y[1, 0, 0]", "writes"))
        found("steps", [twice], (7, "y[at[(i - 3) // 2]]"),
              (3, "y[at[(i - 3) // 2]]"), ("writes", "y[2]", "writes"))
        found("rows", [np.array([[0, 1, 2], [1, 2, 1]])],
              (0, "y[i, at[i, j]]"), (2, "y[i, at[i, j]]"),
              ("writes", "y[1, 1]", "writes"))
        found("outer", [np.array([1, 1]), np.int64(3)], (0, "y[at[i], j] = i"),
              (1, "y[at[i], j] = i"), ("writes", "y[1, 0]", "writes"))
        found("inner", [np.array([1, 1]), np.arange(3)],
              (0, "y[at[i], 0] + v"), (1, "y[at[i], j] = y"),
              ("writes", "y[1, 0]", "reads"))
        found("local", [twice, v], (0, "t[i] = x"), (2, "t[i] = x"),
              ("writes", "t[2, 1]", "writes"))
        found("searched", [np.array([0, 1, 1, 7])], (2, "y[p] = i"),
              (3, "y[p] = i"), ("writes", "y[3]", "writes"))
        found("segments", [np.array([0, 2, 1, 3]), np.arange(4)],
              (0, "y[j] = v[j]"), (2, "y[j] = v[j]"),
              ("writes", "y[1]", "writes"))
        found("again", [twice, np.int64(3)], (0, "y[at[i]] = s"),
              (2, "y[at[i]] = s"), ("writes", "y[2]", "writes"))
        found("inout_update", [v.copy(), np.array([1, 2, 2, 3])],
              (0, "v[at[i]] = t"), (1, "v[i]  # the smaller"), ("reads", "v[1]", "writes"))
        # One loop element of many, and one of few iterations.
        at = np.tile(order, (50, 1))
        at[37, 3] = 0
        found("rows", [at[None]], (1, "y[i, at[i, j]]"),
              (3, "y[i, at[i, j]]"), ("writes", "y[37, 0]", "writes"))
        many = np.tile(np.arange(300), (40, 1))
        many[23, 299] = 7
        found("stores", [many, np.ones((40, 300))], (7, "y[at[i]] = v[i]  #"),
              (299, "y[at[i]] = v[i]  #"), ("writes", "y[7]", "writes"))
    return run


def kept_apart(ctx):
    """Accesses that never meet, or only add, give the same results as without the
    check."""
    def run(t):
        call = SOURCE.compiled(ctx, RACES)
        rng = ctx.rng(5)
        n = 70
        at = np.array([rng.permutation(n) for _ in range(6)])
        v = rng.normal(size=(6, n))
        into = np.empty_like(v)
        np.put_along_axis(into, at, v, 1)
        t.same("stores", call("stores", at, v), into)
        t.same("local", call("local", at, v), into)
        t.same("reads", call("reads", np.tile(np.arange(n), (6, 1)), v), 2 * v)
        t.same("summed", call("summed", np.arange(n), v, np.int64(1)), v)
        t.same("steps", call("steps", at), 3 + 2 * np.argsort(at, 1))
        numbers = 10 * np.arange(6)[:, None] + np.arange(n)
        t.same("grid", call("grid", np.tile(np.arange(6)[:, None], (1, n))),
               numbers)
        t.same("boxes", call("boxes", np.array([1, 0])),
               (100 * np.array([1, 0])[:, None, None]
                + 10 * np.arange(2)[:, None] + np.arange(3)))
        t.same("rows", call("rows", at), np.argsort(at, 1))
        t.same("outer", call("outer", np.array([2, 0, 1]), np.int64(4)),
               np.array([1, 2, 0])[:, None] + np.arange(4))
        w = rng.integers(0, 9, 5)
        row = w.copy()
        row[1:] += w[0]
        t.same("inner", call("inner", np.array([2, 0, 1]), w),
               np.tile(row, (3, 1)))
        t.same("searched", call("searched", at[0]), at[0])
        t.same("segments", call("segments", np.array([0, 2, 2, 4]),
                                np.arange(4)), np.array([0, 1, 4, 5]))
        e = rng.integers(0, 5, (3, n))
        t.same("added", call("added", e, np.zeros(5, np.int64)),
               np.array([np.bincount(r, np.arange(1, n + 1), 5) for r in e])
               .astype(np.int64))
        t.same("again", call("again", at[0], np.int64(3)),
               np.argsort(at[0]) + 3)
        t.same("made inside", call("made_inside", at[0]), np.arange(n) + 1)
        for size in (0, 1, 2):
            t.same(f"of {size}", call("stores", np.arange(size),
                                      np.ones(size)), np.ones(size))
    return run


SIZES = [(3, 6, 0), (2, 7, 3), (4, 5, -2), (5, 8, 8), (1, 1, 0), (2, 12, 5)]


def seen_in_random(ctx):
    """No inputs make accesses meet that the compiler has proven apart."""
    def run(t):
        accepted = 0
        bodies = pranges.Bodies(ctx.rng(21), disguised=False)
        for _ in range(150):
            source = bodies.function()
            try:
                ctx.lib.compile(source)
            except kernapi.KernError as error:
                if "error[K061" not in str(error):
                    t.check(source, False, str(error))
                continue
            accepted += 1
            for m, n, s in SIZES:
                t.check(f"{(m, n, s)} of {source}",
                        not pranges.meets(source, range(4000), m, n, s))
        t.check("some are accepted", accepted > 20, str(accepted))
    return run


def found_in_random(ctx):
    """Behind indices from an array, the check finds each race, and nothing else."""
    def run(t):
        at, outcomes = np.arange(4000), set()
        bodies = pranges.Bodies(ctx.rng(22), disguised=True)
        for _ in range(60):
            source = bodies.function()
            try:
                function = ctx.lib.compile(source, checks=RACES)["f"]
            except kernapi.KernError as error:
                if "error[K0610]" not in str(error):  # what it was plus one
                    t.check(source, False, str(error))
                continue
            for m, n, s in SIZES:
                expected = pranges.meets(source, range(4000), m, n, s)
                outcomes.add(expected)
                try:
                    function(np.zeros(4000, np.int64), at, np.int64(m),
                             np.int64(n), np.int64(s), place=ctx.place,
                             device=ctx.dl_device)
                    found = False
                except kernapi.KernError as error:
                    found = error.status == kernapi.CHECK
                t.check(f"{(m, n, s)} of {source}", found == expected,
                        f"found {found}")
        t.check("both are there", outcomes == {False, True})
    return run


def cases(ctx):
    yield "iterations that meet", found_races(ctx)
    yield "iterations that keep apart", kept_apart(ctx)
    yield "random bodies, seen", seen_in_random(ctx)
    yield "random bodies, found", found_in_random(ctx)
