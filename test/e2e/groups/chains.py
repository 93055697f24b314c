"""Calls one after the other on arrays that stay where they are: each reads what
those before it have written, and nobody waits in between."""

import ctypes

import numpy as np

import kernapi
from suite import Skip

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
    """Random calls, `length` of them, made ready before the first one runs."""
    def run(t):
        arrays = Arrays(ctx, n, 5)
        module = ctx.module(SOURCE)
        rng = ctx.rng(n + 1)
        names = ["mix", "mix", "mix", "longer", "turned", "totals"]
        calls, expected = [], []
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
            calls.append(kernapi.Prepared(
                module[name],
                [arrays.tensor(k, v) for k, v in zip(sources, views)],
                [arrays.tensor(into, target)]))
            expected.append((target, FUNCTIONS[name], views))
        for call in calls:
            call()
        for target, function, views in expected:
            target[...] = function(*views)
        differ = arrays.differing()
        t.check(f"{length} calls", not differ, f"arrays {differ} differ")
    return run


# Lets the next kernel begin at once, and writes long after: 1, 2, 3 … n.
SLOW = """
.version 7.8
.target sm_90
.address_size 64
.visible .entry slow(.param .u64 to, .param .u64 n) {
  .reg .b64 %d<8>; .reg .b32 %r<6>; .reg .pred %p;
  griddepcontrol.launch_dependents;
  ld.param.u64 %d0, [to]; ld.param.u64 %d1, [n];
  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;
  mad.lo.u32 %r0, %r1, %r2, %r0; cvt.u64.u32 %d2, %r0;
  mov.u64 %d3, %globaltimer;
wait:
  mov.u64 %d4, %globaltimer; sub.u64 %d4, %d4, %d3;
  setp.lt.u64 %p, %d4, 2000000; @%p bra wait;
  setp.ge.u64 %p, %d2, %d1; @%p ret;
  shl.b64 %d5, %d2, 2; add.s64 %d5, %d0, %d5; add.u32 %r3, %r0, 1;
  st.global.u32 [%d5], %r3;
  ret;
}
"""


class Driver:
    """CUDA's driver in the context that Kern has made."""

    def __init__(self):
        self.c = ctypes.CDLL("libcuda.so.1")

    def __getattr__(self, name):
        def call(*arguments):
            status = getattr(self.c, name)(*arguments)
            if status:
                raise RuntimeError(f"{name}: CUDA error {status}")
        return call

    def function(self, text, name):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        if self.c.cuModuleLoadData(ctypes.byref(module), text.encode()):
            raise Skip("the GPU has no such instruction")
        self.cuModuleGetFunction(ctypes.byref(function), module, name.encode())
        return function

    def launch(self, function, blocks, stream, *words):
        slots = [ctypes.c_uint64(word) for word in words]
        pointers = (ctypes.c_void_p * len(slots))(
            *[ctypes.addressof(slot) for slot in slots])
        self.cuLaunchKernel(function, blocks, 1, 1, 128, 1, 1, 0, stream,
                            pointers, None)


def behind_a_slow_kernel(ctx, function, captured):
    """A call behind a kernel that writes its input late, and lets the next one
    begin early: directly, or both in a graph."""
    def run(t):
        n = 128 * 64
        zeros = np.zeros(n, np.int32)
        x, y, out = (ctx.lib.copy(kernapi.Tensor.of(zeros).c, ctx.dl_device)
                     for _ in range(3))

        def tensor(array):
            return kernapi.Tensor.of(zeros, array.pointer, ctx.dl_device)
        driver = Driver()
        context = ctypes.c_void_p()
        driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
        driver.cuCtxSetCurrent(context)
        slow = driver.function(SLOW, "slow")
        stream = ctypes.c_void_p()
        driver.cuStreamCreate(ctypes.byref(stream), 1)
        inputs = [tensor(x), tensor(y)][:ctx.module(SOURCE)[function].nin]
        call = kernapi.Prepared(ctx.module(SOURCE)[function], inputs,
                                [tensor(out)], stream=stream.value)
        call()
        driver.cuCtxSynchronize()
        numbers = np.arange(1, n + 1, dtype=np.int32)
        expected = FUNCTIONS[function](*[numbers, zeros][:len(inputs)])
        for turn in range(3):
            ctx.lib.assign(tensor(x).c, kernapi.Tensor.of(zeros).c)
            driver.cuCtxSynchronize()
            if captured:
                graph, program = ctypes.c_void_p(), ctypes.c_void_p()
                driver.cuStreamBeginCapture_v2(stream, 2)
            driver.launch(slow, 64, stream, x.pointer, n)
            call()
            if captured:
                driver.cuStreamEndCapture(stream, ctypes.byref(graph))
                driver.cuGraphInstantiateWithFlags(
                    ctypes.byref(program), graph, ctypes.c_uint64(0))
                driver.cuGraphLaunch(program, stream)
            driver.cuStreamSynchronize(stream)
            t.same(f"turn {turn}", out.numpy(ctx.lib), expected)
            if captured:
                driver.cuGraphExecDestroy(program)
                driver.cuGraphDestroy(graph)
        driver.cuStreamDestroy_v2(stream)
    return run


def cases(ctx):
    for n, length in ((4, 2000), (33, 800), (128, 400), (500, 60),
                      (1300, 20)):
        yield f"of {n} by {n}", chain(ctx, n, length)
    if ctx.device == "cpu":
        return
    for function in ("mix", "longer", "turned"):
        for captured in (False, True):
            yield (f"{function} behind a slow kernel"
                   + (", captured" if captured else ""),
                   behind_a_slow_kernel(ctx, function, captured))
