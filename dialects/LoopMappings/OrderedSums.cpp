//===- OrderedSums.cpp - loops in order that add up -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Flatten.h"

#include "dialects/LoopToLLVM/GroupSharing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {

/// A loop over a range: its head tests the index, its body is one block.
struct RangeLoop {
  Block *before = nullptr, *head = nullptr, *body = nullptr, *after = nullptr;
  BlockArgument index = {};
  Value lower = {}, upper = {}, step = {};
};

/// The sum or product that such a loop computes.
struct OrderedSum {
  ReduceKind kind;
  Operation *combine; ///< of the sum so far with a term
  Value term;
  /// What has the sum so far: an argument of the head, or an element that is
  /// stored before the loop and in each iteration.
  BlockArgument carried = {};
  StoreOp initial = {}, update = {};
  LoadOp element = {};
};

} // namespace

/// Whether a value is known where the loop begins.
static bool isOutside(Value value, const RangeLoop &loop) {
  Block *block = value.getParentBlock();
  return block != loop.head && block != loop.body;
}

static std::optional<RangeLoop> rangeLoopAt(Block *head) {
  RangeLoop loop;
  loop.head = head;
  auto test = dyn_cast<cf::CondBranchOp>(head->getTerminator());
  auto compare = test ? test.getCondition().getDefiningOp<arith::CmpIOp>()
                      : arith::CmpIOp();
  if (!compare || compare->getBlock() != head ||
      !llvm::hasNItems(head->getOperations(), 2) ||
      compare.getPredicate() != arith::CmpIPredicate::slt ||
      !test.getTrueDestOperands().empty() ||
      !test.getFalseDestOperands().empty())
    return std::nullopt;
  loop.body = test.getTrueDest();
  loop.after = test.getFalseDest();
  loop.index = dyn_cast<BlockArgument>(compare.getLhs());
  loop.upper = compare.getRhs();
  if (!loop.index || loop.index.getOwner() != head ||
      loop.body->getSinglePredecessor() != head ||
      loop.after->getSinglePredecessor() != head || loop.body == head ||
      !llvm::hasNItems(head->getPredecessors(), 2))
    return std::nullopt;
  for (Block *block : head->getPredecessors())
    if (block != loop.body)
      loop.before = block;
  auto enter = loop.before
                   ? dyn_cast<cf::BranchOp>(loop.before->getTerminator())
                   : cf::BranchOp();
  auto again = dyn_cast<cf::BranchOp>(loop.body->getTerminator());
  if (!enter || !again || again.getDest() != head)
    return std::nullopt;
  unsigned number = loop.index.getArgNumber();
  loop.lower = enter.getDestOperands()[number];
  auto next = again.getDestOperands()[number].getDefiningOp<arith::AddIOp>();
  if (!next || next.getLhs() != loop.index || !next->hasOneUse())
    return std::nullopt;
  APInt step;
  if (!matchPattern(next.getRhs(), m_ConstantInt(&step)) ||
      !step.isStrictlyPositive() || !isOutside(loop.upper, loop))
    return std::nullopt;
  loop.step = next.getRhs();
  return loop;
}

/// The kind of reduction that an operation makes a step of.
static std::optional<ReduceKind> kindOf(Operation *op) {
  if (isa_and_nonnull<arith::AddFOp, arith::AddIOp>(op))
    return ReduceKind::Sum;
  if (isa_and_nonnull<arith::MulFOp, arith::MulIOp>(op))
    return ReduceKind::Prod;
  return std::nullopt;
}

/// Whether a value is what a reduction begins with: 0 or 1. A sum that begins
/// with -0 may have another sign.
static bool isIdentity(Value value, ReduceKind kind) {
  return kind == ReduceKind::Sum ? matchPattern(value, m_Zero()) ||
                                       matchPattern(value, m_PosZeroFloat())
                                 : matchPattern(value, m_One()) ||
                                       matchPattern(value, m_OneFloat());
}

/// The step by which `so far` becomes `next`.
static std::optional<OrderedSum> sumOf(Value soFar, Value next, Value initial) {
  Operation *combine = next.getDefiningOp();
  std::optional<ReduceKind> kind = kindOf(combine);
  if (!kind || !isIdentity(initial, *kind))
    return std::nullopt;
  Value left = combine->getOperand(0), right = combine->getOperand(1);
  if ((left == soFar) == (right == soFar))
    return std::nullopt;
  return OrderedSum{
      .kind = *kind, .combine = combine, .term = left == soFar ? right : left};
}

static std::optional<OrderedSum> sumOfVariable(const RangeLoop &loop) {
  BlockArgument soFar = loop.head->getArgument(1 - loop.index.getArgNumber());
  unsigned number = soFar.getArgNumber();
  auto valueFrom = [&](Block *block) {
    return cast<cf::BranchOp>(block->getTerminator()).getDestOperands()[number];
  };
  std::optional<OrderedSum> sum =
      sumOf(soFar, valueFrom(loop.body), valueFrom(loop.before));
  if (!sum || sum->combine->getBlock() != loop.body ||
      !sum->combine->hasOneUse())
    return std::nullopt;
  for (Operation *user : soFar.getUsers())
    if (user != sum->combine && loop.body->findAncestorOpInBlock(*user))
      return std::nullopt;
  sum->carried = soFar;
  return sum;
}

/// The last store before the loop, if it gives the element a value that
/// nothing reads before the loop does.
static StoreOp storeBefore(const RangeLoop &loop, LoadOp element) {
  for (Operation &op : llvm::reverse(loop.before->without_terminator())) {
    if (auto store = dyn_cast<StoreOp>(op))
      return store.getArray() == element.getArray() &&
                     llvm::equal(store.getIndices(), element.getIndices())
                 ? store
                 : StoreOp();
    if (!isMemoryEffectFree(&op))
      return {};
  }
  return {};
}

static std::optional<OrderedSum> sumOfElement(const RangeLoop &loop) {
  StoreOp update;
  for (Operation &op : loop.body->without_terminator()) {
    if (auto store = dyn_cast<StoreOp>(op)) {
      if (update)
        return std::nullopt;
      update = store;
    }
  }
  if (!update || !llvm::all_of(update.getIndices(), [&](Value index) {
        return isOutside(index, loop);
      }))
    return std::nullopt;
  LoadOp element;
  for (LoadOp load : loop.body->getOps<LoadOp>()) {
    if (load.getArray() != update.getArray())
      continue;
    if (element || !llvm::equal(load.getIndices(), update.getIndices()))
      return std::nullopt;
    element = load;
  }
  StoreOp initial = element ? storeBefore(loop, element) : StoreOp();
  if (!initial || !element->hasOneUse())
    return std::nullopt;
  std::optional<OrderedSum> sum =
      sumOf(element.getResult(), update.getValue(), initial.getValue());
  if (!sum || sum->combine->getBlock() != loop.body ||
      !sum->combine->hasOneUse())
    return std::nullopt;
  sum->initial = initial;
  sum->update = update;
  sum->element = element;
  return sum;
}

/// The sum that a loop computes, if it does nothing else.
static std::optional<OrderedSum> sumOf(const RangeLoop &loop) {
  std::optional<OrderedSum> sum;
  if (loop.head->getNumArguments() == 2)
    sum = sumOfVariable(loop);
  else if (loop.head->getNumArguments() == 1)
    sum = sumOfElement(loop);
  if (!sum)
    return std::nullopt;
  for (Operation &op : loop.body->without_terminator())
    if (&op != sum->update && !isa<LoadOp, func::CallOp>(op) &&
        !isMemoryEffectFree(&op))
      return std::nullopt;
  for (Operation *user : loop.index.getUsers())
    if (user->getBlock() != loop.body && user->getBlock() != loop.head &&
        !loop.body->findAncestorOpInBlock(*user))
      return std::nullopt;
  return sum;
}

/// Puts the reduction where the loop was.
static void replaceLoop(RangeLoop loop, OrderedSum sum) {
  Operation *enter = loop.before->getTerminator(),
            *again = loop.body->getTerminator();
  OpBuilder b(enter);
  Value step = b.clone(*loop.step.getDefiningOp())->getResult(0);
  auto reduce =
      ReduceOp::create(b, sum.combine->getLoc(), sum.kind, sum.term.getType(),
                       loop.lower, loop.upper, step);
  reduce.setInOrder(true);
  Value result = reduce.getResult();
  if (sum.carried) {
    sum.carried.replaceUsesWithIf(
        result, [&](OpOperand &use) { return use.getOwner() != sum.combine; });
  } else {
    StoreOp::create(b, sum.update.getLoc(), result, sum.initial.getArray(),
                    sum.initial.getIndices());
    sum.initial.erase();
  }
  b.setInsertionPoint(again);
  YieldOp::create(b, again->getLoc(), sum.term);
  Operation *advance =
      again->getOperand(loop.index.getArgNumber()).getDefiningOp();
  again->erase();
  advance->erase();
  if (sum.update)
    sum.update.erase();
  sum.combine->erase();
  if (sum.element)
    sum.element.erase();
  Block &entry = reduce.entry();
  loop.index.replaceUsesWithIf(reduce.inductionVar(), [&](OpOperand &use) {
    return use.getOwner()->getBlock() != loop.head;
  });
  entry.getOperations().splice(entry.end(), loop.body->getOperations());
  enter->erase();
  loop.head->getTerminator()->erase();
  loop.before->getOperations().splice(loop.before->end(),
                                      loop.after->getOperations());
  loop.head->dropAllReferences();
  for (Block *block : {loop.body, loop.head, loop.after})
    block->erase();
}

/// Replaces one loop of a region. Returns whether there was one.
static bool replaceOne(Region &region) {
  for (Block &block : region)
    if (std::optional<RangeLoop> loop = rangeLoopAt(&block))
      if (std::optional<OrderedSum> sum = sumOf(*loop)) {
        replaceLoop(*loop, *sum);
        return true;
      }
  return false;
}

void kern::ir::loop::loopsToReductions(KernelOp kernel) {
  kernel.getBody().walk([](ParallelOp loop) {
    while (replaceOne(loop.getBody()))
      ;
  });
}
