"""Programs for the language group: each defines f, and is valid Python except for its
header, so that evaluate.py can compute its result.

(name, source, arguments, options). Options in capitals bind type variables;
`ulp` is how far a float result may be off. Bodies avoid a * b + c on floats,
which may be contracted, unless `ulp` allows for it.
"""

import numpy as np

F = np.float32
INTS = np.array([-7, -3, -1, 0, 1, 2, 5, 9, 30], np.int64)
REALS = np.array([-2.5, -1, -0.25, 0, 0.5, 1, 1.5, 3, 10])

UFUNCS = [
    ("if elif else", """
ufunc f(x):
    if x < 0:
        r = -1
    elif x == 0:
        r = 0
    elif x < 5:
        r = 1
    else:
        r = 2
    return r * x
""", (INTS,), {}),
    ("nested if, early return", """
ufunc f(x: T, y: T) -> T where T in (i64, f64):
    if x > 0:
        if y > 0:
            return x + y
        return x - y
    if y > 0:
        return y
    return -x
""", (INTS[:, None], INTS), {"T": np.int64}),
    ("conditional expression", """
ufunc f(x: f64) -> f64:
    return x if x > 0 else -x if x > -2 else 0
""", (REALS,), {}),
    ("while", """
ufunc f(x: i64) -> i64:
    steps = 0
    while x > 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        steps += 1
    return steps
""", (INTS,), {}),
    # A CUDA translator joined the maximum that LLVM makes of this wrongly.
    ("loops that end in their first turn", """
ufunc f(x: i8) -> i8:
    x |= 1
    k = 0
    while k < 2:
        k += 1
        for j in range(3, 0, -1):
            if k <= x:
                continue
            return 5
    return x
""", (np.arange(-128, 128).astype(np.int8),), {}),
    ("while with break and continue", """
ufunc f(x: i64) -> i64:
    i = 0
    acc = 0
    while True:
        i += 1
        if i > 20:
            break
        if i % 3 == 0:
            continue
        if i == x:
            break
        acc += i
    return acc
""", (INTS,), {}),
    ("for range", """
ufunc f(x: i64) -> i64:
    acc = 0
    for i in range(10):
        acc += i * x
    return acc
""", (INTS,), {}),
    ("range with start and step", """
ufunc f(x: i64) -> i64:
    acc = 0
    for i in range(2, 17, 3):
        acc = acc * 3 + i
    for i in range(17, 2, -4):
        acc = acc * 5 + i
    for i in range(x):
        acc += i
    for i in range(5, x, 2):
        acc -= i
    for i in range(x, -5, -3):
        acc ^= i
    for i in range(3, 3):
        acc = 0
    return acc
""", (INTS,), {}),
    ("for with break, continue and nesting", """
ufunc f(x: i64) -> i64:
    acc = 0
    for i in range(8):
        if i == x:
            continue
        for j in range(i):
            if j == 5:
                break
            if (i + j) % 2:
                continue
            acc += i * j
        if acc > 60:
            break
    return acc
""", (INTS,), {}),
    ("a loop variable after its loop", """
ufunc f(x: i64) -> i64:
    i = 100
    for i in range(7):
        if i * i > x:
            break
    return i
""", (INTS,), {}),
    ("tuples and unpacking", """
def both(a, b):
    return a + b, a - b

def swap(p):
    a, b = p
    return b, a

ufunc f(x: i64, y: i64) -> (p: i64, q: i64, r: i64):
    a, b = both(x, y)
    a, b = b, a
    t = both(a, b)
    c, d = swap(t)
    (e, g), h = swap((1, 2)), 3
    return a * 10 + b, c - d, e * 100 + g * 10 + h
""", (INTS[:, None], INTS), {}),
    ("defs call defs", """
const K = 3

def inner(a, b):
    c = a * K
    if c > b:
        return c
    return b

def outer(a):
    total = 0
    for i in range(4):
        total += inner(a, i * 5)
    return total

ufunc f(x: i64) -> i64:
    return outer(x) + inner(outer(1), x)
""", (INTS,), {}),
    ("constants", """
const A = 2
const B: f32 = 0.5
const C = A * 4 + 1
const D = C if A > 1 else 0

ufunc f(x: f32) -> f64:
    return x * A + C + B + D
""", (REALS.astype(F),), {}),
    ("chained comparisons", """
ufunc f(x: i64, y: i64) -> i64:
    r = 0
    if 0 < x < 10:
        r += 1
    if 0 <= x <= y < 9:
        r += 2
    if x == y == 1:
        r += 4
    if -5 < x > y:
        r += 8
    if x != y != 0:
        r += 16
    return r
""", (INTS[:, None], INTS), {}),
    ("and or not", """
ufunc f(x: i64, y: i64) -> i64:
    r = 0
    if x > 0 and y > 0:
        r += 1
    if x > 0 or y > 0:
        r += 2
    if not x > 0:
        r += 4
    if not (x > 0 and y > 0) or x == y:
        r += 8
    if x and y:
        r += 16
    if x != 0 and 100 // x > 5:
        r += 32
    return r
""", (INTS[:, None], INTS), {}),
    ("augmented assignment", """
ufunc f(x: i64, y: i64) -> i64:
    a = x
    a += 3
    a *= y
    a -= 1
    a //= 2
    a %= 1000
    a <<= 2
    a |= 1
    a ^= 6
    a &= 4095
    a >>= 1
    a **= 2
    return a
""", (INTS[:, None], INTS), {}),
    ("true division by augmented assignment", """
ufunc f(x: f64) -> f64:
    a = x
    a /= 3
    a *= 2
    a -= 0.5
    return a
""", (REALS,), {}),
    ("annotated variables", """
ufunc f(x: f32) -> f64:
    acc: f64 = 0
    step: f64 = x
    for i in range(5):
        acc += step
    return acc
""", (REALS.astype(F),), {}),
    ("names change type", """
ufunc f(x: f64) -> i64:
    y = x
    y = i64(y * 2)
    y = y * y
    return y
""", (REALS,), {}),
    ("operator precedence", """
ufunc f(x: i64, y: i64) -> i64:
    return -x ** 2 + x * -y // 3 % 5 - ~x & y | x ^ y << 1 + 1 >> 1
""", (INTS[:, None], INTS), {}),
    ("powers bind to the right", """
ufunc f(x: f64) -> f64:
    return 2 ** 3 ** 2 + x * 0
""", (REALS,), {}),
    ("if on a type", """
ufunc f(x: T) -> T where T in (f32, f64):
    if T == f64:
        return x * 2
    else:
        return x * 3
""", (REALS,), {"T": np.float64}),
    ("several statements on a line, and continued lines", """
ufunc f(x: i64) -> i64:
    a = x; b = a + 1; a += b
    c = (a +
         b)
    d = a + \\
        c
    return d * (
        2)
""", (INTS,), {}),
    ("comments, docstrings, pass", '''
"""About the file."""
# A comment.

ufunc f(x: i64) -> i64:
    """About f.

    With lines."""
    # Another.
    if x > 3:  # and one here
        pass
    else:
        x = 0
    return x
''', (INTS,), {}),
    ("literals", """
ufunc f(x: f64) -> f64:
    return x + 0x10 + 0b101 + 0o17 + 1_000 + 1e3 + .5 + 5. + 1.5e-2
""", (REALS,), {}),
    ("min and max of scalars", """
ufunc f(x: i64, y: i64) -> i64:
    return max(x, y, 3) * 100 + min(x, y) + abs(x)
""", (INTS[:, None], INTS), {}),
    ("a loop that widens", """
ufunc f(x: f32) -> f64:
    a = x
    for i in range(3):
        a = a * f64(0.5)
    return a
""", (REALS.astype(F),), {}),
    ("parameters reassigned", """
ufunc f(x: i64, n: i64) -> i64:
    while n > 0:
        x, n = x * 2 + n, n - 1
    return x
""", (INTS[:, None], INTS[:6]), {}),
    ("bool results and arithmetic", """
ufunc f(x: i64) -> bool:
    even = x % 2 == 0
    positive = x > 0
    return (even & positive) | (not even and not positive) ^ (x == 9)
""", (INTS,), {}),
    ("floor division and remainder of negatives", """
ufunc f(x: i64, y: i64) -> i64:
    return x // y * 1000 + x % y
""", (INTS[:, None], INTS), {}),
    ("deep expression", """
ufunc f(x: i64) -> i64:
    return ((((((((((x + 1) * 2) - 3) * 2) + 5) // 2) - 7) * 3) + 11) % 97)
""", (INTS,), {}),
    ("mandelbrot", """
ufunc f(cr: f64, ci: f64) -> i32:
    zr = 0.0
    zi = 0.0
    for k in range(50):
        r2 = zr * zr
        i2 = zi * zi
        if r2 + i2 > 4:
            return k
        t = zr * zi
        zi = 2 * t
        zi = zi + ci
        zr = r2 - i2
        zr = zr + cr
    return 50
""", (np.array([-0.5, -1.7, 0.3])[:, None], np.array([0, 0.25, 0.5, 1.5])),
     {}),
]

V = np.array([[3, -1, 4, 1, -5, 9], [2, 6, -5, 3, 5, 8]], np.int64)
W = V[0, :3]

GUFUNCS = [
    ("generator with a condition", """
gufunc f(v: i64[n]) -> i64:
    return sum(x for x in v if x > 0) + sum(i for i in range(n) if v[i] < 0)
""", (V,), {}),
    ("several fors", """
gufunc f(v: i64[n]) -> i64:
    return sum(v[i] * v[j] for i in range(n) for j in range(i) if v[i] > v[j])
""", (V,), {}),
    ("prod min max mean", """
gufunc f(v: i64[n]) -> (p: i64, lo: i64, hi: i64, m: f64):
    p = prod(x for x in v if x != 9)
    lo = min(x * x for x in v)
    hi = max(v[i] - i for i in range(n))
    m = mean(v)
    return p, lo, hi, m
""", (V,), {}),
    ("any and all", """
gufunc f(v: i64[n]) -> (a: bool, b: bool, c: bool):
    return any(x > 8 for x in v), all(x > -6 for x in v), any(x == 7 for x in v if x < 0)
""", (V,), {}),
    ("argmin and argmax", """
gufunc f(v: i64[n]) -> (a: i64, b: i64):
    return argmin(v[i] for i in range(n)), argmax(x * x for x in v)
""", (V,), {}),
    ("arrays directly", """
gufunc f(v: i64[n]) -> (a: i64, b: i64, c: i64, d: i64):
    return sum(v), min(v), max(v), argmax(v)
""", (V,), {}),
    ("for over an array", """
gufunc f(v: i64[n]) -> i64:
    acc = 0
    for x in v:
        if x < 0:
            continue
        acc = acc * 10 + x
    return acc
""", (V,), {}),
    ("len, shape, size", """
gufunc f(a: i64[m, n]) -> i64:
    return len(a) * 100 + a.shape[1] * 10 + a.size + a.shape[0]
""", (V,), {}),
    ("row views", """
def total(row):
    acc = 0
    for x in row:
        acc += x
    return acc

gufunc f(a: i64[m, n]) -> (r: i64[m]):
    for i in range(m):
        r[i] = total(a[i]) + sum(a[i, :])
""", (V,), {}),
    ("column views", """
gufunc f(a: i64[m, n]) -> (r: i64[n]):
    for j in prange(n):
        r[j] = sum(a[:, j]) * 10 + a[:, j][0] + a[1][j]
""", (V,), {}),
    ("slices", """
gufunc f(v: i64[n]) -> i64:
    return sum(v[1:4]) * 100 + sum(v[2:]) * 10 + sum(v[:3]) + len(v[1:n - 1])
""", (V,), {}),
    ("constant negative index", """
gufunc f(v: i64[n]) -> i64:
    return v[-1] * 10 + v[-2]
""", (V,), {}),
    ("prange with two targets", """
gufunc f(a: i64[m, n]) -> (t: i64[n, m]):
    for j, i in prange(n, m):
        t[j, i] = a[i, j] * 2 + j
""", (V,), {}),
    ("prange with three targets", """
gufunc f(v: i64[n]) -> (c: i64[n, n, 2]):
    for i, j, k in prange(n, n, 2):
        c[i, j, k] = v[i] - v[j] if k else v[i] * v[j]
""", (V,), {}),
    ("private names in prange", """
gufunc f(v: i64[n]) -> (r: i64[n]):
    for i in prange(n):
        acc = 0
        for j in range(i + 1):
            acc += v[j]
        t = acc * 2
        if t < 0:
            t = -t
        r[i] = t
""", (V,), {}),
    ("results read once written", """
gufunc f(v: i64[n]) -> (r: i64[n]):
    for i in range(n):
        r[i] = v[i]
    for i in range(1, n):
        r[i] += r[i - 1] * 2
""", (V,), {}),
    ("convolution", """
gufunc f(x: i64[n], w: i64[k]) -> (y: i64[n - k + 1]):
    for i in prange(n - k + 1):
        y[i] = sum(x[i + k - 1 - j] * w[j] for j in range(k))
""", (V, W), {}),
    ("computed result dimensions", """
gufunc f(v: i64[n]) -> (r: i64[n // 2 + 1]):
    for i in range(n // 2 + 1):
        r[i] = i
    for i in range(n // 2):
        r[i] = v[2 * i] - v[2 * i + 1]
""", (V,), {}),
    ("constant core dimensions", """
gufunc f(a: i64[2], b: i64[2]) -> (r: i64[3]):
    r[0] = a[0] * b[1] - a[1] * b[0]
    r[1], r[2] = a[0] + b[0], a[1]
""", (V[:, :2], V[0, 2:4]), {}),
    ("insertion sort", """
gufunc f(v: i64[n]) -> (r: i64[n]):
    for i in range(n):
        x = v[i]
        j = i
        while j > 0 and r[j - 1] > x:
            r[j] = r[j - 1]
            j -= 1
        r[j] = x
""", (V,), {}),
    ("scalar result by name", """
gufunc f(v: i64[n]) -> (lo: i64, hi: i64):
    lo = v[0]
    hi = v[0]
    for x in v:
        if x < lo:
            lo = x
        if x > hi:
            hi = x
    return lo, hi
""", (V,), {}),
    ("dimensions as values", """
gufunc f(a: f64[m, n]) -> f64:
    return a[0, 0] * 0 + m / n + (m - n) * 0.5
""", (V.astype(float),), {}),
    ("mean and variance", """
gufunc f(v: f64[n]) -> (m: f64, s: f64):
    mu = sum(v) / n
    return mu, sum((x - mu) ** 2 for x in v) / n
""", (V.astype(float),), {"ulp": 4}),
    ("dim parameter", """
gufunc f(v: i64[n], k: dim) -> (r: i64[k]):
    for i in range(k):
        r[i] = v[i % n] + k
""", (V, 4), {}),
    ("zip, enumerate, reversed", """
gufunc f(v: i64[n], w: i64[n]) -> i64:
    acc = 0
    for a, b in zip(v, w):
        acc += a * b
    for i, a in enumerate(v):
        acc = acc * 3 + i * a
    for a in reversed(w):
        acc = acc * 2 + a
    return acc
""", (V, V[::-1].copy()), {}),
]
