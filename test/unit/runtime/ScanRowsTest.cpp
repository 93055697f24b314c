//===- ScanRowsTest.cpp - where the rows of scans go ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/ScanRows.h"
#include "runtime/plan/Schedule.h"
#include "test/unit/runtime/ScheduleCases.h"

#include "gtest/gtest.h"

#include <tuple>

using namespace kern::runtime;

/// Running sums of f32.
static Nest sums() {
  Nest nest = norm();
  nest.accesses.push_back({.operand = 1, .isWrite = true, .steps = {{1}}});
  nest.isScan = true;
  nest.residentChunks = 8;
  nest.residentExtent = {{"n"}};
  return nest;
}

static Schedule of(int64_t rows, int64_t extent, StrideFacts strides = {}) {
  NestExtents found = extents(rows, extent);
  found.resident = extent;
  return scheduleOf(sums(), found, strides, threads);
}

TEST(ScanRows, LanesFollowFromTheExtent) {
  for (auto [chunks, lanes] : {std::pair(0, 1u),
                               {1, 1},
                               {2, 2},
                               {17, 32},
                               {32, 32},
                               {33, 32},
                               {256, 32},
                               {257, 64},
                               {4096, 512},
                               {4097, 0}})
    EXPECT_EQ(lanesOfScan(chunks, 8), lanes) << chunks;
}

TEST(ScanRows, RowsOfABlockStayInRegisters) {
  for (auto [extent, lanes, chunks] : {std::tuple(1, 1u, 1u),
                                       {16, 4, 1},
                                       {256, 32, 2},
                                       {1000, 32, 8},
                                       {1025, 64, 8},
                                       {16384, 512, 8}})
    for (int64_t rows : {1, 100, 1 << 20}) {
      Schedule schedule = of(rows, extent);
      EXPECT_EQ(schedule.lanes, lanes) << extent;
      EXPECT_EQ(schedule.mapping, (Mapping{.resident = true, .chunks = chunks}))
          << extent;
      Schedule other = of(rows, extent, {.goesAcross = true});
      EXPECT_EQ(other.mapping, Mapping{.across = true}) << extent;
      EXPECT_EQ(other.lanes, lanes == 1 ? 1 : std::max(lanes, 32u));
    }
}

TEST(ScanRows, BlocksShareLongerRows) {
  for (auto [rows, extent, slices, teams] : {std::tuple(1, 16385, 2, 1),
                                             {1, 1 << 28, 131, 1},
                                             {64, 1 << 20, 2, 64},
                                             {256, 1 << 20, 1, 131},
                                             {1 << 14, 1 << 16, 1, 131}}) {
    Schedule schedule = of(rows, extent);
    EXPECT_TRUE(schedule.mapping.isCooperative()) << extent;
    EXPECT_EQ(schedule.lanes, 512u);
    EXPECT_EQ(schedule.slices, slices) << rows << " rows of " << extent;
    EXPECT_EQ(schedule.teams, teams) << rows << " rows of " << extent;
    Schedule across = of(rows, extent, {.goesAcross = true});
    if (rows < 256)
      EXPECT_EQ(across, schedule) << "too few for lanes across";
    else
      EXPECT_EQ(across.mapping, Mapping{.across = true});
  }
}

TEST(ScanRows, TeamsUseTheBlocks) {
  // As few blocks as end after the same number of turns.
  EXPECT_EQ(scanTeams(1, 1000, 132), (ScanTeams{125, 1}));
  EXPECT_EQ(scanTeams(0, 0, 132), (ScanTeams{1, 1}));
  for (int64_t items : {1, 2, 3, 7, 50, 100, 131, 133, 5000})
    for (int64_t tiles : {1, 2, 5, 63, 64, 200, 16384}) {
      ScanTeams teams = scanTeams(items, tiles, 132);
      EXPECT_LE(teams.slices * teams.teams, 132);
      EXPECT_LE(teams.slices, tiles);
      EXPECT_LE(teams.teams, items);
      int64_t turns = ceilDivide(items, teams.teams) *
                      (ceilDivide(tiles, teams.slices) + 1);
      EXPECT_LE(turns * 132, 4 * items * tiles + 3 * 132 + 132 * items)
          << items << " rows of " << tiles << " tiles";
    }
}

TEST(ScanRows, AFullGridHasFewLanes) {
  Nest nest = sums();
  nest.flat = {{{"m"}}};
  NestExtents found = extents(1, 1000);
  found.resident = 1000;
  found.flat = {int64_t(1) << 33};
  Schedule schedule = scheduleOf(nest, found, {}, threads);
  EXPECT_EQ(schedule.mapping, Mapping{.flat = true});
  EXPECT_LE(schedule.lanes, 16u);
  nest.launches = 0;
  nest.flat.clear();
  found = extents(1, 1 << 20);
  found.resident = 1 << 20;
  EXPECT_EQ(scheduleOf(nest, found, {}, threads).mapping, Mapping{})
      << "a file without slices";
}

TEST(ScanRows, TestsAskForMappings) {
  auto asked = [&](int64_t rows, int64_t extent, Mapping wanted) {
    NestExtents found = extents(rows, extent);
    found.resident = extent;
    return forced(of(rows, extent), wanted, sums(), found, {}, threads);
  };
  EXPECT_EQ(asked(5, 100, {}).mapping, Mapping{});
  EXPECT_EQ(asked(5, 100, {}).lanes, 32u);
  EXPECT_EQ(asked(1, 1 << 20, {.resident = true}).mapping, Mapping{})
      << "too long for a block";
  EXPECT_TRUE(asked(5, 100, {.across = true}).mapping.across);
  Schedule shared = asked(5, 100, {.sliced = true, .resident = true});
  EXPECT_TRUE(shared.mapping.isCooperative());
  EXPECT_EQ(shared.slices, 3);
  Schedule launches = asked(5, 100, {.sliced = true});
  EXPECT_TRUE(launches.mapping.sliced);
  EXPECT_FALSE(launches.mapping.isCooperative());
}
