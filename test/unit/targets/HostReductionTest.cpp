//===- HostReductionTest.cpp - reductions on the CPU ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/unit/targets/HostKernel.h"

#include "gtest/gtest.h"

#include <cmath>
#include <complex>
#include <limits>

using namespace kern::test;

template <typename Result, typename Element>
static Result reduce(HostKernel &kernel, std::vector<Element> values) {
  Result result{};
  kernel.run("f__general", {1, int64_t(values.size()), word(values.data()), 0,
                            sizeof(Element), word(&result), 0});
  return result;
}

static constexpr double quiet = std::numeric_limits<double>::quiet_NaN();
static constexpr double inf = std::numeric_limits<double>::infinity();

TEST(HostReduction, SumsAndProducts) {
  HostKernel sum(reductionOf("sum", "f64", "f64"));
  EXPECT_EQ(reduce<double>(sum, std::vector<double>{1.5, 2, -4}), -0.5);
  EXPECT_EQ(reduce<double>(sum, std::vector<double>{}), 0.0);
  HostKernel product(reductionOf("prod", "i8", "i8"));
  // 100 * 3 wraps to 44.
  EXPECT_EQ(reduce<int8_t>(product, std::vector<int8_t>{100, 3}), 44);
  EXPECT_EQ(reduce<int8_t>(product, std::vector<int8_t>{}), 1);
}

TEST(HostReduction, ExtremaKeepTheirSignedness) {
  std::vector<uint8_t> bytes = {3, 200, 100};
  HostKernel smax(reductionOf("smax", "i8", "i8"));
  HostKernel umax(reductionOf("umax", "i8", "i8"));
  HostKernel smin(reductionOf("smin", "i8", "i8"));
  HostKernel umin(reductionOf("umin", "i8", "i8"));
  EXPECT_EQ(reduce<uint8_t>(smax, bytes), 100); // 200 is -56
  EXPECT_EQ(reduce<uint8_t>(umax, bytes), 200);
  EXPECT_EQ(reduce<uint8_t>(smin, bytes), 200);
  EXPECT_EQ(reduce<uint8_t>(umin, bytes), 3);
}

TEST(HostReduction, FloatExtremaPropagateNan) {
  HostKernel min(reductionOf("fmin_nan", "f64", "f64"));
  HostKernel max(reductionOf("fmax_nan", "f64", "f64"));
  EXPECT_EQ(reduce<double>(min, std::vector<double>{3, -inf, 7}), -inf);
  EXPECT_EQ(reduce<double>(max, std::vector<double>{-3, -inf}), -3.0);
  EXPECT_TRUE(
      std::isnan(reduce<double>(min, std::vector<double>{1, quiet, 0})));
  EXPECT_TRUE(std::isnan(reduce<double>(max, std::vector<double>{quiet, 2})));
}

TEST(HostReduction, AnyAndAll) {
  HostKernel any(reductionOf("any", "i1", "i1"));
  HostKernel all(reductionOf("all", "i1", "i1"));
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(reduce<uint8_t>(any, Bytes{0, 0, 1}), 1);
  EXPECT_EQ(reduce<uint8_t>(any, Bytes{0, 0}), 0);
  EXPECT_EQ(reduce<uint8_t>(any, Bytes{}), 0);
  EXPECT_EQ(reduce<uint8_t>(all, Bytes{1, 1, 0}), 0);
  EXPECT_EQ(reduce<uint8_t>(all, Bytes{1, 1}), 1);
  EXPECT_EQ(reduce<uint8_t>(all, Bytes{}), 1);
}

TEST(HostReduction, PositionsOfTheFirstExtremum) {
  HostKernel max(reductionOf("arg_fmax", "f64", "i64"));
  HostKernel min(reductionOf("arg_fmin", "f64", "i64"));
  using List = std::vector<double>;
  EXPECT_EQ(reduce<int64_t>(max, List{1, 5, 5, 2}), 1);
  EXPECT_EQ(reduce<int64_t>(min, List{1, 5, -2, -2}), 2);
  EXPECT_EQ(reduce<int64_t>(max, List{-inf, -inf}), 0);
  EXPECT_EQ(reduce<int64_t>(min, List{inf, inf}), 0);
  EXPECT_EQ(reduce<int64_t>(max, List{1, quiet, 9, quiet}), 1);
  EXPECT_EQ(reduce<int64_t>(min, List{quiet, -9}), 0);
  EXPECT_EQ(reduce<int64_t>(min, List{}), -1);
  HostKernel umax(reductionOf("arg_umax", "i8", "i64"));
  HostKernel smax(reductionOf("arg_smax", "i8", "i64"));
  HostKernel umin(reductionOf("arg_umin", "i8", "i64"));
  HostKernel smin(reductionOf("arg_smin", "i8", "i64"));
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(reduce<int64_t>(umax, Bytes{100, 200, 200}), 1);
  EXPECT_EQ(reduce<int64_t>(smax, Bytes{200, 100, 100}), 1);
  EXPECT_EQ(reduce<int64_t>(umin, Bytes{0, 0}), 0);
  EXPECT_EQ(reduce<int64_t>(smin, Bytes{1, 200, 128, 128}), 2);
}

TEST(HostReduction, ComplexSumsAndProducts) {
  using Number = std::complex<double>;
  std::vector<Number> values = {{1, 2}, {3, -1}, {0, 1}};
  HostKernel sum(reductionOf("sum", "complex<f64>", "complex<f64>"));
  HostKernel product(reductionOf("prod", "complex<f64>", "complex<f64>"));
  EXPECT_EQ(reduce<Number>(sum, values), Number(4, 2));
  // (1+2i)(3-i) = 5+5i, times i.
  EXPECT_EQ(reduce<Number>(product, values), Number(-5, 5));
  EXPECT_EQ(reduce<Number>(product, std::vector<Number>{}), Number(1, 0));
}

TEST(HostReduction, CountsWhatIsKept) {
  // The sum of the even numbers and how many there are; then each stands for
  // as many elements as its place says.
  HostKernel kernel(R"(
loop.kernel @f kind(gufunc) (%v: !loop.array<i32, 1>, %n: i64) -> (i32, i64, i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0, 0, 0>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s, %k = loop.reduce sum counted (%i) = %c0 to %n step %c1 : i32 {
    %x = loop.load %v[%i] : !loop.array<i32, 1>
    %odd = arith.andi %x, %one : i32
    %keep = arith.cmpi eq, %odd, %zero : i32
    loop.yield %x, %keep : i32, i1
  }
  %t, %l = loop.reduce smax counted (%i) = %c0 to %n step %c1 : i32 {
    %x = loop.load %v[%i] : !loop.array<i32, 1>
    %odd = arith.andi %x, %one : i32
    %keep = arith.cmpi eq, %odd, %zero : i32
    loop.yield %x, %keep, %i : i32, i1, i64
  }
  loop.return %s, %k, %l : i32, i64, i64
})");
  std::vector<int32_t> v = {1, 4, 9, -2, 8, 11, 8};
  int32_t sum = 0;
  int64_t kept = 0, places = 0;
  kernel.run("f__general", {1, 7, word(v.data()), 0, 4, word(&sum), 0,
                            word(&kept), 0, word(&places), 0});
  EXPECT_EQ(sum, 18);
  EXPECT_EQ(kept, 4);
  EXPECT_EQ(places, 1 + 3 + 4 + 6);
}

TEST(HostReduction, TakesOnlyWhatIsKept) {
  // The sum, and the position of the greatest, of the even numbers.
  HostKernel kernel(R"(
loop.kernel @f kind(gufunc) (%v: !loop.array<i32, 1>, %n: i64) -> (i32, i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0, 0>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : i32 {
    %x = loop.load %v[%i] : !loop.array<i32, 1>
    %odd = arith.andi %x, %one : i32
    %keep = arith.cmpi eq, %odd, %zero : i32
    loop.yield %x, %keep : i32, i1
  }
  %p = loop.reduce arg_smax (%i) = %c0 to %n step %c1 : i32 {
    %x = loop.load %v[%i] : !loop.array<i32, 1>
    %odd = arith.andi %x, %one : i32
    %keep = arith.cmpi eq, %odd, %zero : i32
    loop.yield %x, %keep : i32, i1
  }
  loop.return %s, %p : i32, i64
})");
  std::vector<int32_t> v = {1, 4, 9, -2, 8, 11, 8};
  int32_t sum = 0;
  int64_t position = -1;
  kernel.run("f__general",
             {1, 7, word(v.data()), 0, 4, word(&sum), 0, word(&position), 0});
  EXPECT_EQ(sum, 18);
  EXPECT_EQ(position, 4);
}

// The grouping of a float sum follows from its length alone: neither from
// strides, nor from where the array lies, nor from its neighbours.
TEST(HostReduction, SumsOfOneLengthAreOneSum) {
  HostKernel kernel(reductionOf("sum", "f32", "f32"));
  for (int64_t n : {1, 2, 15, 16, 17, 31, 33, 100, 1000, 1025}) {
    std::vector<float> packed(n + 1), spread(3 * n), backwards(n);
    double exact = 0, size = 0;
    for (int64_t i = 0; i < n; ++i) {
      // Of many magnitudes, so that any other order changes the sum.
      float x = std::ldexp(float(i * 7919 % 1000 - 500), int(i % 23) - 11);
      packed[size_t(i) + 1] = spread[size_t(3 * i)] = x;
      backwards[size_t(n - 1 - i)] = x;
      exact += x;
      size += std::abs(x);
    }
    std::vector<float> sums(4);
    auto sum = [&](const float *data, int64_t stride, float *to) {
      kernel.run("f__general", {1, n, word(data), 0, stride, word(to), 0});
    };
    sum(&packed[1], 4, &sums[0]);
    sum(spread.data(), 12, &sums[1]);
    sum(&backwards[size_t(n) - 1], -4, &sums[2]);
    // As the second of two loop elements.
    std::vector<float> pair(2 * n), two(2);
    std::copy(packed.begin() + 1, packed.end(), pair.begin() + n);
    kernel.run("f__general",
               {2, n, word(pair.data()), 4 * n, 4, word(two.data()), 4});
    sums[3] = two[1];
    for (float other : sums)
      EXPECT_EQ(other, sums[0]) << n;
    EXPECT_NEAR(sums[0], exact, size * 0x1p-20) << n;
  }
}

TEST(HostReduction, LanesBeyondTheEndCountAsNothing) {
  for (auto [kind, each] :
       {std::pair("prod", 2.0), {"fmax_nan", -3.0}, {"sum", 1.0}}) {
    HostKernel kernel(reductionOf(kind, "f64", "f64"));
    for (int64_t n = 1; n < 40; ++n) {
      // Elements beyond the end must not be read.
      std::vector<double> x(n + 64, NAN);
      std::fill(x.begin(), x.begin() + n, each);
      double wanted = std::string(kind) == "prod"  ? std::ldexp(1.0, int(n))
                      : std::string(kind) == "sum" ? double(n)
                                                   : each;
      double got = 0;
      kernel.run("f__general", {1, n, word(x.data()), 0, 8, word(&got), 0});
      EXPECT_EQ(got, wanted) << kind << ' ' << n;
    }
  }
}
