//===- Signature.h - signatures of the command line ----------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kern {

/// A signature as a user writes it: `f32(f32, f32)`, `(i64, f64)(f32)` for two
/// results, `(f32, f32)` for any, each with `NAME:` before it or not.
struct Signature {
  std::string function;       ///< empty: every function with as many parameters
  std::vector<DType> results; ///< empty: whatever they are
  std::vector<DType> parameters;
};

/// Nothing if the text is not a signature; `mistake` is then where reading it
/// stopped.
std::optional<Signature> parseSignature(std::string_view text,
                                        size_t *mistake = nullptr);

} // namespace kern
