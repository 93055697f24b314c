//===- TileShapes.h - the shapes of a kernel's tiles ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Tiling.h"

namespace kern::ir::loop {

/// The shapes whose results fit into registers and whose elements fit into
/// shared memory. They follow from types and indices.
std::vector<TilePlan> tileShapes(const Tiling &tiling);

/// How results go through shared memory, from the threads that compute them to
/// those that store them.
struct TileExchange {
  TileExchange(const Tiling &tiling, const TilePlan &shape);
  /// Of each thread's rows, those that are exchanged at once: whole runs.
  unsigned rowsAtOnce = 1;
  unsigned rows = 1;  ///< of all threads at once; they are neighbours
  unsigned pitch = 1; ///< from row to row, in elements
  /// Elements of a row after which one is left free, so that the runs of
  /// neighbouring threads lie in different banks; 0: never.
  unsigned run = 0;
  unsigned bytes = 0;
  llvm::SmallVector<mlir::Value> values; ///< results of reductions
  llvm::SmallVector<unsigned> offsets;   ///< of their arrays
};

} // namespace kern::ir::loop
