"""Where arrays are and where results go: host, device, mixed; streams."""

import ctypes as C

import numpy as np

import kernapi
from kernapi import CPU, CUDA, Tensor
from suite import Skip

SOURCE = """
ufunc add(a, b):
    return a + b

ufunc pulses(i: i64, period: i64, width: i64) -> i16:
    return 1000 if i % period < width else 0

gufunc total(v: T[n]) -> T where T in (f32, f64, i64):
    return sum(v)
"""


def host_arrays(ctx):
    """Arrays on the host run on the device asked for; results come back."""
    def run(t):
        rng = ctx.rng(1)
        add = ctx.module(SOURCE)["add"]
        for shape in [(), (1,), (1000,), (33, 17), (0,), (300, 300)]:
            a = np.asarray(rng.random(shape))
            b = np.asarray(rng.random(shape))
            t.same(f"{shape}", add(a, b, device=ctx.dl_device), a + b)
            t.same(f"{shape} by default", add(a, b, device=None), a + b)
            out = np.zeros(shape)
            add(a, b, out=out, device=ctx.dl_device)
            t.same(f"{shape} into a host array", out, a + b)
        a = rng.random((40, 30))
        for label, view in [("T", a.T), ("stepped", a[::3, ::2]),
                            ("reversed", a[::-1, ::-1]),
                            ("broadcast", np.broadcast_to(a[:1], (9, 30)))]:
            t.same(label, add(view, 1.0, device=ctx.dl_device), view + 1)
            out = np.zeros((30, 80))[:, ::2].T
            if view.shape == out.shape:
                add(view, 1.0, out=out, device=ctx.dl_device)
                t.same(label + " into strides", out, view + 1)
        said = kernapi.Report()
        add(a, a, device=ctx.dl_device, report=said)
        t.check("ran there", said.device.device_type == ctx.dl_device[0])
    return run


def on_cpu_too(ctx):
    """Host arrays and numbers run on the CPU if nothing else is asked for."""
    def run(t):
        a = np.arange(100, dtype=np.int16)
        add = ctx.module(SOURCE)["add"]
        for label, device in (("by name", (CPU, 0)), ("by default", None)):
            for other in (a, np.int16(3), 3):
                said = kernapi.Report()
                t.same(f"CPU {label}", add(
                    a, other, device=device, report=said), a + other)
                t.check(f"ran on the CPU {label}",
                        said.device.device_type == CPU)
        said = kernapi.Report()
        t.same("numbers", add(np.int16(1), 2, device=None, report=said),
               np.asarray(np.int16(3)))
        t.check("numbers ran on the CPU", said.device.device_type == CPU)
    return run


def needs_cuda(ctx):
    if ctx.device != "cuda":
        raise Skip("there is no CUDA device" if not ctx.lib.cuda_count()
                   else "runs in the cuda suite")


def stay(ctx):
    """Results of device arrays stay there and go into the next call."""
    def run(t):
        needs_cuda(ctx)
        lib, module = ctx.lib, ctx.module(SOURCE)
        i = np.arange(10000)
        on_device = lib.copy(Tensor.of(i).c, (CUDA, 0))
        add, pulses = module["add"], module["pulses"]

        def call(function, *arguments):
            values = (kernapi.Value * len(arguments))()
            for v, a in zip(values, arguments):
                kernapi.fill_value(v, a, Tensor.of, [])
            return function.raw(values, None)[0]

        train = call(pulses, on_device, 100, 10)
        t.check("the result is on the device", not train.on_host())
        twice = call(add, train, train)
        t.check("so is the next", not twice.on_host())
        expected = np.where(i % 100 < 10, 1000, 0).astype(np.int16)
        t.same("values", twice.numpy(lib), expected * np.int16(2))
        mixed = call(add, train, Tensor.of(np.array(7, np.int16)))
        t.check("mixed with a host number stays on the device",
                not mixed.on_host())
        t.same("mixed values", mixed.numpy(lib), expected + np.int16(7))
        t.refused("mixed with a host array",
                  lambda: call(add, train, Tensor.of(expected)),
                  kernapi.ARGUMENT, "on cuda:0", "on cpu")
        filled = lib.copy(Tensor.of(expected).c, (CUDA, 0))
        first = Tensor(filled.pointer, np.int16, (), (), (CUDA, 0))
        add(np.int16(1), 2, out=[first], device=None)
        t.same("numbers into device memory", filled.numpy(lib),
               np.concatenate([np.full(1, 3, np.int16), expected[1:]]))
        total = call(module["total"], on_device)
        t.same("a 0-d result", total.numpy(lib), np.asarray(i.sum()))
    return run


def copies(ctx):
    def run(t):
        lib = ctx.lib
        rng = ctx.rng(2)
        for shape in [(), (7,), (0, 3), (5, 6), (3, 4, 5)]:
            x = np.asarray(rng.random(shape)).astype(np.float32)
            back = tuple(slice(None, None, -1) for _ in shape)
            for label, view in [("whole", x), ("T", x.T),
                                ("reversed", np.asarray(x[back]))]:
                there = lib.copy(Tensor.of(view).c, ctx.dl_device)
                t.check(f"{shape} {label} place",
                        there.on_host() == (ctx.device == "cpu"))
                t.same(f"{shape} {label}", there.numpy(lib),
                       np.asarray(view))
                back = np.zeros(shape[::-1], np.float32).T
                if back.shape == np.shape(view):
                    lib.assign(Tensor.of(back).c, there.tensor)
                    t.same(f"{shape} {label} assigned", back,
                           np.asarray(view))
        a = np.zeros(3)
        t.refused("assign of another shape", lambda: lib.assign(
            Tensor.of(a).c, Tensor.of(np.zeros(4)).c), kernapi.SHAPE)
        t.refused("assign of another type", lambda: lib.assign(
            Tensor.of(a).c, Tensor.of(np.zeros(3, np.int8)).c), kernapi.TYPE)
    return run


def described(ctx):
    def run(t):
        info = ctx.lib.describe(ctx.dl_device)
        t.check("name", info.name)
        t.check("memory", info.memory >= info.memory_free > 0)
        t.check("multiprocessors", info.multiprocessors > 0)
        t.check("capability", (info.compute_capability >= 75)
                == (ctx.device == "cuda"))
        default = ctx.lib.c.kern_default_device()
        t.check("default", default.device_type == CPU)
        t.check("reason", bool(ctx.lib.cuda_reason())
                == (ctx.lib.cuda_count() == 0))
        t.refused("a device that is not there", lambda: ctx.lib.describe(
            (CUDA, 99)), (kernapi.NOT_FOUND, kernapi.DEVICE))
    return run


def streams(ctx):
    """Calls on a stream of the caller's, in order with its other work."""
    def run(t):
        needs_cuda(ctx)
        cuda = C.CDLL("libcuda.so.1")
        lib, add = ctx.lib, ctx.module(SOURCE)["add"]
        one = np.ones(1 << 20, np.float32)  # a Tensor does not own its array
        zero = np.zeros(1 << 20, np.float32)
        x = lib.copy(Tensor.of(one).c, (CUDA, 0))
        out = lib.copy(Tensor.of(zero).c, (CUDA, 0))
        context = C.c_void_p()
        cuda.cuDevicePrimaryCtxRetain(C.byref(context), 0)
        cuda.cuCtxSetCurrent(context)
        stream = C.c_void_p()
        t.check("a stream", cuda.cuStreamCreate(C.byref(stream), 1) == 0)
        options = kernapi.Options(0, kernapi.DLDevice(CPU, 0), stream.value)
        values = (kernapi.Value * 2)()
        alive = []  # what the values point to
        kernapi.fill_value(values[0], x, Tensor.of, alive)
        kernapi.fill_value(values[1], out, Tensor.of, alive)
        target = Tensor(out.pointer, np.float32, (1 << 20,), (1,), (CUDA, 0))
        for _ in range(100):  # each reads what the one before wrote
            add.raw(values, [target], options)
        t.check("the stream ends well", cuda.cuStreamSynchronize(stream) == 0)
        t.same("a hundred in order", out.numpy(lib),
               np.full(1 << 20, 100, np.float32))
        cuda.cuStreamDestroy_v2(stream)
        cuda.cuDevicePrimaryCtxRelease_v2(0)
    return run


def cases(ctx):
    yield "host arrays", host_arrays(ctx)
    yield "on the CPU", on_cpu_too(ctx)
    yield "results stay", stay(ctx)
    yield "copies", copies(ctx)
    yield "devices", described(ctx)
    yield "streams", streams(ctx)
