"""Choices between a number and zero, by a comparison with zero.

A comparison treats 0 and -0 as equal, so the choice decides which of them the result
is; a minimum or maximum in its place may give the other. All comparisons, both zeros
on both sides, and all conversions of what is chosen.
"""

import itertools

import numpy as np

from groups.halves import to
from kernapi import NUMPY_TYPE as NP
from suite import Skip

FLOATS = ("f16", "bf16", "f32", "f64")
TOGETHER = 32  # functions of one module
COMPARED = ("x {op} {zero}", "{zero} {op} x")
OPERATORS = ("<", "<=", ">", ">=")
ZEROS = ("0.0", "-0.0")
VALUES = np.array([-0.0, 0.0, 1.5, -1.5, np.inf, -np.inf, np.nan, 6e-8, -6e-8,
                   -0.0, 0.0])
# With a condition c and values a and b.
FORMS = {
    "choice": "    r = {a} if {c} else {b}\n",
    "negated": "    r = {a} if not ({c}) else {b}\n",
    "statement": "    r = {b}\n    if {c}:\n        r = {a}\n",
    "kept": "    c = {c}\n    r = {a} if c else {b}\n",
}


def choices(source, target, compared=COMPARED):
    """(condition, value, other value) of each choice."""
    for text, op, zero, other in itertools.product(
            compared, OPERATORS, ZEROS, ZEROS):
        condition = text.format(op=op, zero=f"{source}({zero})")
        values = f"{target}(x)", f"{target}({other})"
        yield condition, *values
        yield condition, *values[::-1]


def kern_text(name, source, target, form, choice):
    c, a, b = choice
    more = (", c: bool", ", c") if form == "kept" else ("", "")
    return (f"ufunc {name}(x: {source}) -> (r: {target}{more[0]}):\n"
            f"{FORMS[form].format(c=c, a=a, b=b)}    return r{more[1]}\n")


def expected(choice, form, x):
    names = {name: lambda v, name=name: to(name, np.asarray(v))
             for name in FLOATS if name in NP}
    with np.errstate(all="ignore"):
        c, a, b = (np.broadcast_to(eval(text, {**names, "x": x}), x.shape)
                   for text in choice)
        return np.where(c != (form == "negated"), a.astype(np.float64),
                        b.astype(np.float64))


def chosen(ctx, source, target, form, compared=COMPARED):
    def run(t):
        if source not in NP or target not in NP:
            raise Skip("ml_dtypes is not installed")
        x = to(source, np.tile(VALUES, 7))
        every = list(choices(source, target, compared))
        for k in range(0, len(every), TOGETHER):
            some = every[k:k + TOGETHER]
            module = ctx.lib.compile("".join(
                kern_text(f"z{i}", source, target, form, choice)
                for i, choice in enumerate(some)))
            for i, choice in enumerate(some):
                got = module[f"z{i}"](x, place=ctx.place, device=ctx.dl_device)
                got = got[0] if form == "kept" else got
                t.same(f"{form}: {choice[1]} if {choice[0]} else {choice[2]}",
                       got.astype(np.float64), expected(choice, form, x))
    return run


def cases(ctx):
    for source, target in itertools.product(FLOATS, FLOATS):
        yield f"{source} to {target}", chosen(
            ctx, source, target, "choice", COMPARED[:1])
    for form in FORMS:
        for source, target in (("f32", "f64"), ("f64", "f64"), ("f16", "f32")):
            yield f"{form}, {source} to {target}", chosen(
                ctx, source, target, form)
