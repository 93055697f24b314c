//===- ExpectedText.h - what a test expects ------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "tools/kern/doctest/TestValue.h"

#include <string>
#include <string_view>

namespace kern::cli {

/// Compares a value with a docstring's text: a number, nested lists for an
/// array, a tuple for several results. A float agrees if it rounds to the
/// digits shown (`0.333`, `1.5e-10`); `nan`, `inf` and floats without a
/// fraction, such as `2`, must be equal. So must integers, bools and shapes.
/// Returns "" or a description of the first difference.
std::string difference(const TestValue &value, std::string_view expected);

} // namespace kern::cli
