"""Every element read and written exactly once, whatever the layout.

Inputs hold a number of their own in each place of memory, so that a wrong place
shows; outputs are windows of larger buffers, all of which is compared.
"""

import numpy as np

SOURCE = """
ufunc add(a, b):
    return a + b

ufunc both(a: T, b: T) -> (s: T, d: T) where T in (i16, i32, f64):
    return a + b, a - b
"""


def window(rng, shape, dtype, out=False):
    """A view of that shape of a fresh buffer, and the buffer."""
    dtype = np.dtype(dtype)
    order = list(range(len(shape)))
    if rng.integers(2):
        rng.shuffle(order)
    padded = [n + int(rng.integers(4)) * int(rng.integers(2)) for n in shape]
    steps = [int(rng.integers(1, 4)) if rng.integers(4) == 0 else 1
             for _ in shape]
    still = [not out and rng.integers(6) == 0 for _ in shape]
    memory = [1 if s else n * k for n, k, s in zip(padded, steps, still)]
    start = int(rng.integers(20))
    count = int(np.prod(memory)) + start + 20
    base = np.arange(count).astype(dtype)
    dense = base[start:start + int(np.prod(memory))]
    dense = dense.reshape([memory[i] for i in order])
    dense = dense.transpose(np.argsort(order))
    view = dense[tuple(
        slice(None) if s else slice(0, n * k, k)
        for n, k, s in zip(shape, steps, still))]
    view = np.broadcast_to(view, shape) if any(still) else view
    turns = [slice(None, None, -1) if rng.integers(5) == 0 else slice(None)
             for _ in shape]
    return view[tuple(turns)], base


def shapes(rng):
    rank = int(rng.integers(1, 6))
    longest = {1: 5000, 2: 150, 3: 40, 4: 18, 5: 9}[rank]
    return tuple(int(rng.integers(1, longest + 1)) for _ in range(rank))


def random_layouts(ctx, types, seed, rounds):
    def run(t):
        rng = ctx.rng(seed)
        for k in range(rounds):
            shape = shapes(rng)
            a, _ = window(rng, shape, types[0])
            b, _ = window(rng, shape, types[1])
            wanted = a + b
            o, base = window(rng, shape, wanted.dtype, out=True)
            expected = base.copy()
            # The same window of the copy.
            place = np.ndarray(
                shape, o.dtype, expected,
                o.__array_interface__["data"][0]
                - base.__array_interface__["data"][0], o.strides)
            place[...] = wanted
            ctx.call(SOURCE, "add", a, b, out=o)
            t.same(f"{k}: {shape} {a.strides} + {b.strides} into {o.strides}",
                   base, expected)
    return run


def scalars(ctx):
    def run(t):
        rng = ctx.rng(50)
        for k in range(20):
            shape = shapes(rng)
            a, _ = window(rng, shape, np.int32)
            t.same(f"{k}: array and scalar {a.strides}",
                   ctx.call(SOURCE, "add", a, np.int32(3)), a + np.int32(3))
            t.same(f"{k}: scalar and array {a.strides}",
                   ctx.call(SOURCE, "add", np.int32(3), a), a + np.int32(3))
    return run


def in_place(ctx):
    """Outputs that are an input: the variant that assumes nothing."""
    def run(t):
        rng = ctx.rng(60)
        for k in range(30):
            shape = shapes(rng)
            a, base = window(rng, shape, np.float64, out=True)
            b, _ = window(rng, shape, np.float64)
            expected = base.copy()
            place = np.ndarray(
                shape, a.dtype, expected,
                a.__array_interface__["data"][0]
                - base.__array_interface__["data"][0], a.strides)
            place += b
            ctx.call(SOURCE, "add", a, b, out=a)
            t.same(f"{k}: {shape} {a.strides} += {b.strides}", base, expected)
    return run


def two_outputs(ctx):
    def run(t):
        rng = ctx.rng(70)
        for k in range(30):
            shape = shapes(rng)
            a, _ = window(rng, shape, np.int32)
            b, _ = window(rng, shape, np.int32)
            s, _ = window(rng, shape, np.int32, out=True)
            d, _ = window(rng, shape, np.int32, out=True)
            ctx.call(SOURCE, "both", a, b, out=(s, d))
            t.same(f"{k}: sum {s.strides}", np.array(s), a + b)
            t.same(f"{k}: difference {d.strides}", np.array(d), a - b)
    return run


def cases(ctx):
    for seed, types in enumerate([
            (np.uint8, np.uint8), (np.int16, np.int16), (np.float32, np.float32),
            (np.float64, np.float64), (np.int8, np.float64),
            (np.complex128, np.complex128), (np.bool_, np.int32)]):
        names = " and ".join(np.dtype(t).name for t in types)
        yield f"random layouts of {names}", random_layouts(
            ctx, types, seed, 30)
    yield "scalars", scalars(ctx)
    yield "in place", in_place(ctx)
    yield "two outputs", two_outputs(ctx)
