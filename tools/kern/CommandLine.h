//===- CommandLine.h - the options and operands of a verb -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kern::cli {

struct Verb;

/// An option of a verb. Help, completions and the manual page follow from
/// these.
struct Option {
  /// Its letter, if it has one, and its name: "o,output", "json".
  std::string names;
  std::string description;
  /// The value's name in help, "FILE", or the values allowed,
  /// "auto|always|never". Empty: it takes no value.
  std::string value = {};
  /// Values for completion; not checked.
  std::vector<std::string> words = {};
  /// The value of an option given without one: `--check` for `--check=LIST`.
  std::string implied = {};
  bool isList = false; ///< of words, comma-separated

  std::string name() const;   ///< "output"
  std::string letter() const; ///< "o"; "" if it has none
  /// The values allowed, of "a|b"; empty if any is.
  std::vector<std::string> choices() const;
};

/// The options of every verb, which may also precede it: --quiet and --color.
const std::vector<Option> &globalOptions();

/// The command line of one verb.
///
/// Beyond cxxopts: negative numbers are operands, the error for an unknown
/// option or value suggests a similar one, and every verb has --quiet, --color
/// and --help.
class CommandLine {
public:
  /// Declares the verb's options and those that every verb has. `verb` must
  /// outlive this.
  explicit CommandLine(const Verb &verb);
  ~CommandLine();

  void add(Option option) { declared.push_back(std::move(option)); }
  const std::vector<Option> &options() const { return declared; }

  /// Reads the arguments after the verb. Returns the exit status if nothing is
  /// left to do: help was printed, or an error in the command line was
  /// reported.
  std::optional<int> parse(const std::vector<std::string> &arguments);

  bool has(const std::string &option) const;
  /// Every value that was given for an option, in order.
  std::vector<std::string> values(const std::string &option) const;
  /// The last value that was given, or `otherwise`.
  std::string value(const std::string &option, std::string otherwise) const;
  const std::vector<std::string> &operands() const { return operandList; }
  bool isQuiet() const { return has("quiet"); }

  /// Reports an error in the command line, mentions --help, and returns the
  /// exit status for it.
  int refuse(const std::string &message) const;

private:
  std::optional<int> read(const std::vector<std::string> &arguments);
  std::optional<int> checkArgument(const std::string &argument) const;
  std::optional<int> checkValues() const;
  int refuseOption(const std::string &argument) const;

  struct Parsed; // so that only one source compiles cxxopts
  const Verb &verb;
  std::vector<Option> declared;
  std::unique_ptr<Parsed> parsed;
  std::vector<std::string> operandList;
};

} // namespace kern::cli
