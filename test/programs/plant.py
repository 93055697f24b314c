"""Plants a miscompilation: the compiler gets a program that differs from the tree
in one operator, constant, type or jump, as if it had miscompiled that."""

import copy

from tree import Bin, Call, Cast, Cmp, Cond, For, If, Jump, Lit, Logic, walk

SWAPS = {"+": "-", "-": "+", "*": "+", "//": "%", "%": "//", "&": "|",
         "|": "^", "^": "&", "<<": ">>", ">>": "<<", "/": "*"}
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=",
               "!=": "=="}
CALLS = {"max": "min", "min": "max", "floor": "ceil", "ceil": "trunc",
         "trunc": "rint", "rint": "floor"}


def damage(node, random):
    """Changes one node; returns whether it could."""
    if isinstance(node, Bin) and node.op in SWAPS:
        node.op = SWAPS[node.op]
    elif isinstance(node, Cmp):
        k = random.randrange(len(node.ops))
        node.ops[k] = COMPARISONS[node.ops[k]]
    elif isinstance(node, Cond):
        node.a, node.b = node.b, node.a
    elif isinstance(node, Call) and node.name in CALLS:
        node.name = CALLS[node.name]
    elif isinstance(node, Logic):
        node.op = "or" if node.op == "and" else "and"
    elif isinstance(node, For) and node.step > 0:
        node.lo = Bin("+", node.lo, Lit(1))
    elif isinstance(node, Jump) and node.word != "pass":
        node.word = "continue" if node.word == "break" else "break"
    elif isinstance(node, Cast) and node.type in ("i32", "u8", "i16"):
        node.type = {"i32": "i8", "u8": "i8", "i16": "u16"}[node.type]
    elif isinstance(node, If) and len(node.bodies) > 1:
        node.bodies[0], node.bodies[1] = node.bodies[1], node.bodies[0]
    elif isinstance(node, Lit) and isinstance(node.value, int) and \
            not isinstance(node.value, bool):
        node.value += 1
    else:
        return False
    return True


def plant(function, random):
    """A damaged copy, or None where nothing could be changed."""
    copied = copy.deepcopy(function)
    nodes = list(walk(copied))
    random.shuffle(nodes)
    for node in nodes:
        if damage(node, random):
            return copied
    return None
