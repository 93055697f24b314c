//===- KernToLoopPass.cpp - kern-to-loop ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/KernToLoop.h"
#include "dialects/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace kern::ir {

#define GEN_PASS_DEF_KERNTOLOOP
#include "dialects/Passes.h.inc"

LogicalResult lowerToLoop(ModuleOp module, bool isPrecise, FmaOfHalves fma) {
  SmallVector<FuncOp> typed;
  for (FuncOp func : module.getOps<FuncOp>())
    if (func.isTyped())
      typed.push_back(func);
  LogicalResult result = success();
  for (FuncOp func : typed) {
    if (isPrecise)
      func->removeAttr(fastmathAttribute);
    OpBuilder builder(func);
    FailureOr<loop::KernelOp> kernel = lowerToLoop(func, builder, fma);
    if (failed(kernel)) {
      result = failure();
      continue;
    }
    if (!isPrecise)
      contractSums(*kernel);
    wrapIndices(*kernel);
    func.erase();
  }
  return result;
}

namespace {
struct KernToLoopPass : impl::KernToLoopBase<KernToLoopPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(lowerToLoop(getOperation(), precise)))
      signalPassFailure();
  }
};
} // namespace

} // namespace kern::ir
