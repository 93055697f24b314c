"""Prints JSON diagnostics, one a line: severity, code, place, message. Reports those
that violate docs/reference/diagnostics.md as malformed."""

import json
import os
import sys

PLACE = {"file", "line", "column", "endLine", "endColumn"}
FIELDS = {"severity", "code", "message", "notes", "help"} | PLACE


def place(entry):
    if not PLACE & set(entry):
        return "no place"
    if not PLACE <= set(entry):
        return "malformed place"
    name = os.path.basename(entry["file"])
    return "{}:{line}:{column}-{endLine}:{endColumn}".format(name, **entry)


for line in open(sys.argv[1], encoding="utf-8"):
    try:
        entry = json.loads(line)
    except ValueError:
        print("malformed:", line)
        continue
    if set(entry) - FIELDS or not {"severity", "code", "message", "notes"} <= set(entry):
        print("malformed:", sorted(entry))
    print(entry["severity"], entry["code"], place(entry), entry["message"])
    for note in entry["notes"]:
        print("  note", place(note), note["message"])
