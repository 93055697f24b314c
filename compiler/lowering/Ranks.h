//===- Ranks.h - how many dimensions expressions have --------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Calls.h"
#include "compiler/modules/Names.h"

namespace kern::compiler {

/// Answers questions about the arrays in a body from its text and from what its
/// names mean. Lowers and reports nothing.
class Ranks {
public:
  explicit Ranks(FunctionLowering &fn)
      : names{fn.scope(), fn.env(), &fn.frame->typeVariables} {}

  /// The number of dimensions that an expression has; 0 for a number and for
  /// what is no expression of arrays.
  size_t of(const syntax::Expr &expr);
  /// Whether an expression is an array or a part of one, or calls what gives
  /// one, rather than being made of elements.
  bool isPlain(const syntax::Expr &expr);
  /// Whether one of two arrays is chosen in place, so that it is not copied:
  /// both are named and of one shape, or such parts of them.
  bool isChoice(const syntax::Conditional &expr);
  /// The library's function in a call, if it makes a new array of others:
  /// `dot(a, b)`, `a @ b`, `sum(a, axis=0)`, `arange(n)`; else nothing.
  std::optional<LanguageFunction> computing(const syntax::Expr &expr);

private:
  Ranks(const NamesInBody &names, unsigned &budget)
      : names(names), budget(&budget) {}

  size_t ofSubscript(const syntax::Subscript &part, const syntax::Expr &expr);
  size_t ofShape(const syntax::Expr &shape);
  size_t ofArguments(const syntax::Call &call);
  size_t ofComputed(LanguageFunction function, const syntax::Call &call);
  /// Of a call that gives an array; 0 for other calls, and for a `def` that
  /// gets numbers alone.
  size_t ofArrayCall(const syntax::Expr &expr, const syntax::Call &call);
  size_t ofDef(const ScopedFunction &def, const syntax::Call &call);

  NamesInBody names;
  unsigned ownBudget = 50; ///< of bodies of `def`s
  unsigned *budget = &ownBudget;
};

/// The axis along which a reduction goes: `sum(a, axis=0)`, `np.sum(a, 0)`;
/// null if it is over all elements.
const syntax::Expr *axisOf(const syntax::Call &call, const ModuleScope &scope);

//===--- IndexConstants.cpp -----------------------------------------------===//
/// The constant that an expression of literals, names of constants and `len(t)`
/// of a tuple is. Lowers and reports nothing.
std::optional<Constant> constantOf(const NamesInBody &names,
                                   const syntax::Expr &expr);

} // namespace kern::compiler
