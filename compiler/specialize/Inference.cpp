//===- Inference.cpp - type inference -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Inference.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// After this many iterations over a loop, or passes over a function, types may
/// only grow. That bounds the work, also for nested loops.
static constexpr unsigned maxIterations = 64;

void InferredTypes::Fact::join(const Fact &other) {
  if (other.set.empty())
    return;
  flag = set.empty() || flag == other.flag ? other.flag : Flag::Varies;
  arrays = set.empty()              ? other.arrays
           : arrays && other.arrays ? arrays | other.arrays
                                    : 0;
  set.add(other.set);
}

InferredTypes::InferredTypes(FuncOp func, const Specialization &request)
    : func(func), request(request) {
  run();
}

void InferredTypes::run() {
  bindOperands();
  for (unsigned pass = 1;; ++pass) {
    for (auto [array, fact] : llvm::zip(openResults, stored))
      facts[array] = fact;
    visitRegion(func.getBody());
    Facts next = storedToResults();
    if (pass > maxIterations)
      for (auto [fact, before] : llvm::zip(next, stored))
        fact.join(before);
    if (next == stored)
      return;
    stored = std::move(next);
  }
}

/// Parameters and array results have their declared type, or none yet.
void InferredTypes::bindOperands() {
  Block &entry = func.getBody().front();
  size_t number = 0;
  for (ValueType type : request.parameters)
    give(entry.getArgument(number++), type);
  for (OperandAttr result : func.resultInfos()) {
    if (result.getCore().empty())
      continue;
    BlockArgument array = entry.getArgument(number++);
    if (std::optional<runtime::DType> type = resolve(result.getType()))
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
          isReachable(user->getBlock()))
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
  // Moved out, because visiting nested regions may grow the map.
  std::vector<FlowStep> steps = std::move(order->second);
  for (FlowStep step : steps)
    reachable.erase(step.block);
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
      giveIndices(block);
      visitBlock(block, {});
    } else if (std::optional<Facts> arguments = arriving(block)) {
      visitBlock(block, *arguments);
    } else {
      reachable.erase(block);
    }
  }
}

/// Gives the indices of a loop their type. The elements of a scan have theirs.
void InferredTypes::giveIndices(Block *entry) {
  Operation *loop = entry->getParentOp();
  if (isa<FuncOp>(loop))
    return;
  auto scan = dyn_cast<ScanOp>(loop);
  if (scan && entry->getParent() == &scan.getCombine())
    return;
  auto indices = entry->getArguments();
  for (BlockArgument index : scan ? indices.take_front(1) : indices)
    give(index, {ValueType::Index});
}

void InferredTypes::settleLoop(ArrayRef<FlowStep> steps, size_t at) {
  Block *head = steps[at].block;
  const size_t end = steps[at].loopEnd;
  for (size_t inside = at; inside < end; ++inside)
    reachable.erase(steps[inside].block);
  // So far only from before the loop.
  std::optional<Facts> before = arriving(head);
  if (!before)
    return;
  for (auto [argument, fact] : llvm::zip(head->getArguments(), *before))
    if (!fact.set.empty())
      entryTypes[argument] = fact.set.type();
  auto withFixedTypes = [&](Facts arguments) {
    if (auto found = fixedTypes.find(head); found != fixedTypes.end())
      for (auto [argument, fact] : llvm::zip(arguments, found->second))
        argument.join(fact);
    return arguments;
  };
  bool hasChanged = elementsChanged;
  for (Facts arguments = withFixedTypes(*before);;) {
    elementsChanged = false;
    visitBlock(head, arguments);
    visitSteps(steps, at + 1, end);
    Facts next = *arriving(head);
    if (++iterations[head] > maxIterations) {
      next = withFixedTypes(std::move(next));
      fixedTypes[head] = next;
    }
    if (next == arguments && !elementsChanged)
      break;
    hasChanged |= elementsChanged;
    arguments = std::move(next);
  }
  elementsChanged = hasChanged;
}

void InferredTypes::visitBlock(Block *block, const Facts &arguments) {
  reachable.insert(block);
  for (auto [argument, fact] : llvm::zip(block->getArguments(), arguments))
    facts[argument] = fact;
  for (Operation &op : *block)
    visit(op);
}

bool InferredTypes::isTaken(BlockOperand &edge) const {
  Operation *branch = edge.getOwner();
  if (!reachable.contains(branch->getBlock()))
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
      // A block argument receives the type of each incoming value. An incoming
      // value that is itself a block argument passes on its set, so that the
      // joins of an `elif` chain act as one.
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
// Results
//===----------------------------------------------------------------------===//

std::optional<ValueType> InferredTypes::type(Value value) const {
  Fact found = fact(value);
  if (found.set.empty() || !isReachable(value.getParentBlock()))
    return std::nullopt;
  return found.set.type();
}

std::optional<bool> InferredTypes::known(Value condition) const {
  Fact found = fact(condition);
  if (found.set.empty() || found.flag == Flag::Varies)
    return std::nullopt;
  return found.flag == Flag::True;
}

bool InferredTypes::isReachable(Block *block) const {
  return isReachableInside(block, func);
}

bool InferredTypes::isReachableInside(Block *block, Operation *outer) const {
  while (reachable.contains(block)) {
    Operation *around = block->getParentOp();
    if (around == outer)
      return true;
    block = around->getBlock();
  }
  return false;
}

} // namespace kern::compiler
