//===- LaneSlots.cpp - what waits for later nodes -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LaneControl.h"

using namespace mlir;
using namespace kern::ir::loop;

/// What stands for nothing: no lane, or any value.
static Value nothing(KernelBuilder &b, Slot slot, Type type) {
  auto kind = Waiting(std::get<0>(slot));
  if (kind == Waiting::Mask || kind == Waiting::Reached)
    return arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(type)));
  return LLVM::PoisonOp::create(b, type);
}

Value LaneControl::take(Slot slot) {
  Value value = find(slot);
  state.erase(slot);
  return value;
}

Value LaneControl::current(Slot slot, Type type) {
  Value value = find(slot);
  return value ? value : nothing(b, slot, type);
}

Mask LaneControl::lanesOf(Way way) {
  return way.condition ? code.where(way.mask, way.condition) : way.mask;
}

void LaneControl::blend(Slot slot, Way way, Value value, bool isTogether) {
  Value old = find(slot);
  Value choice = isTogether ? way.condition : old ? lanesOf(way) : Value();
  if (old && choice)
    value = arith::SelectOp::create(b, choice, value, old);
  put(slot, value);
}

std::pair<LaneControl::Values, LaneControl::Values>
LaneControl::meet(Block *after, Block *first, const State &atFirst,
                  Block *second, const State &atSecond) {
  Values fromFirst, fromSecond;
  State met;
  // What the first has and the second has not is used up.
  for (const auto &[slot, value] : atSecond) {
    Value other = atFirst.lookup(slot);
    if (value == other) {
      met[slot] = value;
      continue;
    }
    b.at(first);
    fromFirst.push_back(other ? other : nothing(b, slot, value.getType()));
    fromSecond.push_back(value);
    met[slot] = after->addArgument(value.getType(), b.getLoc());
  }
  state = std::move(met);
  return {fromFirst, fromSecond};
}

void LaneControl::guarded(Value condition, llvm::function_ref<void()> emit) {
  Block *before = b.getInsertionBlock(), *inside = b.block();
  State saved = state;
  b.at(inside);
  emit();
  Block *end = b.getInsertionBlock(), *after = b.block();
  State then = state;
  auto [around, through] = meet(after, before, saved, end, then);
  b.at(before);
  b.branch(condition, inside, after, {}, around);
  b.at(end);
  b.branch(after, through);
  b.at(after);
}
