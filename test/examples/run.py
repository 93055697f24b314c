#!/usr/bin/env python3
"""Runs the examples: their command lines, their `>>>` lines, their programs.

usage: run.py --build DIR [--device auto|cpu|cuda:0] [--summary FILE]

Expected values are NumPy's, or written in the examples.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
sys.path.insert(0, str(ROOT / "test" / "e2e"))
import kernapi
import pasted
import ranks

F, D = np.float32, np.float64


def gaussian(x, mean, sigma):
    return np.exp(-0.5 * ((x - mean) / sigma) ** 2) / (
        sigma * math.sqrt(2 * math.pi))


def pulse(i, period, width, height):
    phase = i % period
    rise = np.minimum(phase, width - phase)
    return np.where(phase >= width, 0, height * 2 * rise / width)


def escape_time(cr, ci, limit):
    """Escape times by complex arithmetic, one step for all points at once."""
    c = cr + 1j * ci
    z = np.zeros_like(c)
    times = np.full(c.shape, float(limit))
    inside = np.ones(c.shape, bool)
    for k in range(limit):
        size = z.real**2 + z.imag**2
        out = inside & (size > 256)
        times[out] = k + 1 - np.log2(np.log2(size[out]) / 8)
        inside &= ~out
        z[inside] = z[inside] ** 2 + c[inside]
    return times


def mixed(z):
    """SplitMix64, by Steele, Lea and Flood."""
    z = np.asarray(z, np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def random_bits(i, seed):
    with np.errstate(over="ignore"):
        return mixed(i.astype(np.uint64) ^ mixed([seed])) >> np.uint64(11)


def random_numbers(i, seed):
    return random_bits(i, seed) * 2.0**-53


def normal_numbers(i, scale):
    u = (random_bits(2 * i, 0) + np.uint64(1)) * 2.0**-53
    v = random_numbers(2 * i + 1, 0)
    return scale * np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)


def decayed(x):
    """Each row is half of the one before it, and itself."""
    levels = x.copy()
    for before, row in zip(levels, levels[1:]):
        row += before / 2
    return levels


def edit_distances(rows, word):
    """By the whole table."""
    def distance(a, b):
        table = np.add.outer(np.arange(len(a) + 1), np.arange(len(b) + 1))
        for i, p in enumerate(a):
            for j, q in enumerate(b):
                table[i + 1, j + 1] = min(
                    table[i, j] + (p != q), table[i, j + 1] + 1,
                    table[i + 1, j] + 1)
        return table[-1, -1]
    return np.array([distance(row, word) for row in rows])


def black_scholes(spot, strike, years, rate, volatility):
    root = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike)
          + (rate + volatility**2 / 2) * years) / root
    n1, n2 = (np.vectorize(lambda d: math.erfc(-d / math.sqrt(2)) / 2)(d)
              for d in (d1, d1 - root))
    present = strike * np.exp(-rate * years)
    call = spot * n1 - present * n2
    return call, call - spot + present


def commands(rng):
    """(file, function, inputs as on the command line, expected, tolerance);
    a tuple is expected of a function with several results."""
    x, y = rng.random((40, 30)), rng.random(30)
    small = rng.random(500).astype(F)
    train = (rng.normal(0, 30, 5000) + 900 * (np.arange(5000) % 500 < 20))
    train = train.astype(np.int16)
    a, b = rng.random((2, 5, 7)), rng.random((7, 4))
    vectors = rng.standard_normal((50, 33)).astype(F)
    polar = [rng.random(100) + 0.5 for _ in range(4)]
    grey, weight = rng.random((2, 400)).astype(F)
    grey *= F(255)
    market = [rng.random(200) + 0.25 for _ in range(5)]
    half = rng.standard_normal(300).astype(np.float16)
    re_, im = np.linspace(-2, 0.5, 40), np.linspace(-1.2, 1.2, 31)[:, None]
    index = np.arange(3000)
    words = rng.integers(97, 101, (20, 11)).astype(np.uint8)
    return [
        ("01_add", "add", (x, y), x + y, 0),
        ("01_add", "add", ("1", "2.5"), np.array(3.5), 0),
        ("02_hypot", "hypotenuse", (x, y), np.hypot(x, y), 1e-15),
        ("02_hypot", "scaled_hypotenuse", (x, y), np.hypot(x, y), 1e-15),
        ("03_gaussian_pdf", "gaussian_pdf", (small, "0", "1"),
         gaussian(small.astype(D), 0, 1).astype(F), 1e-6),
        ("03_gaussian_pdf", "gaussian_pdf", (x, "0.5", "2"),
         gaussian(x, 0.5, 2), 1e-14),
        ("04_polar_distance", "polar_distance", polar,
         abs(polar[0] * np.exp(1j * polar[1])
             - polar[2] * np.exp(1j * polar[3])), 1e-13),
        ("05_zero_suppress", "zero_suppress", (train, "150"),
         np.where(train < 150, np.int16(0), train), 0),
        ("06_make_pulses", "make_pulses", (index, "100", "20", "f32(50)"),
         pulse(index, 100, 20, 50.0).astype(F), 1e-6),
        ("07_hidden_layer", "hidden_layer", (grey, weight),
         np.tanh(grey.astype(D) / 255 * weight).astype(F), 1e-6),
        ("07_hidden_layer", "normalise", (grey,), grey / F(255), 1e-7),
        ("08_mandelbrot", "escape_time", (re_, im, "i32(60)"),
         escape_time(re_, im, 60), 1e-6),
        ("09_l2_norm", "l2_norm", (vectors,),
         np.sqrt((vectors.astype(D) ** 2).sum(-1)).astype(F), 1e-6),
        ("10_matmul", "matmul", (a, b), a @ b, 1e-14),
        ("11_black_scholes", "black_scholes", market,
         black_scholes(*market), 1e-14),
        ("12_gelu", "gelu", (x,),
         x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))) / 2, 1e-15),
        ("12_gelu", "gelu", (half,),
         (half * (1 + np.vectorize(math.erf)(half / math.sqrt(2))) / 2)
         .astype(np.float16), 2e-3),
        ("14_methods", "log_add", (x, "--method=reduce", "--axis=1"),
         np.logaddexp.reduce(x, 1), 1e-13),
        ("14_methods", "log_add", (x, "--method=reduce", "--axis=all",
                                   "--keepdims", "--initial=2"),
         np.logaddexp.reduce(x, (0, 1), keepdims=True, initial=2), 1e-13),
        ("14_methods", "log_add", (y, y, "--method=outer"),
         np.logaddexp.outer(y, y), 1e-14),
        ("14_methods", "decay", (x, "--method=accumulate"), decayed(x), 1e-14),
        ("15_edit_distance", "edit_distance", (words, words[0, :7].copy()),
         edit_distances(words, words[0, :7]), 0),
        ("16_random_numbers", "uniform", ("5:1000:3", "seed=7"),
         random_numbers(np.arange(5, 1000, 3), 7), 0),
        ("16_random_numbers", "uniform", ("0:1000", "--shape", "2,1000"),
         np.stack([random_numbers(np.arange(1000), 0)] * 2), 0),
        ("16_random_numbers", "normal", ("0:1000", "scale=0.5"),
         normal_numbers(np.arange(1000), 0.5), 1e-14),
        ("16_random_numbers", "hann", ("--shape", "8"),
         0.5 - 0.5 * np.cos(2 * np.pi * np.arange(8) / 8), 1e-15),
    ]


class Tests:
    def __init__(self, options):
        self.kern = options.build / "bin" / "kern"
        self.build = options.build
        self.device = options.device
        self.passed, self.failures, self.skipped = 0, [], 0

    def check(self, label, ok, detail=""):
        if ok:
            self.passed += 1
            return True
        self.failures.append(f"{label}: {detail}")
        print(f"FAILED {label}: {detail}")
        return False

    def run(self, *command, **options):
        return subprocess.run(
            [str(c) for c in command], capture_output=True, text=True,
            errors="replace", timeout=300, **options)

    def command_lines(self, folder):
        for number, (file, function, inputs, expected, tolerance) in \
                enumerate(commands(np.random.default_rng(1))):
            words = []
            for k, value in enumerate(inputs):
                if isinstance(value, str):
                    words.append(value)
                else:
                    words.append(folder / f"in{k}.npy")
                    np.save(words[-1], value)
            wanted = expected if isinstance(expected, tuple) else (expected,)
            outs = [folder / f"out{number}_{k}.npy"
                    for k in range(len(wanted))]
            done = self.run(
                self.kern, "run", EXAMPLES / f"{file}.kern", function, *words,
                *[word for out in outs for word in ("-o", out)],
                "--device", self.device)
            label = f"kern run {file}.kern {function}"
            if not self.check(label, done.returncode == 0, done.stderr):
                continue
            for out, result in zip(outs, wanted):
                self.result(label, np.load(out), result, tolerance)

    def result(self, label, got, expected, tolerance):
        if not self.check(label + " type and shape",
                          (got.dtype, got.shape) == (
                              expected.dtype, expected.shape),
                          f"{got.dtype}{got.shape}, expected "
                          f"{expected.dtype}{expected.shape}"):
            return
        scale = float(np.max(np.abs(expected.astype(D)))) or 1
        error = np.max(np.abs(got.astype(D) - expected.astype(D)))
        self.check(label + " values", error <= tolerance * max(scale, 1),
                   f"off by {error}")

    def numbered(self):
        """Every example compiles to PTX, and every one is tried above."""
        tried = {c[0] for c in commands(np.random.default_rng(1))}
        for path in sorted(EXAMPLES.glob("*.kern")):
            # Programs in Python have tests of their own in python/tests.
            is_tried = path.stem in tried or path.with_suffix(".py").exists()
            self.check(f"{path.stem} is tried", is_tried,
                       "no command line in test/examples/run.py")
            with tempfile.TemporaryDirectory() as folder:
                out = pathlib.Path(folder) / "x.ptx"
                generic = {"01_add": "f32(f32, f32)",
                           "05_zero_suppress": "i16(i16, i16)"}
                types = [f"--signature={generic[path.stem]}"] \
                    if path.stem in generic else []
                done = self.run(self.kern, "compile", path, *types, "-o", out)
                self.check(f"kern compile {path.name}",
                           done.returncode == 0 and out.exists(),
                           done.stderr)

    def in_file(self):
        lib = kernapi.Library(self.build / "lib" / "libkern.so")
        for path in sorted(EXAMPLES.glob("*.kern")):
            module = lib.compile_file(path)
            names = {n: as_called(module[n]) for n in module.names()}
            names.update({n: t.type for n, t in kernapi.NUMPY_TYPE.items()
                          if n != "bool"})
            names.update(pi=math.pi, e=math.e, inf=math.inf, nan=math.nan)
            lines = re.findall(
                r'^\s*(?:""")?>>> (.*)\n\s*(.*)$', path.read_text(), re.M)
            for expression, shown in lines:
                label = f"{path.name}: {expression}"
                try:
                    got = eval(expression, names)
                except kernapi.KernError as error:
                    self.check(label, False, str(error))
                    continue
                self.check(label, agrees(got, shown),
                           f"{got!r}, expected {shown}")

    def pasted(self):
        pasted.run(self)

    def skip(self, label, why):
        self.skipped += 1
        print(f"skipped {label}: {why}")

    def programs(self, folder):
        for name in sorted(p.stem for p in EXAMPLES.glob("[0-9]*.cpp")):
            if "#include <mpi.h>" in (EXAMPLES / f"{name}.cpp").read_text():
                ranks.run(self, name)
                continue
            program = self.build / "bin" / f"kern_example_{name}"
            if not self.check(f"{name}.cpp is built", program.exists(),
                              f"{program} is not there"):
                continue
            done = self.run(program, cwd=folder)
            self.check(f"{name}.cpp", done.returncode == 0,
                       done.stdout + done.stderr)

    def demo(self, folder):
        done = self.run("bash", EXAMPLES / "run-demo.sh", self.build, folder)
        if not self.check("run-demo.sh", done.returncode == 0,
                          done.stdout[-2000:] + done.stderr[-2000:]):
            return
        for word in ("add", "gaussian_pdf", "polar_distance", "l2_norm",
                     "matmul", "GB/s", "of a copy"):
            self.check(f"the demonstration names {word}", word in done.stdout,
                       done.stdout)
        picture = folder / "mandelbrot.png"
        problem = png_problem(picture)
        self.check("the picture", not problem, problem)
        for path in EXAMPLES.glob("*.kern"):
            self.check(f"{path.stem}.ptx", (
                folder / f"{path.stem}.ptx").exists(), "is not there")


def as_called(function):
    """Lists are arrays; Python's numbers stay weak."""
    def call(*arguments, **named):
        return function(*[
            np.array(a) if isinstance(a, list) else a for a in arguments],
            named=named or None)
    return call


def agrees(got, shown):
    """To the digits shown."""
    expected = eval(shown, {"inf": math.inf, "nan": math.nan})
    got, want = np.asarray(got), np.asarray(expected)
    if got.shape != want.shape:
        return False
    if want.dtype.kind != "f":
        return bool(np.array_equal(got, want))
    digits = re.findall(r"\.(\d+)", shown)
    unit = 10.0 ** -max((len(d) for d in digits), default=0)
    exponent = re.search(r"e([+-]?\d+)", shown)
    if exponent:
        unit *= 10.0 ** int(exponent[1])
    return bool(np.allclose(got, want, rtol=1e-12, atol=unit * 0.5,
                            equal_nan=True))


def png_problem(path):
    """Why a file is not a PNG of some size and more than one colour, or ""."""
    if not path.exists():
        return f"{path} is not there"
    data = path.read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return "no PNG signature"
    at, pixels, header = 8, b"", None
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        kind = data[at + 4:at + 8]
        body = data[at + 8:at + 8 + size]
        check = int.from_bytes(data[at + 8 + size:at + 12 + size], "big")
        if zlib.crc32(kind + body) != check:
            return f"the checksum of {kind} is wrong"
        if kind == b"IHDR":
            header = body
        elif kind == b"IDAT":
            pixels += body
        at += 12 + size
    if header is None or data[-8:-4] != b"IEND":
        return "no header or no end"
    width, height = (int.from_bytes(header[k:k + 4], "big") for k in (0, 4))
    raw = zlib.decompress(pixels)
    if header[8:10] != b"\x08\x02" or len(raw) != height * (1 + 3 * width):
        return "not 8-bit RGB of that size"
    colours = {raw[k:k + 3] for k in range(1, len(raw) - 3, 3001)}
    if width < 256 or height < 256 or len(colours) < 16:
        return f"{width}×{height} with {len(colours)} colours"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--summary", type=pathlib.Path)
    options = parser.parse_args()
    options.build = options.build.resolve()
    tests = Tests(options)
    for name in ("numbered", "in_file", "pasted", "command_lines", "programs", "demo"):
        with tempfile.TemporaryDirectory() as folder:
            method = getattr(tests, name)
            try:
                if name in ("numbered", "in_file", "pasted"):
                    method()
                else:
                    method(pathlib.Path(folder))
            except Exception as error:  # one part must not end the others
                tests.check(name, False, f"{type(error).__name__}: {error}")
    failed = len(tests.failures)
    print(f"{tests.passed} passed, {failed} failed, {tests.skipped} skipped")
    if options.summary:
        options.summary.write_text(json.dumps({
            "passed": tests.passed, "failed": failed, "skipped": tests.skipped,
            "failures": tests.failures}, indent=1))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
