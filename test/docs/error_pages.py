#!/usr/bin/env python3
"""Checks docs/reference/errors: a page for each code, with examples that tell the truth.

usage: error_pages.py KERN

In a page, a block ```kern error has to be refused with the page's code,
```kern remark has to give it with --remarks, and plain ```kern must be accepted
without any complaint. A ```console block is run, beside the blocks ```kern
file=NAME, and has to fail with the code. A code that the compiler raises
nowhere is wrong itself. Prints what is wrong; exit status 0 if nothing is.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "reference" / "errors"
DEFINITIONS = ROOT / "compiler" / "diagnostics" / "Diagnostics.def"
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
# Examples of these would have to be huge, or a defect; no type is left that
# K0603 speaks of.
WITHOUT_EXAMPLE = {
    "K0109", "K0118", "K0228", "K0319", "K0603", "K1006", "K1099"
}


def raised():
    """Whether the compiler's sources raise each code."""
    rows = re.findall(
        r'^KERN_DIAGNOSTIC\("(\w+)", \w+, (\w+), "(.*)"\)',
        DEFINITIONS.read_text(),
        re.M,
    )
    sources = "".join(
        path.read_text() for path in (ROOT / "compiler").rglob("*.cpp")
    )
    used = set(re.findall(r"Diag::(\w+)", sources))
    return {code: name in used for code, name, text in rows}


def diagnostics(kern, folder, files, *options):
    """The codes that `kern check` gives, by file."""
    found = {name: [] for name in files}
    for diagnostic in records(kern, folder, files, *options):
        found[diagnostic["file"]].append(diagnostic["code"])
    return found


def records(kern, folder, files, *options):
    """The diagnostics that `kern check` gives."""
    if not files:
        return []
    done = subprocess.run(
        [kern, "check", "--diagnostics=json", *options, *files],
        cwd=folder, capture_output=True, text=True,
    )
    return [json.loads(line) for line in done.stderr.splitlines()]


def apply_fixes(text, diagnostics):
    """The text after the changes that diagnostics of it propose."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:i])) for i in range(len(lines) + 1)]
    changes = sorted(
        {(starts[fix["line"] - 1] + fix["column"] - 1,
          starts[fix["endLine"] - 1] + fix["endColumn"] - 1,
          fix["replacement"])
         for each in diagnostics for fix in each.get("fixes", [])},
        reverse=True)
    for begin, end, replacement in changes:
        text = text[:begin] + replacement + text[end:]
    return text


def wrong_fixes(kern, folder, names):
    """Examples whose proposed changes do not take away what they are for."""
    proposed = 0
    for name in names:
        text = (folder / name).read_text()
        before = records(kern, folder, [name])
        fixed = [each for each in before if each.get("fixes")]
        if not fixed:
            continue
        proposed += 1
        (folder / name).write_text(apply_fixes(text, before))
        left = {(each["code"], each["message"])
                for each in records(kern, folder, [name])}
        for each in fixed:
            if (each["code"], each["message"]) in left:
                yield f"{name}: its fix leaves `{each['message']}`"
    if proposed < 5:
        yield f"only {proposed} examples propose a change"


def run_console(kern, folder, text):
    """Everything that a block's `$` lines write."""
    output = ""
    for line in re.findall(r"^\$ (.*)$", text, re.M):
        path = os.pathsep.join([str(pathlib.Path(kern).parent), os.environ["PATH"]])
        done = subprocess.run(
            ["bash", "-c", line], cwd=folder, capture_output=True, text=True,
            env={**os.environ, "PATH": path}, errors="replace",
        )
        output += done.stdout + done.stderr
    return output


def main(kern):
    kern = str(pathlib.Path(kern).resolve())
    wrong = []
    codes = raised()
    pages = {p.stem: p.read_text() for p in PAGES.glob("K*.md")}
    wrong += [f"{code}: there is no page" for code in codes if code not in pages]
    wrong += [f"{code}: nothing raises it" for code in codes if not codes[code]]
    wrong += [f"{code}: there is no such code" for code in pages if code not in codes]

    with tempfile.TemporaryDirectory() as folder:
        expected = {"error": {}, "remark": {}, "good": {}}
        for code, text in sorted(pages.items()):
            if not text.startswith(f"# {code}: "):
                wrong.append(f"{code}: the page does not begin with its title")
            if code not in codes:
                continue
            shown = False
            for number, (language, info, body) in enumerate(BLOCK.findall(text)):
                name = f"{code}-{number}.kern"
                if language == "kern" and (info or "").startswith("file="):
                    (pathlib.Path(folder) / info[5:]).write_text(body)
                elif language == "kern":
                    (pathlib.Path(folder) / name).write_text(body)
                    expected[info or "good"][name] = code
                    shown |= info in ("error", "remark")
                elif language == "console":
                    shown = True
                    output = run_console(kern, folder, body)
                    if f"[{code}]" not in output:
                        wrong.append(f"{code}: its commands do not give it:\n{output}")
            if not shown and code not in WITHOUT_EXAMPLE:
                wrong.append(f"{code}: the page shows no example that gives it")
        for name, found in diagnostics(kern, folder, expected["error"]).items():
            if expected["error"][name] not in found:
                wrong.append(f"{name}: the wrong example gives {found}")
        remarks = diagnostics(kern, folder, expected["remark"], "--remarks")
        for name, found in remarks.items():
            if expected["remark"][name] not in found:
                wrong.append(f"{name}: the example gives {found}")
        for name, found in diagnostics(kern, folder, expected["good"]).items():
            if found:
                wrong.append(f"{name}: the corrected example gives {found}")
        wrong += wrong_fixes(kern, pathlib.Path(folder), expected["error"])
    print("\n".join(wrong))
    print(f"{len(pages)} pages, {len(wrong)} complaints")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
