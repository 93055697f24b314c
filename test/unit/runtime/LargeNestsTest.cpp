//===- LargeNestsTest.cpp - nests beyond the limit of a grid --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Schedule.h"
#include "runtime/plan/SubLayout.h"

#include <gtest/gtest.h>

using namespace kern::runtime;

namespace {
/// The resident threads of an H200.
constexpr int64_t threads = 132 * 2048;

/// `y[i] = sum(… for k in range(n))` over `items` iterations.
struct RowSums {
  RowSums(int64_t items, int64_t extent) {
    nest.flat = {{{"m"}}};
    nest.hasLoops = nest.isStraight = true;
    nest.chunk = 4;
    nest.sharedExtents = {{{"n"}}};
    nest.accesses = {{.operand = 0, .steps = {{0}, {1}}}};
    extents.flat = {items};
    extents.elements = 1;
    extents.shared = extent;
  }
  /// The grid, with blocks of so many threads.
  int64_t blocks(const Schedule &schedule, unsigned block) const {
    KernelInfo kernel;
    kernel.block = block;
    return generalGeometry(kernel, extents.items(), schedule).blocks;
  }
  Nest nest;
  NestExtents extents;
};

constexpr int64_t limit = int64_t(1) << 31;
} // namespace

// However long the rows, whatever is asked for: one grid has all iterations.
TEST(LargeNests, FlatOnesFitOneGrid) {
  for (int64_t items : {limit - 1, limit, limit + 3, 2 * limit + 17,
                        16 * limit + 1, 31 * limit})
    for (int64_t extent : {1, 3, 64, 1000, 4096, 1 << 20}) {
      RowSums rows(items, extent);
      Schedule chosen = scheduleOf(rows.nest, rows.extents, {}, threads);
      EXPECT_TRUE(chosen.mapping.flat);
      rows.nest.privatised = {{{"16"}}};
      rows.extents.privatised = {16};
      for (Mapping wanted : {chosen.mapping, Mapping{.flat = true},
                             Mapping{.flat = true, .across = true},
                             Mapping{.flat = true, .privatised = true}})
        for (unsigned block : {32u, 128u, 256u}) {
          Schedule schedule = scheduleOf(rows.nest, rows.extents, {}, threads);
          EXPECT_LE(rows.blocks(schedule, block), maxBlocks)
              << items << " of " << extent;
          schedule =
              forced(schedule, wanted, rows.nest, rows.extents, {}, threads);
          EXPECT_LE(rows.blocks(schedule, block), maxBlocks)
              << items << " of " << extent << ", " << text(wanted);
        }
    }
}

TEST(LargeNests, LanesAreFewerWhereAGridEnds) {
  auto lanes = [](int64_t items, int64_t extent) {
    RowSums rows(items, extent);
    return scheduleOf(rows.nest, rows.extents, {}, threads).lanes;
  };
  EXPECT_EQ(lanes(limit - 1, 4096), 256u);
  EXPECT_EQ(lanes(limit, 4096), 16u) << "two rows for each warp";
  EXPECT_EQ(lanes(4 * limit, 4096), 4u);
  EXPECT_EQ(lanes(limit, 16), 1u);
}

// Loop elements can be shared out to several grids.
TEST(LargeNests, LoopElementsAreHalved) {
  RowSums rows(0, 4096);
  rows.nest.flat.clear();
  rows.extents.flat.clear();
  rows.extents.elements = limit + 3;
  Schedule schedule = scheduleOf(rows.nest, rows.extents, {}, threads);
  EXPECT_EQ(schedule.lanes, 256u);
  Layout layout;
  layout.extents = {limit + 3};
  layout.strides = {{4}};
  EXPECT_EQ(dimensionToHalve(Form::General, layout, rows.blocks(schedule, 256)),
            0u);
  auto [low, high] = halves(layout, 0);
  EXPECT_EQ(low.layout.extents[0] + high.layout.extents[0], limit + 3);
  EXPECT_EQ(high.moved[0], low.layout.extents[0] * 4);
}
