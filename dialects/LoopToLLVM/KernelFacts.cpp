//===- KernelFacts.cpp - a kernel seen from its entry points --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/KernelFacts.h"

#include "dialects/LoopToLLVM/Extents.h"

#include "dialects/LoopToLLVM/Body.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace kern::ir::loop;
using namespace kern::ir;

static OperandFacts operand(Type type) {
  if (auto array = dyn_cast<ArrayType>(type))
    return {array.getElementType(), array.getRank()};
  return {type, 0};
}

static unsigned wordsLoaded(Block &block) {
  constexpr unsigned word = 4;
  unsigned words = 0;
  for (Operation &op : block)
    if (isa<LoadOp, LoadChunkOp>(op))
      for (Type type : op.getResultTypes())
        words += llvm::divideCeil(storedSize(type), word);
  return words;
}

static unsigned wordsStored(Block &block) {
  constexpr unsigned word = 4;
  unsigned words = 0;
  auto add = [&](Type type) {
    words += llvm::divideCeil(storedSize(type), word);
  };
  for (Operation &op : block)
    if (auto store = dyn_cast<StoreOp>(op))
      add(store.getValue().getType());
    else if (auto chunk = dyn_cast<StoreChunkOp>(op))
      llvm::for_each(chunk.getElements().getTypes(), add);
  return words;
}

KernelFacts::KernelFacts(KernelOp kernel)
    : symbol(kernel.getSymName()), dims(kernel.getNumDims()),
      // Not with checks: the path for scalars may discard its results.
      hasScalarWork(loop::hasScalarWork(kernel) && !kernel.getChecks()),
      isTiny(loop::isTiny(kernel)),
      isLong(loop::isLong(kernel) && !kernel.getChecks()),
      isMasked(kernel->hasAttr(maskedAttribute)),
      hasWarps(kernel->hasAttr(warpsAttribute)) {
  uint64_t ranges = 0;
  if (auto bits = kernel->getAttrOfType<IntegerAttr>(rangesAttribute))
    ranges = bits.getValue().getZExtValue();
  for (BlockArgument input : kernel.inputs()) {
    inputs.push_back(operand(input.getType()));
    inputs.back().isRange = ranges >> (inputs.size() - 1) & 1;
  }
  unsigned scalar = 0;
  for (ArrayType type : kernel.outputs()) {
    Type whole = type;
    if (!type)
      whole = cast<TypeAttr>(kernel.getResultTypes()[scalar++]).getValue();
    outputs.push_back(operand(whole));
  }
  kernel->walk([&](LocalOp local) {
    if (!local.getSlot())
      return;
    size_t slot = size_t(*local.getSlot());
    if (slots.size() <= slot) {
      slots.resize(slot + 1);
      entry.scratch.resize(slot + 1);
    }
    slots[slot] = local.getPerLane();
    Entry::Scratch &scratch = entry.scratch[slot];
    scratch.isPerLane = local.getPerLane();
    scratch.isPerSlice = local.getPerSlice();
    scratch.isCleared = local.getZeroed();
    scratch.bytes = kern::runtime::DimExpr::of(tokensOf(local.getBytes()));
  });
  kernel->walk([&](LoadChunkOp load) {
    entry.elements =
        std::max(entry.elements, unsigned(load.getElements().size()));
  });
  if (auto attribute = kernel->getAttrOfType<IntegerAttr>(blocksAttribute))
    blocks = unsigned(attribute.getInt());
  if (auto attribute = kernel->getAttrOfType<IntegerAttr>(arraysReadAttribute))
    arraysRead = unsigned(attribute.getInt());
  entry.kernel = symbol;
  flatCount = unsigned(kernel.numFlat());
  if (auto tile = kernel.getTile()) {
    constexpr int64_t noShared = 1;
    if ((*tile)[3] == noShared)
      for (Block &block : kernel.getBody()) {
        loadedWords = std::max(loadedWords, wordsLoaded(block));
        storedWords = std::max(storedWords, wordsStored(block));
        callsFunctions |= !block.getOps<func::CallOp>().empty();
      }
    tileResults = unsigned((*tile)[0] * (*tile)[1] * (*tile)[4] / (*tile)[2]);
    tilePlanes = unsigned((*tile)[4]);
  }
  kernel->walk([&](Operation *op) {
    usesMatrixUnits |= isa<MultiplyMatricesOp, StartProductOp>(op);
  });
  entry.mapping = {.flat = kernel.getFlatExtents().has_value() ||
                           kernel->hasAttr(flattenedAttribute),
                   .across = kernel.getAcross(),
                   .sliced = kernel.getLaunches().has_value(),
                   .resident = kernel.getResident().has_value(),
                   .chunks = unsigned(kernel.getResident().value_or(0)),
                   .ahead = kernel.getAhead(),
                   .recentred = kernel->hasAttr(recentredAttribute),
                   .privatised = kernel.getPrivatised(),
                   .staged = kernel.getStaged(),
                   .spread = kernel->hasAttr(spreadAttribute),
                   .unrolled = kernel->hasAttr(writtenOutAttribute),
                   .tile =
                       kernel.getTile() ? unsigned((*kernel.getTile())[1]) : 0};
  if (auto phase = kernel->getAttrOfType<IntegerAttr>(phaseAttribute))
    entry.mapping.phase = unsigned(phase.getInt());
  entry.launches = unsigned(kernel.getLaunches().value_or(1));
  entry.slicedLaunches = unsigned(kernel.getSlicedLaunches().value_or(0));
  entry.sharedExtents = extentsIn(kernel.getSharedExtents());
  entry.checks = checksOf(kernel.getChecks());
  entry.nonEmpty = extentsIn(kernel.getNonempty());
  entry.leastExtents = leastExtentsOf(kernel.getLeastExtents());
}
