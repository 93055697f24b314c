"""Operations on integers of 8 and 16 bits that were converted from others.

A register of the GPU holds more than such a number, and an operation must not
see what a load, a conversion or an operation before it left there. What loads
an element of an array is another instruction than what loads many at once.
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


def kern_text():
    lines = []
    for name, source, target, operand, r in functions():
        lines.append(
            f"ufunc each_{name}(x: {source}, z: {source}, y: {target}) -> "
            f"{WIDE.get(r, target)}:\n    v = {target}({operand})\n"
            f"    return {RESULTS[r]}\n"
            f"gufunc at_{name}(xs: {source}[n], z: {source}, y: {target}) -> "
            f"{WIDE.get(r, target)}:\n    x = xs[0]\n"
            f"    v = {target}({operand})\n    return {RESULTS[r]}\n")
    return "\n".join(lines)


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
            for form, first in (("each", x), ("at", x[:, None])):
                actual = module[f"{form}_{name}"](
                    first, z, y, place=ctx.place, device=ctx.dl_device)
                t.same(f"{form}_{name}", actual, wanted)
    return run


def cases(ctx):
    yield "converted", converted(ctx)
