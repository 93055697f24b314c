//===- ChunkedLoads.h - loads of several iterations at once -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::loop {

/// Which loads of a reduction read, in consecutive iterations, consecutive
/// elements, and how many iterations one wide access serves.
struct ChunkedLoads {
  struct Load {
    LoadOp op;
    unsigned dimension; ///< the one along which iterations go
  };
  unsigned size = 1; ///< iterations of a chunk: 16 bytes of the widest element
  llvm::SmallVector<Load> loads;
};

/// Nothing unless iterations go by ones and are a single small block, whose
/// copies are worth a path of their own. The operation is not lowered yet.
std::optional<ChunkedLoads> chunkedLoads(ReduceOp op);

} // namespace kern::loop
