//===- CommandLine.cpp - the options and operands of a verb ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/CommandLine.h"

#include "tools/kern/Console.h"
#include "tools/kern/Help.h"
#include "tools/kern/Verb.h"
#include "tools/kern/values/Value.h"

// Signatures hold commas, so an option's value is never split.
#define CXXOPTS_VECTOR_DELIMITER '\0'
#include <cxxopts.hpp>

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

/// "text, json or github".
std::string alternatives(const std::vector<std::string> &words) {
  std::string list;
  for (size_t i = 0; i < words.size(); ++i)
    list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return list;
}

constexpr const char *operandsName = "operands";

} // namespace

struct CommandLine::Parsed {
  cxxopts::ParseResult result;
};

std::string Option::name() const { return names.substr(names.find(',') + 1); }

std::string Option::letter() const {
  return names.find(',') == names.npos ? "" : names.substr(0, 1);
}

std::vector<std::string> Option::choices() const {
  std::vector<std::string> list;
  if (value.find('|') == value.npos)
    return list;
  for (size_t begin = 0; begin <= value.size();) {
    const size_t end = std::min(value.find('|', begin), value.size());
    list.push_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  return list;
}

const std::vector<Option> &globalOptions() {
  static const std::vector<Option> options = {
      {"q,quiet", "Print results and diagnostics, and nothing else"},
      {"color",
       "Colour diagnostics: auto (on a terminal, unless NO_COLOR, CLICOLOR or "
       "CLICOLOR_FORCE say otherwise), always or never",
       "auto|always|never"}};
  return options;
}

CommandLine::CommandLine(const Verb &verb)
    : verb(verb), parsed(std::make_unique<Parsed>()) {
  if (verb.declare)
    verb.declare(*this);
  for (const Option &option : globalOptions())
    add(option);
  add({"h,help", "Show this text"});
}

CommandLine::~CommandLine() = default;

std::optional<int>
CommandLine::read(const std::vector<std::string> &arguments) {
  using Texts = std::vector<std::string>;
  cxxopts::Options known("kern");
  known.allow_unrecognised_options();
  for (const Option &option : declared)
    if (option.value.empty())
      known.add_options()(option.names, "");
    else if (option.implied.empty())
      known.add_options()(option.names, "", cxxopts::value<Texts>());
    else
      known.add_options()(
          option.names, "",
          cxxopts::value<Texts>()->implicit_value(option.implied));
  known.add_options()(operandsName, "", cxxopts::value<Texts>());
  known.parse_positional(operandsName);

  std::vector<std::string> marked;
  bool onlyOperands = false;
  for (const std::string &argument : arguments) {
    onlyOperands |= argument == "--";
    if (!onlyOperands)
      if (std::optional<int> status = checkArgument(argument))
        return status;
    marked.push_back(looksLikeNegativeNumber(argument) ? numberMark + argument
                                                       : argument);
  }
  std::vector<const char *> pointers = {"kern"};
  for (const std::string &argument : marked)
    pointers.push_back(argument.c_str());
  try {
    parsed->result = known.parse(int(pointers.size()), pointers.data());
  } catch (const cxxopts::exceptions::missing_argument &) {
    // Only the last argument can lack its value.
    const std::string &last = arguments.back();
    for (const Option &option : declared)
      if (last == "--" + option.name() || last == "-" + option.letter())
        return refuse("'" + last + "' needs a value: " + last + " " +
                      option.value);
    return refuse("'" + last + "' needs a value");
  } catch (const cxxopts::exceptions::exception &error) {
    return refuse(error.what());
  }
  if (!parsed->result.unmatched().empty())
    return refuseOption(parsed->result.unmatched()[0]);
  return std::nullopt;
}

std::optional<int>
CommandLine::parse(const std::vector<std::string> &arguments) {
  if (std::optional<int> status = read(arguments))
    return status;
  if (has("help")) {
    std::fputs(helpText(verb, declared).c_str(), stdout);
    return finishOutput(Done);
  }
  if (std::optional<int> status = checkValues())
    return status;
  setColours(value("color", "auto"));
  operandList = values(operandsName);
  return std::nullopt;
}

/// Refuses unknown options, a value for an option that takes none, and a value
/// joined to a letter by `=`.
std::optional<int>
CommandLine::checkArgument(const std::string &argument) const {
  if (isMalformedOption(argument))
    return refuseOption(argument);
  const size_t equals = argument.find('=');
  if (equals == 2 && argument[0] == '-' && argument[1] != '-' &&
      !looksLikeNegativeNumber(argument))
    return refuse("'" + argument + "': a value follows a letter without '='");
  if (!argument.starts_with("--") || equals == argument.npos)
    return std::nullopt;
  const std::string name = argument.substr(0, equals);
  for (const Option &option : declared)
    if (name == "--" + option.name() && option.value.empty())
      return refuse("'" + name + "' takes no value");
  return std::nullopt;
}

/// Refuses a value that an option does not allow.
std::optional<int> CommandLine::checkValues() const {
  for (const Option &option : declared)
    if (const std::vector<std::string> choices = option.choices();
        !choices.empty())
      for (const std::string &given : values(option.name()))
        if (std::ranges::find(choices, given) == choices.end())
          return refuse("--" + option.name() + " is " + alternatives(choices) +
                        ", not '" + given + "'" + suggestion(given, choices));
  return std::nullopt;
}

int CommandLine::refuseOption(const std::string &argument) const {
  const std::string name = argument.substr(0, argument.find('='));
  std::vector<std::string> names;
  for (const Option &option : declared)
    names.push_back("--" + option.name());
  return refuse("unknown option '" + name + "'" + suggestion(name, names));
}

bool CommandLine::has(const std::string &option) const {
  return parsed->result.count(option) != 0;
}

std::vector<std::string> CommandLine::values(const std::string &option) const {
  std::vector<std::string> list;
  if (has(option))
    for (const std::string &text :
         parsed->result[option].as<std::vector<std::string>>())
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
  std::fprintf(stderr, "kern %s --help shows how to use it.\n",
               std::string(verb.name).c_str());
  return WrongLine;
}

} // namespace kern::cli
