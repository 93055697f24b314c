#!/usr/bin/env python3
"""Builds the Python wheels of a release build.

usage: wheels.py --build DIR --out DIR [--python PATH]...

kern-lang-core holds what the release installs: library, tool, headers, library
functions and examples. kern-lang is the extension, one wheel for each Python
given (by default the one that runs this script). Each Python needs its headers,
and gets a virtual environment with the build tools in DIR/environments.

A wheel's platform tag names the newest glibc that one of its files requires.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD_REQUIREMENTS = ROOT / "tools" / "scripts" / "requirements-wheels.txt"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument(
        "--python", type=pathlib.Path, action="append", help="can be repeated"
    )
    arguments = parser.parse_args()
    arguments.python = arguments.python or [pathlib.Path(sys.executable)]
    return arguments


def run(*command: object) -> str:
    """A command's output. If it fails, prints the output and exits."""
    done = subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nwheels.py: failed: {' '.join(map(str, command))}")
    return done.stdout


def version() -> str:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(Kern VERSION ([\d.]+)", text).group(1)


def stage_project(source: pathlib.Path, stage: pathlib.Path) -> None:
    """Copies a project and writes the version into the copy."""
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(
        source,
        stage,
        ignore=shutil.ignore_patterns("*.so", "__pycache__", "core", "tests"),
    )
    for path in (*stage.glob("*.toml"), *stage.glob("*/__init__.py")):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("@KERN_VERSION@", version()), encoding="utf-8")


def real_library(folder: pathlib.Path, name: str) -> None:
    """Replaces a library's symbolic links, which wheels cannot hold: the library
    gets its SONAME as its name, and a linker script serves `-lkern`."""
    whole = (folder / name).resolve()
    soname = re.search(
        r"Library soname: \[(.+?)\]", run("readelf", "-d", whole)
    ).group(1)
    for link in folder.glob(f"{name}*"):
        if link.is_symlink():
            link.unlink()
    whole.rename(folder / soname)
    (folder / name).write_text(f"INPUT({soname})\n", encoding="utf-8")


def stage_core(build: pathlib.Path, stage: pathlib.Path) -> pathlib.Path:
    """Stages kern-lang-core with the release's files. Returns their folder."""
    stage_project(ROOT / "python" / "core", stage)
    root = stage / "kern_lang_core"
    run("cmake", "--install", build, "--prefix", root)
    shutil.rmtree(root / "share" / "kern" / "test", ignore_errors=True)
    for name in ("libkern.so", "libkern_runtime.so"):
        real_library(root / "lib", name)
    return root


def platform_tag(files: list[pathlib.Path]) -> str:
    """manylinux_2_N, where GLIBC_2.N is the newest version the files import."""
    newest = 0
    for path in files:
        asked = run("readelf", "--version-info", "--wide", path)
        newest = max(newest, *map(int, re.findall(r"GLIBC_2\.(\d+)", asked)))
        if "GLIBC_ABI_DT_RELR" in asked:  # packed relocations
            newest = max(newest, 36)
    return f"manylinux_2_{newest}_x86_64"


def environment(python: pathlib.Path, out: pathlib.Path) -> pathlib.Path:
    """A virtual environment with the build tools; returns its Python. It is kept
    until the list of tools changes."""
    name = run(python, "-c", "import sys; print(sys.implementation.cache_tag)").strip()
    free = run(
        python, "-c", "import sys; print(getattr(sys, 'abiflags', ''))"
    ).strip()
    folder = out / "environments" / (name + free)
    installed = folder / "installed.txt"
    wanted = BUILD_REQUIREMENTS.read_text(encoding="utf-8")
    made = folder / "bin" / "python"
    if not installed.is_file() or installed.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        run(python, "-m", "venv", folder)
        run(made, "-m", "pip", "install", "-q", "-r", BUILD_REQUIREMENTS)
        installed.write_text(wanted, encoding="utf-8")
    return made


def make_wheel(python: pathlib.Path, project: pathlib.Path, *options: str) -> pathlib.Path:
    """Builds a project's wheel in the project's folder. It has no tags yet."""
    out = project / "dist"
    shutil.rmtree(out, ignore_errors=True)
    run(python, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation",
        "--no-cache-dir", "-w", out, *options, project)  # fmt: skip
    (wheel,) = out.glob("*.whl")
    return wheel


def tag(python: pathlib.Path, wheel: pathlib.Path, out: pathlib.Path, *options: str) -> None:
    """Adds a wheel's tags and moves it to `out`, in place of older ones for the same
    Python: pip would take one for a later platform rather than the new one."""
    named = run(python, "-m", "wheel", "tags", "--remove", *options, wheel)
    final = wheel.parent / named.strip().splitlines()[-1]
    name, _, of_python, abi, _ = final.stem.split("-")
    for old in out.glob(f"{name}-*-{of_python}-{abi}-*.whl"):
        old.unlink()
    size = final.stat().st_size / 1e6
    shutil.move(final, out / final.name)
    print(f"    {out / final.name}: {size:.1f} MB", flush=True)


def elf_files(folder: pathlib.Path) -> list[pathlib.Path]:
    found = []
    for path in folder.rglob("*"):
        if path.is_file() and path.open("rb").read(4) == b"\x7fELF":
            found.append(path)
    return found


def main() -> None:
    arguments = parse_arguments()
    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    first = environment(arguments.python[0], out)
    root = stage_core(arguments.build.resolve(), out / "stage" / "core")
    platform = platform_tag(elf_files(root))
    tag(first, make_wheel(first, root.parent), out,
        "--python-tag", "py3", "--abi-tag", "none", "--platform-tag", platform)  # fmt: skip
    for python in arguments.python:
        made = environment(python, out)
        project = out / "stage" / "extension"
        stage_project(ROOT / "python", project)
        wheel = make_wheel(
            made, project,
            f"-Ccmake.define.Kern_DIR={root / 'lib' / 'cmake' / 'Kern'}",
            "-Ccmake.define.CMAKE_CXX_COMPILER=clang++-22",
        )  # fmt: skip
        unpacked = project / "unpacked"
        shutil.unpack_archive(wheel, unpacked, "zip")
        tag(made, wheel, out, "--platform-tag", platform_tag(elf_files(unpacked)))


if __name__ == "__main__":
    main()
