//===- WhereClauses.h - type variables and their types -------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Header.h"

namespace kern {

/// Fills the type variables and loops of `header` from the function's `where`
/// clauses; reports what these have wrong.
void lowerWhere(const syntax::Function &function, mlir::Builder &builder,
                DiagnosticEngine &diagnostics, Header &header);

/// Reports type variables that no parameter or result has: they make loops that
/// a call cannot tell apart.
void requireUses(const syntax::Function &function,
                 DiagnosticEngine &diagnostics);

/// Reports a name that is no type, in a header with these type variables.
void reportUnknownType(const syntax::Identifier &name,
                       llvm::ArrayRef<llvm::StringRef> variables,
                       DiagnosticEngine &diagnostics);

} // namespace kern
