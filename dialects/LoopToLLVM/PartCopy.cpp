//===- PartCopy.cpp - copies of a scan's parts ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/PartCopy.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;

SmallVector<Value> kern::ir::loop::copyPart(ImplicitLocOpBuilder &b,
                                            Region &part, ValueRange arguments,
                                            TypeRange given, Block *after) {
  IRMapping map;
  map.map(part.getArguments(), arguments);
  if (part.hasOneBlock()) {
    for (Operation &inner : part.front().without_terminator())
      b.clone(inner, map);
    return llvm::map_to_vector(
        part.front().getTerminator()->getOperands(),
        [&](Value value) { return map.lookupOrDefault(value); });
  }
  auto newBlock = [&](Block *before) {
    auto *block = new Block;
    before->getParent()->getBlocks().insert(before->getIterator(), block);
    return block;
  };
  Block *from = b.getInsertionBlock(), *end = newBlock(after);
  for (Type type : given)
    end->addArgument(type, b.getLoc());
  SmallVector<Block *> copies;
  for (Block &block : part) {
    Block *copy = newBlock(end);
    if (&block != &part.front())
      for (BlockArgument argument : block.getArguments())
        map.map(argument,
                copy->addArgument(argument.getType(), argument.getLoc()));
    map.map(&block, copy);
    copies.push_back(copy);
  }
  b.setInsertionPointToEnd(from);
  cf::BranchOp::create(b, copies.front());
  // Definitions may follow uses in the list of blocks.
  SmallVector<std::pair<Operation *, Operation *>> cloned;
  for (auto [block, copy] : llvm::zip(part, copies)) {
    b.setInsertionPointToEnd(copy);
    for (Operation &inner : block) {
      Operation *made = inner.cloneWithoutRegions(map);
      for (auto [here, there] :
           llvm::zip(inner.getRegions(), made->getRegions()))
        here.cloneInto(&there, map);
      b.insert(made);
      cloned.push_back({&inner, made});
    }
  }
  for (auto [inner, made] : cloned) {
    made->walk([&](Operation *each) {
      for (OpOperand &operand : each->getOpOperands())
        operand.set(map.lookupOrDefault(operand.get()));
    });
    if (auto give = dyn_cast<GiveOp>(made)) {
      b.setInsertionPoint(give);
      cf::BranchOp::create(b, end, give.getValues());
      give.erase();
    }
  }
  b.setInsertionPointToEnd(end);
  return SmallVector<Value>(end->getArguments());
}
