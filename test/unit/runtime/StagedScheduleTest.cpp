//===- StagedScheduleTest.cpp - elements through shared memory ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/unit/runtime/ScheduleCases.h"

#include "gtest/gtest.h"

using namespace kern::runtime;

TEST(StagedSchedule, Rows) {
  // A sum along rows, in order.
  Nest nest;
  nest.stages = {{0u, 0, {{"260"}}}, {1u, 0, {{"132"}}}};
  KernelOperand row, column;
  row.dtype = column.dtype = DType::F32;
  row.coreStrides = {4};
  column.coreStrides = {4096};
  Layout rows, columns;
  rows.extents = {1 << 14};
  columns.extents = {1 << 16};
  rows.strides = {{4096}, {4096}};
  columns.strides = {{4}, {4}};
  auto needs = [&](const Nest &nest, const Layout &layout,
                   const KernelOperand &operand) {
    return strideFacts(nest, layout, {{operand, operand}}, extents(1 << 14, 0),
                       true)
        .needsStaging;
  };
  EXPECT_TRUE(needs(nest, rows, row));
  EXPECT_FALSE(needs(nest, columns, column))
      << "neighbouring threads read neighbouring elements";
  Layout few = columns;
  few.extents = {7};
  EXPECT_TRUE(needs(nest, few, column)) << "each would wait for memory";
  few = {};
  EXPECT_TRUE(needs(nest, few, column)) << "a single loop element";
  EXPECT_FALSE(needs({}, rows, row));

  struct Row {
    int64_t elements, bytes;
    unsigned block, shared;
  };
  constexpr StrideFacts staged = {.needsStaging = true, .mayStage = true};
  for (Row each : {Row{1 << 20, 392, 64, 25088}, // 128 threads: 49 KiB
                   {1 << 14, 392, 64, 25088},
                   {4096, 392, 32, 12544}, // a block for each multiprocessor
                   {1 << 20, 136, 128, 17408},
                   {1 << 20, 1536, 32, 49152},
                   {1 << 20, 1540, 0, 0},
                   {1 << 20, INT64_MAX, 0, 0}}) {
    NestExtents sizes = extents(each.elements, 0);
    sizes.stages = {each.bytes};
    Schedule schedule = scheduleOf(nest, sizes, staged, threads);
    EXPECT_EQ(schedule.mapping.staged, each.block > 0) << each.bytes;
    EXPECT_EQ(schedule.block, each.block) << each.elements;
    EXPECT_EQ(schedule.sharedBytes, each.shared) << each.bytes;
    EXPECT_FALSE(
        scheduleOf(nest, sizes, {.needsStaging = true}, threads).mapping.staged)
        << "an operand is written and read";
    // Lanes that share a loop group its sums otherwise.
    Nest loops = norm();
    loops.stages = nest.stages;
    sizes.shared = 1000;
    EXPECT_FALSE(scheduleOf(loops, sizes, staged, threads).mapping.staged);
  }
}

// A file may have the one and lack the other.
TEST(StagedSchedule, FilesWithoutSpreadKernels) {
  Nest nest;
  nest.stages = {{.operand = 0, .bytes = {}, .spreadBytes = 1040}};
  constexpr StrideFacts staged = {.needsStaging = true, .mayStage = true};
  NestExtents sizes = extents(17, 0);
  sizes.stages = {528};
  EXPECT_TRUE(scheduleOf(nest, sizes, staged, threads).mapping.spread);
  EXPECT_EQ(within(nest, {.staged = true, .spread = true}), nest);
  const Schedule schedule =
      scheduleOf(within(nest, {.staged = true}), sizes, staged, threads);
  EXPECT_TRUE(schedule.mapping.staged);
  EXPECT_FALSE(schedule.mapping.spread);
  EXPECT_EQ(schedule.block, 32u);
  EXPECT_EQ(schedule.sharedBytes, 32u * 528);
  EXPECT_TRUE(within(nest, {}).stages.empty());
}

TEST(StagedSchedule, WarpsWithFewElements) {
  // A loop in order, whose local array is a thread's own.
  Nest nest;
  nest.stages = {{.operand = 0, .bytes = {}, .spreadBytes = 1040},
                 {.operand = {}, .bytes = {}}};
  constexpr StrideFacts staged = {.needsStaging = true, .mayStage = true};
  struct Row {
    int64_t elements;
    bool isSpread;
    unsigned block, shared;
  };
  for (Row row : {Row{1, true, 32, 8 * 1040 + 32 * 20},
                  {4096, true, 64, 16 * 1040 + 64 * 20},
                  {8432, true, 128, 32 * 1040 + 128 * 20},
                  {8433, false, 64, 64 * 528 + 64 * 20}}) {
    NestExtents sizes = extents(row.elements, 0);
    sizes.stages = {528, 20};
    Schedule schedule = scheduleOf(nest, sizes, staged, threads);
    EXPECT_TRUE(schedule.mapping.staged);
    EXPECT_EQ(schedule.mapping.spread, row.isSpread) << row.elements;
    EXPECT_EQ(schedule.block, row.block) << row.elements;
    EXPECT_EQ(schedule.sharedBytes, row.shared) << row.elements;
    const Mapping plain = {.staged = true},
                  spread = {.staged = true, .spread = true};
    for (const Mapping &asked : {plain, spread})
      EXPECT_EQ(forced({}, asked, nest, sizes, staged, threads).mapping, asked);
  }
  NestExtents sizes = extents(100, 0);
  sizes.stages = {528, 20};
  nest.stages[0].spreadBytes = 6200;
  EXPECT_FALSE(scheduleOf(nest, sizes, staged, threads).mapping.spread)
      << "too much for a warp";
  nest.stages[0].spreadBytes = 0;
  EXPECT_FALSE(scheduleOf(nest, sizes, staged, threads).mapping.spread)
      << "whole arrays";
}

// A loop in order beside pranges: every lane runs it, or a thread runs all.
TEST(StagedSchedule, LoopsInOrderBesidePranges) {
  Nest nest;
  nest.hasLoops = nest.hasOrderedLoops = true;
  nest.stages = {{.operand = 0, .bytes = {}, .spreadBytes = 1040},
                 {.operand = 1, .bytes = {}, .spreadBytes = 528}};
  constexpr StrideFacts rows = {.needsStaging = true, .mayStage = true},
                        columns = {.goesAcross = true, .mayStage = true};
  struct Row {
    int64_t elements, extent;
    StrideFacts strides;
    bool readsTogether, isStaged;
    unsigned lanes; ///< if it is not staged
  };
  for (const Row &each : {Row{1, 1 << 20, rows, true, false, 128},
                          {1, 16, rows, true, false, 32},
                          {1, 1 << 20, rows, false, false, 1024},
                          {100, 1 << 14, rows, true, false, 128},
                          {256, 1 << 14, rows, true, false, 64},
                          {1024, 1 << 14, rows, true, false, 32},
                          {1024, 1 << 14, columns, true, false, 32},
                          {1056, 1 << 14, rows, true, true, 0},
                          {1056, 1 << 14, columns, true, true, 0},
                          {1 << 20, 256, rows, true, true, 0},
                          {1 << 20, 256, rows, false, false, 8},
                          {1 << 20, 256, columns, false, false, 1},
                          {4224, 256, columns, false, false, 64},
                          {1 << 20, 256, {}, true, false, 32}}) {
    nest.readsTogether = each.readsTogether;
    NestExtents sizes = extents(each.elements, each.extent);
    sizes.stages = {528, 144};
    const Schedule schedule = scheduleOf(nest, sizes, each.strides, threads);
    EXPECT_EQ(schedule.mapping.staged, each.isStaged)
        << each.elements << " of " << each.extent;
    if (!each.isStaged) {
      EXPECT_EQ(schedule.lanes, each.lanes)
          << each.elements << " of " << each.extent;
    }
    const Schedule asked =
        forced(schedule, {}, nest, sizes, each.strides, threads);
    EXPECT_FALSE(asked.mapping.staged);
    EXPECT_GE(asked.lanes, each.readsTogether ? 32u : 1u);
    EXPECT_LE(asked.lanes, each.readsTogether ? 128u : 1024u);
  }
}
