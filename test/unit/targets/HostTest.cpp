//===- HostTest.cpp - kernels on the CPU ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/unit/targets/HostKernel.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <numeric>

using namespace kern::test;

static const char *const add = R"(
loop.kernel @add kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addf %a, %b : f32
  loop.return %c : f32
})";

TEST(HostContiguous, AddsEveryNumberOfBlocks) {
  HostKernel kernel(add);
  int64_t elements = kernel.elementsOf("add__contiguous");
  EXPECT_EQ(elements % 16, 0) << "whole vectors of 64 bytes";
  for (int64_t blocks : {0, 1, 2, 3, 7}) {
    int64_t n = blocks * elements, step = elements * 4;
    std::vector<float> a(n + 1), b(n + 1), c(n + 1, -1.0f);
    std::iota(a.begin(), a.end(), 0.5f);
    std::iota(b.begin(), b.end(), 100.0f);
    kernel.run("add__contiguous", {blocks, word(a.data()), step, word(b.data()),
                                   step, word(c.data()), step});
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(c[i], 100.5f + 2 * float(i)) << n;
    EXPECT_EQ(c[n], -1.0f) << "wrote past the end of " << n;
  }
}

TEST(HostContiguous, StepsAsItIsTold) {
  HostKernel kernel(add);
  int64_t elements = kernel.elementsOf("add__contiguous"), step = elements * 4;
  // The same block of a, every other block of b, backwards.
  std::vector<float> a(elements, 0.25f), b(4 * elements), c(2 * elements);
  std::iota(b.begin(), b.end(), 0.0f);
  kernel.run("add__contiguous",
             {2, word(a.data()), 0, word(&b[2 * size_t(elements)]), -2 * step,
              word(c.data()), step});
  for (int64_t i = 0; i < elements; ++i) {
    EXPECT_EQ(c[i], b[2 * elements + i] + 0.25f);
    EXPECT_EQ(c[elements + i], b[i] + 0.25f);
  }
}

TEST(HostContiguous, RunsInPlace) {
  HostKernel kernel(add);
  int64_t elements = kernel.elementsOf("add__contiguous"), step = elements * 4;
  std::vector<float> a(2 * elements), b(2 * elements, 1.0f);
  std::iota(a.begin(), a.end(), 0.0f);
  kernel.run("add__contiguous", {2, word(a.data()), step, word(b.data()), step,
                                 word(a.data()), step});
  for (int64_t i = 0; i < 2 * elements; ++i)
    EXPECT_EQ(a[i], float(i) + 1.0f);
}

TEST(HostContiguous, TakesUnalignedPointers) {
  HostKernel kernel(add);
  int64_t elements = kernel.elementsOf("add__contiguous");
  std::vector<char> memory[3];
  auto at = [&](int array) { return memory[array].data() + 1 + array; };
  for (std::vector<char> &bytes : memory)
    bytes.resize(size_t(elements) * 4 + 8);
  for (int64_t i = 0; i < elements; ++i) {
    float a = float(i), b = 2.0f;
    memcpy(at(0) + 4 * i, &a, 4);
    memcpy(at(1) + 4 * i, &b, 4);
  }
  kernel.run("add__contiguous",
             {1, word(at(0)), 0, word(at(1)), 0, word(at(2)), 0});
  for (int64_t i = 0; i < elements; ++i) {
    float c;
    memcpy(&c, at(2) + 4 * i, 4);
    EXPECT_EQ(c, float(i) + 2.0f);
  }
}

TEST(HostContiguous, RunsBodiesWithLoopsInVectors) {
  // The number of times that x can be halved.
  HostKernel kernel(R"(
loop.kernel @halvings kind(ufunc) (%x: i32) -> (i32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%x, %c0 : i32, i32)
^head(%v: i32, %n: i32):
  %more = arith.cmpi sgt, %v, %c1 : i32
  cf.cond_br %more, ^body, ^done
^body:
  %half = arith.shrsi %v, %c1 : i32
  %next = arith.addi %n, %c1 : i32
  cf.br ^head(%half, %next : i32, i32)
^done:
  loop.return %n : i32
})");
  EXPECT_EQ(kernel.elementsOf("halvings__contiguous"), 16);
  std::vector<int32_t> x = {1000, 2, 1, 0, -5, 1 << 30, 3, 8}, y(8, -1);
  kernel.map("halvings", 8, {kernel.runOf(x), kernel.runOf(y)}, 1);
  EXPECT_EQ(y, (std::vector<int32_t>{9, 1, 0, 0, 0, 30, 1, 3}));
}

TEST(HostStrided, RunsBodiesWithoutVectorsOneByOne) {
  // How often the imaginary part fits into the real part.
  HostKernel kernel(R"(
loop.kernel @fits kind(ufunc) (%z: complex<f32>) -> (i32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %re = complex.re %z : complex<f32>
  %im = complex.im %z : complex<f32>
  cf.br ^head(%re, %c0 : f32, i32)
^head(%v: f32, %n: i32):
  %more = arith.cmpf oge, %v, %im : f32
  cf.cond_br %more, ^body, ^done
^body:
  %less = arith.subf %v, %im : f32
  %next = arith.addi %n, %c1 : i32
  cf.br ^head(%less, %next : f32, i32)
^done:
  loop.return %n : i32
})");
  EXPECT_EQ(kernel.elementsOf("fits__strided"), 1);
  std::vector<float> z = {1, 3, 0, 0, 9, 2, 0, 0, 7, 1};
  std::vector<int32_t> y(3);
  kernel.run("fits__strided", {3, word(&z[8]), -16, word(y.data()), 4});
  EXPECT_EQ(y, (std::vector<int32_t>{7, 4, 0}));
}

TEST(HostContiguous, KeepsBoolsAsBytes) {
  HostKernel kernel(R"(
loop.kernel @differ kind(ufunc) (%a: i1, %b: i8) -> (i1, i1)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0, 0>} {
  %zero = arith.constant 0 : i8
  %b1 = arith.cmpi sgt, %b, %zero : i8
  %x = arith.xori %a, %b1 : i1
  loop.return %x, %a : i1, i1
})");
  std::vector<uint8_t> a = {0, 1, 1, 0}, x(4, 9), same(4, 9);
  std::vector<int8_t> b = {5, 5, -5, -5};
  kernel.map(
      "differ", 4,
      {kernel.runOf(a), kernel.runOf(b), kernel.runOf(x), kernel.runOf(same)},
      2);
  EXPECT_EQ(x, (std::vector<uint8_t>{1, 0, 1, 0}));
  EXPECT_EQ(same, a);
}

/// `x` as bf16: whichever of the two neighbours is nearer; if none is, the one
/// whose last bit is 0. Past the greatest of them follows infinity.
static uint16_t nearestBFloat(float x) {
  auto value = [](uint32_t bits) {
    // In f64 infinity's place is that of the next power of two.
    if ((bits & 0x7fff) == 0x7f80)
      return bits & 0x8000 ? -0x1p128 : 0x1p128;
    bits <<= 16;
    float f;
    memcpy(&f, &bits, 4);
    return double(f);
  };
  uint32_t bits;
  memcpy(&bits, &x, 4);
  uint32_t below = bits >> 16, above = below + 1;
  if ((bits & 0x7fffffff) >= 0x7f800000)
    return uint16_t(below);
  double down = std::abs(double(x) - value(below)),
         up = std::abs(value(above) - double(x));
  return uint16_t(down < up || (down == up && below % 2 == 0) ? below : above);
}

TEST(HostContiguous, RoundsToBFloat) {
  HostKernel kernel(R"(
loop.kernel @narrow kind(ufunc) (%x: f32) -> (bf16)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %y = arith.truncf %x : f32 to bf16
  loop.return %y : bf16
})");
  std::vector<float> x;
  // Subnormal, normal and huge, of both signs: around every upper half.
  for (uint32_t upper = 0; upper < 0x10000; ++upper)
    for (uint32_t lower :
         {0x0000u, 0x0001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
      if ((upper & 0x7f80) != 0x7f80 || lower == 0) {
        uint32_t bits = upper << 16 | lower;
        memcpy(&x.emplace_back(), &bits, 4);
      }
  std::vector<uint16_t> y(x.size());
  kernel.map("narrow", int64_t(x.size()), {kernel.runOf(x), kernel.runOf(y)});
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]))
      ASSERT_TRUE((y[i] & 0x7f80) == 0x7f80 && (y[i] & 0x7f)) << i;
    else
      ASSERT_EQ(y[i], nearestBFloat(x[i])) << x[i];
  }
}

TEST(HostGeneral, MultipliesMatrices) {
  HostKernel kernel(R"(
loop.kernel @matmul kind(gufunc)
    (%a: !loop.array<f64, 2>, %b: !loop.array<f64, 2>, %c: !loop.array<f64, 2>,
     %m: i64, %k: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 3 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "k", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %s = loop.reduce sum (%p) = %c0 to %k step %c1 : f64 {
      %x = loop.load %a[%i, %p] : !loop.array<f64, 2>
      %y = loop.load %b[%p, %j] : !loop.array<f64, 2>
      %z = arith.mulf %x, %y : f64
      loop.yield %z : f64
    }
    loop.store %s, %c[%i, %j] : !loop.array<f64, 2>
    loop.yield
  }
  loop.return
})");
  // Two loop elements: (2,3) times (3,2), by hand. b is given transposed.
  std::vector<double> a = {1, 2, 3, 4, 5, 6, 1, 0, 0, 0, 1, 0};
  std::vector<double> b = {7, 9, 11, 8, 10, 12}, c(8);
  kernel.run("matmul__general",
             {2, 2, 3, 2, word(a.data()), 48, 24, 8, word(b.data()), 0, 8, 24,
              word(c.data()), 32, 16, 8});
  EXPECT_EQ(c, (std::vector<double>{58, 64, 139, 154, 7, 8, 9, 10}));
}

TEST(HostGeneral, TakesScalarsAndSteps) {
  // y[range(hi, lo, step)] = s, for a step that is known only at the call.
  HostKernel kernel(R"(
loop.kernel @fill kind(gufunc)
    (%s: i32, %lo: i64, %step: i64, %y: !loop.array<i32, 1>, %n: i64)
    attributes {num_inputs = 3 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>} {
  loop.parallel (%i) = (%lo) to (%n) step (%step) {
    loop.store %s, %y[%i] : !loop.array<i32, 1>
    loop.yield
  }
  loop.return
})");
  int32_t s = 7;
  auto fill = [&](int64_t lo, int64_t step, int64_t n) {
    std::vector<int32_t> y(6, 0);
    kernel.run("fill__general", {1, n, word(&s), 0, word(&lo), 0, word(&step),
                                 0, word(y.data()), 0, 4});
    return y;
  };
  using List = std::vector<int32_t>;
  EXPECT_EQ(fill(0, 2, 6), (List{7, 0, 7, 0, 7, 0}));
  EXPECT_EQ(fill(1, 3, 5), (List{0, 7, 0, 0, 7, 0}));
  EXPECT_EQ(fill(5, -2, 0), (List{0, 7, 0, 7, 0, 7}));
  EXPECT_EQ(fill(4, -2, 0), (List{0, 0, 7, 0, 7, 0}));
  EXPECT_EQ(fill(3, 1, 3), (List{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(fill(0, 0, 6), (List{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(fill(0, -1, 6), (List{0, 0, 0, 0, 0, 0}));
}
