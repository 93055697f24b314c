//===- ExpressionTest.cpp - the parser against CPython's ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dump.h"

#include <gtest/gtest.h>

namespace kern::syntax::test {
namespace {

struct Row {
  const char *source;
  const char *tree;
  const char *spans;
};
const Row pythonRows[] = {
#include "PythonExpressions.inc"
};

TEST(Expression, TreesAreThoseOfCPython) {
  for (const Row &row : pythonRows)
    EXPECT_EQ(parseExpression(row.source), row.tree) << row.source;
}

TEST(Expression, SpansAreThoseOfCPython) {
  for (const Row &row : pythonRows) {
    Parsed parsed("const X = " + std::string(row.source));
    ASSERT_EQ(parsed.errors(), "") << row.source;
    const Const &constant = std::get<Const>(parsed.tree.items.at(0).node);
    EXPECT_EQ(dumpSpans(*constant.value, 10), row.spans) << row.source;
  }
}

// What Python does not have, or not like this.
TEST(Expression, GeneratorsAsLastArgument) {
  EXPECT_EQ(parseExpression("fold(f, 0, x for x in v)"),
            "(call fold f 0 (gen x (for x v)))");
  EXPECT_EQ(parseExpression("fold(f, (0, 1), ((x, 1) for x in v))"),
            "(call fold f (tuple 0 1) (gen (tuple x 1) (for x v)))");
  EXPECT_EQ(parseExpression("fold(f, (0, 1), (x, 1) for x in v)"),
            "(call fold f (tuple 0 1) (gen (tuple x 1) (for x v)))");
  EXPECT_EQ(parseExpression("sum((x for x in v))"),
            "(call sum (gen x (for x v)))");
}

TEST(Expression, KeywordArgumentsAreKept) {
  EXPECT_EQ(parseExpression("f(a, b=1, c=x if y else z)"),
            "(call f a b=1 c=(if y x z))");
}

TEST(Expression, OperatorsKnowTheirPlace) {
  Parsed parsed("const X = a  //  b");
  const Const &constant = std::get<Const>(parsed.tree.items.at(0).node);
  const Binary *binary = constant.value->as<Binary>();
  ASSERT_TRUE(binary);
  EXPECT_EQ(parsed.sources.text(binary->opSpan), "//");
  EXPECT_EQ(binary->opSpan.begin, 13u);
}

TEST(Expression, IntegersHave128Bits) {
  EXPECT_EQ(parseExpression("340282366920938463463374607431768211455"),
            "340282366920938463463374607431768211455");
  EXPECT_EQ(parseExpression("0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"),
            "340282366920938463463374607431768211455");
  EXPECT_EQ(parseExpression("340282366920938463463374607431768211456"),
            "1:11 K0107");
  EXPECT_EQ(parseExpression("00_0"), "0");
}

TEST(Expression, FloatsAreCorrectlyRounded) {
  // 2^-1074 is the smallest subnormal; half of it rounds to even, 0.
  EXPECT_EQ(parseExpression("4.9406564584124654e-324"), "5e-324");
  EXPECT_EQ(parseExpression("2.4703282292062327e-324"), "0");
  EXPECT_EQ(parseExpression("1e400"), "inf");
  EXPECT_EQ(parseExpression("0.00001e400"), "inf");
  EXPECT_EQ(parseExpression("1e-400"), "0");
  EXPECT_EQ(parseExpression("123456789e-500"), "0");
  EXPECT_EQ(parseExpression("0e999"), "0");
  EXPECT_EQ(parseExpression("9007199254740993.0"), "9007199254740992");
}

} // namespace
} // namespace kern::syntax::test
