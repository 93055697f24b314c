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

/// Compares a value with what a docstring shows: a number, nested lists for an
/// array, a tuple for several results. A float agrees when it is that number
/// rounded to the digits shown (`0.333`, `1.5e-10`; `nan` and `inf` as they
/// are, `2` and no other number for `2`); integers, bools and shapes agree
/// exactly. Returns "" or the first difference in words.
std::string difference(const TestValue &value, std::string_view expected);

} // namespace kern::cli
