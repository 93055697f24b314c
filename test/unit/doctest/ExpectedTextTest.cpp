//===- ExpectedTextTest.cpp - what tests expect and what they get ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/TestValue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>

using namespace kern::cli;

namespace {

TestValue weak(double number) {
  TestValue value;
  value.value.kind = KERN_VALUE_WEAK_FLOAT;
  value.value.as.real = number;
  return value;
}
template <typename T> TestValue typed(kern_dtype type, T number) {
  TestValue value;
  value.value.kind = KERN_VALUE_SCALAR;
  value.value.dtype = type;
  std::memcpy(value.value.as.bits, &number, sizeof number);
  return value;
}
TestValue list(const std::vector<int64_t> &shape,
               const std::vector<double> &numbers) {
  std::vector<TestValue> leaves;
  for (double number : numbers)
    leaves.push_back(weak(number));
  return *makeArray(shape, leaves);
}

struct Row {
  double actual;
  const char *shown;
  bool agrees;
};

TEST(ExpectedText, FloatsAgreeToTheDigitsShown) {
  const Row rows[] = {
      {2.0 / 3, "0.667", true},
      {2.0 / 3, "0.666", false},
      {2.0 / 3, "0.6666666667", true},
      {2.0 / 3, "0.67", true},
      {0.1, "0.1", true},
      {0.15, "0.1", true},
      {0.151, "0.1", false},
      {5.0, "5.0", true},
      {5.0, "5", true},
      {5.04, "5.0", true},
      {5.06, "5.0", false},
      {5.04, "5", false},
      {5.0, "5.", true},
      {5e200, "5e200", true},
      {5.4e200, "5e200", true},
      {5.6e200, "5e200", false},
      {1.5e-10, "1.5e-10", true},
      {1.6e-10, "1.5e-10", false},
      {-0.25, "-0.25", true},
      {0.25, "-0.25", false},
      {INFINITY, "inf", true},
      {-INFINITY, "inf", false},
      {-INFINITY, "-inf", true},
      {NAN, "nan", true},
      {1.0, "nan", false},
      {NAN, "1.0", false},
      {INFINITY, "1e300", false},
      {1234567.0, "1_234_567.0", true},
      {1.0, "1.0 2.0", false},
      {1.0, "", false},
      {1.0, "one", false},
      {1.0, "[1.0]", false},
  };
  for (const Row &row : rows)
    EXPECT_EQ(difference(weak(row.actual), row.shown).empty(), row.agrees)
        << row.actual << " as " << row.shown;
}

TEST(ExpectedText, SinglePrecisionAgreesWithItsOwnRounding) {
  EXPECT_EQ(difference(typed(KERN_F32, 0.1f), "0.1000000000000000000"), "");
  EXPECT_EQ(difference(typed(KERN_F64, double(0.1f)), "0.1000000000000"),
            "it is 0.10000000149011612");
}

TEST(ExpectedText, IntegersAndBoolsAgreeExactly) {
  EXPECT_EQ(difference(typed(KERN_U64, ~uint64_t(0)), "18446744073709551615"),
            "");
  EXPECT_EQ(difference(typed(KERN_I64, INT64_MIN), "-9223372036854775808"), "");
  EXPECT_EQ(difference(typed(KERN_I8, int8_t(-128)), "128"), "it is -128");
  EXPECT_EQ(difference(typed(KERN_I8, int8_t(3)), "3.0"), "it is 3");
  EXPECT_EQ(difference(typed(KERN_I32, 7), "007"), "");
  EXPECT_EQ(difference(typed(KERN_BOOL, true), "True"), "");
  EXPECT_EQ(difference(typed(KERN_BOOL, true), "1"), "it is True");
}

TEST(ExpectedText, ComplexNumbersAgreePartByPart) {
  const std::complex<float> parts(1.5f, -2.0f);
  TestValue value = typed(KERN_C64, parts);
  EXPECT_EQ(difference(value, "1.5-2j"), "");
  EXPECT_EQ(difference(value, "(1.5-2.0j)"), "");
  EXPECT_EQ(difference(value, "1.5+2j"), "imaginary part: it is -2");
  EXPECT_EQ(difference(value, "2j"), "real part: it is 1.5");
  EXPECT_NE(difference(value, "1.5"), "");
}

TEST(ExpectedText, ArraysAgreeInShapeAndElements) {
  TestValue matrix = list({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(difference(matrix, "[[1, 2, 3], [4, 5, 6]]"), "");
  EXPECT_EQ(difference(matrix, "[[1. 2. 3.] [4. 5. 6.]]"), "");
  EXPECT_EQ(difference(matrix, "[[1, 2, 3], [4, 5, 7]]"),
            "element [1, 2] is 6");
  EXPECT_EQ(difference(matrix, "[[1, 2, 3]]"), "dimension 0 has 2 elements");
  EXPECT_EQ(difference(matrix, "[[1, 2], [3, 4]]"),
            "dimension 1 has 3 elements");
  EXPECT_EQ(difference(matrix, "[1, 2, 3, 4, 5, 6]"),
            "the result has 2 dimensions");
  EXPECT_EQ(difference(matrix, "[[1, 2, 3], [4, 5, 6]"),
            "dimension 0 has 2 elements");
  EXPECT_EQ(difference(list({0}, {}), "[]"), "");
}

TEST(ExpectedText, SeveralResultsAgreeOneByOne) {
  TestValue pair;
  pair.isTuple = true;
  pair.tuple = {weak(1), list({2}, {2, 3})};
  EXPECT_EQ(difference(pair, "(1, [2, 3])"), "");
  EXPECT_EQ(difference(pair, "1.0, [2.0, 3.0]"), "");
  EXPECT_EQ(difference(pair, "(1, [2, 4])"), "result 2: element [1] is 3");
  EXPECT_EQ(difference(pair, "1"), "there are 2 results");
  EXPECT_EQ(difference(pair, "(1, [2, 3], 4)"), "there are 2 results");
}

} // namespace
