"""The package: its size, what its binaries need, and that it works wherever it is
unpacked, without the source tree or the build.
"""

import os
import pathlib
import re
import tempfile
import unittest

from unpacked import PACKAGE, VERSION, Unpacked

MOST_BYTES = 25_000_000

# glibc's and gcc's parts and our own.
ALLOWED = re.compile(
    r"(lib(c|m|dl|pthread|rt)\.so\.\d+|ld-linux-x86-64\.so\.2|libgcc_s\.so\.1"
    r"|libkern(_runtime)?\.so\.\d+(\.\d+)?)$"
)
# RHEL 9's; Ubuntu 22.04 has 2.35, Debian 12 2.36.
NEWEST_GLIBC = (2, 34)

KERNEL = """\
ufunc add(a: T, b: T) -> T where T in (f32, f64):
    return a + b
"""


def setUpModule():
    global UNPACKED, PREFIX, run
    UNPACKED = Unpacked()
    PREFIX = UNPACKED.prefix
    run = UNPACKED.run


def tearDownModule():
    UNPACKED.cleanup()


def binaries():
    """Every ELF file of the package."""
    for path in sorted(PREFIX.rglob("*")):
        if not path.is_symlink() and path.is_file() and path.read_bytes()[:4] == b"\x7fELF":
            yield path


class Contents(unittest.TestCase):
    def test_size(self):
        self.assertLessEqual(PACKAGE.stat().st_size, MOST_BYTES)

    def test_holds_every_part(self):
        for part in (
            "bin/kern",
            "lib/libkern.so",
            "lib/libkern_runtime.so",
            "lib/cmake/Kern/KernAddObject.cmake",
            "share/man/man1/kern.1",
            "share/bash-completion/completions/kern",
            "share/zsh/site-functions/_kern",
            "share/fish/vendor_completions.d/kern.fish",
            "include/kern/build.h",
            "include/kern/compile.h",
            "include/kern/diagnostics.h",
            "include/kern/diagnostics.hpp",
            "include/kern/kern.h",
            "include/kern/arguments.hpp",
            "include/kern/arrays.hpp",
            "include/kern/calls.hpp",
            "include/kern/prepared.hpp",
            "include/kern/elements.hpp",
            "include/kern/kern.hpp",
            "include/kern/graphs.h",
            "include/kern/graphs.hpp",
            "include/kern/memory.h",
            "include/kern/memory.hpp",
            "include/kern/methods.h",
            "include/kern/native.h",
            "include/kern/options.h",
            "include/kern/exchange.h",
            "include/kern/reflection.h",
            "include/kern/reflection.hpp",
            "include/kern/sharded.h",
            "include/kern/sharded.hpp",
            "include/kern/streams.h",
            "include/kern/streams.hpp",
            "include/kern/threads.h",
            "include/kern/trace.h",
            "include/kern/trace.hpp",
            "include/kern/views.hpp",
            "include/dlpack/dlpack.h",
            "lib/cmake/Kern/KernConfig.cmake",
            "lib/cmake/Kern/KernConfigVersion.cmake",
            "lib/pkgconfig/kern.pc",
            "lib/pkgconfig/kern-runtime.pc",
            "share/doc/kern/index.html",
            "share/doc/kern/docs/index.html",
            "share/doc/kern/docs/tutorial.html",
            "share/doc/kern/searchindex.js",
            "share/kern/LICENSE",
            "share/kern/editors/kern.tmLanguage.json",
            "share/kern/editors/pygments/kern_lexer.py",
            "share/kern/editors/tree-sitter-kern/grammar.js",
            "share/kern/editors/tree-sitter-kern/src/parser.c",
            "share/kern/licences/utf8proc.txt",
            "share/kern/test/e2e/run.py",
            "run-gpu-tests.sh",
            "README.md",
        ):
            with self.subTest(part):
                self.assertTrue((PREFIX / part).is_file())
        for folder, pattern in (
            ("share/kern/stdlib", "*"),
            ("share/kern/examples", "*.kern"),
            ("share/kern/test/bin", "kern_*_tests"),
        ):
            with self.subTest(folder):
                self.assertTrue(list((PREFIX / folder).glob(pattern)))

    def test_links_of_the_readme_lead_to_what_is_there(self):
        text = (PREFIX / "README.md").read_text(encoding="utf-8")
        text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
        links = re.findall(r"\]\(([^)#\s]+)(?:#([^)\s]*))?\)", text)
        self.assertGreater(len(links), 10)
        for target, anchor in links:
            with self.subTest(target):
                self.assertTrue((PREFIX / target).is_file())
                if anchor:
                    page = (PREFIX / target).read_text(encoding="utf-8")
                    self.assertIn(f'id="{anchor}"', page)

    def test_holds_nothing_else(self):
        names = {path.name for path in PREFIX.iterdir()}
        expected = {"bin", "lib", "include", "share"}
        self.assertEqual(names - {"run-gpu-tests.sh", "README.md"}, expected)
        stray = re.compile(r"__pycache__|\.(pyc|o|a|ptx)$")
        self.assertEqual(
            [], [str(p) for p in PREFIX.rglob("*") if stray.search(str(p))]
        )

    def test_binaries_are_stripped(self):
        for path in binaries():
            with self.subTest(path.name):
                sections = run("readelf", "-SW", path).stdout
                self.assertNotRegex(sections, r"\.(symtab|debug_info)\b")


class Abi(unittest.TestCase):
    """The interface that linked programs rely on."""

    def setUp(self):
        header = (PREFIX / "include/kern/kern.h").read_text()
        self.version = re.search(r'define KERN_VERSION "([\d.]+)"', header)[1]
        major, minor, _ = self.version.split(".")
        self.soversion = major if major != "0" else f"0.{minor}"

    def declared(self, *headers):
        text = "".join(
            (PREFIX / "include/kern" / name).read_text() for name in headers)
        return set(re.findall(r"KERN_API [^(]*?(kern_\w+)\(", text))

    def test_header_and_package_are_of_one_version(self):
        self.assertIn(f"kern-{self.version}-", PACKAGE.name)

    def test_sonames_and_their_links(self):
        for library in ("libkern.so", "libkern_runtime.so"):
            with self.subTest(library):
                soname = f"{library}.{self.soversion}"
                file = PREFIX / "lib" / f"{library}.{self.version}"
                dynamic = run("readelf", "-dW", file).stdout
                self.assertIn(f"Library soname: [{soname}]", dynamic)
                links = {
                    path.name: os.readlink(path)
                    for path in (PREFIX / "lib").glob(f"{library}*")
                    if path.is_symlink()
                }
                self.assertEqual(
                    links, {library: soname, soname: file.name})

    def test_exports_are_what_the_headers_declare(self):
        runtime = self.declared("kern.h", "options.h", "diagnostics.h",
                                "native.h", "exchange.h", "graphs.h", "memory.h",
                                "methods.h", "places.h", "reflection.h", "sharded.h", "streams.h",
                                "threads.h", "trace.h")
        # Declared for both, and made by the compiler.
        compiler = {name for name in runtime if name.startswith("kern_compile")}
        compiler.add("kern_set_include_path")
        everything = runtime | self.declared("compile.h", "build.h")
        self.assertGreater(len(runtime), 35)
        for library, expected in (("libkern_runtime.so", runtime - compiler),
                                  ("libkern.so", everything)):
            symbols = run("readelf", "--dyn-syms", "-W", PREFIX / "lib" / library)
            found = re.findall(
                r"(?:GLOBAL|WEAK)\s+DEFAULT\s+(?!UND)\w+\s+([^\s@]+)(@+\w[\w.]*)?",
                symbols.stdout)
            with self.subTest(library):
                self.assertEqual(
                    {n for n, version in found if version == "@@KERN_0.1"},
                    expected)
                others = [n for n, version in found
                          if version != "@@KERN_0.1"
                          and not n.startswith("KERN_")]
                self.assertEqual(others, [])


class Needs(unittest.TestCase):
    def test_there_are_binaries(self):
        self.assertGreaterEqual(len(list(binaries())), 3)

    def test_libraries(self):
        for path in binaries():
            dynamic = run("readelf", "-dW", path).stdout
            for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
                with self.subTest(path.name, needs=needed):
                    self.assertRegex(needed, ALLOWED)

    def test_versions(self):
        for path in binaries():
            symbols = run("readelf", "-VW", path).stdout
            for text in set(re.findall(r"\bGLIBC_([\d.]+)", symbols)):
                version = tuple(map(int, text.split(".")))
                with self.subTest(path.name):
                    self.assertLessEqual(version, NEWEST_GLIBC)
            self.assertNotIn("GLIBC_ABI", symbols)  # packed relocations: 2.36

    def test_search_paths_stay_inside(self):
        for path in binaries():
            dynamic = run("readelf", "-dW", path).stdout
            for entry in re.findall(r"\(R(?:UN)?PATH\).*\[(.*)\]", dynamic):
                with self.subTest(path.name):
                    self.assertRegex(entry, r"^\$ORIGIN[./a-z]*$")

    def test_every_library_is_found(self):
        for path in binaries():
            with self.subTest(path.name):
                self.assertNotIn("not found", run("ldd", path).stdout)


class Works(unittest.TestCase):
    """From the folder where it was unpacked, whose name holds blanks."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.kern = PREFIX / "bin" / "kern"

    def ok(self, *command):
        done = run(*command, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_version(self):
        self.assertIn(VERSION, self.ok(self.kern, "--version"))

    def test_check(self):
        (self.folder / "k.kern").write_text(KERNEL)
        self.ok(self.kern, "check", "k.kern")

    def test_a_mistake_is_refused(self):
        (self.folder / "k.kern").write_text(KERNEL.replace("+ b", "+ c"))
        done = run(self.kern, "check", "k.kern", cwd=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("k.kern:2:", done.stdout + done.stderr)

    def test_compile(self):
        (self.folder / "k.kern").write_text(KERNEL)
        self.ok(self.kern, "compile", "k.kern", "-o", "k.ptx")
        self.assertIn(".entry", (self.folder / "k.ptx").read_text())

    def test_run_source(self):
        (self.folder / "k.kern").write_text(KERNEL)
        printed = self.ok(self.kern, "run", "k.kern", "add", "1.5", "2")
        self.assertEqual(float(printed.split()[-1]), 3.5)

    def test_every_example_compiles(self):
        for example in sorted((PREFIX / "share/kern/examples").glob("*.kern")):
            with self.subTest(example.name):
                self.ok(self.kern, "check", example)

    def test_unit_tests_run(self):
        for program in (PREFIX / "share/kern/test/bin").iterdir():
            with self.subTest(program.name):
                self.ok(program, "--gtest_brief=1")


if __name__ == "__main__":
    unittest.main()
