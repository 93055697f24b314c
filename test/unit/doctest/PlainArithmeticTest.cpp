//===- PlainArithmeticTest.cpp - plain numbers compute as Python's do -----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/PlainArithmetic.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace kern::cli;

namespace {

TestValue integer(int64_t number) {
  TestValue value;
  value.value.kind = KERN_VALUE_WEAK_INT;
  value.value.as.integer = number;
  return value;
}
TestValue integer(const std::string &digits) { return *plainInteger(digits); }
TestValue real(double number) {
  TestValue value;
  value.value.kind = KERN_VALUE_WEAK_FLOAT;
  value.value.as.real = number;
  return value;
}
bool isTrue(const kern::runtime::Expected<TestValue> &value) {
  return value && value->value.kind == KERN_VALUE_SCALAR &&
         value->value.as.bits[0] == 1;
}

// Expected values: CPython 3.11.
TEST(PlainArithmetic, Integers) {
  struct {
    int64_t a;
    const char *op;
    int64_t b, result;
  } rows[] = {{7, "+", -9, -2},    {7, "-", 9, -2},    {-7, "*", 9, -63},
              {7, "//", 2, 3},     {-7, "//", 2, -4},  {7, "//", -2, -4},
              {-7, "//", -2, 3},   {7, "%", 3, 1},     {-7, "%", 3, 2},
              {7, "%", -3, -2},    {-6, "%", 3, 0},    {2, "**", 62, 1LL << 62},
              {-1, "**", 101, -1}, {-1, "**", 100, 1}, {0, "**", 0, 1},
              {5, "//", -1, -5},   {5, "%", -1, 0},    {1, "<<", 2, 4},
              {-5, "<<", 3, -40},  {-5, ">>", 1, -3},  {5, ">>", 100, 0},
              {6, "&", 3, 2},      {-6, "&", 3, 2},    {-6, "|", 3, -5},
              {6, "^", -3, -5},    {0, "<<", 9999, 0}};
  for (auto &row : rows) {
    auto value = plainArithmetic(row.op, integer(row.a), integer(row.b));
    ASSERT_TRUE(value) << row.a << row.op << row.b;
    EXPECT_EQ(value->value.kind, KERN_VALUE_WEAK_INT);
    EXPECT_EQ(value->value.as.integer, row.result) << row.a << row.op << row.b;
  }
  EXPECT_DOUBLE_EQ(plainArithmetic("/", integer(1), integer(4))->value.as.real,
                   0.25);
  EXPECT_DOUBLE_EQ(
      plainArithmetic("**", integer(2), integer(-2))->value.as.real, 0.25);
}

TEST(PlainArithmetic, WhatPythonRefusesIsRefused) {
  for (const char *op : {"/", "//", "%"}) {
    EXPECT_FALSE(plainArithmetic(op, integer(1), integer(0)));
    EXPECT_FALSE(plainArithmetic(op, real(1), real(0)));
  }
  EXPECT_FALSE(plainArithmetic("**", integer(0), integer(-1)));
  for (const char *op : {"<<", ">>"})
    EXPECT_FALSE(plainArithmetic(op, integer(1), integer(-1)));
  for (const char *op : {"<<", ">>", "&", "|", "^"}) {
    EXPECT_FALSE(plainArithmetic(op, real(1), integer(1)));
    EXPECT_FALSE(plainArithmetic(op, integer(1), real(1)));
  }
  EXPECT_FALSE(plainInverse(real(1)));
  // 10 ** 400 is beyond the largest float.
  auto large = plainArithmetic("**", integer(10), integer(400));
  ASSERT_TRUE(large);
  for (const char *op : {"+", "*", "/", "//", "%", "**"})
    EXPECT_FALSE(plainArithmetic(op, *large, real(1))) << op;
}

TEST(PlainArithmetic, IntegersBeyond64Bits) {
  struct {
    const char *a, *op, *b, *result;
  } rows[] = {
      {"9223372036854775807", "+", "1", "9223372036854775808"},
      {"-9223372036854775808", "//", "-1", "9223372036854775808"},
      {"-9223372036854775808", "-", "1", "-9223372036854775809"},
      {"2", "**", "70", "1180591620717411303424"},
      {"-3", "**", "41", "-36472996377170786403"},
      {"1", "<<", "70", "1180591620717411303424"},
      {"1180591620717411303424", ">>", "69", "2"},
      {"123456789012345678901234567890", "%", "97", "52"},
      {"-123456789012345678901234567890", "//", "97",
       "-1272750402189130710322005855"},
      {"123456789012345678901234567890", "*", "-987654321",
       "-121932631124828532112482853211126352690"},
      {"0xFFFFFFFFFFFFFFFFFFFF", "&", "0xF0F0F0F0F0F0F0F0F0F0",
       "1137812536107886282076400"},
      {"-1180591620717411303425", "^", "1", "-1180591620717411303426"},
      {"1_000_000_000_000_000_000_000", "-", "999999999999999999999", "1"},
  };
  for (auto &row : rows) {
    auto value = plainArithmetic(row.op, integer(row.a), integer(row.b));
    ASSERT_TRUE(value) << row.a << row.op << row.b;
    EXPECT_EQ(value->digits(), row.result) << row.a << row.op << row.b;
  }
  EXPECT_EQ(plainNegative(integer(INT64_MIN))->digits(), "9223372036854775808");
  EXPECT_EQ(plainInverse(integer("9223372036854775808"))->digits(),
            "-9223372036854775809");
  EXPECT_EQ(plainInverse(integer(5))->digits(), "-6");
  auto large = plainArithmetic("**", integer(10), integer(400));
  EXPECT_EQ(plainArithmetic("/", *large,
                            *plainArithmetic("**", integer(10), integer(399)))
                ->value.as.real,
            10.0);
  // The bound, which is Kern's and not Python's.
  EXPECT_TRUE(plainArithmetic("<<", integer(1), integer(4095)));
  EXPECT_FALSE(plainArithmetic("<<", integer(1), integer(4096)));
  EXPECT_FALSE(plainArithmetic("**", integer(2), integer(1000000000)));
  for (const char *wrong : {"", "-", "0x", "12a", "0b2", "1.5", "--1", "_1"})
    EXPECT_FALSE(plainInteger(wrong)) << wrong;
}

TEST(PlainArithmetic, ComparisonsAreByValue) {
  const TestValue wide = integer("1180591620717411303424"); // 2 ** 70
  EXPECT_TRUE(isTrue(plainArithmetic(">", wide, integer(1))));
  EXPECT_TRUE(isTrue(plainArithmetic("==", wide, real(0x1p70))));
  EXPECT_TRUE(isTrue(plainArithmetic("<", real(1e21), wide)));
  // 2 ** 53 + 1 is not a float.
  const TestValue odd = integer(9007199254740993);
  EXPECT_TRUE(isTrue(plainArithmetic("!=", odd, real(0x1p53))));
  EXPECT_TRUE(isTrue(plainArithmetic("<", real(0x1p53), odd)));
  auto large = plainArithmetic("**", integer(10), integer(400));
  EXPECT_TRUE(isTrue(plainArithmetic("<", *large, real(INFINITY))));
  EXPECT_TRUE(isTrue(plainArithmetic("!=", *large, real(NAN))));
  EXPECT_FALSE(isTrue(plainArithmetic("<", *large, real(NAN))));
  EXPECT_FALSE(isTrue(plainArithmetic("==", integer(1), real(NAN))));
}

TEST(PlainArithmetic, Floats) {
  EXPECT_EQ(plainArithmetic("%", real(-7.5), integer(2))->value.as.real, 0.5);
  EXPECT_EQ(plainArithmetic("//", real(-7.5), integer(2))->value.as.real, -4.0);
  EXPECT_EQ(plainArithmetic("**", real(2), real(0.5))->value.as.real,
            std::sqrt(2));
  EXPECT_EQ(plainArithmetic("**", real(-8), real(1.0 / 3))->value.kind,
            KERN_VALUE_WEAK_COMPLEX);
  EXPECT_EQ(plainArithmetic("<", real(1), integer(2))->value.as.bits[0], 1);
  EXPECT_EQ(plainArithmetic("==", real(NAN), real(NAN))->value.as.bits[0], 0);
  EXPECT_TRUE(std::signbit(plainNegative(real(0))->value.as.real));
}

} // namespace
