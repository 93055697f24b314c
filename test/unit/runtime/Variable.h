//===- Variable.h - a variable of the environment ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace kern::test {

/// Gives a variable of the environment a value as long as it lives.
class Variable {
public:
  Variable(std::string variable, const std::string &value)
      : name(std::move(variable)) {
    if (const char *text = std::getenv(name.c_str()))
      before = text;
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~Variable() {
    if (before)
      ::setenv(name.c_str(), before->c_str(), 1);
    else
      ::unsetenv(name.c_str());
  }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;

private:
  std::string name;
  std::optional<std::string> before;
};

} // namespace kern::test
