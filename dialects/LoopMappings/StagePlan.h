//===- StagePlan.h - what a staged kernel stages ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/OrderedLoop.h"
#include "dialects/LoopToLLVM/Extents.h"

namespace kern::ir::loop {

/// Iterations of a loop in order that are staged together.
inline constexpr int64_t strip = 32;

/// An array, or what a loop takes from it, and its tile.
struct Staging {
  mlir::Value array;
  unsigned operand;
  unsigned dimension; ///< which the loop goes along; or the last one
  llvm::SmallVector<DimTokens> extents; ///< of the tile
  bool isRead = false, isWritten = false;
  llvm::SmallVector<mlir::Operation *> uses;
};

/// How a kernel is staged.
struct StagePlan {
  std::optional<OrderedLoop> loop; ///< null: arrays are staged whole
  llvm::SmallVector<Staging> arrays;
  llvm::SmallVector<LocalOp> locals; ///< too large for a thread's own memory
};

/// That of a kernel which begins with a loop in order, if what iterations read
/// and write one after the other can be staged.
Found<StagePlan> stripPlanOf(KernelOp kernel);

/// An obstacle for a kernel that begins with a loop in order and cannot be
/// staged.
Found<StagePlan> stagePlanOf(KernelOp kernel);

/// The size of a thread's array in shared memory, as an expression of
/// dimensions: an odd number of words, as BodyLowering gives it.
DimTokens pitchOf(mlir::Value array, llvm::ArrayRef<DimTokens> extents);

} // namespace kern::ir::loop
