//===- Inference.cpp - type inference -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Inference.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern {

/// Types that still go back and forth when a loop has been gone through so
/// often grow from then on: what was brought stays. It bounds the work, also
/// of loops in loops.
static constexpr unsigned maxTurns = 64;

void InferredTypes::Fact::join(const Fact &other) {
  if (other.set.empty())
    return;
  flag = set.empty() || flag == other.flag ? other.flag : Flag::Varies;
  set.add(other.set);
}

InferredTypes::InferredTypes(FuncOp func, const Specialization &request)
    : func(func), request(request) {
  run();
}

void InferredTypes::run() {
  bindOperands();
  for (unsigned turn = 1;; ++turn) {
    for (auto [array, fact] : llvm::zip(openResults, stored))
      facts[array] = fact;
    visitRegion(func.getBody());
    Facts next = storedToResults();
    if (turn > maxTurns)
      for (auto [fact, before] : llvm::zip(next, stored))
        fact.join(before);
    if (next == stored)
      return;
    stored = std::move(next);
  }
}

/// Parameters, and array results: their declared type, or none yet.
void InferredTypes::bindOperands() {
  Block &entry = func.getBody().front();
  size_t number = 0;
  for (ValueType type : request.parameters)
    give(entry.getArgument(number++), type);
  for (OperandAttr result : func.resultInfos()) {
    if (result.getCore().empty())
      continue;
    BlockArgument array = entry.getArgument(number++);
    if (std::optional<DType> type = resolve(result.getType()))
      give(array, {ValueType::Typed, *type});
    else
      openResults.push_back(array);
  }
  stored.resize(openResults.size());
}

InferredTypes::Facts InferredTypes::storedToResults() const {
  Facts list;
  for (BlockArgument array : openResults) {
    Fact &all = list.emplace_back();
    for (Operation *user : array.getUsers())
      if (isa<StoreOp, AccumulateOp>(user) && user->getOperand(1) == array &&
          isLive(user->getBlock()))
        if (std::optional<ValueType> value = type(user->getOperand(0)))
          all.set.add(*value);
  }
  return list;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void InferredTypes::visitRegion(Region &region) {
  auto [order, isNew] = orders.try_emplace(&region);
  if (isNew)
    order->second = flowOrder(region);
  // Not a reference into the map, which regions further inside grow.
  std::vector<FlowStep> steps = std::move(order->second);
  for (FlowStep step : steps)
    live.erase(step.block);
  visitSteps(steps, 0, steps.size());
  orders[&region] = std::move(steps);
}

void InferredTypes::visitSteps(ArrayRef<FlowStep> steps, size_t begin,
                               size_t end) {
  for (size_t at = begin; at < end;) {
    if (steps[at].loopEnd) {
      settleLoop(steps, at);
      at = steps[at].loopEnd;
      continue;
    }
    Block *block = steps[at++].block;
    if (block->isEntryBlock()) {
      if (!isa<FuncOp>(block->getParentOp())) // indices
        for (BlockArgument index : block->getArguments())
          give(index, {ValueType::Index});
      visitBlock(block, {});
    } else if (std::optional<Facts> arguments = arriving(block)) {
      visitBlock(block, *arguments);
    } else {
      live.erase(block);
    }
  }
}

void InferredTypes::settleLoop(ArrayRef<FlowStep> steps, size_t at) {
  Block *head = steps[at].block;
  const size_t end = steps[at].loopEnd;
  for (size_t inside = at; inside < end; ++inside)
    live.erase(steps[inside].block);
  // As yet from before the loop alone.
  std::optional<Facts> before = arriving(head);
  if (!before)
    return;
  for (auto [argument, fact] : llvm::zip(head->getArguments(), *before))
    if (!fact.set.empty())
      entering[argument] = fact.set.type();
  auto withKept = [&](Facts arguments) {
    if (auto found = kept.find(head); found != kept.end())
      for (auto [argument, fact] : llvm::zip(arguments, found->second))
        argument.join(fact);
    return arguments;
  };
  for (Facts arguments = withKept(*before);;) {
    visitBlock(head, arguments);
    visitSteps(steps, at + 1, end);
    Facts next = *arriving(head);
    if (++turns[head] > maxTurns) {
      next = withKept(std::move(next));
      kept[head] = next;
    }
    if (next == arguments)
      return;
    arguments = std::move(next);
  }
}

void InferredTypes::visitBlock(Block *block, const Facts &arguments) {
  live.insert(block);
  for (auto [argument, fact] : llvm::zip(block->getArguments(), arguments))
    facts[argument] = fact;
  for (Operation &op : *block)
    visit(op);
}

bool InferredTypes::isTaken(BlockOperand &edge) const {
  Operation *branch = edge.getOwner();
  if (!live.contains(branch->getBlock()))
    return false;
  auto conditional = dyn_cast<cf::CondBranchOp>(branch);
  if (!conditional)
    return true;
  Fact condition = fact(conditional.getCondition());
  if (condition.set.empty())
    return false;
  return condition.flag == Flag::Varies ||
         (condition.flag == Flag::True) == (edge.getOperandNumber() == 0);
}

std::optional<InferredTypes::Facts>
InferredTypes::arriving(Block *block) const {
  Facts list(block->getNumArguments());
  bool isReached = false;
  for (BlockOperand &edge : block->getUses()) {
    if (!isTaken(edge))
      continue;
    isReached = true;
    if (list.empty())
      continue;
    SuccessorOperands operands =
        cast<BranchOpInterface>(edge.getOwner())
            .getSuccessorOperands(edge.getOperandNumber());
    for (auto [number, argument] : llvm::enumerate(list)) {
      Value operand = operands[number];
      Fact fact = this->fact(operand);
      // Where paths meet, the type of a value arrives; but of one that was
      // itself made by paths that meet, its set: the joins of an `elif` chain
      // are one.
      if (!fact.set.empty() && !isa<BlockArgument>(operand)) {
        TypeSet whole;
        whole.add(fact.set.type());
        fact.set = whole;
      }
      argument.join(fact);
    }
  }
  if (!isReached)
    return std::nullopt;
  return list;
}

//===----------------------------------------------------------------------===//
// What was found
//===----------------------------------------------------------------------===//

std::optional<ValueType> InferredTypes::type(Value value) const {
  Fact found = fact(value);
  if (found.set.empty() || !isLive(value.getParentBlock()))
    return std::nullopt;
  return found.set.type();
}

std::optional<bool> InferredTypes::known(Value condition) const {
  Fact found = fact(condition);
  if (found.set.empty() || found.flag == Flag::Varies)
    return std::nullopt;
  return found.flag == Flag::True;
}

bool InferredTypes::isLive(Block *block) const {
  return isLiveInside(block, func);
}

bool InferredTypes::isLiveInside(Block *block, Operation *outer) const {
  while (live.contains(block)) {
    Operation *around = block->getParentOp();
    if (around == outer)
      return true;
    block = around->getBlock();
  }
  return false;
}

} // namespace kern
