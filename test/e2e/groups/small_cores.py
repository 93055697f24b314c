"""Gufuncs whose operands have a few elements, which run in vectors across loop
elements, in all layouts, against NumPy."""

import numpy as np

COUNTS = (0, 1, 7, 8, 31, 64, 65, 200)
TYPES = (np.bool_, np.uint8, np.int16, np.int32, np.int64, np.float32, np.float64)
NAMES = {np.bool_: "bool", np.uint8: "u8", np.int16: "i16", np.int32: "i32",
         np.int64: "i64", np.float32: "f32", np.float64: "f64"}


def source(size, name):
    """`turned` writes where a condition holds, `both` has numbers too, `own`
    changes its operand."""
    return f"""
gufunc turned(a: {name}[{size}], c: bool) -> (r: {name}[{size}]):
    for i in range({size}):
        if c:
            r[i] = a[{size} - 1 - i]
        elif i % 2 == 0:
            r[i] = a[i]

gufunc both(a: {name}[{size}], x: {name}) -> (r: {name}[2, {size}], low: {name}, is_low: bool):
    low = a[0]
    for i in range({size}):
        r[0, i] = x
        r[1, i] = a[i]
        low = min(low, a[i])
    is_low = low < x

gufunc own(inout a: {name}[{size}], k: i64[1]):
    if k[0] > 0:
        t = a[0]
        for i in range({size} - 1):
            a[i] = a[i + 1]
        a[{size} - 1] = t
"""


def layouts(array):
    """The same values, lying otherwise."""
    yield array
    if array.ndim > 1:
        yield np.asfortranarray(array)
    apart = np.zeros((array.shape[0] * 2,) + array.shape[1:], array.dtype)
    apart[1::2] = array
    yield apart[1::2]
    back = array[::-1].copy()
    yield back[::-1]
    raw = np.zeros(array.nbytes + 1, np.uint8)
    raw[1:] = np.frombuffer(array.tobytes(), np.uint8)
    yield raw[1:].view(array.dtype).reshape(array.shape)


def values(rng, shape, dtype):
    return rng.integers(0, 2 if dtype is np.bool_ else 100, shape).astype(dtype)


def check(t, call, update, rng, size, dtype, count):
    a, x = values(rng, (count, size), dtype), values(rng, (count,), dtype)
    c, k = rng.random(count) < 0.5, rng.integers(0, 2, (count, 1))
    before = values(rng, (count, size), dtype)
    turned = before.copy()
    turned[:, ::2] = a[:, ::2]
    turned[c] = a[c, ::-1]
    low = a.min(-1, initial=1 if dtype is np.bool_ else 100)
    rolled = np.where(k > 0, np.roll(a, -1, -1), a)
    where = f"{np.dtype(dtype)}[{size}], {count}"
    for view, out, number in zip(layouts(a), layouts(before), layouts(x)):
        kept = out.copy()
        call("turned", view, c, out=out)
        t.same("turned " + where, out, turned)
        for n, expected in ((number, x), (number[:1], x[:1])):
            if not len(n) and count:
                continue
            r, lowest, is_low = call("both", view, n)
            wide = np.broadcast_to(expected, (count,))
            t.same("both " + where, r, np.stack(
                [np.broadcast_to(wide[:, None], a.shape), a], 1))
            t.same("low " + where, lowest, low)
            t.same("is low " + where, is_low, low < wide)
        out[...] = kept
        mine = view.copy(order="K")
        update("own", mine, k)
        t.same("own " + where, mine, rolled)
    if count:  # one loop element for all
        once = np.broadcast_to(a[:1], a.shape)
        t.same("broadcast " + where, call("both", once, x)[0][:, 1], once)


def cores(ctx, size):
    def run(t):
        rng = ctx.rng(71)
        for dtype in TYPES:
            text = source(size, NAMES[dtype])
            for count in COUNTS:
                check(t, lambda f, *a, **k: ctx.call(text, f, *a, **k),
                      lambda f, *a: ctx.module(text)[f](*a, device=ctx.dl_device),
                      rng, size, dtype, count)
    return run


def cases(ctx):
    for size in (1, 2, 3, 4, 5, 8, 12, 17):
        yield f"{size} elements", cores(ctx, size)
