//===- Value.h - numbers on the command line --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include <optional>
#include <string_view>

namespace kern::cli {

/// Reads one argument of `kern run` that is not a file.
///
/// Plain numbers as Python writes them (`1`, `0xff`, `-0.5`, `1e3`, `inf`,
/// `nan`, `2j`, `1+2j`) are weak; `True` and `False` are bool; a type's name
/// makes a typed one: `f32(1)`, `u8(200)`, `float32(0.1)`. Typed integers are
/// converted as Kern's conversion calls do: a float truncates and saturates,
/// NaN gives 0. An integer that the type cannot hold, a complex number for a
/// real type, and anything that is not a number are KERN_ERROR_ARGUMENT.
runtime::Expected<kern_value> parseValue(std::string_view text);

/// Reads `start:stop:step`, of which the first and the last may be left out, as
/// `:100` and `5:100`. Nothing for a text of another form; KERN_ERROR_ARGUMENT
/// for numbers beyond 64 bits.
runtime::Expected<std::optional<kern_range>> parseRange(std::string_view text);

/// Whether an argument that begins with '-' is meant as a number and not as
/// an option: `-1`, `-.5`, `-inf`, also where the rest turns out malformed.
bool looksLikeNegativeNumber(std::string_view text);

} // namespace kern::cli
