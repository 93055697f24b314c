"""Inputs and outputs in the same memory: as if all inputs were read first."""

import numpy as np

import kernapi

SOURCE = """
ufunc add(a, b):
    return a + b

ufunc swap(a: T, b: T) -> (p: T, q: T) where T in (i32, f32):
    return b, a

gufunc reverse(x: T[n]) -> (y: T[n]) where T in (i32, f32):
    for i in range(n):
        y[i] = x[n - 1 - i]

gufunc total(x: T[n]) -> T where T in (i32, f32):
    return T(sum(x))
"""


def in_one_buffer(ctx, size):
    """Windows of one buffer as inputs and output."""
    def run(t):
        windows = {
            "same": slice(8, 8 + size), "up": slice(9, 9 + size),
            "down": slice(7, 7 + size), "far up": slice(12, 12 + size),
            "reversed": slice(7 + size, 7, -1),
            "every second": slice(0, 2 * size, 2),
            "apart": slice(3 * size, 4 * size),
        }
        for name_a, a in windows.items():
            for name_b, b in windows.items():
                for name_o, o in windows.items():
                    base = np.arange(4 * size + 32, dtype=np.int32)
                    expected = base.copy()
                    expected[o] = base[a] + base[b]
                    ctx.call(SOURCE, "add", base[a], base[b], out=base[o])
                    t.same(f"{name_a} + {name_b} into {name_o}", base,
                           expected)
    return run


def matrices(ctx):
    def run(t):
        for n in (1, 5, 33, 64):
            base = np.arange(n * n, dtype=np.float32).reshape(n, n)
            for label, view in [
                    ("transposed", lambda m: m.T),
                    ("upside down", lambda m: m[::-1]),
                    ("mirrored", lambda m: m[:, ::-1]),
                    ("turned", lambda m: m[::-1, ::-1])]:
                m = base.copy()
                ctx.call(SOURCE, "add", view(m), np.float32(1), out=m)
                t.same(f"{n} {label} in", m, view(base) + np.float32(1))
                m = base.copy()
                ctx.call(SOURCE, "add", m, m, out=view(m))
                expected = base.copy()
                view(expected)[...] = base + base
                t.same(f"{n} {label} out", m, expected)
            m = base.copy()
            ctx.call(SOURCE, "add", m, m[:1], out=m)
            t.same(f"{n} first row added", m, base + base[:1])
            m = base.copy()
            ctx.call(SOURCE, "add", m, m[:, :1], out=m)
            t.same(f"{n} first column added", m, base + base[:, :1])
    return run


def other_type(ctx):
    """An output whose memory is read as another type."""
    def run(t):
        raw = np.arange(64, dtype=np.float64)
        expected = (raw[:32] + 1).astype(np.float32)
        out = raw.view(np.float32)[:32]
        ctx.call(SOURCE, "add", raw[:32], 1.0, out=out)
        t.same("f32 over its f64 input", out, expected)
        raw = np.arange(64, dtype=np.int32)
        expected = raw[:32] + np.float64(0.5)
        out = raw.view(np.float64)
        ctx.call(SOURCE, "add", raw[:32], 0.5, out=out)
        t.same("f64 over its i32 input", out, expected)
    return run


def outputs_together(ctx):
    def run(t):
        a = np.arange(20, dtype=np.int32)
        b = a + 100
        x, y = a.copy(), b.copy()
        ctx.call(SOURCE, "swap", x, y, out=(x, y))
        t.same("swap in place, first", x, b)
        t.same("swap in place, second", y, a)
        x, y = a.copy(), b.copy()
        ctx.call(SOURCE, "swap", x, y, out=(y, x))
        t.same("swap crosswise, first", y, b)
        t.same("swap crosswise, second", x, a)
        memory = np.arange(40, dtype=np.int32)
        t.refused("outputs overlap", lambda: ctx.call(
            SOURCE, "swap", a, b, out=(memory[:20], memory[10:30])),
            kernapi.OVERLAP)
        t.refused("one output twice", lambda: ctx.call(
            SOURCE, "swap", a, b, out=(memory[:20], memory[:20])),
            kernapi.OVERLAP)
        t.check("nothing written", np.array_equal(memory, np.arange(40)))
        ctx.call(SOURCE, "swap", a, b, out=(memory[0::2], memory[1::2]))
        t.same("interleaved outputs", memory,
               np.stack([b, a], 1).ravel())
        one = np.zeros(1, np.int32)
        t.refused("output overlaps itself", lambda: ctx.call(
            SOURCE, "add", a, b,
            out=np.lib.stride_tricks.as_strided(one, (20,), (0,))),
            kernapi.OVERLAP)
    return run


def gufuncs(ctx):
    def run(t):
        for n in (1, 2, 7, 100):
            base = np.arange(3 * n, dtype=np.int32).reshape(3, n)
            m = base.copy()
            ctx.call(SOURCE, "reverse", m, out=m)
            t.same(f"{n} reversed in place", m, base[:, ::-1])
            m = base.copy()
            ctx.call(SOURCE, "reverse", m, out=m[:, ::-1])
            t.same(f"{n} reversed into the reverse", m, base)
            flat = np.arange(n + 3, dtype=np.int32)
            expected = flat.copy()
            expected[3:] = flat[:n][::-1]
            ctx.call(SOURCE, "reverse", flat[:n], out=flat[3:])
            t.same(f"{n} reversed and shifted", flat, expected)
            m = base.copy()
            ctx.call(SOURCE, "total", m, out=m[:, 0])
            expected = base.copy()
            expected[:, 0] = base.sum(axis=1)
            t.same(f"{n} row sums into a column", m, expected)
    return run


def cases(ctx):
    for size in (1, 5, 33):
        yield f"windows of {size}", in_one_buffer(ctx, size)
    yield "matrices", matrices(ctx)
    yield "other type", other_type(ctx)
    yield "several outputs", outputs_together(ctx)
    yield "gufuncs", gufuncs(ctx)
