//===- DiagnosticsTest.cpp - diagnostics as data --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <kern/kern.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <thread>

namespace {
/// No test of this program is to find or leave anything in the user's cache.
[[maybe_unused]] const int cacheIsOff = ::setenv("KERN_CACHE", "0", 1);

using Diagnostics = std::vector<kern::Diagnostic>;

/// The diagnostics of a source that is refused.
Diagnostics errorsOf(const std::string &text) {
  try {
    kern::Module::compile(text, "d.kern");
  } catch (const kern::Error &error) {
    EXPECT_EQ(error.status(), KERN_ERROR_COMPILE);
    return error.diagnostics();
  }
  ADD_FAILURE() << "compiles: " << text;
  return {};
}

/// The text at a place.
std::string at(const std::string &text, const kern::Place &place) {
  return text.substr(place.begin, place.end - place.begin);
}

/// Lines and columns, counted here.
void expectCounted(const std::string &text, const kern::Place &place) {
  auto count = [&](size_t offset, unsigned &line, unsigned &column) {
    line = column = 1;
    for (size_t i = 0; i < offset; ++i) {
      const bool continues = (text[i] & 0xC0) == 0x80;
      column = text[i] == '\n' ? 1 : column + !continues;
      line += text[i] == '\n';
    }
  };
  unsigned line = 0, column = 0;
  count(place.begin, line, column);
  EXPECT_EQ(place.line, line);
  EXPECT_EQ(place.column, column);
  count(place.end, line, column);
  EXPECT_EQ(place.endLine, line);
  EXPECT_EQ(place.endColumn, column);
}

/// The text after all fixes.
std::string fixed(std::string text, const Diagnostics &diagnostics) {
  std::vector<kern::Fix> fixes;
  for (const kern::Diagnostic &each : diagnostics)
    fixes.insert(fixes.end(), each.fixes.begin(), each.fixes.end());
  std::ranges::sort(fixes, std::greater(),
                    [](const kern::Fix &fix) { return fix.place.begin; });
  for (const kern::Fix &fix : fixes)
    text.replace(fix.place.begin, fix.place.end - fix.place.begin,
                 fix.replacement);
  return text;
}
} // namespace

TEST(Diagnostics, AnErrorHasAllThatItsTextHas) {
  const std::string text = "# größer\n"
                           "ufunc area(radius: f64) -> f64:\n"
                           "    return pi * raduis ** 2  # größer\n";
  const Diagnostics all = errorsOf(text);
  ASSERT_EQ(all.size(), 1u);
  const kern::Diagnostic &error = all[0];
  EXPECT_EQ(error.severity, kern::Severity::Error);
  EXPECT_EQ(error.code, "K0201");
  EXPECT_EQ(error.text, "unknown name `raduis`");
  EXPECT_EQ(error.help, "did you mean `radius`?");
  EXPECT_EQ(error.place.file, "d.kern");
  EXPECT_EQ(at(text, error.place), "raduis");
  EXPECT_EQ(error.place.line, 3u);
  EXPECT_EQ(error.place.column, 17u);
  expectCounted(text, error.place);
  ASSERT_EQ(error.fixes.size(), 1u);
  EXPECT_EQ(at(text, error.fixes[0].place), "raduis");
  EXPECT_EQ(error.fixes[0].replacement, "radius");
  EXPECT_NO_THROW(kern::Module::compile(fixed(text, all)));
}

TEST(Diagnostics, NotesHavePlacesOfTheirOwn) {
  const std::string text = "def half(x):\n"
                           "    return x & 0.5\n"
                           "ufunc f(ä: f64) -> f64:\n"
                           "    return half(ä)\n";
  const Diagnostics all = errorsOf(text);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].code, "K0303");
  expectCounted(text, all[0].place);
  ASSERT_FALSE(all[0].notes.empty());
  bool isCall = false;
  for (const kern::Note &note : all[0].notes) {
    expectCounted(text, note.place);
    isCall |= at(text, note.place) == "half(ä)";
  }
  EXPECT_TRUE(isCall);
}

TEST(Diagnostics, FixesMakeWhatTheirHelpSays) {
  for (const char *text :
       {"ufunc f(x: f64) -> f64\n    return x\n",
        "ufunc f(x: f64) => f64:\n    return x\n",
        "ufunc f(x: f64, y: f64) -> bool:\n    return x > 0&&y > 0\n",
        "ufunc f(x: f64, y: f64) -> bool:\n    return x > 0 || !(y > 0)\n",
        "ufunc f(x: f64) -> f64:\n    if x > 0:\n        return x\n"
        "    else if x < -1:\n        return -x\n    return 0\n",
        "ufunc f(x: f64) -> f64:\n    if x = 0:\n        return x\n"
        "    return 1\n",
        "ufunc f(x: f64) -> f64:\n    y = x\n    y++\n    return y\n",
        "ufunc f(x: float63) -> f64:\n    return sine(x) + cosf(x)\n",
        "ufunc f(x: f64) -> bool:\n    return true\n",
        "import numpy as np\nufunc f(x: f64) -> f64:\n"
        "    return numpy.sin(x)\n",
        "from math import squrt\nufunc f(x: f64) -> f64:\n"
        "    return sqrt(x)\n",
        "const a = pie\nufunc f(x: f64) -> f64:\n    return x * a\n",
        "@fastmaths\nufunc f(x: f64) -> f64:\n    return x\n",
        "ufunc f(x: f64) -> f64:\n    return x − 1\n"}) {
    SCOPED_TRACE(text);
    std::string now = text;
    for (int round = 0; round < 3; ++round) {
      try {
        kern::Module::compile(now, "d.kern");
        break;
      } catch (const kern::Error &error) {
        const std::string next = fixed(now, error.diagnostics());
        ASSERT_NE(next, now) << error.what();
        now = next;
      }
    }
    EXPECT_NO_THROW(kern::Module::compile(now, "d.kern")) << now;
  }
}

TEST(Diagnostics, AModuleHasItsWarnings) {
  const std::string text = "ufunc f(x: f64) -> f64:\n"
                           "    y = x * 2\n"
                           "    return x\n";
  const Diagnostics all = kern::Module::compile(text, "w.kern").diagnostics();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].severity, kern::Severity::Warning);
  EXPECT_EQ(all[0].code, "K0801");
  EXPECT_EQ(all[0].place.file, "w.kern");
  expectCounted(text, all[0].place);
  EXPECT_TRUE(kern::Module::compile("ufunc f(x: f64) -> f64:\n    return x\n")
                  .diagnostics()
                  .empty());
}

TEST(Diagnostics, RemarksComeWhereTheyAreAskedFor) {
  const std::string text = "ufunc f(x: i32) -> f64:\n"
                           "    return sin(x) + f32(x)\n";
  EXPECT_TRUE(kern::Module::compile(text, "r.kern").diagnostics().empty());
  kern_compile_options options = {};
  options.remarks = 1;
  bool hasForm = false;
  for (const kern::Diagnostic &each :
       kern::Module::compile(text, "r.kern", options).diagnostics()) {
    EXPECT_EQ(each.severity, kern::Severity::Remark);
    hasForm |= each.code == "K0904";
  }
  EXPECT_TRUE(hasForm);
}

TEST(Diagnostics, ALoopThatDoesNotCompileHasThem) {
  const std::string text = "ufunc f(x):\n    return x & 1\n";
  kern::Function f = kern::Module::compile(text, "g.kern")["f"];
  try {
    kern::Array unused = f(0.5).on(kern::cpu());
    FAIL();
  } catch (const kern::Error &error) {
    EXPECT_EQ(error.status(), KERN_ERROR_TYPE);
    ASSERT_EQ(error.diagnostics().size(), 1u) << error.what();
    EXPECT_EQ(error.diagnostics()[0].code, "K0303");
    EXPECT_EQ(at(text, error.diagnostics()[0].place), "x & 1");
  }
}

TEST(Diagnostics, BelongToTheLastFailureOfTheThread) {
  EXPECT_EQ(errorsOf("?").size(), 1u);
  EXPECT_EQ(kern_diagnostics_count(kern_last_diagnostics()), 1u);
  std::thread([] { EXPECT_EQ(kern_last_diagnostics(), nullptr); }).join();
  // A success leaves them, another failure does not.
  kern::Module::compile("ufunc f(x: f64) -> f64:\n    return x\n");
  EXPECT_EQ(kern_diagnostics_count(kern_last_diagnostics()), 1u);
  try {
    kern::Module::compileFile("no-such-file.kern");
    FAIL();
  } catch (const kern::Error &error) {
    EXPECT_EQ(error.status(), KERN_ERROR_NOT_FOUND);
    EXPECT_TRUE(error.diagnostics().empty());
  }
  EXPECT_EQ(kern_last_diagnostics(), nullptr);
}

TEST(Diagnostics, NumbersPastTheEndAreRefused) {
  kern_module *made = nullptr;
  const std::string text = "ufunc f(x: f64) -> f64:\n    y = x\n    return x\n";
  ASSERT_EQ(kern_compile_source(text.data(), text.size(), "a", &made), KERN_OK);
  const kern_diagnostics *list = kern_module_diagnostics(made);
  kern_diagnostic diagnostic = {};
  diagnostic.size = sizeof diagnostic;
  EXPECT_EQ(kern_diagnostics_get(list, 0, &diagnostic), KERN_OK);
  EXPECT_EQ(kern_diagnostics_get(list, 1, &diagnostic), KERN_ERROR_ARGUMENT);
  kern_note note = {};
  note.size = sizeof note;
  EXPECT_EQ(kern_diagnostics_note(list, 0, diagnostic.note_count, &note),
            KERN_ERROR_ARGUMENT);
  kern_fix fix = {};
  fix.size = sizeof fix;
  EXPECT_EQ(kern_diagnostics_fix(list, 0, size_t(-1), &fix),
            KERN_ERROR_ARGUMENT);
  kern_module_release(made);
}
