//===- ConstantFunctions.h - functions of constants ----------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/constants/Constant.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace kern {

/// What came of folding.
struct Folded {
  enum Outcome : uint8_t {
    Done,
    /// Not folded: a function that is not among them, types it does not take,
    /// or a case whose meaning is decided by a type (integer division by zero).
    /// In a body it is computed at run time instead.
    Left,
    TooWide, ///< an integer beyond Integer::maxBits, which no type holds
    NoFloat, ///< an integer, or a quotient of two, beyond the largest float
  };
  Outcome outcome;
  std::optional<Constant> value; ///< when done

  Folded(Constant value) : outcome(Done), value(std::move(value)) {}
  Folded(Outcome outcome) : outcome(outcome) {}
};

/// Where a function is applied to constants.
enum class FoldedIn : uint8_t {
  Bodies, ///< as many as types and sizes need; the rest is code like any other
  Consts, ///< all, since a `const` has its value before there is any code
};

/// Applies a scalar function (NumPy's name) to constants.
Folded fold(llvm::StringRef function, llvm::ArrayRef<Constant> operands,
            FoldedIn where = FoldedIn::Bodies);

struct FoldedFunction {
  llvm::StringRef name;
  unsigned operands;
};
/// Those that fold() knows.
std::vector<FoldedFunction> foldedFunctions();

} // namespace kern
