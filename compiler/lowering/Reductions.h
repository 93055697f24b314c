//===- Reductions.h - reductions and folds -------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Sequences.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern {

/// `sum`, `max` and so on; `name` is one of these.
std::optional<Binding> lowerReduction(FunctionLowering &fn,
                                      llvm::StringRef name,
                                      const syntax::Call &call, Span span);
std::optional<Binding> lowerFold(FunctionLowering &fn, const syntax::Call &call,
                                 Span span);

/// Gives a clause's targets, which are local to the generator, one element.
void bindTargets(FunctionLowering &fn, const syntax::GeneratorClause &clause,
                 const Binding &element);

//===--- Between Reductions.cpp and Positions.cpp -------------------------===//
/// How elements are combined.
struct Reduction {
  ReduceKind kind;
  bool isPartial = false;      ///< gives an element of the one around it
  bool counts = false;         ///< also gives the number of its elements
  mlir::Value count = nullptr; ///< of a mean that does not: that number

  /// That of a later `for`, whose results are the elements of this one.
  Reduction inside(bool counts) const;
};

/// What one iteration of a reduction gives.
struct ReducedElement {
  mlir::Value value;
  mlir::Value keep = nullptr;  ///< whether it counts; null: always
  mlir::Value count = nullptr; ///< of how many elements it is; null: one
};

/// What a reduction gives.
struct Reduced {
  mlir::Value value;
  mlir::Value count = nullptr; ///< of how many elements, if it counts
  /// Of a position: whether the later `for`s have as many iterations in each
  /// iteration of the first.
  bool isRectangular = true;
};

/// A reduction over one sequence; `body` gives the element of an iteration.
std::optional<Reduced> reduceOver(
    FunctionLowering &fn, Reduction reduction, const Sequence &sequence,
    Span span,
    llvm::function_ref<std::optional<ReducedElement>(mlir::Value index)> body);
/// A reduction over the clauses of a generator from `clause` on.
std::optional<Reduced> reduceGenerator(FunctionLowering &fn,
                                       Reduction reduction,
                                       const syntax::Generator &generator,
                                       size_t clause, Span span);

/// `argmin` or `argmax` of a generator.
std::optional<mlir::Value> lowerPosition(FunctionLowering &fn, ReduceKind kind,
                                         const syntax::Generator &generator,
                                         Span span);
/// How many iterations the clauses from `clause` on have in all, those that
/// conditions reject included.
std::optional<mlir::Value> iterationsOf(FunctionLowering &fn,
                                        const syntax::Generator &generator,
                                        size_t clause, Span span);
/// Whether the ranges of partial reductions, one in the other, are the same in
/// all iterations of what `around` is the body of.
bool hasInvariantRanges(ReduceOp reduce, mlir::Region &around);

} // namespace kern
