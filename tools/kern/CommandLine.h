//===- CommandLine.h - the options and operands of a verb -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

// Signatures hold commas, so an option's value is never split.
#define CXXOPTS_VECTOR_DELIMITER '\0'
#include <cxxopts.hpp>

#include <optional>
#include <string>
#include <vector>

namespace kern::cli {

/// The command line of one verb: declared by options(), read by parse().
///
/// Beyond what cxxopts does: negative numbers are operands, an unknown option
/// is answered with the one that was probably meant, and --help is known.
class CommandLine {
public:
  /// `operands` as the usage line shows them: "F.kern FUNC INPUT…"; `help`:
  /// what the verb does, in full sentences.
  CommandLine(std::string verb, std::string operands, std::string help);

  cxxopts::OptionAdder options() { return declared.add_options(); }

  /// Reads the arguments after the verb. Returns the exit status where there
  /// is nothing more to do: help was asked for and printed, or the line was
  /// wrong, which was reported.
  std::optional<int> parse(const std::vector<std::string> &arguments);

  bool has(const std::string &option) const;
  /// Every value that was given for an option, in order.
  std::vector<std::string> values(const std::string &option) const;
  /// The last value that was given, or `otherwise`.
  std::string value(const std::string &option, std::string otherwise) const;
  const std::vector<std::string> &operands() const { return operandList; }

  /// Reports that the line is wrong, points to --help, and returns the exit
  /// status for it.
  int refuse(const std::string &message) const;

private:
  std::vector<std::string> optionNames() const;
  void printHelp() const;
  int refuseOption(const std::string &argument) const;

  std::string verb, operandHelp, help;
  cxxopts::Options declared;
  cxxopts::ParseResult result;
  std::vector<std::string> operandList;
};

} // namespace kern::cli
