//===- GeometryTest.cpp - how large a launch is ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Geometry.h"
#include "SomeLayout.h"
#include "runtime/plan/SubLayout.h"
#include "runtime/plan/Transposition.h"
#include "runtime/plan/Words.h"

#include "gtest/gtest.h"

#include <random>

using namespace kern::runtime;
using namespace kern::test;

TEST(Divisor, DividesEverythingBelow31Bits) {
  std::mt19937 random(3);
  constexpr uint32_t maxIndex = (uint32_t(1) << 31) - 1;
  auto check = [](uint32_t n, uint32_t d) {
    uint64_t word = divisorWord(d);
    uint64_t high = uint64_t(n) * (word & 0xffffffff) >> 32;
    ASSERT_LT(high + n, uint64_t(1) << 32) << "wraps";
    ASSERT_EQ((high + n) >> (word >> 32), n / d) << n << " / " << d;
  };
  for (int round = 0; round < 200000; ++round) {
    uint32_t d = std::max<uint32_t>(1, random() >> (1 + random() % 31));
    uint32_t n = random() >> (1 + random() % 31);
    check(n, d);
    check(n / d * d, d);
    check(std::max(n / d * d, 1u) - 1, d);
    check(maxIndex, d);
  }
  for (uint32_t d : {1u, 2u, 3u, 7u, 641u, 1u << 30, (1u << 30) + 1, maxIndex})
    for (uint32_t n : {0u, 1u, d - 1, d, maxIndex - 1, maxIndex})
      check(n, d);
}

TEST(Geometry, OfTheInnerForm) {
  KernelInfo four = kernel(Form::Inner, 256, 4, 2);
  const OperandFacts facts[] = {{false, 256, 4}, {false, 512, 4, true}};
  auto geometry = [&](const Layout &layout) {
    return innerGeometry(four, rowsOf(four, layout, facts));
  };
  Geometry g = geometry(plan({100, 4096}, {{0, 4}, {16384, 4}}));
  EXPECT_EQ(g.blockX, 256u);
  EXPECT_EQ(g.tiles, 4);
  EXPECT_EQ(g.blocks, 4 * 50);
  g = geometry(plan({100, 64}, {{0, 4}, {256, 4}}));
  EXPECT_EQ(g.blockX, 16u);
  EXPECT_EQ(g.blockY, 16u);
  EXPECT_EQ(g.blocks, 4);
  g = geometry(plan({100, 260}, {{0, 4}, {1040, 4}}));
  EXPECT_EQ(g.blockX, 32u) << "65 chunks";
  EXPECT_EQ(g.tiles, 3);
  // A single row is folded; the last part of it may be short.
  Rows rows = rowsOf(four, plan({10000}, {{0}, {4}}), facts);
  EXPECT_EQ(rows.layout.extents, (Extents{1024, 10}));
  EXPECT_EQ(rows.layout.strides[1], (Extents{4, 4096}));
  EXPECT_EQ(rows.lastExtent, 10000 - 9 * 1024);
  // Rows of an output that begin elsewhere need a chunk more.
  const OperandFacts shifted[] = {{false, 256, 4}, {false, 516, 4, true}};
  Layout wide = plan({4, 1024}, {{8192, 4}, {4096, 4}});
  EXPECT_TRUE(rowsOf(four, wide, facts).isAligned);
  EXPECT_FALSE(rowsOf(four, wide, shifted).isAligned);
  EXPECT_EQ(innerGeometry(four, rowsOf(four, wide, shifted)).tiles *
                innerGeometry(four, rowsOf(four, wide, shifted)).blockX,
            288);
}

TEST(Geometry, OfTheTiledForm) {
  KernelInfo square = kernel(Form::Tiled, 512, 64);
  OperandFacts facts[] = {
      {false, 0, 4}, {false, 0, 4}, {false, 0, 4}, {false, 0, 4, true}};
  Extents across = {4, 260, 0}, along = {512, 4, 1 << 20};
  Layout layout = plan({65, 128, 3}, {across, across, across, along});
  Transposition transposition = *findTransposition(layout, facts);
  EXPECT_EQ(transposition.inputs, 7u);
  layout = transposed(layout, transposition);
  EXPECT_EQ(layout.extents, (Extents{128, 65, 3}));
  Geometry g = tiledGeometry(square, layout, transposition, facts);
  EXPECT_EQ(g.blockX, 32u);
  EXPECT_EQ(g.blockY, 16u);
  EXPECT_EQ(g.tiles, 2);
  EXPECT_EQ(g.tilesAcross, 2);
  EXPECT_EQ(g.blocks, 2 * 2 * 3);
  EXPECT_EQ(g.across, 3u) << "a third tile has no room";
  EXPECT_EQ(g.sharedBytes, 2u * 64 * 65 * 4);
}

TEST(SubLayout, WhatOneLaunchCanWalk) {
  int64_t big = int64_t(1) << 31;
  auto halve = [](Form form, const Layout &layout, int64_t blocks = 1) {
    return dimensionToHalve(form, layout, blocks);
  };
  EXPECT_EQ(halve(Form::Contiguous, plan({4 * big}, {{1}, {1}})), std::nullopt);
  EXPECT_EQ(halve(Form::Contiguous, plan({4 * big}, {{1}, {1}}), big), 0u);
  EXPECT_EQ(halve(Form::Strided, plan({big / 8}, {{8}, {4}})), std::nullopt);
  EXPECT_EQ(halve(Form::Strided, plan({big / 8 + 1}, {{8}, {4}})), 0u);
  EXPECT_EQ(halve(Form::Strided, plan({big}, {{0}, {0}})), 0u)
      << "too many indices";
  EXPECT_EQ(halve(Form::General, plan({big}, {{8}, {4}})), std::nullopt);
  // A view with few elements over a wide span.
  EXPECT_EQ(halve(Form::Inner, plan({4, 1000}, {{big, 1}, {1000, 1}})), 1u);
  EXPECT_EQ(
      halve(Form::Tiled, plan({4, 1000}, {{1, -3 * (big / 1000)}, {1000, 1}})),
      0u);
  auto [low, high] = halves(plan({10001}, {{-8}, {4}}), 0);
  EXPECT_EQ(low.layout.extents, (Extents{4096}));
  EXPECT_EQ(high.layout.extents, (Extents{10001 - 4096}));
  EXPECT_EQ(low.moved, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(high.moved, (std::vector<int64_t>{-8 * 4096, 4 * 4096}));
}

TEST(Geometry, ContiguousAndGeneral) {
  Geometry g = contiguousGeometry(kernel(Form::Contiguous), 1025);
  EXPECT_EQ(g.blocks, 2);
  EXPECT_EQ(g.blockX, 256u);
  EXPECT_EQ(contiguousGeometry(kernel(Form::Contiguous), 1024).blocks, 1);
  EXPECT_EQ(
      contiguousGeometry(kernel(Form::Contiguous), int64_t(1) << 43).blocks,
      int64_t(1) << 33);

  KernelInfo alone = kernel(Form::General, 128);
  g = generalGeometry(alone, 1000, {});
  EXPECT_EQ(g.group, 1u);
  EXPECT_EQ(g.blocks, 8);
  g = generalGeometry(alone, 1 << 24, {.lanes = 2});
  EXPECT_EQ(g.blockX, 128u);
  EXPECT_EQ(g.blocks, (1 << 24) * 2 / 128);
  g = generalGeometry(alone, 16, {.lanes = 1024});
  EXPECT_EQ(g.blockX, 1024u);
  EXPECT_EQ(g.blocks, 16);
  g = generalGeometry(alone, 100, {.lanes = 256, .slices = 7});
  EXPECT_EQ(g.blocks, 700);
  g = generalGeometry(alone, 100, {{.across = true}, 256, 3});
  EXPECT_EQ(g.blockX, 32u);
  EXPECT_EQ(g.blockY, 16u) << "lanes take turns";
  EXPECT_EQ(g.blocks, 4 * 3);
  g = generalGeometry(alone, 100, {{.across = true}, 2, 1});
  EXPECT_EQ(g.blockX, 64u);
  EXPECT_EQ(g.blockY, 2u);
  g = generalGeometry(
      alone, 100, {.mapping = {.across = true}, .lanes = 512, .block = 1024});
  EXPECT_EQ(g.blockX, 32u) << "warps and rows can be swapped";
  EXPECT_EQ(g.blockY, 32u);
  EXPECT_EQ(g.blocks, 4);
  // Tiles that are fetched ahead, by a kernel that does so.
  Schedule ahead = {.mapping = {.sliced = true, .resident = true},
                    .lanes = 512,
                    .slices = 6,
                    .teams = 20,
                    .sharedBytes = tilesAheadBytes};
  alone.mapping = {.sliced = true, .resident = true};
  g = generalGeometry(alone, 100, ahead);
  EXPECT_EQ(g.sharedBytes, 0u);
  EXPECT_EQ(g.blocks, 120);
  alone.mapping.ahead = true;
  EXPECT_EQ(generalGeometry(alone, 100, ahead).sharedBytes, tilesAheadBytes);
  ahead.sharedBytes = 0;
  EXPECT_EQ(generalGeometry(alone, 100, ahead).sharedBytes, aheadBytes);
}

TEST(Geometry, WarpsWithFewElements) {
  KernelInfo kernel;
  kernel.block = 256;
  Schedule schedule = {.mapping = {.staged = true}, .block = 64};
  EXPECT_EQ(generalGeometry(kernel, 4096, schedule).blocks, 64);
  schedule.mapping.spread = true;
  for (auto [items, blocks] :
       {std::pair{4096, 256}, {1, 1}, {16, 1}, {17, 2}}) {
    Geometry geometry = generalGeometry(kernel, items, schedule);
    EXPECT_EQ(geometry.blockX, 64u);
    EXPECT_EQ(geometry.blocks, blocks) << items;
  }
}

TEST(Geometry, LaunchesThatCombineSlices) {
  const Mapping chain = {.sliced = true},
                recentred = {.sliced = true, .recentred = true},
                across = {.across = true, .sliced = true, .recentred = true};
  struct Row {
    Mapping mapping;
    int64_t items, slices;
    unsigned lanes;
    int64_t blocks;
  };
  for (const Row &row : {Row{chain, 4096, 4, 512, 4096},
                         {recentred, 4096, 4, 512, 256}, // 16 warps a block
                         {recentred, 100, 256, 512, 7},
                         {recentred, 100, 257, 512, 100}, // many for a warp
                         {recentred, 1, 4, 512, 1},
                         {recentred, 4096, 4, 32, 512}, // as many warps
                         {across, 4096, 4, 512, 128}}) {
    KernelInfo kernel;
    kernel.block = 256;
    kernel.mapping = row.mapping;
    Schedule schedule = {
        .mapping = row.mapping, .lanes = row.lanes, .slices = row.slices};
    Geometry geometry = generalGeometry(kernel, row.items, schedule);
    EXPECT_EQ(combiningBlocks(geometry, row.mapping), row.blocks)
        << row.items << " of " << row.slices << " slices";
    EXPECT_LE(combiningBlocks(geometry, row.mapping) * row.slices,
              geometry.blocks);
  }
}
