//===- LoopToHost.cpp - kernels for the CPU -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LoopToHost.h"

#include "dialects/LoopToHost/Forms.h"
#include "dialects/LoopToHost/Work.h"
#include "dialects/LoopToLLVM/SingleLane.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace kern::loop;

void kern::loop::lowerToHost(ModuleOp module, bool isStreamed) {
  for (KernelOp kernel :
       llvm::make_early_inc_range(module.getOps<KernelOp>())) {
    KernelFacts facts(kernel);
    facts.operations = operationsOf(kernel);
    bool isUfunc = kernel.isUfunc();
    SingleLane lane;
    LLVM::LLVMFuncOp body = moveBody(kernel, hostMemory, lane);
    Emitter b(kernel.getLoc(), kernel.getContext(), hostMemory);
    b.setInsertionPoint(kernel);
    if (isUfunc)
      emitUfunc(b, facts, body, isStreamed);
    else
      emitGufunc(b, facts, body);
    kernel.erase();
  }
}

namespace {

struct LoopToHostPass : PassWrapper<LoopToHostPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LoopToHostPass)

  LoopToHostPass() = default;
  LoopToHostPass(const LoopToHostPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "loop-to-host"; }
  StringRef getDescription() const override {
    return "Turn sequential kernels into entry points for the CPU";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    LLVM::LLVMDialect>();
  }
  void runOnOperation() override { lowerToHost(getOperation(), streamed); }

  Option<bool> streamed{*this, "streamed",
                        llvm::cl::desc("results go around the caches"),
                        llvm::cl::init(false)};
};

} // namespace

std::unique_ptr<Pass> kern::loop::createLoopToHostPass() {
  return std::make_unique<LoopToHostPass>();
}

void kern::loop::registerLoopToHostPass() {
  PassRegistration<LoopToHostPass>();
}
