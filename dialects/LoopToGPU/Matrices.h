//===- Matrices.h - units that multiply matrices ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::ir::loop {

/// The words of a loop.load_matrices, whose lane gives the row at `address`.
/// From sm_75 on.
llvm::SmallVector<mlir::Value>
readMatrices(KernelBuilder &b, mlir::Value address, bool isTransposed);

/// The sums of a loop.multiply_matrices. From sm_80 on.
llvm::SmallVector<mlir::Value> multiplyMatrices(KernelBuilder &b,
                                                MultiplyMatricesOp op,
                                                unsigned computeCapability);

} // namespace kern::ir::loop
