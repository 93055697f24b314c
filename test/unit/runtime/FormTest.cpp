//===- FormTest.cpp - which form, and how it walks ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Crossing.h"
#include "runtime/plan/Divisor.h"
#include "runtime/plan/Geometry.h"
#include "runtime/plan/Piece.h"
#include "runtime/plan/Words.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>

using namespace kern;

namespace {

Layout plan(Extents shape, std::vector<Extents> strides) {
  return planLayout(shape, strides);
}

KernelInfo kernel(Form form, unsigned block, unsigned elements,
                  unsigned rows = 1) {
  KernelInfo info;
  info.form = form;
  info.block = block;
  info.elements = elements;
  info.rows = rows;
  return info;
}

} // namespace

TEST(Divisor, DividesEverythingBelow31Bits) {
  std::mt19937 random(3);
  constexpr uint32_t most = (uint32_t(1) << 31) - 1;
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
    check(most, d);
  }
  for (uint32_t d : {1u, 2u, 3u, 7u, 641u, 1u << 30, (1u << 30) + 1, most})
    for (uint32_t n : {0u, 1u, d - 1, d, most - 1, most})
      check(n, d);
}

TEST(Form, WantedOnTheGpu) {
  struct Row {
    const char *what;
    Layout layout;
    std::vector<OperandFacts> facts;
    Form form;
  };
  const OperandFacts in = {false, 256, 4}, out = {false, 512, 4, true};
  const Row rows[] = {
      {"aligned runs", plan({1000}, {{4}, {4}}), {in, out}, Form::Contiguous},
      {"input not aligned",
       plan({1000}, {{4}, {4}}),
       {{false, 260, 4}, out},
       Form::Inner},
      {"output not aligned",
       plan({1000}, {{4}, {4}}),
       {in, {false, 516, 4, true}},
       Form::Inner},
      {"a scalar has neither stride nor address",
       plan({1000}, {{0}, {4}}),
       {{true, 3, 4}, out},
       Form::Contiguous},
      {"broadcast", plan({1000}, {{0}, {4}}), {in, out}, Form::Inner},
      {"rows of an array",
       plan({10, 12}, {{80, 4}, {48, 4}}),
       {in, out},
       Form::Inner},
      {"a bias for each column",
       plan({64, 64}, {{256, 4}, {0, 4}, {256, 4}}),
       {in, in, out},
       Form::Inner},
      {"a bias for each row",
       plan({64, 64}, {{256, 4}, {4, 0}, {256, 4}}),
       {in, in, out},
       Form::Inner},
      {"short rows that begin anywhere",
       plan({100, 13}, {{80, 4}, {80, 4}}),
       {in, out},
       Form::Strided},
      {"long rows that begin anywhere",
       plan({100, 1001}, {{8000, 4}, {4004, 4}}),
       {{false, 260, 4}, {false, 516, 4, true}},
       Form::Inner},
      {"every second", plan({1000}, {{8}, {4}}), {in, out}, Form::Inner},
      {"every second of narrow ones",
       plan({1000}, {{2}, {1}}),
       {{false, 256, 1}, {false, 512, 1, true}},
       Form::Strided},
      {"narrow ones backwards",
       plan({4000}, {{-1}, {1}}),
       {{false, 256, 1}, {false, 512, 1, true}},
       Form::Inner},
      {"every ninth", plan({1000}, {{36}, {4}}), {in, out}, Form::Strided},
      {"backwards", plan({1000}, {{-4}, {4}}), {in, out}, Form::Inner},
      {"into every second", plan({1000}, {{4}, {8}}), {in, out}, Form::Strided},
      {"elements of 16 bytes are vectors",
       plan({100, 64}, {{2048, 16}, {1024, 16}}),
       {{false, 256, 16}, {false, 512, 16, true}},
       Form::Strided},
      {"transposed",
       plan({64, 64}, {{4, 256}, {256, 4}}),
       {in, out},
       Form::Tiled},
      {"transposed, narrow",
       plan({64, 3}, {{4, 256}, {12, 4}}),
       {in, out},
       Form::Strided},
      {"one element", plan({}, {{}, {}}), {in, out}, Form::Contiguous},
  };
  for (const Row &row : rows) {
    EXPECT_EQ(wantedCudaForm(FunctionKind::Ufunc, row.layout, row.facts),
              row.form)
        << row.what;
    EXPECT_EQ(wantedCudaForm(FunctionKind::Gufunc, row.layout, row.facts),
              Form::General)
        << row.what;
  }
}

// Kernels with accesses of 32 bytes leave what lies for 16 alone to others.
TEST(Form, WantedForWiderAccesses) {
  const Layout row = plan({1000}, {{4}, {4}});
  auto wanted = [&](uint64_t in, uint64_t out) {
    const OperandFacts facts[] = {{false, in, 4}, {false, out, 4, true}};
    return wantedCudaForm(FunctionKind::Ufunc, row, facts, widestVectorBytes);
  };
  EXPECT_EQ(wanted(256, 512), Form::Contiguous);
  EXPECT_EQ(wanted(256 + 32, 512), Form::Contiguous);
  EXPECT_EQ(wanted(256 + 16, 512), Form::Inner);
  EXPECT_EQ(wanted(256, 512 + 16), Form::Inner);
}

TEST(Crossing, Table) {
  const OperandFacts in = {false, 256, 4}, out = {false, 512, 4, true};
  const OperandFacts both[] = {in, out}, three[] = {in, in, out};
  // Dimensions of a layout are innermost first.
  EXPECT_EQ(findCrossing(plan({64, 80}, {{4, 256}, {320, 4}}), both),
            (Crossing{0, 1, 1}));
  EXPECT_EQ(findCrossing(plan({64, 80}, {{320, 4}, {4, 256}, {320, 4}}), three),
            (Crossing{0, 1, 2}));
  EXPECT_EQ(findCrossing(plan({64, 64}, {{256, 4}, {256, 4}, {4, 256}}), three),
            (Crossing{1, 0, 3}))
      << "tiles are written along the output";
  EXPECT_EQ(findCrossing(plan({16, 32, 32, 32},
                              {{4, 64, 2048, 65536}, {131072, 4096, 128, 4}}),
                         both),
            (Crossing{0, 3, 1}));
  EXPECT_EQ(findCrossing(plan({64, 64}, {{4, 0}, {256, 4}}), both),
            std::nullopt)
      << "an input that stands still is read once a row";
  EXPECT_EQ(findCrossing(plan({64, 64}, {{512, 4}, {256, 4}}), both),
            std::nullopt);
  EXPECT_EQ(findCrossing(plan({64, 8}, {{4, 256}, {32, 4}}), both),
            std::nullopt)
      << "too short";
  Layout turned = arranged(
      plan({16, 32, 32, 32}, {{4, 64, 2048, 65536}, {131072, 4096, 128, 4}}),
      {0, 3, 1});
  EXPECT_EQ(turned.extents, (Extents{32, 16, 32, 32}));
  EXPECT_EQ(turned.strides[0], (Extents{65536, 4, 2048, 64}));
}

TEST(Geometry, OfTheInnerForm) {
  KernelInfo four = kernel(Form::Inner, 256, 4, 2);
  const OperandFacts facts[] = {{false, 256, 4}, {false, 512, 4, true}};
  auto geometry = [&](Layout layout) {
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
  Crossing crossing = *findCrossing(layout, facts);
  EXPECT_EQ(crossing.inputs, 7u);
  layout = arranged(layout, crossing);
  EXPECT_EQ(layout.extents, (Extents{128, 65, 3}));
  Geometry g = tiledGeometry(square, layout, crossing, facts);
  EXPECT_EQ(g.blockX, 32u);
  EXPECT_EQ(g.blockY, 16u);
  EXPECT_EQ(g.tiles, 2);
  EXPECT_EQ(g.tilesAcross, 2);
  EXPECT_EQ(g.blocks, 2 * 2 * 3);
  EXPECT_EQ(g.across, 3u) << "a third tile has no room";
  EXPECT_EQ(g.sharedBytes, 2u * 64 * 65 * 4);
}

TEST(Piece, WhatOneLaunchCanWalk) {
  int64_t big = int64_t(1) << 31;
  auto halve = [](Form form, Layout layout, int64_t blocks = 1) {
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

namespace {

/// The elements that a launch visits, as each operand's byte offset, read off
/// its words as docs/kernel-abi.md describes them.
class Model {
public:
  Model(const std::vector<int64_t> &words, size_t loopWords, size_t inputs,
        size_t operands)
      : w(words), loopWords(loopWords) {
    size_t at = loopWords;
    for (size_t k = 0; k < operands; ++k) {
      pointers.push_back(at);
      strides.push_back(at + (k < inputs ? 2 : 1));
      at = strides.back() + 6;
    }
    EXPECT_EQ(at, words.size());
  }

  int64_t extent(size_t d) const { return w[d]; }
  std::vector<int64_t> at(const std::array<int64_t, 6> &index) const {
    std::vector<int64_t> places;
    for (size_t k = 0; k < pointers.size(); ++k) {
      int64_t place = w[pointers[k]];
      for (size_t d = 0; d < 6; ++d)
        place += index[d] * w[strides[k] + d];
      places.push_back(place);
    }
    return places;
  }
  /// Takes an index over dimensions from `first` apart, with divisors that
  /// begin at word `divisors`.
  void apart(int64_t index, size_t first, size_t divisors,
             std::array<int64_t, 6> &out) const {
    auto rest = uint64_t(index);
    for (size_t d = first; d < 5; ++d) {
      auto word = uint64_t(w[divisors + d - first]);
      uint64_t outer =
          (rest + (rest * (word & 0xffffffff) >> 32)) >> (word >> 32);
      out[d] = int64_t(rest) - int64_t(outer) * w[d];
      rest = outer;
    }
    out[5] = int64_t(rest);
  }

  const std::vector<int64_t> &w;
  size_t loopWords;
  std::vector<size_t> pointers, strides;
};

using Visits = std::multiset<std::vector<int64_t>>;

void visitStrided(const Model &m, const Geometry &g, unsigned elements,
                  Visits &out) {
  for (int64_t i = 0; i < g.blocks * g.blockX * elements && i < m.w[7]; ++i) {
    std::array<int64_t, 6> index = {};
    m.apart(i, 0, 8, index);
    out.insert(m.at(index));
  }
}

void visitInner(const Model &m, const Geometry &g, const KernelInfo &kernel,
                int64_t itemSize, Visits &out) {
  int64_t vector = kernel.elements, rows = m.w[7], tiles = m.w[9];
  for (int64_t block = 0; block < g.blocks; ++block)
    for (unsigned ty = 0; ty < g.blockY; ++ty)
      for (unsigned tx = 0; tx < g.blockX; ++tx)
        for (unsigned r = 0; r < kernel.rows; ++r) {
          int64_t row = block / tiles * g.blockY * kernel.rows + ty +
                        int64_t(r) * g.blockY;
          if (row >= rows)
            continue;
          std::array<int64_t, 6> index = {};
          m.apart(row, 1, 11, index);
          int64_t begin = m.at(index).back() / itemSize % vector;
          int64_t column = (block % tiles * g.blockX + tx) * vector - begin;
          int64_t end = row == rows - 1 ? m.w[8] : m.w[0];
          for (int64_t i = 0; i < vector; ++i) {
            index[0] = column + i;
            if (index[0] < 0 || index[0] >= end)
              continue;
            out.insert(m.at(index));
          }
        }
}

void visitTiled(const Model &m, const Geometry &g, int64_t side, Visits &out) {
  for (int64_t block = 0; block < g.blocks; ++block) {
    int64_t t0 = block % m.w[7], rest = block / m.w[7];
    int64_t t1 = rest % m.w[8], outer = rest / m.w[8];
    std::array<int64_t, 6> index = {};
    m.apart(outer, 2, 11, index);
    for (int64_t i = 0; i < side; ++i)
      for (int64_t j = 0; j < side; ++j) {
        index[0] = t0 * side + i;
        index[1] = t1 * side + j;
        if (index[0] >= m.extent(0) || index[1] >= m.extent(1))
          continue;
        out.insert(m.at(index));
      }
  }
}

} // namespace

// Every element is visited exactly once, each operand at its own place, in
// every form, over random shapes, strides and offsets.
TEST(Form, EachWalksABijection) {
  std::mt19937 random(7);
  auto below = [&](int n) { return int64_t(random() % unsigned(n)); };
  std::map<Form, int> met;
  for (int round = 0; round < 600; ++round) {
    size_t rank = 1 + size_t(below(3)) + size_t(below(20) == 0);
    Extents shape(rank);
    for (int64_t &extent : shape)
      extent = 1 + below(rank == 1 ? 2000 : rank == 2 ? 60 : 24);
    std::vector<unsigned> axes(rank);
    for (size_t i = 0; i < rank; ++i)
      axes[i] = unsigned(rank - 1 - i);
    Extents output = packedStrides(shape, axes, 4);
    if (below(3) == 0)
      for (int64_t &stride : output)
        stride = stride / 4 * (4 + below(3) * 4);
    Extents input = output;
    if (below(2)) {
      std::shuffle(axes.begin(), axes.end(), random);
      input = packedStrides(shape, axes, 4);
    }
    for (int64_t &stride : input)
      if (below(5) == 0)
        stride = below(2) ? 0 : -stride;
    Layout layout = planLayout(shape, std::vector<Extents>{input, output});
    OperandFacts facts[] = {
        {false, uint64_t(64 + 4 * below(4)), 4},
        {false, uint64_t(1 << 24) + uint64_t(4 * below(4)), 4, true}};
    std::vector<KernelOperand> operands(2);
    for (size_t k = 0; k < 2; ++k) {
      operands[k].dtype = DType::F32;
      operands[k].isOutput = k == 1;
      operands[k].data =
          reinterpret_cast<std::byte *>(uintptr_t(facts[k].address));
    }
    Visits expected;
    for (Odometer o(layout, 0, 0); expected.size() < size_t(layout.count());
         o.advance())
      expected.insert({int64_t(facts[0].address) + o.offset(0),
                       int64_t(facts[1].address) + o.offset(1)});
    // The form that is wanted, and the one that every call can take.
    for (Form form :
         {wantedCudaForm(FunctionKind::Ufunc, layout, facts), Form::Strided}) {
      Visits visited;
      if (form == Form::Inner) {
        KernelInfo info = kernel(form, 64, 4, 2);
        Rows rows = rowsOf(info, layout, facts);
        Geometry g = innerGeometry(info, rows);
        std::vector<int64_t> words = innerWords(rows, g, operands).words;
        visitInner(Model(words, 16, 1, 2), g, info, 4, visited);
      } else if (form == Form::Tiled) {
        Crossing crossing = *findCrossing(layout, facts);
        Layout turned = arranged(layout, crossing);
        KernelInfo info = kernel(form, 64, 32);
        Geometry g = tiledGeometry(info, turned, crossing, facts);
        std::vector<int64_t> words = tiledWords(turned, g, operands).words;
        visitTiled(Model(words, 16, 1, 2), g, 32, visited);
      } else if (form == Form::Strided) {
        Geometry g = stridedGeometry(kernel(form, 64, 2), layout.count());
        std::vector<int64_t> words = stridedWords(layout, operands).words;
        visitStrided(Model(words, 14, 1, 2), g, 2, visited);
      } else {
        visited = expected;
      }
      ++met[form];
      ASSERT_EQ(visited, expected) << name(form) << ", round " << round;
    }
  }
  for (Form form : {Form::Inner, Form::Tiled, Form::Strided})
    EXPECT_GT(met[form], 9) << name(form);
}
