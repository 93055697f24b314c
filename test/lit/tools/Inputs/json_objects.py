"""json_objects.py KERN functions.kern FOLDER: what --json prints has the fields and
the types that docs/reference/cli.md lists, and nothing else."""

import json
import os
import pathlib
import re
import subprocess
import sys

KERN, SOURCE, FOLDER = sys.argv[1:]
PAGE = pathlib.Path(__file__).resolve().parents[4] / "docs" / "reference" / "cli.md"
TYPES = {"text": str, "number": int, "bool": bool, "list": list, "object": dict}


def run(*words, **environment):
    done = subprocess.run([KERN, *words], capture_output=True, text=True, check=True,
                          env=os.environ | environment)
    return json.loads(done.stdout)


def fields(title):
    """{field: (type, whether always)} of the table below a line of the page."""
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index(f"\n{title}\n"):].split("\n\n")[1]
    found = {}
    for names, kind, when in re.findall(r"^\| (`.+?`) \| (\w+)(,.*?)? \|", table, re.M):
        for name in re.findall(r"`(\w+)`", names):
            found[name] = (TYPES[kind], not when)
    assert found, title
    return found


def check(title, value):
    wanted = fields(title)
    assert set(value) <= set(wanted), (title, set(value) - set(wanted))
    for name, (kind, always) in wanted.items():
        assert name in value or not always, (title, name)
        if name in value:
            assert type(value[name]) is kind, (title, name, value[name])


devices = run("devices", "--json")
check("`kern devices --json`", devices)
for device in devices["devices"]:
    check("A device:", device)
assert [d["name"] for d in devices["devices"]][-1] == "cpu"
assert sum(d["default"] for d in devices["devices"]) == 1

for words in (["info", "--json"], ["info", "--json", "--kernels", "--target", "sm_90"]):
    info = run(*words, SOURCE)
    check("`kern info --json`", info)
    for function in info["functions"]:
        check("A function:", function)
        for operand in function["parameters"] + function["results"]:
            check("A parameter or a result:", operand)
        for loop in function["loops"]:
            check("A loop:", loop)
            for kernel in loop.get("kernels", []):
                check("A kernel:", kernel)
    matmul = {f["name"]: f for f in info["functions"]}["matmul"]
    assert matmul["signature"] == "(m,k),(k,n)->(m,n)"
    assert [p["core"] for p in matmul["parameters"]] == [["m", "k"], ["k", "n"]]
    assert [loop["letters"] for loop in matmul["loops"]] == ["ff->f", "dd->d"]
    assert ("target" in info) == ("--kernels" in words)

statistics = run("cache", "--json")
check("`kern cache stats --json`", statistics)
for kind in statistics["kinds"]:
    check("A kind:", kind)
listed = run("cache", "list", "--json")
assert set(listed) == {"entries"}
for entry in listed["entries"]:
    check("An entry:", entry)
    assert pathlib.Path(entry["path"]).stat().st_size == entry["bytes"]
assert sum(k["entries"] for k in statistics["kinds"]) == len(listed["entries"]) > 0
assert run("cache", "path", "--json")["folder"] == os.environ["KERN_CACHE_DIR"]
assert run("cache", "--json", KERN_CACHE="0")["on"] is False
assert run("cache", "clear", "--json") == {"removed": len(listed["entries"]), "left": 0}
print("all as documented")
