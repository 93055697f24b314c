"""Every function within its bound of MPFR's result; accuracy.py measures more
closely and prints what it finds."""

import numpy as np

import accuracy
import mpfr
from suite import Skip


def function(ctx, name, kind):
    def run(t):
        if not mpfr.available():
            raise Skip("libmpfr.so.6 is not installed")
        # The host's machine may be a small one.
        count, step = (400, 7) if ctx.device == "cuda" else (60, 97)
        found = accuracy.measure(ctx, name, kind, count, step)
        bound = accuracy.BOUND[kind]
        t.check(f"{name} of {kind}", found.max <= bound,
                f"{found.max:.2f} ULP, bound {bound}, at {found.at}")
    return run


def small_part(ctx, name, kind):
    """Of huge numbers the two parts of the result differ so much in size that
    the distance in the plane sees the larger one only."""
    def run(t):
        if not mpfr.available():
            raise Skip("libmpfr.so.6 is not installed")
        part = accuracy.PART[kind]
        huge = [accuracy.largest(part) * f for f in (1, 0.5, 1e-3, 1e-15)]
        z = np.array([complex(a * x, b * y) for x in huge for y in huge
                      for a in (1, -1) for b in (1, -1)], accuracy.NP[kind])
        re, im = accuracy.exact_complex(accuracy.OF_COMPLEX[name][0],
                                        [z.astype(np.complex128)])
        got = ctx.call(accuracy.source(name, 1), "f", z)
        for label, values, exact in (("real", got.real, re),
                                     ("imaginary", got.imag, im)):
            off = accuracy.errors(values, exact[:, 0], exact[:, 1], part)
            at = int(np.argmax(off))
            t.check(f"{label} part of {name} of {kind}",
                    off[at] <= accuracy.BOUND[kind],
                    f"{off[at]:.2f} ULP at {z[at]}")
    return run


def ends_of_exponents(ctx, name):
    """Of c64: where the exponential nears f32's ends, part by part."""
    def run(t):
        if not mpfr.available():
            raise Skip("libmpfr.so.6 is not installed")
        large = np.concatenate([np.arange(42, 45, 0.25), np.arange(85, 91, 0.25),
                                [120, 150]])
        z = np.array([complex(a * x, y) for x in large for a in (1, -1)
                      for y in (1e-40, 1e-20, 1e-3, 0.5, 1.5, -2.5, 30)],
                     np.complex64)
        if name in ("sin", "cos", "tan"):
            z = z.imag + 1j * z.real
        re, im = accuracy.exact_complex(accuracy.OF_COMPLEX[name][0],
                                        [z.astype(np.complex128)])
        got = ctx.call(accuracy.source(name, 1), "f", z)
        for label, values, exact in (("real", got.real, re),
                                     ("imaginary", got.imag, im)):
            off = accuracy.errors(values, exact[:, 0], exact[:, 1], "f32")
            at = int(np.argmax(off))
            t.check(f"{label} part of {name}", off[at] <= 6,
                    f"{off[at]:.2f} ULP at {z[at]}")
    return run


def moderate_tangents(ctx, name):
    """Of c64: where the errors of a sine, a cosine and both hyperbolic ones add
    up. NumPy's results of c128 are exact enough."""
    def run(t):
        rng = np.random.default_rng(64)
        z = (rng.uniform(-1.2, 1.2, 200000) +
             1j * rng.uniform(-4, 4, 200000)).astype(np.complex64)
        z[:2] = (0.41794264 + 2.626328j, -0.39037827 - 3.6862512j)
        if name == "tan":
            z = z.imag + 1j * z.real
        in_plane(ctx, t, name, z)
    return run


def in_plane(ctx, t, name, z):
    exact = getattr(np, name)(z.astype(np.complex128))
    got = ctx.call(accuracy.source(name, 1), "f", z)
    larger = np.maximum(abs(exact.real), abs(exact.imag))
    off = abs(got - exact) / np.spacing(larger.astype(np.float32))
    at = int(np.argmax(off))
    t.check(name, off[at] <= 4, f"{off[at]:.2f} ULP at {z[at]}")


def near_branch_points(ctx, name):
    """Of c64: near the unit circle, where terms cancel, and near ±1 and ±i."""
    def run(t):
        rng = np.random.default_rng(65)

        def small(least, most):
            return (rng.choice((-1, 1), 100000) *
                    10 ** rng.uniform(least, most, 100000))
        circle = ((1 + small(-8, -1)) *
                  np.exp(1j * rng.uniform(-np.pi, np.pi, 100000)))
        points = (rng.choice((-1, 1), 100000) *
                  (1 + small(-8, -1)) + 1j * small(-38, -1))
        with np.errstate(all="ignore"):
            in_plane(ctx, t, name, np.concatenate(
                [circle, points, 1j * points]).astype(np.complex64))
    return run


def cancelling(ctx, name):
    """Of f16 and f32: where the larger number and the logarithm cancel. What is
    left is as exact as the terms are, before it is rounded."""
    def run(t):
        log2 = 1 if name == "logaddexp2" else np.log(2)
        every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
        larger = np.unique(every[(every < 0) & (every > -log2)])
        smaller = (np.log(-np.expm1(larger.astype(float) * np.log(2) / log2))
                   * log2 / np.log(2))
        for dtype in (np.float16, np.float32):
            around = smaller.astype(dtype)
            for _ in range(6):
                around = np.nextafter(around, dtype(-np.inf))
            x, y = [], []
            for _ in range(13):
                x.append(around)
                y.append(larger.astype(dtype))
                around = np.nextafter(around, dtype(np.inf))
            x, y = np.concatenate(x), np.concatenate(y)
            exact = getattr(np, name)(x.astype(np.longdouble),
                                      y.astype(np.longdouble)).astype(float)
            got = ctx.call(accuracy.source(name, 2), "f", x, y)
            off = (abs(got.astype(float) - exact)
                   - np.spacing(abs(exact).astype(dtype)).astype(float) / 2)
            at = int(np.argmax(off))
            t.check(f"{name} {np.dtype(dtype)}", off[at] <= 2.0 ** -21,
                    f"2^{np.log2(max(off[at], 1e-30)):.2f} at {x[at]}, {y[at]}")
    return run


def cases(ctx):
    for name, kind in accuracy.all_functions():
        yield f"{name} of {kind}", function(ctx, name, kind)
    for name in ("arctan", "arctanh"):
        for kind in accuracy.PART:
            yield f"parts of {name} of huge {kind}", small_part(ctx, name, kind)
    for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "expm1"):
        yield f"ends of {name} of c64", ends_of_exponents(ctx, name)
    for name in ("tan", "tanh"):
        yield f"moderate {name} of c64", moderate_tangents(ctx, name)
    for name in ("arctan", "arctanh", "arcsin", "arccos", "arcsinh", "arccosh"):
        yield f"{name} of c64 near its branch points", near_branch_points(
            ctx, name)
    for name in ("logaddexp", "logaddexp2"):
        yield f"{name} near 0", cancelling(ctx, name)
