//===- ChunkedLoads.cpp - loads of several iterations at once -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/ChunkedLoads.h"

#include "dialects/LoopToLLVM/KernelBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The most operations in the copies of the body for one chunk.
static constexpr unsigned maxOperations = 64;
/// An elementary function's weight among them.
static constexpr unsigned operationsOfCall = 8;

static bool standsStill(Value index, Operation *loop) {
  Operation *maker = index.getDefiningOp();
  return (maker && maker->hasTrait<OpTrait::ConstantLike>()) ||
         !loop->getRegion(0).isAncestor(index.getParentRegion());
}

std::optional<unsigned> kern::ir::loop::consecutiveDimension(ValueRange indices,
                                                             Operation *loop) {
  std::optional<unsigned> dimension;
  Value induction = loop->getRegion(0).getArgument(0);
  for (auto [d, index] : llvm::enumerate(indices)) {
    if (index == induction) {
      if (dimension)
        return std::nullopt; // a diagonal
      dimension = unsigned(d);
    } else if (!standsStill(index, loop)) {
      return std::nullopt;
    }
  }
  return dimension;
}

SmallVector<ChunkedLoads::Load>
kern::ir::loop::consecutiveLoads(Operation *loop) {
  SmallVector<ChunkedLoads::Load> loads;
  for (auto load : loop->getRegion(0).front().getOps<LoadOp>())
    if (auto dimension = consecutiveDimension(load.getIndices(), loop))
      loads.push_back({load, *dimension});
  return loads;
}

/// An index is invariant, or a constant inside of the loop.
static Value ahead(ImplicitLocOpBuilder &b, Value index) {
  Operation *maker = index.getDefiningOp();
  bool isConstant = maker && maker->hasTrait<OpTrait::ConstantLike>();
  return isConstant ? b.clone(*maker)->getResult(0) : index;
}

SmallVector<Value> kern::ir::loop::chunkIndices(ImplicitLocOpBuilder &b,
                                                ValueRange indices,
                                                unsigned dimension,
                                                Value first) {
  SmallVector<Value> list;
  for (auto [d, index] : llvm::enumerate(indices))
    list.push_back(d == dimension ? first : ahead(b, index));
  return list;
}

std::optional<ChunkedLoads> kern::ir::loop::chunkedLoads(ReduceOp op) {
  if (op->hasAttr(unchunkedAttribute) || !op.getBody().hasOneBlock() ||
      !matchPattern(op.getStep(), m_One()))
    return std::nullopt;
  ChunkedLoads chunks;
  chunks.loads = consecutiveLoads(op);
  unsigned widest = 1, operations = 0;
  for (Operation &inner : op.entry().without_terminator()) {
    bool isCall = isa<func::CallOp>(inner);
    operations += isCall ? operationsOfCall : 1;
    if (!isa<LoadOp>(inner) && !isCall && !isMemoryEffectFree(&inner))
      return std::nullopt;
  }
  for (ChunkedLoads::Load load : chunks.loads)
    widest = std::max(widest, storedSize(load.op.getType()));
  chunks.size = std::max(1u, chunkBytes / widest);
  if (chunks.loads.empty() || chunks.size == 1 ||
      operations * chunks.size > maxOperations)
    return std::nullopt;
  return chunks;
}
