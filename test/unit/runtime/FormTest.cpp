//===- FormTest.cpp - which form a call wants -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SomeLayout.h"
#include "runtime/plan/Geometry.h"
#include "runtime/plan/Transposition.h"

#include "gtest/gtest.h"

using namespace kern::runtime;
using namespace kern::test;

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

// Kernels with accesses of 32 bytes do not serve arrays that are aligned to 16
// alone.
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

TEST(Transposition, Table) {
  const OperandFacts in = {false, 256, 4}, out = {false, 512, 4, true};
  const OperandFacts both[] = {in, out}, three[] = {in, in, out};
  // Dimensions of a layout are innermost first.
  EXPECT_EQ(findTransposition(plan({64, 80}, {{4, 256}, {320, 4}}), both),
            (Transposition{0, 1, 1}));
  EXPECT_EQ(
      findTransposition(plan({64, 80}, {{320, 4}, {4, 256}, {320, 4}}), three),
      (Transposition{0, 1, 2}));
  EXPECT_EQ(
      findTransposition(plan({64, 64}, {{256, 4}, {256, 4}, {4, 256}}), three),
      (Transposition{1, 0, 3}))
      << "tiles are written along the output";
  EXPECT_EQ(findTransposition(plan({16, 32, 32, 32}, {{4, 64, 2048, 65536},
                                                      {131072, 4096, 128, 4}}),
                              both),
            (Transposition{0, 3, 1}));
  EXPECT_EQ(findTransposition(plan({64, 64}, {{4, 0}, {256, 4}}), both),
            std::nullopt)
      << "an input that stands still is read once a row";
  EXPECT_EQ(findTransposition(plan({64, 64}, {{512, 4}, {256, 4}}), both),
            std::nullopt);
  EXPECT_EQ(findTransposition(plan({64, 8}, {{4, 256}, {32, 4}}), both),
            std::nullopt)
      << "too short";
  Layout turned = transposed(
      plan({16, 32, 32, 32}, {{4, 64, 2048, 65536}, {131072, 4096, 128, 4}}),
      {0, 3, 1});
  EXPECT_EQ(turned.extents, (Extents{32, 16, 32, 32}));
  EXPECT_EQ(turned.strides[0], (Extents{65536, 4, 2048, 64}));
}

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
