//===- LaneChunks.h - a lane's part of resident rows ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/ResidentRows.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::ir::loop {

/// One chunk of a lane.
struct LaneChunk {
  mlir::Value first;  ///< its first iteration, from the range's beginning
  mlir::Value isReal; ///< it lies in the range
  mlir::Value place;  ///< its place in the rows, or that of the last chunk
};

/// What a lane takes of `rows`.
struct LaneChunks {
  llvm::SmallVector<LaneChunk> chunks;
  mlir::Value lane; ///< its number, i64
  mlir::Value tailFirst, hasTail;
};
/// Each loop builds them anew, so that only the rows take registers between
/// loops.
LaneChunks laneChunks(mlir::ImplicitLocOpBuilder &b, KernelOp kernel,
                      const ResidentRows &rows);

/// The part of a row that a kernel which fetches ahead has in shared memory.
struct FetchedRow {
  FetchedRow(mlir::ImplicitLocOpBuilder &b, const ResidentRows &rows,
             size_t row);
  mlir::Value array; ///< of one dimension
};

/// The first element of a lane's chunk in a FetchedRow.
mlir::Value placeInFetched(mlir::ImplicitLocOpBuilder &b,
                           const ResidentRows &rows, mlir::Value lane,
                           size_t chunk);

/// Some of a lane's chunks, by number.
struct ChunkRange {
  unsigned begin, end;
};

/// Fetches chunks of a lane's part of the rows: of this loop element or, with
/// `isNext`, of the team's next one.
void fetchRows(mlir::ImplicitLocOpBuilder &b, KernelOp kernel,
               const ResidentRows &rows, bool isNext, ChunkRange range);

/// The chunks of the next loop element that one of the loops fetches, of a
/// kernel that fetches ahead: the first loop all of them. Slices wait longer
/// for one another's words while rows are fetched. So if there are two
/// exchanges, the second loop and the last one, which follow them, fetch half
/// of the chunks each; but not if the last one would wait for elements of other
/// arrays.
ChunkRange fetchedBy(const ResidentRows &rows, size_t loop);

} // namespace kern::ir::loop
