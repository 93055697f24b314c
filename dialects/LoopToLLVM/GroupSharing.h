//===- GroupSharing.h - which memory the lanes of a group share -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include "llvm/ADT/DenseSet.h"

namespace kern::ir::loop {

/// The array that an operation reads or writes; null for any other.
mlir::Value accessedArray(mlir::Operation *op);

/// Whether the iterations of a loop must run in order, in one lane. This is so
/// of reductions in order, and of loops that accumulate floats into shared
/// elements: the order decides the result.
bool runsInOrder(mlir::Operation *loop);

/// Whether an array lies in each lane's own memory.
bool isPrivate(mlir::Value array);

/// The arrays through which one lane may see or overwrite what another wrote:
/// those that are written and also read in one launch, or that may be written
/// repeatedly.
class SharedArrays {
public:
  explicit SharedArrays(KernelOp kernel);
  /// Whether `op`, or an operation in its regions, accesses such an array.
  bool touchedBy(mlir::Operation *op) const;

private:
  llvm::DenseSet<mlir::Value> arrays;
};

} // namespace kern::ir::loop
