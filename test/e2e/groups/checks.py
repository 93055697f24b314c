"""What `--check` finds, and that what it finds hurts nothing."""

import numpy as np

import kernapi
from checkedsource import CheckedSource

BOUNDS, ASSERT, RESULTS, RACES, ALL = 1, 2, 4, 8, 15

SOURCE = CheckedSource("checked.kern", """ufunc root(x: f64) -> f64:
    assert x >= 0, "no root of a negative number"
    return sqrt(x)

ufunc small(x):
    assert x < 10
    return x + 1

gufunc pick(v: T[n], i: i64) -> T where T in (i32, f64):
    return v[i]

gufunc corner(m: f64[a, b], i: i64, j: i64) -> f64:
    return m[i, j]

gufunc part(v: f64[n], lo: i64, hi: i64) -> f64:
    return sum(x for x in v[lo:hi])

gufunc last(v: f64[n]) -> f64:
    return v[-1]

gufunc search(v: i64[n], wanted: i64) -> i64:
    i = 0
    while v[i] != wanted:
        i += 1
    return i

gufunc endless(v: i64[n], wanted: i64) -> i64:
    i = 0
    while True:
        if v[i] == wanted:
            break
        i += 1
    return i

gufunc gather(v: f64[n], at: i64[k]) -> (y: f64[k]):
    for j in prange(k):
        y[j] = v[at[j]]

gufunc scatter(at: i64[k], v: f64[k]) -> (y: f64[k]):
    for j in prange(k):
        y[j] = 0
    for j in range(k):
        y[at[j]] = v[j]

gufunc histogram(at: i64[k], like: i64[b]) -> (h: i64[b]):
    for j in prange(b):
        h[j] = 0
    for j in prange(k):
        h[at[j]] += 1

gufunc weighed(v: f64[n], at: i64[k]) -> f64:
    return sum(v[at[j]] for j in range(k))

gufunc evens(v: f64[n]) -> (y: f64[n]):
    for j in range(0, n, 2):
        y[j] = v[j]

gufunc upper(m: f64[a, b]) -> (y: f64[a, b]):
    for i, j in prange(a, b):
        if j >= i:
            y[i, j] = m[i, j]

def second(v):
    return v[1]

gufunc through(v: f64[n]) -> f64:
    return second(v)

gufunc meet(at: i64[n]) -> (y: f64[n]):
    for i in prange(n):
        y[i] = 0
    for i in prange(n):
        y[at[i]] = 1

gufunc local(i: i64) -> f64:
    a = zeros(4, f64)
    a[i] = 3.0
    return a[i]

gufunc divided(x: u64[n]) -> (y: u64[n]):
    for i in prange(n):
        y[i] = x[i] // (n // 2 - i)

gufunc shifted(x: u64[n]) -> (y: u64[n]):
    for i in prange(n):
        y[i] = (n // 2 - i) >> x[i]

gufunc signed(x: i64[n], u: u64) -> (y: f64[n]):
    for i in prange(n):
        y[i] = max(x[i], u)
""")


def refused(ctx):
    def run(t):
        call = SOURCE.compiled(ctx, ALL)
        v = np.arange(5.0)

        def fails(function, arguments, *words):
            t.refused(f"{function}{tuple(np.shape(a) for a in arguments)}",
                      lambda: call(function, *arguments),
                      kernapi.CHECK, f"`{function}` at ", *words)

        fails("root", [np.array([1.0, -1.0, 4.0])],
              "no root of a negative number", SOURCE.place_of("assert x >= 0"))
        fails("small", [np.arange(20, dtype=np.int32)], "`x < 10`",
              SOURCE.place_of("assert x < 10"))
        fails("pick", [v, np.int64(5)], "index 5", "`v` has 5 elements",
              SOURCE.place_of("v[i]").rsplit(":", 1)[0])
        fails("pick", [v, np.int64(-6)], "index -6")
        fails("pick", [np.zeros((3, 4)), np.array([0, 4, 1])], "index 4")
        fails("corner", [np.zeros((2, 3)), np.int64(1), np.int64(3)],
              "index 3", "3 elements along axis 1")
        fails("corner", [np.zeros((2, 3)), np.int64(2), np.int64(0)],
              "index 2", "2 elements along axis 0")
        fails("part", [v, np.int64(2), np.int64(6)], "bound 6")
        fails("part", [v, np.int64(-1), np.int64(2)], "bound -1")
        fails("last", [np.zeros((2, 0))], "index -1", "0 elements")
        fails("search", [np.arange(7), np.int64(9)], "index 7")
        fails("endless", [np.arange(7), np.int64(9)], "index 7")
        fails("gather", [v, np.array([1, 2, 9, 0])], "index 9", "`v`")
        fails("scatter", [np.array([0, 3]), np.ones(2)], "index 3", "`y`")
        fails("histogram", [np.array([0, 1, 2]), np.zeros(2, np.int64)],
              "index 2", "`h`")
        fails("weighed", [v, np.array([0, -1])], "index -1")
        fails("evens", [v], "`y[1]`", "never written")
        fails("upper", [np.zeros((3, 3))], "`y[1, 0]`", "never written")
        fails("through", [v[:1]], "index 1", "1 element along",
              SOURCE.place_of("v[1]").rsplit(":", 1)[0])
        fails("local", [np.int64(4)], "index 4", "`a` has 4 elements")
        fails("divided", [np.arange(5, dtype=np.uint64)],
              "a negative index value beside a u64",
              SOURCE.place_of("x[i] // (n // 2 - i)"))
        fails("shifted", [np.arange(5, dtype=np.uint64)],
              "a negative index value beside a u64",
              SOURCE.place_of("(n // 2 - i) >> x[i]"))
    return run


def accepted(ctx):
    """Where nothing is wrong the results are those of unchecked code."""
    def run(t):
        call = SOURCE.compiled(ctx, ALL)
        rng = ctx.rng(3)
        v = rng.normal(size=(6, 50))
        at = rng.integers(0, 50, (6, 9))

        def same(function, arguments, expected):
            t.same(function, call(function, *arguments),
                   expected)

        for n in (0, 1, 63, 64, 100003):
            x = np.arange(n, dtype=np.float64)
            same("root", [x], np.sqrt(x))
        same("root", [x[::-3]], np.sqrt(x[::-3]))
        same("root", [np.arange(12.0).reshape(3, 4).T],
             np.sqrt(np.arange(12.0).reshape(3, 4).T))
        same("small", [np.arange(10, dtype=np.int16)],
             np.arange(1, 11, dtype=np.int16))
        same("pick", [v, np.int64(49)], v[:, 49])
        same("last", [v], v[:, -1])
        same("search", [np.arange(70), np.int64(69)], np.int64(69))
        same("endless", [np.arange(70), np.int64(69)], np.int64(69))
        same("gather", [v, at], np.take_along_axis(v, at, 1))
        same("scatter", [np.arange(50)[::-1].copy(), v], v[:, ::-1])
        same("histogram", [at, np.zeros(50, np.int64)],
             np.array([np.bincount(row, minlength=50) for row in at]))
        same("part", [np.arange(50.0), np.int64(0), np.int64(50)],
             np.float64(1225))
        same("part", [v, np.int64(50), np.int64(50)], np.zeros(6))
        same("local", [np.arange(4)], np.full(4, 3.0))
        same("divided", [np.array([7], np.uint64)], np.array([0], np.uint64))
        same("shifted", [np.array([0], np.uint64)], np.array([0], np.uint64))
        same("signed", [np.array([-3, 4]), np.uint64(2)], np.array([2.0, 4.0]))
        same("upper", [v[:1, None, :] + 0], v[:1, None, :] + 0)
    return run


def afterwards(ctx):
    """A failed call leaves everything usable, and the next one succeeds."""
    def run(t):
        call, plain = SOURCE.compiled(ctx, ALL), SOURCE.compiled(ctx, 0)
        v = np.arange(5.0)
        for _ in range(20):
            t.refused("gather", lambda: call("gather", v, np.array([7])),
                      kernapi.CHECK, "index 7")
            t.same("root", call("root", v), np.sqrt(v))
            t.same("unchecked", plain("root", v), np.sqrt(v))
        t.check("what is not checked", np.isnan(plain("root", -v[1:])).all())
    return run


def one_at_a_time(ctx):
    """Each check is there when it is asked for, and only then."""
    def run(t):
        bad = [
            (BOUNDS, "pick", [np.arange(4.0), np.int64(4)], "out of range"),
            (ASSERT, "root", [np.array([-1.0])], "negative number"),
            (RESULTS, "evens", [np.arange(4.0)], "never written"),
            (RACES, "meet", [np.array([0, 1, 0, 1])], "iteration 2"),
        ]
        for checks in (BOUNDS, ASSERT, RESULTS, RACES):
            call = SOURCE.compiled(ctx, checks)
            for wanted, function, arguments, words in bad:
                if wanted == checks:
                    t.refused(function, lambda: call(function, *arguments),
                              kernapi.CHECK, words)
                elif wanted != BOUNDS:  # reading out of bounds is undefined
                    call(function, *arguments)
                    t.check(f"{function} without its check", True)
        t.refused("an unknown check", lambda: SOURCE.compiled(ctx, 16),
                  kernapi.ARGUMENT, "checks")
    return run


def cases(ctx):
    yield "what is refused", refused(ctx)
    yield "what is accepted", accepted(ctx)
    yield "what is left", afterwards(ctx)
    yield "one at a time", one_at_a_time(ctx)
