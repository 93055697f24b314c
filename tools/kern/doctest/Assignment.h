//===- Assignment.h - the names that a test binds ------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

/// `a, b = VALUE` of a test.
struct Assignment {
  std::vector<std::string> names; ///< empty: the test is an expression
  size_t valueAt = 0;             ///< where the value begins
};

Assignment assignmentOf(std::string_view expression);

/// Whether a name may have this character; every byte beyond ASCII counts.
bool isWordChar(char c);
bool isDigit(char c);

} // namespace kern::cli
