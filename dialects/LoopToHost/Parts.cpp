//===- Parts.cpp - parts of a loop element for threads --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Flatten.h"
#include "dialects/LoopToHost/Across.h"
#include "dialects/LoopToHost/LoopToHost.h"
#include "dialects/LoopToHost/Product.h"
#include "dialects/LoopToLLVM/Distribute.h"
#include "dialects/LoopToLLVM/Ranges.h"
#include "dialects/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace kern::ir::loop;

SmallVector<Value> kern::ir::loop::addDims(KernelOp kernel,
                                           ArrayRef<StringRef> added) {
  Builder b(kernel.getContext());
  SmallVector<Attribute> names;
  if (auto known = kernel.getDimNames())
    llvm::append_range(names, *known);
  SmallVector<Value> dims;
  for (StringRef name : added) {
    names.push_back(b.getStringAttr(name));
    dims.push_back(kernel.entry().addArgument(b.getI64Type(), kernel.getLoc()));
  }
  kernel.setNumDims(kernel.getNumDims() + added.size());
  kernel.setDimNamesAttr(b.getArrayAttr(names));
  return dims;
}

Part kern::ir::loop::addPart(KernelOp kernel) {
  SmallVector<Value> dims = addDims(kernel, {"$part", "$parts"});
  kernel->setAttr(partsAttribute, UnitAttr::get(kernel.getContext()));
  return {dims[0], dims[1]};
}

/// The kernel's `prange`, if its iterations can be loop elements. Those that
/// accumulate would meet.
static ParallelOp divisibleLoop(KernelOp kernel) {
  if (kernel.isUfunc() || kernel.getChecks())
    return {};
  bool accumulates = false;
  kernel->walk([&](AccumulateOp) { accumulates = true; });
  OwningOpRef<KernelOp> copy = kernel.clone();
  if (accumulates || !flatten(*copy))
    return {};
  auto loops = kernel.entry().getOps<ParallelOp>();
  return *loops.begin();
}

/// Runs a part of the outermost range.
static void divide(KernelOp kernel, ParallelOp loop) {
  Part part = addPart(kernel);
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Value lower = loop.getLower().front(), upper = loop.getUpper().front(),
        step = loop.getStep().front();
  Value trips = tripCount(b, lower, upper, step);
  Value one = arith::ConstantOp::create(b, b.getI64IntegerAttr(1));
  auto bound = [&](Value number) -> Value {
    Value first = arith::DivUIOp::create(
        b, arith::MulIOp::create(b, trips, number), part.count);
    return arith::AddIOp::create(b, lower,
                                 arith::MulIOp::create(b, first, step));
  };
  Value next = arith::AddIOp::create(b, part.number, one);
  loop.getLowerMutable().slice(0, 1).assign(bound(part.number));
  loop.getUpperMutable().slice(0, 1).assign(bound(next));
}

void kern::ir::loop::mapToHost(ModuleOp module, bool isAcross) {
  for (KernelOp kernel : module.getOps<KernelOp>()) {
    if (takeProduct(kernel))
      continue;
    if (isAcross && canGoSideBySide(kernel))
      kernel->setAttr(sideBySideAttribute, UnitAttr::get(kernel.getContext()));
    else if (ParallelOp loop = divisibleLoop(kernel))
      divide(kernel, loop);
  }
}

namespace kern::ir {

#define GEN_PASS_DEF_LOOPMAPTOHOST
#include "dialects/Passes.h.inc"

namespace {
struct LoopMapToHostPass : impl::LoopMapToHostBase<LoopMapToHostPass> {
  using Base::Base;

  void runOnOperation() override { loop::mapToHost(getOperation(), across); }
};
} // namespace

} // namespace kern::ir
