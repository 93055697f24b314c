//===- Iteration.h - an iteration as a function -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/CountedLoop.h"

#include <string>

namespace kern::ir::loop {

/// An iteration of a loop as a function of its own: of the counter, then of the
/// values from outside that it uses.
struct Iteration {
  mlir::LLVM::LLVMFuncOp function;
  llvm::SmallVector<mlir::Value> uses; ///< in the function with the loop
};

/// Makes a function of an iteration of a loop in `body`, which stays as it is.
/// A local array that only iterations use is the function's. Sums inside are in
/// order, as they are written.
Iteration outline(KernelBuilder &b, mlir::LLVM::LLVMFuncOp body,
                  const CountedLoop &loop, const std::string &name);

/// Whether an iteration can run twice: it reads nothing that it has written.
bool isRepeatable(mlir::LLVM::LLVMFuncOp iteration);

} // namespace kern::ir::loop
