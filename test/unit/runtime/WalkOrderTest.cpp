//===- WalkOrderTest.cpp - results in the memory of inputs ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/HostTiling.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace kern::runtime;

namespace {
Layout layoutOf(Extents extents, Extents read, Extents written) {
  Layout layout;
  layout.extents = std::move(extents);
  layout.strides = {std::move(read), std::move(written)};
  layout.offsets = {0, 0};
  return layout;
}

std::optional<TileOrder> orderOf(const Layout &layout, int64_t distance,
                                 int64_t size = 4) {
  OverlappingPair pair = {0, 1, distance, size};
  return walkOrder(layout, {&pair, 1});
}
} // namespace

TEST(WalkOrder, Table) {
  constexpr auto up = TileOrder::Ascending, down = TileOrder::Descending;
  Layout row = layoutOf({100}, {4}, {4});
  EXPECT_EQ(orderOf(row, 4), up);
  EXPECT_EQ(orderOf(row, -4), down);
  EXPECT_EQ(orderOf(row, 3), up) << "elements that share a part of their bytes";
  EXPECT_EQ(orderOf(layoutOf({100}, {8}, {8}), -12), down);
  EXPECT_EQ(orderOf(layoutOf({10, 10}, {4, 60}, {4, 60}), 64), up);
  EXPECT_EQ(orderOf(layoutOf({100}, {4}, {4}), -4, 8), std::nullopt)
      << "what is read reaches into the next element";
  EXPECT_EQ(orderOf(layoutOf({100}, {4}, {8}), 4), std::nullopt);
  EXPECT_EQ(orderOf(layoutOf({100}, {-4}, {4}), 4), std::nullopt);
  EXPECT_EQ(orderOf(layoutOf({100}, {-4}, {-4}), 4), std::nullopt);
  EXPECT_EQ(orderOf(layoutOf({10, 10}, {40, 4}, {40, 4}), 4), std::nullopt);
  EXPECT_EQ(orderOf(layoutOf({10, 10}, {8, 12}, {8, 12}), 4), std::nullopt)
      << "rows that lie within one another";
  // Two inputs of one result, one before and one behind it.
  Layout three = row;
  three.strides = {{4}, {4}, {4}};
  OverlappingPair both[] = {{0, 2, 8, 4}, {1, 2, -8, 4}};
  EXPECT_EQ(walkOrder(three, both), std::nullopt);
  both[1].distance = 20;
  EXPECT_EQ(walkOrder(three, both), up);
}

// Tiles of any length, in the order found, read what was there before.
TEST(WalkOrder, ReadsBeforeItWrites) {
  std::mt19937 random(7);
  int found = 0;
  for (int round = 0; round < 2000; ++round) {
    int64_t rank = 1 + int64_t(random() % 3);
    Extents extents, strides;
    int64_t stride = 1 + int64_t(random() % 2);
    for (int64_t d = 0; d < rank; ++d) {
      extents.push_back(2 + int64_t(random() % 5));
      strides.push_back(stride);
      stride = stride * extents.back() + int64_t(random() % 3);
    }
    Layout layout = layoutOf(extents, strides, strides);
    int64_t distance = int64_t(random() % 41) - 20;
    auto order = orderOf(layout, distance, 1);
    ASSERT_TRUE(order);
    found += *order == TileOrder::Descending;
    std::vector<int> memory(size_t(stride) + 60);
    std::iota(memory.begin(), memory.end(), 0);
    const std::vector<int> before = memory;
    int64_t count = layout.count(), tile = 1 + int64_t(random() % 9);
    int64_t tiles = (count + tile - 1) / tile;
    auto place = [&](int64_t element) {
      return size_t(30 + Odometer(layout, 0, element).offset(1));
    };
    for (int64_t t = 0; t < tiles; ++t) {
      int64_t number = *order == TileOrder::Descending ? tiles - 1 - t : t;
      int64_t end = std::min(count, (number + 1) * tile);
      std::vector<int> read;
      for (int64_t i = number * tile; i < end; ++i)
        read.push_back(memory[size_t(int64_t(place(i)) + distance)]);
      for (int64_t i = number * tile; i < end; ++i)
        memory[place(i)] = read[size_t(i - number * tile)] + 1000;
    }
    for (int64_t i = 0; i < count; ++i)
      ASSERT_EQ(memory[place(i)],
                before[size_t(int64_t(place(i)) + distance)] + 1000)
          << round;
  }
  EXPECT_GT(found, 500) << "both orders were tried";
}
