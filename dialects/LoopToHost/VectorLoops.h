//===- VectorLoops.h - annotations for the vectoriser -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/Policy.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace kern::ir::loop {

/// The contents of a loop's annotation.
struct LoopHints {
  VectorShape shape;
  /// The remaining iterations run in the same vector loop, masked.
  bool masksRest = false;
  /// Accesses of this group carry no dependence between iterations.
  mlir::LLVM::AccessGroupAttr independent;
};

/// Annotates the loop of a latch, an llvm.br or cf.br. LLVM's vectoriser then
/// takes exactly this shape, and no earlier pass unrolls the loop.
void annotate(mlir::Operation *latch, const LoopHints &hints);
/// Disables vectorisation and unrolling for the loop of a latch.
void leaveAlone(mlir::Operation *latch);

/// Adds a load or store to a group. Ignores other operations.
void addToGroup(mlir::Operation &access, mlir::LLVM::AccessGroupAttr group);

/// The blocks of the loop between a header, which comes first, and its only
/// latch.
llvm::SetVector<mlir::Block *> blocksOfLoop(mlir::Block *header,
                                            mlir::Block *latch);

/// The shape that vectoriseLoops() gives the loop of a latch, which grouped
/// sums of floats follow; nothing if there are loops in it.
std::optional<VectorShape> loopShape(mlir::Operation *latch, bool isParallel);

/// Annotates the innermost loops among those that lowerLoop() has marked
/// (LoopLowering.h). Sums of floats are then grouped by lanes, in the same way
/// for all strides.
void vectoriseLoops(mlir::LLVM::LLVMFuncOp body);

} // namespace kern::ir::loop
