//===- NumberList.h - arrays written as lists of numbers -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"
#include "tools/kern/values/Handles.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace kern::cli {

/// The array of a nested list: `leaves` in row-major order, as many as `shape`
/// has. The element type is NumPy's: bool, i64, f64 or c128, the first of these
/// that holds all plain numbers, and f64 for no number at all; typed numbers
/// keep their type, which must be the same for all. KERN_ERROR_ARGUMENT
/// otherwise.
runtime::Expected<Array> arrayOf(std::span<const int64_t> shape,
                                 std::span<const kern_value> leaves);

/// Whether an argument of `kern run` is meant as a list: `[1, 2]`,
/// `f32([1, 2])`, also where the rest turns out malformed.
bool looksLikeList(std::string_view text);

/// Reads `[1, 2]`, `[[1, 2], [3, 4]]`, or `f32([1, 2])` with a type for all
/// numbers, which are as parseValue() has them. KERN_ERROR_ARGUMENT for what is
/// no number, for lists of different lengths side by side, and for more
/// dimensions than arrays have.
runtime::Expected<Array> parseList(std::string_view text);

} // namespace kern::cli
