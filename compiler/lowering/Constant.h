//===- Constant.h - values known at compile time -------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Integer.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <complex>
#include <optional>
#include <variant>

namespace kern {

/// A weak number, or a bool, with Python's meaning: integers do not wrap.
struct Constant {
  std::variant<bool, Integer, double, std::complex<double>> value;

  bool isBool() const { return value.index() == 0; }
  bool isInt() const { return value.index() == 1; }
  bool isFloat() const { return value.index() == 2; }
  bool isComplex() const { return value.index() == 3; }
  /// Null for what is no integer.
  const Integer *asInt() const { return std::get_if<Integer>(&value); }
};

/// What came of folding.
struct Folded {
  enum Outcome : uint8_t {
    Done,
    /// Not folded: an unknown function, types it does not take, or a case whose
    /// meaning is decided by a type (integer division by zero). It is computed
    /// at run time instead.
    Left,
    TooWide, ///< an integer beyond Integer::maxBits, which no type holds
    NoFloat, ///< an integer, or a quotient of two, beyond the largest float
  };
  Outcome outcome;
  std::optional<Constant> value; ///< when done

  Folded(Constant value) : outcome(Done), value(std::move(value)) {}
  Folded(Outcome outcome) : outcome(outcome) {}
};

/// Applies a scalar function (NumPy's name) to constants.
Folded fold(llvm::StringRef function, llvm::ArrayRef<Constant> operands);

/// Python's truth of a number.
bool truth(const Constant &constant);

} // namespace kern
