//===- FirstBest.h - the first extremum of several values -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane that compares one element after the other, and chooses between two
// positions each time, takes six operations for an element. Here it finds the
// extremum of several, with one operation for each, and then, if it is better
// than what was best before, which of them is equal to it, with two.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/LoopLowering.h"
#include "dialects/LoopToLLVM/Reduction.h"

namespace kern::ir::loop {

/// Whether firstBest() serves a reduction by lanes along its range.
bool findsFirstBest(ReduceOp op, LoopStyle style);

/// Iterations in chunks of `size`, a power of two: those of the first chunk are
/// `first`, first + 1, …, and each chunk is `stride` behind the one before it.
struct ChunkPlaces {
  mlir::Value first, stride;
  unsigned size = 1;
};

/// Combines `best` with the values of later iterations, in order. Continues in
/// another block: `newBlock` makes one behind those that it made before.
Accumulator firstBest(mlir::ImplicitLocOpBuilder &b, ReduceKind kind,
                      Accumulator best, llvm::ArrayRef<mlir::Value> values,
                      ChunkPlaces places,
                      llvm::function_ref<mlir::Block *()> newBlock);

} // namespace kern::ir::loop
