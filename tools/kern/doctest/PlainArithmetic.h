//===- PlainArithmetic.h - Python's arithmetic on plain numbers -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"
#include "tools/kern/doctest/TestValue.h"

#include <string_view>

namespace kern::cli {

/// `a OP b` of two weak numbers, for `+ - * / // % **`, of integers `<< >> & |
/// ^` too, and the comparisons, as Python computes it: the result is weak too,
/// or a bool. KERN_ERROR_ARGUMENT where Python raises an error, or an integer
/// has more than 4096 bits.
runtime::Expected<TestValue>
plainArithmetic(std::string_view op, const TestValue &a, const TestValue &b);
/// `-a` of a weak number.
runtime::Expected<TestValue> plainNegative(const TestValue &a);
/// `~a` of a weak number.
runtime::Expected<TestValue> plainInverse(const TestValue &a);

/// A plain integer of a literal that may be wider than 64 bits.
/// KERN_ERROR_ARGUMENT for one of more than 4096 bits.
runtime::Expected<TestValue> plainInteger(std::string_view literal);

} // namespace kern::cli
