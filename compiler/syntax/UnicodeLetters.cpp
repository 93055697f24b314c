//===- UnicodeLetters.cpp - what identifiers are made of ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/UnicodeLetters.h"

#include <algorithm>
#include <iterator>

namespace kern::syntax {

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

} // namespace kern::syntax
