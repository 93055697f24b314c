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

/// An array into whose elements the iterations of one loop accumulate integers,
/// where several iterations may meet, and which the loop does not touch
/// otherwise.
struct PrivateSum {
  ParallelOp loop;
  mlir::Value array;
  AccumulateKind kind;
  llvm::SmallVector<DimTokens> extents;
  /// The size of one copy, as an expression of dimensions.
  DimTokens bytes() const;
};

/// Those of the loops of a gufunc that lanes share. None of a kernel that
/// flatten() changed: other loop elements share its arrays.
llvm::SmallVector<PrivateSum> privateSums(KernelOp kernel);

/// What keeps the sums into whose elements iterations accumulate, and may meet,
/// from being private ones.
std::optional<Obstacle> privateObstacle(KernelOp kernel);

/// Lets each block accumulate into copies of these arrays in its shared memory,
/// which it adds to the arrays in the end. A lane works on the copy of its
/// number, modulo the number of copies. The kernel is only for groups that are
/// whole blocks.
void privatise(KernelOp kernel);

} // namespace kern::ir::loop
