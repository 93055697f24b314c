//===- Computed.h - what loops have computed of an element ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include "mlir/IR/IRMapping.h"

namespace kern::ir::loop {

/// The values that unrolled loops have computed for one element.
class Computed {
public:
  /// The operation that is the same as `op` with operands as in `map`; null if
  /// there is none.
  mlir::Operation *find(mlir::Operation &op, const mlir::IRMapping &map) const;
  void add(mlir::Operation *op) { operations.push_back(op); }
  /// The operation's result, kept for a later loop.
  mlir::Value keep(mlir::Operation *op);

private:
  llvm::SmallVector<mlir::Operation *> operations;
  llvm::SmallDenseMap<mlir::Operation *, mlir::Value> kept;
};

} // namespace kern::ir::loop
