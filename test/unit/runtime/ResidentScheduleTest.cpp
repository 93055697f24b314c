//===- ResidentScheduleTest.cpp - which rows stay in registers ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/unit/runtime/ScheduleCases.h"

#include "gtest/gtest.h"

#include <tuple>

using namespace kern::runtime;

/// Rows that several loops read.
static Nest softmax() {
  Nest nest = norm();
  nest.launches = 3;
  nest.residentChunks = 8;
  nest.residentExtent = {{"n"}};
  return nest;
}

static NestExtents rowExtents(int64_t rows, int64_t extent) {
  NestExtents found = extents(rows, extent);
  found.resident = extent;
  return found;
}

static constexpr StrideFacts dense = {.hasChunks = true};

TEST(ResidentSchedule, RowsInRegisters) {
  Nest nest = softmax();
  nest.launches = 0;
  auto of = [&](int64_t rows, int64_t extent, StrideFacts strides) {
    return scheduleOf(nest, rowExtents(rows, extent), strides, threads);
  };
  for (auto [rows, extent, lanes] : {std::tuple(1 << 20, 256, 8u),
                                     {1 << 20, 4, 1u},
                                     {1 << 20, 7, 4u},
                                     {1 << 14, 16384, 512u},
                                     {1 << 14, 2048, 64u},
                                     {256, 1000, 128u}}) {
    Schedule schedule = of(rows, extent, dense);
    EXPECT_TRUE(schedule.mapping.resident) << extent;
    EXPECT_EQ(schedule.lanes, lanes) << extent;
  }
  for (int64_t rows : {1, 100, 1 << 20})
    for (int64_t extent = 1; extent < 40000; extent += 1 + extent / 7) {
      Schedule schedule = of(rows, extent, dense);
      if (schedule.mapping.resident) {
        EXPECT_GE(extent, 4);
        EXPECT_LE(schedule.lanes, 512u);
        EXPECT_LE(extent / 4, schedule.lanes * schedule.mapping.chunks);
        EXPECT_LE(schedule.mapping.chunks, 8u);
        EXPECT_GT(extent / 4, schedule.lanes * (schedule.mapping.chunks - 1));
        EXPECT_LE(extent % 4, schedule.lanes) << "the tail too";
      }
      // Strides choose the mapping, not the grouping.
      for (StrideFacts strides : {StrideFacts{}, {.goesAcross = true}}) {
        Schedule other = of(rows, extent, strides);
        EXPECT_FALSE(other.mapping.resident);
        EXPECT_EQ(other.lanes, schedule.lanes);
        EXPECT_EQ(other.slices, schedule.slices);
      }
    }
  EXPECT_FALSE(of(1 << 20, 3, dense).mapping.resident) << "no whole chunk";
  EXPECT_FALSE(of(1 << 14, 20000, dense).mapping.resident) << "too long";
}

TEST(ResidentSchedule, RowsInRegistersOfSeveralBlocks) {
  auto of = [&](int64_t rows, int64_t extent, StrideFacts strides) {
    return scheduleOf(softmax(), rowExtents(rows, extent), strides, threads);
  };
  for (auto [rows, extent, slices, teams] : {std::tuple(256, 1 << 20, 64, 4),
                                             {4096, 1 << 16, 4, 65},
                                             {1, 1 << 20, 256, 1},
                                             {1 << 14, 20000, 2, 131},
                                             {1, 1 << 22, 261, 1}}) {
    Schedule schedule = of(rows, extent, dense);
    EXPECT_TRUE(schedule.mapping.isCooperative()) << extent;
    EXPECT_EQ(schedule.lanes, 512u) << extent;
    EXPECT_EQ(schedule.slices, slices) << extent;
    EXPECT_EQ(schedule.teams, teams) << extent;
  }
  for (int64_t rows : {1, 100, 1 << 20})
    for (int64_t extent = 1; extent < 6000000; extent += 1 + extent / 7) {
      Schedule schedule = of(rows, extent, dense);
      if (schedule.mapping.isCooperative()) {
        // All blocks of a team are resident, and each slice has whole chunks.
        EXPECT_LE(schedule.slices * schedule.teams, threads / 1024);
        int64_t units =
            (extent + schedule.slices * 256 - 1) / (schedule.slices * 256);
        int64_t last = extent - (schedule.slices - 1) * units * 256;
        EXPECT_GE(last, 4) << extent;
        EXPECT_LE(schedule.mapping.chunks, 8u);
        EXPECT_GE(int64_t(schedule.mapping.chunks) * schedule.lanes * 4,
                  units * 256);
      }
      for (StrideFacts strides : {StrideFacts{}, {.goesAcross = true}}) {
        Schedule other = of(rows, extent, strides);
        EXPECT_FALSE(other.mapping.resident);
        EXPECT_EQ(other.lanes, schedule.lanes) << rows << " of " << extent;
        EXPECT_EQ(other.slices, schedule.slices) << rows << " of " << extent;
      }
    }
  EXPECT_TRUE(of(1 << 20, 16384, dense).mapping.resident);
  EXPECT_FALSE(of(1 << 20, 16384, dense).mapping.sliced) << "one block";
  EXPECT_FALSE(of(4, 1 << 23, dense).mapping.resident) << "too long";
}

/// The mean and the variance of rows.
static Nest variance() {
  Nest nest = softmax();
  nest.recentres = true;
  return nest;
}

TEST(ResidentSchedule, SlicesAboutTheirOwnMeans) {
  auto of = [&](int64_t rows, int64_t extent, StrideFacts strides) {
    return scheduleOf(variance(), rowExtents(rows, extent), strides, threads);
  };
  for (auto [rows, extent, lanes, slices] :
       {std::tuple(256, 1 << 20, 128u, 256),
        {1, 1 << 20, 128u, 256},
        {1, 1 << 27, 128u, 32768},
        {1, 1 << 28, 256u, 32768}}) { // not too many to combine
    Schedule schedule = of(rows, extent, dense);
    EXPECT_TRUE(schedule.mapping.recentred) << extent;
    EXPECT_TRUE(schedule.mapping.sliced && schedule.mapping.resident);
    EXPECT_FALSE(schedule.mapping.isCooperative()) << "nobody waits";
    EXPECT_EQ(schedule.teams, 0);
    EXPECT_EQ(schedule.lanes, lanes) << extent;
    EXPECT_EQ(schedule.slices, slices) << extent;
  }
  for (int64_t rows : {1, 100, 1 << 20})
    for (int64_t extent = 1; extent < 6000000; extent += 1 + extent / 7) {
      Schedule schedule = of(rows, extent, dense);
      EXPECT_EQ(schedule.mapping.recentred,
                schedule.slices > 1 && extent > 1 << 15)
          << extent;
      if (schedule.mapping.recentred) {
        int64_t units =
            (extent + schedule.slices * 256 - 1) / (schedule.slices * 256);
        int64_t last = extent - (schedule.slices - 1) * units * 256;
        EXPECT_GE(last, 4) << extent;
        EXPECT_LE(schedule.mapping.chunks, 8u);
        EXPECT_GE(int64_t(schedule.mapping.chunks) * schedule.lanes * 4,
                  units * 256);
      }
      // Strides choose the mapping, not the grouping.
      for (StrideFacts strides : {StrideFacts{}, {.goesAcross = true}}) {
        Schedule other = of(rows, extent, strides);
        EXPECT_FALSE(other.mapping.resident);
        EXPECT_EQ(other.mapping.recentred, schedule.mapping.recentred);
        EXPECT_EQ(other.lanes, schedule.lanes) << rows << " of " << extent;
        EXPECT_EQ(other.slices, schedule.slices) << rows << " of " << extent;
      }
    }
  EXPECT_FALSE(of(1 << 20, 16384, dense).mapping.sliced) << "one block";
  EXPECT_TRUE(of(4096, 1 << 16, dense).mapping.recentred);
  EXPECT_TRUE(of(4096, 1 << 15, dense).mapping.isCooperative()) << "faster";

  // What tests ask for; a nest that does not recentre never does.
  const NestExtents sizes = rowExtents(3, 1 << 14);
  const Mapping asked = {.sliced = true, .resident = true, .recentred = true};
  Schedule schedule = forced({}, asked, variance(), sizes, dense, threads);
  EXPECT_TRUE(schedule.mapping.recentred && schedule.mapping.resident);
  EXPECT_EQ(schedule.slices, 4) << "with more lanes, fewer";
  schedule = forced({}, asked, softmax(), sizes, dense, threads);
  EXPECT_TRUE(schedule.mapping.isCooperative());
  schedule = forced(of(256, 1 << 20, dense), {.sliced = true}, variance(),
                    rowExtents(256, 1 << 20), dense, threads);
  EXPECT_EQ(schedule.mapping, Mapping{.sliced = true});
}
