//===- MatrixProductTest.cpp - products of matrices for BLAS --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/MatrixProduct.h"

#include "SomeLayout.h"

#include "gtest/gtest.h"

using namespace kern::runtime;

namespace {
/// A call of c[i, j] = sum(a[i, p] * b[p, j] for p in range(k)), or of what
/// `product` is. Strides are in bytes.
struct Call {
  Extents loop = {};
  std::vector<Strides> loopStrides = {{}, {}, {}};
  std::vector<int64_t> flat = {100, 300};
  int64_t depth = 200;
  std::vector<Strides> core = {{800, 4}, {1200, 4}, {1200, 4}};
  DType element = DType::F32, stored = DType::F32;
  Nest::Product product = {{0, {0, 2}}, {1, {2, 1}}, {2, {0, 1}}};

  std::optional<MatrixProduct> make() const {
    Nest nest;
    nest.product = product;
    Layout layout = planLayout(loop, loopStrides);
    NestExtents extents;
    extents.elements = layout.count();
    extents.flat = flat;
    extents.shared = depth;
    std::vector<KernelOperand> operands(3);
    for (size_t k = 0; k < 3; ++k) {
      operands[k].dtype = k == 2 ? stored : element;
      operands[k].isOutput = k == 2;
      operands[k].coreStrides = core[k];
    }
    return matrixProduct(nest, extents, layout, operands);
  }
};
} // namespace

TEST(MatrixProduct, OfRowsIsThatOfTheTransposed) {
  EXPECT_EQ(Call().make(), (MatrixProduct{.rows = 300,
                                          .columns = 100,
                                          .depth = 200,
                                          .left = {1, false, 300},
                                          .right = {0, false, 200},
                                          .result = {2, false, 300},
                                          .element = DType::F32,
                                          .stored = DType::F32,
                                          .batches = {{}}}));
}

TEST(MatrixProduct, OfColumnsStaysAsItIs) {
  Call call = {.core = {{4, 480}, {1200, 4}, {4, 400}},
               .element = DType::F32,
               .stored = DType::F32};
  EXPECT_EQ(call.make(), (MatrixProduct{.rows = 100,
                                        .columns = 300,
                                        .depth = 200,
                                        .left = {0, false, 120},
                                        .right = {1, true, 300},
                                        .result = {2, false, 100},
                                        .element = DType::F32,
                                        .stored = DType::F32,
                                        .batches = {{}}}));
}

TEST(MatrixProduct, OfTypes) {
  Call halves = {.core = {{400, 2}, {600, 2}, {1200, 4}},
                 .element = DType::BF16,
                 .stored = DType::F32};
  auto found = halves.make();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->element, DType::BF16);
  EXPECT_EQ(found->stored, DType::F32);
  EXPECT_EQ(found->result.leading, 300);
}

TEST(MatrixProduct, WhatBlasCannotTake) {
  auto refuses = [](const char *why, Call call) {
    EXPECT_FALSE(call.make()) << why;
  };
  refuses("few rows", {.flat = {63, 300}});
  refuses("short sums", {.depth = 63});
  refuses("nothing to sum", {.depth = 0});
  refuses("neither rows nor columns are contiguous",
          {.core = {{1600, 8}, {1200, 4}, {1200, 4}}});
  refuses("columns backwards", {.core = {{800, -4}, {1200, 4}, {1200, 4}}});
  refuses("rows backwards", {.core = {{-800, 4}, {1200, 4}, {1200, 4}}});
  refuses("every row is the same", {.core = {{0, 4}, {1200, 4}, {1200, 4}}});
  refuses("windows overlap", {.core = {{4, 4}, {1200, 4}, {1200, 4}}});
  refuses("between elements", {.core = {{802, 4}, {1200, 4}, {1200, 4}}});
  refuses("of more than 2^31 rows", {.flat = {int64_t(1) << 31, 300}});
  refuses("both factors are of rows",
          {.product = {{0, {0, 2}}, {1, {0, 2}}, {2, {0, 1}}}});
  refuses("a sum over rows of one factor alone",
          {.product = {{0, {0, 2}}, {1, {1, 0}}, {2, {0, 1}}}});
}

TEST(MatrixProduct, OfBatches) {
  // Matrices one after the other, and one b for all.
  Call call = {.loop = {7}, .loopStrides = {{80000}, {0}, {120000}}};
  auto found = call.make();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->left.apart, 0);
  EXPECT_EQ(found->right.apart, 20000);
  EXPECT_EQ(found->result.apart, 30000);
  EXPECT_EQ(found->batches, (std::vector<MatrixProduct::Batch>{{.count = 7}}));

  // Two dimensions that do not merge: a call for each of the shorter one.
  call = {.loop = {2, 7},
          .loopStrides = {{80000, 160000}, {0, 240000}, {120000, 240000}}};
  found = call.make();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->left.apart, 60000);
  EXPECT_EQ(found->batches, (std::vector<MatrixProduct::Batch>{
                                {{0, 0, 0}, 7}, {{0, 80000, 120000}, 7}}));

  // Backwards: each by itself.
  call = {.loop = {3}, .loopStrides = {{-80000}, {240000}, {120000}}};
  found = call.make();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->batches, (std::vector<MatrixProduct::Batch>{
                                {{0, 0, 0}, 1},
                                {{240000, -80000, 120000}, 1},
                                {{480000, -160000, 240000}, 1}}));
  call.loop = {300};
  EXPECT_FALSE(call.make()) << "too many calls";

  // More than a grid has.
  call = {.loop = {70000}, .loopStrides = {{80000}, {240000}, {120000}}};
  found = call.make();
  ASSERT_TRUE(found);
  ASSERT_EQ(found->batches.size(), 2u);
  EXPECT_EQ(found->batches[1].count, 70000 - 65535);
  EXPECT_EQ(found->batches[1].offsets[1], int64_t(65535) * 80000);
}

// c[i, q, j] = sum(a[q, i, p] * b[p, q, j] for p in range(k)).
TEST(MatrixProduct, OfIndicesThatAreBatches) {
  Call call = {.flat = {100, 5, 300},
               .core = {{80000, 800, 4}, {6000, 1200, 4}, {6000, 1200, 4}},
               .element = DType::F32,
               .stored = DType::F32,
               .product = {{0, {1, 0, 3}}, {1, {3, 1, 2}}, {2, {0, 1, 2}}}};
  auto found = call.make();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->left, (MatrixProduct::Matrix{1, false, 1500, 300}));
  EXPECT_EQ(found->right, (MatrixProduct::Matrix{0, false, 200, 20000}));
  EXPECT_EQ(found->result, (MatrixProduct::Matrix{2, false, 1500, 300}));
  EXPECT_EQ(found->batches[0].count, 5);
}
