//===- Parser.h - text to syntax tree ---------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/syntax/Tree.h"

namespace kern::syntax {

/// Parses one file of the diagnostics' SourceManager. Always returns a tree:
/// after an error the parser goes on at the next statement or item, so that
/// several errors are found in one run; what could not be parsed is left out
/// or stands as an ErrorExpr. Any bytes are accepted as input.
File parse(uint32_t file, DiagnosticEngine &diagnostics);

} // namespace kern::syntax
