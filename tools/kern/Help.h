//===- Help.h - what the tool says of itself --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "tools/kern/CommandLine.h"
#include "tools/kern/Verb.h"

#include <string>
#include <vector>

namespace kern::cli {

/// `-o, --output FILE`, `    --check[=LIST]`: an option as help shows it. With
/// `aligned`, one without a letter is indented by a letter's width.
std::string optionSyntax(const Option &option, bool aligned);

/// One row for each option, in order: its names and its value, then the
/// description in a column of its own, broken between words so that no line is
/// wider than 80 columns where the words allow it. No line ends with a blank.
std::string optionsText(const std::vector<Option> &options);

/// What `kern VERB --help` prints.
std::string helpText(const Verb &verb, const std::vector<Option> &options);
/// What `kern --help` prints.
std::string helpText();

/// Options of the tool itself, before any verb.
const std::vector<Option> &toolOptions();

/// What the tool is, in one sentence.
std::string_view toolSummary();
struct StatusHelp {
  int status;
  std::string_view meaning;
};
std::span<const StatusHelp> exitStatuses();

/// The manual page kern(1), in man's macros.
std::string manualPage();

/// The script that makes a shell ("bash", "zsh" or "fish") complete the command
/// line; "" for any other.
std::string completionScript(std::string_view shell);

} // namespace kern::cli
