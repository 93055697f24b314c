"""Who may include whom, the arrows of docs/explanation/architecture.md, and the
namespaces of layers."""

import pathlib
import re
import unittest

from repository import (CXX, ROOT, RepositoryTest, files, includes, matches, place,
                        read)

# The only headers of the runtime that the compiler may know: element types,
# errors, and the places where the two meet (manifest and code source).
MEETING_PLACE = re.compile(
    r"runtime/(array/DType|error/(Counted|Expected|Messages|NearestName|Report)|artefact/\w+|"
    r"code/\w+|"
    r"include/kern/native)\.h$"
)
# The driver puts the compiler behind the C interface of the runtime.
DRIVER = re.compile(
    MEETING_PLACE.pattern
    + r"|runtime/(error/LastError|trace/Trace|module/Module|cache/\w+|capi/SizedStruct|"
    r"include/kern/kern)\.h$"
)
# The one definition of element types and promotion serves everybody.
ELEMENT_TYPES = re.compile(r"runtime/(array/DType|artefact/(Nest|KernelFacts))\.h$")
# Each folder may include those before it.
FOLDERS = {
    "runtime": ["error", "trace", "file", "array", "cache", "artefact", "plan", "code",
                "device/host", "device/cuda", "module", "transfer", "space",
                "launch", "methods", "capi"],
    "dialects": ["Kern", "Loop", "KernToLoop", "LoopToLLVM", "LoopMappings",
                 "LoopToHost", "LoopToGPU"],
    "compiler": ["source", "diagnostics", "syntax", "syntax/format", "constants",
                 "modules", "dependence", "lowering",
                 "library", "specialize", "instcombine", "targets", "targets/host",
                 "targets/nvptx/defects", "targets/nvptx", "pipeline", "driver"],
    "tools": ["kern/values", "kern/calls", "kern/doctest", "kern/bench", "kern"],
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


class Dependencies(RepositoryTest):
    """Who may include whom."""

    def assert_includes(self, below, forbidden, allowed=None):
        """No file of a folder includes what matches `forbidden`, save what
        matches `allowed`."""
        self.assertNone(
            f"{where}: includes {path}"
            for where, path in includes(below)
            if re.match(forbidden, path)
            and not (allowed and allowed.match(path))
        )

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
             "diagnostics.h", "diagnostics.hpp", "elements.hpp", "exchange.h",
             "graphs.h", "graphs.hpp", "kern.h", "kern.hpp", "memory.h", "memory.hpp",
             "methods.h", "native.h", "options.h", "places.h", "places.hpp",
             "prepared.hpp", "reflection.h", "reflection.hpp", "request.hpp",
             "sharded.h", "sharded.hpp", "streams.h", "streams.hpp", "threads.h", "trace.h", "trace.hpp", "views.hpp"})

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
        tests = (ROOT / "test/unit/driver").glob("Null*ArgumentsTest.cpp")
        rows = "".join(read(path) for path in tests)
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
        order."""
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

    def test_the_architecture_names_folders(self):
        """In their order, but for the parts of a folder."""
        page = read(ROOT / "docs/explanation/architecture.md")
        for top, order in FOLDERS.items():
            with self.subTest(top):
                row = re.search(rf"^\| `{top}/` \|.*$", page, re.M)[0]
                places = {folder: row.find(f"`{folder}/`") for folder in order}
                self.assertEqual([f for f, at in places.items() if at < 0], [])
                whole = [folder for folder in order if "/" not in folder]
                self.assertEqual(whole, sorted(whole, key=places.get))

    def test_dialects_depend_in_one_direction(self):
        """Dialects do not know their conversions, nor Kern the loops."""
        self.assert_includes("dialects/Kern", r"dialects/(?!Kern/)")
        self.assert_includes("dialects/Loop", r"dialects/(?!(Kern|Loop)/)")


class Namespaces(RepositoryTest):
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


if __name__ == "__main__":
    unittest.main()
