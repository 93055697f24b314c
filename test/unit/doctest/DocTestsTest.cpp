//===- DocTestsTest.cpp - tests found in docstrings -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/DocTests.h"

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

} // namespace
