#!/usr/bin/env python3
"""Tests the TextMate grammar on all .kern files of the repository.

Kern's tokens are Python's, so Python's own tokenizer classifies each part of a file:
comments, strings, numbers, keywords, operators, names.
"""

import io
import keyword
import pathlib
import sys
import tokenize
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import textmate

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAMMAR = textmate.Grammar(ROOT / "tools" / "editors" / "kern.tmLanguage.json")
ITEMS = {"ufunc", "gufunc", "const"}
PREFIXES = {
    tokenize.COMMENT: ("comment.",),
    tokenize.STRING: ("string.", "constant.character.", "markup.raw."),
    tokenize.NUMBER: ("constant.numeric.",),
    tokenize.OP: ("keyword.operator.", "punctuation."),
}
KEYWORD = ("keyword.", "storage.", "constant.language.", "invalid.")
NAME = ("variable.", "entity.", "support.", "storage.modifier.")


def wanted(token):
    if token.type != tokenize.NAME:
        return PREFIXES.get(token.type)
    isKeyword = keyword.iskeyword(token.string) or token.string in ITEMS
    return KEYWORD if isKeyword else NAME


def scopes(text):
    """(line, column) to scope, for every character."""
    table = {}
    for line, begin, end, scope in textmate.tokenize(GRAMMAR, text):
        for column in range(begin, end):
            table[line, column] = scope
    return table


def differences(text):
    table = scopes(text)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        prefixes = wanted(token)
        if not prefixes:
            continue
        (line, begin), (last, end) = token.start, token.end
        lines = token.string.split("\n")
        for offset, part in enumerate(lines):
            first = begin if offset == 0 else 0
            for column in range(first, first + len(part)):
                scope = table.get((line - 1 + offset, column), "")
                if not scope.startswith(prefixes):
                    yield f"{line + offset}:{column}: {token.string!r} is {scope!r}"
                    break


class TextMate(unittest.TestCase):
    def test_every_file_of_the_repository(self):
        checked = 0
        for path in sorted(ROOT.rglob("*.kern")):
            parts = path.relative_to(ROOT).parts
            if "build" in parts:
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            try:
                found = list(differences(text))
            except (tokenize.TokenError, IndentationError):
                continue  # a test of what is not text of Python's either
            checked += 1
            with self.subTest(str(path.relative_to(ROOT))):
                self.assertEqual(found, [])
        self.assertGreater(checked, 40)

    def scope_of(self, text, word):
        line, column = next(
            (i, t.index(word)) for i, t in enumerate(text.split("\n")) if word in t
        )
        return scopes(text)[line, column]

    def test_what_stands_out(self):
        text = (
            '"""Doc.\n\n>>> f(1)\n2\n"""\n@fastmath\n'
            "gufunc norm(v: T[n?], inout w: f32[n]) -> T where T in floats:\n"
            "    total = 0x1F + 1.5e-3 + 2j  # note\n"
            "    return sqrt(total) * v.size if not True else pi\n"
        )
        rows = {
            "Doc": "string.quoted.docstring.kern",
            ">>> f": "markup.raw.test.kern",
            "fastmath": "entity.name.function.decorator.kern",
            "gufunc": "storage.type.function.kern",
            "norm": "entity.name.function.kern",
            "inout": "storage.modifier.kern",
            "f32": "support.type.kern",
            "where": "storage.modifier.kern",
            "floats": "support.type.set.kern",
            "0x1F": "constant.numeric.kern",
            "1.5e-3": "constant.numeric.kern",
            "2j": "constant.numeric.kern",
            "# note": "comment.line.number-sign.kern",
            "sqrt": "entity.name.function.call.kern",
            "size": "variable.other.member.kern",
            "True": "constant.language.kern",
            "pi": "support.constant.kern",
            "return": "keyword.control.kern",
        }
        for word, scope in rows.items():
            with self.subTest(word):
                self.assertEqual(self.scope_of(text, word), scope)


if __name__ == "__main__":
    unittest.main()
