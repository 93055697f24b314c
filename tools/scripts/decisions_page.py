#!/usr/bin/env python3
"""Writes the index of docs/decisions from the titles of its files.

usage: decisions_page.py > docs/decisions/README.md
"""

import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "decisions"
ABOUT = """\
# Decisions

What was decided, why, and what was left aside; each decision is a file. A new one takes the next number, as
`NN-short-title.md` with the heading `# NN. Title`, and an entry that is overturned stays, with a line that says by which.
This list follows from the files: `tools/scripts/decisions_page.py > docs/decisions/README.md`.

"""


def files():
    return sorted(p for p in FOLDER.iterdir() if p.name != "README.md")


def heading(path):
    """Number and title in the first line of a decision; None without them."""
    first, _, _ = path.read_text(encoding="utf-8").partition("\n")
    match = re.fullmatch(r"# ([1-9]\d*)\. (\S.*)", first)
    return match and (int(match[1]), match[2])


def page():
    return ABOUT + "".join(
        f"{number}. [{title}]({path.name})\n"
        for path in files()
        for number, title in [heading(path)]
    )


if __name__ == "__main__":
    print(page(), end="")
