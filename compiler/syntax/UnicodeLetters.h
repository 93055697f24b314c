//===- UnicodeLetters.h - the characters of identifiers ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>

namespace kern::compiler::syntax {

/// Whether this code point may begin or continue an identifier: ASCII letters,
/// `_` and digits, and Unicode's XID_Start and XID_Continue.
bool beginsIdentifier(char32_t value);
bool continuesIdentifier(char32_t value);

/// The name that an identifier stands for: its normal form NFKC, as in Python.
/// So `ﬁ` is `fi`, and `é` is one name however it was typed. Non-ASCII text
/// over 1000 bytes and invalid UTF-8 are returned unchanged.
std::string normalName(std::string_view word);

} // namespace kern::compiler::syntax
