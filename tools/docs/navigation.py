"""The site's navigation: the lists of links of the index pages.

A link that begins an item of a list on an index page puts its page below the
index page. The heading above the list is the caption. Readers of the files and
of the site see the same order.
"""

import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOME = "docs/index"
INDEXES = (HOME, "docs/explanation/decisions/README",
           "docs/reference/errors/README")
# The site's pages outside docs/.
PAGES_ELSEWHERE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md",
                   "SECURITY.md")
HEADING = re.compile(r"^## (.+)$")
ITEM = re.compile(r"^- \[([^\]]+)\]\(([^)#\s]+\.md)\)")


def pages():
    """Every page of the site, as a path without its suffix."""
    paths = [*(ROOT / "docs").rglob("*.md"), *(ROOT / p for p in PAGES_ELSEWHERE)]
    return sorted(str(p.relative_to(ROOT).with_suffix("")) for p in paths)


def entries(index):
    """[(caption, [page…])…] of an index page; the caption may be ""."""
    sections = [("", [])]
    text = (ROOT / f"{index}.md").read_text(encoding="utf-8")
    for line in text.splitlines():
        if heading := HEADING.match(line):
            sections.append((heading[1], []))
        elif item := ITEM.match(line):
            path = os.path.join(os.path.dirname(index), item[2])
            sections[-1][1].append(os.path.normpath(path).removesuffix(".md"))
    return [section for section in sections if section[1]]


def listed():
    """Every page that an index page lists, with repetitions."""
    return [page for index in INDEXES for _, found in entries(index)
            for page in found]


def toctrees(index):
    """An index page's entries as MyST directives."""
    folder = os.path.dirname(index)
    for caption, found in entries(index):
        yield "\n\n```{toctree}\n:hidden:\n"
        if caption:
            yield f":caption: {caption}\n"
        yield "\n"
        for page in found:
            yield os.path.relpath(page, folder) + "\n"
        yield "```\n"
