"""Sums of arrays that are broadcast, strided, reversed or transposed."""

import cupy
import numpy as np

from contenders import Work, add_peers, as_torch, handwritten, over, torch
from data import F, equal

ADD = "01_add.kern"


def numba_sum(x, y):
    return x + y


def layout(sources, which, name, nbytes, a, b, out, goals, hand=None,
           torch_sum=None, jax_sum=None, base=()):
    """One sum. Adding two f32 is rounded once, so results are exact.
    `torch_sum` and `jax_sum` are of the arrays in `base`, where a peer has no
    view for what Kern is given."""
    work = Work(
        name, nbytes, {"kern": sources.call(ADD, "add", (a, b), (out,))},
        [out], None, goals)
    wide = cupy.broadcast_to(a, out.shape), cupy.broadcast_to(b, out.shape)
    work.check = equal(lambda part: wide[0][part] + wide[1][part])
    if hand:
        work.add("CUDA C", lambda: handwritten(*hand))
    plain = torch_sum is None

    def torch_out():
        ta, tb, to = map(as_torch, (a, b, out))

        def call():
            torch.add(ta, tb, out=to)
        return call
    add_peers(
        work, which, arguments=(a, b),
        cupy_kernel=("T a, T b", "T c", "c = a + b", "add"),
        numba_kernel=("float32(float32, float32)", numba_sum)
        if out.ndim == 1 and a.strides[0] > 0 else None)
    add_peers(
        work, which, arguments=base or (a, b),
        torch_function=torch_sum or (lambda x, y: x + y),
        torch_out=torch_out if plain else None,
        jax_function=jax_sum)
    return work


def works(sources, data, which):
    """The benchmarks in order, each as its name and a function that makes it."""
    n = data.n
    m = 1 << ((n.bit_length() - 1) // 2)
    k = n // m
    tiny = m * 4

    def base():
        x, y = data.f32(2)
        out, = data.out()
        return x, y, out

    def matrix():
        x, y, out = base()
        return x.reshape(k, m), y.reshape(k, m), out.reshape(k, m)

    def make(name, function):
        return name, function

    def row_bias():
        x, y, out = matrix()
        return layout(
            sources, which, f"({k},{m}) + ({m},)", 8 * n + tiny, x, y[0], out,
            [("copy", 0.97)],
            ("row_bias", (over(m // 4), k // 8), 256, x, y[0], out,
             np.int32(m // 4)),
            jax_sum=lambda a, b: a + b)

    def column_bias():
        x, y, out = matrix()
        column = y.ravel()[:k].reshape(k, 1)
        return layout(
            sources, which, f"({k},{m}) + ({k},1)", 8 * n + tiny, x, column,
            out, [("copy", 0.97)],
            ("column_bias", (over(m // 4), k // 4), 256, x, column, out,
             np.int32(m // 4)),
            jax_sum=lambda a, b: a + b)

    def four_dimensions():
        x, y, out = base()
        shape = (n >> 20, 256, 64, 64)
        a, o = x.reshape(shape), out.reshape(shape)
        return layout(
            sources, which, f"{shape} + (64,1)".replace(" ", "").replace(
                "+", " + "),
            8 * n, a, y[:64].reshape(64, 1), o, [("copy", 0.97)],
            jax_sum=lambda p, q: p + q)

    def outer():
        x, y, out = base()
        return layout(
            sources, which, f"({k},1) + (1,{m})", 4 * n + 2 * tiny,
            x[:k].reshape(k, 1), y[:m].reshape(1, m), out.reshape(k, m),
            [("hand", 0.98)],
            ("outer_sum", (over(m // 4), k // 4), 256, x[:k], y[:m], out,
             np.int32(m // 4)),
            jax_sum=lambda a, b: a + b)

    def every_second():
        x, y, out = base()
        return layout(
            sources, which, "x[::2] + y[::2], bytes in cache lines", 10 * n,
            x[::2], y[::2], out[:n // 2], [("copy", 0.97)],
            ("every_second", over(n // 4), 256, x, y, out, np.int64(n // 4)))

    def backwards():
        x, y, out = base()
        return layout(
            sources, which, "x[::-1] + y", 12 * n, x[::-1], y, out,
            [("copy", 0.97)],
            ("reversed_sum", over(n // 4), 256, x, y, out, np.int64(n // 4)),
            torch_sum=lambda a, b: torch.flip(a, (0,)) + b,
            jax_sum=lambda a, b: a[::-1] + b, base=(x, y))

    def transposed():
        x, y, out = base()
        x, y, out = (v[:m * m].reshape(m, m) for v in (x, y, out))
        return layout(
            sources, which, "X.T + Y", 12 * m * m, x.T, y, out,
            [("hand", 0.98)],
            ("transposed_sum", (m // 32, m // 32), (32, 8), x, y, out,
             np.int32(m)),
            torch_sum=lambda a, b: a.T + b, jax_sum=lambda a, b: a.T + b,
            base=(x, y))

    def fortran():
        x, y, out = base()
        x, y, out = (v[:m * m].reshape(m, m) for v in (x, y, out))
        # The Fortran-ordered operand second: its memory is y's.
        return layout(
            sources, which, "C order + Fortran order", 12 * m * m, x, y.T,
            out, [("hand", 0.98)],
            ("transposed_sum", (m // 32, m // 32), (32, 8), y, x, out,
             np.int32(m)),
            torch_sum=lambda a, b: a + b.T, jax_sum=lambda a, b: a + b.T,
            base=(x, y))

    def permuted(*order):
        x, y, out = base()
        side = 1 << ((n.bit_length() - 1) // 4)
        size = side ** 4
        a, b, o = (v[:size].reshape((side,) * 4) for v in (x, y, out))
        return layout(
            sources, which,
            f"({side},)*4 permuted {order} + contiguous".replace(", ", ","),
            12 * size, a.transpose(order), b, o, [("copy", 0.95)],
            torch_sum=lambda p, q: p.permute(order) + q,
            jax_sum=lambda p, q: p.transpose(order) + q, base=(a, b))

    yield make("row bias", row_bias)
    yield make("column bias", column_bias)
    yield make("4-D", four_dimensions)
    yield make("outer", outer)
    yield make("every second", every_second)
    yield make("reversed", backwards)
    yield make("transposed", transposed)
    yield make("Fortran", fortran)
    yield make("permuted 0213", lambda: permuted(0, 2, 1, 3))
    yield make("permuted 3210", lambda: permuted(3, 2, 1, 0))


def large(sources, data, which):
    """More than 2^32 elements: right, and as fast as fewer."""
    def fill(n, salt):
        """Bytes that depend on all of an element's position."""
        kernel = cupy.ElementwiseKernel(
            "uint64 salt", "uint8 o",
            "o = (unsigned char)((((unsigned long long)i + salt) *"
            " 0x9E3779B97F4A7C15ull) >> 56)", "bench_fill")
        out = cupy.empty(n, np.uint8)
        kernel(np.uint64(salt), out)
        return out

    def row(name, n, view):
        def make():
            a, b = fill(n, 1), fill(n, 1 << 40)
            out = cupy.empty(n, np.uint8)
            x, y, o = (view(v) for v in (a, b, out))
            work = Work(
                name, 3 * o.size,
                {"kern": sources.call(ADD, "add", (x, y), (o,))}, [o],
                equal(lambda part: x[part] + y[part]), [("copy", 0.97)])

            def torch_out():
                ta, tb, to = map(as_torch, (x, y, o))

                def call():
                    torch.add(ta, tb, out=to)
                return call
            add_peers(work, which, arguments=(x, y),
                      cupy_kernel=("T a, T b", "T c", "c = a + b", "add"),
                      torch_function=lambda p, q: p + q, torch_out=torch_out,
                      compile_torch=False)
            return work
        return name, make

    n = data.n << 5
    yield row(f"add u8, 2^{n.bit_length() - 1} elements", n, lambda v: v)
    yield row(f"add u8, half of each row of (2^13,2^{n.bit_length() - 14})",
              n, lambda v: v.reshape(1 << 13, -1)[:, :v.size >> 14])
