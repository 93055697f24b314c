"""Arithmetic on whole arrays, against NumPy: bodies are valid Python, and NumPy runs
them."""

import random

import numpy as np


def lifted(v):
    w = v.copy()
    w[0] = 3
    return w


NAMES = {"lifted": lifted,
         "where": np.where, "maximum": np.maximum, "minimum": np.minimum,
         "abs": np.abs, "sum": np.sum, "max": np.max, "min": np.min,
         "any": np.any, "all": np.all, "mean": np.mean, "prod": np.prod,
         "sqrt": np.sqrt, "floor": np.floor, "argmax": np.argmax,
         "double": lambda x: 2 * x + 1,
         "either": lambda x: 2 * x + 1, "f32": np.float32, "i64": np.int64}

HEADER = """
const WIDE = 0

ufunc double(x):
    return 2 * x + 1

def either(x):
    f = abs if WIDE else double
    return f(x)

def lifted(v):
    w = v.copy()
    w[0] = 3
    return w

gufunc f(a: {t}[m, n], b: {t}[n], c: {t}[m, 1], s: {t}) -> (y: {t}[m, n], z: {t}[n], r: {t}):
"""

BODIES = [
    ("centred", """
    y[:] = (a - b) * s
    z[:] = b - s
    r = sum(a * b)
"""),
    ("broadcast", """
    y[:] = a + c * b - s
    z[:] = where(b > s, b, -b)
    r = max(a - c)
"""),
    ("parts", """
    y[:] = 0
    y[0] = b + 1
    y[:, 0] = 2
    y[1:, 1:] = a[1:, :-1] - a[:-1, 1:]
    z[:] = 1
    z[1:] = b[:-1] + b[1:]
    r = sum(b[1:] - b[:-1]) + min(maximum(b, s))
"""),
    ("augmented", """
    y[:] = a
    y += b
    y[:, 1:] -= c
    y[0] *= s
    z[:] = b
    z[1:] += z[:-1]
    z *= z
    r = sum(-z)
"""),
    ("in place", """
    y[:] = a
    y[1:] = y[:-1] + y[1:]
    y[:] = y * 2 - y[0]
    z[:] = b
    z[:-1] = z[1:] * 3 + z[:-1]
    r = max(abs(z))
"""),
    ("local arrays", """
    d = a - b
    e = d * d + c
    y[:] = e - d
    g = abs(b) + s
    g[0] = 7
    z[:] = g
    r = sum(e[0] * g)
"""),
    ("a ufunc", """
    y[:] = double(a) + double(b)
    z[:] = double(b + 1)
    r = sum(double(b))
"""),
    ("a function chosen by a constant", """
    y[:] = either(a) - either(b[::-1] + 1)
    z[:] = either(b) * 2 + sum(either(a), axis=0)
    r = sum(either(a[0] * b))
"""),
    ("tests", """
    y[:] = where(a == b, s, a)
    z[:] = b
    r = 0
    if any(a > b):
        r += 1
    if all(b < s):
        r += 10
    r += argmax(b * b - s)
"""),
    ("chosen arrays", """
    d = b - 1
    e = d if s > 0 else b
    y[:] = a
    row = y[0] if s > 1 else y[1]
    row[:] = e
    y[0] += 2 * e if s < 3 else -e
    z[:] = e * 2 if s > 2 else (b if s > -3 else d)
    r = sum(e if s > 4 else d * d) + len(e)
"""),
    ("expressions chosen", """
    d = 3 * b if s > 0 else (b + 1 if s < -4 else s - b)
    y[:] = (a if s > 1 else a + c) + (d if s < 5 else 0)
    y += y[0] if s > -1 else y[1]
    y[1:] -= y[:-1] * 2 if s < 0 else s
    z[:] = b[0] if s > 2 else -d
    z[:] = z[::-1] if s > -2 else z
    r = max(d) if s > 0 else sum(a - c)
"""),
    ("names bound again", """
    b = b - s
    b = b * b if s > 0 else b + 1
    best = a[0]
    for i in range(1, len(a)):
        best = a[i] if sum(a[i]) > sum(best) else best
    one = b * 1
    two = best + 1
    p = one
    q = two
    for i in range(3):
        p[0] += i
        p, q = q, p
        if i == 1 and s > 2:
            p, q = q, p
    y[:] = a + p
    y[0] = one
    t = q
    if s < 0:
        t = two
    elif s < 3:
        t = b
    z[:] = t + (best if s > 1 else b)
    r = sum(one * two)
"""),
    ("parts of one extent", """
    y[:] = a[-1:] + a[::-1, :1]
    y[1:] += a[:0:-1] * b[-1:] + c[:1]
    y[::-2] -= a[::2]
    z[:] = b
    z[1::2] += b[::-1][1::2]
    z[::2][1:] = b[2::2] - b[::-2][:-1]
    z[1:][::2][1:] *= b[3::2] + z[-1:]
    r = sum(b[-1:] + b[:1])
"""),
    ("parts chosen", """
    v = b[1:] if s > 2 else b[:-1]
    y[:] = a
    t = y[1:]
    if s < 1:
        t = y[:-1]
    t[:] = a[:0:-1]
    y[0, 1:] = v
    z[:] = 1
    w = z[1:] if s > -3 else z[:-1]
    w[:] = v + w
    r = sum(b[::-1] * 1 if s > 1 else b) + sum(b[::-1] if s > 2 else a[0])
    r += sum(t) + sum(v)
"""),
    ("copies", """
    t = a.copy()
    t[0] += 1
    y[:] = t + t[::-1].copy()
    row = y[0].copy()
    y[0] = y[1]
    y[1] = row
    q = row.copy() if s > 1 else b + row
    w = (b + row).copy()
    z[:] = w[::-1] + q
    r = sum(a[0].copy()) + s.copy() + sum(lifted(b.copy()))
"""),
    ("all of it", """
    y[...] = a
    y[0][...] = 2 * y[1]
    z.fill(3)
    y[1].fill(b[0])
    z[b > 2] = b[b > 2]
    y[a > b] = a[a > b]
    r = sum(y[...])
"""),
    ("in a loop", """
    z[:] = b
    for i in range(3):
        z += b * i
        t = z - i
        z[:] = t
    y[:] = a
    for i in range(2):
        y[i] = y[i] + z * i
    r = z[0]
"""),
]


def arrays(rng, shape, dtype):
    m, n = shape
    return [rng.integers(-9, 10, of).astype(dtype)
            for of in ((3, m, n), (n,), (3, m, 1), (3,))]


def expected(body, a, b, c, s):
    results = []
    for k in range(len(a)):
        y, z = np.zeros_like(a[k]), np.zeros_like(b)
        names = {"a": a[k], "b": b, "c": c[k], "s": s[k], "y": y, "z": z,
                 **NAMES}
        lines = "".join(line[4:] + "\n" for line in body.split("\n"))
        with np.errstate(all="ignore"):
            exec(lines, names)
        results.append((y, z, np.asarray(names["r"]).astype(a.dtype)))
    return [np.stack(part) for part in zip(*results)]


def agree(ctx, source, body, dtype, shapes):
    def run(t):
        rng = ctx.rng(11)
        for shape in shapes:
            operands = arrays(rng, shape, dtype)
            got = ctx.call(source, "f", *operands)
            for k, (g, e) in enumerate(zip(got, expected(body, *operands))):
                t.same(f"result {k} {shape}", g, e)
    return run


class Expressions:
    """Random expressions of rank at most `rank`."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def leaf(self, rank):
        return self.random.choice({
            2: ["a", "c", "b", "a + c", "s", "3"],
            1: ["b", "a[0]", "a[1, :]", "s", "2"],
            0: ["s", "3"]}[rank])

    def make(self, rank, depth):
        if depth == 0:
            return self.leaf(rank)
        kind = self.random.randrange(8)
        one, other = self.make(rank, depth - 1), self.make(rank, depth - 1)
        if kind < 4:
            return f"({one} {self.random.choice('+-*')} {other})"
        if kind == 4:
            return f"maximum({one}, {other})"
        if kind == 5:
            return f"where({one} < {other}, {one}, {self.leaf(rank)})"
        if kind == 6:
            return f"double({one})"
        if rank and self.random.random() < 0.4: # arms of one shape
            full = {1: "b", 2: "a"}[rank]
            return (f"({one} * 1 + {full} if s > {self.random.randint(-2, 2)} "
                    f"else {full} - {other})")
        return f"-{one}"

    def body(self):
        pick = self.random.choice
        reduction = pick(["sum", "max", "min"])
        return f"""
    d = b + {self.make(1, 2)}
    y[:] = {self.make(2, 3)}
    y[1:] = y[:-1] {pick("+-*")} {self.make(1, 2)}
    y {pick("+-*")}= {self.make(2, 2)}
    e = y[0] if s > 1 else y[1]
    e[:] = d {pick("+-*")} e
    z[:] = d
    z[1:] {pick("+-*")}= z[:-1] {pick("+-*")} {self.make(0, 0)}
    z[:] = z + {self.make(1, 2)}
    r = {reduction}(b + {self.make(1, 2)}) + {reduction}(a * {self.make(2, 2)})
"""


RETURNED = """
gufunc scaled(x: T[m, n], s: T) -> T[m, n] where T in (i64, f64):
    if s < 0:
        return x
    return x * s - x[0]

gufunc moved(x: i64[n]) -> (y: i64[n]):
    y[:] = x
    y[1:] += x[:-1]
    return y
"""


def returned(ctx):
    """`return` of arrays."""
    def run(t):
        for dtype in (np.int64, np.float64):
            x = np.arange(24).astype(dtype).reshape(2, 3, 4)
            s = np.array([3, -1], dtype)
            want = np.stack([x[0] * 3 - x[0, 0], x[1]])
            t.same(f"scaled {np.dtype(dtype)}",
                   ctx.call(RETURNED, "scaled", x, s), want)
        x = np.arange(40)
        want = x.copy()
        want[1:] += x[:-1]
        t.same("moved", ctx.call(RETURNED, "moved", x), want)
    return run


EMPTY = """
gufunc kept(a: T[m, n], b: T[n]) -> (y: T[n]) where T in (i64, f64):
    d = sum(a * 2, axis=0)
    y[:] = b
    y[1:] += d[:-1]
    y[:] = y * d

gufunc without_rows(a: i32[m, n]) -> (y: i32[m]):
    y[:] = 7
    d = sum(full((0, n), i32(3)) % 3, axis=-1)
    y[:] -= i32(len(d))

gufunc inside(a: f64[m, n], b: f64[1, n, m]) -> (y: f64[n]):
    y[:] = a[0, :]
    y[1:-1] *= f64(any((b[:, 1:-1, -1] + 1).T != a[:1, -1:], axis=-1))
"""


def without_elements(ctx):
    """Arrays made of expressions, reduced along an axis, that may be empty."""
    def run(t):
        rng = ctx.rng(12)
        for loop in ((), (5,), (3000,)):
            for m, n in ((0, 1), (1, 1), (1, 2), (2, 2), (3, 5), (0, 40),
                         (33, 40)):
                name = f"{loop} {m} {n}"
                for dtype in (np.int64, np.float64):
                    a = rng.integers(-9, 10, loop + (m, n)).astype(dtype)
                    b = rng.integers(-9, 10, loop + (n,)).astype(dtype)
                    d = (a * 2).sum(-2)
                    y = b.copy()
                    y[..., 1:] += d[..., :-1]
                    t.same(f"kept {dtype.__name__} {name}",
                           ctx.call(EMPTY, "kept", a, b), y * d)
                t.same(f"without_rows {name}",
                       ctx.call(EMPTY, "without_rows", a.astype(np.int32)),
                       np.full(loop + (m,), 7, np.int32))
                if not m or n < 2:
                    continue
                b = rng.integers(-9, 10, loop + (1, n, m)).astype(float)
                inner = b[..., 0, 1:-1, -1] + 1
                y = a[..., 0, :].copy()
                y[..., 1:-1] *= inner != a[..., 0, -1:]
                t.same(f"inside {name}", ctx.call(EMPTY, "inside", a, b), y)
    return run


def several(ctx, seeds):
    def run(t):
        for seed in seeds:
            body = Expressions(seed).body()
            agree(ctx, HEADER.format(t="i64") + body, body, np.int64,
                  [(4, 5)])(t)
    return run


def cases(ctx):
    shapes = [(2, 2), (3, 4), (2, 1), (5, 40), (40, 33)]
    for name, body in BODIES:
        for t, dtype in (("i64", np.int64), ("f64", np.float64),
                         ("i16", np.int16)):
            if t == "i16" and name in ("local arrays", "tests",
                                       "a function chosen by a constant",
                                       "chosen arrays", "names bound again",
                                       "parts chosen", "copies", "all of it"):
                continue
            yield f"{name} {t}", agree(
                ctx, HEADER.format(t=t) + body, body, dtype, shapes)
    yield "returned", returned(ctx)
    yield "without elements", without_elements(ctx)
    for first in range(0, 60, 10):
        yield f"random {first}", several(ctx, range(first, first + 10))
