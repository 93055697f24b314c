//===- OrderedLoop.h - a loop in order around a kernel -------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Obstacle.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"

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
  /// Appends a copy of an iteration at the builder's place, which is the end of
  /// a block, and goes on behind it. Gives the arguments of the next one. What
  /// `map` has values for is not copied, nor are `left`.
  llvm::SmallVector<mlir::Value>
  copyIteration(mlir::OpBuilder &b, mlir::ValueRange arguments,
                mlir::IRMapping &map,
                const llvm::SmallPtrSetImpl<mlir::Operation *> &left) const;
  /// Lets blocks around the loop have its arguments: `others` have what its
  /// head has, for all that is not in the loop.
  void replaceOutside(mlir::ValueRange others) const;
  /// Whether every iteration runs an operation, outside of inner loops'
  /// regions.
  bool runsAlways(mlir::Operation *op, mlir::DominanceInfo &dominance) const;
};

/// The loop that a block enters.
Found<OrderedLoop> loopAfter(KernelOp kernel, mlir::Block *preheader);

/// The loops of a gufunc from its first one on, each of which follows the one
/// before with nothing but straight code between; or what keeps the first one
/// from being such a loop.
Found<llvm::SmallVector<OrderedLoop>> orderedLoops(KernelOp kernel);

//===--- OrderedReads.cpp -----------------------------------------------===//
// Beside pranges every lane runs the loops in order, and each iteration would
// wait for what it reads. So the lanes of a warp read the elements of 32
// iterations at once, one each, long before these run, and give them to one
// another.

/// Whether a kernel has loops in order beside pranges that read elements one
/// after the other.
bool canReadTogether(KernelOp kernel);

/// Lets lanes read for these loops. Groups then have whole warps.
void readTogether(KernelOp kernel);

} // namespace kern::ir::loop
