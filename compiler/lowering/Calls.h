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

/// What names mean in a body, for questions about its text.
struct NamesInBody {
  ModuleScope &scope;
  const Environment &env;
  /// Of the header; null for a `def`.
  const std::map<std::string, mlir::Value> *typeVariables;

  NamesInBody(ModuleScope &scope, const Environment &env,
              const std::map<std::string, mlir::Value> *typeVariables)
      : scope(scope), env(env), typeVariables(typeVariables) {}
  /* implicit */ NamesInBody(FunctionLowering &fn)
      : NamesInBody(fn.scope(), fn.env(), &fn.frame->typeVariables) {}
};

/// Nothing after an error.
std::optional<Callee> calleeOf(FunctionLowering &fn,
                               const syntax::Expr &called);
std::optional<Binding> lowerCall(FunctionLowering &fn, const syntax::Call &call,
                                 Span span);
/// Reports a wrong number of arguments.
bool checkCount(FunctionLowering &fn, llvm::StringRef name,
                const syntax::Call &call, size_t min, size_t max, Span span);
/// The `x` of `x.view(T)` and `x.copy()`; null for other calls.
const syntax::Expr *methodOperand(const NamesInBody &names,
                                  const syntax::Call &call);
/// What such a call gives for a number: its bits as those of T, or itself.
/// Nothing after an error.
std::optional<Number> lowerMethod(FunctionLowering &fn,
                                  const syntax::Call &call, const Number &value,
                                  Span span);
//===--- ChosenFunctions.cpp ----------------------------------------------===//
/// What a name is bound to, if that is a function; else null.
const FunctionName *functionBound(const Environment &env,
                                  const syntax::Expr &called);
/// Runs `lower` for a function that it calls: if a condition chooses that, on a
/// path for each that it may be, where its name means this one.
std::optional<Binding>
onFunction(FunctionLowering &fn, const syntax::Expr &called, Span span,
           llvm::function_ref<std::optional<Binding>()> lower);
//===--- Callees.cpp ------------------------------------------------------===//
/// What a call of this expression calls, if it is a function's name that no
/// condition chooses. Lowers and reports nothing.
std::optional<Callee> calleeNamed(const NamesInBody &names,
                                  const syntax::Expr &called);
/// The functions that a name is bound to: `f` in `y = f`, `f` and `g` in
/// `y = f if c else g`.
std::vector<const syntax::Name *> functionsIn(const syntax::Expr &expr,
                                              ModuleScope &scope);
/// Whether a library function of this name takes numbers, so that arrays are
/// its arguments element by element.
bool takesNumbers(ModuleScope &scope, llvm::StringRef name, size_t arguments);
/// Whether a `def` treats all its arguments as numbers, and gives one.
bool takesNumbers(const ScopedFunction &def);

void unknownFunction(FunctionLowering &fn, llvm::StringRef name, Span span);
/// Whether the name means anything in the current body.
bool isNamed(FunctionLowering &fn, const std::string &name);

} // namespace kern::compiler
