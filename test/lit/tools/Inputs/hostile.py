"""Writes a program that strains the compiler: hostile.py NAME > FILE."""

import sys

MANY = 10000
UFUNC = "ufunc f(x: f64) -> f64:\n"


def joined(by):
    return UFUNC + "    return f64(" + by.join(["x"] * MANY) + ")\n"


def returned(expression):
    return UFUNC + f"    return {expression}\n"


def nested(head, depth=2000):
    lines = "".join(" " * (i + 1) + head.format(i) for i in range(depth))
    return UFUNC + lines + " " * (depth + 1) + "x = 1.0\n return x\n"


def chain(call, count):
    defs = "".join(f"def g{i}(x):\n    return " + call.format(i - 1) + "\n"
                   for i in range(1, count))
    return ("def g0(x):\n    return x + 1\n" + defs +
            returned(f"g{count - 1}(x)"))


PROGRAMS = {
    "and": joined(" and "),
    "or": joined(" or "),
    "compare": joined(" < "),
    "parentheses": returned("(" * MANY + "x" + ")" * MANY),
    "minus": returned("-" * MANY + "x"),
    "calls": returned("sqrt(" * MANY + "x" + ")" * MANY),
    "lists": returned("[" * MANY + "x" + "]" * MANY),
    "ifs": nested("if x > {}:\n"),
    "whiles": nested("while x > {}:\n"),
    "fors": nested("for i{} in range(3):\n"),
    "deep-fors": nested("for i{} in range(3):\n", 190),
    "deep-whiles": nested("while x > {}:\n", 190),
    "defs": chain("g{0}(x) + 1", MANY),
    "doubling": chain("g{0}(x) + g{0}(x)", 60),
    "doubling-plain": ("def g0(x):\n    return x\n" +
                       "".join(f"def g{i}(x):\n    return g{i - 1}(g{i - 1}(x))\n"
                               for i in range(1, 60)) + returned("g59(x)")),
    "tuples": (UFUNC + "    t = x\n" + "    t = (t, t)\n" * 60 +
               "    return x\n"),
    "deep-tuples": (UFUNC + "    t = x\n" + "    t = (t,)\n" * MANY +
                    "    return x\n"),
    "tuples-of-calls": (
        "def g0(t):\n    a, b = t\n    return (a, b), (b, a)\n" +
        "".join(f"def g{i}(t):\n    return g{i - 1}(g{i - 1}(t))\n"
                for i in range(1, 23)) + UFUNC +
        "    t = g22((x, x))\n    return x\n"),
    "tuples-of-choices": (UFUNC + "    t = (x, 1.0)\n" +
                          "    t = (t, t) if x > 0 else (t, t)\n" * 60 +
                          "    return x\n"),
    "means": "ufunc f(x: f64) -> i64:\n    return " +
             "i64(mean(i for i in range(" * 60 + "3" + ")))" * 60 + "\n",
    "positions": "ufunc f(x: f64) -> i64:\n    return " +
                 "argmax(i for i in range(" * 60 + "3" + "))" * 60 + "\n",
    "unknown": UFUNC + "".join(
        f"    y{i} = unknown{i}\n" for i in range(MANY)) + "    return x\n",
    "statements": UFUNC + "".join(
        f"    x = x * 1.5 + {i % 7}\n" for i in range(MANY)) + "    return x\n",
    "parameters": "ufunc f(" + ", ".join(
        f"x{i}: f64" for i in range(512)) + ") -> f64:\n    return x0\n",
    "results": "ufunc f(x: f64) -> (" + ", ".join(
        f"y{i}: f64" for i in range(512)) + "):\n    return " + ", ".join(
            ["x"] * 512) + "\n",
    "most-parameters": "ufunc f(" + ", ".join(
        f"x{i}: f64" for i in range(54)) + ") -> f64:\n    return " +
        " + ".join(f"x{i}" for i in range(54)) + "\n",
    "variables": "ufunc f(" + ", ".join(
        f"x{i}: T{i}" for i in range(10)) + ") -> T0 where " + ", ".join(
            f"T{i} in numbers" for i in range(10)) + ":\n    return x0\n",
    "name": "ufunc " + "a" * 1000000 + "(x: f64) -> f64:\n    return x\n",
    "integer": returned("x + " + "9" * 1000000),
    "float": returned("x + 0." + "9" * 1000000),
    "exponent": returned("x * 1e" + "9" * 1000000),
    "string": UFUNC + '    """' + "a" * 1000000 + '"""\n    return x\n',
    "open-string": UFUNC + '    """' + "a" * 1000000 + "\n    return x\n",
    "line": returned("x" + " " * 1000000),
    "backslashes": UFUNC + "    return x " + "\\\n" * MANY + "\n",
    "comments": ("#" * 99 + "\n") * 100000 + returned("x"),
    "parentheses-10MB": "(" * 10000000,
    "nul": returned("x\0 + 1"),
    "nuls": "\0" * 1000,
    "crlf": returned("x").replace("\n", "\r\n"),
    "cr": returned("x").replace("\n", "\r"),
    "unended": returned("x").rstrip("\n"),
    "empty": "",
}
BYTES = {
    "bom": b"\xef\xbb\xbf" + returned("x").encode(),
    "utf-16": returned("x").encode("utf-16"),
    "not-utf-8": returned("x + ?").encode().replace(b"?", b"\xff\xfe"),
    "not-utf-8-comment": b"# \xc3\x28\n" + returned("x").encode(),
}

name = sys.argv[1]
sys.stdout.buffer.write(BYTES[name] if name in BYTES
                        else PROGRAMS[name].encode())
