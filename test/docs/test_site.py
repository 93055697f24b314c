"""The site that `./dev docs` made: pages, links, anchors, colours, search."""

import html.parser
import pathlib
import re
import sys
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "docs" / "site"
sys.path.insert(0, str(ROOT / "tools" / "docs"))

import navigation

# Pages of the generator's own.
OTHERS = {"index", "genindex", "search"}


class Page(html.parser.HTMLParser):
    """A page's links, what it loads, and its anchors."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.ids = [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids |= {values[key] for key in ("id", "name") if values.get(key)}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        elif tag in ("img", "script") and values.get("src"):
            self.loaded.append(values["src"])
        elif tag == "link" and values.get("rel") == "stylesheet":
            self.loaded.append(values["href"])


def is_elsewhere(link):
    return urllib.parse.urlsplit(link).scheme != "" or link.startswith("//")


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = {path: Page(path) for path in sorted(SITE.rglob("*.html"))}

    def test_each_page_is_there_and_no_other(self):
        names = {str(path.relative_to(SITE).with_suffix("")) for path in self.pages}
        self.assertEqual(names - OTHERS, set(navigation.pages()))

    def test_each_link_leads_to_a_page_and_an_anchor(self):
        found = 0
        for path, page in self.pages.items():
            for link in page.links:
                if is_elsewhere(link):
                    continue
                found += 1
                parts = urllib.parse.urlsplit(link)
                target = path
                if parts.path:
                    target = (path.parent / urllib.parse.unquote(parts.path)).resolve()
                with self.subTest(str(path.relative_to(SITE)), link=link):
                    self.assertTrue(target.exists())
                    if parts.fragment and target in self.pages:
                        anchor = urllib.parse.unquote(parts.fragment)
                        self.assertIn(anchor, self.pages[target].ids)
        self.assertGreater(found, 5000)

    def test_it_loads_nothing_from_elsewhere(self):
        for path, page in self.pages.items():
            for source in page.loaded:
                with self.subTest(str(path.relative_to(SITE)), source=source):
                    self.assertFalse(is_elsewhere(source))
                    there = path.parent / urllib.parse.urlsplit(source).path
                    self.assertTrue(there.resolve().is_file())

    def test_the_navigation_leads_from_the_first_page_to_each(self):
        """Through links of index pages alone."""
        home = SITE / f"{navigation.HOME}.html"
        reached, todo = set(), [home]
        while todo:
            page = todo.pop()
            if page in reached or page not in self.pages:
                continue
            reached.add(page)
            if str(page.relative_to(SITE).with_suffix("")) in navigation.INDEXES:
                todo += [(page.parent / urllib.parse.urlsplit(link).path).resolve()
                         for link in self.pages[page].links
                         if not is_elsewhere(link)]
        wanted = {SITE / f"{page}.html" for page in navigation.pages()}
        self.assertEqual(wanted - reached, set())

    def test_kern_is_coloured(self):
        text = (SITE / "docs" / "tutorial.html").read_text(encoding="utf-8")
        self.assertIn('class="highlight-kern', text)
        self.assertRegex(text, r'<span class="kd?">ufunc</span>')

    def test_the_search_knows_words_of_every_kind_of_page(self):
        index = (SITE / "searchindex.js").read_text(encoding="utf-8")
        for page in ("docs/tutorial", "docs/reference/errors/K0201",
                     "docs/explanation/decisions/gpu"):
            with self.subTest(page):
                self.assertIn(f'"{page}"', index)
        self.assertTrue(re.search(r"\bbroadcast", index))


if __name__ == "__main__":
    unittest.main()
