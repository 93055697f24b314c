"""Every function of the standard library that NumPy has, on every combination
of types, over special values: NumPy's result type and NumPy's values.

Pairs of types that group `types` compares the operators of are left to it for
those.
"""

import itertools

import numpy as np

import agreement
import differences
import kernapi
from agreement import BINARY, COMPLEX, FLOATS, NP, TYPES, UNARY
from evaluate import convert
from groups import types as operators
from groups.cli import Tool, ok
from suite import Skip

TOGETHER = 8  # results of one function: compiling many at once is faster
NEW = ("f16", "bf16", "c64", "c128")
# What group `types` compares for all pairs of the other types.
ELSEWHERE = {
    "a + b", "a - b", "a * b", "a / b", "a // b", "a % b", "a & b", "a | b",
    "a ^ b", "a << b", "a >> b", "a < b", "a <= b", "a > b", "a >= b",
    "a == b", "a != b", "a ** b", "maximum", "minimum", "fmax", "fmin",
    "logical_xor", "gcd", "lcm", "fmod", "copysign"}


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


def compared_elsewhere(row, kinds):
    """Group `types` has these operators for all pairs of its types."""
    return row.name in ELSEWHERE and set(kinds) <= set(operators.TYPES)


def rows_for(rows, kinds):
    """The rows that are compared here for operands of these types."""
    return [row for row in rows if agreement.has_loop(row, kinds) and
            not compared_elsewhere(row, kinds)]


def compare(t, row, kinds, values, results):
    label = f"{row.text} of {', '.join(kinds)}"
    own = agreement.in_own_types(row, kinds, values)
    complex_result = own[0].dtype.kind == "c"
    ulp = row.complex_ulp if complex_result or (
        set(kinds) & set(COMPLEX) and own[0].dtype.kind == "f") else row.ulp
    expected = own
    if ulp and "real" not in row.name:
        expected = agreement.in_wider_type(row, kinds, values, own)
    skipped = differences.difference_of(row, kinds)
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
        allowed = ulp
        if row.amplified and complex_result:
            allowed = ulp * row.amplified(*values)
            # Past 2^50 nothing is left of the angle.
            allowed = np.where(allowed < 2.0**50, allowed, np.inf)
        bad = mismatches(got, exact, plain, allowed, row.least)
        # A contracted product may turn a zero around; below `least` zeros are
        # numbers like others.
        if ulp and row.wider and not row.least:
            bad |= other_zeros(got, exact)
        bad &= ~np.isinf(allowed)
        if mask is not None:
            bad &= ~mask
        at = tuple(np.argwhere(bad)[0]) if bad.any() else None
        operands = "" if at is None else ", ".join(
            repr(np.broadcast_to(v, bad.shape)[at]) for v in values)
        t.check(label, at is None, "" if at is None else
                f"{bad.sum()} of {bad.size} differ, of {operands}: "
                f"{got[at]!r}, expected {exact[at]!r}")


def mismatches(got, exact, plain, ulp, least=0):
    """Where results are not those of NumPy: exactly, or `ulp` off a result in
    a wider type with NumPy's own special values."""
    if got.dtype.kind not in "fcV" or got.dtype == np.bool_:
        return got != plain
    if np.ndim(ulp) == 0 and not ulp:
        wide = got.dtype if got.dtype != NP.get("bf16") else np.float32
        return unequal(got.astype(wide), plain.astype(wide))
    with np.errstate(all="ignore"):
        return agreement.distance(got, exact, least) > ulp


def other_zeros(got, exact):
    """Zeros, of either part, with the other sign."""
    if got.dtype.kind == "c":
        return other_zeros(got.real, exact.real) | \
            other_zeros(got.imag, exact.imag)
    if got.dtype == np.bool_ or got.dtype.kind in "iu":
        return np.zeros(got.shape, bool)
    got, exact = got.astype(np.float64), np.asarray(exact).astype(np.longdouble)
    return (got == 0) & (exact == 0) & (np.signbit(got) != np.signbit(exact))


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
        for some in chunks(rows_for(UNARY, [kind])):
            check_rows(ctx, t, some, [kind], values)
    return run


def pair(ctx, left, right):
    def run(t):
        values = list(pair_of(left, right))
        kinds = [left, right]
        for some in chunks(rows_for(BINARY, kinds)):
            check_rows(ctx, t, some, kinds, values)
    return run


def refused(ctx, kind):
    """What NumPy has no loop for, Kern refuses too."""
    def run(t):
        values = [special(kind)[:1]]
        for row in UNARY:
            if row.kinds or agreement.has_loop(row, [kind]):
                continue
            t.refused(f"{row.text} of {kind}", lambda: ctx.call(
                source([row], 1), "f", *values),
                (kernapi.TYPE, kernapi.COMPILE))
        for row in BINARY:
            both = [values[0], values[0]]
            if row.kinds or row.name == "a ** b" or \
                    agreement.has_loop(row, [kind, kind]):
                continue
            t.refused(f"{row.text} of two {kind}", lambda: ctx.call(
                source([row], 2), "f", *both),
                (kernapi.TYPE, kernapi.COMPILE))
    return run


def conversions(ctx, kind):
    """To every type; complex to real is an error."""
    def run(t):
        a = special(kind)
        if kind in FLOATS:
            more = [127.5, 128.5, -129, 255.5, 256.5, 32768.5, 65536.5, 2.0**31,
                    -2.0**31, 2.0**32, 2.0**63, -2.0**63, 2.0**64, 1e30, -1e30]
            a = np.append(a, np.array(more).astype(NP[kind]))
        targets = [u for u in TYPES if u == "bool" or u in COMPLEX or
                   kind not in COMPLEX]
        text = ("ufunc f(a):\n    return "
                + ", ".join(f"{u}(a)" for u in targets) + "\n")
        for target, got in zip(targets, ctx.call(text, "f", a)):
            wide = a.astype(np.float32) if kind == "bf16" else a
            with np.errstate(all="ignore"):
                expected = np.asarray(convert(wide, NP[target])).astype(
                    NP[target])
            row = agreement.Row(f"{target}(a)", None)
            t.check(f"{row.text} of {kind}: type", got.dtype == NP[target],
                    str(got.dtype))
            bad = mismatches(got, expected, expected, 0)
            t.check(f"{row.text} of {kind}", not bad.any(),
                    f"of {a[bad][:1]}: {got[bad][:1]}, expected "
                    f"{expected[bad][:1]}")
        if kind in COMPLEX:
            for target in ("f32", "i64"):
                t.refused(f"{target}(a) of {kind}", lambda: ctx.call(
                    f"ufunc f(a):\n    return {target}(a)\n", "f", a),
                    (kernapi.COMPILE, kernapi.TYPE), "real")
    return run


def reductions(ctx, kind):
    """Over numbers small enough that every order gives the same sum."""
    def run(t):
        dtype = NP[kind]
        text = """
gufunc f(v: [n]):
    return sum(v), prod(v), min(v), max(v), argmin(v), argmax(v), mean(v)

gufunc g(v: [n]):
    return any(x > 1 for x in v), all(x > 1 for x in v), min(v), max(v)
"""
        rng = ctx.rng(7)
        for count in (1, 2, 64, 2048):
            v = rng.integers(-3, 4, (3, count)).astype(np.float64)
            if kind in COMPLEX:
                v = v + 1j * rng.integers(-3, 4, (3, count))
            exact = v.astype(np.complex128 if kind in COMPLEX else np.float64)
            v = v.astype(dtype)
            ordered = v if kind != "bf16" else v.astype(np.float32)
            few = np.where(np.arange(count) % 16 == 0, v, 1).astype(dtype)
            got = ctx.call(text, "f", v)
            products = ctx.call(text, "f", few)[1]
            for name, value, expected in [
                    ("sum", got[0], exact.sum(1)),
                    ("prod", products, few.astype(exact.dtype).prod(1)),
                    ("min", got[2], ordered.min(1)),
                    ("max", got[3], ordered.max(1)),
                    ("argmin", got[4], ordered.argmin(1)),
                    ("argmax", got[5], ordered.argmax(1)),
                    ("mean", got[6], exact.mean(1))]:
                wanted = np.int64 if name.startswith("arg") else dtype
                t.check(f"{name} of {count} {kind}: type",
                        value.dtype == wanted, str(value.dtype))
                if name == "prod" and count > 64:
                    continue  # overflows
                with np.errstate(all="ignore"):
                    bad = agreement.distance(value, expected) > (
                        1 if name in ("mean", "prod") else 0) \
                        if wanted == dtype else value != expected
                t.check(f"{name} of {count} {kind}", not bad.any(),
                        f"{value}, expected {expected}")
        for at in (0, 5, 63):
            v = np.ones(64, dtype)
            v[at] = complex(1, np.nan) if kind in COMPLEX else np.nan
            v[-1] = np.nan
            got = ctx.call(text, "f", v)
            t.check(f"NaN at {at} of {kind}", np.isnan(got[2]) and
                    np.isnan(got[3]) and got[4] == at and got[5] == at,
                    str(got))
            if kind in COMPLEX and at != 63:
                t.check(f"the first NaN of {kind}", got[2].real == 1 and
                        np.isnan(got[3].imag), str(got[2:4]))
    return run


def weak_numbers(ctx, kind):
    """Literals, and plain Python numbers as arguments, give way as in NumPy."""
    def run(t):
        stand_in = NP["f16"] if kind == "bf16" else NP[kind]
        a = np.array([0, 1, 1]).astype(NP[kind])
        numpy_like = a.astype(stand_in)
        for number in ("2", "0.5", "2j", "1.5+2j"):
            plain = complex(number) if "j" in number else \
                float(number) if "." in number else int(number)
            for op, function in (("*", np.multiply), ("+", np.add),
                                 ("==", np.equal)):
                expected = function(numpy_like, plain)
                wanted = expected.dtype
                if kind == "bf16" and wanted == np.float16:
                    wanted = NP["bf16"]
                for how, got in (
                        ("literal", lambda: ctx.call(
                            f"ufunc f(a):\n    return a {op} ({number})\n",
                            "f", a)),
                        ("argument", lambda: ctx.call(
                            f"ufunc f(a, b):\n    return a {op} b\n", "f", a,
                            plain))):
                    value = got()
                    t.check(f"{kind} {op} {number} as {how}",
                            value.dtype == wanted and np.array_equal(
                                value.astype(np.complex128),
                                expected.astype(np.complex128)),
                            f"{value!r}, NumPy {expected!r}")
    return run


def files(ctx):
    """.npy files of every type in and out of the tool, and what it prints."""
    def run(t):
        tool = Tool(ctx)
        (tool.folder / "same.kern").write_text(
            "ufunc same(a):\n    return a\n")
        for kind in TYPES:
            a = special(kind)[:12].reshape(3, 4) if kind != "bool" else \
                special(kind)
            stored = a.view("V2") if kind == "bf16" else a
            np.save(tool.folder / "in.npy", stored)
            done = tool.run("run", "same.kern", "same", "in.npy", "-o",
                            "out.npy", "--device", tool.device())
            if not ok(t, f"{kind} through the tool", done):
                continue
            found = np.load(tool.folder / "out.npy")
            t.check(f"{kind} in a file", found.dtype == stored.dtype and
                    found.tobytes() == stored.tobytes(), str(found))
        for number, printed in [("f16(0.1)", "0.1"), ("bf16(0.1)", "0.1"),
                                ("f16(70000)", "inf"), ("bf16(3)", "3.0"),
                                ("c64(1.5)", "(1.5+0j)"),
                                ("c128(2j)", "2j"), ("2j", "2j")]:
            done = tool.run("run", "same.kern", "same", number)
            t.check(f"{number} printed", done.stdout.strip() == printed,
                    done.stdout + done.stderr)
    return run


def needs_bf16(ctx):
    def run(t):
        if "bf16" not in NP:
            raise Skip("ml_dtypes is not installed")
        t.check("bf16", True)
    return run


def cases(ctx):
    yield "bf16 of the oracle", needs_bf16(ctx)
    yield "files", files(ctx)
    for kind in TYPES:
        yield f"of {kind}", unary(ctx, kind)
        yield f"refused of {kind}", refused(ctx, kind)
        yield f"conversions of {kind}", conversions(ctx, kind)
        yield f"weak numbers with {kind}", weak_numbers(ctx, kind)
    for kind in NEW:
        if kind in NP:
            yield f"reductions of {kind}", reductions(ctx, kind)
    for left, right in itertools.product(TYPES, TYPES):
        yield f"{left} with {right}", pair(ctx, left, right)
