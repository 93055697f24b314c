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

namespace kern::compiler {

/// A signature as a user writes it: `f32(f32, f32)`, `(i64, f64)(f32)` for two
/// results, `(f32, f32)` for any results, each optionally with the prefix
/// `NAME:`.
struct Signature {
  std::string function; ///< empty: any function with as many parameters
  std::vector<runtime::DType> results; ///< empty: any
  std::vector<runtime::DType> parameters;
};

/// Nothing if the text is not a signature; `mistake` is then where parsing
/// stopped.
std::optional<Signature> parseSignature(std::string_view text,
                                        size_t *mistake = nullptr);

/// The number of typed parameters: all except `dim`s.
size_t inputsOf(const runtime::FunctionInfo &function);

/// Whether a signature may refer to one of these functions: to the one that it
/// names, or to the only one, with as many parameters. Without a name, it may
/// refer to any of several functions. Reports errors at `place`: K0202, K0315.
bool canBeOf(const Signature &signature,
             const std::vector<runtime::FunctionInfo> &functions, Span place,
             DiagnosticEngine &diagnostics);

} // namespace kern::compiler
