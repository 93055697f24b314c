"""The reference agrees with the sources."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"
SCRIPTS = ("dev", ".ci/run", "tools/scripts/*.sh", "examples/*.sh")
# Variables that scripts and suites pass to the programs they run.
WITHIN = {"SHOWN", "KERN_START", "KERN_SOURCE_DIR", "KERN_BUILD_DIR", "KERN_PACKAGE"}


def read(path):
    return path.read_text(encoding="utf-8")


def sources(*folders, suffixes=(".cpp", ".h", ".hpp")):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes:
                yield path


class Environment(unittest.TestCase):
    """docs/reference/environment.md names every variable that is read."""

    def listed(self, heading):
        page = read(REFERENCE / "environment.md")
        part = page[page.index(heading):].split("\n## ")[0]
        return set(re.findall(r"^\| `(\w+)` \|", part, re.M))

    def test_of_the_tool_and_the_libraries(self):
        found = set()
        for path in sources("compiler", "dialects", "runtime", "tools"):
            text = read(path)
            # By name, through a function of a name, or as a text of our own.
            found |= set(re.findall(
                r'\b(?:secure_)?(?:getenv|value)\("([A-Z][A-Z0-9_]+)"\)', text))
            found |= set(re.findall(
                r'(?:environment|threadSetting)\(\s*"([A-Z][A-Z0-9_]+)"\)', text))
            for argument in re.findall(r"\b(?:secure_)?getenv\(([^)]*)\)", text):
                with self.subTest(path.name, argument=argument):
                    self.assertRegex(argument, r'^("[A-Z][A-Z0-9_]+"|name)$')
        self.assertIn("KERN_CACHE_DIR", found)
        self.assertEqual(self.listed("## Of the tool and the libraries"), found)

    def test_of_dev_and_the_tests(self):
        found = set()
        for pattern in SCRIPTS:
            for path in ROOT.glob(pattern):
                found |= set(re.findall(r"\$\{([A-Z][A-Z0-9_]+):?[-?]", read(path)))
        for path in sources("test"):
            found |= set(re.findall(r'getenv\("([A-Z][A-Z0-9_]+)"\)', read(path)))
        for path in ROOT.glob("python/tests/*.py"):
            found |= set(re.findall(r'environ(?:\.get\(|\[)"([A-Z][A-Z0-9_]+)"', read(path)))
        cmake = [*ROOT.glob("tools/cmake/*.cmake"), ROOT / "CMakeLists.txt"]
        for path in cmake:
            found |= set(re.findall(r"\$ENV\{(\w+)\}", read(path)))
        found -= WITHIN | {"HOME", "PATH"}
        self.assertIn("KERN_JOBS", found)
        self.assertEqual(self.listed("## Of `./dev` and the tests"), found)


class CInterface(unittest.TestCase):
    def test_each_function_is_on_the_page(self):
        page = read(REFERENCE / "kern-h.md")
        found = set()
        for path in (ROOT / "runtime" / "include" / "kern").glob("*.h"):
            for declaration in re.findall(r"KERN_API\b([^;]*);", read(path)):
                found |= set(re.findall(r"\b(kern_\w+)\(", declaration))
        self.assertGreater(len(found), 35)
        self.assertEqual([f for f in sorted(found) if f"`{f}" not in page], [])

    def test_each_status_is_on_the_page(self):
        header = read(ROOT / "runtime" / "include" / "kern" / "kern.h")
        found = re.findall(r"^  (KERN_ERROR_\w+) = ", header, re.M)
        self.assertGreater(len(found), 10)
        page = read(REFERENCE / "kern-h.md")
        self.assertEqual([s for s in found if f"| `{s}` |" not in page], [])


class CppInterface(unittest.TestCase):
    def test_each_class_is_on_the_page(self):
        page = read(REFERENCE / "kern-hpp.md")
        found = set()
        for path in (ROOT / "runtime" / "include" / "kern").glob("*.hpp"):
            # Those of the namespace; what is in `detail` is indented or named so.
            text = re.sub(r"namespace detail \{.*?^\} // namespace detail", "",
                          read(path), flags=re.M | re.S)
            found |= set(re.findall(
                r"^(?:template <.*> )?(?:class|struct|enum class)"
                r"(?: \[\[.*\]\])? (\w+)[^;]*?\{", text, re.M))
        self.assertGreater(len(found), 12)
        self.assertEqual(
            [c for c in sorted(found) if not re.search(rf"\b{c}\b", page)], [])


class Readme(unittest.TestCase):
    def test_figures_are_those_of_the_performance_page(self):
        page = read(ROOT / "docs" / "explanation" / "performance.md")
        text = read(ROOT / "README.md")
        text = text[text.index("## How fast"):].split("\n## ")[0]
        rows = [line.strip("| \n").split(" | ") for line in text.splitlines()
                if line.startswith("| ")]
        head, rows = rows[0], [row for row in rows[1:] if row[0] != "---"]
        self.assertGreater(len(rows), 4)
        for row in rows:
            with self.subTest(row[0]):
                measured = re.search(rf"^\| {re.escape(row[0])} \|.*$", page, re.M)
                self.assertTrue(measured, "there is no such row")
                cells = measured[0].strip("| ").split(" | ")
                # Its goal and whether it was reached are left out here.
                figures = [re.sub(r" \(.*\)", "", cell) for cell in cells[3:]]
                self.assertEqual(row[1:], figures)
        for line in page.splitlines():
            if line.startswith("| work | goal |"):
                names = line.strip("| ").split(" | ")
                self.assertEqual(head, [names[0], *names[3:]])
                break
        machine = re.search(r"^Measured on one (NVIDIA \w+)", page, re.M)[1]
        self.assertIn(machine, text)


if __name__ == "__main__":
    unittest.main()
