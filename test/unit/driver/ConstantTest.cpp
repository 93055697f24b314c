//===- ConstantTest.cpp - what is folded, and to what ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/lowering/Constant.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace kern;

namespace {

Constant integer(__int128 value) { return {value}; }
constexpr __int128 maxInteger = ~(__int128(1) << 127);

std::optional<__int128> ofIntegers(const char *function, __int128 a,
                                   __int128 b) {
  std::optional<Constant> result = fold(function, {integer(a), integer(b)});
  return result ? result->asInt() : std::nullopt;
}

double ofFloats(const char *function, double a, double b) {
  std::optional<Constant> result = fold(function, {Constant{a}, Constant{b}});
  const double *value = result ? std::get_if<double>(&result->value) : nullptr;
  if (!value)
    ADD_FAILURE() << function << " is not folded to a float";
  return value ? *value : NAN;
}

// Python's values.
TEST(Fold, Integers) {
  struct Row {
    const char *function;
    int64_t a, b, result;
  };
  const Row table[] = {
      {"add", 2, 3, 5},
      {"subtract", 2, 3, -1},
      {"multiply", -4, 3, -12},
      {"floor_divide", 7, 2, 3},
      {"floor_divide", -7, 2, -4},
      {"floor_divide", 7, -2, -4},
      {"floor_divide", -7, -2, 3},
      {"floor_divide", -8, 2, -4},
      {"remainder", 7, 3, 1},
      {"remainder", -7, 3, 2},
      {"remainder", 7, -3, -2},
      {"remainder", -7, -3, -1},
      {"power", 2, 10, 1024},
      {"power", -3, 3, -27},
      {"power", 0, 0, 1},
      {"bitwise_and", -2, 7, 6},
      {"bitwise_or", -8, 3, -5},
      {"bitwise_xor", 6, 3, 5},
      {"left_shift", 3, 4, 48},
      {"right_shift", -5, 1, -3},
      {"right_shift", -5, 1000, -1},
      {"right_shift", 5, 1000, 0},
      {"maximum", -1, 2, 2},
      {"minimum", -1, 2, -1},
  };
  for (const Row &row : table)
    EXPECT_TRUE(ofIntegers(row.function, row.a, row.b) == row.result)
        << row.function << " " << row.a << " " << row.b;
}

TEST(Fold, IntegersDoNotWrap) {
  __int128 wide = __int128(1) << 100;
  EXPECT_TRUE(ofIntegers("power", 2, 100) == wide);
  EXPECT_TRUE(ofIntegers("subtract", wide, 1) == wide - 1);
  EXPECT_FALSE(fold("add", {integer(maxInteger), integer(1)}));
  EXPECT_FALSE(fold("multiply", {integer(wide), integer(wide)}));
  EXPECT_FALSE(fold("power", {integer(2), integer(200)}));
  EXPECT_FALSE(fold("power", {integer(10), integer(maxInteger)}));
}

// What a type decides is left to run time: x // 0 is 0 for integers.
TEST(Fold, Left) {
  for (const char *function : {"floor_divide", "remainder", "true_divide"})
    EXPECT_FALSE(fold(function, {integer(1), integer(0)})) << function;
  EXPECT_FALSE(fold("power", {integer(2), integer(-1)}));
  EXPECT_FALSE(fold("left_shift", {integer(1), integer(-1)}));
  EXPECT_FALSE(fold("left_shift", {integer(1), integer(64)}));
  EXPECT_FALSE(fold("add", {Constant{true}, Constant{true}}));
  EXPECT_FALSE(fold("nextafter", {Constant{1.0}, Constant{2.0}}));
  EXPECT_FALSE(fold("no_function", {integer(1)}));
  EXPECT_FALSE(fold("bitwise_and", {Constant{1.0}, Constant{2.0}}));
}

TEST(Fold, Floats) {
  EXPECT_EQ(ofFloats("add", 0.1, 0.2), 0.30000000000000004);
  EXPECT_EQ(ofFloats("true_divide", 1, 3), 0.3333333333333333);
  EXPECT_EQ(ofFloats("power", 2, 0.5), 1.4142135623730951);
  // Python: -7.5 % 2 and 7.5 % -2.
  EXPECT_EQ(ofFloats("remainder", -7.5, 2), 0.5);
  EXPECT_EQ(ofFloats("remainder", 7.5, -2), -0.5);
  EXPECT_TRUE(std::signbit(ofFloats("remainder", 4, -2)));
  std::optional<Constant> quotient =
      fold("true_divide", {integer(7), integer(2)});
  ASSERT_TRUE(quotient && quotient->isFloat());
  EXPECT_EQ(std::get<double>(quotient->value), 3.5);
  std::optional<Constant> root = fold("sqrt", {integer(2)});
  ASSERT_TRUE(root && root->isFloat());
  EXPECT_EQ(std::get<double>(root->value), 1.4142135623730951);
  std::optional<Constant> zero = fold("negative", {Constant{0.0}});
  ASSERT_TRUE(zero && zero->isFloat());
  EXPECT_TRUE(std::signbit(std::get<double>(zero->value)));
}

TEST(Fold, Comparisons) {
  auto holds = [](const char *function, Constant a, Constant b) {
    std::optional<Constant> result = fold(function, {a, b});
    const bool *flag = result ? std::get_if<bool>(&result->value) : nullptr;
    EXPECT_TRUE(flag) << function;
    return flag && *flag;
  };
  EXPECT_TRUE(holds("less", integer(-1), integer(0)));
  EXPECT_FALSE(holds("less", integer(0), integer(0)));
  EXPECT_TRUE(holds("less_equal", integer(0), integer(0)));
  EXPECT_TRUE(holds("equal", integer(1), Constant{1.0}));
  EXPECT_FALSE(holds("equal", Constant{NAN}, Constant{NAN}));
  EXPECT_TRUE(holds("not_equal", Constant{NAN}, Constant{NAN}));
}

TEST(Truth, OfNumbers) {
  EXPECT_FALSE(truth(integer(0)));
  EXPECT_TRUE(truth(integer(-1)));
  EXPECT_FALSE(truth(Constant{-0.0}));
  EXPECT_TRUE(truth(Constant{NAN}));
  EXPECT_TRUE(truth(Constant{std::complex<double>(0, 1)}));
  EXPECT_FALSE(truth(Constant{std::complex<double>(0, 0)}));
  EXPECT_TRUE(truth(Constant{true}));
}

} // namespace
