//===- Sequences.h - what a for runs over --------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

#include <functional>

namespace kern::compiler {

/// What a `for` runs over: indices from `lower` up or down to `upper`,
/// exclusive, and the element at each.
struct Sequence {
  mlir::Value lower, upper, step;
  std::optional<int64_t> constantStep;
  /// Nothing after an error.
  std::function<std::optional<Binding>(mlir::Value index)> element;
};

/// The sequence that an expression after `in` means; nothing after an error.
std::optional<Sequence> sequenceOf(FunctionLowering &fn,
                                   const syntax::Expr &expr);
/// The same with steps of 1 or -1, for a loop that increments its index.
std::optional<Sequence> unitStepSequenceOf(FunctionLowering &fn,
                                           const syntax::Expr &expr);
/// The indices of `range(…)` or `prange(…)`.
std::optional<Sequence> rangeOf(FunctionLowering &fn, const syntax::Call &call,
                                Span span);
/// The same for one to three bounds of the function `name`.
std::optional<Sequence> rangeOf(FunctionLowering &fn, const std::string &name,
                                llvm::ArrayRef<const syntax::Expr *> arguments,
                                Span span);
/// The indices from 0 up to `count`.
Sequence counting(FunctionLowering &fn, mlir::Value count, Span span);
/// The elements of a tuple, each of which an index chooses; nothing if they are
/// of several kinds, or many (TupleElements.cpp).
std::optional<Sequence> tupleSequence(FunctionLowering &fn, const Tuple &tuple,
                                      Span span);
/// The elements of an array, or the parts along its first axis.
Sequence arraySequence(FunctionLowering &fn, const ArrayView &view, Span span);
/// The number of elements, or the largest index if there are more.
mlir::Value lengthOf(FunctionLowering &fn, const Sequence &sequence, Span span);
/// The element of iteration 0, 1, …
std::optional<Binding> elementAt(FunctionLowering &fn, const Sequence &sequence,
                                 mlir::Value iteration, Span span);

} // namespace kern::compiler
