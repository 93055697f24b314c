//===- PlainIntegers.h - Python's integers as text --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler's arithmetic on constant integers, of up to 4096 bits, for who
// has no LLVM: the tests in docstrings. An integer is given as a literal with a
// sign before it, and comes back in decimal digits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/include/kern/kern.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace kern {

/// What an operation of two integers gives in Python.
struct PlainOutcome {
  /// The digits of an integer, a float, or a truth value.
  std::variant<std::string, double, bool> value;
  std::string error; ///< empty: there is a value
};

/// `a OP b`, for `+ - * / // % ** << >> & | ^` and the comparisons. An error
/// where Python raises one, beyond 4096 bits, and for what is no integer.
KERN_API PlainOutcome plainOperation(std::string_view op, std::string_view a,
                                     std::string_view b);
/// Below, at or above 0 as `a` is less than, equal to or greater than `b`, by
/// value; nothing for NaN and for what is no integer.
KERN_API std::optional<int> plainOrder(std::string_view a, double b);
/// The nearest float; nothing beyond the largest, and for what is no integer.
KERN_API std::optional<double> plainFloat(std::string_view a);

} // namespace kern
