"""Gufuncs beyond 2^31 and 2^32 iterations and elements, with every mapping and
from compiled files: on a GPU with the memory for it."""

import subprocess

import numpy as np

import kernapi
from kernapi import CPU, Tensor
from groups.large import GPU, room, upload
from groups.mappings import Forced

SOURCE = """
ufunc low(a, b):
    return a + b

gufunc windows(v: T[n], w: T[k]) -> (y: T[n - k + 1]) where T in (i8, f32):
    for i in prange(n - k + 1):
        y[i] = T(sum(v[i + p] * w[p] for p in range(k)))

gufunc scaled_sums(v: i8[n], w: i8[k]) -> (y: i8[n]):
    for i in prange(n):
        y[i] = i8(sum(v[i] + w[p] for p in range(k)))

gufunc turned(a: u8[m, n]) -> (t: u8[n, m]):
    for i, j in prange(n, m):
        t[i, j] = a[j, i]

gufunc products(a: f32[m, k], b: f32[k, n]) -> (c: f32[m, n]):
    for i, j in prange(m, n):
        c[i, j] = sum(a[i, p] * b[p, j] for p in range(k))

gufunc ends(v: i8[n]) -> (at: i64, low: i64, total: i64):
    return argmax(v), argmin(v), sum(v)

gufunc histogram(v: u8[n]) -> (h: i64[256]):
    for i in prange(256):
        h[i] = 0
    for i in prange(n):
        h[v[i]] += 1

gufunc marked(at: i64[k], inout h: i8[n]):
    for i in prange(k):
        h[at[i]] = 1

gufunc running(v: i8[n]) -> (y: i8[n]):
    acc = i8(0)
    for i in range(n):
        acc += v[i]
        y[i] = acc

gufunc below_top(v: f32[n]) -> (y: f32[n]):
    top = max(v)
    total = sum(x - top for x in v)
    for i in prange(n):
        y[i] = v[i] - top + total
"""
FLAT = [None, "grouped", "flat", "flat,across", "flat,sliced", "flat,tiled"]
ROWS = [None, "grouped", "across", "sliced", "resident", "privatised",
        "sliced,privatised", "staged"]
PERIOD = 251  # of the values, which no power of two divides


class Device:
    """Arrays on the device, of which a part is looked at."""

    def __init__(self, ctx, mapping=None):
        self.lib, self.forced = ctx.lib, Forced(ctx, mapping, SOURCE)
        self.module = ctx.module(self.forced.text)

    def call(self, name, *arguments, outputs=None):
        """The results of a call on arrays that are on the device already."""
        given = (kernapi.Value * len(arguments))()
        for value, argument in zip(given, arguments):
            kernapi.fill_value(value, argument, Tensor.of, [])
        with self.forced.asked():
            return self.module[name].raw(given, outputs)

    def periodic(self, shape, dtype):
        """An array whose element at place p is p % PERIOD % 7, in C order."""
        count = int(np.prod(shape, dtype=object))
        rows = -(-count // PERIOD)
        made = self.lib.new_array(dtype, (rows * PERIOD,), GPU)
        row = upload(self, (np.arange(PERIOD) % 7).astype(dtype))
        each = Tensor(row.pointer, dtype, (rows, PERIOD), (0, 1), GPU)
        all_ = Tensor(made.pointer, dtype, (rows, PERIOD), (PERIOD, 1), GPU)
        self.call("low", each, dtype(0), outputs=[all_])
        return View(made, dtype, shape)

    def part(self, view, start, count):
        """Elements from `start` on, in C order, as NumPy's."""
        size = np.dtype(view.dtype).itemsize
        piece = Tensor(view.pointer + start * size, view.dtype, (count,), (1,),
                       GPU)
        return self.lib.copy(piece.c, (CPU, 0)).numpy(self.lib)


class View(Tensor):
    """A contiguous array on the device, of memory that it keeps."""

    def __init__(self, owned, dtype, shape):
        strides = [int(np.prod(shape[k + 1:], dtype=object))
                   for k in range(len(shape))]
        super().__init__(owned.pointer, dtype, shape, strides, GPU)
        self.owned, self.pointer, self.dtype = owned, owned.pointer, dtype


def values(places, dtype):
    return (np.asarray(places) % PERIOD % 7).astype(dtype)


def seen(count):
    """Where results are looked at: both ends, and around powers of two."""
    places = [0, (1 << 31) - 500, (1 << 32) - 500, (1 << 33) - 500,
              count - 1000]
    return [p for p in places if 0 <= p <= count - 1000]


def check_windows(t, ctx, device, dtype, n, k):
    """`windows` of `k`, at some places."""
    v = device.periodic((n,), dtype)
    w = np.arange(1, k + 1).astype(dtype)
    y, = device.call("windows", v, upload(ctx, w))
    y = View(y, dtype, (n - k + 1,))
    for start in seen(n - k + 1):
        places = start + np.arange(1000)[:, None] + np.arange(k)
        want = (values(places, np.int64) * w.astype(np.int64)).sum(-1)
        t.same(f"windows from {start}", device.part(y, start, 1000),
               want.astype(dtype))


def check_scaled_sums(t, ctx, device):
    """`scaled_sums`, at some places: rows so long that a block would share each,
    if they were fewer."""
    n, k = (1 << 31) + 3, 1100
    v = device.periodic((n,), np.int8)
    w = np.arange(k).astype(np.int8)
    y, = device.call("scaled_sums", v, upload(ctx, w))
    y = View(y, np.int8, (n,))
    for start in seen(n):
        each = values(start + np.arange(1000), np.int64)
        want = each * k + w.astype(np.int64).sum()
        t.same(f"sums from {start}", device.part(y, start, 1000),
               want.astype(np.int8))


def windows(ctx, mapping, dtype, n):
    def run(t):
        room(ctx, (2 * n * np.dtype(dtype).itemsize >> 30) + 3)
        check_windows(t, ctx, Device(ctx, mapping), dtype, n, 7)
    return run


def scaled_sums(ctx, mapping):
    def run(t):
        room(ctx, 6)
        check_scaled_sums(t, ctx, Device(ctx, mapping))
    return run


def matrices(ctx, mapping):
    def run(t):
        room(ctx, 20)
        device, m, n = Device(ctx, mapping), 65537, 65543
        a = device.periodic((m, n), np.uint8)
        turned = View(device.call("turned", a)[0], np.uint8, (n, m))
        for start in seen(m * n):
            i, j = np.divmod(start + np.arange(1000), m)
            t.same(f"turned, from {start}", device.part(turned, start, 1000),
                   values(j * n + i, np.uint8))
        del a, turned
        left = np.arange(m * 3).reshape(m, 3).astype(np.float32) % 11
        right = np.arange(3 * n).reshape(3, n).astype(np.float32) % 13
        c, = device.call("products", upload(ctx, left), upload(ctx, right))
        c = View(c, np.float32, (m, n))
        for start in seen(m * n):
            i, j = np.divmod(start + np.arange(1000), n)
            t.same(f"products, from {start}", device.part(c, start, 1000),
                   (left[i] * right[:, j].T).sum(-1))
    return run


def long_row(ctx, mapping):
    def run(t):
        room(ctx, 8)
        n = (1 << 32) + 33
        device = Device(ctx, mapping)
        v = device.periodic((n,), np.int8)
        for place, value in ((n - 2, 100), ((1 << 31) + 5, -100)):
            device.lib.assign(
                Tensor(v.pointer + place, np.int8, (1,), (1,), GPU).c,
                Tensor.of(np.array([value], np.int8)).c)
        changed = sum(value - int(values(place, np.int64)) for place, value in (
            (n - 2, 100), ((1 << 31) + 5, -100)))
        whole, rest = divmod(n, PERIOD)
        period = values(np.arange(PERIOD), np.int64)
        total = int(period.sum()) * whole + int(period[:rest].sum()) + changed
        for name, result, want in zip(("largest", "least", "total"),
                                      device.call("ends", v),
                                      (n - 2, (1 << 31) + 5, total)):
            t.same(name, result.numpy(device.lib), np.array(want))
    return run


def histogram(ctx, mapping):
    def run(t):
        room(ctx, 8)
        n = (1 << 32) + 33
        device = Device(ctx, mapping)
        got, = device.call("histogram", device.periodic((n,), np.uint8))
        whole, rest = divmod(n, PERIOD)
        period = values(np.arange(PERIOD), np.int64)
        want = np.bincount(period, minlength=256) * whole + \
            np.bincount(period[:rest], minlength=256)
        t.same("bins", got.numpy(device.lib), want)
    return run


def marked(ctx, mapping):
    """Places that data decides, beyond 2^32."""
    def run(t):
        room(ctx, 8)
        n = (1 << 32) + 1033
        device = Device(ctx, mapping)
        h = device.periodic((n,), np.int8)
        device.call("low", h, np.int8(10), outputs=[h])
        at = np.array([0, 7, (1 << 31) - 1, 1 << 31, (1 << 32) + 2, n - 1])
        device.call("marked", upload(ctx, at), h)
        for start in seen(n):
            want = values(start + np.arange(1000), np.int8) + np.int8(10)
            inside = at[(at >= start) & (at < start + 1000)] - start
            want[inside] = 1
            t.same(f"from {start}", device.part(h, start, 1000), want)
    return run


def many_rows(ctx, mapping):
    """Few elements in a row, and more than 2^32 of them."""
    def run(t):
        room(ctx, 20)
        device = Device(ctx, mapping)
        rows, n = (1 << 22) + 1, 1031
        y, = device.call("running", device.periodic((rows, n), np.int8))
        y = View(y, np.int8, (rows, n))
        for row in (0, 1, (1 << 31) // n, (1 << 32) // n, rows - 1):
            want = values(row * n + np.arange(n), np.int8).cumsum(
                dtype=np.int8)
            t.same(f"sums of row {row}", device.part(y, row * n, n), want)
        del y
        rows, n = (1 << 19) + 1, 4100
        v = device.periodic((rows, n), np.float32)
        y = View(device.call("below_top", v)[0], np.float32, (rows, n))
        for row in (0, 1, (1 << 31) // n, rows - 1):
            x = values(row * n + np.arange(n), np.float32)
            off = x - x.max()
            t.same(f"row {row} below its top", device.part(y, row * n, n),
                   off + off.sum())
    return run


def compiled(ctx, forms):
    """Flat nests of a file, beyond the limit of a grid."""
    def run(t):
        room(ctx, 20)
        source = ctx.scratch / f"large_{forms}.kern"
        source.write_text(SOURCE)
        file = source.with_suffix(".ptx")
        capability = ctx.lib.describe(GPU).compute_capability
        subprocess.run([ctx.kern, "compile", "-q", source, "-o", file,
                        "--forms", forms, "--target", f"sm_{capability}",
                        "--signature", "windows: f32(f32, f32)",
                        "--signature", "scaled_sums: i8(i8, i8)",
                        "--signature", "low: i8(i8, i8)",
                        "--signature", "low: f32(f32, f32)"], check=True)
        device = Device(ctx)
        device.module = ctx.lib.load_file(file)
        check_scaled_sums(t, ctx, device)
        check_windows(t, ctx, device, np.float32, (1 << 31) + 3, 3)
    return run


def cases(ctx):
    for mapping in FLAT:
        name = mapping or "chosen"
        yield f"2^31 windows of f32, {name}", windows(
            ctx, mapping, np.float32, (1 << 31) + 3)
        yield f"2^32 windows of i8, {name}", windows(
            ctx, mapping, np.int8, (1 << 32) + 9)
        if mapping != "grouped":  # one block would take a minute
            yield f"2^31 long sums, {name}", scaled_sums(ctx, mapping)
        yield f"matrices, {name}", matrices(ctx, mapping)
    for mapping in ROWS:
        name = mapping or "chosen"
        yield f"2^32 elements in a row, {name}", long_row(ctx, mapping)
        yield f"a histogram of 2^32, {name}", histogram(ctx, mapping)
        yield f"places beyond 2^32, {name}", marked(ctx, mapping)
        yield f"2^32 elements in rows, {name}", many_rows(ctx, mapping)
    for forms in ("standard", "all"):
        yield f"a compiled file, {forms}", compiled(ctx, forms)
