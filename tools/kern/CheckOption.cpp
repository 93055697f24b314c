//===- CheckOption.cpp - --check ------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/CheckOption.h"

#include <sstream>

namespace kern::cli {

void declareCheckOption(CommandLine &line) {
  line.options()("check",
                 "Check while running: bounds (of indices), assert, results "
                 "(that all of them are written), races (that iterations of a "
                 "prange keep apart); all of them without =LIST",
                 cxxopts::value<std::vector<std::string>>()->implicit_value(
                     "bounds,assert,results,races"),
                 "LIST");
}

std::optional<int> readCheckOption(const CommandLine &line,
                                   kern_compile_options &options) {
  options.size = sizeof options;
  for (const std::string &list : line.values("check")) {
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');)
      if (word == "bounds")
        options.checks |= KERN_CHECK_BOUNDS;
      else if (word == "assert")
        options.checks |= KERN_CHECK_ASSERT;
      else if (word == "results")
        options.checks |= KERN_CHECK_RESULTS;
      else if (word == "races")
        options.checks |= KERN_CHECK_RACES;
      else
        return line.refuse(
            "--check takes bounds, assert, results and races, not '" + word +
            "'");
  }
  return std::nullopt;
}

} // namespace kern::cli
