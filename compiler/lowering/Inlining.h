//===- Inlining.h - calls of functions of a file -------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

namespace kern::compiler {

/// Arguments, and the place of each.
struct CallArguments {
  llvm::ArrayRef<Binding> values;
  llvm::ArrayRef<Span> places;
  /// For array results, in their order: where they are to be stored, if that is
  /// known.
  llvm::ArrayRef<std::optional<ArrayView>> targets = {};
};

std::optional<Binding>
inlineCall(FunctionLowering &fn, ScopedFunction callee,
           const syntax::Call &call, Span span,
           llvm::ArrayRef<std::optional<ArrayView>> targets = {});
std::optional<Binding> inlineWith(FunctionLowering &fn, ScopedFunction callee,
                                  CallArguments arguments, Span span);
//===--- Arguments.cpp ----------------------------------------------------===//
/// The argument of each parameter, by position or by name; null where the
/// parameter has its default value. Nothing after an error.
std::optional<llvm::SmallVector<const syntax::Expr *>>
matchArguments(FunctionLowering &fn, const syntax::Function &target,
               const syntax::Call &call, Span span);
/// The value of `out=` in a call of a gufunc with array results that has no
/// such parameter; else null.
const syntax::Expr *outOf(const syntax::Function &target,
                          const syntax::Call &call);
/// The default value of a parameter of a function.
std::optional<Binding> lowerDefault(FunctionLowering &fn,
                                    const syntax::Parameter &parameter,
                                    ScopedFunction function);

//===--- Inlining.cpp -----------------------------------------------------===//
/// Ends a path through the current frame, which must be an inlined function's.
/// `value` is nothing after an error. Without `isExplicit` the named results
/// are returned.
void returnInlined(FunctionLowering &fn, std::optional<Binding> value,
                   bool isExplicit, Span span);

//===--- Ufuncs and gufuncs (TypedCalls.cpp) ------------------------------===//
/// Binds the parameters of a ufunc or gufunc in its frame, with the types of
/// the typed loop that fits the arguments; false after an error.
bool enterTyped(FunctionLowering &fn, Frame &frame, CallArguments given,
                Span span);
/// The result of an inlined ufunc or gufunc, from the values that it returns.
Binding typedResults(FunctionLowering &fn, llvm::ArrayRef<Binding> parts,
                     Span span);

} // namespace kern::compiler
