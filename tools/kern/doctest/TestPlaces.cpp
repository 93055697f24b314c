//===- TestPlaces.cpp - messages about tests point into them --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/TestFunctions.h"

#include <charconv>
#include <optional>

namespace kern::cli {
namespace {

/// Takes a number and the colon after it.
std::optional<unsigned> takeNumber(std::string_view &text) {
  unsigned number = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = size_t(end - text.data());
  if (error != std::errc() || length == text.size() || *end != ':')
    return std::nullopt;
  text.remove_prefix(length + 1);
  return number;
}

/// What stands after `PATH:LINE:COLUMN:`, if LINE is below the file.
std::optional<std::string_view>
afterPlace(std::string_view line, std::string_view path, unsigned lines) {
  if (!line.starts_with(path) || !line.substr(path.size()).starts_with(":"))
    return std::nullopt;
  line.remove_prefix(path.size() + 1);
  const std::optional<unsigned> number = takeNumber(line);
  if (!number || *number <= lines || !takeNumber(line))
    return std::nullopt;
  return line;
}

/// A source line or its underline: `  25 | text`.
bool isExcerpt(std::string_view line) {
  const size_t bar = line.find(" | ");
  return bar != line.npos &&
         line.substr(0, bar).find_first_not_of(" 0123456789") == line.npos;
}

} // namespace

std::string placedInTest(std::string_view message, std::string_view path,
                         unsigned lines, std::string_view place) {
  std::string result;
  bool isOurs = false; // the excerpt that follows
  while (!message.empty()) {
    const size_t end = message.find('\n');
    const std::string_view line = message.substr(0, end);
    message.remove_prefix(end == message.npos ? message.size() : end + 1);
    if (isOurs && isExcerpt(line))
      continue;
    const std::optional<std::string_view> rest = afterPlace(line, path, lines);
    isOurs = rest.has_value();
    if (isOurs && rest->find(wrapperName) != rest->npos)
      continue;
    result += rest ? std::string(place) + ":" + std::string(*rest)
                   : std::string(line);
    if (end != std::string_view::npos)
      result += '\n';
  }
  return result;
}

} // namespace kern::cli
