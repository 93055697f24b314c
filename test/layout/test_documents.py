"""Documents name each other rightly, and the index of decisions is current."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "scripts"))

import decisions_page

LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")
LINKED = re.compile(r"\[([^\]]*)\]\([^)]*\)")
HEADING = re.compile(r"^#+ (.+?) *$", re.M)
# `runtime/plan/Form.h`, `compiler/targets/host/Streaming` or `stdlib/prelude/`.
PATH = re.compile(
    r"`((?:compiler|dialects|examples|python|runtime|stdlib|test|tools)/[\w./-]*)`")
FENCED = re.compile(r"^```.*?^```", re.M | re.S)
# Decisions were numbered up to this one, and commits name the numbers.
LAST_NUMBER = 80


class Decisions(unittest.TestCase):
    def test_each_page_is_in_the_index(self):
        self.assertEqual(
            [path.name for path in decisions_page.files()],
            sorted(f"{name}.md" for name in decisions_page.PAGES))

    def test_each_page_has_a_title_a_context_and_sections(self):
        for page in decisions_page.pages():
            with self.subTest(page.path.name):
                self.assertTrue(page.title, "it does not begin with `# Title`")
                self.assertTrue(page.context, "it has no context")
                self.assertTrue(page.sections)
                for section in page.sections:
                    self.assertTrue(section.text, section.title)

    def test_each_section_has_a_title_of_its_own(self):
        titles = [section.title for page in decisions_page.pages()
                  for section in page.sections]
        self.assertEqual(sorted(titles), sorted(set(titles)))

    def test_index_has_each_section(self):
        index = (decisions_page.FOLDER / "README.md").read_text(encoding="utf-8")
        lines = index.splitlines()
        wanted = []
        for page in decisions_page.pages():
            wanted.append(f"- [{page.title}]({page.path.name})")
            wanted += [f"  - [{section.title}]({section.target})"
                       for section in page.sections]
        self.assertEqual([line for line in wanted if line not in lines], [])

    def test_index_leads_from_each_number_to_a_section(self):
        numbers = set(decisions_page.by_number(decisions_page.pages()))
        self.assertEqual(set(range(1, LAST_NUMBER + 1)) - numbers, set())

    def test_index_is_current(self):
        page = decisions_page.FOLDER / "README.md"
        self.assertEqual(
            page.read_text(encoding="utf-8"), decisions_page.index(),
            "write it again: tools/scripts/decisions_page.py > "
            "docs/explanation/decisions/README.md")


def anchors(path):
    """Those of a document's headings."""
    text = FENCED.sub("", path.read_text(encoding="utf-8"))
    titles = [LINKED.sub(r"\1", title) for title in HEADING.findall(text)]
    return {decisions_page.anchor(title) for title in titles}


def documents():
    paths = sorted(ROOT.glob("*.md"))
    for folder in ("docs", "examples", "python", "stdlib", "test", "tools"):
        paths += sorted((ROOT / folder).rglob("*.md"))
    return paths


class Links(unittest.TestCase):
    def test_each_leads_to_a_file_and_a_heading(self):
        found = found_headings = 0
        for path in documents():
            text = FENCED.sub("", path.read_text(encoding="utf-8"))
            for target, heading in LINK.findall(text):
                if re.match(r"[a-z]+:", target):
                    continue
                found += 1
                with self.subTest(path.relative_to(ROOT), target=target):
                    there = path.parent / target if target else path
                    self.assertTrue(there.exists())
                    if heading:
                        found_headings += 1
                        self.assertIn(heading, anchors(there))
        self.assertGreater(found, 400)
        self.assertGreater(found_headings, 100)

    def test_headings_of_a_document_have_anchors_of_their_own(self):
        """A forge and the site number equal ones in ways of their own."""
        for path in documents():
            text = FENCED.sub("", path.read_text(encoding="utf-8"))
            titles = [decisions_page.anchor(t) for t in HEADING.findall(text)]
            with self.subTest(path.relative_to(ROOT)):
                self.assertEqual(sorted(titles), sorted(set(titles)))

    def test_files_that_texts_name_are_there(self):
        """With or without what follows the dot, as of a header and a source."""
        found = 0
        for path in documents():
            for named in PATH.findall(path.read_text(encoding="utf-8")):
                found += 1
                with self.subTest(path.relative_to(ROOT), named=named):
                    there = ROOT / named
                    self.assertTrue(
                        there.exists() or list(there.parent.glob(there.name + ".*")))
        self.assertGreater(found, 40)


if __name__ == "__main__":
    unittest.main()
