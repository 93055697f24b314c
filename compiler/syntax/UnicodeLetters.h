//===- UnicodeLetters.h - what identifiers are made of ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>

namespace kern::syntax {

/// Whether an identifier may begin with, or go on with, this code point: ASCII
/// letters, `_` and digits, and Unicode's XID_Start and XID_Continue.
bool beginsIdentifier(char32_t value);
bool continuesIdentifier(char32_t value);

/// The name that an identifier of the text stands for: its normal form NFKC, as
/// in Python, so that `ﬁ` is `fi`, and `é` is one name however it was typed.
/// What is longer than anyone writes (1000 bytes) and not ASCII, and what is
/// not UTF-8, stands for itself.
std::string normalName(std::string_view word);

} // namespace kern::syntax
