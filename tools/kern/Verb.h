//===- Verb.h - the verbs of the command line -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

class CommandLine;

/// One verb, defined in the file of its name.
struct Verb {
  std::string_view name;
  /// As the usage line shows them: "F.kern FUNC INPUT…". Completions offer the
  /// files that these words name, and the words of "[stats|list]".
  std::string_view operands;
  std::string_view summary; ///< a line for `kern --help`
  /// What it does, in full sentences. Lines are broken for the terminal; those
  /// that begin with a blank stay as they are.
  std::string_view help;
  void (*declare)(CommandLine &line);  ///< its options; NULL if it has none
  int (*run)(const CommandLine &line); ///< returns the exit status
  /// What completions offer for an operand beside files; NULL: nothing.
  std::vector<std::string> (*words)() = nullptr;
};

extern const Verb compileVerb, runVerb, checkVerb, infoVerb, fmtVerb, testVerb,
    benchVerb, explainVerb, cacheVerb, devicesVerb, completionsVerb, helpVerb;

/// All of them, in the order of `kern --help`.
std::span<const Verb *const> verbs();
/// NULL if there is none of that name.
const Verb *verbNamed(std::string_view name);

} // namespace kern::cli
