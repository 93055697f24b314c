"""The rules of docs/explanation/architecture.md's tree and of the house's style.

Each rule is one test over all the files of the repository that it speaks of;
what breaks it is listed as `file:line: what`.
"""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

CXX = {".h", ".hpp", ".cpp", ".c"}
SOURCES = CXX | {".td", ".py", ".cmake", ".sh", ".kern", ".mlir", ".in"}
TEXT = SOURCES | {".md", ".txt", ".json", ".test"}
ELSEWHERE = {"build", ".git", "__pycache__", "Testing"}
MOST_LINES = 700
MOST_FOLDERS = 4

# The only headers of the runtime that the compiler may know: element types,
# errors, and the places where the two meet (manifest and code source).
MEETING_PLACE = re.compile(
    r"runtime/(array/DType|error/(Counted|Expected|Messages|Report)|artefact/\w+|"
    r"code/\w+|"
    r"include/kern/native)\.h$"
)
# The driver puts the compiler behind the C interface of the runtime.
DRIVER = re.compile(
    MEETING_PLACE.pattern
    + r"|runtime/(error/LastError|module/Module|cache/\w+|capi/SizedStruct|"
    r"include/kern/kern)\.h$"
)
# The one definition of element types and promotion serves everybody.
ELEMENT_TYPES = re.compile(r"runtime/(array/DType|artefact/Nest)\.h$")
# What tree-sitter writes of our grammar.
GENERATED = re.compile(r"tools/editors/tree-sitter-kern/src/(parser\.c|tree_sitter/)")
TYPE = re.compile(
    r"(?:template <.*> )?(?:struct|class|union|enum(?: class)?) "
    r"(?:\[\[.*\]\] |alignas\(\w+\) )?(\w+)(?: final)?(?: :[^:].*)? \{"
)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


# Each folder may include those before it.
FOLDERS = {
    "runtime": ["error", "file", "array", "cache", "artefact", "plan", "code",
                "device/host", "device/cuda", "module", "transfer", "space",
                "launch", "capi"],
    "dialects": ["Kern", "Loop", "KernToLoop", "LoopToLLVM", "LoopMappings",
                 "LoopToHost", "LoopToGPU"],
    "compiler": ["source", "diagnostics", "syntax", "syntax/format", "constants",
                 "modules", "dependence", "lowering",
                 "library", "specialize", "instcombine", "targets", "targets/host",
                 "targets/nvptx/defects", "targets/nvptx", "pipeline", "driver"],
    "tools": ["kern/values", "kern/doctest", "kern/bench", "kern"],
}

# A file's namespace is that of the longest of these that its path begins with.
NAMESPACES = {
    "runtime/include/": "kern",
    "runtime/": "kern::runtime",
    "runtime/device/cuda/": "kern::runtime::cuda",
    "runtime/device/host/": "kern::runtime::host",
    "dialects/": "kern::ir",
    "dialects/Loop": "kern::ir::loop",
    "compiler/": "kern::compiler",
    "compiler/syntax/": "kern::compiler::syntax",
    "compiler/library/": "kern::compiler::library",
    "compiler/targets/host/": "kern::compiler::host",
    "compiler/targets/nvptx/": "kern::compiler::nvptx",
    "tools/": "kern::cli",
    "python/": "kern::python",
    "python/src/Dlpack": "kern::python::dlpack",
    "python/src/XlaFfi": "kern::python::xla",
}
# mlir-tblgen declares all passes in one namespace.
PASSES = "kern::ir"


def files(*suffixes_or_sets, below=""):
    """All files of the repository with one of the suffixes, sorted."""
    suffixes = set().union(*suffixes_or_sets)
    found = []
    for path in (ROOT / below).rglob("*"):
        parts = path.relative_to(ROOT).parts
        generated = GENERATED.match("/".join(parts))
        if ELSEWHERE.isdisjoint(parts) and path.is_file() and not generated:
            script = not path.suffix and parts[0] in ("dev", ".ci")
            if path.suffix in suffixes or (script and ".sh" in suffixes):
                found.append(path)
    return sorted(found)


def read(path):
    return path.read_text(encoding="utf-8")


def place(path, text=None, offset=None):
    name = str(path.relative_to(ROOT))
    if text is None:
        return name
    return f"{name}:{text.count(chr(10), 0, offset) + 1}"


def includes(below):
    """(place, included path) for every include of the C++ files of a folder."""
    for path in files(CXX, below=below):
        text = read(path)
        for match in INCLUDE.finditer(text):
            yield place(path, text, match.start()), match[1]


def folder_includes(top):
    """{(folder, folder that it includes): a place} below a top folder. Public
    headers are everybody's."""
    edges = {}
    for where, path in includes(top):
        source = str(pathlib.PurePosixPath(where).parent)
        target = str(pathlib.PurePosixPath(path).parent)
        if target.startswith(f"{top}/") and source != target \
                and not source.startswith("runtime/include"):
            edges.setdefault((source, target), where)
    return edges


def matches(pattern, paths):
    for path in paths:
        text = read(path)
        for match in re.finditer(pattern, text, re.M):
            yield f"{place(path, text, match.start())}: {match[0].strip()}"


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


class Layout(unittest.TestCase):
    def assertNone(self, offenders):
        offenders = list(offenders)
        if offenders:
            self.fail("\n".join(["", *map(str, offenders)]))

    def assert_includes(self, below, forbidden, allowed=None):
        """No file of a folder includes what matches `forbidden`, save what
        matches `allowed`."""
        self.assertNone(
            f"{where}: includes {path}"
            for where, path in includes(below)
            if re.match(forbidden, path)
            and not (allowed and allowed.match(path))
        )


class Dependencies(Layout):
    """Who may include whom."""

    def test_there_is_something_to_look_at(self):
        for folder in ("compiler", "dialects", "runtime", "tools", "test"):
            with self.subTest(folder):
                self.assertTrue(files(CXX, below=folder))

    def test_runtime_knows_no_compiler(self):
        self.assert_includes(
            "runtime", r"(llvm|llvm-c|mlir|clang|compiler|dialects|tools)/"
        )

    def test_runtime_is_linked_without_llvm(self):
        lists = [p for p in files({".txt"}, below="runtime")]
        self.assertNone(matches(r"^[^#\n]*(kern_llvm|LLVM|MLIR).*$", lists))

    def test_dialects_know_mlir_and_each_other(self):
        self.assert_includes(
            "dialects", r"(clang|compiler|runtime|tools)/", ELEMENT_TYPES
        )

    def test_compiler_knows_dialects_and_the_meeting_place(self):
        for folder in (ROOT / "compiler").iterdir():
            allowed = DRIVER if folder.name == "driver" else MEETING_PLACE
            with self.subTest(folder.name):
                self.assert_includes(
                    f"compiler/{folder.name}", r"(clang|tools|runtime)/", allowed
                )

    def test_targets_are_known_by_their_interface(self):
        """The pipeline and the driver name none of them."""
        for folder in ("pipeline", "driver"):
            with self.subTest(folder):
                self.assert_includes(
                    f"compiler/{folder}",
                    r"compiler/targets/\w+/|dialects/LoopTo(GPU|Host)/")

    def test_nothing_includes_tests_or_tools(self):
        for folder in ("compiler", "dialects", "runtime", "examples", "python"):
            with self.subTest(folder):
                self.assert_includes(folder, r"(test|tools)/")

    def test_examples_and_python_use_public_headers_only(self):
        for folder in ("examples", "python"):
            with self.subTest(folder):
                self.assert_includes(
                    folder, r"(compiler|dialects|runtime|llvm|mlir)/"
                )

    def test_public_headers_are_these(self):
        names = {p.name for p in (ROOT / "runtime/include/kern").iterdir()}
        self.assertEqual(
            names,
            {"arguments.hpp", "arrays.hpp", "build.h", "calls.hpp", "compile.h",
             "diagnostics.h", "diagnostics.hpp", "elements.hpp", "kern.h",
             "kern.hpp", "native.h", "options.h", "views.hpp"})

    def test_libraries_export_the_c_interface_alone(self):
        """What is declared KERN_API is a C function of a public header, and
        the linker's list names nothing else (test/package looks at the
        libraries themselves)."""
        self.assertNone(
            found for folder in ("runtime", "compiler", "dialects", "tools", "python")
            for found in matches(r"\bKERN_API\b.*$", files({".h", ".hpp", ".cpp"}, below=folder))
            if not re.match(r"runtime/include/kern/\w+\.h:", found))
        lists = [p for p in (ROOT / "runtime").rglob("*.map")]
        self.assertEqual([p.name for p in lists], ["exports.map"])
        self.assertEqual(list((ROOT / "compiler").rglob("*.map")), [])
        names = re.findall(r"global:([^}]*?)local:", read(lists[0]))
        self.assertEqual(" ".join(names).split(), ["kern_*;"])

    def test_public_headers_include_nothing_of_ours(self):
        self.assertNone(
            f"{where}: includes {path}"
            for where, path in includes("runtime/include")
            if re.match(r"(runtime|compiler|dialects|llvm|mlir)/", path)
        )

    def test_interface_is_tested_with_null_and_says_threads(self):
        """Each function of the C headers says in its comment what threads may
        do, and has rows in the table of NULL arguments."""
        rows = read(ROOT / "test/unit/driver/NullArgumentsTest.cpp")
        names = []
        for path in files({".h"}, below="runtime/include"):
            text = read(path)
            declared = r"((?:/\*\*(?:(?!\*/).)*\*/\n)?)KERN_API [^(]*?(kern_\w+)\("
            for comment, name in re.findall(declared, text, re.S):
                names.append(name)
                with self.subTest(name):
                    self.assertRegex(
                        " ".join(re.sub(r"\n\s*\*?", " ", comment).split()),
                        r"Threads: (any|last)")
                    self.assertIn(f"{name}(", rows)
        self.assertGreater(len(names), 40)

    def test_includes_start_at_the_root(self):
        self.assertNone(
            f"{where}: includes {path}"
            for folder in ("compiler", "dialects", "runtime", "tools", "test")
            for where, path in includes(folder)
            if path.startswith(".")
        )

    def test_folders_form_no_circle(self):
        """Nor does a folder include one that stands later in its top folder's
        order; docs/explanation/architecture.md names them in this order."""
        for top, order in FOLDERS.items():
            with self.subTest(top):
                edges = folder_includes(top)
                named = {f"{top}/{folder}" for folder in order}
                self.assertEqual({f for edge in edges for f in edge} - named, set())
                rank = {f"{top}/{f}": i for i, f in enumerate(order)}
                self.assertNone(
                    f"{where}: {source} comes before {target}"
                    for (source, target), where in edges.items()
                    if rank[source] < rank[target]
                )

    def test_dialects_depend_in_one_direction(self):
        """Dialects do not know their conversions, nor Kern the loops."""
        self.assert_includes("dialects/Kern", r"dialects/(?!Kern/)")
        self.assert_includes("dialects/Loop", r"dialects/(?!(Kern|Loop)/)")


class Namespaces(Layout):
    """Layers are namespaces."""

    def test_follow_from_folders(self):
        opened = re.compile(r"^namespace (kern(?:::\w+)*) \{\n"
                            r"(?:(?:using .*)?\n)*(#define GEN_PASS_D)?", re.M)
        found = []
        for folder in {name.split("/")[0] for name in NAMESPACES}:
            for path in files(CXX, below=folder):
                text = read(path)
                name = place(path)
                wanted = NAMESPACES[max(filter(name.startswith, NAMESPACES), key=len)]
                for match in opened.finditer(text):
                    expected = PASSES if match[2] else wanted
                    if match[1] != expected:
                        found.append(f"{place(path, text, match.start())}: "
                                     f"{match[1]}, not {expected}")
        self.assertNone(sorted(found))

    def test_headers_open_none_to_others(self):
        self.assertNone(matches(r"^\s*using namespace .*$", files({".h", ".hpp"})))


class Tree(Layout):
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
        # by the loader. Its sincos pays there alone, and its translator takes
        # long for large files, which are therefore split (what it gets wrong
        # has a folder). Its architectures are a table, and much of LLVM's code
        # generation is for what no kernel has (Passes.cpp).
        names["nvptx"] -= {"Architectures.h", "Libdevice.cpp", "Passes.cpp",
                           "SinCos.cpp", "Split.h", "Split.cpp"}
        # A CPU's lanes are vectors, with functions of their own, its rounding
        # to bf16 is not to be used, its stores have two ways to memory, and
        # nobody else links its code, here or by a linker.
        names["host"] -= {"BFloat.cpp", "Functions.h", "Linker.h", "Linker.cpp",
                          "Object.cpp", "Streaming.cpp", "VectorCalls.cpp",
                          "VectorFunctions.h", "VectorFunctions.cpp"}
        self.assertEqual(names["nvptx"], names["host"])

    def test_folders_are_not_deep(self):
        self.assertNone(
            place(path)
            for path in files(TEXT)
            if len(path.relative_to(ROOT).parts) > MOST_FOLDERS + 1
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


class Text(Layout):
    """What is in a file."""

    def test_cxx_files_carry_the_licence(self):
        line = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
        self.assertNone(
            place(path)
            for path in files(CXX, {".td"})
            if line not in read(path)[:1000]
        )

    def test_a_type_has_a_name_of_its_own(self):
        """Of two of one name the linker takes one's templates for both."""
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
        counts = ((p, read(p).count("\n")) for p in files(SOURCES))
        self.assertNone(
            f"{place(path)}: {lines} lines, more than {MOST_LINES}"
            for path, lines in counts
            if lines > MOST_LINES
        )

    def test_errors_of_the_runtime_are_rows(self):
        """Their texts stand in runtime/error/Errors.def."""
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

    def test_decisions_are_named_by_page_and_section(self):
        """Their numbers are those of commits alone; the index has a table."""
        self.assertNone(matches(r"(?i)\bdecisions? \d+", files(TEXT)))

    def test_nothing_is_left_for_later(self):
        marks = "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3))
        self.assertNone(matches(rf"^.*\b({marks})\b.*$", files(SOURCES)))


if __name__ == "__main__":
    unittest.main()
