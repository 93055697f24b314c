"""Bodies made of the functions of function_table.py: what is measured, in every
language, and which results are right. Needs NumPy, no GPU."""

import dataclasses
import math
import random
import re
import subprocess
import sys

import numpy as np

import function_table
from function_table import FUNCTIONS, Function, named
from wide_functions import WIDE

LAYOUTS = ("contiguous", "scalar", "row")
FLOATS = function_table.KINDS["f"]
# Half of the distance from 1 to the next number, and the least number above 0.
HALF_STEP = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-24,
             "f64": 2.0**-53, "c64": 2.0**-24}
LEAST = {"f16": 2.0**-24, "bf16": 2.0**-133, "f32": 2.0**-149,
         "f64": 2.0**-1074, "c64": 2.0**-149}
LARGEST = {"f16": 65504.0, "bf16": 3.3895e38, "f32": 3.4028e38,
           "f64": 1.7976e308, "c64": 3.4028e38}
PI = np.longdouble("3.14159265358979323846264338327950288")
C_TYPES = {"f16": "float", "bf16": "float", "f32": "float", "f64": "double",
           "c64": "complex<float>", "i32": "int", "i64": "long long",
           "bool": "bool", "u8": "unsigned char"}


@dataclasses.dataclass(frozen=True)
class Body:
    """Functions applied one after the other: of each its operands' names (`x`,
    `y`, `z` are inputs, `v0` the first step's result) or numbers."""
    name: str
    kind: str
    domains: tuple
    steps: tuple

    @property
    def inputs(self):
        return "xyz"[:len(self.domains)]

    @property
    def results(self):
        return tuple(self.kind if r == "=" else r
                     for r in self.steps[-1][0].results)

    @property
    def jumps(self):
        return any(function.jumps for function, _ in self.steps)

    def input_kinds(self):
        return [{"bool": "bool", "int": "i32"}.get(d[0], self.kind)
                for d in self.domains]

    def lines(self, text_of, number=str):
        """(name, text) of each step, or None where a step has no text."""
        lines = []
        for k, (function, operands) in enumerate(self.steps):
            text = text_of(function)
            if text is None:
                return None
            names = [o if isinstance(o, str) else number(o) for o in operands]
            lines.append((f"v{k}", re.sub(
                r"\b[abc]\b", lambda m: names["abc".index(m[0])], text)))
        return lines

    def kern(self):
        lines = self.lines(lambda f: f.kern)
        text = "".join(f"    {name} = {text}\n" for name, text in lines[:-1])
        return (f"ufunc f({', '.join(self.inputs)}):\n{text}"
                f"    return {lines[-1][1]}\n")

    def python(self, text_of, wrap="{}", number=str):
        """The text of a Python function `f`, or None."""
        lines = self.lines(text_of, number)
        return lines and (
            f"def f({', '.join(self.inputs)}):\n"
            + "".join(f"    {name} = {wrap.format(text)}\n"
                      for name, text in lines)
            + f"    return {lines[-1][0]}\n")

    def torch(self):
        """torch's functions of two tensors take no numbers."""
        return self.python(lambda f: f.torch,
                           number="torch.full_like(x, {})".format)

    def c(self):
        """Statements of C whose last variable is the result, or None. What
        they call in place of `$` depends on the type of the numbers."""
        lines = self.lines(lambda f: f.c, "T({})".format)
        if not lines or len(self.results) > 1:
            return None
        suffix = "f" if C_TYPES[self.kind] == "float" else ""
        if self.results[0] in ("bool", "u8", "i32", "i64"):
            *lines, (name, text) = lines
            last = f"  const {C_TYPES[self.results[0]]} {name} = {text};\n"
        else:
            last = ""
        text = "".join(f"  const auto {n} = {t};\n" for n, t in lines) + last
        return text.replace("$", suffix)


def single(function, kind):
    return Body(f"{function.name} {kind}", kind, function.domains,
                ((function, tuple("xyz"[:function.arity])),))


def chain(name, kind, domain, *steps):
    return Body(f"{name} {kind}", kind, (domain,), tuple(
        (named(function, kind), tuple(operands))
        for function, *operands in steps))


def published(kind):
    """Bodies that once were far behind."""
    yield chain("mish", kind, (-4.0, 4.0), ("exp", "x"), ("log1p", "v0"),
                ("tanh", "v1"), ("multiply", "x", "v2"))
    yield chain("sin(x) * cos(2 * x)", kind, (-4.0, 4.0), ("sin", "x"),
                ("multiply", 2.0, "x"), ("cos", "v1"), ("multiply", "v0", "v2"))
    yield chain("softplus", kind, (-4.0, 4.0), ("absolute", "x"),
                ("negative", "v0"), ("exp", "v1"), ("log1p", "v2"),
                ("maximum", "x", 0.0), ("add", "v3", "v4"))
    yield chain("gelu by tanh", kind, (-4.0, 4.0), ("multiply", "x", "x"),
                ("multiply", "v0", "x"), ("multiply", 0.044715, "v1"),
                ("add", "x", "v2"), ("multiply", 0.7978845608, "v3"),
                ("tanh", "v4"), ("add", 1.0, "v5"), ("multiply", 0.5, "x"),
                ("multiply", "v7", "v6"))


def rounding(kind, seed):
    """What stands for the rounding of each step: a random error of eight half
    steps."""
    noise = np.random.default_rng(seed)

    def near(value):
        if isinstance(value, tuple):
            return tuple(map(near, value))
        value = np.asarray(value)
        if value.dtype.kind not in "fc":
            return value
        part = noise.uniform(-8, 8, value.shape)
        return value * (1 + HALF_STEP[kind] * part) + LEAST[kind] * part
    return near


def reversed_bits(x):
    """Of an i32."""
    turned = int(f"{x & 0xffffffff:032b}"[::-1], 2)
    return (turned ^ 1 << 31) - (1 << 31)


def step(x, kind):
    """From |x| to the next number of a type."""
    power = np.ldexp(np.longdouble(1), np.frexp(x)[1])
    return np.maximum(power * HALF_STEP[kind], LEAST[kind])


def evaluated(body, inputs, near):
    names = {"np": np, "math": math, "near": near, **WIDE,
             "reversed_bits": reversed_bits, "PI": PI,
             "step": lambda x: step(x, body.kind)}
    exec(body.python(lambda f: f.numpy, "near({})"), names)
    with np.errstate(all="ignore"):
        found = names["f"](*inputs)
    return list(found) if isinstance(found, tuple) else [found]


def widened(values):
    """Numbers in NumPy's widest type of their kind."""
    wide = {"f": np.longdouble, "c": np.clongdouble, "b": bool}
    return np.asarray(values).astype(wide.get(values.dtype.kind, np.int64))


def expected(body, inputs, rounds=6):
    """For each result what it should be, and how far from that it may be: what
    errors of the steps make of it."""
    inputs = [widened(v) for v in inputs]
    exact = evaluated(body, inputs, lambda value: value)
    unit = HALF_STEP.get(body.kind, 0.0)
    bounds = []
    for value in exact:
        size = np.abs(value) if value.dtype.kind in "fc" else 0.0
        bounds.append(8 * unit * size + 2 * LEAST.get(body.kind, 0.0))
    if unit:
        for seed in range(rounds):
            made = evaluated(body, inputs, rounding(body.kind, seed))
            with np.errstate(all="ignore"):
                for k, (value, other) in enumerate(zip(exact, made)):
                    if value.dtype.kind in "fc":
                        bounds[k] = np.maximum(
                            bounds[k], 4 * np.abs(value - other))
    return list(zip(exact, bounds))


def error(body, wanted, found):
    """The largest error in units of the tolerance. Where results jump, a few
    may lie on the other side."""
    worst = 0.0
    share = 0.0 if not body.jumps and "bool" not in body.results else \
        0.1 if body.kind in ("f16", "bf16") else 0.01
    for (want, bound), got in zip(wanted, found):
        if want.dtype.kind in "fc":
            size = np.abs(want)
            usable = np.isfinite(size) & np.isfinite(bound) & (
                size < 0.9 * LARGEST[body.kind])
            if usable.mean() < 0.5:
                return math.inf
            off = np.abs(widened(got) - want)[usable] / np.asarray(bound)[usable]
        else:
            off = np.where(widened(got) == want, 0.0, math.inf)
        off = np.where(np.isnan(off), math.inf, off).astype(np.float64)
        worst = max(worst, float(np.sort(off)[
            min(off.size - 1, int((1 - share) * off.size))]))
    return worst


def fits(domain, values):
    return len(domain) == 2 and domain[0] <= values.min() and \
        values.max() <= domain[1]


def random_body(rng, name):
    """Two to six functions, each of the one before it and of other values, on
    arguments that each of them is meant for."""
    kind = rng.choice(("f16", "bf16", "f32", "f32", "f64", "f64"))
    pool = [f for f in FUNCTIONS if kind in f.types and f.composes
            and not (f.jumps and HALF_STEP[kind] > 1e-4)]
    domains = [rng.choice(((-4.0, 4.0), (0.25, 1.25), (0.5, 9.0)))
               for _ in range(rng.randint(1, 3))]
    values = {n: np.array([rng.uniform(*d) for _ in range(256)])
              for n, d in zip("xyz", domains)}
    steps, last = [], "x"
    wanted = rng.randint(2, 6)
    for _ in range(500):
        if len(steps) == wanted:
            break
        function = rng.choice(pool)
        operands = [rng.choice([*values, 0.5, 1.5, 2.0])
                    for _ in range(function.arity)]
        operands[rng.randrange(function.arity)] = last
        given = [values[o] if isinstance(o, str) else np.float64(o)
                 for o in operands]
        if not all(map(fits, function.domains, given)):
            continue
        made = evaluated(single(function, "f64"), given, lambda v: v)[0].astype(np.float64)
        if not np.isfinite(made).all() or np.abs(made).max() > 1e3 \
                or np.ptp(made) < 1e-2 * np.abs(made).max() or made.max() == 0:
            continue
        last = f"v{len(steps)}"
        steps.append((function, tuple(operands)))
        values[last] = made
    else:
        return None  # nothing takes such values
    return without_unused(Body(f"{name} {kind}", kind, tuple(domains),
                               tuple(steps)))


def without_unused(body):
    """The body without inputs that no step takes."""
    used = [n for n in body.inputs if any(n in o for _, o in body.steps)]
    renamed = dict(zip(used, "xyz"))
    return dataclasses.replace(
        body, domains=tuple(body.domains["xyz".index(n)] for n in used),
        steps=tuple((f, tuple(renamed.get(o, o) for o in operands))
                    for f, operands in body.steps))


def well_conditioned(body):
    """Whether most results say something about a kernel that made them."""
    rng = np.random.default_rng(1)
    inputs = [rng.uniform(*d, 256) for d in body.domains]
    want, bound = expected(body, inputs)[0]
    return bool(np.median(bound / (np.abs(want) + 1e-30))
                < 1000 * HALF_STEP[body.kind])


def random_bodies(seed, count=100):
    rng = random.Random(seed)
    bodies = []
    while len(bodies) < count:
        body = random_body(rng, f"body {seed}.{len(bodies)}")
        if body and body.domains and well_conditioned(body):
            bodies.append(body)
    return bodies


@dataclasses.dataclass(frozen=True)
class Pair:
    body: Body
    layout: str

    @property
    def name(self):
        return self.body.name + \
            ("" if self.layout == "contiguous" else f", {self.layout}")


def pairs(seed):
    """All that is measured, in a fixed order."""
    found = []
    for function in FUNCTIONS:
        for kind in function.types:
            body = single(function, kind)
            found.append(Pair(body, "contiguous"))
            if kind == "f32" and [len(d) for d in function.domains] == [2, 2]:
                found += [Pair(body, layout) for layout in LAYOUTS[1:]]
    for kind in FLOATS:
        found += [Pair(body, "contiguous") for body in published(kind)]
    for body in random_bodies(seed):
        found += [Pair(body, layout) for layout in
                  LAYOUTS[:3 if len(body.domains) > 1 else 1]]
    return found


MOST = 400  # of one run


def is_asked(name, row):
    """Whether one of the texts that `|` separates is in the name; all names if
    there is no text."""
    return any(text in name for text in (row or "").split("|"))


def part_of(every, part, row=""):
    """The share `k/m` of the pairs that `row` asks for, a sample of each
    kind."""
    every = [pair for pair in every if is_asked(pair.name, row)]
    number, of = map(int, part.split("/"))
    chosen = every[number - 1::of]
    if not 1 <= number <= of or len(chosen) > MOST:
        raise ValueError(f"--part {part}: at most {MOST} of {len(every)} pairs "
                         "are measured in one run")
    return chosen


def compile_all(kern, seed, target="sm_90"):
    """Compiles every body by the tool `kern`, without a GPU; PTX's text."""
    bodies = {pair.body: None for pair in pairs(seed)}
    source, signatures = [], []
    for k, body in enumerate(bodies):
        source.append(body.kern().replace("ufunc f(", f"ufunc f{k}("))
        signatures += ["--signature",
                       f"f{k}: ({', '.join(body.results)})"
                       f"({', '.join(body.input_kinds())})"]
    done = subprocess.run(
        [kern, "compile", "--target", target, *signatures, "-o", "-", "-"],
        input="\n".join(source), text=True, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[:4000])
    return done.stdout


if __name__ == "__main__":
    text = compile_all(*sys.argv[1:2], int(sys.argv[2]))
    print(f"{text.count('.entry')} kernels, {len(text)} bytes of PTX")
