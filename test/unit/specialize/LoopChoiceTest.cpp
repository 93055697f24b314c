//===- LoopChoiceTest.cpp - which loop a call in a body takes -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/specialize/LoopChoice.h"

#include <gtest/gtest.h>

using namespace kern::compiler;
using namespace kern::ir;
using namespace kern::runtime;

namespace {

CallArgument typed(DType type) { return {{ValueType::Typed, type}}; }
CallArgument weak(ValueType::Form form) { return {{form, DType::F64}}; }

constexpr size_t none = SIZE_MAX;

size_t choose(std::initializer_list<ParameterTypes> loops,
              std::initializer_list<CallArgument> arguments) {
  llvm::SmallVector<ParameterTypes> list(loops);
  llvm::SmallVector<CallArgument> given(arguments);
  return chooseLoop(list, given).value_or(none);
}

using enum DType;

TEST(LoopChoice, ExactBeforeFirstSafe) {
  EXPECT_EQ(choose({{F64}, {F32}}, {typed(F32)}), 1u);
  EXPECT_EQ(choose({{F32}, {F64}}, {typed(I16)}), 0u);
  EXPECT_EQ(choose({{F32}, {F64}}, {typed(I32)}), 1u);
  EXPECT_EQ(choose({{F32}}, {typed(F64)}), none);
  EXPECT_EQ(choose({{I32, F32}, {I64, F64}}, {typed(I32), typed(F64)}), 1u);
}

// NumPy's choices: a ufunc made of these loops and called so.
TEST(LoopChoice, WeakNumbersGiveWay) {
  CallArgument integer = weak(ValueType::WeakInt);
  CallArgument real = weak(ValueType::WeakFloat);
  EXPECT_EQ(choose({{I8, I8}, {F32, F32}}, {typed(F32), integer}), 1u);
  EXPECT_EQ(choose({{I8, I8}, {I16, I16}}, {typed(I8), integer}), 0u);
  EXPECT_EQ(choose({{F32, F32}, {F64, F64}}, {typed(I8), integer}), 0u);
  EXPECT_EQ(choose({{F32, F32}, {F64, F64}}, {typed(F32), real}), 0u);
  EXPECT_EQ(choose({{F32, F32}, {C64, C64}},
                   {typed(F32), weak(ValueType::WeakComplex)}),
            1u);
}

TEST(LoopChoice, WeakNumbersOfAHigherKindCount) {
  CallArgument integer = weak(ValueType::WeakInt);
  CallArgument real = weak(ValueType::WeakFloat);
  EXPECT_EQ(choose({{F32, F32}, {F64, F64}}, {typed(I8), real}), 1u);
  EXPECT_EQ(choose({{F32, F32}}, {typed(I8), real}), none);
  EXPECT_EQ(choose({{I32, I32}, {F32, F32}}, {typed(I32), real}), none);
  EXPECT_EQ(choose({{F32, F32}, {F64, F64}}, {typed(Bool), integer}), 1u);
  EXPECT_EQ(choose({{I8, I8}, {I64, I64}}, {integer, typed(Bool)}), 1u);
  EXPECT_EQ(
      choose({{F32, F32, F32}, {F64, F64, F64}}, {typed(I8), integer, real}),
      1u);
}

TEST(LoopChoice, AllWeakCountAsTheWidest) {
  CallArgument integer = weak(ValueType::WeakInt);
  EXPECT_EQ(choose({{I8}, {I64}}, {integer}), 1u);
  EXPECT_EQ(choose({{I8}}, {integer}), none);
  EXPECT_EQ(choose({{F32}, {F64}}, {weak(ValueType::WeakFloat)}), 1u);
  EXPECT_EQ(choose({{I32}, {I64}}, {weak(ValueType::Index)}), 1u);
}

TEST(LoopChoice, IndexValues) {
  CallArgument index = weak(ValueType::Index);
  EXPECT_EQ(choose({{F32, F32}, {F64, F64}}, {typed(F32), index}), 0u);
  EXPECT_EQ(choose({{I32, I32}, {I64, I64}}, {typed(I32), index}), 1u);
  EXPECT_EQ(choose({{F32, F32}, {F64, F64}}, {typed(I8), index}), 1u)
      << "it is an i64 beside integers";
  EXPECT_EQ(choose({{F32, I32}, {F64, I64}}, {typed(F32), index}), 1u);
}

TEST(LoopChoice, GenericParametersTakeAnything) {
  EXPECT_EQ(choose({{std::nullopt, F32}}, {typed(C128), typed(F32)}), 0u);
  EXPECT_EQ(choose({{std::nullopt}}, {weak(ValueType::WeakInt)}), 0u);
}

TEST(LoopChoice, WrittenArraysNeedTheirType) {
  CallArgument array{{ValueType::Typed, F32}, true};
  EXPECT_EQ(choose({{F64}}, {array}), none);
  EXPECT_EQ(choose({{F64}, {F32}}, {array}), 1u);
}

TEST(LoopChoice, NamesTheArgumentInTheWay) {
  llvm::SmallVector<ParameterTypes> loops = {{F32, F32}, {F64, F32}};
  llvm::SmallVector<CallArgument> arguments = {typed(F64), typed(C64)};
  EXPECT_EQ(argumentInTheWay(loops, arguments), 1u);
}

} // namespace
