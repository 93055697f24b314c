//===- ConstantTest.cpp - what is folded, and to what ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/constants/ConstantFunctions.h"

#include "llvm/ADT/SmallString.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace kern::compiler;
using kern::ir::infoOf;
using F = kern::ir::ScalarFunction;

namespace {

Constant integer(__int128 value) { return {Integer(value)}; }

std::optional<int64_t> ofIntegers(F function, __int128 a, __int128 b) {
  std::optional<Constant> result =
      fold(function, {integer(a), integer(b)}).value;
  const Integer *value = result ? result->asInt() : nullptr;
  return value ? value->asInt64() : std::nullopt;
}

double ofFloats(F function, double a, double b) {
  std::optional<Constant> result =
      fold(function, {Constant{a}, Constant{b}}).value;
  const double *value = result ? std::get_if<double>(&result->value) : nullptr;
  if (!value)
    ADD_FAILURE() << infoOf(function).name.str() << " is not folded to a float";
  return value ? *value : NAN;
}

// Python's values.
TEST(Fold, Integers) {
  struct Row {
    F function;
    int64_t a, b, result;
  };
  const Row table[] = {
      {F::add, 2, 3, 5},
      {F::subtract, 2, 3, -1},
      {F::multiply, -4, 3, -12},
      {F::floor_divide, 7, 2, 3},
      {F::floor_divide, -7, 2, -4},
      {F::floor_divide, 7, -2, -4},
      {F::floor_divide, -7, -2, 3},
      {F::floor_divide, -8, 2, -4},
      {F::remainder, 7, 3, 1},
      {F::remainder, -7, 3, 2},
      {F::remainder, 7, -3, -2},
      {F::remainder, -7, -3, -1},
      {F::power, 2, 10, 1024},
      {F::power, -3, 3, -27},
      {F::power, 0, 0, 1},
      {F::bitwise_and, -2, 7, 6},
      {F::bitwise_or, -8, 3, -5},
      {F::bitwise_xor, 6, 3, 5},
      {F::left_shift, 3, 4, 48},
      {F::right_shift, -5, 1, -3},
      {F::right_shift, -5, 1000, -1},
      {F::right_shift, 5, 1000, 0},
      {F::maximum, -1, 2, 2},
      {F::minimum, -1, 2, -1},
  };
  for (const Row &row : table)
    EXPECT_TRUE(ofIntegers(row.function, row.a, row.b) == row.result)
        << infoOf(row.function).name.str() << " " << row.a << " " << row.b;
}

std::string digits(const Folded &folded) {
  const Integer *value = folded.value ? folded.value->asInt() : nullptr;
  if (!value)
    return "no integer";
  llvm::SmallString<64> text;
  value->bits().toStringSigned(text);
  return text.str().str();
}

// Python's digits.
TEST(Fold, IntegersDoNotWrap) {
  const Constant two = integer(2), ten = integer(10);
  Constant googol = *fold(F::power, {ten, integer(100)}).value;
  EXPECT_EQ(digits(fold(F::power, {two, integer(127)})),
            "170141183460469231731687303715884105728");
  EXPECT_EQ(digits(fold(F::left_shift, {integer(-3), integer(130)})),
            "-4083388403051261561560495289181218537472");
  EXPECT_EQ(digits(fold(F::power, {integer(-7), integer(50)})),
            "1798465042647412146620280340569649349251249");
  EXPECT_EQ(digits(fold(F::power, {integer(-2), integer(131)})),
            "-2722258935367507707706996859454145691648");
  EXPECT_EQ(digits(fold(F::floor_divide, {googol, integer(-7)})),
            "-1428571428571428571428571428571428571428571428571428571428571428"
            "571428571428571428571428571428571429");
  EXPECT_EQ(digits(fold(F::remainder, {googol, integer(-7)})), "-3");
  EXPECT_EQ(digits(fold(F::right_shift, {googol, integer(300)})), "4909093465");
  EXPECT_EQ(digits(fold(F::right_shift,
                        {*fold(F::negative, {googol}).value, integer(5000)})),
            "-1");
  EXPECT_EQ(digits(fold(F::subtract,
                        {fold(F::add, {googol, two}).value.value(), googol})),
            "2");
  EXPECT_EQ(digits(fold(F::invert, {integer(5)})), "-6");
  EXPECT_EQ(digits(fold(F::power, {integer(-1), googol})), "1");
}

TEST(Fold, HasABound) {
  const Constant two = integer(2);
  Constant largest = *fold(F::power, {two, integer(4095)}).value;
  EXPECT_EQ(fold(F::add, {largest, largest}).outcome, Folded::TooWide);
  EXPECT_EQ(fold(F::power, {two, integer(4096)}).outcome, Folded::TooWide);
  EXPECT_EQ(fold(F::power, {two, largest}).outcome, Folded::TooWide);
  EXPECT_EQ(fold(F::left_shift, {two, largest}).outcome, Folded::TooWide);
  EXPECT_EQ(fold(F::multiply, {largest, largest}).outcome, Folded::TooWide);
  // 4096 bits is a bound of the magnitude.
  EXPECT_TRUE(fold(F::power, {integer(-2), integer(4095)}).value);
  EXPECT_EQ(fold(F::power, {integer(-2), integer(4097)}).outcome,
            Folded::TooWide);
  EXPECT_EQ(fold(F::left_shift, {integer(-1), integer(4096)}).outcome,
            Folded::TooWide);
  EXPECT_TRUE(fold(F::left_shift, {integer(0), largest}).value);
  // Python: int too large to convert to float.
  EXPECT_EQ(fold(F::sqrt, {largest}).outcome, Folded::NoFloat);
  EXPECT_EQ(fold(F::multiply, {largest, Constant{1.0}}).outcome,
            Folded::NoFloat);
  EXPECT_EQ(fold(F::true_divide, {largest, two}).outcome, Folded::NoFloat);
}

// Python: each is rounded once.
TEST(Fold, Quotients) {
  auto power = [](int base, int exponent) {
    return *fold(F::power, {integer(base), integer(exponent)}).value;
  };
  auto over = [](const Constant &a, const Constant &b) {
    Folded folded = fold(F::true_divide, {a, b});
    return folded.value ? std::get<double>(folded.value->value) : NAN;
  };
  EXPECT_EQ(over(integer(7), integer(2)), 3.5);
  EXPECT_EQ(over(integer(-1), integer(3)), -0.3333333333333333);
  EXPECT_EQ(over(power(2, 2000), power(2, 1999)), 2.0);
  EXPECT_EQ(over(power(10, 400), power(3, 800)), 2.0090753457532982e+18);
  EXPECT_EQ(over(integer(9007199254740993), integer(3)), 3002399751580331.0);
  EXPECT_EQ(over(power(3, 100), power(10, 360)), 5.1537752073e-313);
  EXPECT_EQ(over(integer(1), power(2, 1074)), 5e-324);
  EXPECT_EQ(over(integer(1), power(2, 1075)), 0.0);
  EXPECT_EQ(over(integer(3), power(2, 1075)), 1e-323);
}

// By value: 2 ** 53 + 1 is not a float.
TEST(Fold, ComparesByValue) {
  Constant odd = integer((int64_t(1) << 53) + 1), near{0x1p53};
  EXPECT_TRUE(truth(*fold(F::greater, {odd, near}).value));
  EXPECT_TRUE(truth(*fold(F::less, {near, odd}).value));
  EXPECT_FALSE(truth(*fold(F::equal, {odd, near}).value));
  EXPECT_TRUE(truth(*fold(F::less, {integer(-3), Constant{-2.5}}).value));
  EXPECT_TRUE(truth(*fold(F::greater, {integer(-2), Constant{-2.5}}).value));
  Constant googol = *fold(F::power, {integer(10), integer(100)}).value;
  EXPECT_TRUE(truth(*fold(F::less, {googol, Constant{INFINITY}}).value));
  EXPECT_FALSE(truth(*fold(F::less, {googol, Constant{NAN}}).value));
  EXPECT_TRUE(truth(*fold(F::not_equal, {googol, Constant{NAN}}).value));
}

// Results that depend on the type are left to run time: x // 0 is 0 for
// integers.
TEST(Fold, Left) {
  for (F function : {F::floor_divide, F::remainder, F::true_divide})
    EXPECT_FALSE(fold(function, {integer(1), integer(0)}).value)
        << infoOf(function).name.str();
  EXPECT_FALSE(fold(F::power, {integer(2), integer(-1)}).value);
  EXPECT_FALSE(fold(F::left_shift, {integer(1), integer(-1)}).value);
  EXPECT_FALSE(fold(F::add, {Constant{true}, Constant{true}}).value);
  EXPECT_FALSE(fold(F::nextafter, {Constant{1.0}, Constant{2.0}}).value);
  EXPECT_FALSE(fold(F::bitwise_and, {Constant{1.0}, Constant{2.0}}).value);
}

TEST(Fold, Floats) {
  EXPECT_EQ(ofFloats(F::add, 0.1, 0.2), 0.30000000000000004);
  EXPECT_EQ(ofFloats(F::true_divide, 1, 3), 0.3333333333333333);
  EXPECT_EQ(ofFloats(F::power, 2, 0.5), 1.4142135623730951);
  // Python: -7.5 % 2 and 7.5 % -2.
  EXPECT_EQ(ofFloats(F::remainder, -7.5, 2), 0.5);
  EXPECT_EQ(ofFloats(F::remainder, 7.5, -2), -0.5);
  EXPECT_TRUE(std::signbit(ofFloats(F::remainder, 4, -2)));
  std::optional<Constant> quotient =
      fold(F::true_divide, {integer(7), integer(2)}).value;
  ASSERT_TRUE(quotient && quotient->isFloat());
  EXPECT_EQ(std::get<double>(quotient->value), 3.5);
  std::optional<Constant> root = fold(F::sqrt, {integer(2)}).value;
  ASSERT_TRUE(root && root->isFloat());
  EXPECT_EQ(std::get<double>(root->value), 1.4142135623730951);
  std::optional<Constant> zero = fold(F::negative, {Constant{0.0}}).value;
  ASSERT_TRUE(zero && zero->isFloat());
  EXPECT_TRUE(std::signbit(std::get<double>(zero->value)));
}

TEST(Fold, Comparisons) {
  auto holds = [](F function, const Constant &a, const Constant &b) {
    std::optional<Constant> result = fold(function, {a, b}).value;
    const bool *flag = result ? std::get_if<bool>(&result->value) : nullptr;
    EXPECT_TRUE(flag) << infoOf(function).name.str();
    return flag && *flag;
  };
  EXPECT_TRUE(holds(F::less, integer(-1), integer(0)));
  EXPECT_FALSE(holds(F::less, integer(0), integer(0)));
  EXPECT_TRUE(holds(F::less_equal, integer(0), integer(0)));
  EXPECT_TRUE(holds(F::equal, integer(1), Constant{1.0}));
  EXPECT_FALSE(holds(F::equal, Constant{NAN}, Constant{NAN}));
  EXPECT_TRUE(holds(F::not_equal, Constant{NAN}, Constant{NAN}));
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
