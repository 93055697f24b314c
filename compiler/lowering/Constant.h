//===- Constant.h - values known at compile time -------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <complex>
#include <optional>
#include <variant>

namespace kern {

/// A weak number, or a bool, with Python's meaning: integers do not wrap.
struct Constant {
  std::variant<bool, __int128, double, std::complex<double>> value;

  bool isBool() const { return value.index() == 0; }
  bool isInt() const { return value.index() == 1; }
  bool isFloat() const { return value.index() == 2; }
  bool isComplex() const { return value.index() == 3; }
  std::optional<__int128> asInt() const {
    if (const __int128 *integer = std::get_if<__int128>(&value))
      return *integer;
    return std::nullopt;
  }
};

/// Applies a scalar function (NumPy's name) to constants. Nothing when it is
/// not folded: an unknown function, types it does not take, an integer result
/// over 127 bits, or a case whose meaning is decided by a type (integer
/// division by zero). Such a call is computed at run time instead.
std::optional<Constant> fold(llvm::StringRef function,
                             llvm::ArrayRef<Constant> operands);

/// Python's truth of a number.
bool truth(const Constant &constant);

} // namespace kern
