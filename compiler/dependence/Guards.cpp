//===- Guards.cpp - conditions under which code runs ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/IndexForms.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

namespace {
class Collector {
public:
  Collector(ParallelOp parallel, IndexForms &forms, DominanceInfo &dominance)
      : parallel(parallel), forms(forms), dominance(dominance) {}

  /// Collects the facts that hold in a block.
  void run(Block *block);

  Facts facts;

private:
  void climb(Block *block);
  void hold(Value condition, bool isTrue, unsigned depth = 0);
  void compare(ApplyOp comparison, bool isTrue);
  void holdJoined(BlockArgument joined, bool isTrue, unsigned depth);
  /// Records a condition without facts. One from outside the prange does not
  /// matter: it is the same in all iterations.
  void miss(Value condition) {
    facts.areAll &=
        !parallel->isAncestor(condition.getParentRegion()->getParentOp());
  }

  ParallelOp parallel;
  IndexForms &forms;
  DominanceInfo &dominance;
  llvm::SmallPtrSet<Block *, 16> seen;
  llvm::DenseSet<std::pair<Value, unsigned>> held; ///< and whether it is true
  SmallVector<Block *> pending;
};
} // namespace

/// `a < b` or `a <= b` as `b - a - 1 >= 0` or `b - a >= 0`.
void Collector::compare(ApplyOp comparison, bool isTrue) {
  Value left = comparison.getOperand(0), right = comparison.getOperand(1);
  // Of an array that a condition chooses, or of any two integers.
  auto isArrayNumber = [](Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->hasAttr(arrayNumberAttribute);
  };
  if (!isArrayNumber(right) &&
      (!forms.isInteger(left) || !forms.isInteger(right)))
    return miss(comparison.getResult(0));
  using enum ScalarFunction;
  const ScalarFunction function = comparison.getFunction();
  std::optional<IndexForm> difference =
      sum(forms.of(right), forms.of(left), -1);
  std::optional<IndexForm> opposite = sum(forms.of(left), forms.of(right), -1);
  if (!difference || !opposite)
    return miss(comparison.getResult(0));
  if (function == equal || function == not_equal) {
    ((function == equal) == isTrue ? facts.zero : facts.nonZero)
        .push_back(*difference);
    return;
  }
  bool isGreater = function == greater || function == greater_equal;
  bool isStrict = function == less || function == greater;
  // If it is not less, it is greater or equal.
  std::optional<IndexForm> form = isGreater == isTrue ? opposite : difference;
  if (isStrict == isTrue)
    form = sum(*form, IndexForm{-1, {}});
  if (form)
    facts.nonNegative.push_back(*form);
}

/// Whether a value is known not to be `isTrue` in a block.
static bool isExcluded(Block *block, Value value, bool isTrue) {
  if (auto constant = value.getDefiningOp<ConstantOp>()) {
    auto flag = dyn_cast<BoolAttr>(constant.getValue());
    return flag && flag.getValue() != isTrue;
  }
  Block *before = block->getSinglePredecessor();
  auto branch = before ? dyn_cast<cf::CondBranchOp>(before->getTerminator())
                       : cf::CondBranchOp();
  auto truth =
      branch ? branch.getCondition().getDefiningOp<TruthOp>() : TruthOp();
  return truth && truth.getValue() == value &&
         (isTrue ? branch.getTrueDest() : branch.getFalseDest()) != block;
}

/// A value that depends on the path: `a and b` is false if `a` was.
void Collector::holdJoined(BlockArgument joined, bool isTrue, unsigned depth) {
  Block *source = nullptr;
  Value value;
  for (Block *block : joined.getOwner()->getPredecessors()) {
    auto branch = dyn_cast<cf::BranchOp>(block->getTerminator());
    if (!branch)
      return miss(joined);
    Value brought = branch.getDestOperands()[joined.getArgNumber()];
    if (isExcluded(block, brought, isTrue))
      continue;
    if (source)
      return miss(joined);
    source = block;
    value = brought;
  }
  if (!source)
    return;
  hold(value, isTrue, depth + 1);
  pending.push_back(source);
}

void Collector::hold(Value condition, bool isTrue, unsigned depth) {
  constexpr unsigned deepest = 50;
  if (depth > deepest)
    return miss(condition);
  if (!held.insert({condition, isTrue}).second)
    return;
  if (auto argument = dyn_cast<BlockArgument>(condition)) {
    if (argument.getOwner()->isEntryBlock())
      return miss(condition);
    return holdJoined(argument, isTrue, depth);
  }
  Operation *op = condition.getDefiningOp();
  if (auto truth = dyn_cast<TruthOp>(op)) {
    if (!forms.isInteger(truth.getValue()))
      return hold(truth.getValue(), isTrue, depth + 1);
    (isTrue ? facts.nonZero : facts.zero).push_back(forms.of(truth.getValue()));
    return;
  }
  // A condition that was converted to a number.
  if (auto cast = dyn_cast<CastOp>(op);
      cast && cast.getValue().getType().isInteger(1))
    return hold(cast.getValue(), isTrue, depth + 1);
  auto apply = dyn_cast<ApplyOp>(op);
  if (!apply)
    return miss(condition);
  using enum ScalarFunction;
  const ScalarFunction function = apply.getFunction();
  if (function == logical_not)
    return hold(apply.getOperand(0), !isTrue, depth + 1);
  if (function == (isTrue ? logical_and : logical_or)) {
    hold(apply.getOperand(0), isTrue, depth + 1);
    return hold(apply.getOperand(1), isTrue, depth + 1);
  }
  if (infoOf(function).rule == LoopRule::Compare)
    return compare(apply, isTrue);
  miss(condition);
}

/// Walk from the block to its dominators.
void Collector::climb(Block *block) {
  while (block && seen.insert(block).second) {
    if (Block *before = block->getSinglePredecessor())
      if (auto branch = dyn_cast<cf::CondBranchOp>(before->getTerminator());
          branch && branch.getTrueDest() != branch.getFalseDest())
        hold(branch.getCondition(), branch.getTrueDest() == block);
    if (block->isEntryBlock()) {
      block = block->getParentOp()->getBlock();
      if (block && isa<FuncOp>(block->getParentOp()) && block->isEntryBlock())
        return;
      continue;
    }
    DominanceInfoNode *node = dominance.getNode(block);
    block = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  }
}

void Collector::run(Block *block) {
  pending.push_back(block);
  while (!pending.empty())
    climb(pending.pop_back_val());
}

Facts factsAt(Block *block, ParallelOp parallel, IndexForms &forms,
              DominanceInfo &dominance) {
  Collector collector(parallel, forms, dominance);
  collector.run(block);
  return std::move(collector.facts);
}

} // namespace kern::compiler
