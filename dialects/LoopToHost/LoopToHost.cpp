//===- LoopToHost.cpp - kernels for the CPU -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LoopToHost.h"

#include "dialects/LoopToHost/Across.h"
#include "dialects/LoopToHost/Forms.h"
#include "dialects/LoopToHost/GufuncLanes.h"
#include "dialects/LoopToHost/IterationLanes.h"
#include "dialects/LoopToHost/Product.h"
#include "dialects/LoopToHost/VectorBody.h"
#include "dialects/LoopToLLVM/Distribute.h"
#include "dialects/LoopToLLVM/SingleLane.h"
#include "dialects/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace kern::ir::loop;

/// Local arrays share no memory with each other or with operands.
static void separateLocals(LLVM::LLVMFuncOp body, const KernelFacts &facts) {
  unsigned end = body.getNumArguments() - (facts.hasChecks() ? 1 : 0);
  for (unsigned slot = 0; slot < facts.slots.size(); ++slot)
    body.setArgAttr(end - 1 - slot, LLVM::LLVMDialect::getNoAliasAttrName(),
                    UnitAttr::get(body.getContext()));
}

static void emitProductKernel(KernelBuilder &b, KernelOp kernel,
                              KernelFacts &facts, const ProductFacts &product,
                              HostOptions options) {
  facts.operations = 2; // a multiplication and an addition
  ProductRest rest;
  if (kernel->hasAttr(restAttribute)) {
    facts.operations += operationsOf(kernel);
    SingleLane lane;
    rest.body = moveBody(kernel, hostMemory, lane);
    separateLocals(rest.body, facts);
    clampConversions(rest.body);
    rest.unit = vectoriseCore(b, facts, rest.body, options);
  }
  emitProduct(b, facts, product, rest);
}

void kern::ir::loop::lowerToHost(ModuleOp module, HostOptions options) {
  for (KernelOp kernel :
       llvm::make_early_inc_range(module.getOps<KernelOp>())) {
    KernelBuilder b(kernel.getLoc(), kernel.getContext(), hostMemory);
    b.setInsertionPoint(kernel);
    std::optional<ProductFacts> product = productOf(kernel);
    if (product)
      addPackedColumns(kernel, *product);
    KernelFacts facts(kernel);
    facts.entry.inParts = kernel->hasAttr(partsAttribute);
    if (product) {
      emitProductKernel(b, kernel, facts, *product, options);
      kernel.erase();
      continue;
    }
    facts.operations = operationsOf(kernel);
    bool isUfunc = kernel.isUfunc();
    bool isAcross = kernel->hasAttr(sideBySideAttribute);
    std::optional<CoreShapes> shapes = constantShapes(kernel);
    SingleLane lane;
    LLVM::LLVMFuncOp body = moveBody(kernel, hostMemory, lane);
    separateLocals(body, facts);
    clampConversions(body);
    if (isUfunc)
      emitUfunc(b, facts, body, options);
    else if (isAcross)
      emitAcross(b, facts, body, options);
    else
      emitGufunc(b, facts, body, shapes, options);
    kernel.erase();
  }
}

/// The same of a distributed gufunc in a module of its own.
static VectorUse gufuncUse(KernelOp kernel) {
  KernelBuilder b(kernel.getLoc(), kernel.getContext(), hostMemory);
  b.setInsertionPoint(kernel);
  KernelFacts facts(kernel);
  std::optional<CoreShapes> shapes = constantShapes(kernel);
  SingleLane lane;
  LLVM::LLVMFuncOp body = moveBody(kernel, hostMemory, lane);
  VectorUse use;
  if (shapes)
    if (GufuncLanes vectors(b, facts, body, *shapes, /*lanes=*/0);
        vectors.isPossible()) {
      use.lanes = vectors.count();
      return use;
    }
  runIterationsInLanes(b, facts, body, /*lanes=*/0, &use.loops);
  return use;
}

VectorUse kern::ir::loop::vectorUse(KernelOp kernel) {

  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  Operation *made = kernel->clone();
  module->push_back(made);
  auto copy = cast<KernelOp>(made);
  if (takeProduct(copy))
    return {};
  distribute(copy, /*sequential=*/true);
  if (KernelFacts(copy).hasChecks())
    return {1, "has checks"};
  if (!copy.isUfunc())
    return gufuncUse(copy);
  SingleLane lane;

  LLVM::LLVMFuncOp body = moveBody(copy, hostMemory, lane);
  VectorFacts facts = vectorFacts(body);
  if (body.getBody().hasOneBlock())
    return {vectorShape(facts).lanes, ""};
  VectorBody vectors(body);
  if (vectors.obstacle().empty())
    return {laneShape(vectors.facts()).lanes, ""};
  // LLVM makes vectors of what has no loops.
  return {vectorShape(facts).lanes, facts.hasLoops ? vectors.obstacle() : ""};
}

namespace kern::ir {

#define GEN_PASS_DEF_LOOPTOHOST
#include "dialects/Passes.h.inc"

namespace {
struct LoopToHostPass : impl::LoopToHostBase<LoopToHostPass> {
  using Base::Base;

  void runOnOperation() override {
    loop::lowerToHost(getOperation(), {streamed, lanes});
  }
};
} // namespace

} // namespace kern::ir
