//===- Literals.h - the values of literals ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function takes the text of a token that the lexer has accepted.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kern::compiler::syntax {

/// The widest integer literal. Constants have the same limit.
inline constexpr unsigned integerBits = 4096;

/// `1_000`, `0xFF`, `0o17`, `0b1`, as 64-bit words, the least significant
/// first: as few as possible, at least one. Nothing if wider than integerBits.
std::optional<std::vector<uint64_t>> integerValue(std::string_view token);

/// `1.5`, `1e5`, or `2j` ignoring the `j`. Correctly rounded; infinity or 0
/// beyond the range of f64, as in Python.
double floatValue(std::string_view token);

/// The text between a string's quotes. Python's escapes are replaced unless the
/// prefix has an `r`. Lines end with "\n", whatever the file has.
std::string stringValue(std::string_view token);

/// Replaces the line endings "\r\n" and "\r" by "\n".
std::string withPlainLineEnds(std::string_view text);

} // namespace kern::compiler::syntax
