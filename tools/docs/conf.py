"""Sphinx's settings for the site; `./dev docs` makes build/docs/site.

The sources are the repository's Markdown files, which a forge shows as well. The
site loads nothing from other places, so that it works from the disk.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools" / "docs"),
                str(ROOT / "tools" / "editors" / "pygments")]

import kern_lexer
import navigation

project = "Kern"
release = re.search(r"^project\(Kern VERSION ([\d.]+)",
                    (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"),
                    re.M)[1]
root_doc = navigation.HOME
include_patterns = ["docs/**", *navigation.PAGES_ELSEWHERE]
exclude_patterns = ["build", ".git", ".ci", "compiler", "dialects", "examples",
                    "runtime", "stdlib", "test", "tools"]
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
# The error pages contain sources that are not valid Kern.
suppress_warnings = ["misc.highlighting_failure"]
highlight_language = "text"

html_theme = "furo"
html_title = f"Kern {release}"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False

REDIRECT = """\
<!DOCTYPE html>
<meta charset="utf-8">
<title>Kern</title>
<meta http-equiv="refresh" content="0; url={home}.html">
<a href="{home}.html">Kern</a>
"""


def add_navigation(app, page, source):
    if page in navigation.INDEXES:
        source[0] += "".join(navigation.toctrees(page))


def add_front_page(app, failure):
    if not failure:
        page = REDIRECT.format(home=navigation.HOME)
        (pathlib.Path(app.outdir) / "index.html").write_text(page)


def setup(app):
    app.add_lexer("kern", kern_lexer.KernLexer)
    app.connect("source-read", add_navigation)
    app.connect("build-finished", add_front_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
