#!/usr/bin/env python3
"""Writes the index of docs/reference/errors from its pages.

usage: errors_page.py > docs/reference/errors/README.md
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "reference" / "errors"
ABOUT = """\
# Errors, warnings and remarks

Each diagnostic has a code, whose meaning never changes, and a page: what it means, an example that causes it, and the
fix. `kern explain CODE` shows the same page. [Diagnostics](../diagnostics.md) says how a program reads them.
A script writes this index: `tools/scripts/errors_page.py > docs/reference/errors/README.md`.

"""


GROUPS = {
    "K01": "Text and syntax",
    "K02": "Names and items",
    "K03": "Types and loops",
    "K04": "Control flow and variables",
    "K05": "Arrays, gufuncs and core dimensions",
    "K06": "Reductions and prange",
    "K07": "Constants",
    "K08": "Warnings",
    "K09": "Performance remarks",
    "K10": "Driver and compiled files",
}


def title(path):
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    return re.fullmatch(rf"# {path.stem}: (.+)", first)[1]


def index():
    groups = {group: [] for group in GROUPS}
    for path in sorted(FOLDER.glob("K*.md")):
        groups[path.stem[:3]].append(
            f"- [{path.stem}]({path.name}): {title(path)}\n")
    return ABOUT + "\n".join(f"## {GROUPS[group]}\n{''.join(lines)}"
                             for group, lines in groups.items())


if __name__ == "__main__":
    print(index(), end="")
