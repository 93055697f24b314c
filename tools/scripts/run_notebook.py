#!/usr/bin/env python3
"""Runs a notebook and compares what it shows with what it holds.

usage: run_notebook.py NOTEBOOK [--write]

Needs IPython and what the notebook imports; no Jupyter. Cells run in order in one
session. Texts must be the same, where `…` in the notebook stands for any; of
pictures there must be as many. A cell with the tag `raises-exception` must fail.
With --write the notebook gets the outputs instead. Exit status 1 if one differs.
"""

import argparse
import base64
import json
import pathlib
import re
import sys

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

TEXT, PICTURE = "text/plain", "image/png"


class Shown:
    """What the cell that runs has shown, besides what it printed."""

    outputs = []


class Hook(DisplayHook):
    """Takes the value of a cell's last line."""

    def write_output_prompt(self):
        pass

    def write_format_data(self, data, metadata=None):
        Shown.outputs.append(("execute_result", data))

    def finish_displayhook(self):
        pass


class Publisher(DisplayPublisher):
    """Takes what display() is given."""

    def publish(self, data, *rest, **named):
        Shown.outputs.append(("display_data", data))


class Shell(InteractiveShell):
    displayhook_class = Hook
    display_pub_class = Publisher


def output(kind, data, count):
    """One entry of a cell's outputs."""
    kept = {
        name: value if isinstance(value, str) else base64.b64encode(value).decode()
        for name, value in data.items()
        if name in (TEXT, PICTURE)
    }
    if PICTURE in kept:
        kept = {PICTURE: kept[PICTURE].strip() + "\n"}
    else:
        kept[TEXT] = kept[TEXT].splitlines(keepends=True)
    made = {"data": kept, "metadata": {}, "output_type": kind}
    if kind == "execute_result":
        made["execution_count"] = count
    return made


def run(shell, cell, count):
    """The outputs of a cell, and the exception that it ended with."""
    Shown.outputs = []
    # Without display, of which IPython's capture has ways of its own.
    with capture_output(display=False) as printed:
        result = shell.run_cell("".join(cell["source"]), store_history=True)
    outputs = []
    if printed.stdout and result.success:
        outputs.append(
            {"name": "stdout", "output_type": "stream",
             "text": printed.stdout.splitlines(keepends=True)}
        )  # fmt: skip
    outputs += [output(kind, data, count) for kind, data in Shown.outputs]
    error = result.error_in_exec or result.error_before_exec
    if error is not None:
        outputs.append(
            {"ename": type(error).__name__, "evalue": str(error),
             "output_type": "error", "traceback": []}
        )  # fmt: skip
    return outputs, error


def comparable(one):
    """Of an output what must be the same."""
    if one["output_type"] == "stream":
        return "".join(one["text"])
    if one["output_type"] == "error":
        return f"{one['ename']}: {one['evalue']}"
    return PICTURE if PICTURE in one["data"] else "".join(one["data"][TEXT])


def agrees(held, shown):
    pattern = re.escape(held).replace("…", ".*")
    return re.fullmatch(pattern, shown, re.S) is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebook", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    notebook = json.loads(arguments.notebook.read_text(encoding="utf-8"))
    shell = Shell.instance()
    shell.colors = "NoColor"
    wrong = count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        outputs, error = run(shell, cell, count)
        may_fail = "raises-exception" in cell["metadata"].get("tags", [])
        held = list(map(comparable, cell["outputs"]))
        shown = list(map(comparable, outputs))
        same = len(held) == len(shown) and all(map(agrees, held, shown))
        if (error is not None) != may_fail or not (same or arguments.write):
            wrong += 1
            source = "".join(cell["source"])
            print(f"cell {count}:\n{source}\nholds {held}\nshows {shown}\n")
        cell["outputs"], cell["execution_count"] = outputs, count
    if arguments.write and not wrong:
        text = json.dumps(notebook, indent=1, ensure_ascii=False)
        arguments.notebook.write_text(text + "\n", encoding="utf-8")
    print(f"{count} cells, {wrong} of them wrong")
    sys.exit(bool(wrong or not count))


if __name__ == "__main__":
    main()
