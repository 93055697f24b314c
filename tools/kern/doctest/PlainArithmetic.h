//===- PlainArithmetic.h - Python's arithmetic on plain numbers -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include <string_view>

namespace kern::cli {

/// `a OP b` of two weak numbers, for `+ - * / // % **` and the comparisons, as
/// Python computes it: the result is weak too, or a bool. KERN_ERROR_ARGUMENT
/// where Python raises an error, or an integer leaves the range of i64.
Expected<kern_value> plainArithmetic(std::string_view op, const kern_value &a,
                                     const kern_value &b);
/// `-a` of a weak number.
kern_value plainNegative(const kern_value &a);

} // namespace kern::cli
