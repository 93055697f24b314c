//===- TileStore.h - results that threads store themselves ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a thread's runs of results fill 16 bytes of the array that they go to,
// it stores them itself. Others go through shared memory (TileExchange).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/TileBuilder.h"
#include "dialects/LoopMappings/TileValues.h"

namespace kern::ir::loop {

/// The one store after the reductions, in `old`, if runs along columns may fill
/// 16 bytes and little is computed for each result; else null.
StoreOp runStoreOf(KernelOp kernel, mlir::Block &old, const Tiling &tiling,
                   const TilePlan &shape);

/// i1: whether the tile is whole, and its runs are contiguous and aligned.
mlir::Value canStoreRuns(TileBuilder &b, StoreOp store, const TilePlan &shape,
                         const TilePlace &place, TileValues &values);

/// i1: whether each store after the reductions, in `old`, has neighbouring
/// columns side by side; null if one of them never has.
mlir::Value storesNeighbours(TileBuilder &b, KernelOp kernel, mlir::Block &old);

/// Computes what follows from the thread's results, and stores it.
void storeRuns(TileBuilder &b, StoreOp store, const TilePlan &shape,
               TileValues &values);

} // namespace kern::ir::loop
