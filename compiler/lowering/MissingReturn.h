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

namespace kern {

struct FunctionLowering;

/// Where a body ends without `return`, and what to write.
struct MissingReturn {
  Span place;
  std::string note; ///< what is at the place
  std::string help; ///< empty: nothing is known, the rest neither
};

/// Reports that a function can end without a value, and where.
Diagnostic &reportMissingReturn(FunctionLowering &fn,
                                const syntax::Function &target);

/// Of a function whose body control can leave at its end, seen by its text.
MissingReturn explainMissingReturn(const syntax::Function &function);

/// The condition of the first `while True` of a block that no `break` leaves,
/// or null.
const syntax::Expr *endlessCondition(const syntax::Block &block);

/// Whether a condition compares something of which `isVariable` holds, so that
/// types decide it.
bool isOfTypes(const syntax::Expr &condition,
               llvm::function_ref<bool(const std::string &)> isVariable);

} // namespace kern
