//===- ConstantExtentsTest.cpp - kernels of small extents -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Schedule.h"

#include "gtest/gtest.h"

using namespace kern::runtime;

static constexpr int64_t threads = 270000;

TEST(Schedule, ConstantExtents) {
  struct Row {
    int64_t elements;
    std::vector<int64_t> dims, constants;
  };
  for (const Row &row : {Row{1 << 20, {4, 4, 4}, {4, 4, 4}},
                         {1 << 20, {4, 100000}, {4, 0}}, // a filter's sections
                         {1 << 20, {16, 17}, {16, 0}},
                         {1 << 20, {0, 1}, {0, 1}},
                         {1 << 20, {256}, {}},
                         {1 << 20, {}, {}},
                         {100, {4, 4, 4}, {}}}) { // not worth a kernel
    NestExtents sizes;
    sizes.elements = row.elements;
    sizes.dims = row.dims;
    EXPECT_EQ(constantsFor(sizes, 16), row.constants);
  }
  NestExtents asked;
  asked.dims = {3};
  asked.wantsConstants = true;
  EXPECT_EQ(constantsFor(asked, 16), asked.dims);
  EXPECT_EQ(constantsFor(asked, 2), std::vector<int64_t>());
}

TEST(Schedule, SmallMatrices) {
  // Products of m by k and k by n. The result goes out where an input was.
  Nest nest;
  nest.flat = {{{"m"}}, {{"n"}}};
  nest.hasLoops = nest.isStraight = true;
  nest.sharedExtents = {{{"k"}}};
  nest.stages = {{.operand = 0, .bytes = {}},
                 {.operand = 1, .bytes = {}},
                 {.operand = 2, .bytes = {}, .isInPlace = true}};
  constexpr StrideFacts staged = {.needsStaging = true, .mayStage = true};
  struct Row {
    int64_t m, k, n, bytes; // of each matrix, with a word between threads
    unsigned block, shared;
  };
  for (Row row : {Row{4, 4, 4, 68, 128, 2 * 80 * 128},
                  {8, 8, 8, 260, 64, 2 * 272 * 64},
                  {16, 16, 16, 1028, 0, 0}, // too much for registers
                  {4, 16, 4, 260, 0, 0}}) { // two lanes would share each sum
    NestExtents sizes;
    sizes.elements = 1 << 20;
    sizes.shared = row.k;
    sizes.flat = {row.m, row.n};
    sizes.dims = {row.m, row.k, row.n};
    sizes.stages.assign(3, row.bytes);
    Schedule schedule = scheduleOf(nest, sizes, staged, threads);
    EXPECT_EQ(schedule.mapping.staged, row.block > 0) << row.bytes;
    EXPECT_EQ(schedule.block, row.block) << row.bytes;
    EXPECT_EQ(schedule.sharedBytes, row.shared) << row.bytes;
    EXPECT_EQ(schedule.constants.empty(), row.block == 0) << row.bytes;
    EXPECT_FALSE(
        scheduleOf(nest, sizes, {.mayStage = true}, threads).mapping.staged)
        << "neighbouring threads read neighbouring elements";
    sizes.dims.clear();
    Schedule ofFile = scheduleOf(nest, sizes, staged, threads);
    EXPECT_EQ(ofFile.constants, std::vector<int64_t>());
    if (row.block && ofFile.mapping.staged)
      EXPECT_GE(ofFile.sharedBytes / ofFile.block,
                schedule.sharedBytes / schedule.block)
          << "the kernel of a compiled file has a tile for each array";
  }
}
