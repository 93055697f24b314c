"""Host arrays on GPUs: all of them, the one that Kern chooses, calls that are ended;
copies from GPU to GPU; arrays dealt over all GPUs, and their reductions, against
NumPy; processes that are killed."""

import pathlib
import signal
import subprocess
import sys
import time

import numpy as np

import kernapi
import kernsharded
from kernapi import (
    ALL_AXES, ALL_GPUS, ARGUMENT, AUTO, CANCELLED, CPU, CUDA, Tensor)
from suite import Skip

SOURCE = """
ufunc add(a, b):
    return a + b

ufunc slow(x: f32) -> f32:
    y = x
    for i in range(2000):
        y = y * 0.5 + 1
    return y

@associative(identity=0)
ufunc total(a: T, b: T) -> T where T in (f32, f64):
    return a + b

ufunc centre(x: f32, sum: f32) -> f32:
    return x - sum

gufunc norm(v: f32[n]) -> f32:
    return sqrt(sum(x * x for x in v))

gufunc scale(inout x: f32[n], factor: f32):
    for i in range(n):
        x[i] = x[i] * factor
"""
ALL, EITHER = (CUDA, ALL_GPUS), (CUDA, AUTO)


def need(ctx, gpus):
    if ctx.lib.cuda_count() < gpus:
        raise Skip(f"needs {gpus} GPU{'s' if gpus > 1 else ''}")


def shared_by_all(ctx):
    """cuda:all gives the bits of one GPU, and NumPy's where those are exact."""
    def run(t):
        need(ctx, 1)
        rng = ctx.rng(1)
        module = ctx.module(SOURCE)
        add, norm, scale = module["add"], module["norm"], module["scale"]
        for n in (1 << 22, (1 << 23) + 12345):
            a = rng.random(n, dtype=np.float32)
            b = rng.random(n, dtype=np.float32)
            t.same(f"add of {n}", add(a, b, device=ALL), a + b)
            out = a.copy()
            add(out, b, out=out, device=ALL)
            t.same(f"add of {n} in place", out, a + b)
            every = a[::2]
            t.same(f"every second of {n}", add(every, 1, device=ALL), every + 1)
            t.same(f"i64 of {n}", add(np.arange(n), 3, device=ALL),
                   np.arange(n) + 3)
        m = rng.random((9000, 1000), dtype=np.float32)
        row = rng.random(1000, dtype=np.float32)
        t.same("add a row", add(m, row, device=ALL), m + row)
        t.same("add a column", add(m.T, row[:, None], device=ALL),
               m.T + row[:, None])
        t.same("norm", norm(m, device=ALL), norm(m, device=(CUDA, 0)))
        mask = rng.random(m.shape) < 0.5
        out = np.full_like(m, -1)
        add(m, row, out=out, where=mask, device=ALL)
        t.same("where", out, np.where(mask, m + row, np.float32(-1)))
        into = m.copy()
        scale(into, np.float32(2), device=ALL)
        t.same("inout", into, m * 2)
    return run


def chosen(ctx):
    """auto gives the results of the place that it takes, whatever that is."""
    def run(t):
        need(ctx, 1)
        module = ctx.module(SOURCE)
        places = set()
        for power in (4, 10, 16, 20, 23):
            x = ctx.rng(power).random(1 << power, dtype=np.float32)
            t.same(f"add 2^{power}", module["add"](x, x, device=EITHER), x + x)
            said = kernapi.Report()
            got = module["slow"](x, device=EITHER, report=said)
            places.add(said.device.device_type)
            t.same(f"slow 2^{power}", got,
                   module["slow"](x, device=(said.device.device_type, 0)))
        t.check("the CPU for a few elements, the GPU for many",
                places == {CPU, CUDA}, f"{places}")
    return run


def ended(ctx):
    """A call that is ended leaves everything usable."""
    def run(t):
        need(ctx, 1)
        add = ctx.module(SOURCE)["add"]
        x = np.arange(1 << 24, dtype=np.float32)
        for device in ((CUDA, 0), ALL):
            told = []

            def step(done, total, stop=None):
                told.append((done, total))
                return int(stop is not None and len(told) > stop)
            t.same("told", add(x, 1, device=device, progress=step), x + 1)
            t.check("from none to all", told[0][0] == 0
                    and told[-1] == (2 * x.nbytes, 2 * x.nbytes), f"{told}")
            t.check("rising", told == sorted(told) and len(told) > 3)
            for stop in (0, 1, 3):
                told = []
                t.refused(
                    f"ended after {stop}",
                    lambda: add(x, 1, device=device, progress=lambda d, a:
                                step(d, a, stop)),
                    CANCELLED, "cancelled after")
                t.check("once", len(told) == stop + 1, f"{told}")
                t.same("works on", add(x, 1, device=device), x + 1)
    return run


WRITTEN = """
gufunc doubled(v: f32[n]) -> (y: f32[n]):
    for i in prange(n):
        y[i] = 2 * v[i]

gufunc positive(v: f32[n]) -> (y: f32[n]):
    for i in prange(n):
        if v[i] > 0:
            y[i] = v[i]

gufunc interior(v: f32[n]) -> (y: f32[n]):
    for i in prange(1, n - 1):
        y[i] = v[i - 1] + v[i + 1]

gufunc filled(v: f32[n]) -> (y: f32[n]):
    y[:] = 1
    for i in prange(n):
        if v[i] > 0:
            y[i] = y[i] + v[i]
"""


def kept_results(ctx):
    """What a gufunc's body does not write keeps its value in an array of the
    host, in pieces and in one, of its own type and of another; a result that is
    written whole need not go to the GPU for that."""
    def run(t):
        need(ctx, 1)
        rng, module = ctx.rng(6), ctx.module(WRITTEN)
        for shape in ((3, 5), (1 << 12, 1 << 10), (1, 1 << 22)):
            v = rng.integers(-8, 8, shape).astype(np.float32)
            inner = np.full(shape, -9, np.float32)
            inner[:, 1:-1] = v[:, :-2] + v[:, 2:]
            wanted = {"doubled": 2 * v, "positive": np.where(v > 0, v, -9),
                      "interior": inner,
                      "filled": 1 + np.where(v > 0, v, np.float32(0))}
            for name, values in wanted.items():
                for dtype in (np.float32, np.float64):
                    for place in ((CUDA, 0), ALL):
                        out = np.full(shape, -9, dtype)
                        module[name](v, out=out, device=place)
                        t.same(f"{name} {shape} {dtype.__name__} {place}", out,
                               values.astype(dtype))
            both = v.copy()
            module["doubled"](both, out=both, device=(CUDA, 0))
            t.same(f"doubled {shape} in place", both, 2 * v)
    return run


def between_gpus(ctx):
    """Copies and assignments from GPU to GPU, of any strides."""
    def run(t):
        need(ctx, 2)
        lib, rng = ctx.lib, ctx.rng(2)
        count = lib.cuda_count()

        def there(array, gpu):
            return lib.copy(Tensor.of(array).c, (CUDA, gpu))
        for dtype in (np.float32, np.uint8, np.complex128, np.bool_):
            for shape in ((), (1,), (1000,), (33, 17), (0, 4), (300, 400)):
                a = np.asarray(rng.random(shape) * 200).astype(dtype)
                for gpu in range(1, count):
                    x = there(a, 0)
                    y = lib.copy(x.tensor, (CUDA, gpu))
                    z = lib.copy(y.tensor, (CUDA, 0))
                    t.same(f"{dtype.__name__} {shape} to {gpu} and back",
                           z.numpy(lib), a)
        n = 1 << 28
        a = rng.integers(0, 256, n, dtype=np.uint8)
        x = there(a, 1)
        y = lib.copy(x.tensor, (CUDA, 0))
        t.check("256 MiB", np.array_equal(y.numpy(lib), a))
        # Into columns, backwards, and every third: none lies as the other.
        a = rng.random((60, 40), dtype=np.float32)
        for label, index in (("columns", np.s_[:, ::2]),
                             ("backwards", np.s_[::-1, :20]),
                             ("a corner", np.s_[5::3, 7:27])):
            part = a[index]
            x = there(a, 1)
            source = Tensor.of(
                part, x.pointer + part.ctypes.data - a.ctypes.data, (CUDA, 1))
            into = np.zeros((20, len(part)), np.float32)
            y = there(into, 0)
            target = Tensor.of(into.T, y.pointer, (CUDA, 0))
            lib.assign(target.c, source.c)
            t.same(label, y.numpy(lib), part.T)
    return run


def two_in_one_call(ctx):
    """Operands on two GPUs are refused by both names."""
    def run(t):
        need(ctx, 2)
        lib = ctx.lib
        a = np.arange(5, dtype=np.float32)
        x = lib.copy(Tensor.of(a).c, (CUDA, 0))
        y = lib.copy(Tensor.of(a).c, (CUDA, 1))
        add = ctx.module(SOURCE)["add"]
        t.refused("two GPUs", lambda: add(x, y), ARGUMENT, "cuda:0", "cuda:1")
    return run


def in_parts(ctx):
    """Calls over arrays that are dealt over all GPUs, with whole ones beside
    them."""
    def run(t):
        need(ctx, 1)
        lib, rng, module = ctx.lib, ctx.rng(3), ctx.module(SOURCE)
        add, norm, scale = module["add"], module["norm"], module["scale"]
        Sharded, call = kernsharded.Sharded, kernsharded.call
        for n in (0, 1, 3, 1000, (1 << 22) + 5):
            a = rng.random(n, dtype=np.float32)
            b = rng.random(n, dtype=np.float32)
            x, y = Sharded.scatter(lib, a), Sharded.scatter(lib, b)
            t.same(f"there and back, {n}", x.gather(), a)
            z = call(add, x, y)
            t.same(f"add of {n}", z.gather(), a + b)
            call(add, z, 2, out=z)
            t.same(f"add of {n} in place", z.gather(), a + b + 2)
            x.assign(b)
            t.same(f"assigned, {n}", call(add, x, z).gather(), b + (a + b + 2))
            x.assign(a)
        m = rng.random((1001, 300), dtype=np.float32)
        row = rng.random(300, dtype=np.float32)
        x = Sharded.scatter(lib, m)
        t.same("add a row of the host", call(add, x, row).gather(), m + row)
        on_all = Sharded.replicate(lib, row)
        t.same("replicated", on_all.gather(), row)
        t.same("add a row of all", call(add, on_all, x).gather(), row + m)
        t.same("norm", call(norm, x).gather(), norm(m, device=(CUDA, 0)))
        turned = Sharded.scatter(lib, m.T)
        t.same("another order", call(add, turned, turned).gather(), m.T + m.T)
        mask = rng.random(m.shape) < 0.5
        for what, where, given in (
                ("dealt", mask, Sharded.scatter(lib, mask)),
                ("rows", mask[:, :1], Sharded.scatter(lib, mask[:, :1])),
                ("on each", mask[0], Sharded.replicate(lib, mask[0])),
                ("whole", mask[:1], mask[:1])):
            t.same(f"where {what}, a new result",
                   call(add, x, row, where=given).gather(),
                   np.add(m, row, where=where, out=np.zeros_like(m)))
            out = Sharded.scatter(lib, np.full_like(m, -1))
            call(add, x, row, out=out, where=given)
            t.same(f"where {what}, into an array", out.gather(),
                   np.add(m, row, where=where, out=np.full_like(m, -1)))
        t.refused("a whole mask", lambda: call(add, x, row, where=mask),
                  ARGUMENT, "`where`", "is not dealt")
        doubled = kernsharded.ShardedCall(scale, [x, np.float32(2)])
        t.check("no results", doubled() == [])
        t.same("inout", x.gather(), m * 2)
        t.refused("a whole array", lambda: call(add, x, m), ARGUMENT,
                  "argument 2 (`b`)", "is not dealt")
    return run


def reduced_in_parts(ctx):
    """Reductions of arrays that are dealt over all GPUs, along the axis that is
    dealt and along others, of whole numbers: any grouping gives NumPy's bits."""
    def run(t):
        need(ctx, 1)
        lib, rng, module = ctx.lib, ctx.rng(4), ctx.module(SOURCE)
        total, centre = module["total"], module["centre"]
        Sharded, reduce = kernsharded.Sharded, kernsharded.reduce
        for shape in ((0, 3), (1, 5), (3, 4), (1001, 300), (1 << 16, 37),
                      (37, 1 << 16), ((1 << 22) + 5,), (20, 30, 40)):
            a = rng.integers(-8, 8, shape).astype(np.float32)
            x = Sharded.scatter(lib, a)
            for axis in (*range(len(shape)), -1, ALL_AXES):
                wanted = a.sum(None if axis == ALL_AXES else axis,
                               dtype=np.float32)
                t.same(f"{shape} along {axis}",
                       reduce(total, x, axis).gather(), np.asarray(wanted))
            mask = rng.random(shape) < 0.5
            dealt = Sharded.scatter(lib, mask)
            for axis in (0, len(shape) - 1, ALL_AXES):
                along = None if axis == ALL_AXES else axis
                for options in ({"keepdims": True}, {"initial": 100},
                                {"where": mask},
                                {"keepdims": True, "initial": -3,
                                 "where": mask[:1]}):
                    given = dict(options)
                    if options.get("where") is mask or not shape[0]:
                        given["where"] = dealt
                    t.same(f"{shape} along {axis} with {', '.join(options)}",
                           reduce(total, x, axis, **given).gather(),
                           np.asarray(a.sum(along, dtype=np.float32,
                                            **options)))
        t.same("f64", reduce(total, x, 0, np.float64).gather(),
               a.sum(0, dtype=np.float64))
        m = rng.integers(-8, 8, (1001, 300)).astype(np.float32)
        x = Sharded.scatter(lib, m)
        sums = reduce(total, x)
        t.same("beside parts", kernsharded.call(centre, x, sums).gather(),
               m - m.sum(0))
        again = [reduce(total, Sharded.scatter(
            lib, rng.random((1 << 20) + 7, dtype=np.float32))).gather()
            for rng in (np.random.default_rng(5), np.random.default_rng(5))]
        t.same("the same bits on every run", *again)
        if ctx.lib.cuda_count() > 1:  # one part is not combined
            t.refused("not @associative", lambda: reduce(module["add"], x),
                      ARGUMENT, "combined by @associative functions alone")
    return run


KILLED = r"""
import sys
import numpy as np
import kernapi

add = kernapi.Library(sys.argv[1]).compile(
    "ufunc add(a, b):\n    return a + b\n", "add.kern")["add"]
x = np.zeros(1 << 25, np.float32)
while True:
    add(x, 1, out=x, device=(kernapi.CUDA, 0))
    print("works", flush=True)
"""


def killed(ctx):
    """A process that is killed in the middle of a call over host arrays leaves
    the GPU to others."""
    def run(t):
        need(ctx, 1)
        add = ctx.module(SOURCE)["add"]
        x = np.arange(1 << 22, dtype=np.float32)
        for number in (signal.SIGKILL, signal.SIGTERM):
            with subprocess.Popen(
                    [sys.executable, "-c", KILLED,
                     pathlib.Path(ctx.lib.c._name).resolve()],
                    cwd=pathlib.Path(kernapi.__file__).parent,
                    stdout=subprocess.PIPE) as child:
                t.check("works", child.stdout.readline() == b"works\n")
                time.sleep(0.05)
                child.send_signal(number)
            t.check("ended", child.returncode == -number)
            t.same("works on", add(x, 1, device=(CUDA, 0)), x + 1)
    return run


def cases(ctx):
    yield "shared by all", shared_by_all(ctx)
    yield "chosen", chosen(ctx)
    yield "ended", ended(ctx)
    yield "kept results", kept_results(ctx)
    yield "between GPUs", between_gpus(ctx)
    yield "two in one call", two_in_one_call(ctx)
    yield "in parts", in_parts(ctx)
    yield "reduced in parts", reduced_in_parts(ctx)
    yield "killed", killed(ctx)
