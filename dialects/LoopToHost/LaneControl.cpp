//===- LaneControl.cpp - control flow of all lanes ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LaneControl.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

static Slot slotOf(Waiting kind, const void *of) {
  return {unsigned(kind), of, nullptr};
}

/// A test for lanes costs about as much as so many operations.
static constexpr unsigned operationsOfTest = 12;

/// Whether a node and those that it dominates are worth a test for lanes, or
/// need one: loops end only if a lane leaves them, and what no lane computes
/// may be no index of an array.
bool LaneControl::isCostly(const Node *node) const {
  if (node->loop || !node->dominated.empty())
    return true;
  unsigned operations = 0;
  for (Operation &op : *node->block) {
    if (isFunctionCall(op) ||
        isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::MemsetOp, arith::DivSIOp,
            arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::DivFOp>(op))
      return true;
    operations += !op.hasTrait<OpTrait::ConstantLike>();
  }
  return operations > operationsOfTest;
}

void LaneControl::emitTree(const Node *node) {
  Value condition;
  if (node == node->level->first()) {
    // Its loop, or the function, has its mask.
  } else if (divergence.leader(node) == node) {
    Mask mask = take(slotOf(Waiting::Mask, node));
    if (!mask)
      return;
    masks[node] = mask;
    bool hasLanes = node->level->isLoop() && !open.back().isTested &&
                    divergence.isComplete(node);
    if (!hasLanes && isCostly(node))
      condition = code.isAny(mask);
  } else if (!node->isAlways) {
    condition = take(slotOf(Waiting::Reached, node));
    if (!condition)
      return;
    if (matchPattern(condition, m_One()))
      condition = {};
  }
  auto all = [&] {
    if (node->loop)
      emitLoop(node);
    else
      emitBlock(node);
    for (const Node *inside : node->dominated)
      emitTree(inside);
  };
  if (condition)
    guarded(condition, all);
  else
    all();
}

void LaneControl::emitBlock(const Node *node) {
  Block *block = node->block;
  if (node != node->level->first())
    for (BlockArgument argument : block->getArguments()) {
      Slot slot = slotOf(Waiting::Argument, argument.getAsOpaquePointer());
      code.set(argument, current(slot, code.typeOf(argument, block)));
      state.erase(slot);
    }
  Mask mask = maskOf(node);
  for (Operation &op : block->without_terminator())
    code.emit(op, node, mask);
  if (isa<LLVM::ReturnOp>(block->getTerminator()))
    emitReturn(block, mask);
  else
    emitBranch(node);
}

/// The results of a return: none, one, or the fields of a structure.
static SmallVector<Value> resultsOf(LLVM::ReturnOp op) {
  if (op.getNumOperands() == 0)
    return {};
  Value value = op.getOperand(0);
  auto structure = dyn_cast<LLVM::LLVMStructType>(value.getType());
  if (!structure)
    return {value};
  SmallVector<Value> fields(structure.getBody().size());
  for (; auto insert = value.getDefiningOp<LLVM::InsertValueOp>();
       value = insert.getContainer())
    if (Value &field = fields[size_t(insert.getPosition()[0])]; !field)
      field = insert.getValue();
  return fields;
}

void LaneControl::emitReturn(Block *block, Mask mask) {
  auto op = cast<LLVM::ReturnOp>(block->getTerminator());
  for (auto [i, value] : llvm::enumerate(resultsOf(op))) {
    // A number in the place of an address.
    Slot slot = {unsigned(Waiting::Result), nullptr,
                 reinterpret_cast<const void *>(i)};
    blend(slot, {mask, {}}, code.wide(value), /*isTogether=*/false);
  }
}

SmallVector<Value> LaneControl::emit() {
  code.placeArrays(body);
  emitTree(graph.body().first());
  SmallVector<Value> results;
  for (Block &block : body)
    if (auto op = dyn_cast<LLVM::ReturnOp>(block.getTerminator())) {
      for (auto [i, value] : llvm::enumerate(resultsOf(op)))
        results.push_back(current({unsigned(Waiting::Result), nullptr,
                                   reinterpret_cast<const void *>(i)},
                                  code.vectorOf(value.getType())));
      break;
    }
  return results;
}
