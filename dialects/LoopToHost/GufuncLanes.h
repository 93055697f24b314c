//===- GufuncLanes.h - gufuncs in vectors across elements -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/Forms.h"
#include "dialects/LoopToHost/VectorBody.h"

#include <optional>

namespace kern::ir::loop {

/// The elements of all operands of a gufunc for one loop element. Nothing if
/// they are not constant.
std::optional<int64_t> coreElements(KernelOp kernel);

/// A gufunc's operand in an entry point.
struct GufuncOperand {
  mlir::Type element;
  mlir::Value pointer;
  mlir::Value stride;
  llvm::SmallVector<mlir::Value> coreStrides;
};

/// The loop over loop elements, several of them at once. A loop element is a
/// lane: each core element of an operand becomes a vector, which is gathered
/// and scattered by the operand's stride. The last vector's remaining lanes
/// compute the last loop element once more.
class GufuncLanes {
public:
  /// Makes the bodies' functions at the builder's insertion point. With
  /// `lanes` of 0 the policy chooses.
  GufuncLanes(KernelBuilder &b, const KernelFacts &kernel,
              mlir::LLVM::LLVMFuncOp body, int64_t coreElements,
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
  void loop(mlir::LLVM::LLVMFuncOp function, mlir::Value count,
            llvm::ArrayRef<GufuncOperand> operands, mlir::Block *end);
  mlir::Value offsetsOf(const GufuncOperand &operand, mlir::Value indices);
  mlir::Value pointersOf(const GufuncOperand &operand, mlir::Value indices);
  mlir::Value load(const GufuncOperand &operand, mlir::Value indices);
  void store(mlir::Value vector, const GufuncOperand &operand,
             mlir::Value indices);

  KernelBuilder &b;
  const KernelFacts &kernel;
  unsigned lanes;
  mlir::LLVM::LLVMFuncOp plain;
  /// For scalar inputs that are the same for all loop elements.
  mlir::LLVM::LLVMFuncOp uniform;
};

} // namespace kern::ir::loop
