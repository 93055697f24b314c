#!/usr/bin/env python3
"""How far results are from the exact ones, measured with MPFR.

    accuracy.py --lib build/dev/lib/libkern.so [--device cpu|cuda] [--json F]
    accuracy.py --page HOST.json GPU.json > docs/explanation/accuracy.md

prints for each function and type the largest and the mean error in units in the
last place (ULP), and where the largest is. The error of a complex number is the
distance in the plane, in ULP of the larger part. Group `accuracy` of the
end-to-end tests holds every function to its bound.
"""

import argparse
import json
import math
import pathlib
import sys
import tempfile

import numpy as np

import agreement
import kernapi
import mpfr
from accuracy_functions import (OF_COMPLEX, OF_TWO_COMPLEX, ONE, TO_COMPLEX, TWO)
from mpfr import Complex, Precision, Real
from suite import Context

NP = kernapi.NUMPY_TYPE
# Fixed before anything was measured.
BOUND = {"f16": 1, "bf16": 1, "f32": 4, "f64": 4, "c64": 4, "c128": 4}
PART = {"c64": "f32", "c128": "f64"}


def largest(kind):
    part = PART.get(kind, kind)
    return {"f16": 65504.0, "bf16": 3.3895e38, "f32": 3.4028e38,
            "f64": 1.7976e308}[part]


def draw(rng, interval, kind, count):
    """Uniform in an interval; in an infinite one, uniform over magnitudes."""
    low, high = interval
    if math.isinf(high):
        most = math.log(largest(kind))
        least = {"f16": -16.5, "bf16": -87, "f32": -87, "f64": -708}[kind]
        x = np.exp(rng.uniform(math.log(low) if low > 0 else least, most,
                               count))
        return x * rng.choice([-1, 1], count) if math.isinf(low) else x
    return rng.uniform(low, high, count)


def every_value(kind, intervals, step):
    """All finite values of a 16-bit float within the hull of the intervals."""
    low = min(i[0] for i in intervals)
    high = max(i[1] for i in intervals)
    x = np.arange(0, 65536, step, dtype=np.uint16).view(NP[kind])
    wide = x.astype(np.float64)
    return x[np.isfinite(wide) & (wide >= low) & (wide <= high)]


def exact(function, operands):
    """MPFR's results as pairs of f64."""
    high, low = np.empty(len(operands[0])), np.empty(len(operands[0]))
    with Precision(160):
        for i, values in enumerate(zip(*operands)):
            high[i], low[i] = function(*map(Real, values)).pair()
    return high, low


def exact_operand(value):
    return Complex(value.real, value.imag) if np.iscomplexobj(value) else \
        Real(value)


def bits_for(values):
    """A precision in which 1 beside their squares, and an angle less its whole
    turns, are still exact to more than an f64's digits."""
    sizes = [abs(math.frexp(part)[1])
             for value in values for part in (value.real, value.imag)]
    return 400 + 2 * max(sizes)


def exact_complex(function, operands):
    count = len(operands[0])
    re, im = np.empty((count, 2)), np.empty((count, 2))
    for i, values in enumerate(zip(*operands)):
        with Precision(bits_for(values)):
            result = function(*map(exact_operand, values))
            if isinstance(result, Real):
                re[i], im[i] = result.pair(), (0.0, 0.0)
            else:
                re[i], im[i] = result.re.pair(), result.im.pair()
    return re, im


def unit(size, kind):
    digits, least = {"f16": (11, -24), "bf16": (8, -133), "f32": (24, -149),
                     "f64": (53, -1074)}[kind]
    exponent = np.frexp(np.asarray(size, np.float64))[1] - digits
    return np.ldexp(1.0, np.maximum(exponent, least))


def errors(got, high, low, kind, least=0):
    """In ULP of the result, or of `least` where that is larger. Beyond the largest
    number the result may be that number or infinity; where the function has no
    value it is NaN."""
    got = got.astype(np.float64)
    with np.errstate(all="ignore"):
        off = np.abs((got - high) - low) / unit(
            np.maximum(np.abs(high), least), kind)
        beyond = np.abs(high) >= largest(kind)
        fits = np.isinf(got) | (np.abs(got) >= 0.99 * largest(kind))
        fits &= np.signbit(got) == np.signbit(high)
    off = np.where(beyond, np.where(fits, 0, np.inf), off)
    return np.where(np.isnan(high), np.where(np.isnan(got), 0, np.inf), off)


def source(name, inputs):
    return (f"ufunc f({', '.join('ab'[:inputs])}):\n"
            f"    return {name}({', '.join('ab'[:inputs])})\n")


class Measurement:
    def __init__(self, name, kind, off, operands):
        at = int(np.argmax(off))
        self.name, self.kind = name, kind
        self.max, self.mean = float(off[at]), float(np.mean(off))
        self.at = ", ".join(repr(o[at]) for o in operands)
        self.count = len(off)

    def line(self):
        return (f"{self.name:10} {self.kind:5} {self.count:6} values  max "
                f"{self.max:6.2f}  mean {self.mean:5.3f}  at {self.at}")


def measure_one(ctx, name, kind, count, step):
    function, intervals = ONE[name]
    if kind in ("f16", "bf16"):
        x = every_value(kind, intervals, step)
    else:
        rng = ctx.rng(len(name))
        x = np.concatenate([draw(rng, i, kind, count) for i in intervals])
        x = x.astype(NP[kind])
        x = x[np.isfinite(x)]
    high, low = exact(function, [x.astype(np.float64)])
    # The logarithm of gamma has zeros all along the negative numbers.
    least = np.where(x.astype(np.float64) < 0, 1, 0) if name == "lgamma" else 0
    off = errors(ctx.call(source(name, 1), "f", x), high, low, kind, least)
    return Measurement(name, kind, off, [x])


def measure_two(ctx, name, kind, count):
    function, intervals = TWO[name]
    rng = ctx.rng(len(name))
    x = np.concatenate([draw(rng, i, kind, count) for i, _ in intervals])
    y = np.concatenate([draw(rng, i, kind, count) for _, i in intervals])
    x, y = x.astype(NP[kind]), y.astype(NP[kind])
    fine = np.isfinite(x.astype(float)) & np.isfinite(y.astype(float))
    x, y = x[fine], y[fine]
    high, low = exact(function, [x.astype(np.float64), y.astype(np.float64)])
    # The quotient of two logarithms is no better than theirs at its zeros.
    off = errors(ctx.call(source(name, 2), "f", x, y), high, low, kind,
                 1 if name == "log" else 0)
    return Measurement(f"{name} of two" if name in ONE else name, kind, off,
                       [x, y])


def in_plane(rng, regions, kind, count):
    parts = [[draw(rng, interval, PART[kind], count) for interval in region]
             for region in regions]
    return np.concatenate([re + 1j * im for re, im in parts]).astype(NP[kind])


def measure_complex(ctx, name, kind, count):
    rng = ctx.rng(len(name))
    if name in TO_COMPLEX:
        function, regions = TO_COMPLEX[name]
        operands = [np.concatenate([rng.uniform(*r[i], count) for r in regions])
                    .astype(NP[PART[kind]]) for i in (0, 1)]
    elif name in OF_TWO_COMPLEX:
        function, regions = OF_TWO_COMPLEX[name]
        operands = [in_plane(rng, [r[i] for r in regions], kind, count)
                    for i in (0, 1)]
    else:
        function, regions = OF_COMPLEX[name]
        operands = [in_plane(rng, regions, kind, count)]
    wide = [x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
            for x in operands]
    re, im = exact_complex(function, wide)
    got = ctx.call(source(name, len(operands)), "f", *operands)
    size = unit(np.maximum(np.abs(re[:, 0]), np.abs(im[:, 0])), PART[kind])
    if name == "power":
        size *= agreement.exponent_size(*wide)
    real = (got.real.astype(np.float64) - re[:, 0]) - re[:, 1]
    imag = (got.imag.astype(np.float64) - im[:, 0]) - im[:, 1]
    return Measurement(name, kind, np.hypot(real, imag) / size, operands)


def measure(ctx, name, kind, count, step):
    """Of `count` operands from each interval, of a 16-bit float of every
    `step`-th value."""
    if kind in agreement.COMPLEX:
        return measure_complex(ctx, name, kind, max(count // 4, 10))
    if name.endswith(" of two"):
        return measure_two(ctx, name.removesuffix(" of two"), kind, count)
    if name in TWO and name not in ONE:
        return measure_two(ctx, name, kind, count)
    return measure_one(ctx, name, kind, count, step)


def all_functions():
    """(name, type) of everything that is measured."""
    for name in [*ONE, *(f"{name} of two" if name in ONE else name
                         for name in TWO)]:
        yield from ((name, kind) for kind in agreement.FLOATS)
    for name in [*OF_COMPLEX, *OF_TWO_COMPLEX, *TO_COMPLEX]:
        yield from ((name, kind) for kind in agreement.COMPLEX)


def page(host, gpu):
    """Both devices' measurements as a page."""
    found = {}
    for column, report in enumerate((host, gpu)):
        for m in report["measurements"]:
            found.setdefault((m["name"], m["kind"]), [None, None])[column] = m
    lines = [
        "# Accuracy of the standard library", "",
        "Measured against MPFR by `test/e2e/accuracy.py`, in units in the last "
        "place (ULP): the largest error and the mean. f16 and bf16",
        "over all their values, the others over random operands of their whole "
        "domain. For complex numbers, the error is the distance in the plane,",
        "in ULP of the larger part. The bounds were fixed first (f32, f64 and "
        "complex 4, f16 and bf16 1), and the tests hold every function to its "
        "own.", "",
        f"Host: {host['device']}. GPU: {gpu['device'] if gpu else '–'}.", "",
        "`lgamma` of negative numbers is measured in ULP of the larger of its "
        "size and 1: it has a zero between any two whole numbers there.",
        "`log` of two is the logarithm to any base, measured in ULP of the "
        "larger of its size and 1. `logaddexp` and `logaddexp2` are measured "
        "of numbers from 1 to 60: near 0 terms cancel, and their error there "
        "is 2^-21 at most, of f16, f32 and bf16. Complex powers are measured in",
        "ULP times 1 + |y log x|, the size of the exponent that they are "
        "computed by. –: not measured on that device.", "",
        "| function | type | bound | host max | mean | GPU max | mean |",
        "| --- | --- | --- | --- | --- | --- | --- |"]
    for (name, kind), columns in found.items():
        cells = [f"{m['max']:.2f} | {m['mean']:.3f}" if m else "– | –"
                 for m in columns]
        lines.append(f"| `{name}` | {kind} | {BOUND[kind]} | "
                     f"{cells[0]} | {cells[1]} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lib", help="libkern.so")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--count", type=int, default=1000,
                        help="operands from each interval")
    parser.add_argument("--step", type=int, default=1,
                        help="of the 16-bit floats every so manieth value")
    parser.add_argument("--only", default="", metavar="NAMES",
                        help="these functions, with commas")
    parser.add_argument("--json", help="write the measurements here")
    parser.add_argument("--page", nargs="+", metavar="JSON",
                        help="print the page of the host's and GPU's files")
    options = parser.parse_args()
    if options.page:
        reports = [json.loads(pathlib.Path(p).read_text())
                   for p in options.page]
        print(page(reports[0], reports[1] if len(reports) > 1 else
                   {"measurements": [], "device": "–"}), end="")
        return
    if not mpfr.available():
        sys.exit("accuracy.py: libmpfr.so.6 is not installed")
    np.seterr(all="ignore")
    lib = kernapi.Library(options.lib)
    kind = (2, 0) if options.device == "cuda" else (1, 0)
    device = lib.describe(kind).name.decode()
    found, failed = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        ctx = Context(lib, "", options.device, pathlib.Path(scratch))
        only = [name for name in options.only.split(",") if name]
        for name, kind in all_functions():
            if only and name not in only:
                continue
            result = measure(ctx, name, kind, options.count, options.step)
            over = result.max > BOUND[result.kind]
            failed += over
            print(result.line() + ("  OVER" if over else ""), flush=True)
            found.append(vars(result))
        ctx.modules.clear()
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(
            {"device": device, "measurements": found}, indent=0))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
