//===- FormWalkTest.cpp - each form visits every element once -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SomeLayout.h"
#include "runtime/plan/Geometry.h"
#include "runtime/plan/Transposition.h"
#include "runtime/plan/Words.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>

using namespace kern::runtime;
using namespace kern::test;

namespace {

/// The elements that a launch visits, as each operand's byte offset, read off
/// its words as docs/explanation/kernel-abi.md describes them.
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
  /// Splits an index over dimensions from `first` on, with divisors that begin
  /// at word `divisors`.
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
TEST(FormWalk, IsABijection) {
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
        Transposition transposition = *findTransposition(layout, facts);
        Layout turned = transposed(layout, transposition);
        KernelInfo info = kernel(form, 64, 32);
        Geometry g = tiledGeometry(info, turned, transposition, facts);
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
