#!/usr/bin/env python3
"""What the short form of a body costs, beside the same body written out.

usage: written_out.py --lib LIBKERN [--device cpu|cuda] [--rounds N] [--only TEXT]

Statements on whole arrays beside loops over their elements, loops over tables
beside the products, `x ** n` beside products. Both take turns in one process, with
the same inputs and results of their own, which must agree to rounding; what is
shown is the least time of each (of the processor, on one thread; of the GPU, by
events) and how many times as long the short form takes.
"""

import argparse
import pathlib
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "e2e"))
import kernapi

ROWS = "gufunc {name}(x: f32[n]) -> (y: f32[n]):\n"
PAIR = "gufunc {name}(x: f32[n], w: f32[n]) -> (y: f32[n]):\n"
SUM = "gufunc {name}(x: f32[n], w: f32[n]) -> f32:\n"
IMAGE = "gufunc {name}(a: f32[m, n]) -> (b: f32[m, n]):\n"
FIVE = "gufunc {name}(x: f32[5]) -> (y: f32[5]):\n"
EACH = "ufunc {name}(x: {type}) -> {type}:\n"
TABLE = "const TABLE = (1.5, -0.25, 3.0, 0.125, -1.0, 0.5, 2.0, -0.75)\n"
TABLE += "const KERNEL = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]\n"
HORNER = "1.5"
for number in (-0.25, 3.0, 0.125, -1.0, 0.5, 2.0, -0.75):
    HORNER = f"({HORNER}) * x + {number}"

# Compares and exchanges; the least come first, and NaN last.
NETWORK = "a, b, c, d, e = x\n" + "".join(
    f"    less = not {k} >= {j} and {k} == {k}\n"
    f"    {j}, {k} = {k} if less else {j}, {j} if less else {k}\n"
    for j, k in ("ab", "de", "ce", "cd", "ad", "ac", "be", "bd", "bc"))
ALTERNATING = ("t = empty((2, n), f32)\n    t[0] = x\n    for k in range(16):\n"
               "        t[(k + 1) % 2] = 0.5 * t[k % 2] + 0.25 * x\n"
               "    y[:] = t[0]")

# (name, header, the short body, the body written out)
BODIES = [
    ("scaled and added", PAIR, "y[:] = x * w + 2 * x",
     "for i in prange(n):\n        y[i] = x[i] * w[i] + 2 * x[i]"),
    ("standardised", ROWS, "y[:] = (x - mean(x)) / sqrt(mean((x - mean(x)) ** 2))",
     "m = mean(x)\n    s = sqrt(mean((e - m) ** 2 for e in x))\n"
     "    for i in prange(n):\n"
     "        y[i] = (x[i] - m) / s"),
    ("a bound difference", ROWS, "d = x - mean(x)\n    y[:] = d / max(abs(d))",
     "m = mean(x)\n    top = max(abs(e - m) for e in x)\n"
     "    for i in prange(n):\n        y[i] = (x[i] - m) / top"),
    ("sum of products", SUM, "return sum(x * w)",
     "return sum(x[i] * w[i] for i in range(n))"),
    ("norm of a difference", SUM, "return sqrt(sum((x - w) ** 2))",
     "return sqrt(sum((x[i] - w[i]) ** 2 for i in range(n)))"),
    ("clipped", ROWS, "y[:] = where(x > 0, x, -x * 0.5)",
     "for i in prange(n):\n"
     "        y[i] = x[i] if x[i] > 0 else -x[i] * 0.5"),
    ("differences", ROWS, "y[0] = x[0]\n    y[1:] = x[1:] - x[:-1]",
     "y[0] = x[0]\n    for i in prange(n - 1):\n"
     "        y[i + 1] = x[i + 1] - x[i]"),
    ("in place", PAIR, "y[:] = x\n    y += w * 0.5\n    y *= y",
     "for i in prange(n):\n        y[i] = x[i]\n"
     "    for i in prange(n):\n        y[i] += w[i] * 0.5\n"
     "    for i in prange(n):\n        y[i] *= y[i]"),
    ("rows less their means", IMAGE,
     "for i in prange(m):\n        b[i, :] = a[i, :] - mean(a[i, :])",
     "for i in prange(m):\n        t = mean(a[i, j] for j in range(n))\n"
     "        for j in prange(n):\n            b[i, j] = a[i, j] - t"),
    ("five points", IMAGE,
     "b[:] = a\n    b[1:-1, 1:-1] = (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2]"
     " + a[1:-1, 2:]) * 0.25",
     "b[:] = a\n    for i, j in prange((1, m - 1), (1, n - 1)):\n"
     "        b[i, j] = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1]"
     " + a[i, j + 1]) * 0.25"),
    ("five elements sorted", FIVE, "y[:] = sort(x)",
     NETWORK + "    y[0], y[1], y[2], y[3], y[4] = a, b, c, d, e"),
    ("median of five", FIVE, "y[:] = median(x)", NETWORK + "    y[:] = c"),
    ("arrays that change places", ROWS,
     "p = x * 1\n    q = x * 1\n    for k in range(16):\n"
     "        q[:] = 0.5 * p + 0.25 * x\n        p, q = q, p\n    y[:] = p",
     ALTERNATING),
    ("an array bound in a loop", ROWS,
     "p = x\n    for k in range(16):\n        p = 0.5 * p + 0.25 * x\n"
     "    y[:] = p", ALTERNATING),
    ("polynomial of a table", EACH,
     "acc = {type}(0)\n    for c in TABLE:\n        acc = acc * x + c\n"
     "    return acc", f"return {HORNER}"),
    ("sum over a table", EACH, "return sum(c * x for c in TABLE)",
     "return " + " + ".join(f"{c} * x" for c in (
         1.5, -0.25, 3.0, 0.125, -1.0, 0.5, 2.0, -0.75))),
    ("largest over a table", EACH, "return max(c * x + k for k, c in enumerate(TABLE))",
     "return max(" + ", ".join(f"{c} * x + {k}" for k, c in enumerate((
         1.5, -0.25, 3.0, 0.125, -1.0, 0.5, 2.0, -0.75))) + ")"),
    ("filter by a table", ROWS,
     "y[:] = x\n    for i in prange(2, n - 2):\n"
     "        y[i] = sum(TABLE[k] * x[i + k - 2] for k in range(5))",
     "y[:] = x\n    for i in prange(2, n - 2):\n"
     "        y[i] = (1.5 * x[i - 2] - 0.25 * x[i - 1] + 3 * x[i] + 0.125 * x[i + 1]"
     " - x[i + 2])"),
    ("3 x 3 by a table", IMAGE,
     "b[:] = a\n    for i, j in prange((1, m - 1), (1, n - 1)):\n"
     "        b[i, j] = sum(KERNEL[p][q] * a[i + p - 1, j + q - 1]"
     " for p in range(3) for q in range(3)) / 16",
     "b[:] = a\n    for i, j in prange((1, m - 1), (1, n - 1)):\n"
     "        b[i, j] = (a[i - 1, j - 1] + 2 * a[i - 1, j] + a[i - 1, j + 1]"
     " + 2 * a[i, j - 1] + 4 * a[i, j] + 2 * a[i, j + 1] + a[i + 1, j - 1]"
     " + 2 * a[i + 1, j] + a[i + 1, j + 1]) / 16"),
] + [(f"x ** {n}", EACH, f"return x ** {n}",
      "t = x * x\n    return " + {
          2: "t", 3: "t * x", 4: "t * t", 6: "t * t * t",
          8: "(t * t) * (t * t)"}[n]) for n in (2, 3, 4, 6, 8)]


def functions():
    """The source of all, and (name, short form, written out, header, type)."""
    source, listed = TABLE, []
    for k, (name, header, short, written) in enumerate(BODIES):
        for kind in ("f32", "f64") if header is EACH else ("f32",):
            names = [f"{form}_{k}_{kind}" for form in ("short", "written")]
            for one, body in zip(names, (short, written)):
                source += header.format(name=one, type=kind) + \
                    f"    {body.replace('{type}', kind)}\n\n"
            listed.append((name, *names, header, kind))
    return source, listed


def operands(header, kind, on_gpu):
    """Inputs, and the shape of the result."""
    rng = np.random.default_rng(5)
    log2 = 27 if on_gpu else 23 if header is EACH else 20
    shape = (1 << log2,)
    if header is FIVE:
        shape = (1 << log2 - 3, 5)
    elif header in (ROWS, PAIR, SUM):
        shape = (1 << log2 - 10, 1 << 10)
    elif header is IMAGE:
        shape = (1 << (log2 + 1) // 2, 1 << log2 // 2)
    draw = lambda: (rng.random(shape, np.float32) + 0.5).astype(
        {"f32": np.float32, "f64": np.float64}[kind])
    inputs = [draw() for _ in range(2 if header in (PAIR, SUM) else 1)]
    return inputs, shape[:1] if header is SUM else shape


def prepared(function, inputs, out):
    return kernapi.Prepared(function, inputs, [out])


class Cpu:
    """Arrays and times of the CPU, on one thread."""

    def __init__(self, lib):
        lib.check(lib.c.kern_set_num_threads(1))

    held = staticmethod(lambda array: array)
    tensor = staticmethod(kernapi.Tensor.of)
    numpy = staticmethod(lambda array: array)

    @staticmethod
    def ms(call):
        began = time.process_time()
        call()
        return 1e3 * (time.process_time() - began)


class Gpu:
    def __init__(self, lib):
        sys.path.insert(0, str(ROOT / "test" / "bench"))
        import contenders
        import cupy
        import measure
        self.held, self.numpy = cupy.asarray, cupy.asnumpy
        self.tensor = contenders.tensor
        self.ms = lambda call: measure.event_ms(call, 5)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lib", required=True)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="names with this text")
    options = parser.parse_args()
    lib = kernapi.Library(options.lib)
    place = (Gpu if options.device == "cuda" else Cpu)(lib)
    source, listed = functions()
    module = lib.compile(source)
    print(f"{'body':24} type  short ms  written ms  ratio")
    for name, short, written, header, kind in listed:
        if options.only not in name:
            continue
        inputs, shape = operands(header, kind, options.device == "cuda")
        held = [place.held(one) for one in inputs]
        outs = [place.held(np.zeros(shape, inputs[0].dtype)) for _ in range(2)]
        calls = [prepared(module[one], [place.tensor(a) for a in held],
                          place.tensor(out))
                 for one, out in zip((short, written), outs)]
        best = [float("inf")] * 2
        for turn in range(options.rounds + 1):
            for k, call in enumerate(calls):
                if taken := place.ms(call) if turn else call():
                    best[k] = min(best[k], taken)
        one, other = (place.numpy(out) for out in outs)
        if not np.allclose(one, other, rtol=1e-4 if kind == "f32" else 1e-12):
            sys.exit(f"{name} {kind}: the results differ")
        print(f"{name:24} {kind}  {best[0]:8.3f}  {best[1]:10.3f}  "
              f"{best[0] / best[1]:5.2f}", flush=True)


if __name__ == "__main__":
    main()
