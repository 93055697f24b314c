"""The files of the repository, for the tests of its rules."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CXX = {".h", ".hpp", ".cpp", ".c"}
SOURCES = CXX | {".td", ".py", ".cmake", ".sh", ".kern", ".mlir", ".in"}
TEXT = SOURCES | {".md", ".txt", ".json", ".test"}
ELSEWHERE = {"build", ".git", "__pycache__", "Testing"}
# What tree-sitter writes of our grammar.
GENERATED = re.compile(r"tools/editors/tree-sitter-kern/src/(parser\.c|tree_sitter/)")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


def files(*suffixes_or_sets, below=""):
    """All files of the repository with one of the suffixes, sorted."""
    suffixes = set().union(*suffixes_or_sets)
    found = []
    for path in (ROOT / below).rglob("*"):
        parts = path.relative_to(ROOT).parts
        generated = GENERATED.match("/".join(parts))
        if ELSEWHERE.isdisjoint(parts) and path.is_file() and not generated:
            script = not path.suffix and parts[0] in ("dev", ".ci")
            if path.suffix in suffixes or (script and ".sh" in suffixes):
                found.append(path)
    return sorted(found)


def read(path):
    return path.read_text(encoding="utf-8")


def place(path, text=None, offset=None):
    name = str(path.relative_to(ROOT))
    if text is None:
        return name
    return f"{name}:{text.count(chr(10), 0, offset) + 1}"


def includes(below):
    """(place, included path) for every include of the C++ files of a folder."""
    for path in files(CXX, below=below):
        text = read(path)
        for match in INCLUDE.finditer(text):
            yield place(path, text, match.start()), match[1]


def matches(pattern, paths):
    for path in paths:
        text = read(path)
        for match in re.finditer(pattern, text, re.M):
            yield f"{place(path, text, match.start())}: {match[0].strip()}"


class RepositoryTest(unittest.TestCase):
    def assertNone(self, offenders):
        offenders = list(offenders)
        if offenders:
            self.fail("\n".join(["", *map(str, offenders)]))
