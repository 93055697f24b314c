//===- HelpText.cpp - the options of a verb, for people -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/HelpText.h"

#include <algorithm>
#include <sstream>

namespace kern::cli {
namespace {

constexpr size_t width = 80;
constexpr size_t gap = 2;
/// Names that are longer stand on a line of their own.
constexpr size_t longestNames = 32;

/// Columns of a text that has no wide characters: its code points.
size_t columns(std::string_view text) {
  return size_t(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// `  -o, --output FILE`, `      --check[=LIST]`.
std::string names(const OptionHelp &option) {
  std::string text =
      option.shortName.empty() ? "      " : "  -" + option.shortName + ", ";
  text += "--" + option.longName;
  if (option.isValueOptional)
    text += "[=" + option.value + "]";
  else if (!option.value.empty())
    text += " " + option.value;
  return text;
}

} // namespace

std::string optionsText(const std::vector<OptionHelp> &options) {
  size_t column = 0;
  for (const OptionHelp &option : options)
    if (size_t wide = columns(names(option)); wide <= longestNames)
      column = std::max(column, wide + gap);
  std::string text;
  for (const OptionHelp &option : options) {
    std::string line = names(option);
    size_t wide = columns(line);
    auto begin = [&] {
      text += line + "\n";
      line.assign(column, ' ');
      wide = column;
    };
    if (wide + gap > column && !option.description.empty())
      begin();
    std::istringstream words(option.description);
    bool isFirst = true;
    for (std::string word; words >> word; isFirst = false) {
      if (!isFirst && wide + 1 + columns(word) > width) {
        begin();
        isFirst = true;
      }
      const size_t blanks = isFirst ? column - wide : 1;
      line.append(blanks, ' ').append(word);
      wide += blanks + columns(word);
    }
    text += line + "\n";
  }
  return text;
}

} // namespace kern::cli
