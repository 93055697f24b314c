//===- CommandLine.cpp - the options and operands of a verb ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/CommandLine.h"

#include "tools/kern/Console.h"
#include "tools/kern/ExitStatus.h"
#include "tools/kern/HelpText.h"
#include "tools/kern/Suggestion.h"
#include "tools/kern/Value.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace kern::cli {
namespace {

/// Put before a negative number, so that cxxopts does not see its '-'.
constexpr char numberMark = '\x1f';

std::string withoutMark(const std::string &text) {
  return !text.empty() && text[0] == numberMark ? text.substr(1) : text;
}

/// What cxxopts would take for an operand although it begins with a dash:
/// `--=x`, `--o`, `-?`.
bool isMalformedOption(const std::string &argument) {
  if (argument.size() < 2 || argument[0] != '-' || argument == "--" ||
      looksLikeNegativeNumber(argument))
    return false;
  const size_t dashes = argument[1] == '-' ? 2 : 1;
  const size_t letters = std::min(argument.find('='), argument.size()) - dashes;
  return letters < dashes ||
         !std::isalnum(static_cast<unsigned char>(argument[dashes]));
}

constexpr const char *operandsName = "operands";

} // namespace

CommandLine::CommandLine(std::string verb, std::string operands,
                         std::string help)
    : verb(std::move(verb)), operandHelp(std::move(operands)),
      help(std::move(help)), declared("kern " + this->verb) {
  declared.allow_unrecognised_options();
}

std::vector<std::string> CommandLine::optionNames() const {
  std::vector<std::string> names;
  for (const std::string &group : declared.groups())
    for (const auto &option : declared.group_help(group).options)
      for (const std::string &name : option.l)
        if (name != operandsName)
          names.push_back("--" + name);
  return names;
}

void CommandLine::printHelp() const {
  std::vector<OptionHelp> rows;
  for (const std::string &group : declared.groups())
    for (const auto &option : declared.group_help(group).options)
      if (!option.l.empty() && option.l.front() != operandsName)
        rows.push_back({option.s, option.l.front(),
                        option.is_boolean ? std::string() : option.arg_help,
                        option.has_implicit && !option.is_boolean,
                        option.desc});
  std::printf("%s\n\nusage: kern %s [OPTION]…%s%s\n\noptions:\n%s",
              help.c_str(), verb.c_str(), operandHelp.empty() ? "" : " ",
              operandHelp.c_str(), optionsText(rows).c_str());
}

std::optional<int>
CommandLine::parse(const std::vector<std::string> &arguments) {
  options()("h,help", "Show this text");
  options()(operandsName, "", cxxopts::value<std::vector<std::string>>());
  declared.parse_positional(operandsName);

  std::vector<std::string> marked;
  bool onlyOperands = false;
  for (const std::string &argument : arguments) {
    onlyOperands |= argument == "--";
    if (!onlyOperands && isMalformedOption(argument))
      return refuseOption(argument);
    marked.push_back(looksLikeNegativeNumber(argument) ? numberMark + argument
                                                       : argument);
  }
  std::vector<const char *> pointers = {"kern"};
  for (const std::string &argument : marked)
    pointers.push_back(argument.c_str());
  try {
    result = declared.parse(int(pointers.size()), pointers.data());
  } catch (const cxxopts::exceptions::exception &error) {
    return refuse(error.what());
  }
  if (has("help")) {
    printHelp();
    return finishOutput(Done);
  }
  operandList = values(operandsName);
  return result.unmatched().empty()
             ? std::nullopt
             : std::optional(refuseOption(result.unmatched()[0]));
}

int CommandLine::refuseOption(const std::string &argument) const {
  const std::string name = argument.substr(0, argument.find('='));
  return refuse("unknown option '" + name + "'" +
                suggestion(name, optionNames()));
}

bool CommandLine::has(const std::string &option) const {
  return result.count(option) != 0;
}

std::vector<std::string> CommandLine::values(const std::string &option) const {
  std::vector<std::string> list;
  if (has(option))
    for (const std::string &text :
         result[option].as<std::vector<std::string>>())
      list.push_back(withoutMark(text));
  return list;
}

std::string CommandLine::value(const std::string &option,
                               std::string otherwise) const {
  std::vector<std::string> list = values(option);
  return list.empty() ? std::move(otherwise) : std::move(list.back());
}

int CommandLine::refuse(const std::string &message) const {
  printError(message);
  std::fprintf(stderr, "kern %s --help tells how it is used.\n", verb.c_str());
  return WrongLine;
}

} // namespace kern::cli
