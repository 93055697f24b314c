#!/usr/bin/env python3
"""Checks that `kern explain` knows every name of the library in docs/reference/language.md.

usage: library_names.py KERN

The names are those in the tables of the section on the standard library, its
constants, and the reductions and sequences of the section on statements. Prints
those that are not explained, and how many there are.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "language.md"


def names():
    text = PAGE.read_text()
    library = text[text.index("## Standard library"):]
    library = library[:library.index("\n## ", 1)]
    found = re.search(r"the constants `([\w ]+)`", library)[1].split()
    for row in re.findall(r"^\|[^|]+\|(.+)\|$", library, re.M):
        for listed in re.findall(r"`([\w ]+)`", row):
            found += listed.split()
    found += re.search(r"\*\*Reductions over generators\*\*: `([\w ]+)`",
                       text)[1].split()
    return sorted(set(found) - {"math", "cmath", "np"} |
                  {"fold", "range", "prange", "zip", "enumerate", "reversed",
                   "len", "zeros", "empty"})


def main(kern):
    listed = names()
    wrong = [name for name in listed
             if subprocess.run([kern, "explain", name],
                               capture_output=True).returncode]
    for name in wrong:
        print(f"{name}: not explained")
    print(f"{len(listed)} names, {len(wrong)} complaints")
    return 1 if wrong or len(listed) < 150 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
