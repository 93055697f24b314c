//===- CountedLoop.cpp - loops that count to a number ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/CountedLoop.h"

#include "dialects/LoopToHost/VectorLoops.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

std::optional<CountedLoop> CountedLoop::of(Operation *latch) {
  auto back = dyn_cast<cf::BranchOp>(latch);
  if (!back)
    return std::nullopt;
  CountedLoop loop{back.getDest(), latch, {}, {}, {}, {}};
  auto branch = dyn_cast<cf::CondBranchOp>(loop.header->getTerminator());
  auto test = branch ? branch.getCondition().getDefiningOp<arith::CmpIOp>()
                     : arith::CmpIOp();
  if (!test || test->getBlock() != loop.header ||
      loop.header->getNumArguments() == 0 ||
      test.getPredicate() != Predicate::slt ||
      test.getLhs() != loop.header->getArgument(0) ||
      !branch.getTrueOperands().empty() || !branch.getFalseOperands().empty())
    return std::nullopt;
  loop.trips = test.getRhs();
  loop.body = branch.getTrueDest();
  loop.exit = branch.getFalseDest();
  llvm::SetVector<Block *> blocks =
      blocksOfLoop(loop.header, latch->getBlock());
  loop.blocks.insert(loop.header);
  for (Block &block : *loop.header->getParent())
    if (blocks.contains(&block))
      loop.blocks.insert(&block);

  for (Block *block : loop.blocks)
    for (auto [i, next] : llvm::enumerate(block->getSuccessors()))
      if (block == loop.header ? i == 0 && !loop.contains(next)
                               : !loop.contains(next))
        return std::nullopt;
  return loop;
}

bool CountedLoop::isInvariant(Value value) const {
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (isOutside(next))
      continue;
    Operation *op = next.getDefiningOp();
    if (!op || !isPure(op))
      return false;
    if (seen.insert(op).second)
      llvm::append_range(pending, op->getOperands());
  }
  return true;
}

static Value hoisted(KernelBuilder &b, const CountedLoop &loop, Value value,
                     IRMapping &copies) {
  if (loop.isOutside(value))
    return value;
  if (!copies.contains(value)) {
    IRMapping operands;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      operands.map(operand, hoisted(b, loop, operand, copies));
    copies.map(op->getResults(), b.clone(*op, operands)->getResults());
  }
  return copies.lookup(value);
}

Value CountedLoop::hoist(KernelBuilder &b, Value value) const {
  IRMapping copies;
  return hoisted(b, *this, value, copies);
}
