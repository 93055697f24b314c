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

namespace kern {

/// At the builder's place. The values are i64, the condition is i1.
void lowerCheck(mlir::OpBuilder &builder, loop::KernelOp kernel,
                CheckIndexOp check, mlir::Value index, mlir::Value extent);
void lowerCheck(mlir::OpBuilder &builder, loop::KernelOp kernel, AssertOp check,
                mlir::Value condition);

/// "F.kern:3:14"; in an inlined function, of the place there.
std::string placeOf(mlir::Location loc);

/// The extents of an operand's core dimensions as values, each at least 0, at
/// the beginning of a kernel.
llvm::SmallVector<mlir::Value> emitExtents(mlir::OpBuilder &builder,
                                           loop::KernelOp kernel, FuncOp source,
                                           OperandAttr operand);

/// Notes which elements of the array results are written: for each result a
/// local array of bool.
class WrittenElements {
public:
  /// Makes the arrays at the builder's place, the beginning of the kernel.
  WrittenElements(FuncOp source, loop::KernelOp kernel,
                  mlir::OpBuilder &builder);
  /// Notes a store, at the builder's place; `array` may be any.
  void note(mlir::Location loc, mlir::Value array, mlir::ValueRange indices);
  /// Checks, at the builder's place, that nothing is left out.
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

} // namespace kern
