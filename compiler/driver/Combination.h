//===- Combination.h - what a function of two parameters does ---*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kern::compiler {

/// What a function does with its two parameters, as far as methods know a
/// better way than to call it for each element.
enum class Combination : uint8_t {
  Other,
  Add,
  Multiply,
  And, ///< of bits, as Or and Xor
  Or,
  Xor,
  Maximum,
  Minimum,
  LogicalAnd,
  LogicalOr,
};

/// Of a function of `source` whose body, but for a docstring, is `return x + y`
/// of its parameters in their order, `return maximum(x, y)`, or the like.
Combination combinationOf(std::string_view source, const std::string &function);

/// Whether the source gives a meaning of its own to a name.
bool definesName(std::string_view source, std::string_view name);

} // namespace kern::compiler
