//===- ArrayCalls.h - calls of gufuncs with array results ----- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Calls.h"
#include "compiler/lowering/Inlining.h"

namespace kern::compiler {

/// The gufunc that an expression calls, of a file or of the library, if it has
/// an array result; lowers nothing.
std::optional<ScopedFunction> arrayCallee(const NamesInBody &names,
                                          const syntax::Expr &expr);
/// The number of dimensions of the sole result of such a call; else 0.
size_t arrayCallRank(const NamesInBody &names, const syntax::Expr &expr);

/// Binds the names of a call's array results: to the given targets, where the
/// callee may write to them as it goes, else to new local arrays. False after
/// an error.
bool bindArrayResults(FunctionLowering &fn, Frame &frame, CallArguments given,
                      Span span);

/// Lowers `c[:] = matmul(a, b)` and `q[:], r[:] = f(a)`; false for other
/// statements.
bool lowerCallStore(FunctionLowering &fn, const syntax::Assign &statement);

/// Stores what an expression gives, if it calls a gufunc with one array result;
/// false for other expressions.
bool storeCall(FunctionLowering &fn, const ArrayView &target,
               const syntax::Expr &expr, Span place);

/// Lowers `f(a, out=c)`; nothing after an error.
std::optional<Binding> callInto(FunctionLowering &fn, ScopedFunction callee,
                                const syntax::Call &call,
                                const syntax::Expr &out, Span span);

} // namespace kern::compiler
