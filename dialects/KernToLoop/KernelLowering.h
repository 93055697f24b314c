//===- KernelLowering.h - from a typed function to a kernel -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/Kern.h"
#include "dialects/KernToLoop/Casts.h"
#include "dialects/KernToLoop/Checks.h"
#include "dialects/KernToLoop/KernToLoop.h"
#include "dialects/KernToLoop/RaceChecks.h"
#include "dialects/Loop/Loop.h"

#include "mlir/IR/IRMapping.h"

#include <optional>

namespace kern::ir {

/// Makes a loop.kernel from one typed function, operation by operation.
/// `mapping` maps each value of the source to its counterpart. Structure.cpp
/// lowers functions and blocks, Memory.cpp stores and local arrays, and
/// Loops.cpp loops.
class KernelLowering {
public:
  KernelLowering(FuncOp source, mlir::OpBuilder &builder, FmaOfHalves fma)
      : source(source), builder(builder), fma(fma) {}

  /// Does the work of lowerToLoop(). Call it once.
  mlir::FailureOr<loop::KernelOp> run();

private:
  FuncOp source;
  mlir::OpBuilder &builder;
  FmaOfHalves fma;
  mlir::ModuleOp module;
  loop::KernelOp kernel;
  mlir::ArrayAttr dims; ///< names
  mlir::IRMapping mapping;
  std::optional<WrittenElements> written; ///< if results are checked
  std::optional<RaceChecks> races;        ///< if iterations are checked

  mlir::Type lower(mlir::Type type) const;
  mlir::FailureOr<llvm::SmallVector<mlir::Type>> resultTypes();

  /// The counterpart of a source value, with its element type.
  Scalar operand(ScalarBuilder &s, mlir::Value value) {
    return {mapping.lookup(value), *toDType(value.getType())};
  }
  mlir::Value index(ScalarBuilder &s, mlir::Value value) {
    return convert(s, operand(s, value), runtime::DType::I64).value;
  }
  llvm::SmallVector<mlir::Value> indices(ScalarBuilder &s,
                                         mlir::ValueRange values) {
    return llvm::map_to_vector(values,
                               [&](mlir::Value v) { return index(s, v); });
  }
  void replace(mlir::Operation &op, const Scalars &results) {
    for (auto [from, to] : llvm::zip(op.getResults(), results))
      mapping.map(from, to.value);
  }

  mlir::LogicalResult lowerBlocks(mlir::Region &from, mlir::Region &to);
  mlir::LogicalResult lowerOperation(mlir::Operation &op);
  mlir::LogicalResult lowerApply(ScalarBuilder &s, ApplyOp op);
  mlir::LogicalResult lowerConversion(ScalarBuilder &s, mlir::Operation &op,
                                      mlir::Value value);
  mlir::LogicalResult lowerDim(DimOp op);
  mlir::LogicalResult lowerStore(ScalarBuilder &s, StoreOp op);
  mlir::LogicalResult lowerAccumulate(ScalarBuilder &s, AccumulateOp op);
  mlir::LogicalResult lowerLocal(ScalarBuilder &s, LocalOp op);
  mlir::LogicalResult lowerLookup(ScalarBuilder &s, LoadOp op, TableOp table,
                                  llvm::ArrayRef<mlir::Value> indices);
  mlir::LogicalResult lowerYield(YieldOp op);
  mlir::LogicalResult lowerParallel(ScalarBuilder &s, ParallelOp op);
  mlir::LogicalResult lowerReduce(ScalarBuilder &s, ReduceOp op);
  mlir::LogicalResult lowerScan(ScalarBuilder &s, ScanOp op);
};
} // namespace kern::ir
