//===- Inlining.h - calls of functions of a file -------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

namespace kern {

/// Arguments, and where each of them stands.
struct CallArguments {
  llvm::ArrayRef<Binding> values;
  llvm::ArrayRef<Span> places;
};

std::optional<Binding> inlineCall(FunctionLowering &fn, ScopedFunction callee,
                                  const syntax::Call &call, Span span);
std::optional<Binding> inlineWith(FunctionLowering &fn, ScopedFunction callee,
                                  CallArguments arguments, Span span);
/// Ends a path of the innermost frame, which is an inlined function's. Without
/// a value after an error; `isExplicit` unless it ends as named results stand.
void returnInlined(FunctionLowering &fn, std::optional<Binding> value,
                   bool isExplicit, Span span);

//===--- Ufuncs and gufuncs (TypedCalls.cpp) ------------------------------===//
/// Binds the parameters of a ufunc or gufunc in its frame, as its loop takes
/// them; false after an error.
bool enterTyped(FunctionLowering &fn, Frame &frame, CallArguments given,
                Span span);
/// What an inlined ufunc or gufunc gives for these returned values.
Binding typedResults(FunctionLowering &fn, llvm::ArrayRef<Binding> parts,
                     Span span);

} // namespace kern
