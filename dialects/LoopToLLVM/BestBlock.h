//===- BestBlock.h - where the position of an extremum is -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM does not vectorise reductions that carry a position. On the host the
// extrema of blocks of iterations are found first, in vectors; the position is
// then looked for in one block, in vectors too where that is safe.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/LoopLowering.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::ir::loop {

/// Whether a reduction finds a position, and its body can run once more.
bool goesByBlocks(ReduceOp op, LoopStyle style);

/// A range of iterations, by number.
struct Iterations {
  mlir::Value first, end;
};

/// Emits a loop over blocks of the `trips` iterations, and continues behind it.
/// Returns the iteration that has the extremum, or the first block that has it;
/// all iterations if no block has a value that is better than none. `newBlock`
/// makes a block with so many i64 as arguments, behind those that it made
/// before.
Iterations bestBlock(mlir::ImplicitLocOpBuilder &b, ReduceOp op,
                     mlir::Value trips,
                     llvm::function_ref<mlir::Block *(unsigned)> newBlock);

} // namespace kern::ir::loop
