"""Bodies of several statements on a GPU: loops that run after each other in
every mapping, with stores between to elements that the loops read and write."""

import pathlib

import numpy as np

from groups.mappings import FORCED, Forced, asked, moved

SOURCE = (pathlib.Path(__file__).parent / "statements.kern").read_text()


def counted(keys):
    """What `counted` gives: histograms of the rows, with stores between."""
    h = np.ones((len(keys), 9), np.int32)
    h[:, 3] = 100
    each = np.arange(len(keys))[:, None]
    np.add.at(h, (each, keys), 1)
    h[:, 0] = h[:, 8] + 5
    s = h.sum(1, dtype=np.int32)
    np.add.at(h, (each, 8 - keys), 2)
    h[:, 1] = s
    at = np.arange(keys.shape[1], dtype=np.int32) % 1000
    np.maximum.at(h, (each, keys), np.broadcast_to(at, keys.shape))
    h[:, 2] -= s
    return h, s, h.max(1)


def statements(ctx, mapping):
    call = Forced(ctx, mapping, SOURCE)

    def run(t):
        rng = ctx.rng(15)
        for rows, n in ((1, 1), (1, 2), (1, 5), (1, 300007), (3, 4096),
                        (70, 1025), (3000, 64)):
            v = rng.integers(-9, 9, (rows, n))
            y = v * 3
            y[:, n - 1] = 7
            y[:, 0] = v[:, n - 1]
            total = y.sum(1)
            y += total[:, None]
            y[:, 0] = total
            y[:, n // 2] = v[:, 0]
            for layout in range(3):
                got = call("bordered", moved(v, layout))
                t.same(f"bordered {rows} {n} {layout}", got[0], y)
                t.same(f"bordered {rows} {n} {layout}, sum", got[1], total)
            w = rng.integers(-9, 9, (rows, n))
            got = w.copy()
            call.update("overwritten", v, got)
            w[:, n - 1] = w.sum(1)
            t.same(f"overwritten {rows} {n}", got, w - v)
            keys = rng.integers(0, 9, (rows, n), np.int32)
            want = counted(keys)
            for layout in range(3):
                got = call("counted", moved(keys, layout))
                for name, x, expected in zip(("h", "s", "top"), got, want):
                    t.same(f"counted {rows} {n} {layout}, {name}", x, expected)
            v = v.astype(np.float32)
            want = np.maximum(v, -v / 2)
            want[:, 1:] += v[:, :-1]
            want[:, :-1] *= 2
            want[:, n - 1] = 5
            for layout in range(3):
                t.same(f"in_phases {rows} {n} {layout}",
                       call("in_phases", moved(v, layout)), want)
            d = v - v.mean(1, np.float64, keepdims=True)
            around = np.zeros((rows, n))
            around[:, 1:-1] = d[:, :-2] + d[:, 2:]
            want = around.copy()
            want[:, 1:-1] -= around[:, :-2] * around[:, 2:]
            for layout in range(3):
                got = call("smoothed", moved(v.astype(float), layout))
                t.check(f"smoothed {rows} {n} {layout}",
                        np.allclose(got[0], want, atol=1e-9) and
                        np.allclose(got[1], abs(d).max(1)))
        for loop, m, n in (((), 1, 1), ((), 1000, 70), ((2,), 300, 600),
                           ((3000,), 2, 5)):
            a = rng.integers(-9, 9, loop + (m, n)).astype(float)
            row = a[..., ::-1] * 2 - a[..., :1]
            want = row[..., 0] + (row[..., 1:] * row[..., :-1]).sum(-1)
            for layout in range(3):
                t.same(f"own_rows {loop} {m} {n} {layout}",
                       call("own_rows", moved(a, layout)), want)
        for m, n in ((1, 1), (2, 2), (3, 5), (257, 300), (1300, 1000)):
            for loop in ((), (3,)):
                a = rng.integers(-9, 9, loop + (m, n)).astype(np.float32)
                b = a.copy()
                b[..., 1:-1, 1:-1] = (
                    a[..., :-2, 1:-1] + a[..., 2:, 1:-1] +
                    a[..., 1:-1, :-2] + a[..., 1:-1, 2:]) * 0.25
                b[..., 0, :] -= a[..., m - 1, :]
                for layout in range(3):
                    t.same(f"five_points {loop} {m} {n} {layout}",
                           call("five_points", moved(a, layout)), b)
    return run


def cases(ctx):
    for mapping, name in asked(ctx, FORCED):
        yield name, statements(ctx, mapping)
