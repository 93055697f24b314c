//===- Carried.h - what a reduction's loop carries --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Reduction.h"

namespace kern::ir::loop {

/// The values that a loop.reduce carries from one iteration to the next.
struct Carried {
  Accumulator sum;
  mlir::Value kept; ///< elements so far, if the reduction counts them

  /// Before the first iteration. `begin` is the number of the first one that
  /// the lane takes, INT64_MAX if there is none.
  static Carried initial(mlir::ImplicitLocOpBuilder &builder, ReduceOp op,
                         mlir::Value begin);
  /// The inverse of list().
  static Carried from(ReduceOp op, mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> list() const;
};

/// Adds to `sum` what iteration `k` yields: a value, whether to keep it, and
/// how many elements it stands for. Iterations come in order.
Carried accumulate(mlir::ImplicitLocOpBuilder &builder, ReduceKind kind,
                   Carried sum, mlir::ValueRange yielded, mlir::Value k);

/// Lets a sum be contracted with a term that is a product with the flag for it.
void contractWith(mlir::Value sum, mlir::Value term);
/// Replaces the results of `op` by those of its lanes, combined if there may be
/// several.
void replaceReduction(mlir::ImplicitLocOpBuilder &builder, ReduceOp op,
                      Carried sum, bool isShared);

} // namespace kern::ir::loop
