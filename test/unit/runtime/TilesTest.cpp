//===- TilesTest.cpp - the tiles of a flat nest ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Tiles.h"

#include "gtest/gtest.h"

using namespace kern::runtime;

static constexpr int64_t threads = 270000;

/// A product of matrices of f32.
static Nest product() {
  Nest nest;
  nest.hasLoops = nest.isStraight = true;
  nest.flat = {{{"m"}}, {{"n"}}};
  nest.sharedExtents = {{{"k"}}};
  nest.tiles = {
      {4, 4, 4}, {16, 16, 16}, {32, 32, 32}, {64, 64, 256}, {128, 128, 256}};
  nest.roundsAlike = true;
  return nest;
}

/// A convolution.
static Nest window() {
  Nest nest = product();
  nest.flat = {{{"n"}}};
  nest.tiles = {{1, 256, 128}, {1, 512, 128}, {1, 2048, 128}, {1, 4096, 128}};
  return nest;
}

static NestExtents extents(int64_t elements, std::vector<int64_t> flat) {
  NestExtents out;
  out.elements = elements;
  out.flat = std::move(flat);
  out.shared = 100;
  return out;
}

TEST(Tiles, OfProducts) {
  struct Row {
    int64_t elements, m, n;
    unsigned columns;
    const char *why;
  };
  for (Row row :
       {Row{1, 4096, 4096, 128, "as many products as possible"},
        {64, 1024, 1024, 128, "the same in a batch"},
        {1, 1024, 1024, 64, "larger tiles leave half of the GPU idle"},
        {1 << 12, 128, 128, 128, "a tile for each matrix"},
        {1 << 16, 32, 32, 32, "and for smaller ones"},
        {1 << 18, 16, 16, 16, ""},
        {1 << 20, 4, 4, 4, ""},
        {1, 64, 64, 0, "one tile leaves the GPU idle: lanes"},
        {1 << 20, 1, 1, 0, "most of a tile would be wasted"},
        {1, 1, 1 << 20, 0, ""},
        {1, 0, 100, 0, "nothing to do"}})
    EXPECT_EQ(
        tileFor(product(), extents(row.elements, {row.m, row.n}), threads),
        row.columns)
        << row.elements << " of " << row.m << " x " << row.n << ": " << row.why;
}

TEST(Tiles, OfMatrixUnits) {
  Nest halves = product(), doubles = product();
  halves.tiles = {{4, 4, 4},
                  {16, 16, 16},
                  {32, 32, 32},
                  {64, 64, 128, 1, 55296, 8},
                  {128, 128, 128, 1, 110592, 8},
                  {128, 256, 256, 1, 165888, 8}};
  doubles.tiles = {{4, 4, 4},
                   {16, 16, 16},
                   {32, 32, 32},
                   {64, 64, 128, 1, 61440, 2},
                   {128, 128, 256, 1, 122880, 2}};
  struct Row {
    int64_t elements, m, n;
    unsigned halves, doubles;
    const char *why;
  };
  for (Row row :
       {Row{1, 8192, 8192, 256, 128, "memory serves as many as possible"},
        {1, 2048, 2048, 256, 128, "a tile for each multiprocessor"},
        {1, 1024, 1024, 64, 64, "larger tiles leave most of the GPU idle"},
        {1 << 12, 128, 128, 128, 128, "a tile for each matrix"},
        {1 << 16, 32, 32, 32, 32, "the units would multiply mostly nothing"},
        {1 << 20, 4, 4, 4, 4, ""},
        {1, 1, 1 << 20, 0, 0, ""}}) {
    NestExtents some = extents(row.elements, {row.m, row.n});
    EXPECT_EQ(tileFor(halves, some, threads), row.halves)
        << row.elements << " of " << row.m << " x " << row.n << ": " << row.why;
    EXPECT_EQ(tileFor(doubles, some, threads), row.doubles)
        << row.elements << " of " << row.m << " x " << row.n << ": " << row.why;
  }
  Schedule schedule = scheduleOf(halves, extents(1, {8192, 8192}), {}, threads);
  EXPECT_EQ(schedule.lanes, 256u);
  EXPECT_EQ(schedule.sharedBytes, 165888u);
}

TEST(Tiles, OfWindows) {
  struct Row {
    int64_t elements, n, taps;
    unsigned columns;
  };
  for (Row row : {Row{1, 1 << 26, 127, 4096},
                  {4096, 65536, 64, 4096},
                  {4096, 65536, 256, 4096},
                  {4096, 65536, 257, 2048},
                  {1, 1 << 24, 1023, 2048},
                  {1, 1 << 16, 100, 256},
                  {1, 1000, 100, 0},
                  {1 << 20, 10, 100, 0}}) {
    NestExtents some = extents(row.elements, {row.n});
    some.shared = row.taps;
    EXPECT_EQ(tileFor(window(), some, threads), row.columns)
        << row.elements << " of " << row.n << " by " << row.taps;
  }
}

/// A stencil, of three dimensions.
static Nest stencil() {
  Nest nest;
  nest.flat = {{{"k"}}, {{"m"}}, {{"n"}}};
  nest.tiles = {{32, 32, 256, 4},
                {16, 64, 256, 4},
                {16, 128, 256, 4, 0, 1, /*isWide=*/true}};
  return nest;
}

TEST(Tiles, OfStencils) {
  struct Row {
    int64_t elements;
    std::vector<int64_t> flat;
    unsigned columns;
    const char *why;
  };
  for (const Row &row :
       {Row{1, {512, 512, 512}, 64, "wide tiles share less with neighbours"},
        {1, {511, 513, 517}, 64, "edges are few"},
        {1, {512, 512, 32}, 32, "no wider than the array"},
        {1, {512, 512, 8}, 0, "most of a tile would be wasted"},
        {1 << 10, {32, 32, 32}, 32, "in a batch"},
        {1, {32, 32, 32}, 0, "a few tiles leave the GPU idle"},
        {1, {512, 512, 0}, 0, "nothing to do"}}) {
    NestExtents some = extents(row.elements, row.flat);
    EXPECT_EQ(windowFor(stencil().tiles, some, false, threads), row.columns)
        << row.why;
    Schedule schedule = scheduleOf(
        stencil(), some, {.mayStage = true, .isDense = true}, threads);
    EXPECT_EQ(schedule.mapping, (Mapping{.flat = true, .tile = row.columns}));
    EXPECT_EQ(schedule.lanes, row.columns ? 256u : 1u);
  }
  NestExtents large = extents(1, {512, 512, 512});
  for (StrideFacts strides :
       {StrideFacts{.mayStage = true}, StrideFacts{.isDense = true}})
    EXPECT_EQ(scheduleOf(stencil(), large, strides, threads).mapping,
              Mapping{.flat = true});
  // Elements need not be contiguous, but nothing may be read ahead of what
  // another operand writes.
  Schedule flat = {.mapping = {.flat = true}};
  EXPECT_EQ(forced(flat, {.flat = true, .tile = anyTile}, stencil(), large,
                   {.mayStage = true}, threads)
                .mapping,
            (Mapping{.flat = true, .tile = 32}));
  EXPECT_EQ(forced(flat, {.flat = true, .tile = anyTile}, stencil(), large, {},
                   threads)
                .mapping,
            Mapping{.flat = true});
  // Wide tiles if arrays are aligned.
  EXPECT_EQ(scheduleOf(stencil(), large,
                       {.mayStage = true, .isDense = true, .isAligned = true},
                       threads)
                .mapping.tile,
            128u);
  EXPECT_EQ(inTiles({2, 9, 33, 65}, {16, 64, 256, 4}),
            (std::vector<int64_t>{2, 3, 3, 2}));
  // The borders of wide tiles have one of their own, in nests with branches.
  const Nest::Tile wide = {16, 128, 256, 4, 0, 1, /*isWide=*/true};
  EXPECT_EQ(inTiles({9, 33, 129}, wide), (std::vector<int64_t>{3, 3, 3}));
  EXPECT_EQ(inTiles({9, 33, 129}, wide, /*isUnrolled=*/true),
            (std::vector<int64_t>{3, 3, 2}));
  EXPECT_EQ(inTiles({9, 33, 0}, wide), (std::vector<int64_t>{3, 3, 0}));
}

/// A filter of two dimensions, whose loops can be unrolled.
static Nest filter() {
  Nest nest = product();
  nest.flat = {{{"m", "r", "-", "1", "+"}}, {{"n", "s", "-", "1", "+"}}};
  nest.unrolled = {.iterations = {{"r", "s", "*"}},
                   .tiles = {{64, 32, 256},
                             {32, 64, 256},
                             {16, 128, 128, 1, 0, 1, /*isWide=*/true},
                             {16, 256, 128, 1, 0, 1, /*isWide=*/true}},
                   .rowOperands = {0, 2}};
  return nest;
}

TEST(Tiles, OfUnrolledLoops) {
  struct Row {
    int64_t m, n, r, s;
    bool isAligned;
    unsigned columns;
    const char *why;
  };
  for (const Row &row :
       {Row{9996, 9996, 3, 3, true, 256, "several columns at once"},
        {9990, 9990, 11, 11, true, 128, "fewer results of more products"},
        {9996, 9996, 5, 5, false, 64, "if arrays are aligned"},
        {1 << 20, 33, 3, 3, true, 0, "most of a tile would be wasted"},
        {1 << 20, 32, 3, 3, true, 32, "no wider than the array"},
        {9996, 9996, 12, 12, true, 0, "too many products"},
        {9996, 9996, 1, 32, true, 256, "one row of many taps"},
        {9996, 9996, 1, 65, true, 0, "no constant is so large"},
        {9996, 9996, 0, 5, true, 0, "no product"},
        {2000, 2000, 5, 5, true, 0, "too few to make a kernel for"}}) {
    NestExtents some = extents(1, {row.m, row.n});
    some.unrolled = row.r * row.s;
    some.unrolledDim = std::max(row.r, row.s);
    some.dims = {row.m + row.r - 1, row.n + row.s - 1, row.r, row.s};
    StrideFacts strides = {
        .mayStage = true, .isDense = true, .isAligned = row.isAligned};
    EXPECT_EQ(unrolledFor(filter(), some, strides, threads), row.columns)
        << row.why;
    Schedule schedule = scheduleOf(filter(), some, strides, threads);
    EXPECT_EQ(schedule.mapping.unrolled, row.columns > 0) << row.why;
    if (!row.columns)
      continue;
    EXPECT_EQ(schedule.mapping.tile, row.columns) << row.why;
    EXPECT_EQ(schedule.lanes, row.columns >= 128 ? 128u : 256u);
    EXPECT_EQ(schedule.constants,
              (std::vector<int64_t>{0, row.n <= 64 ? row.n + row.s - 1 : 0,
                                    row.r, row.s}));
    // Neither where lanes would not access neighbours, nor where what is read
    // ahead may have been written, nor from a file.
    StrideFacts apart = strides, meet = strides;
    apart.isDense = meet.mayStage = false;
    EXPECT_FALSE(scheduleOf(filter(), some, apart, threads).mapping.unrolled);
    EXPECT_FALSE(scheduleOf(filter(), some, meet, threads).mapping.unrolled);
    some.dims.clear();
    EXPECT_FALSE(scheduleOf(filter(), some, strides, threads).mapping.unrolled);
  }
}

TEST(Tiles, UnrolledWhereTestsAskFor) {
  NestExtents small = extents(1, {50, 50});
  small.unrolled = 9;
  small.unrolledDim = 3;
  small.dims = {52, 52, 3, 3};
  Mapping wanted = {.flat = true, .unrolled = true, .tile = anyTile};
  auto asked = [&] {
    return forced(Schedule(), wanted, filter(), small, {.mayStage = true},
                  threads)
        .mapping;
  };
  EXPECT_EQ(asked(), (Mapping{.flat = true, .unrolled = true, .tile = 32}));
  small.unrolled = 129;
  EXPECT_FALSE(asked().unrolled);
  EXPECT_EQ(parseMapping("flat,unrolled,tiled256"),
            (Mapping{.flat = true, .unrolled = true, .tile = 256}));
}

TEST(Tiles, ScheduleHasTheirThreads) {
  Schedule schedule =
      scheduleOf(product(), extents(1, {4096, 4096}), {}, threads);
  EXPECT_EQ(schedule.mapping, (Mapping{.flat = true, .tile = 128}));
  EXPECT_EQ(schedule.lanes, 256u);
  EXPECT_EQ(schedule.slices, 1);
}

TEST(Tiles, CountTiles) {
  EXPECT_EQ(inTiles({3, 65, 128}, {64, 64, 256}),
            (std::vector<int64_t>{3, 2, 2}));
  EXPECT_EQ(inTiles({3, 2049}, {1, 2048, 128}), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(inTiles({0}, {1, 256, 128}), std::vector<int64_t>{0});
}

TEST(Tiles, WhatTestsAskFor) {
  EXPECT_EQ(parseMapping("flat,tiled64"), (Mapping{.flat = true, .tile = 64}));
  EXPECT_EQ(parseMapping("tiled"), Mapping{.tile = anyTile});
  for (std::string_view text : {"tiled0", "tiled-4", "tiled4x", "tiled 4"})
    EXPECT_EQ(parseMapping(text), std::nullopt) << text;
  EXPECT_EQ(tilesAsked(product().tiles, anyTile).size(), 5u);
  EXPECT_EQ(tilesAsked(product().tiles, 32),
            (std::vector<Nest::Tile>{{32, 32, 32}}));
  EXPECT_TRUE(tilesAsked(product().tiles, 0).empty());
  // Where lanes are better, the smallest.
  NestExtents small = extents(1, {64, 64});
  Schedule lanes = scheduleOf(product(), small, {}, threads);
  EXPECT_EQ(lanes.mapping.tile, 0u);
  EXPECT_EQ(
      forced(lanes, {.tile = anyTile}, product(), small, {}, threads).mapping,
      (Mapping{.flat = true, .tile = 4}));
}

TEST(Tiles, Words) {
  EXPECT_EQ(text(Mapping{.flat = true, .tile = 128}), "flat, tiled128");
  EXPECT_EQ(tileOfWord(tileWord(2048)), 2048u);
  EXPECT_EQ(tileOfWord("tiled"), std::nullopt);
  EXPECT_EQ(tileOfWord("flat"), std::nullopt);
}

TEST(Tiles, OthersUntilTheyAreMade) {
  const Mapping flat = {.flat = true};
  auto until = [](const Nest &nest, const NestExtents &extents) {
    return untilMade(scheduleOf(nest, extents, {}, threads), nest, extents);
  };
  const std::optional<StandIn> quick =
      until(product(), extents(1, {1024, 1024}));
  ASSERT_TRUE(quick);
  EXPECT_EQ(quick->schedule.mapping, flat);
  EXPECT_EQ(quick->schedule.lanes, 1u)
      << "each sum goes in order, as in a tile";
  EXPECT_EQ(quick->schedule.slices, 1);
  EXPECT_TRUE(until(product(), extents(1 << 12, {128, 128})));
  EXPECT_FALSE(until(product(), extents(1 << 20, {4, 4}))) << "a small tile";
  EXPECT_FALSE(until(product(), extents(1, {64, 64}))) << "no tile";
  EXPECT_FALSE(until(product(), extents(1, {16384, 16384})))
      << "it would take longer without one";
  Nest halves = product();
  halves.tiles = {{128, 128, 256, 1, 65536, 8}};
  EXPECT_FALSE(until(halves, extents(1, {4096, 1024})))
      << "matrix units give other bits";
  Nest other = product();
  other.roundsAlike = false;
  EXPECT_FALSE(until(other, extents(1, {1024, 1024}))) << "other bits too";
}
