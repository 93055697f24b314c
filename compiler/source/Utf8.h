//===- Utf8.h - decoding UTF-8 ----------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kern::compiler {

/// One code point and its length in bytes.
struct CodePoint {
  char32_t value = 0;
  unsigned length = 1;
  /// False: no code point begins at the byte; `value` is the byte and `length`
  /// is 1. Overlong forms, surrogates and values past U+10FFFF are invalid.
  bool valid = true;
};

/// Decodes the code point that begins at `text[offset]`. `offset` must lie
/// inside the text.
CodePoint decodeUtf8(std::string_view text, size_t offset);

/// Appends `value` as UTF-8, or U+FFFD if it has no UTF-8 form.
void appendUtf8(std::string &out, char32_t value);

/// A short text of one line unchanged; otherwise its beginning and "…".
std::string beginningOf(std::string_view text);

/// Terminal columns of a code point: 0 for combining marks, 2 for East Asian
/// wide characters and emoji, otherwise 1.
unsigned displayWidth(char32_t value);

} // namespace kern::compiler
