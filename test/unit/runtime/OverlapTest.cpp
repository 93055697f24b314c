//===- OverlapTest.cpp - which arrays share bytes -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Overlap.h"
#include "SomeLayout.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace kern::runtime;
using namespace kern::test;

namespace {
std::byte memory[4096];

StridedView window(int64_t offset, Extents shape, Extents strides,
                   DType dtype = DType::I32) {
  return {dtype, memory + 2048 + offset, hostDevice(), std::move(shape),
          std::move(strides)};
}

/// The bytes that a view touches, and whether it touches one twice.
std::set<int64_t> bytesOf(const StridedView &view, bool *twice = nullptr) {
  std::set<int64_t> bytes;
  for (const Extents &index : indicesOf(view.shape))
    for (size_t b = 0; b < itemSize(view.dtype); ++b)
      if (!bytes
               .insert(view.data - memory + dot(index, view.strides) +
                       int64_t(b))
               .second &&
          twice)
        *twice = true;
  return bytes;
}
} // namespace

TEST(Overlap, KnownCases) {
  StridedView a = window(0, {10}, {8});
  EXPECT_EQ(overlapOf(a, window(0, {10}, {8})), Overlap::Exact);
  EXPECT_EQ(overlapOf(a, window(4, {10}, {8})), Overlap::None)
      << "x[::2] and x[1::2]";
  EXPECT_EQ(overlapOf(a, window(8, {10}, {8})), Overlap::Some);
  EXPECT_EQ(overlapOf(a, window(72, {10}, {-8})), Overlap::Some) << "reversed";
  EXPECT_EQ(overlapOf(window(0, {5, 2}, {40, 4}), window(8, {5, 2}, {40, 4})),
            Overlap::None)
      << "columns of one matrix";
  EXPECT_EQ(overlapOf(window(0, {6, 6}, {24, 4}), window(0, {6, 6}, {4, 24})),
            Overlap::Some)
      << "a matrix and its transpose";
  EXPECT_EQ(overlapOf(a, window(0, {10}, {8}, DType::F64)), Overlap::Some)
      << "elements of another size";
  EXPECT_EQ(overlapOf(window(0, {0}, {4}), a), Overlap::None);
  StridedView elsewhere = a;
  elsewhere.device = {kDLCUDA, 0};
  EXPECT_EQ(overlapOf(a, elsewhere), Overlap::None);
  EXPECT_TRUE(overlapsItself(window(0, {3}, {0})));
  EXPECT_FALSE(overlapsItself(window(0, {1}, {0})));
  EXPECT_TRUE(overlapsItself(window(0, {3, 3}, {4, 4})));
  EXPECT_FALSE(overlapsItself(window(0, {3, 2}, {8, 12})))
      << "0 8 16 and 12 20 28 do not meet";
}

TEST(Overlap, AgreesWithCountingBytes) {
  std::mt19937 random(2);
  auto below = [&](int n) { return int(random() % unsigned(n)); };
  auto anyView = [&] {
    size_t rank = 1 + size_t(below(3));
    Extents shape(rank), strides(rank);
    for (size_t i = 0; i < rank; ++i) {
      shape[i] = 1 + below(4);
      strides[i] = (below(41) - 20) * (below(4) ? 4 : 1);
    }
    return window(below(400) - 200, shape, strides,
                  below(2) ? DType::I32 : DType::I16);
  };
  int some = 0, none = 0;
  for (int round = 0; round < 5000; ++round) {
    StridedView a = anyView(), b = anyView();
    bool twice = false;
    std::set<int64_t> bytesA = bytesOf(a, &twice), bytesB = bytesOf(b);
    bool meet = false;
    for (int64_t byte : bytesA)
      meet |= bytesB.count(byte) > 0;
    ASSERT_EQ(overlapOf(a, b) != Overlap::None, meet);
    ASSERT_EQ(overlapsItself(a), twice);
    (meet ? some : none) += 1;
  }
  EXPECT_GT(some, 500);
  EXPECT_GT(none, 500);
}
