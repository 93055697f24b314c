#!/usr/bin/env python3
"""Checks that `kern explain` knows every name of the library in docs/reference/language.md.

usage: library_names.py KERN

The names are those in the tables of the section on the standard library, its
constants, and the reductions and sequences of the section on statements; the
compiler's functions of the language, the lexer's keywords, the types, and the words of words.md. Prints those that are not
explained, and how many there are.
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


def functions():
    """What the compiler takes as functions of the language."""
    text = (ROOT / "compiler" / "modules" / "Names.cpp").read_text()
    table = re.search(r"languageFunctions\[\] = \{(.*?)\};", text, re.S)[1]
    return re.findall(r'"(\w+)"', table)


def keywords():
    """Those of the lexer that are Kern's."""
    text = (ROOT / "compiler" / "syntax" / "LexTokens.cpp").read_text()
    found = dict(re.findall(r'\{"(\w+)", (\w+)\}', text))
    assert len(found) > 30, found
    return {word for word, kind in found.items()
            if kind not in ("Foreign", "Is", "Lambda", "None")}


def words():
    """Those of docs/reference/words.md, the ones of its examples included."""
    text = (PAGE.parent / "words.md").read_text()
    return {word for row in re.findall(r"^\| (`[^|]+)\|", text, re.M)
            for word in re.findall(r"`([^`]+)`", row)}


def types():
    """The types and their sets, by the section on types."""
    text = PAGE.read_text()
    section = text[text.index("## Types"):]
    return {*re.search(r"^`(bool [\w ]+)`", section, re.M)[1].split(),
            *re.findall(r"`(\w+)` =", section), "complexes", "reals", "numbers",
            "signed", "unsigned", "float32"}


def main(kern):
    listed = sorted({*names(), *functions(), *keywords(), *words(), *types(), "@fastmath",
                     "@associative", "inout", "dim", "where"})
    wrong = [name for name in listed
             if subprocess.run([kern, "explain", name],
                               capture_output=True).returncode]
    for name in wrong:
        print(f"{name}: not explained")
    print(f"{len(listed)} names, {len(wrong)} complaints")
    return 1 if wrong or len(listed) < 150 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
