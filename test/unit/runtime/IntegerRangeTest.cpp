//===- IntegerRangeTest.cpp - arrays that are computed --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/array/IntegerRange.h"
#include "runtime/array/Convert.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

using namespace kern::runtime;

// Python: len(range(start, stop, step)).
TEST(IntegerRange, Length) {
  EXPECT_EQ(rangeLength(0, 10, 1), 10);
  EXPECT_EQ(rangeLength(0, 10, 3), 4);
  EXPECT_EQ(rangeLength(0, 9, 3), 3);
  EXPECT_EQ(rangeLength(10, 0, -3), 4);
  EXPECT_EQ(rangeLength(5, 5, 1), 0);
  EXPECT_EQ(rangeLength(5, 5, -1), 0);
  EXPECT_EQ(rangeLength(5, 4, 1), 0);
  EXPECT_EQ(rangeLength(4, 5, -1), 0);
  EXPECT_EQ(rangeLength(INT64_MIN, INT64_MAX, INT64_MAX), 3);
  EXPECT_EQ(rangeLength(INT64_MAX, INT64_MIN, INT64_MIN), 2);
  EXPECT_EQ(rangeLength(0, INT64_MAX, 1), INT64_MAX);
  EXPECT_EQ(rangeLength(-1, INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(rangeLength(INT64_MIN, INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(rangeLength(INT64_MIN, INT64_MAX, 3),
            std::optional<int64_t>(6148914691236517205));
}

/// The numbers as `T`, against those of 64-bit arithmetic converted one by one.
template <typename T> static void expectNumbers(IntegerRange range, DType to) {
  for (int64_t count : {1, 2, 255, 256, 257, 1000}) {
    std::vector<T> numbers(size_t(count) + 1, T(77));
    writeRange(range, count, to, reinterpret_cast<std::byte *>(numbers.data()));
    for (int64_t i = 0; i < count; ++i) {
      const int64_t wide = range.at(i);
      Value source = {};
      std::memcpy(source.data(), &wide, sizeof wide);
      const Value wanted = convertValue(source, DType::I64, to);
      ASSERT_EQ(std::memcmp(&numbers[size_t(i)], wanted.data(), sizeof(T)), 0)
          << name(to) << " " << range.start << " + " << range.step << " * "
          << i;
    }
    EXPECT_EQ(numbers.back(), T(77)) << "nothing behind them is written";
  }
}

TEST(IntegerRange, Numbers) {
  for (IntegerRange range :
       {IntegerRange{0, 1}, IntegerRange{-5, 7}, IntegerRange{1000, -3},
        IntegerRange{INT32_MAX - 10, 1}, IntegerRange{INT32_MIN + 10, -1},
        IntegerRange{INT64_MIN, 1}, IntegerRange{INT64_MAX, -1},
        IntegerRange{int64_t(1) << 53, 1}, IntegerRange{0, INT64_MAX},
        IntegerRange{1, INT32_MAX}, IntegerRange{0, INT64_MIN}}) {
    expectNumbers<int8_t>(range, DType::I8);
    expectNumbers<uint16_t>(range, DType::U16);
    expectNumbers<int32_t>(range, DType::I32);
    expectNumbers<int64_t>(range, DType::I64);
    expectNumbers<uint64_t>(range, DType::U64);
    expectNumbers<float>(range, DType::F32);
    expectNumbers<double>(range, DType::F64);
  }
}
