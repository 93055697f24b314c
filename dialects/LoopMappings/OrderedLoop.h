//===- OrderedLoop.h - a loop in order around a kernel -------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Obstacle.h"

#include "mlir/IR/Dominance.h"

namespace kern::ir::loop {

/// A loop over 0, 1, … up to a bound that follows from dimensions. Every loop
/// element enters it, and leaves it only at its head, so all lanes of a warp
/// run the same number of iterations.
struct OrderedLoop {
  mlir::Block *preheader, *head;
  mlir::Block *body; ///< the first block of an iteration
  mlir::Block *latch, *exit;
  mlir::BlockArgument index; ///< of the head
  mlir::Value bound;
  llvm::SmallPtrSet<mlir::Block *, 8> blocks; ///< of an iteration

  bool contains(mlir::Operation *op) const;
  /// The dimension of a load or store in the loop whose index is the loop's, if
  /// all other indices are invariant.
  std::optional<unsigned> dimensionOf(mlir::Operation *op) const;
  /// The indices of such an access in iteration `at`.
  llvm::SmallVector<mlir::Value>
  indicesAt(mlir::OpBuilder &b, mlir::Operation *op, mlir::Value at) const;
  bool isSamePlace(mlir::Operation *a, mlir::Operation *b) const;
  /// Whether every iteration runs an operation, outside of inner loops'
  /// regions.
  bool runsAlways(mlir::Operation *op, mlir::DominanceInfo &dominance) const;
};

/// The first loop of a gufunc, if it is one.
Found<OrderedLoop> findOrderedLoop(KernelOp kernel);

} // namespace kern::ir::loop
