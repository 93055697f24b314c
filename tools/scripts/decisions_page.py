#!/usr/bin/env python3
"""Writes the index of docs/explanation/decisions from its pages.

usage: decisions_page.py > docs/explanation/decisions/README.md

A page begins with `# Title` and its context; each section is `## Title` and its
text. `<!-- formerly 36 -->` below a title has the numbers of the decisions that
the section replaces.
"""

import pathlib
import re
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "explanation" / "decisions"
PAGES = (
    "kernels", "specialisation", "types", "functions", "loops", "gpu",
    "defects", "cpu", "calls", "libraries", "python", "cache", "compile-time",
    "tool", "documents",
)
ABOUT = """\
# Decisions

What was decided, why, and what was rejected. There is a page for each topic and a section for each decision. A section
says what was decided and why, with the measurements, and what was rejected and why. When a decision changes, its section
is rewritten in place, and says what it replaces if that helps the reader. Other documents link to a section; comments in
code name the page.
A script writes this index: `tools/scripts/decisions_page.py > docs/explanation/decisions/README.md`.

"""
NUMBERS = """
## Old numbers
Decisions used to be numbered files, and commit messages name those numbers. Their sections now are:

"""
COLUMNS = 5


@dataclass
class Section:
    title: str
    page: str  # the file's name
    anchor: str
    numbers: list  # of the decisions that it replaces
    text: str

    @property
    def target(self):
        return f"{self.page}#{self.anchor}"


@dataclass
class Page:
    path: pathlib.Path
    title: str = ""
    context: str = ""
    sections: list = field(default_factory=list)


def files():
    return sorted(p for p in FOLDER.iterdir() if p.name != "README.md")


def anchor(heading):
    """The anchor of a heading in a Markdown file."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def read(path):
    head, *parts = re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.M)
    page = Page(path)
    if match := re.fullmatch(r"# (\S[^\n]*)\n\n(\S.*)", head, re.S):
        page.title, page.context = match[1], match[2].strip()
    for part in parts:
        title, _, text = part.partition("\n")
        old = re.match(r"<!-- formerly ([\d ]+) -->\n", text)
        page.sections.append(Section(
            title, path.name, anchor(title),
            [int(number) for number in old[1].split()] if old else [],
            text[old.end() if old else 0:].strip()))
    return page


def pages():
    return [read(FOLDER / f"{name}.md") for name in PAGES]


def contents(pages):
    for page in pages:
        yield f"- [{page.title}]({page.path.name})\n"
        for section in page.sections:
            yield f"  - [{section.title}]({section.target})\n"


def by_number(pages):
    found = {}
    for page in pages:
        for section in page.sections:
            for number in section.numbers:
                found.setdefault(number, []).append(section)
    return found


def links(sections):
    """`[gpu](gpu.md#…)`, or `[gpu](gpu.md#…) [2](gpu.md#…)` for several."""
    return " ".join(
        f"[{section.page.removesuffix('.md') if i == 1 else i}]({section.target})"
        for i, section in enumerate(sections, 1)
    )


def table(numbers):
    """A table of the numbers, each with links to its sections."""
    cells = [f"{number} {links(numbers[number])}" for number in sorted(numbers)]
    cells += [""] * (-len(cells) % COLUMNS)
    rows = [cells[i:i + COLUMNS] for i in range(0, len(cells), COLUMNS)]
    for row in [[""] * COLUMNS, ["---"] * COLUMNS, *rows]:
        yield "| " + " | ".join(row) + " |\n"


def index():
    read = pages()
    return "".join([ABOUT, *contents(read), NUMBERS, *table(by_number(read))])


if __name__ == "__main__":
    print(index(), end="")
