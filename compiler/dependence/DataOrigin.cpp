//===- DataOrigin.cpp - values that depend on data ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/IndexForms.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

namespace {
/// A search backwards from a value.
class Search {
public:
  explicit Search(DominanceInfo &dominance) : dominance(dominance) {}

  bool findsLoad(Value from);

private:
  void add(Value value) {
    if (!isa<ArrayType>(value.getType()) && seen.insert(value).second)
      rest.push_back(value);
  }
  void addArgument(BlockArgument argument);

  DominanceInfo &dominance;
  SmallPtrSet<Value, 16> seen;
  SmallVector<Value> rest;
};
} // namespace

/// Follows the values that arrive, and the conditions of the branches between
/// their paths.
void Search::addArgument(BlockArgument argument) {
  Block *block = argument.getOwner();
  if (block->isEntryBlock()) {
    // The index of a loop follows from its bounds.
    Operation *loop = block->getParentOp();
    if (!isa<FuncOp>(loop))
      for (Value bound : loop->getOperands())
        add(bound);
    return;
  }
  DominanceInfoNode *node = dominance.getNode(block);
  Block *parting =
      node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  SmallPtrSet<Block *, 8> visited;
  SmallVector<Block *> blocks(block->getPredecessors());
  while (!blocks.empty()) {
    Block *at = blocks.pop_back_val();
    if (!visited.insert(at).second)
      continue;
    if (auto branch = dyn_cast<cf::CondBranchOp>(at->getTerminator()))
      add(branch.getCondition());
    if (auto branch = dyn_cast<cf::BranchOp>(at->getTerminator());
        branch && branch.getDest() == block)
      add(branch.getDestOperands()[argument.getArgNumber()]);
    if (at != parting)
      llvm::append_range(blocks, at->getPredecessors());
  }
}

bool Search::findsLoad(Value from) {
  add(from);
  while (!rest.empty()) {
    Value value = rest.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      addArgument(argument);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (isa<LoadOp>(op))
      return true;
    for (Value operand : op->getOperands())
      add(operand);
    if (!isa<ReduceOp, ScanOp>(op))
      continue;
    bool hasLoad = op->walk([&](Operation *inner) {
                       for (Value operand : inner->getOperands())
                         add(operand);
                       return isa<LoadOp>(inner) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
                     }).wasInterrupted();
    if (hasLoad)
      return true;
  }
  return false;
}

bool followsFromData(Value value, DominanceInfo &dominance) {
  return Search(dominance).findsLoad(value);
}

} // namespace kern::compiler
