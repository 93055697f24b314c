//===- ConstantRules.h - the table of functions of constants -- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of each function for integers, reals, complex numbers and bools.
// Where a function has no rule for integers, they are taken as reals.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/constants/ConstantFunctions.h"

namespace kern::compiler {

/// How a function is computed for operands of one kind.
template <typename... Operands> struct Rule {
  Folded (*apply)(Operands...) = nullptr; ///< null: not folded
  bool inBodies = false;

  explicit operator bool() const { return apply; }
};

struct UnaryRule {
  ir::ScalarFunction function;
  Rule<const Integer &> integers = {};
  Rule<double> reals = {};
  Rule<std::complex<double>> complexes = {};
  Rule<bool> truths = {}; ///< for numbers of every kind, by their truth
};

struct BinaryRule {
  ir::ScalarFunction function;
  Rule<ir::ScalarFunction, const Integer &, const Integer &> integers = {};
  Rule<double, double> reals = {};
  Rule<std::complex<double>, std::complex<double>> complexes = {};
  Rule<bool, bool> bools = {};
  /// For real numbers, from their order; nothing for NaN.
  bool (*ofOrder)(std::optional<int>) = nullptr;
  Rule<bool, bool> truths = {}; ///< for numbers of every kind, by their truth
};

/// A rule that gives the value that the code of a body would give.
template <typename... Operands>
constexpr Rule<Operands...> bodies(Folded (*apply)(Operands...)) {
  return {apply, true};
}
/// A rule for `const`s alone.
template <typename... Operands>
constexpr Rule<Operands...> consts(Folded (*apply)(Operands...)) {
  return {apply, false};
}

/// The tables for one operand and for two (UnaryRules.cpp, BinaryRules.cpp).
llvm::ArrayRef<UnaryRule> unaryRules();
llvm::ArrayRef<BinaryRule> binaryRules();

/// Applies an operation of Integer.
Folded ofIntegers(ir::ScalarFunction function, const Integer &a,
                  const Integer &b);

} // namespace kern::compiler
