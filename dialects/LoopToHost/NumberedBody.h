//===- NumberedBody.h - a loop element as an iteration ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/VectorBody.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/KernelFacts.h"

namespace kern::ir::loop {

/// A body as a function of a loop element's number. Arrays are those of loop
/// element 0, and numbers that a body takes or returns are arrays of one for
/// each loop element. After an input's core strides comes its stride from one
/// loop element to the next, which is the size of an element or 0.
struct NumberedBody {
  NumberedBody(KernelBuilder &b, const KernelFacts &kernel,
               mlir::LLVM::LLVMFuncOp body);

  llvm::DenseSet<mlir::Value> allButTheNumber() const;
  /// Whether lanes read and write side by side, or read the same, and whether
  /// the elements of a local array have one size, so that vectors can take
  /// their place.
  bool isSideBySide(const VectorBody &vectors) const;
  /// Whether an input is written or a result is read, so that a loop element
  /// that runs twice could give something else.
  bool changesWhatItReads() const;
  /// Says which inputs may be the same for all loop elements.
  void shareInputs(VectorBody &vectors) const;

  mlir::LLVM::LLVMFuncOp body;
  /// Inputs that are arrays, and the strides between loop elements.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> strides;
  llvm::DenseSet<mlir::Value> written; ///< results that are arrays
  /// Those of numbers that the body takes, and those of results, with the size
  /// of an element.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> numbers, results;
  /// The memory for local arrays whose size is known at the call.
  llvm::DenseSet<mlir::Value> slots;
};

} // namespace kern::ir::loop
