//===- ExpressionTest.cpp - the parser against CPython's ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dump.h"

#include <gtest/gtest.h>

namespace kern::compiler::syntax::test {
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

/// The decimal digits are Python's.
TEST(Expression, IntegersHave4096Bits) {
  EXPECT_EQ(parseExpression("340282366920938463463374607431768211455"),
            "340282366920938463463374607431768211455");
  EXPECT_EQ(parseExpression("0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"),
            "340282366920938463463374607431768211455");
  for (const char *written :
       {"340282366920938463463374607431768211456",
        "0x1_00000000_00000000_00000000_00000000",
        "0b1000000000000000000000000000000000000000000000000000000000000000000"
        "00000000000000000000000000000000000000000000000000000000000000"})
    EXPECT_EQ(parseExpression(written),
              "340282366920938463463374607431768211456");
  EXPECT_EQ(parseExpression("0o2" + std::string(85, '0')),
            "115792089237316195423570985008687907853269984665640564039457584007"
            "913129639936");
  const std::string zeros(1233, '0');
  EXPECT_EQ(parseExpression("1" + zeros), "1" + zeros);
  EXPECT_EQ(parseExpression("2" + zeros), "1:11 K0107");
  EXPECT_EQ(parseExpression("0x" + std::string(1024, 'F')).substr(0, 18),
            "104438888141315250");
  EXPECT_EQ(parseExpression("0x1" + std::string(1024, '0')), "1:11 K0107");
  EXPECT_EQ(parseExpression("0x" + std::string(2000, '0') + "7"), "7");
  EXPECT_EQ(parseExpression(std::string(100000, '9')), "1:11 K0107");
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
} // namespace kern::compiler::syntax::test
