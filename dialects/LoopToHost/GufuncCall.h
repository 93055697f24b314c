//===- GufuncCall.h - calls of a gufunc's body ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/Forms.h"

namespace kern::ir::loop {

/// An operand of an entry point: its first loop element, the bytes from one to
/// the next, and core strides in bytes.
struct GufuncOperand {
  mlir::Type element;
  mlir::Value pointer, stride;
  llvm::SmallVector<mlir::Value> coreStrides;
};

/// What the entry point of a gufunc is given, and calls of its body with it.
struct GufuncCall {
  /// Reads the words. The kernel's last `ownDims` dimensions are not among
  /// them.
  GufuncCall(KernelBuilder &b, const KernelFacts &kernel,
             mlir::LLVM::LLVMFuncOp entry, unsigned ownDims = 0);

  /// Whether all arrays have unit strides along their last core dimensions;
  /// null if there are no such arrays.
  mlir::Value hasUnitStrides(KernelBuilder &b) const;
  /// Calls `body` for a loop element. With `hasUnitStrides`, it gets the last
  /// core strides as constants.
  void run(KernelBuilder &b, mlir::LLVM::LLVMFuncOp body, mlir::Value index,
           bool hasUnitStrides) const;

  mlir::Value count; ///< loop elements
  llvm::SmallVector<mlir::Value> dims;
  llvm::SmallVector<GufuncOperand> operands; ///< the inputs first
  llvm::SmallVector<mlir::Value> slots;      ///< memory for local arrays

private:
  size_t inputs;
};

} // namespace kern::ir::loop
