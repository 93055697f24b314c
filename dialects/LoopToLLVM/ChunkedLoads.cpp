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

std::optional<unsigned> kern::ir::loop::dimensionAlong(LoadOp load,
                                                       Operation *loop,
                                                       Value along) {
  std::optional<unsigned> dimension;
  for (auto [d, index] : llvm::enumerate(load.getIndices())) {
    if (index == along) {
      if (dimension)
        return std::nullopt; // a diagonal
      dimension = unsigned(d);
    } else if (!standsStill(index, loop)) {
      return std::nullopt;
    }
  }
  return dimension;
}

std::optional<ChunkedLoads> kern::ir::loop::chunkedLoads(ReduceOp op) {
  if (!op.getBody().hasOneBlock() || !matchPattern(op.getStep(), m_One()))
    return std::nullopt;
  ChunkedLoads chunks;
  unsigned widest = 1, operations = 0;
  for (Operation &inner : op.entry().without_terminator()) {
    bool isCall = isa<func::CallOp>(inner);
    operations += isCall ? operationsOfCall : 1;
    auto load = dyn_cast<LoadOp>(inner);
    if (!load && !isCall && !isMemoryEffectFree(&inner))
      return std::nullopt;
    if (!load)
      continue;
    if (std::optional<unsigned> dimension = dimensionAlong(load, op, op.inductionVar())) {
      chunks.loads.push_back({load, *dimension});
      widest = std::max(widest, storedSize(load.getType()));
    }
  }
  chunks.size = std::max(1u, chunkBytes / widest);
  if (chunks.loads.empty() || chunks.size == 1 ||
      operations * chunks.size > maxOperations)
    return std::nullopt;
  return chunks;
}
