//===- ScheduleTest.cpp - how calls map the loops of gufuncs --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/unit/runtime/ScheduleCases.h"

#include "gtest/gtest.h"

#include <tuple>

using namespace kern::runtime;

TEST(Schedule, LanesOfRows) {
  // The lanes that were measured to be the fastest for the norm of rows on an
  // H200.
  for (auto [rows, extent, lanes] : {std::tuple(1 << 24, 16, 2u),
                                     {1 << 20, 256, 8u},
                                     {1 << 14, 1 << 14, 128u},
                                     {256, 1 << 20, 1024u},
                                     {1 << 20, 3, 1u},
                                     {16, 1 << 20, 1024u},
                                     {10, 0, 1u}})
    EXPECT_EQ(lanesFor(extent, 1, rows, threads), lanes) << extent;
  // The same where lanes read four elements at once.
  for (auto [rows, extent, lanes] : {std::tuple(1 << 26, 4, 1u),
                                     {1 << 24, 16, 1u},
                                     {1 << 23, 32, 4u},
                                     {1 << 22, 64, 4u},
                                     {1 << 20, 256, 16u},
                                     {1 << 18, 1024, 64u},
                                     {1 << 16, 4096, 256u},
                                     {1 << 14, 1 << 14, 128u},
                                     {1 << 11, 1 << 17, 256u},
                                     {256, 1 << 20, 1024u},
                                     {1, 16, 2u},
                                     {100000, 3, 1u}})
    EXPECT_EQ(lanesFor(extent, 4, rows, threads), lanes) << extent;
}

TEST(Schedule, SlicesOfFewLongRows) {
  auto of = [](int64_t rows, int64_t extent) {
    return scheduleOf(norm(), extents(rows, extent), {}, threads);
  };
  for (auto [rows, extent] : {std::pair(1 << 24, 16),
                              {1 << 20, 256},
                              {1 << 14, 1 << 14},
                              {1, 100},
                              {1, 4096},
                              {7, 1000}})
    EXPECT_EQ(of(rows, extent).slices, 1) << rows << " of " << extent;
  EXPECT_EQ(of(1, 1 << 28).slices, 528) << "half of the GPU";
  EXPECT_EQ(of(64, 1 << 20).slices, 66);
  EXPECT_EQ(of(64, 40000).slices, 9) << "whole iterations for each lane";
  for (int64_t rows : {1, 2, 31, 32, 33, 100, 1000, 5000})
    for (int64_t extent : {5000, 100000, 1 << 20, 1 << 28}) {
      Schedule schedule = of(rows, extent);
      EXPECT_EQ(schedule.mapping.sliced, schedule.slices > 1);
      EXPECT_LE(schedule.lanes, schedule.slices > 1 ? 256u : 1024u);
      // The grouping is that of lanes across loop elements.
      Schedule across = scheduleOf(norm(), extents(rows, extent),
                                   {.goesAcross = true}, threads);
      // Few rows would leave the GPU idle.
      bool isBusy = across.slices * rows * 16 >= threads / 8;
      EXPECT_EQ(across.mapping.across, isBusy) << rows << " of " << extent;
      EXPECT_EQ(across.lanes, schedule.lanes);
      EXPECT_EQ(across.slices, schedule.slices);
    }
  Nest whole = norm();
  whole.launches = 0;
  EXPECT_EQ(scheduleOf(whole, extents(1, 1 << 28), {}, threads).slices, 1);
}

TEST(Schedule, FlatNests) {
  Nest nest = norm();
  nest.flat = {{{"m"}}};
  NestExtents rows = extents(1, 1 << 14);
  rows.flat = {1 << 14};
  Schedule schedule = scheduleOf(nest, rows, {}, threads);
  EXPECT_TRUE(schedule.mapping.flat);
  EXPECT_EQ(schedule.lanes, 128u);
  EXPECT_EQ(schedule.slices, 1);
  rows.flat = {INT64_MAX / 2, 100};
  EXPECT_EQ(rows.items(), INT64_MAX);
  nest.hasLoops = false;
  EXPECT_EQ(scheduleOf(nest, rows, {.goesAcross = true}, threads),
            (Schedule{{.flat = true}, 1, 1}))
      << "a thread for each iteration";
}

TEST(Schedule, CopiesOfSums) {
  // A histogram of bytes, in 32-bit integers.
  Nest nest = norm();
  nest.chunk = 1;
  nest.privatised = {{{"4", "256", "*"}}};
  struct Row {
    int64_t elements, extent, bins;
    unsigned copies, lanes;
    int64_t slices;
  };
  for (Row row : {Row{1, 1 << 28, 256, 32, 256, 528}, // half of the GPU
                  {1024, 1 << 18, 256, 32, 512, 1},
                  {1 << 17, 2048, 256, 4, 64, 1},
                  {1 << 20, 256, 256, 0, 8, 1}, // more bins than updates
                  {1, 1 << 28, 4096, 2, 256, 528},
                  {1, 1 << 28, 8192, 1, 256, 528},
                  {1, 1 << 28, 8193, 0, 256, 528}}) { // 32 KiB
    NestExtents sizes = extents(row.elements, row.extent);
    sizes.privatised = {4 * row.bins};
    for (bool goesAcross : {false, true}) {
      Schedule schedule =
          scheduleOf(nest, sizes, {.goesAcross = goesAcross}, threads);
      EXPECT_EQ(schedule.copies, row.copies) << row.extent;
      EXPECT_EQ(schedule.mapping.privatised, row.copies > 0);
      EXPECT_EQ(schedule.sharedBytes, 4 * row.bins * row.copies);
      EXPECT_EQ(schedule.lanes, row.lanes) << row.elements;
      EXPECT_EQ(schedule.slices, row.slices) << row.extent;
      EXPECT_EQ(schedule.mapping.across,
                goesAcross && row.copies == 0 && row.elements > 1);
    }
  }
  // Each array begins at a multiple of 16.
  NestExtents several = extents(1, 1 << 20);
  several.privatised = {4 * 3, 8 * 1000, 4};
  Schedule schedule = scheduleOf(nest, several, {}, threads);
  EXPECT_EQ(schedule.copies, 4u);
  EXPECT_EQ(schedule.sharedBytes, 48u + 32000u + 16u);
  several.privatised = {INT64_MAX, 4};
  EXPECT_EQ(copiesFor(several, 1), 0u);
}

static KernelOperand matrix(int64_t rowBytes, int64_t columnBytes) {
  KernelOperand operand;
  operand.dtype = DType::F32;
  operand.hasCore = true;
  operand.coreStrides = {rowBytes, columnBytes};
  return operand;
}

static bool goesAcross(const Nest &nest, const Layout &layout,
                       std::vector<KernelOperand> operands,
                       const NestExtents &extents) {
  for (size_t k = 0; k < operands.size(); ++k)
    operands[k].loopStrides = layout.strides[k];
  return strideFacts(nest, layout, operands, extents, true).goesAcross;
}

TEST(Schedule, LanesGoWhereElementsAreClose) {
  // Rows: along; columns: across.
  KernelOperand row, column, out;
  row.hasCore = column.hasCore = true;
  row.dtype = column.dtype = out.dtype = DType::F32;
  row.coreStrides = {4};
  column.coreStrides = {4000};
  Layout rows, columns;
  rows.extents = columns.extents = {1000};
  rows.strides = {{4000}, {4}};
  columns.strides = {{4}, {4}};
  EXPECT_FALSE(goesAcross(norm(), rows, {{row, out}}, extents(1000, 1000)));
  EXPECT_TRUE(
      goesAcross(norm(), columns, {{column, out}}, extents(1000, 1000)));
  Layout few = columns;
  few.extents = {2};
  EXPECT_FALSE(goesAcross(norm(), few, {{column, out}}, extents(2, 1000)));

  // A product of matrices: every lane reads one row of the first, and a column
  // of the second.
  Nest product = norm();
  product.flat = {{{"m"}}, {{"n"}}};
  product.accesses = {{.operand = 0, .steps = {{1, 0}, {0, 0}, {0, 1}}},
                      {.operand = 1, .steps = {{0, 0}, {0, 1}, {1, 0}}}};
  NestExtents sizes = extents(1, 512);
  sizes.flat = {512, 512};
  Layout one;
  one.strides = {{}, {}, {}};
  EXPECT_TRUE(goesAcross(product, one,
                         {{matrix(2048, 4), matrix(2048, 4), out}}, sizes));
  EXPECT_FALSE(goesAcross(product, one,
                          {{matrix(2048, 4), matrix(4, 2048), out}}, sizes))
      << "the second is transposed";
  // Indices that depend on data have no influence.
  product.accesses[1].steps.clear();
  EXPECT_FALSE(goesAcross(product, one,
                          {{matrix(2048, 4), matrix(2048, 4), out}}, sizes));
}

TEST(Schedule, ChunksAreDenseAndAligned) {
  Nest nest = norm();
  nest.chunk = 4;
  nest.accesses = {{.operand = 0, .steps = {{1}}}};
  KernelOperand row;
  row.hasCore = true;
  row.dtype = DType::F32;
  row.coreStrides = {4};
  Layout rows;
  rows.extents = {1000};
  rows.strides = {{4000}};
  auto has = [&](uintptr_t address, int64_t step, int64_t stride) {
    row.data = reinterpret_cast<std::byte *>(address);
    row.coreStrides = {step};
    row.loopStrides = {stride};
    return strideFacts(nest, rows, {{row}}, extents(1000, 1000), true)
        .hasChunks;
  };
  EXPECT_TRUE(has(0x1000, 4, 4000));
  EXPECT_FALSE(has(0x1008, 4, 4000)) << "begins inside of a chunk";
  EXPECT_FALSE(has(0x1000, 8, 8000)) << "every other element";
  EXPECT_FALSE(has(0x1000, -4, 4000)) << "backwards";
  EXPECT_FALSE(has(0x1000, 4, 4004)) << "rows of 1001";
  nest.accesses[0].steps = {{0}};
  EXPECT_FALSE(has(0x1008, 8, 4004)) << "always the same element";
}

TEST(Schedule, FlatLoop) {
  // b[i, j] = a[j, n - 1 - i], of three matrices with 4 rows and 5 columns.
  Nest nest;
  nest.flat = {{{"m"}}, {{"n"}}};
  nest.isElementwise = true;
  nest.accesses = {{.operand = 0,
                    .steps = {{0, -1}, {1, 0}},
                    .start = {{{"0"}}, {{"n", "1", "-"}}}},
                   {.operand = 1,
                    .isWrite = true,
                    .steps = {{1, 0}, {0, 1}},
                    .start = {{{"0"}}, {{"0"}}}}};
  auto lookup = [](const std::string &name) -> std::optional<int64_t> {
    return name == "n" ? 5 : 4;
  };
  Expected<NestExtents> sizes = extentsOf(nest, 3, lookup);
  ASSERT_TRUE(sizes);
  EXPECT_EQ(sizes->flat, (std::vector<int64_t>{4, 5}));
  EXPECT_EQ(sizes->items(), 60);
  std::byte *at = reinterpret_cast<std::byte *>(0x1000);
  std::vector<KernelOperand> operands = {matrix(20, 4), matrix(20, 4)};
  operands[0].data = at;
  operands[1].data = at + 4096;
  Layout layout;
  layout.extents = {3};
  layout.strides = {{80}, {80}};
  layout.offsets = {0, 0};
  Expected<FlatLoop> loop = flatLoop(nest, *sizes, layout, operands, lookup);
  ASSERT_TRUE(loop);
  ASSERT_EQ(loop->operands.size(), 2u);
  EXPECT_EQ(loop->operands[0].data, at + 16);
  EXPECT_FALSE(loop->operands[0].isOutput);
  EXPECT_TRUE(loop->operands[1].isOutput);
  EXPECT_EQ(loop->layout.count(), 60);
  EXPECT_EQ(loop->layout.extents, (Extents{5, 4, 3}));
  EXPECT_EQ(loop->layout.strides[0], (Strides{20, -4, 80}));
  EXPECT_EQ(loop->layout.strides[1], (Strides{4, 20, 80}));
  sizes->flat[1] = 0;
  EXPECT_TRUE(flatLoop(nest, *sizes, layout, operands, lookup)->layout.isEmpty);
}

// Fewer kernels where a dimension costs no division.
TEST(Schedule, LoopDimensionsOfKernels) {
  const Mapping grouped = {}, flat = {.flat = true},
                resident = {.resident = true, .chunks = 2},
                sliced = {.flat = true, .sliced = true},
                tiles = {.flat = true, .tile = 64},
                across = {.flat = true, .across = true};
  const struct {
    Mapping mapping;
    unsigned none, one, two, seven;
  } rows[] = {{grouped, 1, 1, 6, 6},  {flat, 0, 1, 6, 6},
              {resident, 1, 1, 6, 6}, {sliced, 0, 1, 6, 6},
              {across, 1, 1, 6, 6},   {tiles, 6, 6, 6, 6}};
  for (const auto &row : rows) {
    EXPECT_EQ(loopDimsFor(0, row.mapping), row.none) << text(row.mapping);
    EXPECT_EQ(loopDimsFor(1, row.mapping), row.one) << text(row.mapping);
    EXPECT_EQ(loopDimsFor(2, row.mapping), row.two) << text(row.mapping);
    EXPECT_EQ(loopDimsFor(7, row.mapping), row.seven) << text(row.mapping);
  }
}

// One lane exchanges nothing, and a block's warps are whole. Slices have small
// groups where they combine what others have left.
TEST(Schedule, GroupsOfKernels) {
  const struct {
    Schedule schedule;
    Groups groups;
  } rows[] = {{{.lanes = 1}, Groups::One},
              {{.lanes = 2}, Groups::Any},
              {{.lanes = 32}, Groups::Any},
              {{.lanes = 64}, Groups::Block},
              {{.mapping = {.flat = true}, .lanes = 1}, Groups::One},
              {{.mapping = {.resident = true}, .lanes = 256}, Groups::Block},
              {{.mapping = {.privatised = true}, .lanes = 64}, Groups::Block},
              {{.mapping = {.sliced = true}, .lanes = 256}, Groups::Any},
              {{.mapping = {.across = true}, .lanes = 1}, Groups::Any},
              {{.mapping = {.staged = true}, .lanes = 1}, Groups::Any},
              {{.mapping = {.tile = 64}, .lanes = 256}, Groups::Any}};
  for (const auto &row : rows)
    EXPECT_EQ(groupsFor(row.schedule), row.groups)
        << text(row.schedule.mapping) << " " << row.schedule.lanes;
}

TEST(Schedule, WhatTestsAskFor) {
  EXPECT_EQ(parseMapping("grouped"), Mapping{});
  EXPECT_EQ(parseMapping("across,sliced"),
            (Mapping{.across = true, .sliced = true}));
  EXPECT_EQ(parseMapping("flat"), Mapping{.flat = true});
  for (std::string_view text : {"", "flat,", "Flat", "across sliced"})
    EXPECT_EQ(parseMapping(text), std::nullopt) << text;
  EXPECT_EQ(parseMapping("phases")->phase, 1u);
  Schedule schedule = forced({}, {.across = true, .sliced = true}, norm(),
                             extents(3, 1000), {}, threads);
  EXPECT_EQ(schedule.mapping, (Mapping{.across = true, .sliced = true}));
  EXPECT_EQ(schedule.slices, 3);
  // A mapping that does not fit into shared memory is never chosen, even if a
  // test asks for it; a group with copies is a block.
  NestExtents sums = extents(1 << 20, 10);
  sums.privatised = {1024};
  schedule = forced({}, {.privatised = true}, norm(), sums, {}, threads);
  EXPECT_EQ(schedule.mapping, Mapping{.privatised = true});
  EXPECT_EQ(schedule.lanes, 64u);
  EXPECT_EQ(schedule.copies, 1u);
  sums.privatised = {64 << 10};
  EXPECT_EQ(forced({}, {.privatised = true}, norm(), sums, {}, threads),
            Schedule{});
  Nest crooked = norm();
  crooked.isStraight = false;
  crooked.launches = 0;
  EXPECT_EQ(forced({}, {.across = true, .sliced = true}, crooked,
                   extents(3, 1000), {}, threads),
            Schedule{});
}

TEST(Schedule, PhasesOfLongRows) {
  struct Case {
    const char *what;
    Mapping whole;
    int64_t elements, items;
    bool isApart;
  };
  const Case cases[] = {
      {"an image", {.sliced = true}, 1, 1 << 26, true},
      {"a short array, in a chain anyway", {.sliced = true}, 1, 4096, true},
      {"a tiny array", {.sliced = true}, 1, 100, false},
      {"many rows", {}, 1 << 17, 1 << 27, true},
      {"few elements in one launch", {}, 64, 1 << 16, false},
      {"short rows", {}, 1 << 24, 1 << 26, false},
      {"rows that stay in registers", {.resident = true}, 4096, 1 << 26, false},
      {"rows through shared memory", {.staged = true}, 4096, 1 << 26, false},
      {"copies of sums", {.privatised = true}, 4096, 1 << 26, false},
      {"no loop elements", {}, 0, 0, false},
  };
  for (const Case &one : cases) {
    Schedule whole;
    whole.mapping = one.whole;
    EXPECT_EQ(goesInPhases(whole, one.elements, one.items), one.isApart)
        << one.what;
  }
}
