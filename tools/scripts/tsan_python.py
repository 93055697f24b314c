#!/usr/bin/env python3
"""Runs tests of the Python package's threads under ThreadSanitizer.

usage: tsan_python.py --python PATH [--build DIR] [--out DIR] [PYTEST ARGUMENT]...

PATH is a free-threaded Python 3.13 or later, which runs without its lock. The extension
is built by GCC with -fsanitize=thread; libkern is that of the release build in DIR,
which `./dev wheel` has staged, and Python and NumPy are as they are. By default the
tests whose names speak of threads run.

ThreadSanitizer does not see what orders threads inside Python: it reports the making of
an object in one thread beside its use in another, to which a dict led. So reports are
sorted: `ours` have our code on top of both stacks, and neither makes or ends an object;
only these, and failed tests, are failures. All are in DIR/reports. libkern's own threads
are the matter of `./dev test --sanitize=thread`.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

import wheels

TESTS = ["test_objects", "test_prepared", "test_on", "test_known_calls", "test_trace"]
ACCESS = re.compile(r"^  (?:Previous )?(?:[Aa]tomic )?(?:[Rr]ead|[Ww]rite) of size", re.M)
# Frames on top that only hand a use of memory on.
HANDS_ON = re.compile(r"memcpy|memset|memmove|strlen|std::|__atomic")
MAKES_OR_ENDS = re.compile(r"malloc|calloc|free|operator (new|delete)|dealloc|alloc|tp_new"
                           r"|kern::python::make[A-Z]")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=wheels.ROOT / "build/release")
    parser.add_argument("--out", type=pathlib.Path, default=wheels.ROOT / "build/tsan-python")
    return parser.parse_known_args()


def build(python, core, out):
    """The package with an instrumented extension, in out/site."""
    project, site = out / "project", out / "site"
    wheels.stage_project(wheels.ROOT / "python", project)
    wheels.run(
        "cmake", "-S", project, "-B", project / "build", "-G", "Ninja",
        f"-DKern_DIR={core / 'lib' / 'cmake' / 'Kern'}", "-DCMAKE_CXX_COMPILER=g++",
        "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-O1 -g1 -fsanitize=thread -DNDEBUG",
        "-DCMAKE_MODULE_LINKER_FLAGS=-shared-libgcc", f"-DPython_EXECUTABLE={python}",
    )  # fmt: skip
    wheels.run("cmake", "--build", project / "build")
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(project / "kern", site / "kern")
    (extension,) = (project / "build").glob("_kern*.so")
    shutil.copy(extension, site / "kern")
    (site / "kern_lang_core").symlink_to(core)
    return site


def ends_an_object(report):
    """By a destructor, which reference counts order."""
    accesses = (one.split("\n\n")[0] for one in ACCESS.split(report)[1:3])
    return any(re.search(r"_dealloc |#\d+ ~|::~", one) for one in accesses)


def tops(report):
    """The function and file of each access's first frame that does not only hand on."""
    found = []
    for access in ACCESS.split(report)[1:3]:
        frames = re.findall(r"^    #\d+ (.+)$", access.split("\n\n")[0], re.M)
        frames = [one for one in frames if not HANDS_ON.match(one)] or ["?"]
        found.append(frames[0])
    return found


def is_ours(report):
    return "data race" in report and not ends_an_object(report) and all(
        re.search(r"/src/\w+\.(cpp|h):", one) and not MAKES_OR_ENDS.match(one)
        for one in tops(report)
    )


def main():
    arguments, rest = parse_arguments()
    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    python = wheels.environment(arguments.python, out)
    pinned = (wheels.ROOT / "tools/scripts/requirements-python.txt").read_text().split()
    wheels.run(python, "-m", "pip", "install", "-q",
               *(one for one in pinned if one.startswith(("pytest==", "numpy=="))))  # fmt: skip
    core = wheels.stage_core(arguments.build.resolve(), out / "core")
    site = build(python, core, out)
    for old in out.glob("reports*"):
        old.unlink()
    tests = [str(wheels.ROOT / "python/tests" / f"{one}.py") for one in TESTS]
    environment = dict(
        os.environ,
        PYTHONPATH=str(site),
        PYTHON_GIL="0",
        LD_PRELOAD=wheels.run("g++", "-print-file-name=libtsan.so").strip(),
        TSAN_OPTIONS=f"log_path={out / 'reports'}:exitcode=0:report_signal_unsafe=0",
    )
    done = subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:run-parallel",
         *(rest or [*tests, "-k", "thread and not subprocess"])],
        env=environment,
    )  # fmt: skip
    text = "".join(one.read_text() for one in out.glob("reports*"))
    reports = text.split("WARNING: ThreadSanitizer: ")[1:]
    ours = [one for one in reports if is_ours(one)]
    for one in ours:
        print(one)
    print(f"{len(reports)} reports, {len(ours)} ours: {out}/reports*")
    return 1 if done.returncode or ours else 0


if __name__ == "__main__":
    sys.exit(main())
