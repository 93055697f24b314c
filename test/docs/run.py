#!/usr/bin/env python3
"""Runs the snippets of README.md and docs/, and checks the output that they show.

usage: run.py --build DIR | --installed DIR [--summary FILE] [DOCUMENT.md]...

Each document has a scratch folder of its own, in which its fenced blocks are
taken in order. What follows the language on the fence's line says more:

  kern [file=F]     written to F; `kern check` must accept it
  kern error=TEXT   `kern check` must refuse it and say TEXT (blanks as `_`)
  cpp [file=F]      written to F; must compile (C++20, all warnings)
  cpp cuda [file=F] the same, with CUDA's cuda.h
  c [file=F]        the same in C
  python [file=F]   written to F and run, with NumPy
  console           lines beginning with `$ ` are run; the lines below one are
                    its output, in which a line of `...` matches any lines and
                    `…` any text. Without output, only success counts; an error
                    of the tool means exit status 1.

`kern` is in the PATH, and `$KERN` is the folder with bin, include and lib of an
installed Kern, or of a build laid out as it would be installed. Commands get no
other help to find headers and libraries. Blocks of other languages are ignored.
Commands that set up or build (`./dev …`) belong in blocks of language `sh`.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANGUAGES = {"kern", "cpp", "c", "python", "console"}
FENCE = re.compile(r"^```(\S+)?[ \t]*([^\n]*)\n(.*?)^```[ \t]*$", re.M | re.S)
TIME_LIMIT = 300


class Wrong(Exception):
    """A snippet whose output or result is wrong."""


class Document:
    """One document's scratch folder and what its commands see."""

    def __init__(self, prefix, folder, cuda_include):
        self.folder = folder
        self.kern = prefix / "bin" / "kern"
        self.include = prefix / "include"
        self.cuda_include = cuda_include
        self.count = 0
        self.environment = dict(
            os.environ,
            PATH=os.pathsep.join(
                [
                    str(prefix / "bin"),
                    str(pathlib.Path(sys.executable).parent),
                    os.environ["PATH"],
                ]
            ),
            KERN=str(prefix),
            KERN_CACHE_DIR=str(folder / ".cache"),
        )

    def run(self, command):
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIME_LIMIT,
        )

    def succeed(self, command):
        done = self.run(command)
        if done.returncode != 0:
            shown = " ".join(map(str, command))
            raise Wrong(f"status {done.returncode}: {shown}\n{done.stdout}")
        return done.stdout

    def write(self, options, suffix, text):
        self.count += 1
        name = options.get("file", f"snippet{self.count}{suffix}")
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def try_kern(self, options, text):
        name = self.write(options, ".kern", text)
        if "error" not in options:
            self.succeed([self.kern, "check", name])
            return
        done = self.run([self.kern, "check", name])
        wanted = options["error"].replace("_", " ")
        if done.returncode != 1 or wanted not in done.stdout:
            raise Wrong(
                f"expected status 1 and '{wanted}', got status "
                f"{done.returncode}:\n{done.stdout}"
            )

    def try_cpp(self, options, text):
        name = self.write(options, ".cpp", text)
        flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
        if "cuda" in options:
            flags.append(f"-isystem{self.cuda_include}")
        self.succeed(["clang++-22", *flags, f"-I{self.include}", name])

    def try_c(self, options, text):
        name = self.write(options, ".c", text)
        flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
        self.succeed(["clang-22", *flags, f"-I{self.include}", name])

    def try_python(self, options, text):
        self.succeed([sys.executable, self.write(options, ".py", text)])

    def try_console(self, options, text):
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            lines = part.splitlines()
            command = lines.pop(0)
            while command.endswith("\\") and lines:
                command = command[:-1] + lines.pop(0)
            expected = "\n".join(lines).strip("\n")
            if re.search(r"error\[K|^kern: error:", expected, re.M):  # a refusal
                done = self.run(["bash", "-ec", command])
                printed = done.stdout
                if done.returncode != 1:
                    raise Wrong(f"$ {command}\nstatus {done.returncode}")
            else:
                printed = self.succeed(["bash", "-ec", command])
            if expected and not matches(expected, printed):
                raise Wrong(
                    f"$ {command}\nprinted:\n{printed}\nexpected:\n{expected}"
                )


def matches(expected, printed):
    """Whether output matches a console block, ignoring blanks at line ends."""
    pattern = ""
    for line in expected.splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            parts = map(re.escape, line.rstrip().split("…"))
            pattern += ".*".join(parts) + r"[ \t]*\n"
    return re.fullmatch(pattern, printed.strip("\n") + "\n") is not None


def parse_options(text):
    return dict(word.partition("=")[::2] for word in text.split())


def as_installed(build, folder):
    """A folder of links with the layout of an installed Kern."""
    (folder / "include").mkdir()
    (folder / "include" / "kern").symlink_to(ROOT / "runtime" / "include" / "kern")
    (folder / "bin").symlink_to(build / "bin")
    (folder / "lib").symlink_to(build / "lib")
    return folder


def cuda_include(build):
    """The folder of cuda.h that a build found; of an installed Kern none."""
    cache = build / "CMakeCache.txt"
    text = cache.read_text(encoding="utf-8") if cache.is_file() else ""
    found = re.search(r"^KERN_CUDA_INCLUDE:PATH=(.+)$", text, re.M)
    return found[1] if found else ""


def run_document(path, prefix, cuda, summary):
    text = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        document = Document(prefix, pathlib.Path(folder), cuda)
        for match in FENCE.finditer(text):
            language, options = match[1], parse_options(match[2])
            if language not in LANGUAGES:
                continue
            line = text.count("\n", 0, match.start()) + 1
            name = f"{os.path.relpath(path, ROOT)}:{line}"
            try:
                getattr(document, f"try_{language}")(options, match[3])
                summary["passed"] += 1
                print(f"ok {name} ({language})")
            except (Wrong, OSError, subprocess.TimeoutExpired) as error:
                summary["failed"] += 1
                summary["failures"].append(name)
                print(f"FAILED {name} ({language}): {error}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kern = parser.add_mutually_exclusive_group(required=True)
    kern.add_argument("--build", type=pathlib.Path)
    kern.add_argument("--installed", type=pathlib.Path)
    parser.add_argument("--summary", type=pathlib.Path)
    parser.add_argument("documents", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    documents = [path.resolve() for path in arguments.documents]
    documents = documents or [
        ROOT / "README.md",
        # The pages of errors have kinds of their own: error_pages.py.
        *(
            path
            for path in sorted(ROOT.glob("docs/**/*.md"))
            if path.parent.name != "errors"
        ),
    ]

    summary = {"passed": 0, "failed": 0, "skipped": 0}
    summary |= {"skip_reasons": {}, "failures": []}
    with tempfile.TemporaryDirectory() as folder:
        cuda = ""
        if arguments.build:
            cuda = cuda_include(arguments.build.resolve())
            prefix = as_installed(arguments.build.resolve(), pathlib.Path(folder))
        else:
            prefix = arguments.installed.resolve()
        for path in documents:
            if path.is_file():
                run_document(path, prefix, cuda, summary)
            else:
                summary["failed"] += 1
                summary["failures"].append(f"{path.name} is missing")
    if arguments.summary:
        arguments.summary.write_text(json.dumps(summary), encoding="utf-8")
    print(
        f"{summary['passed']} passed, {summary['failed']} failed, "
        f"{summary['skipped']} skipped"
    )
    return 1 if summary["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
