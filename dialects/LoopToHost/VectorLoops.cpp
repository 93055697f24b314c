//===- VectorLoops.cpp - annotations for the vectoriser -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/VectorLoops.h"

#include "dialects/LoopToHost/Forms.h"
#include "dialects/LoopToLLVM/LoopLowering.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace kern::ir::loop;

static constexpr StringLiteral annotationName = "loop_annotation";

static LLVM::LoopUnrollAttr noUnrolling(Builder &b) {
  return LLVM::LoopUnrollAttr::get(b.getContext(), b.getBoolAttr(true), {}, {},
                                   {}, {}, {}, {});
}

void kern::ir::loop::leaveAlone(Operation *latch) {
  Builder b(latch->getContext());
  auto none = LLVM::LoopVectorizeAttr::get(b.getContext(), b.getBoolAttr(true),
                                           {}, {}, {}, {}, {}, {});
  latch->setAttr(annotationName,
                 LLVM::LoopAnnotationAttr::get(b.getContext(), {}, none, {},
                                               noUnrolling(b), {}, {}, {}, {},
                                               {}, {}, {}, {}, {}, {}, {}));
}

void kern::ir::loop::annotate(Operation *latch, const LoopHints &hints) {
  Builder b(latch->getContext());
  auto vectorize = LLVM::LoopVectorizeAttr::get(
      b.getContext(), b.getBoolAttr(false),
      hints.masksRest ? b.getBoolAttr(true) : BoolAttr(), {},
      b.getI32IntegerAttr(int32_t(hints.shape.lanes)), {}, {}, {});
  auto interleave = LLVM::LoopInterleaveAttr::get(
      b.getContext(), b.getI32IntegerAttr(int32_t(hints.shape.vectors)));
  SmallVector<LLVM::AccessGroupAttr, 1> groups;
  if (hints.independent)
    groups.push_back(hints.independent);
  latch->setAttr(annotationName,
                 LLVM::LoopAnnotationAttr::get(
                     b.getContext(), {}, vectorize, interleave, noUnrolling(b),
                     {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, groups));
}

void kern::ir::loop::addToGroup(Operation &access,
                                LLVM::AccessGroupAttr group) {
  auto groups = ArrayAttr::get(access.getContext(), group);
  if (auto load = dyn_cast<LLVM::LoadOp>(access))
    load.setAccessGroupsAttr(groups);
  else if (auto store = dyn_cast<LLVM::StoreOp>(access))
    store.setAccessGroupsAttr(groups);
}

SetVector<Block *> kern::ir::loop::blocksOfLoop(Block *header, Block *latch) {
  SetVector<Block *> blocks;
  blocks.insert(header);
  blocks.insert(latch);
  for (size_t i = 1; i < blocks.size(); ++i)
    if (blocks[i] != header)
      blocks.insert_range(blocks[i]->getPredecessors());
  return blocks;
}

/// Whether an address is in the function's own memory, which iterations may
/// share.
static bool isLocal(Value address) {
  while (auto element = address.getDefiningOp<LLVM::GEPOp>())
    address = element.getBase();
  return address.getDefiningOp<LLVM::AllocaOp>() != nullptr;
}

static Value addressOf(Operation &op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getAddr();
  auto store = dyn_cast<LLVM::StoreOp>(op);
  return store ? store.getAddr() : Value();
}

std::optional<VectorShape> kern::ir::loop::loopShape(Operation *latch,
                                                     bool isParallel) {
  SetVector<Block *> blocks =
      blocksOfLoop(latch->getSuccessor(0), latch->getBlock());
  VectorFacts facts = vectorFacts(blocks.getArrayRef());
  if (facts.hasLoops)
    return std::nullopt;
  VectorShape shape = vectorShape(facts);
  // Two interleaved sums hide latency. More would leave more lanes idle in
  // short loops. Independent iterations need no interleaving.
  shape.vectors = isParallel || facts.hasCalls ? 1 : 2;
  return shape;
}

static void vectoriseLoop(Operation *latch, bool isParallel) {
  std::optional<VectorShape> shape = loopShape(latch, isParallel);
  if (!shape)
    return;
  LoopHints hints;
  hints.masksRest = true;
  hints.shape = *shape;
  if (isParallel) {
    hints.independent = LLVM::AccessGroupAttr::get(latch->getContext());
    for (Block *block : blocksOfLoop(latch->getSuccessor(0), latch->getBlock()))
      for (Operation &op : *block)
        if (Value address = addressOf(op); address && !isLocal(address))
          addToGroup(op, hints.independent);
  }
  annotate(latch, hints);
}

void kern::ir::loop::vectoriseLoops(LLVM::LLVMFuncOp body) {
  SmallVector<std::pair<Operation *, bool>> latches;
  for (Block &block : body.getBody()) {
    Operation *latch = block.getTerminator();
    if (auto isParallel = latch->getAttrOfType<BoolAttr>(vectorLatch)) {
      latches.push_back({latch, isParallel.getValue()});
      latch->removeAttr(vectorLatch);
    }
  }
  for (auto [latch, isParallel] : latches)
    vectoriseLoop(latch, isParallel);
}
