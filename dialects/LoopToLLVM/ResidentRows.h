//===- ResidentRows.h - rows that several loops read ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/ChunkedLoads.h"
#include "dialects/LoopToLLVM/Extents.h"

namespace kern::ir::loop {

/// The loops of a kernel over one range, of which several read the same
/// elements of an array: a row. The range begins at 0, or with a slice's part.
/// Each lane can keep its part of the rows in registers, so that memory is read
/// once.
struct ResidentRows {
  struct Row {
    mlir::Value array;
    /// The load's; the one at `dimension` is not used.
    llvm::SmallVector<mlir::Value> indices;
    unsigned dimension;
  };
  struct Loop {
    mlir::Operation *op;
    /// The loads of consecutive elements. Of each, its row, or none if no other
    /// loop reads the same.
    llvm::SmallVector<ChunkedLoads::Load> loads;
    llvm::SmallVector<std::optional<unsigned>> rows;
  };
  mlir::Value lower, upper;   ///< of the range
  DimTokens extentExpression; ///< of a range from 0: its end
  unsigned chunk = 1;         ///< elements that one access reads
  unsigned chunks = 1;        ///< that a lane keeps of each row
  llvm::SmallVector<Row> rows;
  llvm::SmallVector<Loop> loops; ///< in order

  /// Moves the constants of the rows before all loops: of equal constants, they
  /// may have those of a later loop.
  void hoistConstants(KernelOp kernel) const;
};

/// Nothing if there are no such rows, or if the kernel has branches around its
/// loops. Before loops are lowered.
std::optional<ResidentRows> residentRows(KernelOp kernel);

/// Whether a cooperative kernel can fetch the rows of its next loop element
/// while it works on this one: elements of an input, at the same indices.
bool mayFetchRows(KernelOp kernel);
/// Makes a kernel with mayFetchRows() do so.
void fetchAhead(KernelOp kernel);

/// Lowers the loops of `rows`, whose lanes share the iterations. The range must
/// have a whole chunk, at most `chunks` of them for each lane of a group, and
/// at most as many elements beyond the last one as lanes. Elements that
/// consecutive iterations access one after the other must lie in aligned
/// chunks.
void lowerResident(KernelOp kernel, const ResidentRows &rows);

} // namespace kern::ir::loop
