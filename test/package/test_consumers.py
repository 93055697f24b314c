"""Programs that use the package: by the README's commands, CMake, pkg-config, and
with linked host code.
"""

import pathlib
import re
import shutil
import sys
import tempfile
import time
import unittest

from unpacked import VERSION, Unpacked

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = pathlib.Path(sys.executable).parent

# Two files of one name, of functions of one name. Each needs libm.
SCALES = {
    "a/scale.kern": "ufunc scale(x: f64) -> f64:\n    return 2 * exp(x)\n",
    "b/scale.kern": "ufunc scale(x: f64) -> f64:\n    return 10 + log1p(x)\n",
}
# `double NAME(void)`: what SYMBOL's `scale` gives for 0.
CALL = """\
#include "HEADER.h"
double NAME(void) {
  kern_module *module = 0;
  kern_function *scale = 0;
  kern_value zero = {KERN_VALUE_WEAK_FLOAT, KERN_F64, {0}};
  DLManagedTensor *made = 0;
  double value = -1;
  if (kern_load_native(&HEADER_kern, &module) == KERN_OK &&
      kern_module_find(module, "scale", &scale) == KERN_OK &&
      kern_call(scale, &zero, 1, 0, &made, 1, 0, 0) == KERN_OK) {
    value = *(double *)made->dl_tensor.data;
    made->deleter(made);
  }
  kern_module_release(module);
  return value;
}
"""
MAIN = """\
#include <stdio.h>
double first(void), second(void);
int main(void) { return printf("%g %g\\n", first(), second()) < 0; }
"""
VERSION_C = """\
#include <kern/kern.h>
#include <stdio.h>
int main(void) { return puts(kern_version()) < 0; }
"""
VERSION_CPP = """\
#include <kern/kern.hpp>
#include <cstdio>
int main() { return std::puts(kern_version()) < 0; }
"""


def setUpModule():
    global UNPACKED
    UNPACKED = Unpacked()


def tearDownModule():
    UNPACKED.cleanup()


class Consumer(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="a consumer ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.kern = UNPACKED.prefix / "bin" / "kern"

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_here(self, *command, **options):
        return UNPACKED.run(*command, cwd=self.folder, **options)

    def ok(self, *command, **options):
        done = self.run_here(*command, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout


class Readme(Consumer):
    def test_every_command(self):
        """As a reader who has unpacked the package does."""
        test = ROOT / "test" / "docs" / "run.py"
        readme = UNPACKED.prefix / "README.md"
        command = [sys.executable, test, "--installed", UNPACKED.prefix, readme]
        self.assertIn(" 0 failed", self.ok(*command, path=PYTHON))


class PkgConfig(Consumer):
    def flags(self, *arguments):
        path = UNPACKED.prefix / "lib" / "pkgconfig"
        command = ["env", f"PKG_CONFIG_PATH={path}", "pkg-config", *arguments]
        return self.ok(*command).strip()

    def test_compiles_links_and_runs(self):
        self.write("main.c", VERSION_C)
        self.write("main.cpp", VERSION_CPP)
        for name in ("kern", "kern-runtime"):
            self.assertEqual(self.flags("--modversion", name), VERSION)
            # A shell reads them, as the one that make calls does.
            flags = self.flags("--cflags", "--libs", name)
            for compile in ("gcc main.c", "g++ -std=c++20 main.cpp"):
                with self.subTest(name, compile=compile):
                    self.ok("sh", "-c", f"{compile} {flags} -o program")
                    self.assertEqual(self.ok("./program").strip(), VERSION)


@unittest.skipUnless(shutil.which("cmake"), "no cmake")
class CMake(Consumer):
    def configure(self, lists, *options, build="b"):
        self.write("CMakeLists.txt", f"cmake_minimum_required(VERSION 3.16)\n{lists}")
        return self.run_here(
            "cmake", "-S", ".", "-B", build,
            f"-DCMAKE_PREFIX_PATH={UNPACKED.prefix}", *options,
        )  # fmt: skip

    def found(self, arguments):
        """The output of find_package(Kern ARGUMENTS) in a project without a language;
        "" if the package was not found."""
        done = self.configure(
            "project(Consumer LANGUAGES NONE)\n"
            f"find_package(Kern {arguments})\n"
            'message(STATUS "found:${Kern_FOUND} ${Kern_VERSION}")\n'
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        wanted = f"found:TRUE {VERSION}", f"found:1 {VERSION}"
        return any(text in done.stdout for text in wanted)

    def test_components(self):
        for arguments in (
            "", "REQUIRED", "COMPONENTS runtime", "REQUIRED COMPONENTS kern",
            "REQUIRED COMPONENTS runtime kern", "REQUIRED runtime",
            "REQUIRED COMPONENTS runtime OPTIONAL_COMPONENTS nonsense",
        ):  # fmt: skip
            with self.subTest(arguments):
                self.assertTrue(self.found(arguments))
        self.assertFalse(self.found("COMPONENTS nonsense"))
        self.assertFalse(self.found("QUIET COMPONENTS runtime nonsense"))
        done = self.configure(
            "project(Consumer LANGUAGES NONE)\n"
            "find_package(Kern REQUIRED COMPONENTS runtime nonsense)\n"
        )
        self.assertNotEqual(done.returncode, 0)
        said = " ".join(done.stderr.split())
        self.assertIn("no component 'nonsense'; there are: kern, runtime", said)

    def test_versions(self):
        major, minor, patch = map(int, VERSION.split("."))
        for version, isThere in {
            f"{major}.{minor}": True,
            f"{VERSION}": True,
            f"{VERSION} EXACT": True,
            f"{VERSION} COMPONENTS runtime": True,
            f"{major}.{minor}.{patch + 1}": False,
            f"{major}.{minor + 1}": False,
            f"{major + 1}": False,
        }.items():
            with self.subTest(version):
                self.assertEqual(self.found(version), isThere)

    def test_every_language_and_generator(self):
        self.write("main.c", VERSION_C)
        self.write("main.cpp", VERSION_CPP)
        for generator in ("Ninja", "Unix Makefiles"):
            for languages, source in (
                ("C", "main.c"), ("CXX", "main.cpp"), ("C CXX", "main.cpp"),
            ):  # fmt: skip
                for library in ("kern", "runtime"):
                    with self.subTest(generator, languages=languages, library=library):
                        build = f"{generator}-{languages}-{library}".replace(" ", "")
                        lists = (
                            f"project(Consumer LANGUAGES {languages})\n"
                            f"find_package(Kern REQUIRED COMPONENTS {library})\n"
                            f"add_executable(program {source})\n"
                            f"target_link_libraries(program Kern::{library})\n"
                        )
                        done = self.configure(lists, "-G", generator, build=build)
                        self.assertEqual(done.returncode, 0, done.stderr)
                        self.ok("cmake", "--build", build)
                        printed = self.ok(f"{build}/program")
                        self.assertEqual(printed.strip(), VERSION)

    def test_in_several_folders(self):
        """Each may look for the package, and look again."""
        self.write("main.c", VERSION_C)
        for part in ("one", "two"):
            self.write(
                f"{part}/CMakeLists.txt",
                "find_package(Kern REQUIRED)\n"
                "find_package(Kern REQUIRED COMPONENTS runtime)\n"
                f"add_executable({part} ../main.c)\n"
                f"target_link_libraries({part} PRIVATE Kern::runtime)\n",
            )
        done = self.configure(
            "project(Consumer LANGUAGES C)\n"
            "add_subdirectory(one)\nadd_subdirectory(two)\n"
            "find_package(Kern REQUIRED)\n"
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.ok("cmake", "--build", "b")
        self.assertEqual(self.ok("b/two/two").strip(), VERSION)

    def test_tool_is_a_target(self):
        done = self.configure(
            "project(Consumer LANGUAGES NONE)\n"
            "find_package(Kern REQUIRED)\n"
            "add_custom_target(version ALL COMMAND Kern::tool --version)\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"kern {VERSION}", self.ok("cmake", "--build", "b"))


ADD_OBJECT = """\
project(Consumer LANGUAGES C)
find_package(Kern REQUIRED COMPONENTS runtime)
add_executable(program main.c first.c second.c)
kern_add_object(program a/scale.kern CPU x86-64)
kern_add_object(program b/scale.kern NAME other CPU x86-64 INCLUDE "the modules"
                OPTIONS --fp-mode=precise)
target_link_libraries(program Kern::runtime)
"""


@unittest.skipUnless(shutil.which("cmake"), "no cmake")
class AddObject(Consumer):
    """kern_add_object() of the CMake package."""

    def setUp(self):
        super().setUp()
        self.write("main.c", MAIN)
        self.write("a/scale.kern", SCALES["a/scale.kern"])
        self.write("b/scale.kern", "from start import offset\n\n" +
                   SCALES["b/scale.kern"].replace("10", "offset"))
        self.write("the modules/start.kern",
                   "from more import base\n\nconst offset = base\n")
        self.write("the modules/more.kern", "const base = 10\n")
        for function, header in (("first", "scale"), ("second", "other")):
            text = CALL.replace("NAME", function).replace("HEADER", header)
            self.write(f"{function}.c", text)

    def configure(self, lists, *options, build="b"):
        self.write("CMakeLists.txt", f"cmake_minimum_required(VERSION 3.16)\n{lists}")
        return self.run_here("cmake", "-S", ".", "-B", build,
                             f"-DCMAKE_PREFIX_PATH={UNPACKED.prefix}", *options)

    def build(self, folder):
        """What building prints of Kern: the names of what was compiled."""
        printed = self.ok("cmake", "--build", folder)
        return sorted(re.findall(r"Compiling (\w+) with kern", printed))

    def test_links_and_is_made_again(self):
        for generator in ("Ninja", "Unix Makefiles"):
            with self.subTest(generator):
                folder = generator.replace(" ", "")
                self.write("the modules/more.kern", "const base = 10\n")
                done = self.configure(ADD_OBJECT, "-G", generator, build=folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.build(folder), ["other", "scale"])
                printed = self.ok(f"{folder}/program")
                self.assertEqual(printed.split(), ["2", "10"])
                self.assertEqual(self.build(folder), [])
                # An import of an import counts too. File times are compared, on some
                # systems by the second.
                time.sleep(1.1)
                self.write("the modules/more.kern", "const base = 20\n")
                self.assertEqual(self.build(folder), ["other"])
                printed = self.ok(f"{folder}/program")
                self.assertEqual(printed.split(), ["2", "20"])
                self.assertEqual(self.build(folder), [])

    def test_in_a_library_of_a_folder_below(self):
        self.write("below/CMakeLists.txt",
                   "add_library(scales STATIC ../first.c ../second.c)\n"
                   "kern_add_object(scales ../a/scale.kern)\n"
                   "kern_add_object(scales ../b/scale.kern NAME other\n"
                   '                INCLUDE "../the modules")\n'
                   "target_link_libraries(scales PUBLIC Kern::runtime)\n")
        done = self.configure("project(Consumer LANGUAGES C)\n"
                              "find_package(Kern REQUIRED)\n"
                              "add_subdirectory(below)\n"
                              "add_executable(program main.c)\n"
                              "target_link_libraries(program PRIVATE scales)\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.build("b")
        self.assertEqual(self.ok("b/program").split(), ["2", "10"])

    def test_a_source_that_is_refused_fails_the_build(self):
        self.write("a/scale.kern", "ufunc scale(x):\n    return y\n")
        self.assertEqual(self.configure(ADD_OBJECT).returncode, 0)
        done = self.run_here("cmake", "--build", "b")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("error[K0201]", done.stdout + done.stderr)

    def test_wrong_calls_are_refused(self):
        for call, message in {
            "none a/scale.kern": "there is no target 'none'",
            "program": "name a source to compile",
            "program a/scale.kern b/scale.kern NAME x": "NAME is for one source",
        }.items():
            with self.subTest(call):
                done = self.configure(
                    "project(Consumer LANGUAGES C)\nfind_package(Kern REQUIRED)\n"
                    f"add_executable(program main.c)\nkern_add_object({call})\n",
                    build="wrong")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(message, " ".join(done.stderr.split()))


class LinkedCode(Consumer):
    def setUp(self):
        super().setUp()
        for path, text in SCALES.items():
            self.write(path, text)
        self.write("main.c", MAIN)
        self.include = f"-I{UNPACKED.prefix / 'include'}"
        library = UNPACKED.prefix / "lib"
        self.link = [f"-L{library}", f"-Wl,-rpath,{library}", "-lkern_runtime", "-lm"]

    def emit(self, source, *options):
        command = [self.kern, "compile", source, "--emit", "obj,header"]
        self.ok(*command, "--target", "x86-64", *options)

    def call(self, function, header):
        text = CALL.replace("NAME", function).replace("HEADER", header)
        self.write(f"{function}.c", text)

    def both(self):
        """Objects and callers of the two files."""
        self.emit("a/scale.kern")
        self.emit("b/scale.kern", "--name", "other")
        self.call("first", "scale")
        self.call("second", "other")

    def compile(self, *arguments):
        flags = ["-Wall", "-Wextra", "-Werror", "-I.", self.include]
        self.ok("gcc", *flags, *arguments)

    def test_two_files_of_one_name(self):
        self.both()
        sources = ["main.c", "first.c", "second.c", "scale.o", "other.o"]
        for options in (["-pie"], ["-no-pie"], ["-fPIC"]):
            with self.subTest(options):
                self.compile(*options, *sources, *self.link, "-o", "program")
                self.assertEqual(self.ok("./program").split(), ["2", "10"])

    def test_in_a_static_library(self):
        self.both()
        self.ok("ar", "rcs", "libscales.a", "scale.o", "other.o")
        sources = ["main.c", "first.c", "second.c", "libscales.a"]
        self.compile(*sources, *self.link, "-o", "program")
        self.assertEqual(self.ok("./program").split(), ["2", "10"])

    def test_in_two_shared_libraries_of_one_program(self):
        """Each has its own `scale_kern`."""
        for function, folder in (("first", "a"), ("second", "b")):
            self.emit(f"{folder}/scale.kern")
            self.call(function, "scale")
            parts = [f"{function}.c", "scale.o"]
            self.compile(
                "-shared", "-fPIC", *parts, *self.link, "-o", f"lib{function}.so"
            )
        libraries = ["-L.", "-Wl,-rpath,$ORIGIN", "-lfirst", "-lsecond"]
        self.compile("main.c", *libraries, *self.link, "-o", "program")
        self.assertEqual(self.ok("./program").split(), ["2", "10"])

    @unittest.skipUnless(shutil.which("cmake"), "no cmake")
    def test_in_a_c_project_of_cmake(self):
        """The target brings libm."""
        self.both()
        self.write(
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.16)\n"
            "project(Consumer LANGUAGES C)\n"
            "find_package(Kern REQUIRED COMPONENTS runtime)\n"
            "include_directories(.)\n"
            "add_library(scales STATIC first.c second.c scale.o other.o)\n"
            "target_link_libraries(scales PUBLIC Kern::runtime)\n"
            "add_executable(program main.c)\n"
            "target_link_libraries(program scales)\n"
            "add_library(plugin SHARED first.c scale.o)\n"
            "target_link_libraries(plugin Kern::runtime -Wl,--no-undefined)\n",
        )
        prefix = f"-DCMAKE_PREFIX_PATH={UNPACKED.prefix}"
        self.ok("cmake", "-S", ".", "-B", "b", prefix)
        self.ok("cmake", "--build", "b")
        self.assertEqual(self.ok("b/program").split(), ["2", "10"])


if __name__ == "__main__":
    unittest.main()
