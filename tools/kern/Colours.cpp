//===- Colours.cpp - diagnostics for a terminal ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Console.h"

#include <algorithm>
#include <array>

namespace kern::cli {
namespace {

constexpr std::string_view bold = "\033[1m", plain = "\033[0m";

struct Word {
  std::string_view text, colour;
  bool isSeverity; ///< whose message is bold
};
constexpr std::array<Word, 5> words = {{
    {"error", "\033[1;31m", true},
    {"warning", "\033[1;35m", true},
    {"remark", "\033[1;34m", true},
    {"note", "\033[1;36m", false},
    {"help", "\033[1;32m", false},
}};

std::string painted(std::string_view text, std::string_view colour) {
  return std::string(colour) + std::string(text) + std::string(plain);
}

/// The carets below a source line.
bool isUnderline(std::string_view line) {
  return line.find('^') != std::string_view::npos &&
         line.find_first_not_of(" |^~") == std::string_view::npos;
}

/// Finds `file:1:2: error[K0123]: …`, `file:1:2: note: …`, `= help: …`.
std::string colouredLine(std::string_view line) {
  if (isUnderline(line))
    return painted(line, "\033[32m");
  for (const Word &word : words) {
    size_t begin = std::string_view::npos;
    for (std::string_view lead : {": ", "= "})
      if (size_t at = line.find(std::string(lead) + std::string(word.text));
          at != std::string_view::npos)
        begin = std::min(begin, at + lead.size());
    if (begin == std::string_view::npos && line.starts_with(word.text))
      begin = 0;
    if (begin == std::string_view::npos)
      continue;
    size_t end = begin + word.text.size();
    if (end < line.size() && line[end] == '[')
      end = std::min(line.find(']', end), line.size() - 1) + 1;
    if (end >= line.size() || line[end] != ':')
      continue;
    const std::string_view place = line.substr(0, begin);
    const std::string_view message = line.substr(end + 1);
    return (place.empty() ? std::string() : painted(place, bold)) +
           painted(line.substr(begin, end + 1 - begin), word.colour) +
           (word.isSeverity ? painted(message, bold) : std::string(message));
  }
  return std::string(line);
}

} // namespace

bool wantsColours(const std::function<const char *(const char *)> &environment,
                  bool isTerminal) {
  auto value = [&](const char *name) -> std::string_view {
    const char *text = environment(name);
    return text ? text : "";
  };
  if (!value("NO_COLOR").empty())
    return false;
  const std::string_view force = value("CLICOLOR_FORCE");
  if (!force.empty() && force != "0")
    return true;
  return isTerminal && value("CLICOLOR") != "0";
}

std::string coloured(std::string_view diagnostics) {
  std::string result;
  while (!diagnostics.empty()) {
    const size_t end = diagnostics.find('\n');
    result += colouredLine(diagnostics.substr(0, end));
    if (end == std::string_view::npos)
      break;
    result += '\n';
    diagnostics.remove_prefix(end + 1);
  }
  return result;
}

} // namespace kern::cli
