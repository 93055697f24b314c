//===- GufuncLanes.h - gufuncs in vectors across elements -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/Forms.h"
#include "dialects/LoopToHost/LaneTransfer.h"
#include "dialects/LoopToHost/VectorBody.h"

#include <optional>

namespace kern::ir::loop {

/// Nothing if they are not constant.
std::optional<CoreShapes> constantShapes(KernelOp kernel);

/// The loop over loop elements, several of them at once. A loop element is a
/// lane: each core element of an operand becomes a vector. Operands of few
/// elements are moved to and from vectors around the body (LaneTransfer.h), and
/// the body gathers and scatters others by the operand's stride. The last
/// vector's remaining lanes compute the last loop element once more.
class GufuncLanes {
public:
  /// Makes the bodies' functions at the builder's insertion point. With
  /// `lanes` of 0 the policy chooses.
  GufuncLanes(KernelBuilder &b, const KernelFacts &kernel,
              mlir::LLVM::LLVMFuncOp body, const CoreShapes &shapes,
              unsigned lanes);

  /// False if the body cannot run in vectors, or gains nothing.
  bool isPossible() { return bool(plain); }
  unsigned count() const { return lanes; }
  /// Emits the loops, from the insertion point to `end`.
  void emit(mlir::Value count, llvm::ArrayRef<GufuncOperand> operands,
            mlir::Block *end);

private:
  mlir::LLVM::LLVMFuncOp make(mlir::LLVM::LLVMFuncOp body,
                              bool hasUniformScalars);
  /// Whether an operand's core elements are moved between memory and vectors
  /// around the body.
  bool isInVectors(llvm::ArrayRef<int64_t> shape) const;
  void loop(mlir::LLVM::LLVMFuncOp function, mlir::Value count,
            llvm::ArrayRef<GufuncOperand> operands, mlir::Block *end);

  KernelBuilder &b;
  const KernelFacts &kernel;
  const CoreShapes &shapes;
  unsigned lanes;
  llvm::SmallVector<bool> written;       ///< arrays that the body writes
  llvm::SmallVector<mlir::Value> places; ///< of operands in vectors
  mlir::LLVM::LLVMFuncOp plain;
  /// For scalar inputs that are the same for all loop elements.
  mlir::LLVM::LLVMFuncOp uniform;
};

} // namespace kern::ir::loop
