//===- CountedLoop.h - loops that count to a number -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/KernelBuilder.h"

#include "llvm/ADT/SetVector.h"

#include <optional>

namespace kern::ir::loop {

/// A loop that lowerLoop() has made: `header` asks whether its counter is below
/// `trips`, and the only latch adds 1 to it. It is left by the header alone.
struct CountedLoop {
  mlir::Block *header;
  mlir::Operation *latch;
  mlir::Value trips;
  mlir::Block *body, *exit;
  /// The header first, then in the order of the region, which a clone keeps.
  llvm::SetVector<mlir::Block *> blocks;

  /// Nothing if a latch is that of another kind of loop.
  static std::optional<CountedLoop> of(mlir::Operation *latch);

  mlir::BlockArgument counter() const { return header->getArgument(0); }
  bool contains(mlir::Block *block) const { return blocks.contains(block); }
  /// Whether a value is defined before the loop.
  bool isOutside(mlir::Value value) const {
    return !contains(value.getParentBlock());
  }
  /// Whether a value could be computed before the loop.
  bool isInvariant(mlir::Value value) const;
  /// Computes an invariant value before the loop, where the builder is.
  mlir::Value hoist(KernelBuilder &b, mlir::Value value) const;
};

} // namespace kern::ir::loop
