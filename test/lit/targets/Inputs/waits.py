"""Checks what each kernel of PTX files does before it waits for the kernel before it
in its stream.

usage: waits.py FILE…

Exit status 1 if a kernel does not wait exactly once, outside of all branches,
or touches memory before; or reads through the read-only path, which does not
see what is written while a kernel is under way.
"""

import re
import sys

MEMORY = re.compile(r"\b(ld|st|atom|red|cp|prefetch)\.(?!param)")
CONTROL = re.compile(r"\bbra\b|^\$L|\bret\b")


def problem(body):
    lines = [line.strip() for line in body.splitlines()]
    waits = [i for i, line in enumerate(lines) if "griddepcontrol.wait" in line]
    if len(waits) != 1:
        return f"waits {len(waits)} times"
    for line in lines[:waits[0]]:
        if MEMORY.search(line) or CONTROL.search(line):
            return f"does not begin with it, but with `{line}`"
    if any(".nc." in line for line in lines):
        return "reads through the read-only path"
    return None


kernels = 0
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"\.visible \.entry (\w+)\(", file.read())[1:]
    for name, text in zip(parts[::2], parts[1::2]):
        kernels += 1
        if why := problem(text[text.index("{"):text.index("\n}")]):
            sys.exit(f"{path}: {name} {why}")
print(f"{kernels} kernels wait")
