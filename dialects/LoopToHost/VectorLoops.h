//===- VectorLoops.h - loops for the vectoriser -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/Policy.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace kern::loop {

/// What an annotation says of a loop.
struct LoopHints {
  VectorShape shape;
  /// What is left over runs through the same vectors, masked.
  bool masksRest = false;
  /// Iterations see nothing of one another through accesses of this group.
  mlir::LLVM::AccessGroupAttr independent;
};

/// Annotates the loop of a latch, an llvm.br or cf.br, so that LLVM's
/// vectoriser takes just that shape, and nothing unrolls the loop before.
void annotate(mlir::Operation *latch, const LoopHints &hints);
/// Neither vectors nor unrolling for the loop of a latch.
void leaveAlone(mlir::Operation *latch);

/// Puts a load or store into a group; nothing else.
void addToGroup(mlir::Operation &access, mlir::LLVM::AccessGroupAttr group);

/// Annotates the innermost loops among those that LoopLowering.h has marked.
/// Sums of floats are then grouped in lanes, alike for all strides.
void vectoriseLoops(mlir::LLVM::LLVMFuncOp body);

} // namespace kern::loop
