//===- UnicodeLetters.cpp - the characters of identifiers -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/UnicodeLetters.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <utf8proc.h>

namespace kern::compiler::syntax {

namespace {
struct CharacterRange {
  char32_t first, last;
};
#include "compiler/syntax/UnicodeLetters.inc"
} // namespace

template <size_t N>
static bool contains(const CharacterRange (&ranges)[N], char32_t value) {
  auto *after = std::upper_bound(
      std::begin(ranges), std::end(ranges), value,
      [](char32_t v, const CharacterRange &range) { return v < range.first; });
  return after != std::begin(ranges) && value <= std::prev(after)->last;
}

bool beginsIdentifier(char32_t value) {
  if (value < 0x80)
    return (value >= 'a' && value <= 'z') || (value >= 'A' && value <= 'Z') ||
           value == '_';
  return contains(identifierStart, value);
}

bool continuesIdentifier(char32_t value) {
  return beginsIdentifier(value) || (value >= '0' && value <= '9') ||
         (value >= 0x80 && contains(identifierContinue, value));
}

std::string normalName(std::string_view word) {
  // Sorting combining marks takes quadratic time.
  constexpr size_t maxBytes = 1000;
  const bool isAscii =
      std::ranges::all_of(word, [](unsigned char c) { return c < 0x80; });
  if (isAscii || word.size() > maxBytes)
    return std::string(word);
  utf8proc_uint8_t *normal = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t *>(word.data()),
      utf8proc_ssize_t(word.size()), &normal,
      utf8proc_option_t(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(
      normal, &std::free);
  return size < 0 ? std::string(word)
                  : std::string(reinterpret_cast<const char *>(normal),
                                size_t(size));
}

} // namespace kern::compiler::syntax
