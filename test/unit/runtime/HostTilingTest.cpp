//===- HostTilingTest.cpp - how the CPU walks a layout -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/HostTiling.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace kern::runtime;

namespace {
constexpr auto direct = HostWalk::Direct, uniform = HostWalk::Uniform,
               packed = HostWalk::Packed;
using Walks = std::vector<HostWalk>;

/// f32 operands, the last of them the result. `strides` outermost first; an
/// operand without strides is a scalar.
HostTiling tile(const Extents &shape, std::vector<Extents> strides,
                HostTilingFacts facts = {}) {
  std::vector<KernelOperand> operands(strides.size());
  for (size_t k = 0; k < strides.size(); ++k) {
    operands[k].dtype = DType::F32;
    operands[k].isOutput = k + 1 == strides.size();
    operands[k].isScalar = strides[k].empty() && !shape.empty();
    strides[k].resize(shape.size());
  }
  return hostTiling(planLayout(shape, strides), operands, facts);
}

HostTilingFacts blocksOf(int64_t elements) {
  HostTilingFacts facts;
  facts.elements = elements;
  return facts;
}
} // namespace

TEST(HostTiling, Walks) {
  // One row, whatever its shape was.
  HostTiling line = tile({10, 100}, {{400, 4}, {}, {400, 4}}, blocksOf(16));
  EXPECT_EQ(line.walks, (Walks{direct, uniform, direct}));
  EXPECT_EQ(line.runs, HostRuns::Rows);
  EXPECT_EQ(line.columns, 1000);
  // A row and a column against a matrix.
  EXPECT_EQ(tile({500, 400}, {{0, 4}, {4, 0}, {1600, 4}}).walks,
            (Walks{direct, uniform, direct}));
  // Every other element, or backwards.
  HostTiling steps = tile({5000}, {{8}, {-4}, {4}});
  EXPECT_EQ(steps.walks, (Walks{packed, packed, direct}));
  EXPECT_EQ(steps.columns, 1024) << "8 KiB of buffers for 8 bytes an element";
  // A single element.
  EXPECT_EQ(tile({}, {{}, {}}).walks, (Walks{uniform, packed}));
}

TEST(HostTiling, JoinsShortRows) {
  HostTiling rows = tile({1000, 3}, {{12, 4}, {0, 4}, {12, 4}}, blocksOf(64));
  EXPECT_EQ(rows.runs, HostRuns::Joined);
  EXPECT_EQ(rows.walks, (Walks{direct, packed, direct}));
  EXPECT_EQ(rows.columns, 3);
  EXPECT_EQ(rows.rows, 682) << "8 KiB of buffers for 12 bytes a row";
  // Each row of its own element.
  EXPECT_EQ(tile({1000, 3}, {{4, 0}, {12, 4}}, blocksOf(64)).walks,
            (Walks{packed, direct}));
  // Rows with gaps between them.
  EXPECT_EQ(tile({1000, 3}, {{16, 4}, {12, 4}}, blocksOf(64)).walks,
            (Walks{packed, direct}));
  EXPECT_EQ(tile({100, 300}, {{0, 4}, {1200, 4}}).runs, HostRuns::Rows);
}

TEST(HostTiling, Transposes) {
  HostTiling tiling = tile({900, 700}, {{4, 3600}, {2800, 4}, {2800, 4}});
  EXPECT_EQ(tiling.walks, (Walks{packed, direct, direct}));
  EXPECT_EQ(tiling.columns, 64);
  EXPECT_EQ(tiling.rows, 64);
  EXPECT_EQ(tiling.band, 900);
  // Both inputs through buffers of 32 KiB in all.
  EXPECT_EQ(tile({900, 700}, {{4, 3600}, {4, 3600}, {2800, 4}}).rows, 64);
  EXPECT_EQ(tile({900, 7}, {{4, 3600}, {28, 4}}).columns, 7);
  // Whole blocks, so that each column of them is one run.
  tiling = tile({900, 700}, {{4, 3600}, {2800, 4}, {2800, 4}}, blocksOf(128));
  EXPECT_EQ(tiling.runs, HostRuns::Stacked);
  EXPECT_EQ(tiling.columns, 128);
  EXPECT_EQ(tiling.rows, 64);
}

TEST(HostTiling, StacksShortRowsOfWholeBlocks) {
  // Rows of one block with gaps between them, and a column.
  HostTiling tiling =
      tile({500, 64}, {{512, 4}, {4, 0}, {0, 4}, {256, 4}}, blocksOf(64));
  EXPECT_EQ(tiling.runs, HostRuns::Stacked);
  EXPECT_EQ(tiling.walks, (Walks{direct, packed, direct, direct}));
  EXPECT_EQ(tiling.columns, 64);
  EXPECT_EQ(tiling.band, 500);
  EXPECT_EQ(tiling.rows, 32) << "8 KiB of buffers for 4 bytes an element";
  // A tile stays among evenly spaced rows.
  EXPECT_EQ(
      tile({30, 20, 64}, {{8, 9000, 4}, {5120, 256, 4}}, blocksOf(64)).band,
      20);
  // Not for a few rows, and not for parts of blocks.
  EXPECT_EQ(
      tile({500, 4, 64}, {{9000, 512, 4}, {1024, 256, 4}}, blocksOf(64)).runs,
      HostRuns::Joined);
  EXPECT_EQ(tile({500, 60}, {{512, 4}, {240, 4}}, blocksOf(64)).runs,
            HostRuns::Joined);
}

TEST(HostTiling, FindsTheFastestDimension) {
  auto fastest = [](const Extents &shape, const Extents &a, const Extents &b) {
    Extents rows[] = {a, b};
    return fastestOuterDimension(planLayout(shape, rows));
  };
  EXPECT_EQ(fastest({5, 6, 7}, {168, 28, 4}, {336, 56, 8}), 0u);
  EXPECT_EQ(fastest({5, 6, 7}, {168, 28, 4}, {4, 20, 120}), 2u);
  EXPECT_EQ(fastest({5, 6, 7}, {168, 28, 4}, {28, 4, 140}), 1u);
  EXPECT_EQ(fastest({5, 7}, {28, 4}, {4, 0}), 0u) << "broadcast";
}

TEST(HostTiling, SaysWhatIsStrided) {
  std::vector<KernelOperand> operands(2);
  for (KernelOperand &operand : operands)
    operand.dtype = DType::F32;
  auto strided = [&](const Extents &shape, const Extents &a, const Extents &b) {
    Extents rows[] = {a, b};
    return isStrided(planLayout(shape, rows), operands);
  };
  EXPECT_FALSE(strided({9}, {4}, {0}));
  EXPECT_TRUE(strided({9}, {4}, {8}));
  EXPECT_TRUE(strided({9, 9}, {4, 36}, {36, 4}));
  EXPECT_FALSE(strided({9, 9}, {40, 4}, {36, 4}));
  EXPECT_FALSE(strided({}, {}, {}));
  operands[1].isScalar = true;
  EXPECT_FALSE(strided({9}, {4}, {8}));
}

TEST(HostTiling, SharesOutEnoughTiles) {
  HostTilingFacts facts = blocksOf(64);
  facts.threads = 4;
  HostTiling tiling = tile({100000}, {{4}, {4}}, facts);
  EXPECT_EQ(tiling.columns, 3136) << "whole blocks, at least 32 tiles";
  EXPECT_EQ(tile({1 << 24}, {{4}, {4}}, facts).columns, 1 << 15);
  facts.form = Form::General;
  facts.elements = 1;
  facts.workPerElement = 1 << 12;
  tiling = tile({1000}, {{4}, {4}}, facts);
  EXPECT_TRUE(tiling.walks.empty());
  EXPECT_EQ(tiling.columns, 8);
}

namespace {
/// A gufunc's loop over `count` elements `step` bytes apart, of f32[n] whose
/// elements are `apart` bytes apart, to one f32 each.
HostTiling rows(int64_t count, int64_t step, int64_t n, int64_t apart,
                HostTilingFacts facts = {}) {
  std::vector<KernelOperand> operands(2);
  for (KernelOperand &operand : operands)
    operand.dtype = DType::F32;
  operands[0].hasCore = true;
  operands[0].coreExtents = {n};
  operands[0].coreStrides = {apart};
  operands[1].isOutput = true;
  facts.form = Form::General;
  facts.workPerElement = std::max<int64_t>(n, 1);
  return hostTiling(
      planLayout(Extents{count}, std::vector<Strides>{{step}, {4}}), operands,
      facts);
}
} // namespace

TEST(HostTiling, PacksCoresThatLieAcross) {
  HostTiling across = rows(4096, 4, 1024, 4 * 4096);
  EXPECT_EQ(across.walks, (Walks{packed, direct}));
  EXPECT_EQ(across.columns, 64) << "a quarter of a MiB";
  EXPECT_EQ(across.rows, 1);
  EXPECT_EQ(rows(4096, 4, 4096, 4 * 4096).columns, 64) << "four cache lines";
  EXPECT_EQ(rows(4096, 4, 1 << 14, 4 * 4096).columns, 32) << "two MiB";
  EXPECT_EQ(rows(4096, 4, 1 << 18, 4 * 4096).columns, 16) << "a cache line";
  EXPECT_EQ(rows(20, 4, 1 << 18, 80).columns, 16);
  EXPECT_EQ(rows(9, 4, 100, 36).columns, 9) << "there are no more";

  HostTilingFacts facts;
  facts.threads = 2;
  EXPECT_EQ(rows(100, 4, 10, 400, facts).columns, 56) << "each thread has some";

  auto stays = [](const HostTiling &tiling) { return tiling.walks.empty(); };
  EXPECT_TRUE(stays(rows(4096, 4096, 1024, 4))) << "dense";
  EXPECT_TRUE(stays(rows(4096, 8, 1024, 8 * 4096))) << "not side by side";
  EXPECT_TRUE(stays(rows(7, 4, 1024, 28))) << "few loop elements";
  EXPECT_TRUE(stays(rows(4096, 4, 1, 4 * 4096))) << "one element each";
  EXPECT_TRUE(stays(rows(4096, 4, 0, 4 * 4096)));
  EXPECT_TRUE(stays(rows(4096, 4, 64, 4))) << "windows";
  EXPECT_TRUE(stays(rows(4096, 4, int64_t(1) << 30, 4 * 4096))) << "too long";
  facts.inParts = true;
  EXPECT_TRUE(stays(rows(4096, 4, 1024, 4 * 4096, facts)));
  facts = {};
  facts.elements = 16; // vectors across loop elements
  EXPECT_TRUE(stays(rows(4096, 4, 1024, 4 * 4096, facts)));
}

namespace {
/// The loop over `extents` of a gufunc f32[n], f32[n] -> f32, of which an array
/// has these strides along the loop and these along its core.
struct AcrossCall {
  Extents extents = {4096};
  std::vector<Strides> loop = {{4}, {4}, {4}};
  std::vector<int64_t> apart = {4 * 4096, 4 * 4096};
  int64_t n = 1024;
  bool isWritten = false; ///< the second array
  bool isOutput = false;  ///< likewise

  bool goesAcross() const {
    std::vector<KernelOperand> operands(3);
    for (size_t k = 0; k < 3; ++k) {
      operands[k].dtype = DType::F32;
      if (k == 2)
        continue;
      operands[k].hasCore = true;
      operands[k].coreExtents = {n};
      operands[k].coreStrides = {apart[k]};
    }
    operands[1].isWritten = isWritten;
    operands[1].isOutput = isOutput;
    operands[2].isOutput = true;
    return kern::runtime::goesAcross(planLayout(extents, loop), operands);
  }
};
} // namespace

TEST(HostTiling, GoesAcrossLoopElementsSideBySide) {
  EXPECT_TRUE(AcrossCall().goesAcross());
  EXPECT_TRUE(AcrossCall({.extents = {8}}).goesAcross());
  EXPECT_TRUE(AcrossCall({.loop = {{4}, {4}, {40}}}).goesAcross())
      << "numbers may lie anywhere";
  EXPECT_TRUE(AcrossCall({.apart = {-4 * 4096, 4 * 5000}}).goesAcross());
  EXPECT_TRUE(AcrossCall({.loop = {{4}, {0}, {4}}, .apart = {4 * 4096, 4}})
                  .goesAcross())
      << "an input for all loop elements";
  EXPECT_TRUE(AcrossCall({.extents = {512, 512},
                          .loop = {{1 << 21, 4}, {1 << 21, 4}, {2048, 4}}})
                  .goesAcross())
      << "the middle axis";

  EXPECT_FALSE(AcrossCall({.extents = {7}}).goesAcross()) << "few";
  AcrossCall points{.extents = {3}, .apart = {12, 12}, .n = 1 << 20};
  EXPECT_TRUE(points.goesAcross()) << "few long ones";
  points.apart = {4, 4};
  EXPECT_FALSE(points.goesAcross()) << "windows";
  points.apart = {12, 8};
  EXPECT_FALSE(points.goesAcross()) << "they meet";
  points.apart = {12, 12};
  points.extents = {1};
  EXPECT_FALSE(points.goesAcross()) << "one";
  EXPECT_FALSE(AcrossCall({.n = 1}).goesAcross()) << "one element each";
  EXPECT_FALSE(AcrossCall({.loop = {{4096}, {4}, {4}}, .apart = {4, 4 * 4096}})
                   .goesAcross())
      << "one is dense";
  EXPECT_FALSE(AcrossCall({.loop = {{8}, {4}, {4}}}).goesAcross());
  EXPECT_FALSE(AcrossCall({.apart = {4, 4 * 4096}}).goesAcross()) << "windows";
  EXPECT_FALSE(
      AcrossCall({.loop = {{4}, {0}, {4}}, .isWritten = true}).goesAcross())
      << "loop elements write the same";
  EXPECT_FALSE(AcrossCall({.loop = {{0}, {0}, {4}}}).goesAcross());
  AcrossCall result{.loop = {{0}, {4}, {4}}, .isWritten = true};
  result.isOutput = true;
  EXPECT_FALSE(result.goesAcross()) << "the only input is the same for all";
  result.loop[0] = {4};
  EXPECT_TRUE(result.goesAcross());
}

TEST(HostTiling, SharesOutRowsOfLoopElements) {
  auto tile = [](Extents extents, unsigned threads) {
    HostTilingFacts facts;
    facts.form = Form::Across;
    facts.elements = 128;
    facts.threads = threads;
    std::vector<KernelOperand> operands(1);
    operands[0].dtype = DType::F32;
    Strides strides(extents.size(), 4);
    for (size_t d = extents.size() - 1; d > 0; --d)
      strides[d - 1] = strides[d] * extents[d] * 2;
    return hostTiling(planLayout(extents, std::vector<Strides>{strides}),
                      operands, facts);
  };
  std::vector<KernelOperand> words(2);
  words[0].dtype = DType::F32;
  words[1].dtype = DType::I64;
  EXPECT_EQ(fewestAcross(128, words), 1);
  words[1].dtype = DType::Bool;
  EXPECT_EQ(fewestAcross(128, words), 16);
  EXPECT_EQ(mostAcross(128, 5), 16) << "a vector";
  EXPECT_EQ(mostAcross(128, 17), 34);
  EXPECT_EQ(mostAcross(128, 64), 128);
  EXPECT_EQ(mostAcross(128, 5000), 128);
  EXPECT_EQ(tile({4096}, 1).columns, 4096);
  EXPECT_EQ(tile({4096}, 2).columns, 512) << "four tiles for each thread";
  EXPECT_EQ(tile({256}, 2).columns, 128) << "whole vectors";
  EXPECT_EQ(tile({128}, 2).columns, 64) << "each thread has some";
  EXPECT_EQ(tile({64}, 2).columns, 64) << "four cache lines of each row";
  EXPECT_EQ(tile({32}, 2).columns, 16);
  EXPECT_EQ(tile({1000}, 2).columns, 128);
  EXPECT_EQ(tile({1030}, 2).columns, 384) << "6 would be left";
  EXPECT_TRUE(tile({4096}, 2).walks.empty()) << "no buffer";
  EXPECT_EQ(tile({512, 500}, 2).columns, 500) << "whole rows";
  EXPECT_EQ(tile({512, 500}, 2).rows, 1);
  for (int64_t n = 16; n < 3000; ++n) {
    int64_t left = n % tile({n}, 3).columns;
    EXPECT_TRUE(left == 0 || left >= 16) << n;
  }
}
