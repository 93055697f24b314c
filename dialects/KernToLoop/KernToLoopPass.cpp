//===- KernToLoopPass.cpp - kern-to-loop ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//

#include "dialects/KernToLoop/KernToLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace kern {

namespace {
struct KernToLoopPass : PassWrapper<KernToLoopPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KernToLoopPass)

  StringRef getArgument() const override { return "kern-to-loop"; }
  StringRef getDescription() const override {
    return "Replace typed kern.func by loop.kernel and scalar code";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<loop::LoopDialect, arith::ArithDialect, math::MathDialect,
                    complex::ComplexDialect, cf::ControlFlowDialect,
                    func::FuncDialect, LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    SmallVector<FuncOp> typed;
    for (FuncOp function : getOperation().getOps<FuncOp>())
      if (function.isTyped())
        typed.push_back(function);
    // Errors in all functions are reported, not only the first.
    for (FuncOp function : typed) {
      OpBuilder builder(function);
      if (failed(lowerToLoop(function, builder)))
        signalPassFailure();
      else
        function.erase();
    }
  }
};
} // namespace

std::unique_ptr<Pass> createKernToLoopPass() {
  return std::make_unique<KernToLoopPass>();
}

} // namespace kern
