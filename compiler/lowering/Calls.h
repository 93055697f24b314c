//===- Calls.h - calls ---------------------------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

namespace kern::compiler {

/// The target of a call: a function of a file, or a name of the library.
struct Callee {
  llvm::StringRef name;
  std::optional<ScopedFunction> function;
};

/// Nothing after an error.
std::optional<Callee> calleeOf(FunctionLowering &fn,
                               const syntax::Expr &called);
std::optional<Binding> lowerCall(FunctionLowering &fn, const syntax::Call &call,
                                 Span span);
/// Reports a wrong number of arguments.
bool checkCount(FunctionLowering &fn, llvm::StringRef name,
                const syntax::Call &call, size_t min, size_t max, Span span);
void unknownFunction(FunctionLowering &fn, llvm::StringRef name, Span span);
/// Whether the name means anything in the current body.
bool isNamed(FunctionLowering &fn, const std::string &name);

} // namespace kern::compiler
