//===- Assignment.cpp - the names that a test binds -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/TestExpression.h"

#include <algorithm>
#include <cctype>

namespace kern::cli {

bool isWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

Assignment assignmentOf(std::string_view expression) {
  const size_t equals = expression.find('=');
  if (equals == std::string_view::npos || equals + 1 == expression.size() ||
      expression[equals + 1] == '=')
    return {};
  std::vector<std::string> names(1);
  for (char c : expression.substr(0, equals)) {
    if (isWordChar(c))
      names.back() += c;
    else if (c == ',')
      names.emplace_back();
    else if (c != ' ')
      return {};
  }
  const bool areNames = std::ranges::all_of(names, [](const std::string &name) {
    return !name.empty() && !isDigit(name[0]);
  });
  return areNames ? Assignment{std::move(names), equals + 1} : Assignment();
}

} // namespace kern::cli
