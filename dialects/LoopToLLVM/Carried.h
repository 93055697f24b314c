//===- Carried.h - what a loop carries for a reduction ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Reduction.h"

namespace kern::ir::loop {

/// The loop-carried values of a reduction.
struct Carried {
  Accumulator sum;
  mlir::Value kept; ///< elements so far, if the reduction counts them

  llvm::SmallVector<mlir::Value> list() const;
  /// The inverse of list().
  static Carried from(ReduceOp op, mlir::ValueRange values);
  /// Before the first iteration.
  static Carried initial(mlir::ImplicitLocOpBuilder &b, ReduceOp op);
};

/// Adds to `sum` what iteration `k` yields: a value, whether to keep it, and
/// how many elements it stands for.
Carried accumulate(mlir::ImplicitLocOpBuilder &b, ReduceKind kind, Carried sum,
                   mlir::ValueRange yielded, mlir::Value k);

} // namespace kern::ir::loop
