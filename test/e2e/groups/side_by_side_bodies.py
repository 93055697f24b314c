"""Gufuncs whose loop elements lie side by side, and whose bodies or calls need care there:
a loop element may run twice, in a vector beside others, without loops that LLVM removes
from the general form."""

import os
import resource

import numpy as np

from kernapi import Prepared, Tensor
from suite import Skip

HASHED = "".join("        j = j ^ (j >> 3)\n" for _ in range(40))
ARRAYS = "".join(f"    t{k} = empty(256, f32)\n    for i in range(256):\n"
                 f"        t{k}[i] = v[i % n] + {k}\n" for k in range(20))
SOURCE = f"""
gufunc scaled(v: f32[n], k: f32) -> f32[n]:
    return v * k

gufunc added(v: f32[n]) -> (y: f32[n]):
    for i in range(n):
        y[i] = y[i] + v[i]

gufunc hashed(v: f32[n]) -> f32:
    s = v[0]
    for i in range(n):
        j = i
{HASHED}        s = s * 0.5 + v[j % n]
    return s

gufunc pairs(v: f32[n, 2], k: f32) -> f32:
    return k + sum(v[i, j] * v[i, j] for i in range(n) for j in range(2))

gufunc counted(v: f32[n]) -> f32:
    return sum(sum(2 for x in v) * z for z in v)

gufunc powers(v: f32[n]) -> f32:
    return sum(x ** (1 if x > 0.5 else 0) for x in v)

gufunc halving(v: f32[n]) -> f32:
    t = v * 2
    for i in range(n):
        t[i] = t[i] * 0.5 + t[n - 1 - i]
    return t[0] + t[n - 1]

gufunc arrays(v: f32[n]) -> f32:
{ARRAYS}    return {" + ".join(f"t{k}[{k}]" for k in range(20))}
"""


def cases(ctx):
    yield "bodies", bodies(ctx)
    yield "short memory", short_memory(ctx)


def bodies(ctx):
    """One array for all loop elements, results that are read, places that take long to
    compute, loops that LLVM removes, and more local arrays than fit a small stack."""
    def run(t):
        if ctx.device != "cpu":
            raise Skip("a form of the CPU")
        rng = ctx.rng(4)

        def across(name, out, *values):
            Prepared(ctx.module(SOURCE)[name], list(map(Tensor.of, values)),
                     [Tensor.of(out)])()
            return out

        for count in (8, 17, 33, 300):
            v = rng.standard_normal((40, count)).astype(np.float32)
            t.same(f"added {count}",
                   across("added", np.ones(v.shape, np.float32).T, v.T),
                   v.T + np.float32(1))
            for name in ("hashed", "arrays", "counted", "powers"):
                t.same(f"{name} {count}",
                       across(name, np.zeros(count, np.float32), v.T),
                       ctx.call(SOURCE, name, v.T.copy()))
        k = rng.standard_normal(33).astype(np.float32)
        v = rng.standard_normal(40).astype(np.float32)
        t.same("one row", across("scaled", np.zeros((40, 33), np.float32).T, v, k),
               v * k[:, None])
        v = np.moveaxis(rng.standard_normal((40, 2, 33)).astype(np.float32), -1, 0)
        t.same("pairs", across("pairs", np.zeros(33, np.float32), v, k),
               ctx.call(SOURCE, "pairs", v.copy(), k))
    return run


def short_memory(ctx):
    """Local arrays of one loop element fit memory where those of many do not."""
    def run(t):
        if ctx.device != "cpu":
            raise Skip("a form of the CPU")
        if "libclang_rt.asan" in os.environ.get("LD_PRELOAD", ""):
            raise Skip("AddressSanitizer ends the process")
        v = ctx.rng(5).standard_normal((200000, 128)).astype(np.float32)
        result = np.zeros(128, np.float32)
        across = Prepared(ctx.module(SOURCE)["halving"], [Tensor.of(v.T)],
                          [Tensor.of(result)])
        expected = ctx.call(SOURCE, "halving", v.T.copy())
        t.check("across", across.told().form == b"across", "is not tested")
        result[:] = 0
        pages = int(open("/proc/self/statm").read().split()[0])
        before = resource.getrlimit(resource.RLIMIT_AS)
        limit = pages * resource.getpagesize() + (60 << 20)
        resource.setrlimit(resource.RLIMIT_AS, (limit, before[1]))
        try:
            form = across.told().form.decode()
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)
        t.check("short of memory", form == "general", form)
        t.same("the same", result, expected)
    return run
