//===- Scans.h - cumsum, accumulate and their kin ------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Calls.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::compiler {

/// Whether a name is `cumsum`, `cumprod`, `cummax`, `cummin` or `accumulate`.
bool isScan(llvm::StringRef name);

/// Lowers an assignment whose value is a scan; false for any other.
bool lowerScan(FunctionLowering &fn, const syntax::Assign &statement,
               Span span);

/// Stores a scan of numbers to an array of one dimension; false for any other
/// value.
bool storeScan(FunctionLowering &fn, const ArrayView &target,
               const syntax::Expr &value, Span place);
/// A scan of numbers as a local array; nothing after an error.
std::optional<Binding> lowerScanCall(FunctionLowering &fn, llvm::StringRef name,
                                     const syntax::Call &call, Span span);

/// Joins two elements; nothing after an error.
using Combine = llvm::function_ref<std::optional<Binding>(const Binding &,
                                                          const Binding &)>;

/// The fold of a generator with one `for`, or of an array, whose iterations may
/// be grouped. The inner optional is nothing after an error; the outer one if
/// elements have another shape than `initial`, and the fold must run in order.
std::optional<std::optional<Binding>> foldInGroups(FunctionLowering &fn,
                                                   const syntax::Expr &source,
                                                   const Binding &initial,
                                                   Combine combine, Span span);

//===--- Between Folds.cpp and Scans.cpp ----------------------------------===//
/// The function that `function` names, if it takes two values; reports any
/// other, some by `refuse`.
std::optional<Callee> binaryFunction(FunctionLowering &fn,
                                     const syntax::Expr &function,
                                     llvm::function_ref<void(Span)> refuse);
/// Calls such a function. `places` are those of its arguments.
std::optional<Binding> combineTwo(FunctionLowering &fn, const Callee &callee,
                                  const Binding &left, const Binding &right,
                                  llvm::ArrayRef<Span> places, Span span);
/// Whether two values are both numbers, or tuples with elements of the same
/// shapes.
bool sameShape(const Binding &a, const Binding &b);

} // namespace kern::compiler
