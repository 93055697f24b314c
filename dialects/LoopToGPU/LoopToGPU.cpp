//===- LoopToGPU.cpp - kernels for the GPU --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/LoopToGPU.h"

#include "dialects/LoopToGPU/Across.h"
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Group.h"
#include "dialects/LoopToGPU/StagedGroup.h"
#include "dialects/LoopToGPU/TileGroup.h"
#include "dialects/LoopToLLVM/Contractions.h"
#include "dialects/LoopToLLVM/SingleLane.h"
#include "dialects/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace kern::ir::loop;

static void lowerKernel(KernelOp kernel, KernelForms forms,
                        unsigned computeCapability) {
  KernelFacts facts(kernel);
  facts.entry.waits = waitsItself(computeCapability);
  bool isUfunc = kernel.isUfunc();
  GpuGroup group(kernel, forms.groups);
  AcrossGroup across;
  SingleLane single;
  StagedGroup staged(computeCapability, kernel->hasAttr(spreadAttribute));
  GroupLowering &lanes = isUfunc              ? (GroupLowering &)single
                         : kernel.getAcross() ? (GroupLowering &)across
                         : kernel.getStaged() ? (GroupLowering &)staged
                                              : group;
  std::optional<TileGroup> tile;
  if (kernel.getTile()) {
    tile.emplace(kernel, computeCapability);
    facts.entry.block = tileBlock(kernel);
  }
  LLVM::LLVMFuncOp body = moveBody(kernel, globalMemory, tile ? *tile : lanes);
  KernelBuilder b(kernel.getLoc(), kernel.getContext(), globalMemory);
  Bodies bodies{body, {}};
  if (forms.contiguous && facts.hasScalarWork)
    bodies.scalars = makeScalarBody(b, body);
  auto emit = [&](auto form) {
    b.setInsertionPoint(kernel);
    form(b, facts, body);
  };
  if (!isUfunc)
    emit(
        [&](auto &...arguments) { emitGeneral(arguments..., forms.loopDims); });
  auto emitUfunc = [&](bool wanted, auto form) {
    for (bool disjoint : {false, true})
      if (isUfunc && wanted && (disjoint ? forms.disjoint : forms.inPlace))
        emit([&](auto &...arguments) { form(arguments..., disjoint); });
  };
  emitUfunc(forms.contiguous, [&](KernelBuilder &b, const KernelFacts &facts,
                                  LLVM::LLVMFuncOp, bool disjoint) {
    emitContiguous(b, facts, bodies, disjoint, computeCapability);
  });
  emitUfunc(forms.inner, emitInner);
  emitUfunc(forms.tiled, emitTiled);
  emitUfunc(forms.strided, emitStrided);
  kernel.erase();
}

void kern::ir::loop::lowerToGpu(ModuleOp module, KernelForms forms,
                                unsigned computeCapability) {
  for (KernelOp kernel : llvm::make_early_inc_range(module.getOps<KernelOp>()))
    lowerKernel(kernel, forms, computeCapability);
  contractChosen(module, hasFmaOfBF16(computeCapability));
}

namespace kern::ir {

#define GEN_PASS_DEF_LOOPTOGPU
#include "dialects/Passes.h.inc"

namespace {
struct LoopToGpuPass : impl::LoopToGPUBase<LoopToGpuPass> {
  using Base::Base;

  void runOnOperation() override {
    loop::KernelForms forms;
    forms.contiguous = contiguous;
    forms.inner = inner;
    forms.tiled = tiled;
    forms.strided = strided;
    forms.inPlace = inPlace;
    forms.disjoint = disjoint;
    forms.loopDims = loopDims;
    forms.groups = oneLane   ? kern::runtime::Groups::One
                   : ofBlock ? kern::runtime::Groups::Block
                             : kern::runtime::Groups::Any;
    loop::lowerToGpu(getOperation(), forms, computeCapability);
  }
};
} // namespace

} // namespace kern::ir
