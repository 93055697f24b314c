//===- Literals.h - the values of literals ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each takes the text of a token that the lexer has accepted.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kern::syntax {

/// `1_000`, `0xFF`, `0o17`, `0b1`; nothing when wider than 128 bits.
std::optional<unsigned __int128> integerValue(std::string_view token);

/// `1.5`, `1e5`, or `2j` without regard to the `j`. Correctly rounded; infinity
/// and 0 beyond the range of f64, as in Python.
double floatValue(std::string_view token);

/// What stands between a string's quotes, with Python's escapes replaced
/// unless its prefix has an `r`.
std::string stringValue(std::string_view token);

} // namespace kern::syntax
