"""Kern beside NumPy on the CPU: `a + b` of arrays that a loop cannot take as
they are: of other types, behind a mask, unaligned, or in its result's memory.

Part of host.py: the same arrays, outputs given, in turn within each batch.
"""

import statistics
import time

import numpy as np

import kernapi

SOURCE = """\
ufunc add(a: T, b: T) -> T where T in (f32, f64):
    return a + b
"""
SIZES = (10, 16, 22, 24)


def repeated(function, arguments, out, where=None, **asked):
    """A call whose arguments are made once, so that a small one is not
    measured by the time that Python takes for them."""
    if where is not None:
        asked["where"] = kernapi.Tensor.of(where)
    return kernapi.Prepared(function, arguments, [kernapi.Tensor.of(out)],
                            device=(kernapi.CPU, 0), **asked)


def calls(log2, random):
    """Name, operands, output and options of each; the options are NumPy's."""
    n = 1 << log2
    side = 1 << log2 // 2

    def array(dtype, count=n):
        return (random.random(count, dtype=np.float32) * 100).astype(dtype)

    def beside(dtype):
        """An array a byte beside its alignment."""
        made = np.frombuffer(np.zeros(n * np.dtype(dtype).itemsize + 1,
                                      np.uint8).data, dtype, n, 1)
        made = made.view()
        made[...] = array(dtype)
        return made

    f32, f64 = np.float32, np.float64
    x, y, out = array(f32), array(f32), np.zeros(n, f32)
    wide = np.zeros(n, f64)
    yield "i16 + f32", array(np.int16), x, out, {}
    yield "f32 + f64", x, array(f64), wide, {}
    yield "i32 + f64", array(np.int32), array(f64), wide, {}
    yield "u8 + f32", array(np.uint8), x, out, {}
    yield "f16 + f32", array(np.float16), x, out, {}
    yield "f64 + f64 to f32", array(f64), array(f64), out, {}
    yield "f32 + f32 to f64", x, y, wide, {}
    yield "f64 + f64 in f32", array(f64), array(f64), out, {
        "dtype": f32, "casting": "same_kind"}
    yield "X.T + Y, i16 + f32", array(np.int16).reshape(side, -1).T, \
        x.reshape(-1, side), out.reshape(-1, side), {}
    yield "where, half at random", x, y, out, {"where": random.random(n) < .5}
    yield "where, all", x, y, out, {"where": np.ones(n, bool)}
    yield "where, runs", x, y, out, {
        "where": np.arange(n) // 50 % 2 == 0}
    yield "where, a row", x.reshape(-1, side), y.reshape(-1, side), \
        out.reshape(-1, side), {"where": random.random(side) < .5}
    yield "where, i16 + f32", array(np.int16), x, out, {
        "where": random.random(n) < .5}
    yield "unaligned + aligned", beside(f32), y, out, {}
    yield "all unaligned", beside(f32), beside(f32), beside(f32), {}
    memory = array(f32, n + 1)
    yield "into a shifted view", memory[:-1], y, memory[1:], {}
    yield "into a view shifted back", memory[1:], y, memory[:-1], {}
    square = array(f32).reshape(side, -1)[:side, :side]
    yield "X.T + Y into X", square.T, y[:square.size].reshape(square.shape), \
        square, {}


def measure(lib, log2s, batches, random, only=""):
    """Rows of microseconds and of Kern's time as a share of NumPy's."""
    function = lib.compile(SOURCE)["add"]
    rows = []
    for log2 in log2s:
        for name, a, b, out, options in calls(log2, random):
            if only not in name:
                continue
            before = out.copy()
            numpy_options = {"casting": "same_kind"} | options
            np.add(a, b, out=out, **numpy_options)
            right = out.copy()
            overlaps = np.shares_memory(a, out)
            out[...] = before
            kern = repeated(function, (a, b), out, **options)
            kern()
            same = bool((out == right).all())
            runs = {"kern": kern,
                    "NumPy": lambda: np.add(a, b, out=out, **numpy_options)}
            turns = max(1, min(200, (1 << 17) >> log2))
            times = {peer: [] for peer in runs}
            for _ in range(batches):
                for peer, run in runs.items():
                    if overlaps:  # what is read is what was written
                        out[...] = before
                    began = time.perf_counter()
                    for _ in range(turns):
                        run()
                    times[peer].append(
                        (time.perf_counter() - began) * 1e6 / turns)
            row = {"work": f"{name}, 2^{log2}", "right": same,
                   "us": {p: statistics.median(t) for p, t in times.items()},
                   "ratio": statistics.median(
                       mine / theirs for mine, theirs in zip(*times.values()))}
            rows.append(row)
            print(f"{row['work']:34} {row['us']['kern']:10.1f} "
                  f"{row['us']['NumPy']:10.1f} {row['ratio']:.2f}",
                  "" if same else "WRONG", flush=True)
    return rows


def markdown(rows):
    lines = ["`a + b` of arrays that no loop takes as they are: microseconds, "
             "medians, and Kern's time as a share of NumPy's, the median over "
             "the batches.", "",
             "| operands | **Kern** | NumPy | share |",
             "| --- | --- | --- | --- |"]
    for row in rows:
        lines.append(f"| {row['work']} | {row['us']['kern']:.1f} "
                     f"| {row['us']['NumPy']:.1f} | {row['ratio']:.2f} |")
    return "\n".join(lines) + "\n"
