//===- MissingReturn.h - why a function can end without a value -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/syntax/Tree.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::compiler {

struct FunctionLowering;

/// Where a body ends without `return`, and how to fix it.
struct MissingReturn {
  Span place;
  std::string note; ///< what happens at the place
  std::string help; ///< empty: there is no advice, and no place
};

/// Reports that a function can end without a value, and where.
Diagnostic &reportMissingReturn(FunctionLowering &fn,
                                const syntax::Function &target);

/// Explains from the text why control can reach the end of a function's body.
MissingReturn explainMissingReturn(const syntax::Function &function);

/// Whether a function needs no value to end: its header names no results, and
/// it writes to `inout` arrays.
bool mayHaveNoResults(const syntax::Function &function);

/// The condition of the first `while True` without `break` in a block, or null.
const syntax::Expr *endlessCondition(const syntax::Block &block);

/// Whether a condition compares types: one of its operands is a name for which
/// `isVariable` holds.
bool isOfTypes(const syntax::Expr &condition,
               llvm::function_ref<bool(const std::string &)> isVariable);

} // namespace kern::compiler
