//===- LoopToGPU.cpp - kernels for the GPU --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/LoopToGPU.h"

#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Group.h"
#include "dialects/LoopToLLVM/SingleLane.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace kern::loop;

static void lowerKernel(KernelOp kernel, UfuncForms forms,
                        unsigned computeCapability) {
  KernelFacts facts(kernel);
  facts.entry.waits = waitsItself(computeCapability);
  bool isUfunc = kernel.isUfunc();
  GpuGroup group;
  SingleLane single;
  LLVM::LLVMFuncOp body =
      moveBody(kernel, globalMemory, isUfunc ? (GroupLowering &)single : group);
  Emitter b(kernel.getLoc(), kernel.getContext(), globalMemory);
  Bodies bodies{body, {}};
  if (forms.contiguous && facts.hasScalarWork)
    bodies.scalars = makeScalarBody(b, body);
  auto emit = [&](auto form) {
    b.setInsertionPoint(kernel);
    form(b, facts, body);
  };
  if (!isUfunc)
    emit(emitGeneral);
  auto emitUfunc = [&](bool wanted, auto form) {
    for (bool disjoint : {false, true})
      if (isUfunc && wanted && (disjoint ? forms.disjoint : forms.inPlace))
        emit([&](auto &...arguments) { form(arguments..., disjoint); });
  };
  emitUfunc(forms.contiguous, [&](Emitter &b, const KernelFacts &facts,
                                  LLVM::LLVMFuncOp, bool disjoint) {
    emitContiguous(b, facts, bodies, disjoint, computeCapability);
  });
  emitUfunc(forms.inner, emitInner);
  emitUfunc(forms.tiled, emitTiled);
  emitUfunc(forms.strided, emitStrided);
  kernel.erase();
}

void kern::loop::lowerToGpu(ModuleOp module, UfuncForms forms,
                            unsigned computeCapability) {
  for (KernelOp kernel : llvm::make_early_inc_range(module.getOps<KernelOp>()))
    lowerKernel(kernel, forms, computeCapability);
}

namespace {

struct LoopToGpuPass : PassWrapper<LoopToGpuPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LoopToGpuPass)

  LoopToGpuPass() = default;
  LoopToGpuPass(const LoopToGpuPass &other) : PassWrapper(other) {}
  explicit LoopToGpuPass(UfuncForms wanted) {
    contiguous = wanted.contiguous;
    inner = wanted.inner;
    tiled = wanted.tiled;
    strided = wanted.strided;
    inPlace = wanted.inPlace;
    disjoint = wanted.disjoint;
  }

  StringRef getArgument() const override { return "loop-to-gpu"; }
  StringRef getDescription() const override {
    return "Turn distributed kernels into PTX entry points";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    LLVM::LLVMDialect>();
  }
  void runOnOperation() override {
    UfuncForms forms;
    forms.contiguous = contiguous;
    forms.inner = inner;
    forms.tiled = tiled;
    forms.strided = strided;
    forms.inPlace = inPlace;
    forms.disjoint = disjoint;
    lowerToGpu(getOperation(), forms, computeCapability);
  }

  Option<unsigned> computeCapability{
      *this, "sm", llvm::cl::desc("The GPUs that it is for: 75 for sm_75"),
      llvm::cl::init(75)};
  Option<bool> contiguous{*this, "contiguous",
                          llvm::cl::desc("Make the contiguous form of ufuncs"),
                          llvm::cl::init(true)};
  Option<bool> inner{*this, "inner",
                     llvm::cl::desc("Make the inner form of ufuncs"),
                     llvm::cl::init(false)};
  Option<bool> tiled{*this, "tiled",
                     llvm::cl::desc("Make the tiled form of ufuncs"),
                     llvm::cl::init(false)};
  Option<bool> strided{*this, "strided",
                       llvm::cl::desc("Make the strided form of ufuncs"),
                       llvm::cl::init(true)};
  Option<bool> inPlace{
      *this, "in-place",
      llvm::cl::desc("Make kernels for operands that may be one array"),
      llvm::cl::init(true)};
  Option<bool> disjoint{
      *this, "disjoint",
      llvm::cl::desc("Make kernels for outputs apart from all inputs"),
      llvm::cl::init(false)};
};

} // namespace

std::unique_ptr<Pass> kern::loop::createLoopToGpuPass(UfuncForms forms) {
  return std::make_unique<LoopToGpuPass>(forms);
}

void kern::loop::registerLoopToGpuPass() { PassRegistration<LoopToGpuPass>(); }
