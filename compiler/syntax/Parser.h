//===- Parser.h - text to syntax tree ---------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/syntax/Tree.h"

namespace kern::compiler::syntax {

/// Parses one file of the diagnostics' SourceManager. Always returns a tree:
/// after an error the parser continues with the next statement or item, so that
/// one run finds several errors. What could not be parsed is left out or
/// becomes an ErrorExpr. Accepts any bytes.
File parse(uint32_t file, DiagnosticEngine &diagnostics);

} // namespace kern::compiler::syntax
