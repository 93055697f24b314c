"""Operations on integers of 8 and 16 bits that were converted from others, and
minima and maxima of what is negated.

A register of the GPU holds more than a narrow number, and an operation must not
see what an argument, a conversion or an operation before it left there. A body
with much to compute beside stays a function there, which takes arguments.
"""

import numpy as np

TYPES = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16}
OPERANDS = {"plain": "x", "sum": "(x + z)", "product": "(x * z)",
            "negated": "(-x)", "shifted": "(x << 3)"}
# With v for the converted number and y for one of its type.
RESULTS = {
    "quotient_six": "v // 6", "rest_six": "v % 6", "quotient_seven": "v // 7",
    "rest_ten": "v % 10", "quotient": "v // y", "rest": "v % y",
    "halved": "v >> 1", "shifted": "v >> (y & 7)", "product": "v * y",
    "wide_product": "i32(v) * i32(y)", "less": "v < y", "max": "max(v, y)",
    "absolute": "abs(v)", "real": "f32(v)", "long": "i64(v)",
    "unsigned": "u32(v)", "kept_bits": "v & 96", "is_zero": "v == 0",
}
CALLED = ("quotient_six", "rest_six", "rest_ten", "quotient", "rest",
          "product", "wide_product", "halved", "real", "long")
WIDE = {"wide_product": "i32", "less": "bool", "real": "f32", "long": "i64",
        "unsigned": "u32", "is_zero": "bool"}


def functions():
    """(name, type of x, type of v, Kern's expression) of each function."""
    for source in TYPES:
        for target in TYPES:
            for o, operand in OPERANDS.items():
                for r, result in RESULTS.items():
                    if o == "plain" or r in ("quotient_six", "rest_six",
                                             "quotient", "wide_product",
                                             "long"):
                        yield (f"{r}_of_{o}_{source}_{target}", source, target,
                               operand, r)


def forms(operand, r):
    yield "each"
    if operand == "x" and r in CALLED:
        yield "called"


def kern_text():
    lines = []
    for name, source, target, operand, r in functions():
        head = f"(x: {source}, z: {source}, y: {target}) ->"
        t = WIDE.get(r, target)
        body = f"    v = {target}({operand})\n    return {RESULTS[r]}"
        lines.append(f"ufunc each_{name}{head} {t}:\n{body}")
        if "called" in forms(operand, r):
            lines.append(f"ufunc called_{name}{head} (r: {t}, e: f64):\n{body}, "
                         "sin(f64(z)) % (exp(f64(y)) + 1.5) + "
                         "cos(f64(y)) % (exp(f64(z)) + 2.5)")
    return "\n".join(lines) + "\n"


def numbers(t, rng):
    info = np.iinfo(t)
    some = rng.integers(info.min, info.max, 90, endpoint=True).astype(t)
    ends = np.array([0, 1, 2, 3, 7, 31, 100, 127, info.max, info.max - 1,
                     info.min, info.min + 1, info.max // 2 + 1], dtype=t)
    return np.concatenate([some, ends, ends[::-1]])


def expected(x, z, y, target, operand, r):
    names = {"x": x, "z": z}
    v = eval(operand.replace("x << 3", "np.left_shift(x, x.dtype.type(3))"),
             {**names, "np": np}).astype(target)
    names = {"v": v, "y": y, "max": np.maximum, "abs": np.abs}
    for name, t in (("f32", np.float32), ("i32", np.int32), ("i64", np.int64),
                    ("u32", np.uint32)):
        names[name] = lambda a, t=t: a.astype(t)
    return np.asarray(eval(RESULTS[r], names))


def converted(ctx):
    def run(t):
        rng = ctx.rng(5)
        module = ctx.lib.compile(kern_text())
        for name, source, target, operand, r in functions():
            x, z = (rng.permutation(numbers(TYPES[source], rng))
                    for _ in range(2))
            y = rng.permutation(numbers(TYPES[target], rng))
            with np.errstate(all="ignore"):
                wanted = expected(x, z, y, TYPES[target], operand, r)
            for form in forms(operand, r):
                actual = module[f"{form}_{name}"](
                    x, z, y, place=ctx.place, device=ctx.dl_device)
                t.same(f"{form}_{name}",
                       actual[0] if form == "called" else actual, wanted)
    return run


EXTREMES = (
    "max(max(a, -b), c)", "max(a, max(-b, c))", "min(min(a, -b), c)",
    "max(min(a, -b), c)", "max(-a, max(b, c))", "max(max(-a, -b), c)",
    "max(abs(a), b)", "min(abs(a), b)", "max(max(abs(a), abs(b)), c)",
    "max(max(a, b - c), c)", "-max(-a, min(b, -c))", "abs(max(a, -b))",
    "max(max(a, -b), max(c, -a))", "max(a, -b) if c > 0 else min(a, -b)",
)


def extremes(ctx):
    def run(t):
        types = {**TYPES, "i32": np.int32, "u32": np.uint32, "i64": np.int64}
        text = "".join(
            f"ufunc f{k}_{name}(a: {name}, b: {name}, c: {name}) -> {name}:\n"
            f"    return {expression}\n"
            for k, expression in enumerate(EXTREMES) for name in types)
        module = ctx.lib.compile(text)
        rng = ctx.rng(6)
        for name, dtype in types.items():
            a, b, c = (rng.permutation(numbers(dtype, rng)) for _ in range(3))
            for k, expression in enumerate(EXTREMES):
                names = {"a": a, "b": b, "c": c, "max": np.maximum,
                         "min": np.minimum, "abs": np.abs, "where": np.where}
                in_python = expression
                if " if " in expression:
                    chosen, rest = expression.split(" if ")
                    condition, other = rest.split(" else ")
                    in_python = f"where({condition}, {chosen}, {other})"
                with np.errstate(all="ignore"):
                    wanted = eval(in_python, names)
                actual = module[f"f{k}_{name}"](
                    a, b, c, place=ctx.place, device=ctx.dl_device)
                t.same(f"{expression} of {name}", actual, wanted)
    return run


def cases(ctx):
    yield "converted", converted(ctx)
    yield "extremes", extremes(ctx)
