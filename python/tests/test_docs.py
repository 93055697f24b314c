"""The sessions of the documents: what they show must be so."""

import doctest
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```pycon[^\n]*\n(.*?)^```[ \t]*$", re.M | re.S)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def pages():
    """Those with sessions; none where the package's tests lie alone."""
    return [
        path
        for path in [*ROOT.glob("README.md"), *sorted(DOCS.rglob("*.md"))]
        if FENCE.search(path.read_text(encoding="utf-8"))
    ]


@pytest.mark.skipif(not DOCS.is_dir(), reason="the documents are not here")
def test_there_are_pages():
    assert DOCS / "how-to" / "python.md" in pages()


@pytest.fixture(autouse=True)
def jax_as_it_comes():
    """Other tests of the process may have asked JAX for types of 64 bits."""
    jax = sys.modules.get("jax")
    if jax is None:
        yield
        return
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", False)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_page(path):
    text = path.read_text(encoding="utf-8")
    for name in ("torch", "jax", "dask", "cupy"):
        if re.search(rf"^>>> (?:import|from) (?:[\w, ]+, )?{name}\b", text, re.M):
            pytest.importorskip(name)
    # One session a page; lines keep their numbers.
    lines = [""] * text.count("\n")
    for match in FENCE.finditer(text):
        first = text[: match.start(1)].count("\n")
        block = match.group(1).splitlines()
        lines[first : first + len(block)] = block
    test = doctest.DocTestParser().get_doctest(
        "\n".join(lines) + "\n", {}, path.name, str(path), 0
    )
    said = []
    failed, tried = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append)
    assert tried and not failed, "".join(said)
