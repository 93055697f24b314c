"""Calls one after the other on arrays that stay where they are: each reads what
those before it have written, and nobody waits in between."""

import numpy as np

import kernapi

SOURCE = """
ufunc mix(a: i32, b: i32) -> i32:
    return a * 3 + (b ^ (a >> 7))

ufunc longer(a: i32, b: i32) -> i32:
    for k in range(a & 63):
        b = b * 5 + k
    return b

gufunc totals(x: i32[n]) -> i32:
    s = i32(0)
    for i in range(n):
        s = s * 3 + x[i]
    return s

gufunc turned(x: i32[n]) -> (y: i32[n]):
    for i in range(n):
        y[i] = x[n - 1 - i] + i32(i)
"""


def longer(a, b):
    b = np.broadcast_to(b, a.shape).copy()
    turns = a & 63
    for k in range(63):
        at = turns > k
        b[at] = b[at] * np.int32(5) + np.int32(k)
    return b


def totals(x):
    s = np.zeros(x.shape[:-1], np.int32)
    for i in range(x.shape[-1]):
        s = s * np.int32(3) + x[..., i]
    return s


FUNCTIONS = {
    "mix": lambda a, b: a * np.int32(3) + (b ^ (a >> 7)),
    "longer": longer,
    "turned": lambda x: x[..., ::-1] + np.arange(x.shape[-1], dtype=np.int32),
    "totals": totals,
    "copy": lambda x: x.copy(),
}
WHOLE = [lambda m: m, lambda m: m.T, lambda m: m[:, ::-1]]
ANY = WHOLE + [lambda m: m[:1], lambda m: m[:, -1:]]


class Arrays:
    """Square arrays in NumPy, and copies of them on the suite's device."""

    def __init__(self, ctx, n, count):
        self.ctx = ctx
        rng = ctx.rng(n)
        self.host = [rng.integers(-2**31, 2**31, (n, n), dtype=np.int32)
                     for _ in range(count)]
        self.copies = [ctx.lib.copy(kernapi.Tensor.of(m).c, ctx.dl_device)
                       for m in self.host]

    def tensor(self, k, view):
        """The view of array `k` on the device."""
        moved = (view.ctypes.data - self.host[k].ctypes.data)
        return kernapi.Tensor.of(view, self.copies[k].pointer + moved,
                                 self.ctx.dl_device)

    def differing(self):
        return [k for k, (m, copy) in enumerate(zip(self.host, self.copies))
                if not np.array_equal(m, copy.numpy(self.ctx.lib))]


def chain(ctx, n, length):
    """Random calls, `length` of them."""
    def run(t):
        arrays = Arrays(ctx, n, 5)
        module = ctx.module(SOURCE)
        rng = ctx.rng(n + 1)
        names = ["mix", "mix", "mix", "longer", "turned", "totals", "copy"]
        expected = []  # what NumPy does afterwards
        for _ in range(length):
            name = names[rng.integers(len(names))]
            into, first, second = rng.permutation(5)[:3]
            views = [WHOLE[rng.integers(len(WHOLE))](arrays.host[first])]
            sources = [first]
            if name in ("mix", "longer"):
                if rng.integers(3) == 0:  # in place
                    sources, views = [into], [arrays.host[into]]
                sources.append(second)
                views.append(ANY[rng.integers(len(ANY))](arrays.host[second]))
            target = arrays.host[into]
            if name == "totals":
                target = target[:, int(rng.integers(n))]
            given = [arrays.tensor(k, v) for k, v in zip(sources, views)]
            out = arrays.tensor(into, target)
            if name == "copy":
                ctx.lib.assign(out.c, given[0].c)
            else:
                kernapi.Prepared(module[name], given, [out])()
            expected.append((target, FUNCTIONS[name], views))
        for target, function, views in expected:
            target[...] = function(*views)
        differ = arrays.differing()
        t.check(f"{length} calls", not differ, f"arrays {differ} differ")
    return run


def cases(ctx):
    for n, length in ((4, 2000), (33, 800), (128, 400), (500, 60),
                      (1300, 20)):
        yield f"of {n} by {n}", chain(ctx, n, length)
