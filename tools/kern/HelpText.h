//===- HelpText.h - the options of a verb, for people -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <vector>

namespace kern::cli {

/// One option as `--help` shows it.
struct OptionHelp {
  std::string shortName; ///< "o"; empty: none
  std::string longName;  ///< "output"
  std::string value;     ///< "FILE"; empty: it takes none
  bool isValueOptional = false;
  std::string description;
};

/// One row for each option, in order: its names and its value, then the
/// description in a column of its own, broken between words so that no line is
/// wider than 80 columns where the words allow it. No line ends with a blank.
std::string optionsText(const std::vector<OptionHelp> &options);

} // namespace kern::cli
