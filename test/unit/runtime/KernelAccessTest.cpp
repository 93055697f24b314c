//===- KernelAccessTest.cpp - how wide a kernel's accesses are ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/KernelAccess.h"

#include "gtest/gtest.h"

using namespace kern::runtime;

namespace {
constexpr DType f16 = DType::F16, f32 = DType::F32, f64 = DType::F64;
constexpr ObstacleKind wider = ObstacleKind::wider_operand,
                       anywhere = ObstacleKind::elements_anywhere,
                       tiles = ObstacleKind::element_tiles,
                       single = ObstacleKind::one_for_element,
                       apart = ObstacleKind::no_reduction;

KernelInfo kernel(Form form, unsigned elements, unsigned alignment = 1) {
  KernelInfo info;
  info.form = form;
  info.elements = elements;
  info.alignment = alignment;
  return info;
}

/// Two parameters of these ranks and a scalar result.
FunctionInfo function(size_t rankX, size_t rankY) {
  FunctionInfo info;
  info.parameters.resize(2);
  info.parameters[0].core.resize(rankX);
  info.parameters[1].core.resize(rankY);
  info.results.resize(1);
  return info;
}

std::vector<Access> accesses(const KernelInfo &kernel, DType x, DType y,
                             DType out, size_t rankX = 0, size_t rankY = 0) {
  LoopInfo loop;
  loop.inputs = {ArgType::typed(x), ArgType::typed(y)};
  loop.outputs = {out};
  return widestAccesses(kernel, function(rankX, rankY), loop);
}

using Accesses = std::vector<Access>;
} // namespace

TEST(KernelAccess, FormsOfUfuncs) {
  EXPECT_EQ(accesses(kernel(Form::Contiguous, 4, 16), f32, f32, f32),
            (Accesses{{16, {}}, {16, {}}, {16, {}}}));
  EXPECT_EQ(accesses(kernel(Form::Contiguous, 8, 32), f32, f32, f32),
            (Accesses{{32, {}}, {32, {}}, {32, {}}}));
  // As many elements of each as fill the access with the widest one's.
  EXPECT_EQ(accesses(kernel(Form::Contiguous, 2, 16), f16, f32, f64),
            (Accesses{{4, wider}, {8, wider}, {16, {}}}));
  // Two accesses a thread, for calls whose second input is a number.
  EXPECT_EQ(accesses(kernel(Form::Contiguous, 8, 16), f32, f64, f32),
            (Accesses{{16, {}}, {16, {}}, {16, {}}}));
  EXPECT_EQ(accesses(kernel(Form::Inner, 4), f32, f16, f32),
            (Accesses{{16, {}}, {8, wider}, {16, {}}}));
  EXPECT_EQ(accesses(kernel(Form::Tiled, 64), f32, f16, f32),
            (Accesses{{4, tiles}, {2, tiles}, {4, tiles}}));
  EXPECT_EQ(accesses(kernel(Form::Strided, 4), f64, f16, f32),
            (Accesses{{8, anywhere}, {2, anywhere}, {4, anywhere}}));
}

TEST(KernelAccess, CoreDimensions) {
  EXPECT_EQ(accesses(kernel(Form::General, 4), f32, f32, f32, 1, 0),
            (Accesses{{16, {}}, {4, single}, {4, single}}));
  EXPECT_EQ(accesses(kernel(Form::General, 1), f32, f64, f32, 1, 2),
            (Accesses{{4, apart}, {8, apart}, {4, single}}));
}

// Numbers are among the arguments, and a `dim` is not an operand.
TEST(KernelAccess, NumbersAndDimensions) {
  FunctionInfo info = function(1, 0);
  info.parameters[0].isDim = true;
  info.parameters[0].core.clear();
  info.parameters.resize(3);
  LoopInfo loop;
  loop.inputs = {ArgType::weak(Weakness::Float), ArgType::typed(f32)};
  loop.outputs = {f32};
  EXPECT_EQ(widestAccesses(kernel(Form::Contiguous, 4, 16), info, loop),
            (Accesses{{0, {}}, {16, {}}, {16, {}}}));
}
