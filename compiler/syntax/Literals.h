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

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kern::syntax {

/// What integer literals may take; constants have the same bound.
inline constexpr unsigned integerBits = 4096;

/// `1_000`, `0xFF`, `0o17`, `0b1`, as words of 64 bits, the least significant
/// one first: no more than it needs, and at least one. Nothing when wider than
/// integerBits.
std::optional<std::vector<uint64_t>> integerValue(std::string_view token);

/// `1.5`, `1e5`, or `2j` without regard to the `j`. Correctly rounded; infinity
/// and 0 beyond the range of f64, as in Python.
double floatValue(std::string_view token);

/// What stands between a string's quotes, with Python's escapes replaced
/// unless its prefix has an `r`. Lines end with "\n", whatever the file has.
std::string stringValue(std::string_view token);

/// A text whose lines end with "\r\n", "\r" or "\n", all with "\n".
std::string withPlainLineEnds(std::string_view text);

} // namespace kern::syntax
