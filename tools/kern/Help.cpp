//===- Help.cpp - what the tool says of itself ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Help.h"

#include "tools/kern/Console.h"

#include <algorithm>
#include <sstream>

namespace kern::cli {
namespace {

constexpr size_t width = 80;
constexpr size_t gap = 2;
/// Longer names get a line of their own.
constexpr size_t longestNames = 32;

constexpr StatusHelp statuses[] = {
    {Done, "done"},
    {Refused, "the input was refused"},
    {WrongLine, "the command line was wrong"},
    {InternalError, "internal error"},
};

/// Columns of a text that has no wide characters: its code points.
size_t columns(std::string_view text) {
  return size_t(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Appends words to the text, whose last line has `wide` columns; new lines
/// begin with `indent` blanks.
void appendWords(std::string &text, std::string_view words, size_t wide,
                 size_t indent) {
  std::istringstream stream{std::string(words)};
  bool isFirst = true;
  for (std::string word; stream >> word; isFirst = false) {
    if (!isFirst && wide + 1 + columns(word) > width) {
      text.append("\n").append(indent, ' ');
      wide = indent;
      isFirst = true;
    }
    text.append(isFirst ? "" : " ").append(word);
    wide += (isFirst ? 0 : 1) + columns(word);
  }
}

/// Lines that begin with a blank stay as they are.
std::string wrapped(std::string_view text) {
  std::string out;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line); out += '\n')
    if (line.starts_with(' '))
      out += line;
    else
      appendWords(out, line, 0, 0);
  return out;
}

std::string statusList() {
  std::string list = "exit status:\n";
  for (const StatusHelp &row : statuses) {
    const std::string number = std::to_string(row.status);
    list.append(4 - number.size(), ' ').append(number);
    list.append(gap, ' ').append(row.meaning).append("\n");
  }
  return list;
}

} // namespace

std::string_view toolSummary() {
  return "Kern compiles NumPy-style universal functions and runs them on the "
         "GPU and the CPU.";
}

std::span<const StatusHelp> exitStatuses() { return statuses; }

const std::vector<Option> &toolOptions() {
  static const std::vector<Option> options = [] {
    std::vector<Option> list = globalOptions();
    list.push_back({"V,version", "Show the version"});
    list.push_back({"h,help", "Show this text; after a verb, the verb's"});
    return list;
  }();
  return options;
}

std::string optionSyntax(const Option &option, bool aligned) {
  std::string text;
  if (const std::string letter = option.letter(); !letter.empty())
    text = "-" + letter + ", ";
  else if (aligned)
    text = "    ";
  text += "--" + option.name();
  if (!option.implied.empty())
    text += "[=" + option.value + "]";
  else if (!option.value.empty())
    text += " " + option.value;
  return text;
}

std::string optionsText(const std::vector<Option> &options) {
  size_t column = 0;
  for (const Option &option : options)
    if (size_t wide = 2 + columns(optionSyntax(option, true));
        wide <= longestNames)
      column = std::max(column, wide + gap);
  std::string text;
  for (const Option &option : options) {
    const std::string names = "  " + optionSyntax(option, true);
    text += names;
    if (!option.description.empty()) {
      const size_t wide = columns(names);
      if (wide + gap > column)
        text.append("\n").append(column, ' ');
      else
        text.append(column - wide, ' ');
      appendWords(text, option.description, column, column);
    }
    text += "\n";
  }
  return text;
}

std::string helpText(const Verb &verb, const std::vector<Option> &options) {
  return wrapped(verb.help) + "\nusage: kern " + std::string(verb.name) +
         " [OPTION]…" + (verb.operands.empty() ? "" : " ") +
         std::string(verb.operands) + "\n\noptions:\n" + optionsText(options);
}

std::string helpText() {
  std::string text = wrapped(toolSummary()) +
                     "\nusage: kern VERB [OPTION]… [OPERAND]…\n\n"
                     "verbs:\n";
  size_t longest = 0;
  for (const Verb *verb : verbs())
    longest = std::max(longest, verb->name.size());
  for (const Verb *verb : verbs())
    text.append("  ")
        .append(verb->name)
        .append(longest + gap - verb->name.size(), ' ')
        .append(verb->summary)
        .append("\n");
  return text + "\noptions:\n" + optionsText(toolOptions()) + "\n" +
         statusList();
}

} // namespace kern::cli
