"""The package's stubs: against the package itself, and as mypy and pyright use them."""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import kern
import pytest

HERE = pathlib.Path(__file__).parent / "typing"
PACKAGE = pathlib.Path(kern.__file__).parent


def run(tool, *arguments):
    pytest.importorskip(tool.partition(".")[0])
    # pyright looks for packages where the first `python` of the path has them.
    path = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [sys.executable, "-m", tool, *map(str, arguments)],
        cwd=HERE,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )


def mypy(tmp_path, *files):
    return run("mypy", "--config-file", "mypy.ini", "--cache-dir", tmp_path, *files)


def pyright(*files):
    done = run("pyright", "--outputjson", "--pythonpath", sys.executable, *files)
    return json.loads(done.stdout)


def misused():
    text = (HERE / "misuses.py").read_text(encoding="utf-8")
    lines = [i for i, one in enumerate(text.splitlines(), 1) if one.endswith("# wrong")]
    assert len(lines) > 20
    return lines


def test_stubs_say_what_the_package_has():
    done = run("mypy.stubtest", "--mypy-config-file", "stubtest.ini", "--allowlist",
               "stubtest.txt", "--ignore-unused-allowlist", "kern")  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_attribute_is_in_a_stub():
    """stubtest asks only for what a module's `__all__` has."""
    for owner, file in ((kern.Function, "_function"), (kern.DeviceArray, "__init__")):
        text = (PACKAGE / f"{file}.pyi").read_text(encoding="utf-8")
        declared = set(re.findall(r"^    def (\w+)", text, re.M))
        public = {name for name in vars(owner) if not name.startswith("_")}
        assert public and public <= declared, public - declared
    assert (PACKAGE / "py.typed").is_file()


def test_stubs_to_mypy(tmp_path):
    # Where the package is installed, mypy would take its neighbours for ours.
    for file in PACKAGE.glob("*.pyi"):
        (tmp_path / "kern").mkdir(exist_ok=True)
        shutil.copy(file, tmp_path / "kern")
    done = mypy(tmp_path / "cache", *(tmp_path / "kern").glob("*.pyi"))
    assert done.returncode == 0, done.stdout + done.stderr


def test_uses_to_mypy(tmp_path):
    done = mypy(tmp_path, "uses.py")
    assert done.returncode == 0, done.stdout + done.stderr


def test_misuses_to_mypy(tmp_path):
    done = mypy(tmp_path, "misuses.py")
    found = re.findall(r"^misuses\.py:(\d+): error", done.stdout, re.M)
    assert sorted({int(one) for one in found}) == misused(), done.stdout


def test_stubs_and_uses_to_pyright():
    report = pyright("uses.py", *PACKAGE.glob("*.pyi"))
    wrong = [one for one in report["generalDiagnostics"] if one["severity"] == "error"]
    assert report["summary"]["filesAnalyzed"] > 10 and not wrong, wrong


def test_misuses_to_pyright():
    report = pyright("misuses.py")
    found = collections.Counter(
        one["range"]["start"]["line"] + 1
        for one in report["generalDiagnostics"]
        if one["severity"] == "error"
    )
    assert sorted(found) == misused(), report


def test_no_type_is_missing():
    done = run("pyright", "--verifytypes", "kern", "--ignoreexternal", "--outputjson")
    report = json.loads(done.stdout)["typeCompleteness"]
    unknown = [one["name"] for one in report["symbols"]
               if one["isExported"] and not one["isTypeKnown"]]  # fmt: skip
    assert len(report["symbols"]) > 100 and not unknown, unknown
