"""How operations round: exactly, under `@fastmath`, and in precise mode."""

import math

import numpy as np

import kernapi
from agreement import NP
from groups.math import samples


def fastmath(ctx):
    """Approximations are close for ordinary numbers, and exact for the others: zeros,
    infinities, NaN, negative bases of powers."""
    def run(t):
        rng = ctx.rng(12)

        def fast(text, *x):
            names = ", ".join("ab"[:len(x)])
            return ctx.call(f"@fastmath\nufunc f({names}):\n"
                            f"    return {text}\n", "f", *x)

        edges = np.array([0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, np.inf,
                          -np.inf, np.nan, 2.5, -2.5, 1e30, -1e30, 8388609,
                          -8388609], np.float32)
        a, b = (v.ravel().copy() for v in np.meshgrid(edges, edges))
        with np.errstate(all="ignore"):
            want = np.power(a.astype(np.float64), b).astype(np.float32)
        got = fast("a ** b", a, b)
        with np.errstate(all="ignore"):
            good = (got == want) | (np.isnan(got) & np.isnan(want)) | (
                abs(got - want) <= 1e-4 * abs(want))
        t.check("powers at the edges", bool(good.all()), str(
            [(a[i], b[i], got[i], want[i]) for i in np.flatnonzero(~good)][:5]))
        x = samples(rng, 0.01, 50, np.float32)
        y = samples(rng, -3, 3, np.float32)
        wide = x.astype(np.float64), y.astype(np.float64)
        for text, x, expected, scale in [
                ("exp(a)", (y,), np.exp(wide[1]), 0),
                ("log(a)", (x,), np.log(wide[0]), 1),
                ("log2(a)", (x,), np.log2(wide[0]), 1),
                ("log10(a)", (x,), np.log10(wide[0]), 1),
                ("sin(a)", (y,), np.sin(wide[1]), 1),
                ("cos(a)", (y,), np.cos(wide[1]), 1),
                ("sqrt(a)", (x,), np.sqrt(wide[0]), 0),
                ("a / b", (y, x), wide[1] / wide[0], 0),
                ("a ** b", (x, y), wide[0] ** wide[1], 0),
                ("tanh(a) + erf(a)", (y,), np.tanh(wide[1])
                 + np.vectorize(math.erf)(wide[1]), 1)]:
            got = fast(text, *x)
            error = np.max(abs(got - expected) / np.maximum(
                abs(expected), scale))
            t.check(text, error < 1e-5, f"off by {error:.2g}")
    return run


def precise_mode(ctx):
    """Each operation is rounded by itself, as NumPy's are, bit for bit; also
    under `@fastmath`, which the mode overrides."""
    def run(t):
        rng = ctx.rng(13)
        text = ("ufunc f(a, b, c):\n    return a * b + c\n"
                "ufunc g(a, b, c):\n    return (a - b * c) * a - c / b\n"
                "@fastmath\nufunc h(a, b, c):\n    return a / b + c * a\n")
        default = ctx.lib.compile(text)
        module = ctx.lib.compile(text, fp_mode=1)
        for dtype in (np.float32, np.float64):
            a, b = (samples(rng, -2, 2, dtype, 20000) for _ in range(2))
            c = -(a * b)  # what an FMA does not cancel
            c[::3] = samples(rng, -2, 2, dtype, c[::3].size)
            for name, expected in [
                    ("f", a * b + c), ("g", (a - b * c) * a - c / b),
                    ("h", a / b + c * a)]:
                # The same source in the other mode, compiled just before, must
                # not be taken for it.
                default[name](a, b, c, place=ctx.place)
                t.same(f"{name} {np.dtype(dtype)}", module[name](
                    a, b, c, place=ctx.place), expected)
        t.refused("an unknown mode", lambda: ctx.lib.compile(text, fp_mode=7),
                  kernapi.ARGUMENT, "fp_mode")
    return run


def sums_of_products(ctx):
    """Products of halves enter a sum as they are, as those of an FMA do; in
    precise mode they are rounded first."""
    def run(t):
        text = """
gufunc dot(a: T[n], b: T[n]) -> T where T in (f16, bf16):
    return sum(a[i] * b[i] for i in range(n))

gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f16, bf16):
    for i, j in prange(m, n):
        c[i, j] = sum(a[i, p] * b[p, j] for p in range(k))
"""
        default = ctx.lib.compile(text)
        precise = ctx.lib.compile(text, fp_mode=1)
        for kind, last in (("f16", 2.0 ** -11), ("bf16", 2.0 ** -8)):
            if kind not in NP:
                continue
            # (1 + e) (1 - e) is 1 - e², which a half cannot hold.
            dtype = NP[kind]
            a = np.array([1 + 2 * last, -1], dtype)
            b = np.array([1 - 2 * last, 1], dtype)
            exact = np.array(-4 * last * last).astype(dtype)
            for n in (2, 70, 300):
                rows = np.zeros((n, n), dtype)
                rows[:, :2] = a
                columns = np.zeros((n, n), dtype)
                columns[:2] = b[:, None]
                for module, wanted in ((default, exact),
                                       (precise, 0)):
                    label = f"{kind} {n} {module is precise}"
                    t.same("dot " + label, module["dot"](
                        rows, columns.T, place=ctx.place),
                        np.full(n, wanted, dtype))
                    t.same("matmul " + label, module["matmul"](
                        rows, columns, place=ctx.place),
                        np.full((n, n), wanted, dtype))
    return run


def equal_products(ctx):
    """What is written twice is computed once: the difference of equal products
    is 0, not what one of them loses by rounding."""
    def run(t):
        rng = ctx.rng(40)
        text = ("ufunc once(a, b):\n    return a * b - b * a\n"
                "gufunc each(v: T[n], w: T[n]) -> (y: T[n], s: T) where T in (f16, f32, f64):\n"
                "    s = sum(v[i] * w[i] - v[i] * w[i] for i in range(n))\n"
                "    for i in prange(n):\n"
                "        y[i] = v[i] * w[i] - w[i] * v[i]\n")
        for kind in ("f16", "f32", "f64"):
            a, b = (rng.normal(size=1000).astype(NP[kind]) for _ in range(2))
            zeros = np.zeros(1000, NP[kind])
            t.same(f"ufunc {kind}", ctx.call(text, "once", a, b), zeros)
            y, s = ctx.call(text, "each", a, b)
            t.same(f"gufunc {kind}", y, zeros)
            t.same(f"sum {kind}", s, zeros[0])
    return run


def exact_arithmetic(ctx):
    """Division and square root are rounded correctly, in f32 too."""
    def run(t):
        rng = ctx.rng(9)
        for dtype in (np.float32, np.float64):
            a = samples(rng, 1e-3, 1e3, dtype, 100000)
            b = samples(rng, 1e-3, 1e3, dtype, 100000)
            for op in "+-*/":
                t.same(f"{op} {np.dtype(dtype)}", ctx.call(
                    f"ufunc f(a, b):\n    return a {op} b\n", "f", a, b),
                    {"+": a + b, "-": a - b, "*": a * b, "/": a / b}[op])
            t.same(f"sqrt {np.dtype(dtype)}", ctx.call(
                "ufunc f(a):\n    return sqrt(a)\n", "f", a), np.sqrt(a))
    return run


def cases(ctx):
    yield "fastmath", fastmath(ctx)
    yield "precise mode", precise_mode(ctx)
    yield "sums of products", sums_of_products(ctx)
    yield "equal products", equal_products(ctx)
    yield "exact arithmetic", exact_arithmetic(ctx)
