//===- Checks.h - checks as loop.check --------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"
#include "dialects/Loop/Loop.h"

#include "mlir/IR/Builders.h"

namespace kern::ir {

/// Emits a loop.check at the builder's insertion point. Values are i64, the
/// condition is i1.
void lowerCheck(mlir::OpBuilder &builder, loop::KernelOp kernel,
                CheckIndexOp check, mlir::Value index, mlir::Value extent);
void lowerCheck(mlir::OpBuilder &builder, loop::KernelOp kernel, AssertOp check,
                mlir::Value condition);

/// "F.kern:3:14"; for inlined code, the place in the inlined function.
std::string placeOf(mlir::Location loc);

/// Emits the extents of an operand's core dimensions, each at least 0, at the
/// beginning of a kernel.
llvm::SmallVector<mlir::Value> emitExtents(mlir::OpBuilder &builder,
                                           loop::KernelOp kernel, FuncOp source,
                                           OperandAttr operand);

/// Records which elements of the array results are written, in a local array
/// of bool for each result.
class WrittenElements {
public:
  /// Makes the arrays at the builder's insertion point, the kernel's beginning.
  WrittenElements(FuncOp source, loop::KernelOp kernel,
                  mlir::OpBuilder &builder);
  /// Records a store, if `array` is an array result.
  void note(mlir::Location loc, mlir::Value array, mlir::ValueRange indices);
  /// Checks that every element is written.
  void check(mlir::Location loc);

private:
  struct Result {
    mlir::Value array;
    mlir::Value isWritten;
    llvm::SmallVector<mlir::Value> extents;
    int64_t number; ///< of the check
  };

  mlir::OpBuilder &builder;
  llvm::SmallVector<Result> results;
};

} // namespace kern::ir
