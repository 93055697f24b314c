"""The reference of the standard library is what its sources say."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "scripts"))

import stdlib_page


class Reference(unittest.TestCase):
    def test_it_is_current(self):
        text = (ROOT / "docs" / "reference" / "stdlib.md").read_text(encoding="utf-8")
        self.assertEqual(
            text, stdlib_page.page(),
            "write it again: tools/scripts/stdlib_page.py > docs/reference/stdlib.md")

    def test_it_speaks_of_each_function(self):
        text = stdlib_page.page()
        for path in sorted((ROOT / "stdlib").rglob("*.kern")):
            _, functions = stdlib_page.read(path)
            self.assertTrue(functions, path)
            for function in functions:
                with self.subTest(function.name):
                    self.assertIn(f"### {function.name}\n", text)
                    self.assertIn(function.header, text)
                    self.assertTrue(function.prose)
                    self.assertTrue(function.tests)


if __name__ == "__main__":
    unittest.main()
