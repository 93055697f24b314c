//===- DiagnosticsTest.cpp - how messages look ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/diagnostics/ForeignNames.h"
#include "runtime/error/NearestName.h"

#include <gtest/gtest.h>

#include <set>

namespace kern {

using namespace compiler;
using namespace runtime;

namespace {

TEST(Diagnostics, CodesAreInOrderAndUnlike) {
  static const std::string_view codes[] = {
#define KERN_DIAGNOSTIC(CODE, SEVERITY, NAME, TEXT) CODE,
#include "compiler/diagnostics/Diagnostics.def"
  };
  for (size_t i = 1; i < std::size(codes); ++i)
    EXPECT_LT(codes[i - 1], codes[i]);
}

TEST(Diagnostics, SeveritiesGoWithTheCodes) {
  static const DiagInfo rows[] = {
#define KERN_DIAGNOSTIC(CODE, SEVERITY, NAME, TEXT)                            \
  {CODE, Severity::SEVERITY, TEXT},
#include "compiler/diagnostics/Diagnostics.def"
  };
  for (const DiagInfo &row : rows) {
    Severity expected = row.code.starts_with("K08")   ? Severity::Warning
                        : row.code.starts_with("K09") ? Severity::Remark
                                                      : Severity::Error;
    EXPECT_EQ(row.severity, expected) << row.code;
  }
  EXPECT_EQ(info(Diag::expected_expression).code, "K0111");
}

TEST(Diagnostics, FillPutsArgumentsIntoPlaces) {
  EXPECT_EQ(fill("{1} and {0}, {1}", {"a", "b"}), "b and a, b");
  EXPECT_EQ(fill("{} {x} {0", {"a"}), "{} {x} {0");
  EXPECT_EQ(fill("{3}.", {"a"}), ".");
  EXPECT_EQ(fill("{0}", {"{0}"}), "{0}");
}

struct Fixture {
  explicit Fixture(std::string text)
      : file(sources.add("a.kern", std::move(text))), engine(sources) {}
  SourceManager sources;
  uint32_t file;
  DiagnosticEngine engine;
};

TEST(Diagnostics, TextWithNoteAndHelp) {
  Fixture f("const A = 1\nconst B = exq(A)\n");
  Diagnostic &diagnostic =
      f.engine.report(Diag::unknown_function, {f.file, 22, 25}, {"exq"});
  diagnostic.notes.push_back({{f.file, 6, 7}, "seen here"});
  diagnostic.help = "did you mean `exp`?";
  EXPECT_EQ(f.engine.renderText(),
            "a.kern:2:11: error[K0202]: unknown function `exq`\n"
            "   2 | const B = exq(A)\n"
            "     |           ^~~\n"
            "a.kern:1:7: note: seen here\n"
            "   1 | const A = 1\n"
            "     |       ^\n"
            "  = help: did you mean `exp`?\n");
}

TEST(Diagnostics, TabsWideLettersAndLineEnds) {
  Fixture tabs("\tab\tcd\n");
  tabs.engine.report(Diag::unknown_name, {tabs.file, 4, 6}, {"cd"});
  EXPECT_EQ(tabs.engine.renderText(),
            "a.kern:1:5: error[K0201]: unknown name `cd`\n"
            "   1 |     ab  cd\n"
            "     |         ^~\n");

  Fixture wide("漢 = x\n");
  wide.engine.report(Diag::unknown_name, {wide.file, 0, 3}, {"漢"});
  wide.engine.report(Diag::unknown_name, {wide.file, 6, 7}, {"x"});
  EXPECT_EQ(wide.engine.renderText(),
            "a.kern:1:1: error[K0201]: unknown name `漢`\n"
            "   1 | 漢 = x\n"
            "     | ^~\n"
            "a.kern:1:5: error[K0201]: unknown name `x`\n"
            "   1 | 漢 = x\n"
            "     |      ^\n");

  Fixture end("ab");
  end.engine.report(Diag::expected_expression, {end.file, 2, 2}, {"nothing"});
  EXPECT_EQ(end.engine.renderText(),
            "a.kern:1:3: error[K0111]: expected an expression, found nothing\n"
            "   1 | ab\n"
            "     |   ^\n");
}

TEST(Diagnostics, PlacesOfSeveralLinesShowTheFirst) {
  Fixture f("x = (1,\n  2)\n");
  f.engine.report(Diag::tuple_as_value, {f.file, 4, 12}, {});
  EXPECT_EQ(f.engine.renderText(),
            "a.kern:1:5: error[K0310]: a tuple cannot be used as a number\n"
            "   1 | x = (1,\n"
            "     |     ^~~\n");
}

TEST(Diagnostics, LongLinesAreShownInPart) {
  Fixture f(std::string(5000, 'a') + "b" + std::string(5000, 'c'));
  f.engine.report(Diag::unknown_name, {f.file, 5000, 5001}, {"b"});
  std::string text = f.engine.renderText();
  EXPECT_LT(text.size(), 700u);
  EXPECT_NE(text.find("a.kern:1:5001: "), text.npos);
  // The mark stands under the only `b` of the excerpt.
  size_t line = text.find("   1 | ");
  size_t underline = text.find("\n     | ", line);
  size_t column = text.find('b', line) - line - 2; // "…" has 3 bytes
  EXPECT_EQ(text.find('^', underline) - underline - 1, column);
}

TEST(Diagnostics, NothingReachesTheTerminalRaw) {
  Fixture f("a\x1b[31m\xFF\n");
  f.engine.report(Diag::unknown_name, {f.file, 0, 1}, {"\x1b[31m"});
  std::string text = f.engine.renderText(/*color=*/false);
  EXPECT_EQ(text.find('\x1b'), text.npos);
  EXPECT_EQ(text.find('\xFF'), text.npos);
  EXPECT_NE(f.engine.renderText(/*color=*/true).find("\x1b[1;31merror"),
            text.npos);
}

TEST(Diagnostics, Json) {
  Fixture f("a \"b\"\n  c\n");
  Diagnostic &diagnostic = f.engine.report(Diag::unused_variable,
                                           {f.file, 2, 9}, {"\"\\\n\x01\xFF"});
  diagnostic.notes.push_back({{f.file, 0, 1}, "one"});
  diagnostic.notes.push_back({{f.file, 8, 9}, "two"});
  diagnostic.help = "é";
  EXPECT_EQ(
      f.engine.renderJson(),
      "{\"file\":\"a.kern\",\"line\":1,\"column\":3,\"endLine\":2,"
      "\"endColumn\":4,\"severity\":\"warning\",\"code\":\"K0801\","
      "\"message\":\"`\\\"\\\\\\n\\u0001\xEF\xBF\xBD` gets a value here that "
      "is never used\",\"notes\":["
      "{\"file\":\"a.kern\",\"line\":1,\"column\":1,\"endLine\":1,"
      "\"endColumn\":2,\"message\":\"one\"},"
      "{\"file\":\"a.kern\",\"line\":2,\"column\":3,\"endLine\":2,"
      "\"endColumn\":4,\"message\":\"two\"}],\"help\":\"é\"}\n");
}

TEST(Diagnostics, RepeatedErrorsAreDropped) {
  Fixture f("abc");
  f.engine.report(Diag::unknown_name, {f.file, 0, 1}, {"a"}).help = "first";
  EXPECT_EQ(f.engine.report(Diag::unknown_name, {f.file, 0, 1}, {"b"}).help,
            "first");
  f.engine.report(Diag::unknown_name, {f.file, 1, 2}, {"b"});
  f.engine.report(Diag::unknown_type, {f.file, 0, 1}, {"a"});
  EXPECT_EQ(f.engine.errors(), 3u);
  EXPECT_EQ(f.engine.all().size(), 3u);
}

TEST(Diagnostics, ErrorsPastTheLimitAreCounted) {
  Fixture f(std::string(400, 'a'));
  EXPECT_FALSE(f.engine.hasErrors());
  f.engine.report(Diag::unused_variable, {f.file, 0, 1}, {"a"});
  EXPECT_FALSE(f.engine.hasErrors());
  for (uint32_t i = 0; i < 130; ++i)
    f.engine.report(Diag::unknown_name, {f.file, i, i + 1}, {"a"}).notes = {
        {{f.file, 0, 1}, "note"}};
  EXPECT_EQ(f.engine.errors(), 130u);
  EXPECT_EQ(f.engine.all().size(), 101u);
  std::string text = f.engine.renderText();
  EXPECT_TRUE(text.ends_with("and 30 more errors, which are not shown\n"));
}

TEST(Diagnostics, ComeInTheOrderOfTheirPlaces) {
  Fixture f("a\nb\nc\n");
  f.engine.report(Diag::unknown_name, {f.file, 4, 5}, {"c"});
  f.engine.report(Diag::unused_variable, {f.file, 0, 1}, {"a"});
  f.engine.report(Diag::unreadable_file, {99, 0, 0}, {"no place"});
  f.engine.report(Diag::wider_float, {f.file, 2, 3}, {"b", "b", "b"});
  std::string text = f.engine.renderText();
  EXPECT_TRUE(text.starts_with("error[K1007]: no place\na.kern:1:1: warning"));
  EXPECT_EQ(text.find("remark"), text.npos);
  text = f.engine.renderText(/*color=*/false, /*remarks=*/true);
  EXPECT_LT(text.find("a.kern:2:1: remark"), text.find("a.kern:3:1: error"));
  EXPECT_EQ(f.engine.renderJson().find("K0901"), std::string::npos);
  EXPECT_NE(f.engine.renderJson(/*remarks=*/true).find("K0901"),
            std::string::npos);
}

TEST(Diagnostics, WhatFollowsFromASyntaxErrorIsOnlyCounted) {
  Fixture f("0123456789");
  f.engine.markUncertain("y");
  f.engine.markBroken({f.file, 2, 5});
  f.engine.report(Diag::unknown_name, {f.file, 0, 1}, {"y"});
  f.engine.report(Diag::not_callable, {f.file, 1, 2}, {"`y`"});
  f.engine.report(Diag::missing_return, {f.file, 2, 3}, {"f"});
  f.engine.report(Diag::unused_variable, {f.file, 4, 5}, {"z"});
  EXPECT_EQ(f.engine.errors(), 3u);
  EXPECT_TRUE(f.engine.all().empty());
  EXPECT_EQ(f.engine.renderText(), "");
  // Other names, kinds of errors and places are not affected.
  f.engine.report(Diag::unknown_name, {f.file, 0, 1}, {"z"});
  f.engine.report(Diag::missing_return, {f.file, 5, 6}, {"g"});
  f.engine.report(Diag::unused_variable, {f.file, 5, 6}, {"z"});
  f.engine.report(Diag::wrong_argument_count, {f.file, 3, 4}, {"f", "", ""});
  EXPECT_EQ(f.engine.all().size(), 4u);
}

TEST(Diagnostics, NamesOfOtherLanguages) {
  EXPECT_EQ(kernNameOf("double"), "f64");
  EXPECT_EQ(kernNameOf("true"), "True");
  EXPECT_EQ(kernNameOf("M_PI"), "pi");
  EXPECT_EQ(kernNameOf("f64"), "");
  EXPECT_EQ(kernNameOf(""), "");
}

TEST(Diagnostics, AnAttemptLeavesNothing) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  diagnostics.report(Diag::unused_variable, {0, 0, 1}, {"a"});
  const DiagnosticEngine::Mark before = diagnostics.mark();
  diagnostics.report(Diag::unknown_name, {0, 2, 3}, {"b"});
  diagnostics.report(Diag::unused_variable, {0, 4, 5}, {"c"});
  EXPECT_TRUE(diagnostics.hasErrors());
  diagnostics.rollBack(before);
  EXPECT_FALSE(diagnostics.hasErrors());
  ASSERT_EQ(diagnostics.all().size(), 1u);
  // What was forgotten may be reported again.
  diagnostics.report(Diag::unknown_name, {0, 2, 3}, {"b"});
  EXPECT_EQ(diagnostics.errors(), 1u);
  EXPECT_EQ(diagnostics.all().size(), 2u);
}

TEST(Diagnostics, NearestNames) {
  std::vector<std::string_view> names = {"exp", "exp2", "sqrt", "arctan2", "x"};
  EXPECT_EQ(runtime::nearestName("sqtr", names), "sqrt");
  EXPECT_EQ(runtime::nearestName("exq", names), "exp");
  EXPECT_EQ(runtime::nearestName("artcan2", names), "arctan2");
  EXPECT_EQ(runtime::nearestName("y", names), "");
  EXPECT_EQ(runtime::nearestName("threshold", names), "");
  EXPECT_EQ(runtime::nearestName("", names), "");
  EXPECT_EQ(runtime::nearestName("abc", {}), "");
}

} // namespace
} // namespace kern
