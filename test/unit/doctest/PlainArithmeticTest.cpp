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

kern_value integer(int64_t number) {
  kern_value value{};
  value.kind = KERN_VALUE_WEAK_INT;
  value.as.integer = number;
  return value;
}
kern_value real(double number) {
  kern_value value{};
  value.kind = KERN_VALUE_WEAK_FLOAT;
  value.as.real = number;
  return value;
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
              {5, "//", -1, -5},   {5, "%", -1, 0}};
  for (auto &row : rows) {
    auto value = plainArithmetic(row.op, integer(row.a), integer(row.b));
    ASSERT_TRUE(value) << row.a << row.op << row.b;
    EXPECT_EQ(value->kind, KERN_VALUE_WEAK_INT);
    EXPECT_EQ(value->as.integer, row.result) << row.a << row.op << row.b;
  }
  EXPECT_DOUBLE_EQ(plainArithmetic("/", integer(1), integer(4))->as.real, 0.25);
  EXPECT_DOUBLE_EQ(plainArithmetic("**", integer(2), integer(-2))->as.real,
                   0.25);
}

TEST(PlainArithmetic, WhatPythonRefusesIsRefused) {
  for (const char *op : {"/", "//", "%"}) {
    EXPECT_FALSE(plainArithmetic(op, integer(1), integer(0)));
    EXPECT_FALSE(plainArithmetic(op, real(1), real(0)));
  }
  EXPECT_FALSE(plainArithmetic("+", integer(INT64_MAX), integer(1)));
  EXPECT_FALSE(plainArithmetic("*", integer(INT64_MIN), integer(-1)));
  EXPECT_FALSE(plainArithmetic("//", integer(INT64_MIN), integer(-1)));
  EXPECT_FALSE(plainArithmetic("**", integer(10), integer(19)));
  EXPECT_FALSE(plainArithmetic("**", integer(0), integer(-1)));
}

TEST(PlainArithmetic, Floats) {
  EXPECT_EQ(plainArithmetic("%", real(-7.5), integer(2))->as.real, 0.5);
  EXPECT_EQ(plainArithmetic("//", real(-7.5), integer(2))->as.real, -4.0);
  EXPECT_EQ(plainArithmetic("**", real(2), real(0.5))->as.real, std::sqrt(2));
  EXPECT_EQ(plainArithmetic("**", real(-8), real(1.0 / 3))->kind,
            KERN_VALUE_WEAK_COMPLEX);
  EXPECT_EQ(plainArithmetic("<", real(1), integer(2))->as.bits[0], 1);
  EXPECT_EQ(plainArithmetic("==", real(NAN), real(NAN))->as.bits[0], 0);
  EXPECT_TRUE(std::signbit(plainNegative(real(0)).as.real));
}

} // namespace
