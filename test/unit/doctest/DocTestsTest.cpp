//===- DocTestsTest.cpp - tests found in docstrings -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/DocTests.h"
#include "tools/kern/doctest/TestFunctions.h"

#include <gtest/gtest.h>

using namespace kern::cli;

namespace {

TEST(DocTests, AreFoundInOrderWithTheirLines) {
  std::vector<DocTest> tests = docTests("\"\"\"File.\n"
                                        ">>> f(1)\n"
                                        "1\n"
                                        "\"\"\"\n"
                                        "ufunc f(x):\n"
                                        "    \"\"\"Text >>> no test\n"
                                        "\n"
                                        "    >>> f([1,\n"
                                        "    ...    2])\n"
                                        "    [1,\n"
                                        "     2]\n"
                                        "\n"
                                        "    Prose.\n"
                                        "    >>> f(3)\n"
                                        "    >>> f(4)\n"
                                        "    4\"\"\"\n"
                                        "    return x\n"
                                        "def g(x):\n"
                                        "    '''>>> f(5)\n"
                                        "    5'''\n"
                                        "    return x\n");
  ASSERT_EQ(tests.size(), 5u);
  EXPECT_EQ(tests[0].line, 2u);
  EXPECT_EQ(tests[1].line, 8u);
  EXPECT_EQ(tests[1].expression, "f([1, 2])");
  EXPECT_EQ(tests[1].expected, "[1, 2]");
  EXPECT_EQ(tests[2].line, 14u);
  EXPECT_EQ(tests[2].expected, "");
  EXPECT_EQ(tests[3].expected, "4");
  EXPECT_EQ(tests[4].line, 19u);
  EXPECT_EQ(tests[4].expression, "f(5)");
}

TEST(DocTests, MayHaveComments) {
  std::vector<DocTest> tests = docTests("\"\"\"\n"
                                        ">>> # a comment alone\n"
                                        "no result\n"
                                        "\n"
                                        ">>> f(1,  # the first\n"
                                        "...   2)  # the second\n"
                                        "3\n"
                                        ">>> f('#', 1)\n"
                                        "error: no # here\n"
                                        "\"\"\"\n");
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_EQ(tests[0].expression, "f(1, 2)");
  EXPECT_EQ(tests[0].expected, "3");
  EXPECT_EQ(tests[1].expression, "f('#', 1)");
  EXPECT_EQ(tests[1].expected, "error: no # here");
}

TEST(DocTests, AreNotFoundElsewhere) {
  EXPECT_TRUE(docTests("").empty());
  EXPECT_TRUE(docTests("ufunc f(x):\n    # >>> f(1)\n    return x\n").empty());
  EXPECT_TRUE(docTests("ufunc f(x):\n    return x\n\">>> f(1)\"\n").empty());
  EXPECT_TRUE(docTests("\"\"\">>> f(1)").empty());
}

TEST(DocTests, LinesMayEndAsInAnyEditor) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    std::string text = "ufunc f(x):\n    \"\"\"F.\n\n    >>> f(1,\n    ...   "
                       "2)\n    3\n    4\n    >>> f(5)\n    6\n    \"\"\"\n"
                       "    return x\n";
    for (size_t at = 0; (at = text.find('\n', at)) != text.npos;
         at += end.size())
      text.replace(at, 1, end);
    std::vector<DocTest> tests = docTests(text);
    ASSERT_EQ(tests.size(), 2u);
    EXPECT_EQ(tests[0].line, 4u);
    EXPECT_EQ(tests[0].expression, "f(1, 2)");
    EXPECT_EQ(tests[0].expected, "3 4");
    EXPECT_EQ(tests[1].line, 8u);
    EXPECT_EQ(tests[1].expected, "6");
  }
}

TEST(DocTests, KnowWhereTheirExpressionStands) {
  std::vector<DocTest> tests = docTests("'''File.\n"
                                        "  >>> f('ä', x,  # two\n"
                                        "  ...      y)\n"
                                        "  1'''\n");
  ASSERT_EQ(tests.size(), 1u);
  ASSERT_EQ(tests[0].expression, "f('ä', x, y)");
  auto place = [&](const char *word) {
    kern::compiler::LineColumn at =
        tests[0].placeOf(tests[0].expression.find(word));
    return std::pair(at.line, at.column);
  };
  EXPECT_EQ(place("f("), std::pair(2u, 7u));
  EXPECT_EQ(place("x"), std::pair(2u, 14u));
  EXPECT_EQ(place("y"), std::pair(3u, 12u));
}

TEST(TestPlaces, OfTheWrapperBecomeTheTests) {
  EXPECT_EQ(placedInTest("t.kern:25:12: error[K0202]: unknown function `foo`\n"
                         "  25 |     return foo(x0)\n"
                         "     |            ^~~\n"
                         "  = help: did you mean `f`?\n",
                         "t.kern", 20, "t.kern:4:9"),
            "t.kern:4:9: error[K0202]: unknown function `foo`\n"
            "  = help: did you mean `f`?\n");
  // Messages about the file itself stay unchanged, and so do texts that only
  // look similar.
  const std::string inFile = "t.kern:3:12: error[K0303]: no `&`\n"
                             "   3 |     return x & y\n"
                             "     |            ^~~~~\n";
  EXPECT_EQ(placedInTest(inFile + "t.kern:25:12: note: called from here\n"
                                  "  25 |     return f(x0)\n"
                                  "     |            ^~~~~\n"
                                  "t.kern:24:7: note: in the loop "
                                  "called_by_a_test(f32)\n"
                                  "  24 | ufunc called_by_a_test(x0):\n"
                                  "     |       ^\n",
                         "t.kern", 20, "t.kern:4:9"),
            inFile + "t.kern:4:9: note: called from here\n");
  for (const char *text : {"", "\n", "t.kern: no place", "t.kern:x:1: a",
                           "t.kern:25", "u.kern:25:1: error", "a | b"})
    EXPECT_EQ(placedInTest(text, "t.kern", 20, "t.kern:4:9"), text);
}

} // namespace
