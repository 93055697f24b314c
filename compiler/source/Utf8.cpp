//===- Utf8.cpp - decoding UTF-8 ------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/source/Utf8.h"

#include <algorithm>
#include <iterator>

namespace kern::compiler {

CodePoint decodeUtf8(std::string_view text, size_t offset) {
  auto byteAt = [&](size_t i) { return char32_t((unsigned char)text[i]); };
  char32_t first = byteAt(offset);
  if (first < 0x80)
    return {first, 1, true};
  const CodePoint invalid{first, 1, false};
  unsigned length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || offset + length > text.size())
    return invalid;
  char32_t value = first & (0x7F >> length);
  for (unsigned i = 1; i < length; ++i) {
    char32_t next = byteAt(offset + i);
    if ((next & 0xC0) != 0x80)
      return invalid;
    value = value << 6 | (next & 0x3F);
  }
  bool overlong =
      (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF)
    return invalid;
  return {value, length, true};
}

void appendUtf8(std::string &out, char32_t value) {
  if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
    value = 0xFFFD;
  auto put = [&](char32_t byte) { out += char((unsigned char)byte); };
  if (value < 0x80) {
    put(value);
  } else if (value < 0x800) {
    put(0xC0 | value >> 6);
    put(0x80 | (value & 0x3F));
  } else if (value < 0x10000) {
    put(0xE0 | value >> 12);
    put(0x80 | (value >> 6 & 0x3F));
    put(0x80 | (value & 0x3F));
  } else {
    put(0xF0 | value >> 18);
    put(0x80 | (value >> 12 & 0x3F));
    put(0x80 | (value >> 6 & 0x3F));
    put(0x80 | (value & 0x3F));
  }
}

namespace {
struct Range {
  char32_t first, last;
};
} // namespace

template <size_t N>
static bool contains(const Range (&ranges)[N], char32_t value) {
  auto *after = std::upper_bound(
      std::begin(ranges), std::end(ranges), value,
      [](char32_t v, const Range &range) { return v < range.first; });
  return after != std::begin(ranges) && value <= std::prev(after)->last;
}

std::string beginningOf(std::string_view text) {
  constexpr size_t longest = 60;
  std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  if (line.size() == text.size() && text.size() <= longest)
    return std::string(text);
  line = line.substr(0, longest);
  while (!line.empty() && (line.back() & 0xc0) == 0x80)
    line.remove_suffix(1);
  if (!line.empty() && (line.back() & 0x80)) // the first byte of a character
    line.remove_suffix(1);
  return std::string(line) + "…";
}

unsigned displayWidth(char32_t value) {
  static constexpr Range zero[] = {
      {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},
      {0x64B, 0x65F},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F},
      {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
  static constexpr Range wide[] = {
      {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},
      {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
      {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
      {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
      {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
  if (value < 0x300)
    return 1;
  if (contains(zero, value))
    return 0;
  return contains(wide, value) ? 2 : 1;
}

} // namespace kern::compiler
