//===- PlainIntegers.h - Python's integers as text --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler's arithmetic on constant integers of up to 4096 bits, as tests
// in docstrings need it. An integer is passed as a literal with an optional
// sign and returned in decimal.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace kern::cli {

/// The result of a Python operation on two integers.
struct PlainOutcome {
  /// The digits of an integer, a float, or a truth value.
  std::variant<std::string, double, bool> value;
  std::string error; ///< empty if there is a value
};

/// `a OP b`, for `+ - * / // % ** << >> & | ^` and the comparisons. An error
/// where Python raises one, beyond 4096 bits, and if an operand is not an
/// integer.
PlainOutcome plainOperation(std::string_view op, std::string_view a,
                            std::string_view b);
/// Compares `a` and `b` by value: negative, zero or positive as `a` is less,
/// equal or greater. Nothing for NaN, or if `a` is not an integer.
std::optional<int> plainOrder(std::string_view a, double b);
/// The nearest float. Nothing if it overflows or `a` is not an integer.
std::optional<double> plainFloat(std::string_view a);

} // namespace kern::cli
