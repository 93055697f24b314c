//===- ScanChunks.cpp - what lanes access in chunks of a scan -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/ScanLowering.h"

#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "runtime/artefact/Nest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

/// As many as fit into 32 registers of a lane, beside the elements that are
/// being fetched. Each has copies of the code.
static unsigned keptChunks(ScanOp op, const ScanChunks &chunks) {
  constexpr unsigned registers = 32, registerBytes = 4, maxOperations = 64;
  constexpr unsigned most = kern::runtime::maxResidentChunks;
  unsigned each = 0, operations = 0;
  for (Type type : op.getInitial().getTypes())
    each += std::max(1u, storedSize(type) / registerBytes);
  for (Block &block : op.getCombine())
    operations += unsigned(block.getOperations().size());
  unsigned loads = std::max(1u, unsigned(chunks.loads.size()));
  unsigned kept = std::min({most, registers / (each * chunks.size),
                            most / loads, maxOperations / operations});
  return llvm::bit_floor(std::max(kept, 1u));
}

static ScanChunks accessesOf(ScanOp op) {
  constexpr unsigned maxOperations = 64;
  ScanChunks chunks;
  auto sizeOf = [](Region &part) {
    constexpr unsigned operationsOfCall = 8;
    unsigned operations = 0;
    for (Operation &inner : part.front())
      operations += isa<func::CallOp>(inner) ? operationsOfCall : 1;
    return operations;
  };
  auto isPlain = [](Region &part) {
    return part.empty() ||
           (part.hasOneBlock() &&
            llvm::all_of(part.front(), [](Operation &inner) {
              return isa<LoadOp, StoreOp, func::CallOp>(inner) ||
                     isMemoryEffectFree(&inner);
            }));
  };
  if (!matchPattern(op.getStep(), m_One()) || !isPlain(op.getElements()) ||
      !isPlain(op.getCombine()) || !isPlain(op.getWrite()))
    return chunks;
  unsigned widest = 1,
           work = sizeOf(op.getElements()) + sizeOf(op.getCombine());
  chunks.isWide = true;
  for (auto load : op.getElements().front().getOps<LoadOp>()) {
    auto dimension = consecutiveDimension(load.getIndices(), op);
    if (dimension)
      chunks.loads.push_back({load, *dimension});
    widest = std::max(widest, storedSize(load.getType()));
  }
  if (!op.getWrite().empty())
    for (auto store : op.getWrite().front().getOps<StoreOp>()) {
      Value index = op.getWrite().getArgument(0);
      std::optional<unsigned> dimension;
      for (auto [d, at] : llvm::enumerate(store.getIndices())) {
        bool isElsewhere = !op.getWrite().isAncestor(at.getParentRegion());
        if (at == index && !dimension)
          dimension = unsigned(d);
        else if (!isElsewhere && !matchPattern(at, m_Constant()))
          dimension = std::nullopt;
      }
      chunks.isWide &= dimension.has_value();
      if (dimension)
        chunks.stores.push_back({store, *dimension});
      widest = std::max(widest, storedSize(store.getValue().getType()));
    }
  chunks.size = std::max(1u, chunkBytes / widest);
  while (chunks.size > 1 && chunks.size * work > maxOperations)
    chunks.size /= 2;
  return chunks;
}

ScanChunks kern::ir::loop::scanChunks(ScanOp op) {
  ScanChunks chunks = accessesOf(op);
  chunks.kept = keptChunks(op, chunks);
  return chunks;
}
