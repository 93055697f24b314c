//===- LayoutTest.cpp - merged and sorted dimensions ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Layout.h"
#include "SomeLayout.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace kern::runtime;
using namespace kern::test;

TEST(Layout, MergesWhatNests) {
  Layout c = plan({4, 5, 6}, {{120, 24, 4}, {120, 24, 4}});
  EXPECT_EQ(c.extents, (Extents{120}));
  Layout f = plan({4, 5, 6}, {{4, 16, 80}, {4, 16, 80}});
  EXPECT_EQ(f.extents, (Extents{120}));
  EXPECT_EQ(f.strides[0], (Extents{4}));
  Layout row = plan({4, 5}, {{20, 4}, {0, 4}});
  EXPECT_EQ(row.extents, (Extents{5, 4}));
  EXPECT_EQ(row.strides[1], (Extents{4, 0}));
  Layout transposed = plan({4, 5}, {{4, 16}, {20, 4}});
  EXPECT_EQ(transposed.extents, (Extents{5, 4})) << "C order wins";
  Layout ones = plan({1, 7, 1}, {{999, 4, 5}, {0, 4, 1}});
  EXPECT_EQ(ones.extents, (Extents{7}));
  EXPECT_EQ(plan({}, {{}, {}}).count(), 1);
  EXPECT_TRUE(plan({3, 0}, {{0, 4}}).isEmpty);
  EXPECT_EQ(plan({3, 0}, {{0, 4}}).count(), 0);
}

TEST(Layout, ReversesWhereAllRunBackwards) {
  Layout all = plan({6}, {{-4}, {-8}});
  EXPECT_EQ(all.strides[0], (Extents{4}));
  EXPECT_EQ(all.strides[1], (Extents{8}));
  EXPECT_EQ(all.offsets, (std::vector<int64_t>{-20, -40}));
  Layout broadcast = plan({6}, {{-4}, {0}});
  EXPECT_EQ(broadcast.offsets, (std::vector<int64_t>{-20, 0}));
  Layout mixed = plan({6}, {{-4}, {4}});
  EXPECT_EQ(mixed.strides[0], (Extents{-4}));
  EXPECT_EQ(mixed.offsets, (std::vector<int64_t>{0, 0}));
}

TEST(Layout, BytesOfAnOperand) {
  Layout layout;
  layout.extents = {3, 5};
  layout.strides = {{4, 12}, {4, 0}, {0, 0}};
  EXPECT_EQ(layout.bytesOf(0, 4), 60);
  EXPECT_EQ(layout.bytesOf(1, 4), 12) << "each once";
  EXPECT_EQ(layout.bytesOf(2, 4), 4);
  layout.extents = {int64_t(1) << 40, int64_t(1) << 40};
  EXPECT_EQ(layout.bytesOf(0, 16), int64_t(1) << 56) << "no overflow";
  EXPECT_EQ(layout.bytesOf(1, 1 << 20), int64_t(1) << 56);
}

TEST(Layout, PackedStridesFollowTheOrder) {
  Extents shape = {2, 3, 4};
  std::vector<unsigned> order = {1, 0, 2};
  EXPECT_EQ(packedStrides(shape, order, 8), (Extents{24, 8, 48}));
  std::vector<Extents> fortran = {{4, 8, 24}};
  EXPECT_EQ(memoryOrder(shape, fortran), (std::vector<unsigned>{0, 1, 2}));
  std::vector<Extents> none;
  EXPECT_EQ(memoryOrder(shape, none), (std::vector<unsigned>{2, 1, 0}));
  // A broadcast operand does not decide; the other does.
  std::vector<Extents> partly = {{0, 4, 0}, {4, 8, 24}};
  EXPECT_EQ(memoryOrder(shape, partly), (std::vector<unsigned>{0, 1, 2}));
}

// The loop nest that a layout describes visits every index of the original
// shape exactly once, with every operand at its own place.
TEST(Layout, IsABijection) {
  std::mt19937 random(1);
  auto below = [&](int n) { return int(random() % unsigned(n)); };
  for (int round = 0; round < 3000; ++round) {
    size_t rank = size_t(below(6));
    Extents shape(rank);
    for (int64_t &extent : shape)
      extent = 1 + below(4);
    // Operand 0 is dense in a random order, so its offsets tell the indices.
    std::vector<unsigned> axes(rank);
    for (size_t i = 0; i < rank; ++i)
      axes[i] = unsigned(i);
    std::shuffle(axes.begin(), axes.end(), random);
    std::vector<Extents> strides = {packedStrides(shape, axes, 1)};
    for (size_t i = 0; i < rank; ++i)
      if (below(3) == 0)
        strides[0][i] = -strides[0][i];
    size_t others = 1 + size_t(below(2));
    for (size_t k = 0; k < others; ++k) {
      Extents s = strides[0];
      for (int64_t &stride : s) {
        if (below(3) == 0)
          stride = 0;
        else if (below(3) == 0)
          stride = below(200) - 100;
      }
      strides.push_back(s);
    }
    std::map<int64_t, std::vector<int64_t>> expected;
    for (const Extents &index : indicesOf(shape)) {
      std::vector<int64_t> places;
      for (const Extents &s : strides)
        places.push_back(dot(index, s));
      expected[places[0]] = places;
    }
    Layout layout = planLayout(shape, strides);
    ASSERT_EQ(size_t(layout.count()), expected.size());
    // Split at a random depth, as the callers do.
    size_t first = layout.rank() ? size_t(below(int(layout.rank()) + 1)) : 0;
    Layout inner = layout;
    inner.extents.resize(first);
    Odometer outer(layout, first, 0);
    std::set<int64_t> seen;
    for (int64_t i = 0; i < layout.outerCount(first); ++i) {
      Odometer in(inner, 0, 0);
      for (int64_t j = 0; j < inner.outerCount(0); ++j) {
        std::vector<int64_t> places;
        for (size_t k = 0; k < strides.size(); ++k)
          places.push_back(layout.offsets[k] + outer.offset(k) + in.offset(k));
        ASSERT_TRUE(seen.insert(places[0]).second) << "visited twice";
        ASSERT_EQ(expected.at(places[0]), places);
        in.advance();
      }
      outer.advance();
      if (i + 1 < layout.outerCount(first)) {
        Odometer direct(layout, first, i + 1);
        ASSERT_EQ(direct.offset(0), outer.offset(0));
      }
    }
    ASSERT_EQ(seen.size(), expected.size());
  }
}
