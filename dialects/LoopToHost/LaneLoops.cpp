//===- LaneLoops.cpp - loops of all lanes ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LaneControl.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The values of a loop that are used outside.
ArrayRef<Value> LaneControl::liveOuts(const Level *level) {
  auto [known, isNew] = knownLiveOuts.try_emplace(level);
  if (!isNew)
    return known->second;
  Values found;
  auto see = [&](Value value) {
    if (llvm::any_of(value.getUsers(), [&](Operation *user) {
          return !level->contains(user->getBlock());
        }))
      found.push_back(value);
  };
  for (Block &block : body) {
    if (!level->contains(&block))
      continue;
    for (BlockArgument argument : block.getArguments())
      see(argument);
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::ConstantLike>() &&
          !isa<LLVM::GEPOp, LLVM::UndefOp>(op))
        for (Value result : op.getResults())
          see(result);
  }
  return knownLiveOuts[level] = std::move(found);
}

void LaneControl::findSlots(OpenLoop &loop) {
  auto add = [&](Slot slot, Type type) {
    if (llvm::none_of(loop.slots,
                      [&](const auto &known) { return known.first == slot; }))
      loop.slots.push_back({slot, type});
  };
  for (Edge edge : loop.level->exits) {
    std::optional<Slot> slot = slotOfReach(targetOf(edge));
    if (slot && !isReachedAfterLoop(edge)) {
      Type flag = b.getI1Type();
      bool isMask = std::get<0>(*slot) == unsigned(Waiting::Mask);
      add(*slot, isMask ? code.vectorOf(flag) : flag);
    }
    for (BlockArgument argument : edge.to()->getArguments())
      add({unsigned(Waiting::Argument), argument.getAsOpaquePointer(), nullptr},
          code.typeOf(argument, edge.to()));
    LiveOuts along = liveOutsAlong(edge);
    for (Value value : along.values)
      add({unsigned(Waiting::LiveOut), value.getAsOpaquePointer(), along.loop},
          code.typeOf(value, edge.to()));
  }
}

/// Ends a loop.
void LaneControl::leave(const OpenLoop &loop) {
  Values values;
  for (auto [slot, type] : loop.slots)
    values.push_back(current(slot, type));
  b.branch(loop.end, values);
}

/// Whether lanes may leave a loop elsewhere than at a branch of all its lanes,
/// which ends the loop with the last of them.
static bool needsTest(const Level *level, const Divergence &divergence) {
  return llvm::any_of(level->exits, [&](Edge edge) {
    const Node *node = level->nodeOf.lookup(edge.from);
    return node->loop || !divergence.isComplete(node);
  });
}

void LaneControl::emitLoop(const Node *node) {
  const Level *level = node->loop;
  bool isDivergent = divergence.isDivergent(level);
  Mask mask = maskOf(node);
  OpenLoop loop = {level, nullptr, {}, needsTest(level, divergence)};
  findSlots(loop);

  Values initial;
  SmallVector<Type> types;
  for (BlockArgument argument : level->header()->getArguments()) {
    Slot slot = {unsigned(Waiting::Argument), argument.getAsOpaquePointer(),
                 nullptr};
    types.push_back(code.typeOf(argument, level->header()));
    initial.push_back(current(slot, types.back()));
    state.erase(slot);
  }
  State before = state;
  if (isDivergent) {
    initial.push_back(mask ? mask : code.all());
    for (auto [slot, type] : loop.slots)
      initial.push_back(current(slot, type));
    for (Value value : ArrayRef(initial).drop_front(types.size()))
      types.push_back(value.getType());
  }
  Block *header = b.block(types);
  loop.end = b.block(llvm::map_to_vector(
      loop.slots, [](const auto &slot) { return slot.second; }));
  b.branch(header, initial);

  b.at(header);
  ArrayRef<BlockArgument> values = header->getArguments();
  for (BlockArgument argument : level->header()->getArguments()) {
    code.set(argument, values.front());
    values = values.drop_front();
  }
  if (isDivergent) {
    mask = values.front();
    for (auto [slot, value] : llvm::zip(loop.slots, values.drop_front()))
      put(slot.first, value);
  }
  masks[level->first()] = mask;
  open.push_back(loop);
  emitTree(level->first());
  open.pop_back();
  emitLatch(loop, header);

  b.at(loop.end);
  state = std::move(before);
  for (auto [slot, value] : llvm::zip(loop.slots, loop.end->getArguments()))
    put(slot.first, value);
  for (Value value : liveOuts(level)) {
    Slot slot = {unsigned(Waiting::LiveOut), value.getAsOpaquePointer(), level};
    if (Value here = take(slot))
      code.set(value, here);
  }
  if (!level->exits.empty() && isReachedAfterLoop(level->exits.front()))
    reach(targetOf(level->exits.front()), {maskOf(node), {}});
}

void LaneControl::emitLatch(const OpenLoop &loop, Block *header) {
  const Level *level = loop.level;
  Values next;
  for (BlockArgument argument : level->header()->getArguments())
    next.push_back(current(
        {unsigned(Waiting::Argument), argument.getAsOpaquePointer(), nullptr},
        code.typeOf(argument, level->header())));
  if (!divergence.isDivergent(level)) {
    b.branch(header, next);
    return;
  }
  Mask left = current({unsigned(Waiting::Mask), level->first(), nullptr},
                      code.vectorOf(b.getI1Type()));
  Values leaving;
  for (auto [slot, type] : loop.slots)
    leaving.push_back(current(slot, type));
  next.push_back(left);
  next.append(leaving);
  if (loop.isTested)
    b.branch(code.isAny(left), header, loop.end, next, leaving);
  else
    b.branch(header, next);
}
