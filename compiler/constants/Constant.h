//===- Constant.h - values known at compile time -------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/constants/Integer.h"

#include <complex>
#include <optional>
#include <variant>

namespace kern::compiler {

/// A weak number or a bool, as in Python: integers do not wrap.
struct Constant {
  std::variant<bool, Integer, double, std::complex<double>> value;

  bool isBool() const { return value.index() == 0; }
  bool isInt() const { return value.index() == 1; }
  bool isFloat() const { return value.index() == 2; }
  bool isComplex() const { return value.index() == 3; }
  /// Null unless it is an integer.
  const Integer *asInt() const { return std::get_if<Integer>(&value); }
};

/// Python's truth of a number.
bool truth(const Constant &constant);

/// The value as a float; nothing for an integer beyond the largest float and
/// for complex numbers.
std::optional<double> toReal(const Constant &constant);
/// The same as a complex number.
std::optional<std::complex<double>> toComplex(const Constant &constant);

} // namespace kern::compiler
