"""Documents name each other rightly, and the list of decisions is current."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "scripts"))

import decisions_page

LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")


class Decisions(unittest.TestCase):
    def test_each_has_the_number_of_its_file(self):
        for path in decisions_page.files():
            with self.subTest(path.name):
                match = re.fullmatch(r"(\d{2,})-[a-z0-9]+(-[a-z0-9]+)*\.md", path.name)
                self.assertTrue(match, "its name is not NN-short-title.md")
                heading = decisions_page.heading(path)
                self.assertTrue(heading, "its first line is not `# NN. Title`")
                self.assertEqual(int(match[1]), heading[0])

    def test_each_number_is_there_once(self):
        numbers = [decisions_page.heading(p)[0] for p in decisions_page.files()]
        self.assertEqual(sorted(numbers), list(range(1, len(numbers) + 1)))

    def test_list_is_current(self):
        page = decisions_page.FOLDER / "README.md"
        self.assertEqual(
            page.read_text(encoding="utf-8"), decisions_page.page(),
            "write it again: tools/scripts/decisions_page.py > "
            "docs/decisions/README.md")

    def test_numbers_in_documents_are_those_of_their_links(self):
        """[decision 17](decisions/17-….md), wherever a text has such a link."""
        found = 0
        for path in sorted(ROOT.glob("docs/**/*.md")):
            text = path.read_text(encoding="utf-8")
            for said, linked in re.findall(
                    r"\[(?:decision )?(\d+)\]\((?:decisions/)?(\d+)-", text):
                found += 1
                self.assertEqual(int(said), int(linked), path)
        self.assertGreater(found, 10)


class Links(unittest.TestCase):
    def test_each_leads_to_a_file(self):
        paths = [ROOT / "README.md"]
        for folder in ("docs", "examples", "stdlib", "test", "tools"):
            paths += sorted((ROOT / folder).rglob("*.md"))
        found = 0
        for path in paths:
            for target in LINK.findall(path.read_text(encoding="utf-8")):
                if re.match(r"[a-z]+:", target):
                    continue
                found += 1
                with self.subTest(path.relative_to(ROOT), target=target):
                    self.assertTrue((path.parent / target).exists())
        self.assertGreater(found, 90)


if __name__ == "__main__":
    unittest.main()
