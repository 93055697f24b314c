"""Functions with both f16 and bf16, or with integers that f16 cannot hold.

f16 has more digits than bf16 and less range, so that neither can stand for the
other: an operation on both is one of f32. Every function of the standard library
on every pair of types with one of them, its result converted to the other;
conversions before and after operations, of all 65536 values; and integers, which
become infinite f16s however few digits they have.
"""

import itertools

import numpy as np

import agreement
import differences
import kernapi
from agreement import BINARY, NP, TYPES, UNARY
from evaluate import convert
from groups.agreement import TOGETHER, chunks, special, unequal
from suite import Skip

PRECISE = 1  # a product and its sum are not joined
HALVES = ("f16", "bf16")
REALS = [t for t in TYPES if t[0] != "c"]
# Around the ends of f16's range and of its subnormal numbers.
EDGES = (65472, 65504, 65519, 65520, 65536, 1e5, 2.0**-14, 1.5 * 2.0**-15,
         2.0**-23, 1.5 * 2.0**-24, 2.0**-24, 2.0**-25, 1.5 * 2.0**-25, 2.0**-26)


def to_odd(values):
    """f64 as f32, rounded towards zero and then to an odd number: a further
    rounding gives what one alone would."""
    with np.errstate(all="ignore"):
        near = values.astype(np.float32)
        back = near.astype(np.float64)
    bits = near.view(np.uint32)
    below = bits - (np.abs(back) > np.abs(values)).astype(np.uint32)
    inexact = np.isfinite(values) & (back != values)
    return np.where(inexact, below | np.uint32(1), bits).view(np.float32)


def to(name, values):
    """The values converted to a type, rounded once."""
    values = np.asarray(values)
    if values.dtype == NP["bf16"]:
        values = values.astype(np.float32)
    if name == "bf16":
        if values.dtype.kind in "iu":
            # From 2^24 on an odd bit stands for those that f64 may lack.
            sticky = values >> 24 << 24 | (
                ((values & 0xffffff) != 0).astype(values.dtype) << 24)
            values = np.where(abs(values.astype(np.float64)) < 2.0**52, values,
                              sticky).astype(np.float64)
        if values.dtype == np.float64:
            values = to_odd(values)
    with np.errstate(all="ignore"):
        return np.asarray(convert(values, NP[name])).astype(NP[name])


def same(t, label, got, wanted, inputs, free=False):
    """Equal, but where `free`. Which zero an extreme of both is, is free."""
    if not t.check(label + ": type", got.dtype == wanted.dtype,
                   f"{got.dtype}, expected {wanted.dtype}"):
        return
    got64, wanted64 = got.astype(np.float64), wanted.astype(np.float64)
    bad = unequal(got64, wanted64) & ~np.broadcast_to(free, got.shape)
    if "imum" in label:
        bad &= (got64 != 0) | (wanted64 != 0)
    at = tuple(np.argwhere(bad)[0]) if bad.any() else None
    t.check(label, at is None, "" if at is None else
            f"{bad.sum()} of {bad.size} differ, of "
            + ", ".join(repr(np.broadcast_to(v, bad.shape)[at])
                        for v in inputs)
            + f": {got[at]!r}, expected {wanted[at]!r}")


def needs_bf16():
    if "bf16" not in NP:
        raise Skip("ml_dtypes is not installed")


# Functions of one and two values, with the result converted.

def values_of(kind):
    if kind not in agreement.FLOATS:
        return special(kind)
    edges = np.array([*EDGES, *(-e for e in EDGES)]).astype(NP[kind])
    return np.concatenate([special(kind), edges])


def source(rows, inputs, target):
    arguments = ", ".join("ab"[:inputs])
    plain = ", ".join(row.text for row in rows)
    stored = ", ".join(f"{target}({row.text})" for row in rows)
    return (f"ufunc plain({arguments}):\n    return {plain}\n"
            f"ufunc stored({arguments}):\n    return {stored}\n")


def stored(ctx, kinds, target):
    """Each function of these types with a result of `target`: NumPy's result,
    converted. Where that is not exact, Kern's own is converted, which group
    `agreement` compares."""
    def run(t):
        needs_bf16()
        values = [values_of(kind) for kind in kinds]
        if len(kinds) == 2:
            values = [values[0][:, None], values[1][None, :]]
        rows = [r for r in (UNARY if len(kinds) == 1 else BINARY)
                if r.outputs == 1 and agreement.has_loop(r, kinds)]
        for some in chunks(rows):
            module = ctx.lib.compile(
                source(some, len(kinds), target), fp_mode=PRECISE)
            plain, results = (
                module[f](*values, place=ctx.place, device=ctx.dl_device)
                for f in ("plain", "stored"))
            if len(some) == 1:
                plain, results = (plain,), (results,)
            for row, own, got in zip(some, plain, results):
                if not row.ulp:
                    own = agreement.in_own_types(row, kinds, values)[0]
                skipped = differences.difference_of(row, kinds)
                same(t, f"{target}({row.text}) of {', '.join(kinds)}", got,
                     to(target, own), values,
                     skipped.where(*values) if skipped else False)
    return run


def pairs():
    """The types of operands of which at least one is a half."""
    for kinds in itertools.product(REALS, REALS):
        if set(kinds) & set(HALVES):
            yield kinds


def nothing_is_missing(ctx):
    """Every pair of types with a half, and every function that has them."""
    def run(t):
        every = set(itertools.product(REALS, HALVES)) | set(
            itertools.product(HALVES, REALS))
        t.check("pairs", set(pairs()) == every)
        for kinds in every:
            t.check(f"functions of {', '.join(kinds)}", len(
                [r for r in BINARY if agreement.has_loop(r, kinds)]) >= 20)
    return run


# All values, with conversions before and after.

CONSTANTS = ("1.5", "-0.0", "0.0", "65504.0", "3.0e38", "5.9604645e-08", "1024.5")
# By the type of the result; T and S are the two halves, of which S is v's.
FORMS = {
    "T": [
        "T(v)", "T(f32(v))", "T(f64(v))", "T(-f32(v))", "-T(v)",
        "T(abs(f32(v)))", "abs(T(v))", "T(sqrt(f32(v)))", "T(floor(f32(v)))",
        "T(ceil(f64(v)))", "T(trunc(f32(v)))", "T(rint(f32(v)))",
        "T(f32(v) - f32(T(v)))", "T(f32(T(v)) - f32(v))",
        "T(f32(v) + f32(T(v)))", "T(f32(v) * f32(T(v)))",
        "T(f32(v) / f32(T(v)))", "T(f64(v) - f64(T(v)))",
        "T(f64(v) * f64(T(v)))", "T(f32(v) * f32(v))",
        "T(f32(v) * f32(v) + f32(T(v)))", "T(f32(T(v)) * f32(T(v)) - f32(v))",
        "T(maximum(f32(v), f32(T(v))))", "T(minimum(f32(v), f32(T(v))))",
        "T(copysign(f32(T(v)), f32(v)))",
        "T(where(f32(v) > f32(T(v)), f32(v), f32(T(v))))",
        "T(where(f32(v) < f32(T(v)), f64(v), f64(T(v))))"],
    "S": ["S(T(v))", "S(f32(v) - f32(T(v)))", "S(f32(v) * f32(T(v)))"],
    "f32": ["f32(T(v))"],
    "f64": ["f64(T(f32(v)))"],
    "bool": ["f32(v) < f32(T(v))", "f32(v) == f32(T(v))", "f64(T(v)) >= f64(v)"],
}
WITH_CONSTANT = {
    "T": [
        "T(f32(v) + f32(C))", "T(f32(C) - f32(v))", "T(f32(v) * f32(C))",
        "T(f32(v) / f32(C))", "T(f32(C) / f32(v))", "T(f64(v) * f64(C))",
        "T(f64(v) + f64(C))", "T(maximum(f32(v), f32(C)))",
        "T(where(f32(v) < f32(C), f32(C), f32(v)))"],
    "f64": ["f64(T(where(f32(v) > f32(C), f32(v), f32(C))))"],
    "bool": ["f32(v) > f32(C)"],
}
# The same as a statement of a loop over the array.
LOOP = """gufunc g{k}(vs: {s}[n]) -> (y: {r}[n]):
    for j in prange(n):
        v = vs[j]
        y[j] = {text}
"""


def forms():
    """(the type of the result, expression) of each form."""
    for result, texts in FORMS.items():
        yield from ((result, text) for text in texts)
    for result, texts in WITH_CONSTANT.items():
        yield from ((result, text.replace("C", c))
                    for c in CONSTANTS for text in texts)


def python_names(source, target):
    names = {name: lambda x, name=name: to(name, x) for name in NP}
    names.update(
        T=names[target], S=names[source], **{
            f: getattr(np, f) for f in (
                "sqrt", "floor", "ceil", "trunc", "rint", "maximum", "minimum",
                "copysign", "where")})
    return names


def every_value(ctx, source, target):
    def run(t):
        needs_bf16()
        v = np.arange(65536, dtype=np.uint16).view(NP[source])
        names = python_names(source, target)
        place = {"place": ctx.place, "device": ctx.dl_device}
        for some in chunks(list(forms())):
            plain = [form.replace("T(", target + "(").replace(
                "S(", source + "(") for _, form in some]
            text = f"ufunc f(v: {source}):\n    return {', '.join(plain)}\n"
            for k, (result, _) in enumerate(some):
                result = {"T": target, "S": source}.get(result, result)
                text += LOOP.format(k=k, s=source, r=result, text=plain[k])
            module = ctx.lib.compile(text, fp_mode=PRECISE)
            for k, got in enumerate(module["f"](v, **place)):
                form = some[k][1]
                with np.errstate(all="ignore"):
                    wanted = np.asarray(eval(form, {**names, "v": v}))
                label = f"{form} of {source}, T being {target}"
                same(t, label, got, wanted, [v])
                same(t, label + ", in a loop", module[f"g{k}"](v, **place),
                     wanted, [v])
    return run


# Integers of few digits and any size.

NUMBERS = ["n", "n << 4", "n << 20", "n & 0x7f00", "n >> 16 << 16",
           "n >> 3 << 12", "-(n & 0x7f0000)", "n % 7 << 24", "(n & 255) * 65536"]
OF_NUMBERS = [
    "f32(f16(m))", "f64(f16(m))", "f64(f16(f32(m)))", "f32(f16(f64(m)))",
    "f16(m) + h", "f32(f16(m)) * x", "f32(-f16(m))", "f32(f16(-f32(m)))",
    "f32(f16(abs(f32(m))))", "f64(f16(f32(f64(m))))",
    "f32(f16(where(x > 0, f32(m), f32(1))))", "f32(where(x > 0, f16(m), h))",
    "bf16(f16(m))", "f32(bf16(m))", "i32(f16(m))", "u64(f16(m))", "f16(m) > h",
    "f32(f16(m)) == x"]


def of_integers(ctx, kind):
    def run(t):
        needs_bf16()
        info = np.iinfo(NP[kind])
        size = 2 ** (info.bits - (info.min < 0))
        rng = ctx.rng(9)
        n = np.array(sorted({
            k for e in range(info.bits) for k in (2**e - 1, 2**e, 2**e * 3 // 2)
            if k < size} | {int(k) for k in rng.integers(
                info.min, info.max, 60, endpoint=True, dtype=NP[kind])}),
            NP[kind])
        x = rng.choice(np.array([1, -1, 65504, 70000], np.float32), len(n))
        h = rng.choice(np.array([1, -1, 65504, np.inf], np.float16), len(n))
        names = {**python_names("f32", "f16"), "x": x, "h": h, "abs": np.abs}
        wide = f"{kind[0]}32(n)" if info.bits < 32 else "n"
        for number in NUMBERS:
            value = number.replace("n", wide)
            body = f"    m = {value}\n    return {', '.join(OF_NUMBERS)}\n"
            results = ctx.call(
                f"ufunc f(n: {kind}, x: f32, h: f16):\n{body}", "f", n, x, h)
            with np.errstate(all="ignore"):
                m = eval(value, {**names, "n": n})
            for form, got in zip(OF_NUMBERS, results):
                with np.errstate(all="ignore"):
                    wanted = np.asarray(eval(form, {**names, "m": m}))
                same(t, f"{form} for {value} of {kind}", got, wanted, [n, x, h])
    return run


def cases(ctx):
    yield "every pair of types", nothing_is_missing(ctx)
    for source, target in itertools.product(HALVES, HALVES):
        yield f"all of {source} by {target}", every_value(ctx, source, target)
    for kind in ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"):
        yield f"f16 of {kind}", of_integers(ctx, kind)
    for target in HALVES:
        for kind in HALVES:
            yield f"{target} of functions of {kind}", stored(
                ctx, (kind,), target)
        for kinds in pairs():
            yield f"{target} of functions of {kinds[0]} and {kinds[1]}", \
                stored(ctx, kinds, target)
