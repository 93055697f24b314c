"""The Pygments lexer knows every file of Kern's, and what stands out in it."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "editors" / "pygments"))

import kern_lexer
from pygments.token import Token

BLOCK = re.compile(r"^```kern(?: file=\S+)?\n(.*?)^```$", re.M | re.S)
# These are about what is not Kern.
REFUSED = ROOT / "docs" / "reference" / "errors"


def tokens(text):
    return list(kern_lexer.KernLexer(ensurenl=False, stripnl=False).get_tokens(text))


def errors(text):
    return [value for kind, value in tokens(text) if kind in Token.Error]


class Lexer(unittest.TestCase):
    def test_files_have_no_errors(self):
        checked = 0
        for folder in ("examples", "stdlib"):
            for path in sorted((ROOT / folder).rglob("*.kern")):
                checked += 1
                text = path.read_text(encoding="utf-8")
                with self.subTest(str(path.relative_to(ROOT))):
                    self.assertEqual(errors(text), [])
                    self.assertEqual("".join(v for _, v in tokens(text)), text)
        self.assertGreater(checked, 20)

    def test_snippets_have_no_errors(self):
        checked = 0
        for path in sorted((ROOT / "docs").rglob("*.md")):
            if path.parent == REFUSED:
                continue
            for text in BLOCK.findall(path.read_text(encoding="utf-8")):
                checked += 1
                with self.subTest(str(path.relative_to(ROOT)), text=text[:40]):
                    self.assertEqual(errors(text), [])
        self.assertGreater(checked, 10)

    def test_what_is_no_kern_is_an_error(self):
        self.assertEqual(errors("x = $ + `a`\n"), ["$", "`", "`"])
        self.assertEqual(errors("lambda x: 1\n"), ["lambda"])

    def test_what_stands_out(self):
        text = (
            '"""Doc.\n\n    >>> f(1)\n"""\n@fastmath\n'
            "gufunc norm(v: T[n?], inout w: f32[n]) -> T where T in floats:\n"
            "    y = where(v > 0x1f, 1.5e-3, pi)  # note\n"
            "    return np.sqrt(y) and not 2j\n"
        )
        found = tokens(text)
        for value, kind in (
            ("    >>> f(1)", Token.Comment.Preproc),
            ("fastmath", Token.Name.Decorator),
            ("gufunc", Token.Keyword.Declaration),
            ("norm", Token.Name.Function),
            ("inout", Token.Keyword.Declaration),
            ("f32", Token.Keyword.Type),
            ("floats", Token.Keyword.Type),
            ("0x1f", Token.Number.Hex),
            ("1.5e-3", Token.Number.Float),
            ("2j", Token.Number.Float),
            ("pi", Token.Name.Constant),
            ("# note", Token.Comment.Single),
            ("and", Token.Operator.Word),
            ("return", Token.Keyword),
        ):
            with self.subTest(value):
                self.assertIn((kind, value), found)
        kinds = [kind for kind, value in found if value == "where"]
        self.assertEqual(kinds, [Token.Keyword.Declaration, Token.Name.Function])


if __name__ == "__main__":
    unittest.main()
