"""Every function of the standard library that NumPy has, on every combination
of types, over special values: NumPy's result type and NumPy's values.

On the host by itself the pairs of types that group `types` has too are left to
it; `--full`, and the GPU, take all.
"""

import itertools
import pathlib

import numpy as np

import agreement
import kernapi
from agreement import BINARY, COMPLEX, FLOATS, INTEGERS, NP, TYPES, UNARY
from suite import Skip

TOGETHER = 8  # results of one function: compiling many at once is faster
NEW = ("f16", "bf16", "c64", "c128")


def special(kind):
    """Values at which something can go wrong."""
    dtype = NP[kind]
    if kind == "bool":
        return np.array([False, True])
    if kind in COMPLEX:
        part = [0.0, -0.0, 1.0, -1.5, 0.25, 3.0, np.inf, -np.inf, np.nan]
        return np.array([complex(*p) for p in itertools.product(part, part)],
                        dtype)
    if kind in FLOATS:
        largest, tiny, least = {
            "f16": (65504.0, 2.0**-14, 2.0**-24),
            "bf16": (float(2 - 2.0**-7) * 2.0**127, 2.0**-126, 2.0**-133),
            "f32": (float(np.finfo("f4").max), 2.0**-126, 2.0**-149),
            "f64": (float(np.finfo("f8").max), 2.0**-1022, 5e-324)}[kind]
        positive = [0.0, 0.3125, 0.5, 1, 1.5, 2, 2.5, 3, 7, 100, 255.75, 6e4,
                    largest, tiny, 3 * least, least, np.inf]
        return np.array(positive + [-x for x in positive] + [np.nan]).astype(
            dtype)
    info = np.iinfo(dtype)
    numbers = {0, 1, 2, 3, 7, 8, 15, 31, 63, 64, 100, info.max, info.max // 3}
    if info.min:
        numbers |= {-1, -2, -3, -7, -31, -100, info.min, info.min + 1}
    return np.array(sorted(n for n in numbers if n <= info.max), dtype)


def pair_of(left, right):
    a, b = special(left), special(right)
    if left in COMPLEX and right in COMPLEX:
        b = b[::2]
    return a[:, None], b[None, :]


def source(rows, inputs):
    lines = [f"ufunc f({', '.join('ab'[:inputs])}):"]
    names = []
    for i, row in enumerate(rows):
        results = [f"r{i}_{k}" for k in range(row.outputs)]
        lines.append(f"    {', '.join(results)} = {row.text}")
        names += results
    return "\n".join(lines + [f"    return {', '.join(names)}", ""])


def possible(row, kinds, values):
    try:
        agreement.in_own_types(row, kinds, [v.ravel()[:1] for v in values])
    except (TypeError, ValueError):
        return False
    # NumPy raises for what Kern gives a value; that it is left to `types`.
    return not (row.name == "a ** b" and
                all(k in INTEGERS + ["bool"] for k in kinds))


def compare(t, row, kinds, values, results):
    label = f"{row.text} of {', '.join(kinds)}"
    own = agreement.in_own_types(row, kinds, values)
    complex_result = own[0].dtype.kind == "c"
    ulp = row.complex_ulp if complex_result or (
        set(kinds) & set(COMPLEX) and own[0].dtype.kind == "f") else row.ulp
    expected = own
    if ulp and "real" not in row.name:
        expected = agreement.in_wider_type(row, kinds, values, own)
    skipped = agreement.difference_of(row, kinds)
    mask = None
    if skipped:
        mask = np.broadcast_to(skipped.where(*values), own[0].shape)
    for got, exact, plain in zip(results, expected, own):
        if not t.check(label + ": type", got.dtype == plain.dtype,
                       f"{got.dtype}, NumPy {plain.dtype}"):
            continue
        exact, plain = np.asarray(exact), np.asarray(plain)
        if got.shape != plain.shape:
            t.fail(label, f"shape {got.shape}, NumPy {plain.shape}")
            continue
        bad = mismatches(got, exact, plain, ulp)
        if mask is not None:
            bad &= ~mask
        at = tuple(np.argwhere(bad)[0]) if bad.any() else None
        operands = "" if at is None else ", ".join(
            repr(np.broadcast_to(v, bad.shape)[at]) for v in values)
        t.check(label, at is None, "" if at is None else
                f"{bad.sum()} of {bad.size} differ, of {operands}: "
                f"{got[at]!r}, expected {exact[at]!r}")


def mismatches(got, exact, plain, ulp):
    """Where results are not those of NumPy: exactly, or `ulp` off a result in
    a wider type with NumPy's own special values."""
    if got.dtype.kind not in "fcV" or got.dtype == np.bool_:
        return got != plain
    if not ulp:
        wide = got.dtype if got.dtype != NP.get("bf16") else np.float32
        got, plain = got.astype(wide), plain.astype(wide)
        if wide.__class__ is type and got.dtype.kind == "c":
            pass
        return unequal(got, plain)
    with np.errstate(all="ignore"):
        return agreement.distance(got, exact) > ulp


def unequal(a, b):
    if a.dtype.kind == "c":
        return unequal(a.real, b.real) | unequal(a.imag, b.imag)
    same = (a == b) & (np.signbit(a) == np.signbit(b))
    return ~(same | (np.isnan(a) & np.isnan(b)))


def check_rows(ctx, t, rows, kinds, values):
    """Several rows as one function; each alone where that is refused."""
    try:
        results = ctx.call(source(rows, len(kinds)), "f", *values)
    except kernapi.KernError as error:
        if len(rows) == 1:
            t.fail(f"{rows[0].text} of {', '.join(kinds)}", str(error)[:300])
            return
        for row in rows:
            check_rows(ctx, t, [row], kinds, values)
        return
    results = list(results) if isinstance(results, tuple) else [results]
    for row in rows:
        compare(t, row, kinds, values, results[:row.outputs])
        del results[:row.outputs]


def chunks(rows):
    while rows:
        yield rows[:TOGETHER]
        rows = rows[TOGETHER:]


def unary(ctx, kind):
    def run(t):
        values = [special(kind)]
        rows = [r for r in UNARY if possible(r, [kind], values)]
        for some in chunks(rows):
            check_rows(ctx, t, some, [kind], values)
    return run


def pair(ctx, left, right):
    def run(t):
        values = list(pair_of(left, right))
        kinds = [left, right]
        rows = [r for r in BINARY if possible(r, kinds, values)]
        for some in chunks(rows):
            check_rows(ctx, t, some, kinds, values)
    return run


def refused(ctx, kind):
    """What NumPy has no loop for, Kern refuses too."""
    def run(t):
        values = [special(kind)[:1]]
        for row in UNARY:
            if possible(row, [kind], values):
                continue
            t.refused(f"{row.text} of {kind}", lambda: ctx.call(
                source([row], 1), "f", *values),
                (kernapi.TYPE, kernapi.COMPILE))
        for row in BINARY:
            both = [values[0], values[0]]
            if row.name == "a ** b" or possible(row, [kind, kind], both):
                continue
            t.refused(f"{row.text} of two {kind}", lambda: ctx.call(
                source([row], 2), "f", *both),
                (kernapi.TYPE, kernapi.COMPILE))
    return run


def aliases(ctx):
    """Each of NumPy's names is the function that NumPy means by it."""
    def run(t):
        rows = {r.name: r for r in UNARY + BINARY}
        for alias in agreement.ALIASES:
            function = getattr(np, alias)
            inputs = function.nin if isinstance(function, np.ufunc) else 1
            for kind in ("f64", "i32"):
                values = [special(kind)[:6]] * inputs
                row = agreement.call(alias, inputs=inputs)
                if possible(row, [kind] * inputs, values):
                    exact = agreement.ALIASES[alias]
                    loose = rows.get(exact, row)
                    row = agreement.call(
                        alias, inputs=inputs, ulp=loose.ulp)
                    check_rows(ctx, t, [row], [kind] * inputs, values)
    return run


def nothing_is_missing(ctx):
    """Every ufunc of NumPy is compared here, or the page says why not."""
    def run(t):
        known = {r.numpy for r in UNARY + BINARY}
        named = set(agreement.ALIASES) | set(agreement.ABSENT)
        for name, function in vars(np).items():
            if isinstance(function, np.ufunc):
                t.check(name, function in known or name in named)
    return run


def documented(ctx):
    def run(t):
        page = pathlib.Path(__file__).parents[3] / "docs/numpy-differences.md"
        if not page.is_file():
            raise Skip("the package holds no docs")
        t.check("docs/numpy-differences.md", page.read_text() ==
                agreement.page(), "is not what agreement.py writes")
    return run


def needs_bf16(ctx):
    def run(t):
        if "bf16" not in NP:
            raise Skip("ml_dtypes is not installed")
        t.check("bf16", True)
    return run


def cases(ctx):
    yield "bf16 of the oracle", needs_bf16(ctx)
    yield "no ufunc of NumPy is missing", nothing_is_missing(ctx)
    yield "the page of differences", documented(ctx)
    yield "NumPy's names", aliases(ctx)
    for kind in TYPES:
        yield f"of {kind}", unary(ctx, kind)
        yield f"refused of {kind}", refused(ctx, kind)
    for left, right in itertools.product(TYPES, TYPES):
        if ctx.device == "cuda" or left in NEW or right in NEW:
            yield f"{left} with {right}", pair(ctx, left, right)
