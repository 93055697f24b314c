//===- Twins.cpp - arrays that a program has as one -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Twins.h"

#include "compiler/lowering/Calls.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/LoopArrays.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

MovingElements::MovingElements(FunctionLowering &fn, Value target)
    : fn(fn), target(target), outer(fn.builder.getListener()) {
  fn.builder.setListener(this);
}

MovingElements::~MovingElements() { fn.builder.setListener(outer); }

void MovingElements::notifyOperationInserted(Operation *op,
                                             OpBuilder::InsertPoint before) {
  const Value array = accessedArray(op);
  if (array && (!target || (array == target && isa<StoreOp>(op))))
    fn.twins.moving.insert(op);
  if (outer)
    outer->notifyOperationInserted(op, before);
}

void noteMoves(FunctionLowering &fn, std::vector<ArrayMove> moves,
               ArrayMoves::Kind kind, Span span) {
  Block *block = fn.builder.getInsertionBlock();
  Operation *after = block->empty() ? nullptr : &block->back();
  while (after && isa<LocalOp, TableOp>(after)) // these may be moved
    after = after->getPrevNode();
  llvm::DenseSet<Value> named;
  for (const ArrayMove &move : moves)
    for (Value array : move.from)
      if (isa<BlockArgument>(array) || namesReaching(fn, array) > 0)
        named.insert(array);
  fn.twins.moves.push_back(
      {block, after, kind, span, std::move(moves), std::move(named)});
}

/// Whether a binding reaches elements of an array.
static bool reaches(const Binding &binding, const ArrayView &array) {
  if (const auto *view = binding.as<ArrayView>())
    return mayShareArray(*view, array);
  const auto *tuple = binding.as<Tuple>();
  return tuple && llvm::any_of(tuple->elements(), [&](const Binding &element) {
           return reaches(element, array);
         });
}

std::string otherNameOf(const FunctionLowering &fn, const std::string &name,
                        const ArrayView &view) {
  for (const Frame *frame = fn.frame; frame; frame = frame->caller())
    for (const auto &[other, binding] : frame->env)
      if (other != name && reaches(binding, view))
        return other;
  return view.name;
}

/// Whether an expression is the call of a function that Python would give whole
/// arrays.
static bool callsDef(FunctionLowering &fn, const syntax::Expr &expr) {
  const auto *call = expr.as<syntax::Call>();
  if (!call)
    return false;
  if (const FunctionName *bound = functionBound(fn.env(), *call->function))
    return llvm::any_of(bound->functions(), [](const FunctionName &each) {
      return each.function &&
             each.function->function->kind == syntax::ItemKind::Def;
    });
  std::optional<Callee> callee = calleeNamed(fn, *call->function);
  return callee && callee->function &&
         callee->function->function->kind == syntax::ItemKind::Def;
}

std::vector<Value> arraysGiven(FunctionLowering &fn, const syntax::Expr &expr,
                               const Number &element) {
  std::vector<Value> arrays;
  if (!element.value || !callsDef(fn, expr))
    return arrays;
  // A value, and the loops of which it is from an iteration. A loop that surely
  // runs gives no value from before it to what follows.
  using Copied = std::pair<Value, std::set<Block *>>;
  std::set<std::pair<void *, std::set<Block *>>> seen;
  std::vector<Copied> values{{element.value, {}}};
  auto follow = [&](Value value, const std::set<Block *> &within) {
    if (seen.insert({value.getAsOpaquePointer(), within}).second)
      values.push_back({value, within});
  };
  while (!values.empty()) {
    auto [value, within] = std::move(values.back());
    values.pop_back();
    if (auto load = value.getDefiningOp<LoadOp>()) {
      if (!llvm::is_contained(arrays, load.getArray()))
        arrays.push_back(load.getArray());
      continue;
    }
    if (auto carried = value.getDefiningOp<AccumulatorOp>())
      follow(carried.getValue(), within);
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      continue;
    Block *block = argument.getOwner();
    auto loop = fn.twins.running.find(block);
    const bool isAfter = loop != fn.twins.running.end() && !within.count(block);
    if (loop != fn.twins.running.end())
      within.insert(block);
    for (BlockOperand &edge : block->getUses()) {
      auto branch = dyn_cast<BranchOpInterface>(edge.getOwner());
      if (branch && !(isAfter && branch->getBlock() == loop->second.first))
        follow(branch.getSuccessorOperands(
                   edge.getOperandNumber())[argument.getArgNumber()],
               within);
    }
  }
  return arrays;
}

} // namespace kern::compiler
