//===- ConstantRules.h - the table of functions of constants -- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each function is of integers, reals, complex numbers and bools. An
// integer for which a function has no rule is taken as a real number.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/constants/ConstantFunctions.h"

namespace kern {

/// What a function is of operands of one kind.
template <typename... Operands> struct Rule {
  Folded (*apply)(Operands...) = nullptr; ///< null: it is not folded
  bool inBodies = false;

  explicit operator bool() const { return apply; }
};

struct UnaryRule {
  llvm::StringLiteral name;
  Rule<const Integer &> integers = {};
  Rule<double> reals = {};
  Rule<std::complex<double>> complexes = {};
  Rule<bool> truths = {}; ///< of numbers of every kind
};

struct BinaryRule {
  llvm::StringLiteral name;
  /// The first is the function's name.
  Rule<llvm::StringRef, const Integer &, const Integer &> integers = {};
  Rule<double, double> reals = {};
  Rule<std::complex<double>, std::complex<double>> complexes = {};
  Rule<bool, bool> bools = {};
  /// Of real numbers, from their order; nothing for NaN.
  bool (*ofOrder)(std::optional<int>) = nullptr;
  Rule<bool, bool> truths = {}; ///< of numbers of every kind
};

/// The same value whether it is computed here or by the code of a body.
template <typename... Operands>
constexpr Rule<Operands...> bodies(Folded (*apply)(Operands...)) {
  return {apply, true};
}
template <typename... Operands>
constexpr Rule<Operands...> consts(Folded (*apply)(Operands...)) {
  return {apply, false};
}

/// The rows of one operand and of two (UnaryRules.cpp, BinaryRules.cpp).
llvm::ArrayRef<UnaryRule> unaryRules();
llvm::ArrayRef<BinaryRule> binaryRules();

/// An operation that integers have as they are.
Folded ofIntegers(llvm::StringRef function, const Integer &a, const Integer &b);

} // namespace kern
