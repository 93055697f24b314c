//===- ConstantFunctions.h - functions of constants ----------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/constants/Constant.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace kern::compiler {

/// The outcome of folding.
struct Folded {
  enum Outcome : uint8_t {
    Done,
    /// Not folded: no rule for the function, operands it does not take, or a
    /// case that types decide (integer division by zero). A body computes it at
    /// run time.
    Left,
    TooWide, ///< an integer beyond Integer::maxBits
    NoFloat, ///< an integer or a quotient beyond the largest float
  };
  Outcome outcome;
  std::optional<Constant> value; ///< set if Done

  Folded(Constant value) : outcome(Done), value(std::move(value)) {}
  Folded(Outcome outcome) : outcome(outcome) {}
};

/// Where a function is applied to constants.
enum class FoldedIn : uint8_t {
  Bodies, ///< only functions that types and sizes need; others become code
  Consts, ///< all functions: a `const` has its value before there is any code
};

/// Applies a function to constants.
Folded fold(ir::ScalarFunction function, llvm::ArrayRef<Constant> operands,
            FoldedIn where = FoldedIn::Bodies);

struct FoldedFunction {
  ir::ScalarFunction function;
  unsigned operands;
};
/// The functions that fold() knows.
std::vector<FoldedFunction> foldedFunctions();

} // namespace kern::compiler
