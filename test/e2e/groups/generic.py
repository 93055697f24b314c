"""Generic functions: every type that meets them, and their specialisations."""

import numpy as np

import kernapi

SOURCE = '''
"""Functions without annotations."""

ufunc zero_suppress(value, threshold):
    if value < threshold:
        result = 0
    else:
        result = value
    return result

def polar_to_cartesian(rho, theta):
    return rho * cos(theta), rho * sin(theta)

def squared(x):
    return x * x

ufunc distance(r1, t1, r2, t2):
    x1, y1 = polar_to_cartesian(r1, t1)
    x2, y2 = polar_to_cartesian(r2, t2)
    return (squared(x1 - x2) + squared(y1 - y2)) ** 0.5

ufunc mixed(a, b: f32, c):
    return a * c + b

gufunc smallest(v: [n]):
    return min(v)

gufunc dot(a: [n], b: [n]):
    return sum(a[i] * b[i] for i in range(n))

gufunc scaled(v: T[n], k: T) -> (r: T[n]) where T in (i32, f32, f64):
    for i in prange(n):
        r[i] = v[i] * k

ufunc pair(a, b):
    return a, a + b, a < b

ufunc caller(a, b):
    return zero_suppress(a, b) + 1

ufunc by_type(x: T) -> i32 where T in (i32, f32, f64):
    if T == f64:
        return 64
    elif T == f32:
        return 32
    return 1

ufunc nothing_in_common(a: i64, b: T) -> T where T in (f32, f64):
    return b

ufunc by_types(x: T, y: U) -> i32 where T in (i32, f32, f64), U in (i32, f64):
    if T == U:
        return 0
    if T in floats:
        return 1
    return 2

ufunc around_types(x: f64, y: U) -> i32 where U in (i32, f64):
    return 10 + by_types(x, y)
'''
TYPES = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64"]
NP = kernapi.NUMPY_TYPE


def suppress(ctx):
    def run(t):
        rng = ctx.rng(1)
        for value in TYPES:
            for threshold in TYPES:
                v = rng.integers(0, 120, 100).astype(NP[value])
                c = NP[threshold].type(50)
                t.same(f"{value} {threshold}", ctx.call(
                    SOURCE, "zero_suppress", v, c),
                    np.where(v < c, 0, v).astype(NP[value]))
            t.same(f"{value} weak", ctx.call(
                SOURCE, "zero_suppress", v, 50), np.where(v < 50, 0, v).astype(
                    NP[value]))
    return run


def pulses(ctx):
    """The noisy int16 pulse train, at its size."""
    def run(t):
        rng = ctx.rng(2)
        n = 100_000
        train = (rng.normal(0, 30, n) + 900 * (np.arange(n) % 500 < 20))
        train = train.astype(np.int16)
        t.same("pulse train", ctx.call(
            SOURCE, "zero_suppress", train, np.int16(150)),
            np.where(train < 150, np.int16(0), train))
    return run


def helpers(ctx):
    def run(t):
        rng = ctx.rng(3)
        for name in ("f32", "f64"):
            r1, t1, r2, t2 = rng.random((4, 500)).astype(NP[name])
            wide = [x.astype(np.longdouble) for x in (r1, t1, r2, t2)]
            expected = np.hypot(
                wide[0] * np.cos(wide[1]) - wide[2] * np.cos(wide[3]),
                wide[0] * np.sin(wide[1]) - wide[2] * np.sin(wide[3]))
            got = ctx.call(SOURCE, "distance", r1, t1, r2, t2)
            t.check(f"{name} type", got.dtype == NP[name])
            t.check(f"{name} values", np.allclose(
                got, expected.astype(float), rtol=0,
                atol=8 * np.finfo(NP[name]).eps))
        v = np.arange(5, dtype=np.int32)
        t.same("a ufunc called from a body", ctx.call(
            SOURCE, "caller", v, 3), np.where(v < 3, 0, v) + np.int32(1))
        got = ctx.call(SOURCE, "pair", v, np.float32(2.5))
        t.same("three results, first", got[0], v)
        t.same("three results, second", got[1], v + np.float32(2.5))
        t.same("three results, third", got[2], v < np.float32(2.5))
        t.same("annotated among generic", ctx.call(
            SOURCE, "mixed", np.int16(3), np.arange(4, dtype=np.float32), 2),
            np.arange(4, dtype=np.float32) + np.float32(6))
    return run


def gufuncs(ctx):
    def run(t):
        rng = ctx.rng(4)
        for name in TYPES:
            v = rng.integers(0, 100, (3, 20)).astype(NP[name])
            t.same(f"min {name}", ctx.call(SOURCE, "smallest", v),
                   v.min(axis=1))
            wide = {"i": np.int64, "u": np.uint64}.get(
                NP[name].kind, NP[name])
            t.same(f"dot {name}", ctx.call(SOURCE, "dot", v, v[0]),
                   (v * v[0]).sum(axis=1, dtype=wide))
        a, b = np.arange(4, dtype=np.int16), np.ones((2, 4), np.float32)
        t.same("dot of i16 and f32", ctx.call(SOURCE, "dot", a, b),
               (a * b).sum(axis=1))
        t.same("scalar parameter", ctx.call(
            SOURCE, "scaled", b, np.arange(2, dtype=np.float32)),
            b * np.arange(2, dtype=np.float32)[:, None])
        t.same("weak scalar parameter", ctx.call(SOURCE, "scaled", b, 2.5),
               b * np.float32(2.5))
    return run


ARRAYS = """
gufunc doubled(v: [n]) -> (y: [n]):
    for i in prange(n):
        y[i] = v[i] * 2

gufunc running(v: [n]) -> (y: [n]):
    y[0] = v[0]
    for i in range(1, n):
        y[i] = y[i - 1] + v[i]

gufunc either(v: [n], w: [n]) -> (y: [n], z: [n]):
    for i in prange(n):
        y[i] = w[i]
        z[i] = y[i]
        if v[i] > 2:
            y[i] = v[i]

gufunc counts(v: [n]) -> (h: [4]):
    for i in range(4):
        h[i] = 0
    for i in prange(n):
        h[int(v[i]) % 4] += 1
"""


def array_results(ctx):
    """An array result without a declared type has that of what is stored."""
    def run(t):
        for dtype in (np.int8, np.uint16, np.int64, np.float16, np.float32,
                      np.float64, np.complex64):
            v = np.arange(24).reshape(4, 6).astype(dtype)
            name = np.dtype(dtype).name
            t.same(f"doubled {name}", ctx.call(ARRAYS, "doubled", v),
                   v * dtype(2))
            t.same(f"running {name}", ctx.call(ARRAYS, "running", v),
                   np.cumsum(v, -1, dtype=dtype))
        for a, b in ((np.float32, np.int16), (np.int8, np.uint8),
                     (np.float32, np.int32)):
            v, w = np.arange(6).astype(a), np.arange(6, 12).astype(b)
            y, z = ctx.call(ARRAYS, "either", v, w)
            meet = np.result_type(a, b)
            name = f"{np.dtype(a).name}, {np.dtype(b).name}"
            t.same(f"both {name}", y, np.where(v > 2, v, w).astype(meet))
            t.same(f"read {name}", z, w.astype(meet))
        t.same("counts", ctx.call(ARRAYS, "counts", np.arange(10.0)),
               np.array([3, 3, 2, 2]))
    return run


def compile_time(ctx):
    def run(t):
        for dtype, expected in [(np.int32, 1), (np.float32, 32),
                                (np.float64, 64)]:
            t.same(f"{np.dtype(dtype)}", ctx.call(
                SOURCE, "by_type", np.zeros(3, dtype)),
                np.full(3, expected, np.int32))
        for left in (np.int32, np.float32, np.float64):
            for right in (np.int32, np.float64):
                expected = (0 if left == right
                            else 1 if issubclass(left, np.floating) else 2)
                t.same(f"{left.__name__} and {right.__name__}", ctx.call(
                    SOURCE, "by_types", np.zeros(3, left),
                    np.zeros(3, right)), np.full(3, expected, np.int32))
        for right, expected in [(np.int32, 11), (np.float64, 10)]:
            t.same(f"inlined, {right.__name__}", ctx.call(
                SOURCE, "around_types", np.zeros(3), np.zeros(3, right)),
                np.full(3, expected, np.int32))
        t.same("unused argument", ctx.call(
            SOURCE, "nothing_in_common", np.int32(1),
            np.ones(2, np.float32)), np.ones(2, np.float32))
    return run


def introspection(ctx):
    def run(t):
        module = ctx.module(SOURCE)
        names = ["zero_suppress", "distance", "mixed", "smallest", "dot",
                 "scaled", "pair", "caller", "by_type", "nothing_in_common",
                 "by_types", "around_types"]
        t.check("functions in order", module.names() == names,
                str(module.names()))
        for name, nin, nout, signature in [
                ("zero_suppress", 2, 1, "(),()->()"),
                ("smallest", 1, 1, "(n)->()"),
                ("dot", 2, 1, "(n),(n)->()"),
                ("scaled", 2, 1, "(n),()->(n)"),
                ("pair", 2, 3, "(),()->(),(),()")]:
            f = module[name]
            t.check(name, (f.nin, f.nout, f.signature, f.name) == (
                nin, nout, signature, name), str((f.nin, f.nout, f.signature)))
        manifest = module.manifest()
        t.check("manifest", {f["name"] for f in manifest["functions"]}
                == set(names))
        t.refused("unknown function", lambda: module["zero_supress"],
                  kernapi.NOT_FOUND, "zero_supress", "zero_suppress")
    return run


def cases(ctx):
    yield "zero_suppress", suppress(ctx)
    yield "pulses", pulses(ctx)
    yield "helpers", helpers(ctx)
    yield "gufuncs", gufuncs(ctx)
    yield "array results", array_results(ctx)
    yield "compile time", compile_time(ctx)
    yield "introspection", introspection(ctx)
