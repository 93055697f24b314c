//===- UnicodeLetters.h - what identifiers are made of ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace kern::syntax {

/// Whether an identifier may begin with, or go on with, this code point: ASCII
/// letters, `_` and digits, and Unicode's XID_Start and XID_Continue.
bool beginsIdentifier(char32_t value);
bool continuesIdentifier(char32_t value);

} // namespace kern::syntax
