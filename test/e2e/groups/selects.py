"""Choices between values of 16 bits beside operations that share one of them.

Two operations on 16-bit floats may become one on both halves of a register,
and then a choice that is part of the one must not reach the other. Kern and
Python run the same text: on each element, and in loops.
"""

import numpy as np

from kernabi import BFLOAT16
from suite import Skip

PRECISE = 1  # a product and its sum are not joined
ROWS, LENGTH = 40, 5
TYPES = {"f16": np.dtype(np.float16), "bf16": BFLOAT16}

CHOSEN = {  # in place of what is shared, where c says so
    "trunc": "trunc(w)", "square": "w * w", "root": "sqrt(abs(w))",
    "minus": "-w", "abs": "abs(w)", "sum": "w + v", "integer": "T(c)",
    "wider": "T(f32(w) * f32(2.5))", "quotient": "w / v", "plain": "w",
}
OPERATIONS = {
    "subtract": "{a} - {b}", "add": "{a} + {b}", "multiply": "{a} * {b}",
    "from": "{b} - {a}", "max": "max({a}, {b})",
}
CHOICES = {
    "first": "({e} if c > 0 else {s})",
    "second": "({s} if c > 0 else {e})",
    "nested": "({e} if c > 0 else (w if c < -1 else {s}))",
}


def statements(e, operation, choice, shared="v"):
    """Two statements that share a value, of which the second may replace it."""
    chosen = CHOICES[choice].format(e=e, s=shared)
    return [f"x = {OPERATIONS[operation].format(a='x', b=shared)}",
            f"y = {OPERATIONS[operation].format(a='y', b=chosen)}"]


def bodies():
    for name, e in CHOSEN.items():
        for operation in OPERATIONS:
            yield f"{name}_{operation}", statements(e, operation, "first")
        for choice in ("second", "nested"):
            yield f"{name}_{choice}", statements(e, "subtract", choice)
        yield f"{name}_constant", statements(e, "add", "first", "T(1.5)")
        yield f"{name}_reversed", statements(e, "subtract", "first")[::-1]


def kern_text(name, body, type_name):
    values = [line.replace("T(", type_name + "(") for line in body]
    ends = (f"c: i32, p: {type_name}, q: {type_name}) -> "
            f"(x: {type_name}, y: {type_name}):\n    x, y = p, q\n    ")
    element = "\n    ".join(values)
    turn = "\n        ".join(values)
    return (f"ufunc each_{name}(v: {type_name}, w: {type_name}, {ends}{element}"
            "\n    return x, y\n"
            f"gufunc loop_{name}(vs: {type_name}[n], ws: {type_name}[n], "
            f"cs: i32[n], {ends[len('c: i32, '):]}for j in range(n):\n"
            f"        v, w, c = vs[j], ws[j], cs[j]\n        {turn}"
            "\n    return x, y\n")


def python_names(t):
    return {"T": t.type, "f32": np.float32, "trunc": np.trunc,
            "sqrt": np.sqrt, "max": np.maximum}


def inputs(t):
    rng = np.random.default_rng(71)
    wide = rng.normal(0, 3, (2, ROWS, LENGTH)).astype(np.float32)
    starts = rng.normal(0, 3, (2, ROWS, 1)).astype(np.float32)
    c = rng.integers(-3, 4, (ROWS, LENGTH)).astype(np.int32)
    return *wide.astype(t), c, *starts.astype(t)


def expected(body, t, loops, v, w, c, p, q):
    code = compile("\n".join(body), "<body>", "exec")
    results = np.zeros((2, ROWS, LENGTH), t)
    for row in range(ROWS):
        names = python_names(t)
        for j in range(LENGTH):
            if j == 0 or not loops:
                names.update(x=p[row, 0], y=q[row, 0])
            names.update(v=v[row, j], w=w[row, j], c=c[row, j])
            exec(code, names)
            results[:, row, j] = names["x"], names["y"]
    return results[:, :, -1] if loops else results


def shared_values(ctx, type_name):
    def run(t):
        dtype = TYPES[type_name]
        if dtype is None:
            raise Skip("ml_dtypes is not installed")
        v, w, c, p, q = inputs(dtype)
        module = ctx.lib.compile(
            "\n".join(kern_text(name, body, type_name)
                      for name, body in bodies()), fp_mode=PRECISE)
        for name, body in bodies():
            for form in ("each", "loop"):
                loops = form == "loop"
                with np.errstate(all="ignore"):
                    wanted = expected(body, dtype, loops, v, w, c, p, q)
                starts = [np.ascontiguousarray(a[:, 0]) if loops else
                          np.broadcast_to(a, v.shape).copy() for a in (p, q)]
                actual = module[f"{form}_{name}"](
                    v, w, c, *starts, place=ctx.place, device=ctx.dl_device)
                for a, b in zip(actual, wanted):
                    t.same(f"{form}_{name}", a.astype(np.float32),
                           b.astype(np.float32))
    return run


def cases(ctx):
    for type_name in TYPES:
        yield type_name, shared_values(ctx, type_name)
