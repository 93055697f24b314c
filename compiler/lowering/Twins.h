//===- Twins.h - arrays that a program has as one ------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   a = y[1:]
//   for _ in range(k):
//       a = a + 1           # `a` has a place of its own (LoopArrays.h)
//   a[0] = 5                # if k is 0, this is y[1]
//
// A name whose place the loop made by copying is a twin of the array that it
// meant before: one array in the program, two here. They hold the same until
// one is stored to. From then on the other one is stale, and to read it is an
// error. Lowering notes where names get other places. At the end of a function
// its blocks are followed, to find reads of what is stale.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

namespace kern::compiler {

/// The loads and stores that are made while it lives move elements between
/// places. No program asks for them.
class MovingElements : public mlir::OpBuilder::Listener {
public:
  /// With `target`, only the stores to this array.
  explicit MovingElements(FunctionLowering &fn, mlir::Value target = nullptr);
  ~MovingElements() override;
  MovingElements(const MovingElements &) = delete;
  MovingElements &operator=(const MovingElements &) = delete;

private:
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint before) override;

  FunctionLowering &fn;
  mlir::Value target;
  mlir::OpBuilder::Listener *outer;
};

/// Notes that the names of these arrays have their elements in other places
/// from here on, all at once.
void noteMoves(FunctionLowering &fn, std::vector<ArrayMove> moves,
               ArrayMoves::Kind kind, Span span);

/// An expression whose elements are kept in a new array may call a `def` for
/// each, which on some path gives an argument itself. In Python that is the
/// argument's array. Gives these arrays, by one element of the expression.
std::vector<mlir::Value> arraysGiven(FunctionLowering &fn,
                                     const syntax::Expr &expr,
                                     const Number &element);

/// Another name of an array that `name` may mean, or the array's own.
std::string otherNameOf(const FunctionLowering &fn, const std::string &name,
                        const ArrayView &view);

//===--- TwinStores.cpp ---------------------------------------------------===//
/// Reports stores that another name of the array could see.
void checkTwins(FunctionLowering &fn);

} // namespace kern::compiler
