"""The rules of docs/explanation/architecture.md's tree and of the house's style.

Each rule is one test over all the files of the repository that it speaks of;
what breaks it is listed as `file:line: what`.
"""

import re
import subprocess
import unittest

from repository import (CXX, ROOT, SOURCES, TEXT, RepositoryTest, files, matches,
                        place, read)

MAX_LINES = 400
# Fewer than MAX_SMALL files may have fewer lines than MIN_LINES.
MIN_LINES, MAX_SMALL = 30, 60
MAX_FOLDERS = 4
# Longer files that are one table, with what each row of it is.
TABLES = {
    "dialects/Kern/KernOps.td": "an operation of the dialect",
    "dialects/Loop/LoopOps.td": "an operation of the dialect",
    "tools/editors/tree-sitter-kern/grammar.js": "a rule of the grammar",
    "test/e2e/programs.py": "a program with its arguments",
    "test/lit/targets/functions.mlir": "a library function with its instructions",
}

TYPE = re.compile(
    r"(?:template <.*> )?(?:struct|class|union|enum(?: class)?) "
    r"(?:\[\[.*\]\] |alignas\(\w+\) )?(\w+)(?: final)?(?: :[^:].*)? \{"
)


def types(path):
    """(line, qualified name) of the types that a C++ file defines, but for
    those of an anonymous namespace and those inside of others."""
    namespaces = []
    for number, line in enumerate(read(path).splitlines(), 1):
        if match := re.match(r"(?:inline )?namespace ?([\w:]*) \{", line):
            namespaces.append(match[1])
        elif line.startswith("} // ") and "namespace" in line:
            namespaces.pop()
        elif match := TYPE.match(line):
            if "" not in namespaces:
                yield number, "::".join([*namespaces, match[1]])


class Tree(RepositoryTest):
    """Where things lie and what they are called."""

    def test_targets_have_the_same_file_names(self):
        targets = ROOT / "compiler" / "targets"
        names = {
            target.name: {p.name for p in target.iterdir() if p.is_file()}
            for target in targets.iterdir()
            if target.is_dir()
        }
        lists = read(targets / "CMakeLists.txt")
        self.assertEqual(
            set(names), set(re.search(r"KERN_TARGETS (.*)\)", lists)[1].split()))
        # NVIDIA's library comes as bitcode to be linked; the host's is linked
        # by the loader. Its sincos pays there alone, its sines and its
        # halves' logarithms, quotients and roots are shorter than its library's, what it approximates asks whether numbers are subnormal, it rounds two bf16 together, its library leaves it
        # open which products join sums, its quotients begin with an approximate reciprocal, its threads have several elements, which
        # take rare paths together and share reciprocals, and its translator takes
        # long for large files, which are therefore split (what it gets wrong
        # has a folder). Its architectures are a table, and much of LLVM's code
        # generation is for what no kernel has (Passes.cpp).
        names["nvptx"] -= {"Approximations.cpp", "Architectures.h",
                           "Contraction.cpp", "HalfQuotients.cpp", "HalfRoots.cpp",
                           "Libdevice.cpp",
                           "Logarithms.cpp", "Passes.cpp",
                           "Quotients.cpp", "RarePaths.cpp", "SharedDivisors.cpp",
                           "SinCos.cpp", "Sines.cpp",
                           "Split.h", "Split.cpp", "Widening.cpp"}
        # A CPU's lanes are vectors, with functions of their own, its rounding
        # to bf16 is not to be used, its stores have two ways to memory, LLVM's
        # vectoriser mistakes divisions and leaves floats that count or are
        # extremes and masks each vector, its masked loads may need no mask, some have no registers for masks, its minima are two instructions, its library's remainders are slow, and nobody
        # else links its code, here or by a linker.
        names["host"] -= {"BFloat.cpp", "Counters.cpp", "Divisions.cpp",
                          "Extremes.cpp", "Functions.h",
                          "Linker.h", "Linker.cpp", "Masks.cpp", "Object.cpp",
                          "Remainders.h", "Remainders.cpp",
                          "RunningExtremes.cpp", "SafeLoads.cpp",
                          "Streaming.cpp", "VectorCalls.cpp",
                          "VectorFunctions.h", "VectorFunctions.cpp",
                          "WholeVectors.cpp", "WrappedIndices.cpp"}
        self.assertEqual(names["nvptx"], names["host"])

    def test_folders_are_not_deep(self):
        self.assertNone(
            place(path)
            for path in files(TEXT)
            if len(path.relative_to(ROOT).parts) > MAX_FOLDERS + 1
        )

    def test_names_say_what_a_thing_is(self):
        vague = re.compile(r"util|helper|common|^misc|manager", re.I)
        self.assertNone(
            place(path)
            for path in files(TEXT)
            if any(vague.search(part) for part in path.relative_to(ROOT).parts)
        )

    def test_every_source_is_built(self):
        """Each .cpp of the libraries is named in a CMakeLists.txt of its top
        folder."""
        for folder in ("compiler", "dialects", "runtime", "tools", "python"):
            lists = (ROOT / folder).rglob("CMakeLists.txt")
            names = set(re.findall(r"[\w-]+\.cpp\b", "".join(map(read, lists))))
            with self.subTest(folder):
                self.assertNone(
                    place(path)
                    for path in files({".cpp"}, below=folder)
                    if path.name not in names
                )


class Text(RepositoryTest):
    """What is in a file."""

    def test_cxx_files_carry_the_licence(self):
        line = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
        self.assertNone(
            place(path)
            for path in files(CXX, {".td"})
            if line not in read(path)[:1000]
        )

    def test_a_type_has_a_name_of_its_own(self):
        """If two have one name, the linker may use one's templates for both."""
        places = {}
        for folder in ("compiler", "dialects", "runtime", "tools"):
            for path in files(CXX, below=folder):
                for line, name in types(path):
                    places.setdefault(name, []).append(f"{place(path)}:{line}")
        self.assertGreater(len(places), 200)
        self.assertNone(
            f"{name}: {', '.join(found)}"
            for name, found in places.items()
            if len(found) > 1
        )

    def test_headers_are_guarded(self):
        self.assertNone(
            place(path)
            for path in files({".h", ".hpp"})
            if not re.search(r"^#(pragma once|ifndef KERN_\w+_H)", read(path), re.M)
        )

    def test_a_file_is_one_thing(self):
        """A file of more lines is several things, or one of TABLES."""
        counts = {place(p): read(p).count("\n") for p in files(SOURCES, {".js", ".cu"})}
        long = {name for name, lines in counts.items() if lines > MAX_LINES}
        self.assertNone(
            f"{name}: {counts[name]} lines, more than {MAX_LINES}"
            for name in sorted(long - set(TABLES))
        )
        self.assertNone(
            f"{name}: is in TABLES, but has at most {MAX_LINES} lines"
            for name in sorted(set(TABLES) - long)
        )

    def test_few_files_are_small(self):
        """Things that belong together are in one file."""
        small = [
            f"{place(p)}: {lines} lines"
            for folder in ("compiler", "dialects", "runtime", "tools", "python")
            for p in files(CXX, {".td", ".def"}, below=folder)
            for lines in [read(p).count("\n")]
            if lines < MIN_LINES
        ]
        if len(small) >= MAX_SMALL:
            self.assertNone(small)

    def test_errors_of_the_runtime_are_rows(self):
        """Their texts are in runtime/error/Errors.def."""
        sources = (p for p in files({".cpp", ".h"}, below="runtime")
                   if "include" not in p.parts)
        self.assertNone(matches(r"\bError\s*[({]\s*KERN_ERROR_\w+", sources))

    def test_no_tabs(self):
        # Inputs of tests may hold tabs: they are an error in Kern.
        paths = [p for p in files(SOURCES) if p.suffix != ".kern"]
        self.assertNone(matches(r"^.*\t.*$", paths))

    def test_no_trailing_blanks(self):
        self.assertNone(matches(r"^.*[ \t]+$", files(CXX, {".td", ".py", ".sh"})))

    def test_no_paths_of_one_machine(self):
        # The pattern is put together so that it does not match itself.
        folders = "|".join(("work", "root", "home", "Users"))
        self.assertNone(
            matches(rf"(?<![\w.$}}/-])/({folders})/[\w.]*", files(TEXT))
        )

    def test_cxx_files_are_in_clang_formats_form(self):
        check = subprocess.run(
            [ROOT / "dev", "format", "--check"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if check.returncode:
            found = re.findall(r"^(\S+?:\d+):\d+: error: ", check.stdout, re.M)
            where = "\n".join(found) or check.stdout
            self.fail(f"{where}\n`./dev format` puts them right")

    def test_documents_that_files_name_are_there(self):
        """`docs/explanation/kernel-abi.md` in a comment, as well as in a message."""
        named = re.compile(r"(?<![\w/])docs/[a-z/-]+\.md\b")
        self.assertNone(
            f"{place(path, text, match.start())}: {match[0]}"
            for path in files(TEXT)
            for text in [read(path)]
            for match in named.finditer(text)
            if not (ROOT / match[0]).exists()
        )

    def test_files_that_comments_name_are_there(self):
        """`runtime/plan/Schedule.h` in a comment of C++ code."""
        named = re.compile(r"//.*?(?<![\w/])((?:compiler|dialects|runtime|tools|test|python)"
                           r"/[\w/-]+\.(?:h|hpp|cpp|def|td|py))\b(?!\.)")
        self.assertNone(
            f"{place(path, text, match.start())}: {match[1]}"
            for path in files(CXX, {".td", ".def"})
            for text in [read(path)]
            for match in named.finditer(text)
            if not (ROOT / match[1]).exists()
        )

    def test_decisions_are_named_by_page_and_section(self):
        """Their numbers are those of commits alone; the index has a table."""
        self.assertNone(matches(r"(?i)\bdecisions? \d+", files(TEXT)))

    def test_nothing_is_left_for_later(self):
        marks = "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3))
        self.assertNone(matches(rf"^.*\b({marks})\b.*$", files(SOURCES)))


if __name__ == "__main__":
    unittest.main()
