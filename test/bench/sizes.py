"""add f32 over array sizes, in device time: Kern, its peers, and a copy."""

import statistics

import cupy
import numpy as np

from contenders import as_torch, handwritten, kernapi, over, tensor, torch
from data import F
from goals import SMALL
from measure import queued_us



def busy(ms):
    """Keeps the device busy; at most 2 GHz."""
    handwritten("busy", 1, 1, np.int64(int(ms * 2e6)))()


def contenders(sources, a, b, out):
    n = out.size
    function = sources.function("01_add.kern", "add")
    run = {"kern": kernapi.Prepared(
        function, [tensor(a), tensor(b)], [tensor(out)])}
    run["CUDA C"] = handwritten(
        "add_f32", over(n // 4), 256, a, b, out, np.int64(n // 4))
    element = cupy.ElementwiseKernel(
        "T a, T b", "T c", "c = a + b", "bench_add")
    run["CuPy"] = lambda: element(a, b, out)
    if torch:
        ta, tb, to = map(as_torch, (a, b, out))
        run["torch"] = lambda: torch.add(ta, tb, out=to)
    stream = cupy.cuda.Stream.null
    run["copy"] = lambda: out.data.copy_from_device_async(
        a.data, n * 4, stream)
    return run


def right(run, a, b, out):
    """Whether a contender's sum is the sum."""
    out.fill(np.nan)
    run()
    return bool((out == a + b).all())


def measure(sources, data, rows):
    """Appends to `rows` one for each size: µs for each contender, and how
    much slower Kern is than the better of torch and CuPy."""
    x, y = data.f32(2)
    whole, = data.out()
    last = data.n.bit_length() - 1
    for log2 in range(10, last + 1):
        n = 1 << log2
        a, b, out = x[:n], y[:n], whole[:n]
        run, row = contenders(sources, a, b, out), {"log2": log2, "failed": {}}
        for name in [p for p in run if p != "copy"]:
            if not right(run[name], a, b, out):
                row["failed"][name] = "wrong"
                del run[name]
        small = log2 <= SMALL
        times = queued_us(run, 20 if small else 5,
                          100 if small else max(4, 1 << max(0, 27 - log2)), busy)
        row["us"] = {p: statistics.median(t) for p, t in times.items()}
        peers = [times[p] for p in ("torch", "CuPy") if p in times]
        if peers and "kern" in times:
            row["slower"] = statistics.median(
                t / min(others)
                for t, *others in zip(times["kern"], *peers))
        rows.append(row)
        print(f"  2^{log2:<2}" + "".join(
            f"  {p} {us:.2f}" for p, us in row["us"].items())
            + (f"  {row['slower']:.3f} of the better peer"
               if "slower" in row else ""), flush=True)
