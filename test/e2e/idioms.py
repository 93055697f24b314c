"""Programs for the language group, as programs.py has them: loops with `else`, tuples
as tables, defaults, functions as arguments, arrays that change places."""

import numpy as np

from programs import INTS, REALS, V, W

IDIOM_UFUNCS = [
    ("else of a for", """
ufunc f(x: i64) -> i64:
    for k in range(2, 9):
        if x % k == 0:
            break
    else:
        return -1
    return k
""", (INTS,), {}),
    ("else of a while", """
ufunc f(x: i64) -> i64:
    steps = 0
    while x != 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        steps += 1
        if steps > 12:
            break
    else:
        steps += 1000
    return steps
""", (INTS,), {}),
    ("a loop without break runs its else", """
ufunc f(x: i64) -> i64:
    for i in range(x):
        if i == 100:
            break
    else:
        x += 1000
    while x < 0:
        x += 3
    else:
        x *= 2
    return x
""", (INTS,), {}),
    ("break of an outer loop in an else", """
ufunc f(x: i64) -> i64:
    total = 0
    for i in range(5):
        for j in range(5):
            if i + j == x:
                break
        else:
            if i > 2:
                break
            total += 100
            continue
        total += j
    else:
        total += 10000
    return total
""", (INTS,), {}),
    ("names of a loop that runs", """
ufunc f(x: i64) -> i64:
    for i in range(4):
        y = x * i
        if y > 6:
            z = y
        else:
            z = -y
    return 100 * z + 10 * y + i
""", (INTS,), {}),
    ("names of a loop that counts down and continues", """
ufunc f(x: i64) -> i64:
    for i in range(7, 0, -3):
        y = x - i
        if y > 0:
            continue
        x += 2
    return y * 10 + i
""", (INTS,), {}),
    ("a named result from a loop that runs", """
ufunc f(x: i64) -> (r: i64):
    for i in range(3):
        r = x * i + 1
    return r
""", (INTS,), {}),
    ("loop over a tuple", """
ufunc f(x: f64) -> f64:
    total = 0.0
    for a, b in ((1.0, 2.5), (0.5, -3.0), (4.0, x)):
        if a * x > 5:
            continue
        total = total * 2 + a - b
    return total
""", (REALS,), {}),
    ("break and else of a loop over a tuple", """
const LIMITS = (-2, 0, 2, 4, 8)

ufunc f(x: i64) -> i64:
    for place, limit in enumerate(LIMITS):
        if x < limit:
            break
    else:
        place = 100
    return place
""", (INTS,), {}),
    ("tables of constants", """
const ROOTS = (1, 2.5, -3)
const PAIRS = ((1, 10), (2, 20), (3, 30))
const SAME = ROOTS

ufunc f(x: f64) -> f64:
    y = 1.0
    for r in SAME:
        y = y * (x - r)
    for k, (one, ten) in enumerate(PAIRS):
        y = y + k * one - ten
    for a, (b, c) in zip(reversed(ROOTS), PAIRS):
        y = y + a * b + c
    return y + ROOTS[1] + PAIRS[2][0] + len(PAIRS)
""", (REALS,), {"ulp": 4}),
    ("weak values of a table", """
const WEIGHTS = (0.1, 0.2)

ufunc f(x: T) -> T where T in (f32, f64):
    for w in WEIGHTS:
        x = x * w
    return x
""", (REALS.astype(np.float32),), {"T": np.float32}),
    ("functions chosen by a constant", """
const FAST = True

def quick(x):
    return x + 1

def slow(x):
    return x * 10

def apply(f, x, exact=False):
    g = slow if exact else f
    return g(x)

ufunc f(x: f64) -> f64:
    h = quick if FAST else slow
    if not FAST:
        g = quick
    else:
        g = slow
    return h(x) + g(x) + apply(slow if not FAST else quick, x) + apply(quick, x, True)
""", (REALS,), {}),
    ("infinities as Python writes them", """
ufunc f(x: f64) -> f64:
    best = -float("inf")
    for k in range(3):
        best = max(best, x * k)
    return best if best < float("infinity") else 0.0
""", (INTS.astype(np.float64),), {}),
    ("defaults and names", """
const STEP = 3

def g(x, scale=2, shift=STEP + 1):
    return x * scale + shift

ufunc f(x: i64) -> i64:
    return (g(x) + 10 * g(x, 5) + 100 * g(x, shift=x)
            + 1000 * g(shift=1, x=2, scale=x))
""", (INTS,), {}),
    ("functions as arguments", """
def twice(h, x):
    return h(h(x))

def plus(x, y=1):
    return x + y

def apply(h, x, y):
    return h(x, y=y)

ufunc f(x: f64) -> f64:
    g = floor
    return twice(plus, x) + twice(abs, x) * apply(plus, x, 3) + g(x)
""", (REALS,), {"ulp": 2}),
    ("a ufunc as an argument", """
ufunc cube(x: f64) -> f64:
    return x * x * x

def between(h, x):
    return h(x) - h(x - 1)

ufunc f(x: f64) -> f64:
    return between(cube, x)
""", (REALS,), {"ulp": 4}),
    ("in a tuple", """
const ODD = (1, 3, 5, 7, 9)

ufunc f(x: i64) -> i64:
    r = 1 if x in ODD else 2
    if x not in (0, 2, x * x):
        r += 10
    return r
""", (INTS,), {}),
    ("functions by their prefix", """
def g(h, x):
    return h(x)

ufunc f(x: f64) -> f64:
    return g(floor, x) + g(trunc, x)
""", (REALS,), {}),
]

IDIOM_GUFUNCS = [
    ("arrays that change places", """
gufunc f(v: i64[n], w: i64[m]) -> i64:
    before = zeros(n + 1, i64)
    after = zeros(n + 1, i64)
    for j in range(m):
        after[0] = 0
        for i in range(n):
            if v[i] % 3 == w[j] % 3:
                after[i + 1] = before[i] + 1
            else:
                after[i + 1] = max(before[i + 1], after[i])
        before, after = after, before
    return before[n]
""", (V, W), {}),
    ("numbers beside an array in a tuple", """
gufunc f(v: i64[n]) -> (r: i64[n]):
    a = zeros(n, i64)
    state = (a, 0, (1, a))
    for i in range(n):
        state[0][i] = v[i] + state[1]
        state = (a, state[1] + v[i], (state[2][0] * 2, a))
    for i in range(n):
        r[i] = state[0][i] + state[1] + state[2][1][i] + state[2][0]
""", (V,), {}),
    ("three arrays that change places", """
gufunc f(v: i64[n]) -> (r: i64[n]):
    a = zeros(3, i64)
    b = zeros(3, i64)
    c = zeros(3, i64)
    for i in range(n):
        a[i % 3] += v[i]
        b[i % 2] += 2 * v[i]
        c[0] += 1
        a, b, c = b, c, a
    for i in range(n):
        r[i] = a[i % 3] + 10 * b[i % 3] + 100 * c[i % 3]
""", (V,), {}),
    ("inner regions", """
gufunc f(a: i64[m, n]) -> (r: i64[m, n]):
    for i, j in prange(m, n):
        r[i, j] = 0
    for i, j in prange((1, m - 1), (1, n - 1, 2)):
        r[i, j] = a[i - 1, j] + a[i + 1, j] - a[i, j - 1] * a[i, j + 1]
    for i, j in prange(m, (n - 1, 0, -3)):
        r[i, j] += 7
""", (np.arange(84).reshape(2, 6, 7) * 5 % 11,), {}),
    ("an else in a gufunc", """
gufunc f(v: i64[n]) -> i64:
    for i in range(n):
        if v[i] > 5:
            return i
    else:
        return -1
""", (V,), {}),
    ("a function of elements as an argument", """
def total(h, v):
    return sum(h(x) for x in v)

def doubled(x):
    return 2 * x

gufunc f(v: i64[n]) -> i64:
    return total(doubled, v) - total(abs, v)
""", (V,), {}),
]
