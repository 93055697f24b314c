#!/usr/bin/env python3
"""Runs the Python package's tests from its wheels, in a clean virtual environment of
each Python.

usage: test_wheels.py --wheels DIR --out DIR [--python PATH]... [PYTEST ARGUMENT]...

Each environment is made anew in DIR/cpython-VERSION, with the wheels of --wheels and
with what requirements-python.txt lists and PyPI has as wheels for this Python; what it
has not is named, and its tests are skipped. By default the Python is the one that runs
this script. A free-threaded Python runs without its lock.

One line for each Python, then `N passed, N failed, N skipped`. Exit status 1 if a test
failed or an environment could not be made.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
REQUIREMENTS = ROOT / "tools" / "scripts" / "requirements-python.txt"
ABOUT = """
import json, sys, sysconfig
free = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
print(json.dumps([sys.implementation.cache_tag + "t" * free, sys.version.split()[0], free]))
"""


# Each file in one of several processes.
EVERYTHING = ["--numprocesses=auto", "--dist=loadfile", ROOT / "python" / "tests"]


def parse_arguments() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheels", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument(
        "--python", type=pathlib.Path, action="append", help="can be repeated"
    )
    arguments, rest = parser.parse_known_args()
    arguments.python = arguments.python or [pathlib.Path(sys.executable)]
    return arguments, rest


def run(*command: object) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def checked(*command: object) -> None:
    done = run(*command)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}:\n{done.stdout}")


def requirements() -> list[str]:
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and line[0] != "#"]


def environment(python: pathlib.Path, folder: pathlib.Path, wheels: pathlib.Path) -> list[str]:
    """Makes the environment. Returns the requirements that it lacks."""
    shutil.rmtree(folder, ignore_errors=True)
    checked(python, "-m", "venv", folder)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "-q",
           "--disable-pip-version-check"]  # fmt: skip
    lacking = []
    wanted = requirements()
    if run(*pip, "--only-binary=:all:", *wanted).returncode:
        for one in wanted:  # some have no wheel for this Python
            if run(*pip, "--only-binary=:all:", one).returncode:
                lacking.append(one)
    checked(*pip, "--no-deps", "--no-index", "--find-links", wheels,
            "kern-lang", "kern-lang-core")  # fmt: skip
    return lacking


def tested(python: pathlib.Path, arguments: argparse.Namespace, rest: list[str]) -> dict:
    """Makes an environment, runs the tests there, and prints how that went."""
    tag, version, is_free = json.loads(run(python, "-c", ABOUT).stdout)
    folder = arguments.out / tag
    report, log = folder.with_suffix(".xml"), folder.with_suffix(".log")
    report.unlink(missing_ok=True)
    counts = {"passed": 0, "failed": 1, "skipped": 0}
    lacking = environment(python, folder, arguments.wheels)
    variables = dict(os.environ, PYTHON_GIL="0") if is_free else dict(os.environ)
    with log.open("w") as output:
        subprocess.run(
            [folder / "bin" / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider",
             f"--junitxml={report}", *(rest or EVERYTHING)],
            stdout=output, stderr=subprocess.STDOUT, cwd=ROOT, env=variables,
        )  # fmt: skip
    try:
        suite = ElementTree.parse(report).find("testsuite")
        wrong = int(suite.get("failures")) + int(suite.get("errors"))
        skipped = int(suite.get("skipped"))
        passed = int(suite.get("tests")) - wrong - skipped
        counts = {"passed": passed, "failed": wrong, "skipped": skipped}
    except (OSError, ElementTree.ParseError):
        print(f"    it ended before its report was written: {log}")
    kind = ", free-threaded" if is_free else ""
    without = f"; without {', '.join(lacking)}" if lacking else ""
    print(f"{tag} ({version}{kind}): {told(counts)}{without}", flush=True)
    return counts


def told(counts: dict) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def main() -> int:
    arguments, rest = parse_arguments()
    arguments.out = arguments.out.resolve()
    arguments.out.mkdir(parents=True, exist_ok=True)
    total = {"passed": 0, "failed": 0, "skipped": 0}
    for python in arguments.python:
        try:
            counts = tested(python, arguments, rest)
        except (RuntimeError, OSError, ValueError) as error:
            print(f"{python}: {error}")
            counts = {"failed": 1}
        for name, count in counts.items():
            total[name] += count
    print(told(total))
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
