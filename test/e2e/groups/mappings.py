"""Every mapping of gufuncs on a GPU, forced in turn on the same data, against
NumPy; and that results do not depend on strides."""

import contextlib
import os
import pathlib

import numpy as np

SOURCE = (pathlib.Path(__file__).parent / "mappings.kern").read_text()

FORCED = [None, "grouped", "flat", "across", "sliced", "across,sliced",
          "resident", "sliced,resident", "sliced,recentred",
          "across,sliced,recentred", "sliced,recentred,resident", "privatised", "sliced,privatised",
          "staged", "staged,spread", "flat,tiled", "phases"]


class Forced:
    """Asks the runtime for a mapping, and for kernels in which extents are
    constants or are not. A call of another mapping needs a module of its own,
    since modules keep their plans."""

    def __init__(self, ctx, mapping, source=SOURCE, extents=None):
        self.ctx = ctx
        self.wanted = {"KERN_MAPPING": mapping, "KERN_EXTENTS": extents}
        self.text = source + f"# {mapping} {extents}\n"

    @contextlib.contextmanager
    def asked(self):
        before = {name: os.environ.pop(name, None) for name in self.wanted}
        self.set(self.wanted)
        try:
            yield
        finally:
            self.set(before)

    @staticmethod
    def set(variables):
        for name, value in variables.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value

    def __call__(self, function, *arguments, **asked):
        with self.asked():
            return self.ctx.call(self.text, function, *arguments, **asked)

    def update(self, function, *arguments, out=None):
        """A call with arrays of the host, some of which it changes."""
        with self.asked():
            self.ctx.module(self.text)[function](
                *arguments, out=out, device=self.ctx.dl_device)


SHAPES = [((), 1), ((), 2), ((), 31), ((), 1000), ((), 4097), ((), 100003),
          ((1,), 257), ((3,), 1024), ((33,), 5), ((64,), 129), ((257,), 17),
          ((40, 3), 300), ((2, 3, 4), 33), ((1000,), 3), ((5, 0), 7),
          ((300,), 512), ((20,), 2047), ((3,), 16384), ((2,), 16388)]


def moved(array, k):
    """The same values with the loop's and core's axes lying otherwise."""
    if k == 0:
        return array
    if k == 1:  # the first axis is innermost in memory
        return np.asfortranarray(array)
    if k == 2:  # backwards, and apart
        wide = np.zeros(array.shape[:-1] + (2 * array.shape[-1] + 1,),
                        array.dtype)
        wide[..., -2:0:-2] = array
        return wide[..., -2:0:-2]
    raise ValueError(k)


def close(got, expected, dtype):
    rtol = {2: 5e-3, 4: 2e-5, 8: 1e-12}[np.dtype(dtype).type(0).real.nbytes]
    return got.shape == expected.shape and np.allclose(
        got, expected, rtol=rtol, atol=rtol, equal_nan=True)


def in_layouts(t, call, name, arrays, expected, agrees):
    """Checks the results of several layouts: they agree with what is expected,
    and have the same bits."""
    first = None
    label = f"{name} {arrays[0].dtype} {arrays[0].shape}"
    for k in range(3):
        got = call(name, *[moved(a, k) if a.ndim else a for a in arrays])
        got = [np.asarray(g) for g in (got if isinstance(got, tuple) else (got,))]
        for g, e in zip(got, expected, strict=True):
            t.check(f"{label} layout {k}", agrees(g, np.asarray(e)),
                    f"{g} instead of {e}")
        bits = [g.tobytes() for g in got]
        first = first or bits
        t.check(f"{label} layout {k}: the same bits", bits == first)


def asked(ctx, mappings):
    """Each mapping with its name; on a CPU the one that is chosen alone."""
    for mapping in mappings:
        if ctx.device == "cuda" or mapping is None:
            yield mapping, mapping or "chosen"


def rows(ctx, mapping):
    """Functions of rows: reductions, and maps that follow them."""
    call = Forced(ctx, mapping)

    def check(t, name, dtype, arrays, expected, exact):
        def agrees(got, want):
            if exact or want.dtype.kind in "iu":
                return np.array_equal(got, want)
            return close(got, want, dtype)
        in_layouts(t, call, name, arrays, expected, agrees)

    def run(t):
        rng = ctx.rng(11)
        for loop, n in SHAPES:
            shape = loop + (n,)
            for dtype in (np.float32, np.float64):
                v = rng.standard_normal(shape).astype(dtype)
                w = rng.standard_normal(shape).astype(dtype)
                wide, other = v.astype(float), w.astype(float)
                check(t, "l2_norm", dtype, [v],
                      [np.sqrt((wide ** 2).sum(-1))], False)
                check(t, "dot", dtype, [v, w], [(wide * other).sum(-1)], False)
                check(t, "mean_var", dtype, [v],
                      [wide.mean(-1), wide.var(-1)], False)
                if v.size:
                    check(t, "extremes", dtype, [v],
                          [v.argmax(-1), v.argmin(-1), v.max(-1)], True)
                e = np.exp(wide - wide.max(-1, keepdims=True, initial=-np.inf))
                y = e / e.sum(-1, keepdims=True)
                check(t, "softmax", dtype, [v], [y], False)
                unit = (wide - wide.mean(-1, keepdims=True)) / np.sqrt(
                    wide.var(-1, keepdims=True) + 1e-5)
                check(t, "layer_norm", dtype, [v, w, v],
                      [unit * other + wide], False)
            i = rng.integers(-100, 100, shape).astype(np.int32)
            check(t, "dot", np.int32, [i, i], [(i * i).sum(-1)], True)
            big = i > 60
            at = np.where(big, i, 1000).argmin(-1)
            check(t, "first_above", np.int32, [i, np.int32(60)],
                  [np.where(big.any(-1), at, -1)], True)
            count = (i > 0).sum(-1)
            mean = np.where(i > 0, i, 0).sum(-1) / np.maximum(count, 1)
            check(t, "kept", np.float64, [i], [count, mean], False)
            ties = rng.integers(0, 3, shape).astype(np.int8)
            if ties.size:
                check(t, "extremes", np.int8, [ties],
                      [ties.argmax(-1), ties.argmin(-1), ties.max(-1)], True)
        nan = np.ones(5000, np.float32)
        nan[[1234, 4321]] = np.nan
        got = call("extremes", nan)
        t.check("the first NaN wins", got[0] == 1234 and got[1] == 1234
                and np.isnan(got[2]), str(got))
    return run


def cores(ctx, mapping):
    """Functions whose iterations can be loop elements."""
    call = Forced(ctx, mapping)

    def run(t):
        rng = ctx.rng(12)

        def ints(*shape, dtype=np.int32):
            return rng.integers(-50, 50, shape).astype(dtype)

        for loop in ((), (3,), (40,), (2, 0)):
            for m, k, n in ((1, 1, 1), (3, 1000, 1), (64, 65, 33), (129, 4, 4),
                            (1, 0, 3), (0, 3, 2), (17, 2049, 5)):
                a, b = ints(*loop, m, k), ints(*loop, k, n)
                for layout in range(3):
                    la, lb = moved(a, layout), moved(b, layout)
                    name = f"{loop} {m} {k} {n} layout {layout}"
                    t.same("matmul " + name, call("matmul", la, lb), a @ b)
                    t.same("matvec " + name, call("matvec", la, lb[..., 0]),
                           (a @ b[..., :1])[..., 0])
                    t.same("turned " + name,
                           call("turned", la.astype(np.float32)),
                           np.swapaxes(a, -1, -2).astype(np.float32))
                    x, w = ints(*loop, m), ints(*loop, n)
                    t.same("outer " + name, call("outer", moved(x, layout), w),
                           x[..., :, None] * w[..., None, :])
        for n, k in ((1, 1), (7, 7), (100, 7), (5000, 127), (3000, 1023)):
            x, w = ints(n), ints(k)
            t.same(f"convolve {n} {k}", call("convolve", x, w),
                   np.convolve(x, w, "valid"))
            xs = ints(5, n)
            t.same(f"convolve rows {n} {k}", call("convolve", xs, w), np.stack(
                [np.convolve(row, w, "valid") for row in xs]))
        for n in (1, 2, 33, 1001):
            v = ints(4, n)
            t.same(f"every_other {n}", call("every_other", v),
                   (v[:, ::-1][:, ::2][:, :n // 2] - v[:, :1]))
            wide = v.astype(np.int64)
            t.same(f"numbered {n}", call("numbered", wide, np.int64(3)),
                   wide * 3 + np.arange(n))
        for n in (1, 2, 31, 200):
            a = ints(2, n, n)
            t.same(f"triangle {n}", call("triangle", a),
                   np.tril(a, -1).sum(-1, dtype=np.int32))
            t.same(f"branches {n}", call("branches", a), np.where(
                np.arange(n) % 2 == 0, a.sum(-1, dtype=np.int32), a[..., 0]))
            small = a % 3
            acc = np.zeros((2, n), np.int32) + 5
            for j in range(n):
                acc = acc * 3 + small[..., j]
            t.same(f"recurrence {n}", call("recurrence", small, np.int32(5)),
                   acc)
    return run


def sums(ctx, mapping):
    """Elements that iterations share."""
    call = Forced(ctx, mapping)

    def run(t):
        rng = ctx.rng(13)
        for loop, n in (((), 0), ((), 1), ((), 100003), ((3,), 5000),
                        ((70,), 33)):
            v = rng.integers(0, 256, loop + (n,)).astype(np.uint8)
            expected = np.stack([np.bincount(row, minlength=256) for row
                                 in v.reshape(-1, n)]).reshape(loop + (256,)) \
                if n else np.zeros(loop + (256,))
            t.same(f"histogram {v.shape}", call("histogram", v),
                   expected.astype(np.int32))
            x = rng.integers(-9, 9, loop + (n,)).astype(np.int32)
            at = rng.integers(0, 7, loop + (n,))
            h = np.full(loop + (7,), 10, np.int64)
            for index in np.ndindex(loop):
                np.add.at(h[index], at[index], x[index])
            t.same(f"scattered {x.shape}", call("scattered", x, at), h)
            for k in (7, 700, 30000):  # 30000 do not fit into shared memory
                a = rng.integers(0, k, loop + (n,)).astype(np.int32)
                h = rng.integers(0, 99, loop + (k, 4)).astype(np.uint32)
                o = rng.integers(0, 99, loop + (k,))
                sums, bits = h.copy(), o.copy()
                for index in np.ndindex(loop):
                    b = v[index]
                    np.add.at(sums[index], (a[index], b % 4), b)
                    np.bitwise_or.at(bits[index], a[index],
                                     np.int64(1) << (b % 63).astype(np.int64))
                # Chunks begin where elements are aligned; backwards, nowhere.
                for layout in range(3):
                    got = h.copy(), o.copy()
                    call.update("several", moved(a, layout), moved(v, layout),
                                *got)
                    name = f"several {a.shape} {k} layout {layout}"
                    t.same(name, got[0], sums)
                    t.same(name + ", bits", got[1], bits)
            if n:
                t.same(f"most {v.shape}", call("most", v),
                       expected.max(-1).astype(np.int32))
        for m, n in ((1, 1), (3, 50000), (40, 333)):
            a = rng.integers(0, 256, (m, n)).astype(np.uint8)
            h, x = np.zeros((m, 16), np.int32), np.zeros(8, np.uint32)
            at = np.repeat(np.arange(m), n)
            sums, bits = h.copy(), x.copy()
            np.add.at(sums, (at, a.ravel() % 16), 1)
            np.bitwise_xor.at(bits, a.ravel() % 8, a.ravel().astype(np.uint32))
            call.update("pairs", a, h, x)
            t.same(f"pairs {m} {n}", h, sums)
            t.same(f"pairs {m} {n}, bits", x, bits)
    return run


def kept(ctx, mapping):
    """Rows that several loops read, beside loops of other types, in places that
    depend on data, and with stores between."""
    call = Forced(ctx, mapping)

    def run(t):
        rng = ctx.rng(14)
        for rows, n in ((1, 5), (3, 4096), (70, 1024), (3000, 64), (40, 33)):
            x = rng.integers(-9, 9, (rows, n)).astype(float)
            w = rng.integers(-9, 9, (rows, n)).astype(np.float32)
            m, v, s = call("mixed", x, w)
            t.check(f"mixed {rows} {n}", np.allclose(m, x.mean(1)) and
                    np.allclose(v, x.var(1)) and
                    np.array_equal(s, w.sum(1, dtype=float)))
            for each in (x, x.astype(np.int32)):
                spread = np.ptp(each, 1)[:, None]
                y, z = call("beside_locals", each)
                steps = np.arange(3, dtype=each.dtype)
                t.same(f"beside_locals {rows} {n} {each.dtype}", y, spread + (
                    each[:, :, None] * (steps + 1)).max(1))
                t.same(f"beside_locals {rows} {n} {each.dtype}, rows", z,
                       spread + each.min(1)[:, None] - steps)
            off = x - x.max(1, keepdims=True)
            y = off * off.sum(1, keepdims=True)
            for layout in range(3):
                got = call("topped", moved(x, layout))
                t.same(f"topped {rows} {n} {layout}", got[0], y)
                t.same(f"topped {rows} {n} {layout}, top", got[1][:, 0],
                       x.max(1))
            pair = rng.integers(-9, 9, (rows, 2, n)).astype(float)
            y, s = call("stored_first", x, pair)
            t.same(f"stored_first {rows} {n}", y, x * 2 + pair[:, 1])
            t.same(f"stored_first {rows} {n}, sum", s,
                   (x * pair[:, 1]).sum(1))
            wide = rng.integers(-9, 9, (rows, 3, n + 1)).astype(float)
            k = rng.integers(0, 3, rows)
            for name, each in (("odd rows", wide[:, :, :n]),
                               ("begun at one", wide[:, :, 1:]),
                               ("turned", np.asfortranarray(wide)[:, :, :n])):
                picked = each[np.arange(rows), k]
                off = picked - picked.max(1, keepdims=True)
                t.same(f"of_row {rows} {n} {name}", call("of_row", each, k),
                       off * off.sum(1, keepdims=True))
            for m in (0, 1, n // 2, n):
                some = x[:, :m] + 1
                both = x.copy()
                both[:, :m] += some
                t.same(f"guarded {rows} {n} {m}",
                       call("guarded", x, np.ascontiguousarray(some)),
                       both.cumsum(1))
    return run


def cases(ctx):
    for mapping, name in asked(ctx, FORCED):
        yield f"rows, {name}", rows(ctx, mapping)
        yield f"cores, {name}", cores(ctx, mapping)
        yield f"sums, {name}", sums(ctx, mapping)
        yield f"kept, {name}", kept(ctx, mapping)
