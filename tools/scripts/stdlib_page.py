#!/usr/bin/env python3
"""Writes docs/reference/stdlib.md from the docstrings of stdlib/ and from
docs/explanation/accuracy.md.

usage: stdlib_page.py > docs/reference/stdlib.md
"""

import dataclasses
import pathlib
import re
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
# In the order of the page.
PRELUDE = ("arithmetic", "comparison", "choice", "integers", "rounding",
           "floats", "exponential", "trigonometric", "hyperbolic", "gamma",
           "complex", "sequences", "sorting")
TITLES = {
    "comparison": "Comparison and truth", "integers": "Bits and whole numbers",
    "floats": "Parts of floats", "exponential": "Roots, exponentials, logarithms",
    "trigonometric": "Trigonometry", "hyperbolic": "Hyperbolic functions",
    "gamma": "Error and gamma functions", "complex": "Complex numbers",
}
FUNCTION = re.compile(
    r"^((?:@\w+\n)*(?:ufunc|gufunc|def) (\w+)\(.*?):\n"
    r'    """(.*?)"""\n(    \.\.\.$)?', re.M | re.S)


@dataclasses.dataclass
class Function:
    name: str
    header: str
    prose: str
    tests: str
    is_declared: bool


def read(path):
    """A file's docstring and its functions."""
    text = path.read_text(encoding="utf-8")
    about = re.match(r'"""(.*?)"""', text, re.S)
    functions = []
    for header, name, doc, ellipsis in FUNCTION.findall(text):
        first, _, rest = doc.partition("\n")
        doc = first + "\n" + textwrap.dedent(rest)
        prose, mark, tests = doc.partition(">>> ")
        functions.append(Function(name, header, prose.strip(),
                                  (mark + tests).strip(), bool(ellipsis)))
    headers = len(re.findall(r"^(?:ufunc|gufunc|def) ", text, re.M))
    if headers != len(functions):
        raise SystemExit(f"{path}: a function has no docstring")
    return (about[1].strip() if about else ""), functions


def accuracy():
    """The rows of docs/explanation/accuracy.md for each function."""
    rows = {}
    page = ROOT / "docs" / "explanation" / "accuracy.md"
    text = page.read_text(encoding="utf-8")
    for name, kind, bound, host, _, gpu, _ in re.findall(
            r"^\| `([^`]+)` \| (\w+) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$",
            text, re.M):
        rows.setdefault(name, []).append((kind, bound, host, gpu))
    return rows


def section(functions, rows):
    named = set()
    for function in functions:
        if function.name not in named:
            yield f"### {function.name}\n"
        yield "```\n" + function.header + "\n```\n"
        yield function.prose + "\n"
        if not function.is_declared:
            yield "Written in Kern.\n"
        if function.tests:
            yield "```\n" + function.tests + "\n```\n"
        measured = function.name
        if function.name in named:
            measured += " of two"  # arguments, as the table calls it
        if measured in rows:
            yield ("Largest error in ULP, host / GPU: " + ", ".join(
                f"{kind} {host} / {gpu} (bound {bound})"
                for kind, bound, host, gpu in rows[measured]) + ".\n")
        named.add(function.name)


def page():
    rows = accuracy()
    lines = [
        "# The standard library\n",
        "`tools/scripts/stdlib_page.py` writes this page from the docstrings of "
        "`stdlib/`. `kern explain NAME` shows one function, and\n"
        "`kern test --stdlib` runs the examples on every device.\n",
        "Everything except the modules at the end is visible without an import, "
        "and as `math.NAME`, `cmath.NAME` or `np.NAME`. A header\n"
        "lists a function's typed loops, as NumPy's `types` does. Arguments of "
        "other types are promoted as NumPy's ufuncs promote them (`sin` of\n"
        "i16 is f32). Functions that are written in Kern choose their loop in "
        "the same way; a `def` has the types of its operations.\n",
        "Accuracy was measured against MPFR: [accuracy.md](../explanation/accuracy.md). "
        "Functions without an error listed there are exact or\n"
        "correctly rounded. [numpy-differences.md](../explanation/numpy-differences.md) "
        "lists where results differ from NumPy's.\n",
        "Constants: `pi`, `e`, `tau`, `inf`, `nan`, `infj`, `nanj`, "
        "`eulergamma` (also `euler_gamma`).\n",
    ]
    folder = ROOT / "stdlib" / "prelude"
    found = {path.stem for path in folder.glob("*.kern")}
    if found != set(PRELUDE):
        raise SystemExit(f"in PRELUDE or in {folder}, but not in both: {found ^ set(PRELUDE)}")
    for name in PRELUDE:
        about, functions = read(folder / f"{name}.kern")
        lines += [f"## {TITLES.get(name, name.capitalize())}\n", about + "\n",
                  *section(functions, rows)]
    for path in sorted((ROOT / "stdlib").glob("*.kern")):
        about, functions = read(path)
        lines += [f"## Module {path.stem}\n", about + "\n",
                  *section(functions, rows)]
    return "\n".join(lines)


if __name__ == "__main__":
    print(page(), end="")
