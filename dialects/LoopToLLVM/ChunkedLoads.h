//===- ChunkedLoads.h - loads of several iterations at once -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::ir::loop {

/// The loads of a reduction that read consecutive elements in consecutive
/// iterations, and the number of iterations that one wide access serves.
struct ChunkedLoads {
  struct Load {
    LoadOp op;
    unsigned dimension; ///< indexed by the induction variable
  };
  unsigned size = 1; ///< iterations per chunk: 16 bytes of the widest element
  llvm::SmallVector<Load> loads;
};

/// The bytes of one wide access.
inline constexpr unsigned chunkBytes = 16;

/// The dimension whose index is the induction variable of the loop's only
/// range, if all other indices are invariant in the loop.
std::optional<unsigned> consecutiveDimension(mlir::ValueRange indices,
                                             mlir::Operation *loop);

/// The loads of a loop that read consecutive elements in consecutive iterations
/// of its only range. Its step must be 1.
llvm::SmallVector<ChunkedLoads::Load> consecutiveLoads(mlir::Operation *loop);

/// `indices`, with `first` at `dimension`, outside of the loop around them.
llvm::SmallVector<mlir::Value> chunkIndices(mlir::ImplicitLocOpBuilder &builder,
                                            mlir::ValueRange indices,
                                            unsigned dimension,
                                            mlir::Value first);

/// Nothing unless the step is 1 and the body is a single small block, so that
/// copies of it are cheap. The operation must not be lowered yet.
std::optional<ChunkedLoads> chunkedLoads(ReduceOp op);

} // namespace kern::ir::loop
