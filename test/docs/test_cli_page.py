"""docs/reference/cli.md has what the tool says."""

import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERN = pathlib.Path(os.environ["KERN_BUILD_DIR"]) / "bin" / "kern"
sys.path.insert(0, str(ROOT / "tools" / "scripts"))

import cli_page


class CliPage(unittest.TestCase):
    def test_help_texts_are_current(self):
        self.assertEqual(
            cli_page.PAGE.read_text(encoding="utf-8"), cli_page.page(KERN),
            "write it again: tools/scripts/cli_page.py build/dev/bin/kern")

    def test_each_verb_has_a_row(self):
        page = cli_page.PAGE.read_text(encoding="utf-8")
        verbs = cli_page.verbs(KERN)
        self.assertIn("compile", verbs)
        for verb in verbs:
            with self.subTest(verb):
                self.assertIn(f"| `kern {verb}", page)


if __name__ == "__main__":
    unittest.main()
