//===- MatrixUnits.h - units that multiply matrices -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::ir::loop {

/// How a target lowers the operations of its matrix units, in kernels
/// whose tiles are products. Addresses are those of the operations' places in
/// shared memory.
class MatrixUnits {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  virtual ~MatrixUnits() = default;
  virtual Values loadMatrices(KernelBuilder &b, LoadMatricesOp op,
                              mlir::Value address) = 0;
  virtual Values multiply(KernelBuilder &b, MultiplyMatricesOp op) = 0;
  virtual void fenceShared(KernelBuilder &b, FenceSharedOp op) = 0;
  virtual Values startProduct(KernelBuilder &b, StartProductOp op,
                              mlir::Value left, mlir::Value right) = 0;
  virtual Values awaitProduct(KernelBuilder &b, AwaitProductOp op) = 0;

  /// Lowers an operation that is one of these; false for any other. The caller
  /// erases it.
  bool
  lower(KernelBuilder &b, mlir::Operation &op,
        llvm::function_ref<mlir::Value(mlir::Value array, mlir::Value index)>
            address);
};

} // namespace kern::ir::loop
