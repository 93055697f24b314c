//===- PlanTest.cpp - layouts, overlap, forms, words ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/KernelVariant.h"
#include "runtime/plan/Geometry.h"
#include "runtime/plan/Layout.h"
#include "runtime/plan/Overlap.h"
#include "runtime/plan/Words.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace kern::runtime;

namespace {
Layout plan(Extents shape, std::vector<Extents> strides) {
  return planLayout(shape, strides);
}

/// Every index of `shape`, outermost first.
std::vector<Extents> indicesOf(const Extents &shape) {
  std::vector<Extents> all = {{}};
  for (int64_t extent : shape) {
    std::vector<Extents> next;
    for (const Extents &prefix : all)
      for (int64_t i = 0; i < extent; ++i) {
        next.push_back(prefix);
        next.back().push_back(i);
      }
    all = std::move(next);
  }
  return all;
}

int64_t dot(const Extents &index, const Extents &strides) {
  int64_t sum = 0;
  for (size_t i = 0; i < index.size(); ++i)
    sum += index[i] * strides[i];
  return sum;
}
} // namespace

TEST(Layout, MergesWhatNests) {
  Layout c = plan({4, 5, 6}, {{120, 24, 4}, {120, 24, 4}});
  EXPECT_EQ(c.extents, (Extents{120}));
  Layout f = plan({4, 5, 6}, {{4, 16, 80}, {4, 16, 80}});
  EXPECT_EQ(f.extents, (Extents{120}));
  EXPECT_EQ(f.strides[0], (Extents{4}));
  Layout row = plan({4, 5}, {{20, 4}, {0, 4}});
  EXPECT_EQ(row.extents, (Extents{5, 4}));
  EXPECT_EQ(row.strides[1], (Extents{4, 0}));
  Layout transposed = plan({4, 5}, {{4, 16}, {20, 4}});
  EXPECT_EQ(transposed.extents, (Extents{5, 4})) << "C order wins";
  Layout ones = plan({1, 7, 1}, {{999, 4, 5}, {0, 4, 1}});
  EXPECT_EQ(ones.extents, (Extents{7}));
  EXPECT_EQ(plan({}, {{}, {}}).count(), 1);
  EXPECT_TRUE(plan({3, 0}, {{0, 4}}).isEmpty);
  EXPECT_EQ(plan({3, 0}, {{0, 4}}).count(), 0);
}

TEST(Layout, ReversesWhereAllRunBackwards) {
  Layout all = plan({6}, {{-4}, {-8}});
  EXPECT_EQ(all.strides[0], (Extents{4}));
  EXPECT_EQ(all.strides[1], (Extents{8}));
  EXPECT_EQ(all.offsets, (std::vector<int64_t>{-20, -40}));
  Layout broadcast = plan({6}, {{-4}, {0}});
  EXPECT_EQ(broadcast.offsets, (std::vector<int64_t>{-20, 0}));
  Layout mixed = plan({6}, {{-4}, {4}});
  EXPECT_EQ(mixed.strides[0], (Extents{-4}));
  EXPECT_EQ(mixed.offsets, (std::vector<int64_t>{0, 0}));
}

TEST(Layout, PackedStridesFollowTheOrder) {
  Extents shape = {2, 3, 4};
  std::vector<unsigned> order = {1, 0, 2};
  EXPECT_EQ(packedStrides(shape, order, 8), (Extents{24, 8, 48}));
  std::vector<Extents> fortran = {{4, 8, 24}};
  EXPECT_EQ(memoryOrder(shape, fortran), (std::vector<unsigned>{0, 1, 2}));
  std::vector<Extents> none;
  EXPECT_EQ(memoryOrder(shape, none), (std::vector<unsigned>{2, 1, 0}));
  // A broadcast operand does not decide; the other does.
  std::vector<Extents> partly = {{0, 4, 0}, {4, 8, 24}};
  EXPECT_EQ(memoryOrder(shape, partly), (std::vector<unsigned>{0, 1, 2}));
}

// The loop nest that a layout describes visits every index of the original
// shape exactly once, with every operand at its own place.
TEST(Layout, IsABijection) {
  std::mt19937 random(1);
  auto below = [&](int n) { return int(random() % unsigned(n)); };
  for (int round = 0; round < 3000; ++round) {
    size_t rank = size_t(below(6));
    Extents shape(rank);
    for (int64_t &extent : shape)
      extent = 1 + below(4);
    // Operand 0 is dense in a random order, so its offsets tell the indices.
    std::vector<unsigned> axes(rank);
    for (size_t i = 0; i < rank; ++i)
      axes[i] = unsigned(i);
    std::shuffle(axes.begin(), axes.end(), random);
    std::vector<Extents> strides = {packedStrides(shape, axes, 1)};
    for (size_t i = 0; i < rank; ++i)
      if (below(3) == 0)
        strides[0][i] = -strides[0][i];
    size_t others = 1 + size_t(below(2));
    for (size_t k = 0; k < others; ++k) {
      Extents s = strides[0];
      for (int64_t &stride : s) {
        if (below(3) == 0)
          stride = 0;
        else if (below(3) == 0)
          stride = below(200) - 100;
      }
      strides.push_back(s);
    }
    std::map<int64_t, std::vector<int64_t>> expected;
    for (const Extents &index : indicesOf(shape)) {
      std::vector<int64_t> places;
      for (const Extents &s : strides)
        places.push_back(dot(index, s));
      expected[places[0]] = places;
    }
    Layout layout = planLayout(shape, strides);
    ASSERT_EQ(size_t(layout.count()), expected.size());
    // Split at a random depth, as the callers do.
    size_t first = layout.rank() ? size_t(below(int(layout.rank()) + 1)) : 0;
    Layout inner = layout;
    inner.extents.resize(first);
    Odometer outer(layout, first, 0);
    std::set<int64_t> seen;
    for (int64_t i = 0; i < layout.outerCount(first); ++i) {
      Odometer in(inner, 0, 0);
      for (int64_t j = 0; j < inner.outerCount(0); ++j) {
        std::vector<int64_t> places;
        for (size_t k = 0; k < strides.size(); ++k)
          places.push_back(layout.offsets[k] + outer.offset(k) + in.offset(k));
        ASSERT_TRUE(seen.insert(places[0]).second) << "visited twice";
        ASSERT_EQ(expected.at(places[0]), places);
        in.advance();
      }
      outer.advance();
      if (i + 1 < layout.outerCount(first)) {
        Odometer direct(layout, first, i + 1);
        ASSERT_EQ(direct.offset(0), outer.offset(0));
      }
    }
    ASSERT_EQ(seen.size(), expected.size());
  }
}

namespace {
std::byte memory[4096];

StridedView window(int64_t offset, Extents shape, Extents strides,
                   DType dtype = DType::I32) {
  return {dtype, memory + 2048 + offset, hostDevice(), std::move(shape),
          std::move(strides)};
}

/// The bytes that a view touches, and whether it touches one twice.
std::set<int64_t> bytesOf(const StridedView &view, bool *twice = nullptr) {
  std::set<int64_t> bytes;
  for (const Extents &index : indicesOf(view.shape))
    for (size_t b = 0; b < itemSize(view.dtype); ++b)
      if (!bytes
               .insert(view.data - memory + dot(index, view.strides) +
                       int64_t(b))
               .second &&
          twice)
        *twice = true;
  return bytes;
}
} // namespace

TEST(Overlap, KnownCases) {
  StridedView a = window(0, {10}, {8});
  EXPECT_EQ(overlapOf(a, window(0, {10}, {8})), Overlap::Exact);
  EXPECT_EQ(overlapOf(a, window(4, {10}, {8})), Overlap::None)
      << "x[::2] and x[1::2]";
  EXPECT_EQ(overlapOf(a, window(8, {10}, {8})), Overlap::Some);
  EXPECT_EQ(overlapOf(a, window(72, {10}, {-8})), Overlap::Some) << "reversed";
  EXPECT_EQ(overlapOf(window(0, {5, 2}, {40, 4}), window(8, {5, 2}, {40, 4})),
            Overlap::None)
      << "columns of one matrix";
  EXPECT_EQ(overlapOf(window(0, {6, 6}, {24, 4}), window(0, {6, 6}, {4, 24})),
            Overlap::Some)
      << "a matrix and its transpose";
  EXPECT_EQ(overlapOf(a, window(0, {10}, {8}, DType::F64)), Overlap::Some)
      << "elements of another size";
  EXPECT_EQ(overlapOf(window(0, {0}, {4}), a), Overlap::None);
  StridedView elsewhere = a;
  elsewhere.device = {kDLCUDA, 0};
  EXPECT_EQ(overlapOf(a, elsewhere), Overlap::None);
  EXPECT_TRUE(overlapsItself(window(0, {3}, {0})));
  EXPECT_FALSE(overlapsItself(window(0, {1}, {0})));
  EXPECT_TRUE(overlapsItself(window(0, {3, 3}, {4, 4})));
  EXPECT_FALSE(overlapsItself(window(0, {3, 2}, {8, 12})))
      << "0 8 16 and 12 20 28 do not meet";
}

TEST(Overlap, AgreesWithCountingBytes) {
  std::mt19937 random(2);
  auto below = [&](int n) { return int(random() % unsigned(n)); };
  auto anyView = [&] {
    size_t rank = 1 + size_t(below(3));
    Extents shape(rank), strides(rank);
    for (size_t i = 0; i < rank; ++i) {
      shape[i] = 1 + below(4);
      strides[i] = (below(41) - 20) * (below(4) ? 4 : 1);
    }
    return window(below(400) - 200, shape, strides,
                  below(2) ? DType::I32 : DType::I16);
  };
  int some = 0, none = 0;
  for (int round = 0; round < 5000; ++round) {
    StridedView a = anyView(), b = anyView();
    bool twice = false;
    std::set<int64_t> bytesA = bytesOf(a, &twice), bytesB = bytesOf(b);
    bool meet = false;
    for (int64_t byte : bytesA)
      meet |= bytesB.count(byte) > 0;
    ASSERT_EQ(overlapOf(a, b) != Overlap::None, meet);
    ASSERT_EQ(overlapsItself(a), twice);
    (meet ? some : none) += 1;
  }
  EXPECT_GT(some, 500);
  EXPECT_GT(none, 500);
}

namespace {
KernelInfo kernel(Form form, unsigned block = 256, unsigned elements = 4,
                  unsigned alignment = 16) {
  KernelInfo info;
  info.form = form;
  info.symbol = std::string(name(form));
  info.block = block;
  info.elements = elements;
  info.alignment = alignment;
  return info;
}
} // namespace

TEST(Form, WantedOnTheHost) {
  constexpr int64_t n = streamedBytes / 8; // f32: two of them are the bound
  const OperandFacts in = {false, 0, 4}, out = {false, 0, 4, true};
  auto wanted = [&](const Extents &shape, const Extents &a, const Extents &b,
                    bool disjoint = true) {
    const Extents strides[] = {a, b};
    const OperandFacts facts[] = {in, out};
    return wantedHostForm(FunctionKind::Ufunc, planLayout(shape, strides),
                          facts, disjoint);
  };
  EXPECT_EQ(wanted({}, {}, {}), Form::Contiguous);
  EXPECT_EQ(wanted({n}, {4}, {4}), Form::Contiguous);
  EXPECT_EQ(wanted({n + 1}, {4}, {4}), Form::Streamed);
  EXPECT_EQ(wanted({n + 1}, {4}, {4}, false), Form::Contiguous) << "in place";
  EXPECT_EQ(wanted({n + 1}, {-8}, {4}), Form::Streamed);
  EXPECT_EQ(wanted({n + 1}, {4}, {8}), Form::Contiguous) << "gaps";
  EXPECT_EQ(wanted({n + 1}, {0}, {4}), Form::Contiguous)
      << "half as much, one element being read";
  EXPECT_EQ(wanted({n / 1024 + 1, 1024}, {8192, 4}, {8192, 4}), Form::Streamed);
  EXPECT_EQ(wanted({n / 1000 + 1, 1000}, {8192, 4}, {8192, 4}),
            Form::Contiguous)
      << "short rows";
  const Extents strides[] = {{4}, {4}};
  const OperandFacts facts[] = {in, out};
  EXPECT_EQ(wantedHostForm(FunctionKind::Gufunc, planLayout({{n + 1}}, strides),
                           facts, true),
            Form::General);
}

TEST(Form, BestKernel) {
  using enum Form;
  KernelInfo fast = kernel(Contiguous);
  fast.disjoint = true;
  const std::vector<KernelInfo> kernels = {kernel(Contiguous), fast,
                                           kernel(Strided)};
  EXPECT_EQ(bestKernel(kernels, {Contiguous, false}), 0u);
  EXPECT_EQ(bestKernel(kernels, {Contiguous, true}), 1u);
  EXPECT_EQ(bestKernel(kernels, {Strided, true}), 2u)
      << "a kernel for any operands serves disjoint ones";
  EXPECT_EQ(bestKernel(kernels, {General, true}), std::nullopt);
  EXPECT_EQ(bestKernel(std::vector{kernel(Strided)}, {Contiguous, true}), 0u)
      << "a more general form";
  EXPECT_EQ(bestKernel(std::vector{kernel(Contiguous)}, {Strided, true}),
            std::nullopt);
  EXPECT_EQ(bestKernel(kernels, {Streamed, true}), 1u);
  EXPECT_EQ(bestKernel(std::vector{kernel(Streamed)}, {Contiguous, true}),
            std::nullopt);
  EXPECT_EQ(bestKernel(std::vector{fast, kernel(Strided)}, {Contiguous, false}),
            1u)
      << "never one that relies on what does not hold";
  EXPECT_EQ(bestKernel(std::vector{fast}, {Contiguous, false}), std::nullopt);
}

TEST(Form, Geometry) {
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
  EXPECT_EQ(g.blockY, 32u) << "lanes take turns";
  EXPECT_EQ(g.blocks, 4 * 3);
  g = generalGeometry(alone, 100, {{.across = true}, 2, 1});
  EXPECT_EQ(g.blockX, 64u);
  EXPECT_EQ(g.blockY, 2u);
}

TEST(Words, AsTheAbiSays) {
  std::byte *a = reinterpret_cast<std::byte *>(0x1000);
  KernelOperand x, s, y;
  x.dtype = DType::F32;
  x.data = a;
  x.loopStrides = {4, 80};
  s.dtype = DType::C128;
  s.isScalar = true;
  for (int i = 0; i < 16; ++i)
    s.value[size_t(i)] = std::byte(i);
  s.loopStrides = {0, 0};
  y = x;
  y.isOutput = true;
  y.data = a + 64;
  std::vector<KernelOperand> operands = {x, s, y};
  EXPECT_EQ(contiguousWords(7, operands).words,
            (std::vector<int64_t>{7, 2, 0x1000, 0, 0, 0x0706050403020100,
                                  0x0f0e0d0c0b0a0908, 0x1040}));
  // A value has the size of what is in memory, also where it is not given: the
  // kernel converts.
  KernelOperand converted = x;
  converted.dtype = DType::C128;
  converted.stored = DType::F64;
  EXPECT_EQ(contiguousWords(7, {{converted, y}}).words,
            (std::vector<int64_t>{7, 0, 0x1000, 0, 0x1040}));
  converted.dtype = DType::F64;
  converted.stored = DType::C128;
  EXPECT_EQ(contiguousWords(7, {{converted, y}}).words,
            (std::vector<int64_t>{7, 0, 0x1000, 0, 0, 0x1040}));
  Layout layout = plan({3, 5}, {{80, 4}, {0, 0}, {80, 4}});
  Geometry g;
  x.hasCore = true;
  x.coreStrides = {400, 16};
  g.group = 32;
  g.items = 15;
  std::vector<int64_t> dims = {8, 9};
  std::vector<KernelOperand> gufunc = {x, y};
  EXPECT_EQ(generalWords({}, layout, g, dims, {}, gufunc).words,
            (std::vector<int64_t>{15,     5, 3,  1, 1, 1, 1, 32,  0,  8, 9, //
                                  0x1000, 4, 80, 0, 0, 0, 0, 400, 16,       //
                                  0x1040, 4, 80, 0, 0, 0, 0}));
  KernelInfo sliced;
  sliced.mapping = {.flat = true, .sliced = true};
  g.items = 15 * 6;
  g.slices = 4;
  g.blocks = 4 * 3;
  KernelWords words = generalWords(sliced, layout, g, dims, {{2, 3}}, gufunc);
  EXPECT_EQ(std::vector<int64_t>(words.words.begin(), words.words.begin() + 17),
            (std::vector<int64_t>{90, 5, 3, 1, 1, 1, 1, 32, 0, 8, 9, //
                                  2, 3, 0, 4, 3, 0x1000}));
  EXPECT_EQ(words.launchAt, 13u);
  KernelWords host = hostWords(Form::General, 5, dims, gufunc);
  EXPECT_EQ(host.words,
            (std::vector<int64_t>{5, 8, 9, 0x1000, 4, 400, 16, 0x1040, 4}));
  EXPECT_EQ(host.pointerAt, (std::vector<size_t>{3, 7}));
  EXPECT_EQ(hostWords(Form::Strided, 5, {}, gufunc).words,
            (std::vector<int64_t>{5, 0x1000, 4, 0x1040, 4}));
  EXPECT_EQ(hostWords(Form::Contiguous, 5, {}, gufunc).words,
            (std::vector<int64_t>{5, 0x1000, 4, 0x1040, 4}));
}
