//===- Signature.h - signatures of the command line ----------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "runtime/artefact/Manifest.h"

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

/// The number of parameters that take an argument with a type: all but `dim`s.
size_t inputsOf(const FunctionInfo &function);

/// Whether a signature can be one of these functions': of the function that it
/// names, or of the only one, with as many parameters. Reports at `place` what
/// is wrong: K0202, K0315. Without a name, of several functions, it can.
bool canBeOf(const Signature &signature,
             const std::vector<FunctionInfo> &functions, Span place,
             DiagnosticEngine &diagnostics);

} // namespace kern
