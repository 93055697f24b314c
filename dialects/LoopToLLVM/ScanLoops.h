//===- ScanLoops.h - loops over what is scanned --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/ScanEmitter.h"

namespace kern::ir::loop {

/// The loops of a scan whose lanes are one group: in order, and over tiles.
class ScanLoops : protected ScanEmitter {
protected:
  ScanLoops(ScanOp op, LoopStyle style) : ScanEmitter(op, style) {
    trips = tripCount(op.getLower(), op.getUpper(), op.getStep());
  }
  /// Runs the first `count` iterations. Returns their combined value.
  Element inOrder(mlir::Value count);
  /// Emits a loop over tiles of `size` iterations. `body` gets the first
  /// iteration and what the loop carries, and returns what it carries on.
  using Carried = llvm::SmallVector<mlir::Value>;
  Carried
  overTiles(mlir::Value size, const Carried &start,
            llvm::function_ref<Carried(mlir::Value, mlir::ValueRange)> body);

  mlir::Value lane;
  mlir::Value place; ///< the number of an element of a warp
};

} // namespace kern::ir::loop
