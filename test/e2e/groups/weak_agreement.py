"""Weak numbers beside every type, in every function and every list of loops:
NumPy's result types, values and refusals.

A Python number beside arrays is weak in NumPy as in Kern. Here each function of
the standard library meets one in either place, written in the body and given
from outside; and functions with random lists of loops are called like NumPy
ufuncs made of the same lists.
"""

import itertools
import re

import numpy as np

import agreement
import differences
import kernapi
import loop_lists
from agreement import BINARY, FLOATS, INTEGERS, NP, TYPES, Row
from groups.agreement import chunks, mismatches, special

REFUSED = (kernapi.TYPE, kernapi.COMPILE)
# The second of each kind lies beyond narrow types.
WEAK = {"int": (3, 1000), "float": (1.5, 1e6), "complex": (0.5 - 1.5j,)}

CLIP = np._core.umath.clip  # np.clip makes an array of a number in front
FMA = loop_lists.numpy_ufunc([("f16",) * 4, ("f32",) * 4, ("f64",) * 4])


def fused(*operands):
    """NumPy has no fma: its loop by the rule, its value in a wider type."""
    if any(getattr(o, "dtype", None) == np.longdouble for o in operands):
        return operands[0] * operands[1] + operands[2]
    kind = FMA(*operands).dtype
    wide = [np.asarray(o).astype(agreement.WIDER[kind]) for o in operands]
    return (wide[0] * wide[1] + wide[2]).astype(kind)


def of_three(name, function, **options):
    """A function of three operands of which one or two are weak."""
    for places in ("abb", "bab", "bba", "aab", "aba", "baa"):
        yield Row(f"{name}({', '.join(places)})",
                  lambda a, b, p=places: function(
                      *[{"a": a, "b": b}[c] for c in p]), **options)


ROWS = [
    *[row for row in BINARY if "clip" not in row.text],
    *of_three("clip", CLIP, kinds=(*INTEGERS, *FLOATS)),
    *of_three("fma", fused, ulp=1),
]


def operands(row, kind, weak, is_first):
    """The values of a and b."""
    typed = special(kind)
    if row.name == "a ** b" and is_first and kind in INTEGERS:
        typed = typed[typed >= 0]  # NumPy raises
    return (weak, typed) if is_first else (typed, weak)


def expected(row, values):
    """NumPy's results and the same in a wider type; None if it refuses."""
    try:
        with np.errstate(all="ignore"):
            own = agreement.parts(row.numpy(*values))
    except (TypeError, OverflowError):
        return None
    if row.name == "where" and own[0].dtype.itemsize == 1 and any(
            isinstance(v, int) and v > 255 for v in values):
        return None  # np.where, no ufunc, lets it wrap
    arrays = [np.asarray(v) for v in values]
    is_complex = any(v.dtype.kind == "c" for v in arrays)
    ulp = row.complex_ulp if is_complex else row.ulp
    wide = own
    if ulp:
        wide = agreement.in_wider_type(row, None, arrays, own)
    return own, wide, ulp


def stand_in(row, weak):
    """bf16 is not a type of NumPy's. A weak number gives way to it, so that it
    is one of bf16; a complex one is of c64."""
    if row.name == "ldexp" and isinstance(weak, int):
        return "i64"
    if isinstance(weak, complex):
        return "c64"
    return "f64" if row.name == "float_power" else "bf16"


def reference(row, kind, weak, is_first):
    values = operands(row, kind, weak, is_first)
    if row.kinds and (kind not in row.kinds or isinstance(weak, complex)):
        return None
    if kind != "bf16":
        return expected(row, values)
    names = ["bf16", stand_in(row, weak)]
    arrays = [special(kind), np.full(1, weak).astype(NP[names[1]])]
    if is_first:
        names.reverse(), arrays.reverse()
    try:
        own = agreement.in_own_types(row, names, arrays)
    except (TypeError, ValueError):
        return None
    ulp = row.complex_ulp if "c64" in names else row.ulp
    wide = agreement.in_wider_type(row, names, arrays, own) if ulp else own
    return own, wide, ulp


def compare(t, label, row, kind, weak, is_first, results):
    own, wide, ulp = reference(row, kind, weak, is_first)
    values = [np.asarray(v) for v in operands(row, kind, weak, is_first)]
    skipped = differences.difference_of(row, [kind] * len(values))
    for got, exact, plain in zip(results, wide, own):
        got, exact = np.asarray(got), np.asarray(exact)
        plain = np.asarray(plain)
        if not t.check(label + ": type", got.dtype == plain.dtype,
                       f"{got.dtype}, NumPy {plain.dtype}"):
            continue
        allowed = ulp
        if row.amplified and got.dtype.kind == "c":
            allowed = ulp * row.amplified(*values)
        bad = mismatches(got, exact, plain, allowed, row.least)
        if skipped:
            bad = bad & ~np.broadcast_to(skipped.where(*values), bad.shape)
        t.check(label, not bad.any(), f"{got[bad][:1]}, expected "
                f"{np.broadcast_to(exact, got.shape)[bad][:1]}")


def source(rows, weak=None, parameters="a, b"):
    """A function of all rows; with `weak`, a (name, number) that is written
    in the body."""
    names, lines = [], []
    for i, row in enumerate(rows):
        text = row.text
        if weak is not None:
            text = re.sub(rf"\b{weak[0]}\b", f"({weak[1]!r})", text)
        results = [f"r{i}_{k}" for k in range(row.outputs)]
        lines.append(f"    {', '.join(results)} = {text}")
        names += results
    return "\n".join([f"ufunc f({parameters}):", *lines,
                      f"    return {', '.join(names)}", ""])


def meet(ctx, kind, is_inside):
    """One type beside every weak number, in all functions."""
    def attempt(rows, weak, is_first):
        values = operands(rows[0], kind, weak, is_first)
        if is_inside:
            place, name = ("a", "b") if is_first else ("b", "a")
            text = source(rows, (place, weak), name)
            results = ctx.call(text, "f", values[is_first])
        else:
            results = ctx.call(source(rows), "f", *values)
        return list(results) if isinstance(results, tuple) else [results]

    def run(t):
        for form, weak, is_first in (
                (form, weak, is_first) for form, numbers in WEAK.items()
                for weak in numbers for is_first in (False, True)):
            def label(row):
                a, b = (repr(weak), kind) if is_first else (kind, repr(weak))
                return f"{row.text} of {a}, {b}"
            taken = []
            for row in ROWS:
                if reference(row, kind, weak, is_first) is not None:
                    taken.append(row)
                elif not row.kinds:
                    t.refused(label(row), lambda: attempt(
                        [row], weak, is_first), REFUSED)
            # The operands of integers' powers are their own.
            powers = [row for row in taken if row.name == "a ** b"]
            others = [row for row in taken if row.name != "a ** b"]
            for some in itertools.chain(chunks(others), chunks(powers)):
                try:
                    results = attempt(some, weak, is_first)
                except kernapi.KernError as error:
                    for row in some:
                        try:
                            compare(t, label(row), row, kind, weak, is_first,
                                    attempt([row], weak, is_first))
                        except kernapi.KernError as error:
                            t.fail(label(row), str(error)[:300])
                    continue
                for row in some:
                    compare(t, label(row), row, kind, weak, is_first,
                            results[:row.outputs])
                    del results[:row.outputs]
    return run


def lists(ctx, seed):
    """Random lists of loops, called from outside and from a body."""
    def run(t):
        rng = ctx.rng(seed)
        for _ in range(12):
            loops = loop_lists.random_list(rng)
            inputs = len(loops[0]) - 1
            function = loop_lists.numpy_ufunc(loops)
            text = loop_lists.kern_source(loops)
            for arguments in loop_lists.random_arguments(rng, inputs, 30):
                wanted = loop_lists.expected(function, loops, arguments)
                label = (f"{loop_lists.describe(loops)} of "
                         f"{', '.join(map(loop_lists.name, arguments))}")
                inside, values = loop_lists.body_call(text, arguments)
                for where, attempt in (
                        ("called", lambda: ctx.call(text, "f", *arguments)),
                        ("from a body", lambda: ctx.call(
                            inside, "g", *values))):
                    if wanted is None:
                        t.refused(f"{label}, {where}", attempt, REFUSED)
                        continue
                    try:
                        kind = np.asarray(attempt()).dtype
                        t.check(f"{label}, {where}", kind == NP[wanted],
                                f"{kind}, NumPy {wanted}")
                    except kernapi.KernError as error:
                        t.fail(f"{label}, {where}", str(error)[:300])
    return run


def indices(ctx):
    """An index is an i64 beside integers, and gives way to floats."""
    def run(t):
        text = """
gufunc f(v: [n]):
    s = 0
    for i in range(n):
        s = s + hypot(v[i], i)
    return s
"""
        for kind in ("i8", "u16", "i32", "f16", "f32", "f64"):
            v = np.array([3, 0, 4], NP[kind])
            wanted = NP[kind] if kind in ("f16", "f32") else np.float64
            got = np.asarray(ctx.call(text, "f", v))
            t.check(f"hypot of {kind} and an index: type",
                    got.dtype == wanted, str(got.dtype))
    return run


def several(ctx):
    """Functions that take more than two numbers take all of them at once."""
    def run(t):
        for text, kind, wanted in [
                ("hypot(a, a, 1e6)", "i8", np.float64),
                ("hypot(a, a, 3)", "i8", np.float16),
                ("hypot(1e6, a, a)", "i8", np.float64),
                ("hypot(a, 1.5, a)", "f16", np.float16),
                ("hypot(a, 3, a)", "bool", np.float64),
                ("max(a, a, 1.5)", "i8", np.float64),
                ("min(1, a, a)", "bool", np.int64),
                ("max(a, 3, b)", "bool i8", np.int8),
                ("max(3, a, b)", "bool i8", np.int8),
                ("max(a, 0.1, b)", "i8 f32", np.float32),
                ("max(0.1, a, b)", "i8 f32", np.float32),
                ("hypot(a, 0.1, b)", "i8 f32", np.float32),
                ("clip(a, 0.1, b)", "i8 f32", np.float32),
                ("fma(a, 0.1, b)", "i8 f32", np.float32),
                ("fma(a, 3, 0.5)", "i8", np.float64),
                ("fma(a, 3, 0.5)", "f16", np.float16),
                ("hypot(True, False, 1e6)", "i8", np.float64),
                ("hypot(True, True, 3)", "i8", np.float64),
                ("hypot(3, True, True)", "i8", np.float64),
                ("gcd(True, True, 3)", "i8", np.int64),
                ("max(True, False, 3)", "i8", np.int64),
                ("gcd(a, a, 4)", "i8", np.int8)]:
            a, *b = [np.array([1, 1, 0], NP[k]) for k in kind.split()]
            header = "a, b" if b else "a"
            got = ctx.call(f"ufunc f({header}):\n    return {text}\n", "f",
                           a, *b)
            t.check(f"{text} of {kind}: type", got.dtype == wanted,
                    str(got.dtype))
            if "hypot(a, a, 1e6)" in text:
                t.same(f"{text} of {kind}", got, np.hypot(
                    np.hypot(a.astype(float), a.astype(float)), 1e6), ulp=2)
    return run


def cases(ctx):
    for kind in TYPES:
        yield f"{kind} given", meet(ctx, kind, is_inside=False)
        yield f"{kind} written", meet(ctx, kind, is_inside=True)
    for seed in range(8):
        yield f"lists {seed}", lists(ctx, seed)
    yield "indices", indices(ctx)
    yield "several", several(ctx)
