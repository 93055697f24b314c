#!/usr/bin/env python3
"""Writes PythonExpressions.inc: expressions that Kern shares with Python, with
the tree and the spans that CPython's own parser gives them.

    make_python_expressions.py > PythonExpressions.inc
"""
import ast
import random

BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/",
          ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.BitAnd: "&",
          ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"}
UNARY = {ast.UAdd: "pos", ast.USub: "neg", ast.Invert: "~", ast.Not: "not"}
COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
           ast.Eq: "==", ast.NotEq: "!="}


def tree(node):
    """The node in the form of Dump.cpp, and its nodes, parents first."""
    below = []

    def sub(child):
        text, nodes = tree(child)
        below.extend(nodes)
        return text

    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, complex):
            text = f"{value.imag:g}j"
        elif isinstance(value, float):
            text = f"{value:g}"
        else:
            text = str(value)
    elif isinstance(node, ast.Name):
        text = node.id
    elif isinstance(node, ast.UnaryOp):
        text = f"({UNARY[type(node.op)]} {sub(node.operand)})"
    elif isinstance(node, ast.BinOp):
        text = f"({BINARY[type(node.op)]} {sub(node.left)} {sub(node.right)})"
    elif isinstance(node, ast.Compare):
        text = f"(cmp {sub(node.left)}"
        for op, operand in zip(node.ops, node.comparators):
            text += f" {COMPARE[type(op)]} {sub(operand)}"
        text += ")"
    elif isinstance(node, ast.BoolOp):
        word = "and" if isinstance(node.op, ast.And) else "or"
        text = f"({word} " + " ".join(map(sub, node.values)) + ")"
    elif isinstance(node, ast.IfExp):
        text = f"(if {sub(node.test)} {sub(node.body)} {sub(node.orelse)})"
    elif isinstance(node, ast.Call):
        text = f"(call {sub(node.func)}" + "".join(
            " " + sub(argument) for argument in node.args) + ")"
    elif isinstance(node, ast.Attribute):
        text = f"(. {sub(node.value)} {node.attr})"
    elif isinstance(node, ast.Tuple):
        text = "(tuple" + "".join(" " + sub(e) for e in node.elts) + ")"
    elif isinstance(node, ast.Subscript):
        text = f"([] {sub(node.value)}"
        indices = (node.slice.elts if isinstance(node.slice, ast.Tuple)
                   else [node.slice])
        for index in indices:
            if isinstance(index, ast.Slice):
                parts = (index.lower, index.upper, index.step)
                text += " " + ":".join(sub(p) if p else "_" for p in parts)
            else:
                text += " " + sub(index)
        text += ")"
    elif isinstance(node, ast.GeneratorExp):
        text = f"(gen {sub(node.elt)}"
        for clause in node.generators:
            text += f" (for {sub(clause.target)} {sub(clause.iter)}"
            text += "".join(" if " + sub(c) for c in clause.ifs) + ")"
        text += ")"
    else:
        raise TypeError(node)
    return text, [node] + below


def row(source):
    text, nodes = tree(ast.parse(source, mode="eval").body)
    spans = []
    for node in nodes:
        begin, end = node.col_offset, node.end_col_offset
        if isinstance(node, ast.GeneratorExp):
            # Python counts the call's parentheses as the generator's.
            begin, end = begin + 1, end - 1
        spans.append(f"{begin}-{end}")
    return f'{{R"({source})", R"({text})",\n "{" ".join(spans)}"}},'


FIXED = """
a + b * c
(a + b) * c
a - b - c
a / b // c % d
-a ** b
-a ** -b
a ** b ** c
(a ** b) ** c
(-a) ** b
2 ** -1
~a & b | c ^ d
a << b + c >> d
a & b == c
not a == b
not a and b or c
a or b and not c
a < b <= c != d
a if b else c if d else e
(a if b else c) if d else e
a and b and c
(a and b) and c
a.b.c(d)[e]
f(a, b)(c)
-f(a)[b].c ** 2
a[i, j]
a[i][j]
a[1:]
a[:2]
a[:, j]
a[lo:hi:step]
a[::2, -1]
(a, b)
(a,)
((a, b), c)
f((a, b), c)
sum(x ** 2 for x in v)
sum(a[i, p] * b[p, j] for p in range(k) if p != q if a)
any(x < y for x in v for y in w)
max(x if x > y else y for i, (x, y) in z)
1_000 + 0xFF - 0o17 * 0b101
1.5 + .5 + 2. + 1e2 + 1_0.0_1e-2
2j + 1.5J
True and False
exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)
((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5
f()
f(a,)
+ - ~ a
not not a
a if not b else c
f(a)(b)[c](d)
""".strip().splitlines()


def expression(rng, depth):
    if depth == 0 or rng.random() < 0.1:
        return rng.choice(["a", "b", "x1", "v", "0", "7", "1.5", "2j", "True"])
    sub = lambda: expression(rng, depth - 1)
    kind = rng.randrange(12)
    if kind < 5:
        op = rng.choice(list(BINARY.values()))
        space = rng.choice(["", " "])
        return sub() + space + op + space + sub()
    if kind == 5:
        return rng.choice(["-", "+", "~"]) + sub()
    if kind == 6:
        return f"({sub()})"
    if kind == 7:
        return f"{sub()} {rng.choice(list(COMPARE.values()))} {sub()}"
    if kind == 8:
        return f"{sub()} {rng.choice(['and', 'or'])} {sub()}"
    if kind == 9:
        return f"f({sub()}, {sub()})"
    if kind == 10:
        return f"v[{sub()}]"
    return f"({sub()} if {sub()} else {sub()})"


def main():
    rng = random.Random(20)
    sources = list(FIXED)
    while len(sources) < 250:
        source = expression(rng, rng.randrange(2, 5))
        try:
            tree(ast.parse(source, mode="eval").body)
        except (SyntaxError, TypeError):
            continue  # `not` as an operand, a conditional in a comparison …
        sources.append(source)
    print("// Made by make_python_expressions.py.")
    for source in sources:
        print(row(source))


if __name__ == "__main__":
    main()
