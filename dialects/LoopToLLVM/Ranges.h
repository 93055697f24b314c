//===- Ranges.h - arithmetic on ranges --------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds arithmetic on i64 for Python's `range(lower, upper, step)`. Folds as
// it builds.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::ir::loop {

/// The length of a range; 0 if the step is 0.
mlir::Value tripCount(mlir::ImplicitLocOpBuilder &b, mlir::Value lower,
                      mlir::Value upper, mlir::Value step);
/// Its element `k`.
mlir::Value inductionValue(mlir::ImplicitLocOpBuilder &b, mlir::Value lower,
                           mlir::Value step, mlir::Value k);

/// Clones the body of a reduction for element `k` of its range. Returns what it
/// yields.
llvm::SmallVector<mlir::Value> cloneIteration(mlir::ImplicitLocOpBuilder &b,
                                              ReduceOp op, mlir::Value k);

/// Whether two values are known to be the same: one value, or equal constants.
bool isSameIndex(mlir::Value a, mlir::Value b);

} // namespace kern::ir::loop
