//===- WordsTest.cpp - the words of a kernel ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Words.h"
#include "SomeLayout.h"

#include <gtest/gtest.h>

using namespace kern::runtime;
using namespace kern::test;

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
  // A kernel that divides by ranges has a word for each; none is too large.
  sliced.hasDivisors = true;
  words =
      generalWords(sliced, layout, g, dims, {{2, int64_t(1) << 31}}, gufunc);
  EXPECT_EQ(
      std::vector<int64_t>(words.words.begin() + 11, words.words.begin() + 18),
      (std::vector<int64_t>{2, int64_t(1) << 31, int64_t(divisorWord(2)), 0, 0,
                            4, 3}));
  EXPECT_EQ(words.launchAt, 15u);
  sliced.mapping = {.privatised = true};
  g.copies = 8;
  words = generalWords(sliced, layout, g, dims, {}, gufunc);
  EXPECT_EQ(std::vector<int64_t>(words.words.begin(), words.words.begin() + 13),
            (std::vector<int64_t>{90, 5, 3, 1, 1, 1, 1, 32, 0, 8, 9, //
                                  8, 0x1000}));
  KernelWords host = hostWords(Form::General, 5, dims, gufunc);
  EXPECT_EQ(host.words,
            (std::vector<int64_t>{5, 8, 9, 0x1000, 4, 400, 16, 0x1040, 4}));
  EXPECT_EQ(host.pointerAt, (std::vector<size_t>{3, 7}));
  EXPECT_EQ(hostWords(Form::Strided, 5, {}, gufunc).words,
            (std::vector<int64_t>{5, 0x1000, 4, 0x1040, 4}));
  EXPECT_EQ(hostWords(Form::Contiguous, 5, {}, gufunc).words,
            (std::vector<int64_t>{5, 0x1000, 4, 0x1040, 4}));
}
