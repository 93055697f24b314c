"""What group `agreement` compares is complete: every ufunc of NumPy, every
combination of types, every other name; and the page of differences is current."""

import itertools
import pathlib

import numpy as np

import agreement
import differences
from agreement import BINARY, TYPES, UNARY
from groups import types as operators
from groups.agreement import (ELSEWHERE, check_rows, compared_elsewhere, rows_for,
                              special)
from suite import Skip


def exact_name(alias):
    return agreement.ALIASES[alias]


def aliases(ctx):
    """Each of NumPy's names is the function that NumPy means by it."""
    def run(t):
        rows = {r.name: r for r in UNARY + BINARY}
        for alias in agreement.ALIASES:
            function = getattr(np, alias)
            inputs = function.nin if isinstance(function, np.ufunc) else 1
            for kind in ("f64", "i32"):
                if (exact_name(alias), kind) == ("power", "i32"):
                    continue  # NumPy raises for negative exponents
                values = [special(kind)[:6]] * inputs
                row = agreement.call(alias, inputs=inputs)
                if agreement.has_loop(row, [kind] * inputs):
                    loose = rows.get(exact_name(alias), row)
                    row = agreement.call(
                        alias, inputs=inputs, ulp=loose.ulp)
                    check_rows(ctx, t, [row], [kind] * inputs, values)
    return run


def nothing_is_missing(ctx):
    """Every ufunc of NumPy is compared here, or the page says why not."""
    def run(t):
        known = {r.numpy for r in UNARY + BINARY}
        named = set(agreement.ALIASES) | set(differences.ABSENT)
        for name, function in vars(np).items():
            if isinstance(function, np.ufunc):
                t.check(name, function in known or name in named)
    return run


def every_combination(ctx):
    """For each function all combinations of types that NumPy has are compared,
    here or in group `types`, which has its own table."""
    def run(t):
        spelled = {operators.expression(op) for op in operators.BINARY}
        there = spelled | set(operators.NAMED) | {"a ** b"}
        t.check("group types", ELSEWHERE == there, str(ELSEWHERE ^ there))
        every = [(k,) for k in TYPES] + list(itertools.product(TYPES, TYPES))
        here = {kinds: {r.text for r in rows_for(UNARY + BINARY, kinds)
                        if r.inputs == len(kinds)} for kinds in every}
        for row in UNARY + BINARY:
            wanted = agreement.combinations(row)
            missing = [kinds for kinds in wanted if row.text not in here[kinds]
                       and not compared_elsewhere(row, kinds)]
            t.check(f"{row.text}: {len(wanted)} combinations",
                    wanted and not missing, str(missing))
    return run


def documented(ctx):
    def run(t):
        page = pathlib.Path(__file__).parents[3] / "docs/explanation/numpy-differences.md"
        if not page.is_file():
            raise Skip("the package holds no docs")
        t.check("docs/explanation/numpy-differences.md", page.read_text() ==
                differences.page(), "is not what agreement.py writes")
    return run


def cases(ctx):
    yield "no ufunc of NumPy is missing", nothing_is_missing(ctx)
    yield "every combination of types", every_combination(ctx)
    yield "the page of differences", documented(ctx)
    yield "NumPy's names", aliases(ctx)
