"""The navigation has every page of the site once, and nothing else."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "docs"))
sys.path.insert(0, str(ROOT / "tools" / "scripts"))

import errors_page
import navigation


class Navigation(unittest.TestCase):
    def test_each_page_is_listed_once(self):
        listed = navigation.listed()
        self.assertEqual(sorted(listed), sorted(set(listed)))
        self.assertEqual(sorted([navigation.HOME, *listed]), navigation.pages())

    def test_the_four_kinds_are_there(self):
        captions = [caption for caption, _ in navigation.entries(navigation.HOME)]
        self.assertEqual(captions, ["Tutorial", "How-to guides", "Reference",
                                    "Explanation", "The project"])

    def test_pages_lie_in_the_folder_of_their_kind(self):
        kinds = dict(navigation.entries(navigation.HOME))
        for caption, folder in (("How-to guides", "docs/how-to/"),
                                ("Reference", "docs/reference/")):
            with self.subTest(caption):
                for page in kinds[caption]:
                    self.assertTrue(page.startswith(folder), page)

    def test_toctrees_name_pages_from_their_own_folder(self):
        text = "".join(navigation.toctrees("docs/reference/errors/README"))
        self.assertIn(":caption: Text and syntax\n", text)
        self.assertIn("\nK0101\n", text)
        text = "".join(navigation.toctrees(navigation.HOME))
        self.assertIn("\n../CHANGELOG\n", text)
        self.assertIn("\nhow-to/embed\n", text)

    def test_index_of_errors_is_current(self):
        index = errors_page.FOLDER / "README.md"
        self.assertEqual(
            index.read_text(encoding="utf-8"), errors_page.index(),
            "write it again: tools/scripts/errors_page.py > "
            "docs/reference/errors/README.md")


if __name__ == "__main__":
    unittest.main()
