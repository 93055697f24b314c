//===- DependencyFile.h - rules for Make and Ninja -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include <string>
#include <vector>

namespace kern::cli {

/// Files that are made together, and what they are made of.
struct DependencyRule {
  std::vector<std::string> targets, sources;
};

/// The rules in Make's syntax, as `gcc -MD` writes them and Ninja reads them:
/// in names, blanks, `#` and `:` are escaped by a backslash, backslashes before
/// these are doubled, and `$` is `$$`. KERN_ERROR_ARGUMENT for a name with a
/// line break, which Make does not support.
runtime::Expected<std::string>
dependencyText(const std::vector<DependencyRule> &rules);

} // namespace kern::cli
