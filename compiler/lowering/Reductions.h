//===- Reductions.h - reductions and folds -------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Sequences.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::compiler {

/// Lowers a call of `sum`, `max` and so on; `name` is one of these.
std::optional<Binding> lowerReduction(FunctionLowering &fn,
                                      llvm::StringRef name,
                                      const syntax::Call &call, Span span);
std::optional<Binding> lowerFold(FunctionLowering &fn, const syntax::Call &call,
                                 Span span);

/// Binds the targets of a clause to an element. They are local to the
/// generator.
void bindTargets(FunctionLowering &fn, const syntax::GeneratorClause &clause,
                 const Binding &element);

/// The reduction that `sum`, `max` and so on mean; nothing for another name.
std::optional<ir::ReduceKind> reduceKind(llvm::StringRef name);

//===--- Reductions.cpp, Positions.cpp, ComputedArrays.cpp ---------------===//
/// How a reduction combines elements.
struct Reduction {
  ir::ReduceKind kind;
  bool isPartial = false; ///< it gives an element of an outer reduction
  bool counts = false;    ///< it also gives the number of its elements
  /// The number of elements, for a mean that does not count.
  mlir::Value count = nullptr;

  /// The reduction over a later `for`, whose results are the elements of this.
  Reduction inside(bool counts) const;
};

/// The element that one iteration of a reduction gives.
struct ReducedElement {
  mlir::Value value;
  mlir::Value keep = nullptr;  ///< whether to keep it; null: always
  mlir::Value count = nullptr; ///< the number of elements in it; null: one
};

/// The results of a reduction.
struct Reduced {
  mlir::Value value;
  mlir::Value count = nullptr; ///< the number of elements, if it counts
  /// For positions: whether the later `for`s have equally many iterations in
  /// each iteration of this one.
  bool isRectangular = true;
};

/// Reduces over one sequence; `body` gives the element of an iteration.
std::optional<Reduced> reduceOver(
    FunctionLowering &fn, Reduction reduction, const Sequence &sequence,
    Span span,
    llvm::function_ref<std::optional<ReducedElement>(mlir::Value index)> body);
/// Reduces over the clauses of a generator from `clause` on.
std::optional<Reduced> reduceGenerator(FunctionLowering &fn,
                                       Reduction reduction,
                                       const syntax::Generator &generator,
                                       size_t clause, Span span);

/// `argmin` or `argmax` of a generator.
std::optional<mlir::Value> lowerPosition(FunctionLowering &fn,
                                         ir::ReduceKind kind,
                                         const syntax::Generator &generator,
                                         Span span);
/// The number of iterations of the clauses from `clause` on, including those
/// that conditions reject.
std::optional<mlir::Value> iterationsOf(FunctionLowering &fn,
                                        const syntax::Generator &generator,
                                        size_t clause, Span span);
/// Whether nested partial reductions have the same ranges in all iterations of
/// the loop with the body `around`.
bool hasInvariantRanges(ir::ReduceOp reduce, mlir::Region &around);

} // namespace kern::compiler
