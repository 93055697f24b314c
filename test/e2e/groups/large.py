"""Beyond 2^31 elements and 2^32 bytes: on a GPU with the memory for it."""

import numpy as np

import kernapi
from kernapi import CUDA, Tensor
from suite import Skip

SOURCE = """
ufunc add(a, b):
    return a + b

gufunc total(v: u8[n]) -> u64:
    return sum(v)

gufunc count(v: i8[n], x: i8) -> i64:
    return sum(1 for e in v if e == x)
"""
GPU = (CUDA, 0)


def room(ctx, gigabytes):
    if ctx.device != "cuda":
        raise Skip("arrays of this size are tried on a GPU only")
    free = ctx.lib.describe(GPU).memory_free
    if free < gigabytes << 30:
        raise Skip(f"{free >> 30} GiB are free, {gigabytes} are needed")


def call(function, arguments, outputs=None):
    """A call on arrays that are on the device already."""
    values = (kernapi.Value * len(arguments))()
    for value, argument in zip(values, arguments):
        kernapi.fill_value(value, argument, Tensor.of, [])
    return function.raw(values, outputs)[0]


def upload(ctx, array):
    return ctx.lib.copy(Tensor.of(array).c, GPU)


def outer(ctx):
    """A broadcast result of more than 2^32 elements."""
    def run(t):
        room(ctx, 6)
        lib, module = ctx.lib, ctx.module(SOURCE)
        m, n = 65537, 65543
        rng = ctx.rng(1)
        column = rng.integers(0, 256, (m, 1)).astype(np.uint8)
        row = rng.integers(0, 256, n).astype(np.uint8)
        result = call(
            module["add"], (upload(ctx, column), upload(ctx, row)))
        t.check("shape", result.shape == (m, n))
        for start in (0, 1, 32768, 65535, 65536):
            part = lib.copy(Tensor(
                result.pointer + start * n, np.uint8, (1, n), (n, 1),
                GPU).c, (kernapi.CPU, 0)).numpy(lib)
            t.same(f"row {start}", part[0], column[start] + row)
        sums = call(module["total"], (result,)).numpy(lib)
        counts = np.bincount(row, minlength=256).astype(np.uint64)
        byte = np.arange(256, dtype=np.uint8)
        table = np.array([
            int(((byte + np.uint8(c)).astype(np.uint64) * counts).sum())
            for c in range(256)], np.uint64)
        t.same("every row's sum", sums, table[column[:, 0]])
    return run


def contiguous(ctx):
    """One dimension of 2^32 + 33 elements, in place and with a scalar."""
    def run(t):
        room(ctx, 10)
        lib, module = ctx.lib, ctx.module(SOURCE)
        n = (1 << 32) + 33
        buffer = lib.new_array(np.int8, (n,), GPU)
        whole = Tensor(buffer.pointer, np.int8, (n,), (1,), GPU)
        zero = upload(ctx, np.zeros(1, np.int8))
        stretched = Tensor(zero.pointer, np.int8, (n,), (0,), GPU)
        add, count = module["add"], module["count"]
        call(add, (stretched, np.int8(5)), [whole])
        call(add, (whole, whole), [whole])
        sevens = Tensor(buffer.pointer + (1 << 31), np.int8, (7,), (1,), GPU)
        lib.assign(sevens.c, Tensor.of(np.full(7, 7, np.int8)).c)
        last = Tensor(buffer.pointer + n - 1, np.int8, (1,), (1,), GPU)
        lib.assign(last.c, Tensor.of(np.full(1, 3, np.int8)).c)
        for value, expected in [(10, n - 8), (7, 7), (3, 1), (0, 0)]:
            got = call(count, (whole, np.int8(value)))
            t.same(f"count of {value}", got.numpy(lib), np.array(expected))
    return run


def wide_view(ctx):
    """Few elements, spread over more than 2^32 bytes; negative strides."""
    def run(t):
        room(ctx, 10)
        lib, module = ctx.lib, ctx.module(SOURCE)
        step = (1 << 27) + 3
        rows = 64
        buffer = lib.new_array(np.uint8, (rows * step,), GPU)
        data = ctx.rng(2).integers(0, 256, (rows, 5)).astype(np.uint8)
        target = Tensor(buffer.pointer, np.uint8, (rows, 5), (step, 1), GPU)
        lib.assign(target.c, Tensor.of(data).c)
        reverse = Tensor(buffer.pointer + (rows - 1) * step, np.uint8,
                         (rows, 5), (-step, 1), GPU)
        add = module["add"]
        got = call(add, (target, reverse)).numpy(lib)
        t.same("forward and backward", got, data + data[::-1])
        call(add, (target, np.uint8(1)), [target])
        got = lib.copy(target.c, (kernapi.CPU, 0)).numpy(lib)
        t.same("in place", got, data + np.uint8(1))
        sums = call(module["total"], (Tensor(
            buffer.pointer, np.uint8, (5, rows), (1, step), GPU),))
        t.same("core dimension of wide stride", sums.numpy(lib),
               (data + np.uint8(1)).sum(0, dtype=np.uint64))
    return run


def cases(ctx):
    yield "an outer sum of 2^32 elements", outer(ctx)
    yield "2^32 elements in one dimension", contiguous(ctx)
    yield "a view over 2^33 bytes", wide_view(ctx)
