//===- TestExpression.h - the expressions of tests ------------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "tools/kern/doctest/DocTests.h"
#include "tools/kern/doctest/TestFunctions.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

/// Names that earlier lines of a file's tests have bound.
using TestNames = std::map<std::string, TestValue>;

/// Evaluates the text after `>>>`: calls, numbers, nested lists, `T(…)` around
/// one, `pi` and its like, arithmetic, operations on bits and comparisons with
/// Python's precedence. `a, b = …` binds names and gives nothing.
/// KERN_ERROR_ARGUMENT for text that is not an expression; otherwise fails as
/// the calls do. Messages point to the expression's place in the file.
runtime::Expected<TestValue>
evaluate(const DocTest &test, TestFunctions &functions, TestNames &names);

//===--- Assignment.cpp --------------------------------------------------===//
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
