//===- LoopToGPU.cpp - kernels for the GPU --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/LoopToGPU.h"

#include "dialects/Loop/SingleLane.h"
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Group.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace kern::loop;

static void lowerKernel(KernelOp kernel, UfuncForms forms) {
  KernelFacts facts(kernel);
  bool isUfunc = kernel.isUfunc();
  GpuGroup group;
  SingleLane single;
  LLVM::LLVMFuncOp body =
      moveBody(kernel, globalMemory, isUfunc ? (GroupLowering &)single : group);
  Emitter b(kernel.getLoc(), kernel.getContext(), globalMemory);
  auto emit = [&](auto form) {
    b.setInsertionPoint(kernel);
    form(b, facts, body);
  };
  if (!isUfunc)
    emit(emitGeneral);
  if (isUfunc && forms.contiguous)
    emit(emitContiguous);
  if (isUfunc && forms.strided)
    emit(emitStrided);
  kernel.erase();
}

void kern::loop::lowerToGpu(ModuleOp module, UfuncForms forms) {
  for (KernelOp kernel : llvm::make_early_inc_range(module.getOps<KernelOp>()))
    lowerKernel(kernel, forms);
}

namespace {

struct LoopToGpuPass : PassWrapper<LoopToGpuPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LoopToGpuPass)

  LoopToGpuPass() = default;
  LoopToGpuPass(const LoopToGpuPass &other) : PassWrapper(other) {}
  explicit LoopToGpuPass(UfuncForms wanted) {
    contiguous = wanted.contiguous;
    strided = wanted.strided;
  }

  StringRef getArgument() const override { return "loop-to-gpu"; }
  StringRef getDescription() const override {
    return "Turn distributed kernels into PTX entry points";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    LLVM::LLVMDialect, NVVM::NVVMDialect>();
  }
  void runOnOperation() override {
    lowerToGpu(getOperation(), {contiguous, strided});
  }

  Option<bool> contiguous{*this, "contiguous",
                          llvm::cl::desc("Make the contiguous form of ufuncs"),
                          llvm::cl::init(true)};
  Option<bool> strided{*this, "strided",
                       llvm::cl::desc("Make the strided form of ufuncs"),
                       llvm::cl::init(true)};
};

} // namespace

std::unique_ptr<Pass> kern::loop::createLoopToGpuPass(UfuncForms forms) {
  return std::make_unique<LoopToGpuPass>(forms);
}

void kern::loop::registerLoopToGpuPass() { PassRegistration<LoopToGpuPass>(); }
