"""kern.hpp compiles without a warning with every supported compiler and standard. It
refuses code that would leave dangling references or write to const data, with a short
message.

Accepted snippets are compiled by all compilers, refused ones by one of each kind.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import tempfile
import unittest

import snippets

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = [
    "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion",
    "-Wshadow", "-Wold-style-cast", "-Werror", "-O2", "-fdiagnostics-color=never",
    f"-I{ROOT / 'runtime' / 'include'}",
]  # fmt: skip
# One message, the files that include it, and who asked.
MOST_LINES = 24
HEADER = """\
#include <kern/kern.hpp>
#include <deque>
#include <list>
using Floats = std::vector<float>;
void use(auto &&...) {}
void snippet(kern::Module &module, kern::Function &f, kern::Array &a,
             const kern::Array &readOnly, Floats &x, const Floats &fixed);
"""
BODY = """\
void snippet([[maybe_unused]] kern::Module &module,
             [[maybe_unused]] kern::Function &f, [[maybe_unused]] kern::Array &a,
             [[maybe_unused]] const kern::Array &readOnly,
             [[maybe_unused]] Floats &x, [[maybe_unused]] const Floats &fixed) {
%s
}
"""


class Compiler:
    """One compiler with one standard, and the header as it precompiles it."""

    def __init__(self, program, standard, folder):
        self.name = f"{program} -std={standard}"
        self.command = [program, f"-std={standard}", *FLAGS]
        self.isClang = program.startswith("clang")
        self.header = folder / self.name.replace(" ", "") / "header.hpp"

    def compile(self, *arguments, text=None):
        return subprocess.run(
            [*self.command, *map(str, arguments)],
            input=text, capture_output=True, text=True, timeout=120,
        )  # fmt: skip

    def precompile(self):
        self.header.parent.mkdir()
        self.header.write_text(HEADER)
        output = f"{self.header}.{'pch' if self.isClang else 'gch'}"
        return self.compile("-x", "c++-header", self.header, "-o", output)

    def snippet(self, body, how=("-fsyntax-only",)):
        """What the compiler says of it; "" if it accepts it."""
        given = ["-include", self.header, *how, "-x", "c++", "-"]
        done = self.compile(*given, text=BODY % body)
        return done.stderr if done.returncode else ""


def setUpModule():
    global FOLDER, COMPILERS, ONE_OF_EACH, POOL
    FOLDER = tempfile.TemporaryDirectory()
    COMPILERS = [
        Compiler(program, standard, pathlib.Path(FOLDER.name))
        for program in ("clang++-22", "g++")
        for standard in ("c++20", "c++23")
    ]
    ONE_OF_EACH = [COMPILERS[0], COMPILERS[-1]]
    POOL = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    for compiler, done in zip(
        COMPILERS, POOL.map(Compiler.precompile, COMPILERS)
    ):
        if done.returncode or done.stderr:
            raise AssertionError(f"{compiler.name}: {done.stderr}")


def tearDownModule():
    POOL.shutdown()
    FOLDER.cleanup()


class Header(unittest.TestCase):
    def each(self, bodies, check, compilers):
        """Checks what each compiler says of each snippet."""
        jobs = [
            (name, compiler.name, POOL.submit(compiler.snippet, body))
            for compiler in compilers
            for name, body in bodies.items()
        ]
        for name, compiler, said in jobs:
            with self.subTest(name, compiler=compiler):
                check(name, said.result())

    def refused(self, said):
        self.assertNotEqual(said, "", "was accepted")

    def test_accepts(self):
        """All in one file and optimised, where compilers see the most; if that
        is refused, one by one as well."""
        whole = "\n".join(f"{{{body}}}" for body in snippets.ACCEPTED.values())
        code = ("-c", "-o", os.devnull)
        said = [POOL.submit(c.snippet, whole, code) for c in COMPILERS]
        wrong = [c for c, text in zip(COMPILERS, said) if text.result()]
        self.each(
            snippets.ACCEPTED, lambda _, text: self.assertEqual(text, ""), wrong
        )
        self.assertEqual(wrong, [])

    def test_refuses_in_one_message(self):
        def check(name, said):
            self.refused(said)
            self.assertIn(snippets.REFUSED[name][0], said)
            self.assertEqual(said.count("error: static assertion"), 1, said)
            self.assertLessEqual(len(said.splitlines()), MOST_LINES, said)

        bodies = {name: body for name, (_, body) in snippets.REFUSED.items()}
        self.each(bodies, check, ONE_OF_EACH)

    def test_deletes_what_would_dangle(self):
        def check(_, said):
            self.refused(said)
            self.assertRegex(said, "deleted(.|\n)*DANGLING")

        self.each(snippets.DANGLING, check, ONE_OF_EACH)

    def test_keeps_const(self):
        def check(_, said):
            self.refused(said)

        self.each(snippets.REFUSED_BY_TYPE, check, ONE_OF_EACH)

    def test_clang_sees_lifetimes(self):
        def check(_, said):
            self.refused(said)
            self.assertRegex(said, r"-Wdangling|-Wreturn-stack|-Wunused-value")

        self.each(snippets.WARNED, check, COMPILERS[:1])


if __name__ == "__main__":
    unittest.main()
