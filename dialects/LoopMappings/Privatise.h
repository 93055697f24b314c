//===- Privatise.h - sums in shared memory -------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Obstacle.h"
#include "dialects/LoopToLLVM/Extents.h"

namespace kern::ir::loop {

/// An array into which the iterations of one loop accumulate integers, several
/// of them perhaps into one element, and which the loop does not access
/// otherwise.
struct PrivateSum {
  ParallelOp loop;
  mlir::Value array;
  AccumulateKind kind;
  llvm::SmallVector<DimTokens> extents;
  /// The size of one copy, as an expression of dimensions.
  DimTokens bytes() const;
};

/// The arrays of the loops that lanes of a gufunc share. Empty for a kernel
/// that flatten() changed: other loop elements share its arrays.
llvm::SmallVector<PrivateSum> privateSums(KernelOp kernel);

/// Why an array into whose elements several iterations may accumulate cannot be
/// privatised.
std::optional<Obstacle> privateObstacle(KernelOp kernel);

/// Lets each block accumulate into copies of these arrays in its shared memory,
/// and add the copies to the arrays at the end. A lane uses the copy of its
/// number modulo the number of copies. The kernel requires groups that are
/// whole blocks.
void privatise(KernelOp kernel);

} // namespace kern::ir::loop
