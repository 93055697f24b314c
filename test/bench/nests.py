"""Gufuncs whose loops go elsewhere than one row to a group of lanes: reductions
along other axes, of few rows, maps after reductions, products of matrices,
windows, loops in order, histograms."""

import math

import cupy
import numpy as np

from contenders import HERE, Work, as_torch, compiled, torch
from data import largest

SOURCE = (HERE / "nests.kern").read_text()


def close(expected, tolerance, scale=None):
    """A check of whole results, row by row: `expected(rows)` gives what each
    output should be there, in float64, for a slice of the first axis. Errors
    are relative, or count in units of `scale`."""
    def check(results):
        worst, rows = 0.0, results[0].shape[0] if results[0].ndim else 1
        each = max(1, math.prod(results[0].shape[1:]))
        count = max(1, min(rows, (1 << 22) // each))
        for begin in sorted({0, max(0, rows // 2 - count), rows - count}):
            part = slice(begin, begin + count)
            wanted = expected(part)
            for result, want in zip(results, wanted if isinstance(
                    wanted, list) else [wanted]):
                found = (result[part] if result.ndim else result)
                unit = tolerance * (scale or cupy.abs(want) + tolerance)
                worst = max(worst, largest(
                    cupy.abs(found.astype(np.float64) - want) / unit))
        return worst
    return check


class Maker:
    """Makes the works of one run."""

    def __init__(self, sources, data, which):
        self.sources, self.data, self.which = sources, data, which

    def take(self, shape, k=0):
        count = math.prod(shape)
        return self.data.f32(k + 1)[k][:count].reshape(shape)

    def out(self, shape):
        return self.data.out()[0][:math.prod(shape)].reshape(shape)

    def work(self, name, function, arguments, outs, check, share, *,
             cupy_call=None, torch_call=None):
        """`share` is the goal, of a copy of the arrays' bytes."""
        size = sum(a.nbytes for a in (*arguments, *outs)
                   if isinstance(a, cupy.ndarray))
        work = Work(name, size, {"kern": self.sources.call(
            SOURCE, function, arguments, outs)}, outs, check,
            [("copy", share)] if share else [])
        if cupy_call and "CuPy" in self.which:
            work.add("CuPy", lambda: cupy_call)
        if torch and torch_call:
            tensors = [as_torch(a) for a in arguments]
            if "torch" in self.which:
                work.add("torch", lambda: lambda: torch_call(*tensors))
            if "torch.compile" in self.which:
                work.add("torch.compile",
                         lambda: compiled(torch_call, arguments))
        return work

    def norm(self, shape, axis, share):
        x = self.take(shape)
        moved = cupy.moveaxis(x, axis, -1)
        out = self.out(moved.shape[:-1])

        def expected(part):
            rows = moved[part] if out.ndim else moved
            return cupy.sqrt((rows.astype(np.float64) ** 2).sum(axis=-1))
        return self.work(
            f"l2_norm {shape} axis {axis}", "l2_norm", (moved,), [out],
            close(expected, 1e-6 * max(4, shape[axis] ** 0.25)), share,
            torch_call=lambda v: torch.linalg.vector_norm(v, dim=-1))

    def statistics(self, rows, n, share):
        x = self.take((rows, n))
        outs = [cupy.empty(rows, np.float32) for _ in range(2)]

        def expected(part):
            wide = x[part].astype(np.float64)
            return [wide.mean(axis=1), wide.var(axis=1)]
        return self.work(
            f"mean_var ({rows}, {n})", "mean_var", (x,), outs,
            close(expected, 1e-5), share,
            torch_call=lambda v: torch.var_mean(v, dim=1, correction=0)[::-1])

    def argmax(self, rows, n, share):
        x = self.take((rows, n))
        out = cupy.empty(rows, np.int64)
        return self.work(
            f"argmax ({rows}, {n})", "imax", (x,), [out],
            close(lambda part: x[part].argmax(axis=1).astype(np.float64),
                  1e-12), share,
            torch_call=lambda v: torch.argmax(v, dim=1))

    def softmax(self, rows, n, share):
        x, out = self.take((rows, n)), self.out((rows, n))

        def expected(part):
            wide = x[part].astype(np.float64)
            e = cupy.exp(wide - wide.max(axis=1, keepdims=True))
            return e / e.sum(axis=1, keepdims=True)
        return self.work(
            f"softmax ({rows}, {n})", "softmax", (x,), [out],
            close(expected, 1e-5), share,
            torch_call=lambda v: torch.softmax(v, dim=1))

    def layer_norm(self, rows, n, share):
        x, out = self.take((rows, n)), self.out((rows, n))
        g, b = self.data.f32(2)[1][:2 * n].reshape(2, n)

        def expected(part):
            wide = x[part].astype(np.float64)
            unit = (wide - wide.mean(axis=1, keepdims=True)) / cupy.sqrt(
                wide.var(axis=1, keepdims=True) + 1e-5)
            return unit * g + b
        return self.work(
            f"layer_norm ({rows}, {n})", "layer_norm", (x, g, b), [out],
            close(expected, 1e-4, scale=1.0), share,
            torch_call=lambda v, g, b: torch.nn.functional.layer_norm(
                v, (n,), g, b, 1e-5))

    def matmul(self, batch, m, k, n, share, dtype=np.float32):
        a = self.take((*batch, m, k)).astype(dtype, copy=False)
        b = self.take((*batch, k, n), 1).astype(dtype, copy=False)
        out = cupy.empty((*batch, m, n), dtype)

        def expected(part):
            return (a[part].astype(np.float64)
                    @ (b[part] if batch else b).astype(np.float64))
        name = f"{batch} of " if batch else ""
        return self.work(
            f"matmul {np.dtype(dtype)} {name}({m}, {k}) ({k}, {n})", "matmul",
            (a, b), [out], close(expected, {2: 1e-2, 4: 3e-5, 8: 1e-12}[
                np.dtype(dtype).itemsize]), share,
            cupy_call=lambda: cupy.matmul(a, b, out=out))

    def matvec(self, m, k, share):
        a, x = self.take((m, k)), self.take((k,), 1)
        out = cupy.empty(m, np.float32)
        return self.work(
            f"matvec ({m}, {k})", "matvec", (a, x), [out], close(
                lambda part: a[part].astype(np.float64) @ x.astype(np.float64),
                1e-5), share, cupy_call=lambda: cupy.matmul(a, x, out=out))

    def vecmat(self, m, k, share):
        a, x = self.take((m, k)), self.take((m,), 1)
        out = cupy.empty(k, np.float32)
        return self.work(
            f"vecmat ({m}, {k})", "vecmat", (x, a), [out], close(
                lambda part: x.astype(np.float64)
                @ a[:, part].astype(np.float64), 1e-5), share,
            cupy_call=lambda: cupy.matmul(x, a, out=out))

    def outer(self, m, n, share):
        a, b, out = self.take((m,)), self.take((n,), 1), self.out((m, n))
        return self.work(
            f"outer ({m}, {n})", "outer", (a, b), [out], close(
                lambda part: a[part, None].astype(np.float64) * b, 1e-6),
            share, cupy_call=lambda: cupy.multiply(a[:, None], b, out=out))

    def turned(self, batch, m, n, share):
        a, out = self.take((batch, m, n)), self.out((batch, n, m))
        return self.work(
            f"transpose ({batch}, {m}, {n})", "turned", (a,), [out], close(
                lambda part: a[part].swapaxes(1, 2).astype(np.float64), 1e-9),
            share, cupy_call=lambda: cupy.copyto(out, a.swapaxes(1, 2)))

    def convolve(self, shape, k, share):
        x, w = self.take(shape), self.take((k,), 1)
        out = self.out((*shape[:-1], shape[-1] - k + 1))

        def expected(part):
            wide, weights = x.astype(np.float64), w.astype(np.float64)
            if out.ndim == 1:
                begin, end = part.start, min(part.stop, out.shape[0])
                return sum(weights[j] * wide[begin + k - 1 - j:end + k - 1 - j]
                           for j in range(k))
            last = out.shape[1]
            return sum(weights[j] * wide[part, k - 1 - j:k - 1 - j + last]
                       for j in range(k))
        return self.work(f"convolve {shape} by {k}", "convolve", (x, w), [out],
                         close(expected, 1e-5), share)

    def stencil(self, n, points, share):
        a, out = self.take((n, n, n)), self.out((n, n, n))

        weights = [[0.4, 0.1, 0, 0], [0.3, 0.06, 0.02, 0.01]][points == 27]

        def expected(part):
            p = a.astype(np.float64)[max(part.start - 1, 0):part.stop + 1]
            inner = 0.0
            for by in np.ndindex(3, 3, 3):
                weight = weights[sum(step != 1 for step in by)]
                if weight:
                    inner = inner + weight * p[tuple(
                        slice(step, size - 2 + step)
                        for step, size in zip(by, p.shape))]
            want = a[part].astype(np.float64)
            low = 1 if part.start == 0 else 0
            want[low:low + inner.shape[0], 1:-1, 1:-1] = inner
            return want
        return self.work(f"stencil of {points} points {n}^3",
                         f"stencil{points}", (a,), [out],
                         close(expected, 1e-5), share)

    def running(self, rows, n, share, axis=1):
        shape = (rows, n) if axis == 1 else (n, rows)
        x, out = (cupy.moveaxis(a, axis, -1)
                  for a in (self.take(shape), self.out(shape)))
        return self.work(
            f"running sums {shape} axis {axis}", "running", (x,), [out], close(
                lambda part: x[part].astype(np.float64).cumsum(axis=1), 1e-3),
            share, torch_call=lambda v: torch.cumsum(v, dim=1))

    def cumsum(self, shape, axis, share):
        x, out = self.take(shape), self.out(shape)
        x, out = (cupy.moveaxis(a, axis, -1) for a in (x, out))

        def expected(part):
            if x.ndim > 1:
                return x[part].astype(np.float64).cumsum(axis=-1)
            return x.astype(np.float64).cumsum()[part]
        return self.work(
            f"cumsum {shape} axis {axis}", "running_sum", (x,), [out],
            close(expected, 1e-4), share,
            cupy_call=lambda: cupy.cumsum(x, axis=-1, out=out),
            torch_call=lambda v: torch.cumsum(v, dim=-1))

    def recurrence(self, n, share):
        a, b, out = self.take((n,)), self.take((n,), 1), self.out((n,))

        def expected(part):
            # The factors are below 1 on average: what is far away is forgotten.
            first, rest = cupy.asnumpy(a), cupy.asnumpy(b)
            begin = max(part.start - 4096, 0)
            end = min(part.stop, part.start + 20000)
            last, found = 0.0, out[part].astype(np.float64)
            for i in range(begin, end):
                last = float(first[i]) * last + float(rest[i])
                if i >= part.start:
                    found[i - part.start] = last
            return found
        return self.work(f"recurrence of {n}", "recurrence", (a, b), [out],
                         close(expected, 1e-4, scale=1.0), share)

    def sosfilt(self, rows, n, share):
        x, out = self.take((rows, n)), self.out((rows, n))
        sos = cupy.asarray(np.tile(
            [[0.2, 0.1, 0.05, 1.0, -0.3, 0.1]], (4, 1)), np.float32)

        def expected(part):
            import scipy.signal
            picked = cupy.asnumpy(x[part][:4]).astype(np.float64)
            found = scipy.signal.sosfilt(cupy.asnumpy(sos), picked, axis=1)
            want = out[part].astype(np.float64)
            want[:4] = cupy.asarray(found)
            return want
        return self.work(f"sosfilt of 4 sections ({rows}, {n})", "sosfilt",
                         (sos, x), [out], close(expected, 1e-4), share)

    def histogram(self, rows, n, share, equal=False):
        shape = (rows, n) if rows else (n,)
        v = self.data.integers(0, 256, np.uint8, n=math.prod(shape))
        if equal:
            v.fill(77)
        v = v.reshape(shape)
        out = cupy.empty((*shape[:-1], 256), np.int32)

        def expected(part):
            if not rows:
                return cupy.bincount(v, minlength=256).astype(np.float64)[part]
            return cupy.stack([cupy.bincount(row, minlength=256)
                               for row in v[part]]).astype(np.float64)
        return self.work(
            f"histogram {shape}" + (" all equal" if equal else ""),
            "histogram", (v,), [out], close(expected, 1e-12), share,
            cupy_call=None if rows else lambda: cupy.bincount(
                v, minlength=256))

    def cholesky(self, batch, n, share):
        a = self.take((batch, n, n)) * np.float32(0.1)
        a = a + a.swapaxes(1, 2) + np.float32(n) * cupy.eye(n, dtype=np.float32)
        out = cupy.empty_like(a)
        return self.work(
            f"cholesky {batch} of ({n}, {n})", "cholesky", (a,), [out], close(
                lambda part: cupy.linalg.cholesky(a[part].astype(np.float64)),
                1e-4), share,
            torch_call=None if n > 64 else lambda v: torch.linalg.cholesky(v))

    def nearest(self, m, n, share):
        a, b = self.take((m, 3)), self.take((n, 3), 1)
        out = cupy.empty(m, np.float32)

        def expected(part):
            p = a[part][:256].astype(np.float64)
            found = out[part].astype(np.float64)
            off = p[:, None, :] - b[None].astype(np.float64)
            found[:256] = cupy.sqrt((off * off).sum(axis=2).min(axis=1))
            return found
        return self.work(f"nearest of {n} for {m}", "nearest", (a, b), [out],
                         close(expected, 1e-4), share)


def works(sources, data, which):
    """Goals are shares of a copy: those of a hand-written kernel, times 0.97."""
    make = Maker(sources, data, which)
    n = data.n

    def rows(maker, shares):
        for shape, share in zip([(n >> 8, 256), (n >> 14, 1 << 14),
                                 (n >> 20, 1 << 20), (n >> 16, 1 << 16)],
                                shares):
            yield maker.__name__ + f" {shape}", lambda shape=shape, \
                share=share: maker(*shape, share)

    side = 1 << (data.n.bit_length() - 1) // 2
    for shape, axis, share in [((n >> 4, 16), 1, 1.0), ((n >> 8, 256), 1, 1.0),
                               ((side, side), 1, 1.0),
                               ((n >> 20, 1 << 20), 1, 1.0), ((n,), 0, 1.02),
                               ((side, side), 0, 1.0),
                               ((n >> 19, 1024, 512), 1, 1.02)]:
        yield f"l2_norm {shape} axis {axis}", lambda shape=shape, axis=axis, \
            share=share: make.norm(shape, axis, share)
    yield from rows(make.statistics, (1.0, 1.04, 1.0, 1.0))
    yield from rows(make.argmax, (1.0, 1.0, 1.0, 1.0))
    yield from rows(make.softmax, (0.94, 0.95, 0.75, 0.75))
    yield from rows(make.layer_norm, (0.95, 0.93, 0.73, 0.73))
    yield "matvec", lambda: make.matvec(side, side, 1.0)
    yield "matvec short", lambda: make.matvec(n >> 8, 64, 1.0)
    yield "vecmat", lambda: make.vecmat(side, side, 1.0)
    for batch, k, share in [(n >> 8, 4, 0.93), (n >> 10, 16, 0.90),
                            (n >> 12, 32, 0.91)]:
        yield f"matmul small {k}", lambda batch=batch, k=k, share=share: \
            make.matmul((batch,), k, k, k, share)
    for batch, k in [((n >> 16,), 128), ((n >> 22,), 1024), ((), 4096)]:
        yield f"matmul large {k}", lambda batch=batch, k=k: make.matmul(
            batch, k, k, k, None)
    yield "matmul thin", lambda: make.matmul((), 4096, 64, 4096, None)
    yield "transpose", lambda: make.turned(n >> 20, 1024, 1024, 0.96)
    yield "outer", lambda: make.outer(side, side, 1.04)
    for shape, k, share in [((n >> 2,), 7, 0.90), ((n >> 2,), 127, 0.32),
                            ((n >> 4,), 1023, 0.046),
                            ((n >> 16, 1 << 16), 64, 0.59)]:
        yield f"convolve {k}", lambda shape=shape, k=k, share=share: \
            make.convolve(shape, k, share)
    for points, share in [(7, 0.87), (27, 0.84)]:
        yield f"stencil {points}", lambda points=points, share=share: \
            make.stencil(512, points, share)
    yield from rows(make.running, (0.85, 0.85, None))
    for rows_, length in [(side, side), (n >> 18, 1 << 18)]:
        yield f"running ({length}, {rows_}) axis 0", lambda rows_=rows_, \
            length=length: make.running(rows_, length, None, axis=0)
    for shape, axis, share in [((n,), 0, 0.89), ((side, side), 1, 0.95),
                               ((n >> 8, 256), 1, 0.95),
                               ((n >> 20, 1 << 20), 1, None),
                               ((side, side), 0, None),
                               ((64, n >> 6), 0, None),
                               ((1 << 18, n >> 18), 0, None)]:
        yield f"cumsum {shape} axis {axis}", lambda shape=shape, axis=axis, \
            share=share: make.cumsum(shape, axis, share)
    yield "recurrence", lambda: make.recurrence(10**7, 0.5)
    yield "sosfilt", lambda: make.sosfilt(n >> 16, 1 << 16, 0.42)
    yield "histogram", lambda: make.histogram(0, n, 0.83)
    yield "histogram equal", lambda: make.histogram(0, n, 0.83, equal=True)
    yield "histogram rows", lambda: make.histogram(1024, n >> 10, 0.89)
    yield "cholesky 4", lambda: make.cholesky(1 << 20, 4, 0.86)
    yield "cholesky 16", lambda: make.cholesky(1 << 16, 16, 0.70)
    yield "nearest", lambda: make.nearest(1 << 16, 1 << 14, None)
