#!/usr/bin/env python3
"""Writes what `kern VERB --help` says into docs/reference/cli.md.

usage: cli_page.py KERN

Replaces the text between the page's marks. The rest is written by hand.
"""

import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "reference" / "cli.md"
MARKED = re.compile(r"(<!-- help:begin -->\n).*(<!-- help:end -->)", re.S)


def help_of(kern, *verb):
    done = subprocess.run([kern, *verb, "--help"], capture_output=True, text=True,
                          check=True)
    return done.stdout.strip("\n")


def verbs(kern):
    listed = re.search(r"^verbs:\n((?:  .*\n)+)", help_of(kern), re.M)[1]
    return re.findall(r"^  (\w+) ", listed, re.M)


def section(kern, verb):
    """A verb's heading and its help."""
    text = help_of(kern, verb)
    return f"### kern {verb}\n```text\n{text}\n```\n"


def part(kern):
    first = f"```text\n{help_of(kern)}\n```\n"
    return "\n".join([first, *(section(kern, verb) for verb in verbs(kern))])


def page(kern):
    """The page with the tool's current help."""
    text = PAGE.read_text(encoding="utf-8")
    return MARKED.sub(lambda marks: marks[1] + part(kern) + marks[2], text)


if __name__ == "__main__":
    PAGE.write_text(page(sys.argv[1]), encoding="utf-8")
