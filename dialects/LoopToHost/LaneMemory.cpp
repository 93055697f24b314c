//===- LaneMemory.cpp - arrays of all lanes -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LaneCode.h"
#include "dialects/LoopToHost/LaneSteps.h"
#include "dialects/LoopToHost/RowsAhead.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The operations that use an array's memory.
static SmallVector<Operation *> accessesTo(LLVM::AllocaOp array) {
  SmallVector<Operation *> accesses;
  SmallVector<Value> addresses = {array};
  while (!addresses.empty())
    for (Operation *user : addresses.pop_back_val().getUsers()) {
      if (isa<LLVM::GEPOp>(user))
        addresses.push_back(user->getResult(0));
      else
        accesses.push_back(user);
    }
  return accesses;
}

static const Level *levelOfAll(ArrayRef<Operation *> accesses,
                               const LevelGraph &graph) {
  const Level *level = graph.levelOf(accesses.front()->getBlock());
  for (Operation *access : accesses)
    while (!level->contains(access->getBlock()))
      level = level->parent;
  return level;
}

std::string kern::ir::loop::whyNotInLanes(LLVM::AllocaOp array,
                                          const LevelGraph &graph) {
  SmallVector<Operation *> accesses = accessesTo(array);
  std::optional<unsigned> size;
  DominanceInfo dominance;
  for (Operation *access : accesses) {
    Type element;
    if (auto load = dyn_cast<LLVM::LoadOp>(access)) {
      element = load.getType();
    } else if (auto store = dyn_cast<LLVM::StoreOp>(access)) {
      element = store.getValue().getType();
    } else {
      // Lanes that have left the loop would lose their elements.
      bool isFirst = llvm::all_of(accesses, [&](Operation *other) {
        return other == access || dominance.properlyDominates(access, other);
      });
      if (!isFirst ||
          levelOfAll(accesses, graph) != graph.levelOf(access->getBlock()))
        return "uses an array outside the loop that makes it";
      continue;
    }
    if (!element.isIntOrFloat())
      return "computes with complex numbers";
    unsigned bytes = element.getIntOrFloatBitWidth() / 8;
    if (size.value_or(bytes) != bytes)
      return "has an array with elements of several types";
    size = bytes;
  }
  return "";
}

void LaneCode::placeArrays(Region &body) {
  for (auto array : body.front().getOps<LLVM::AllocaOp>()) {
    APInt bytes;
    matchPattern(array.getArraySize(), m_ConstantInt(&bytes));
    constexpr unsigned alignment = 64;
    set(array,
        LLVM::AllocaOp::create(b, array.getType(), b.getI8Type(),
                               b.i64(bytes.getSExtValue() * lanes), alignment));
    SmallVector<Operation *> accesses = accessesTo(array);
    if (llvm::any_of(accesses, llvm::IsaPred<LLVM::MemsetOp>))
      homes[array] = levelOfAll(accesses, graph);
  }
}

bool LaneCode::othersUse(Value array, const Node *node) const {
  const Level *home = homes.lookup(array);
  if (!home || !home->isLoop())
    return true;
  for (; node->level != home; node = node->level->node)
    if (!node->level->isLoop() || divergence.isDivergent(node->level) ||
        !divergence.isComplete(node))
      return true;
  return !divergence.isComplete(node);
}

void LaneCode::setCounter(Value value, Value start, Value gap, Mask present) {
  counter = value;
  firstCount = start;
  this->gap = gap;
  this->present = present;
  Value own = arith::AddIOp::create(b, splat(start), numbers());
  if (gap) {
    Value isSecond =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sge, numbers(),
                              splat(b.i64(int64_t(lanes / 2))));
    own = arith::SelectOp::create(
        b, isSecond, arith::AddIOp::create(b, own, splat(gap)), own);
  }
  set(value, own);
}

Value LaneCode::first(Value value, Block *use, IRMapping &firsts) {
  if (value == counter)
    return firstCount;
  if (!divergence.varies(value, use))
    return get(value);
  if (Value known = firsts.lookupOrNull(value))
    return known;
  IRMapping operands;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    operands.map(operand, first(operand, use, firsts));
  Value result = b.insert(op->clone(operands))->getResult(0);
  firsts.map(value, result);
  return result;
}

/// Of an array that all lanes share.
LaneCode::Place LaneCode::sharedPlaceOf(Value address, unsigned bytes,
                                        Block *use) {
  auto isUniform = [&](Value value) { return !divergence.varies(value, use); };
  std::optional<int64_t> step = addressStep(counter, address, isUniform);
  Place place;
  place.alignment = 1;
  Value offset = b.i64(0), varying;
  IRMapping firsts;
  for (; auto element = address.getDefiningOp<LLVM::GEPOp>();
       address = element.getBase())
    for (auto index : element.getIndices()) {
      if (auto constant = dyn_cast<IntegerAttr>(index)) {
        offset = b.add(offset, b.i64(constant.getInt()));
        continue;
      }
      Value value = cast<Value>(index);
      if (step || isUniform(value))
        offset = b.add(offset, first(value, use, firsts));
      else
        varying = varying ? arith::AddIOp::create(b, varying, wide(value))
                          : wide(value);
    }
  place.address = b.offset(values.lookup(address), offset);
  int64_t size = bytes;
  if (step == 0) {
    place.kind = Place::Same;
  } else if (step == -size) {
    place.kind = Place::Reversed;
    place.address =
        b.offset(place.address, b.i64(-size * (int64_t(lanes) - 1)));
  } else if (step != size) {
    place.kind = Place::Scattered;
    if (step) {
      SmallVector<int64_t> own;
      for (unsigned lane = 0; lane < lanes; ++lane)
        own.push_back(*step * lane);
      varying = arith::ConstantOp::create(
          b, DenseElementsAttr::get(vectorOf(b.getI64Type()), ArrayRef(own)));
    }
    place.pointers = LLVM::GEPOp::create(
        b, VectorType::get({int64_t(lanes)}, b.pointerType()), b.getI8Type(),
        place.address, ArrayRef<LLVM::GEPArg>{varying});
  } else if (gap) {
    place.second =
        b.offset(place.address,
                 b.mul(b.add(gap, b.i64(int64_t(lanes / 2))), b.i64(size)));
  }
  assert((!gap || place.kind == Place::Same || place.second) &&
         "halves are side by side");
  return place;
}

LaneCode::Place LaneCode::placeOf(Value address, unsigned bytes, Block *use) {
  if (isShared(address))
    return sharedPlaceOf(address, bytes, use);
  Value uniform = b.i64(0), varying;
  while (auto element = address.getDefiningOp<LLVM::GEPOp>()) {
    for (auto index : element.getIndices()) {
      if (auto constant = dyn_cast<IntegerAttr>(index)) {
        uniform = b.add(uniform, b.i64(constant.getInt()));
        continue;
      }
      Value offset = cast<Value>(index);
      if (!divergence.varies(offset, use))
        uniform = b.add(uniform, get(offset));
      else if (varying)
        varying = arith::AddIOp::create(b, varying, wide(offset));
      else
        varying = wide(offset);
    }
    address = element.getBase();
  }
  Place place;
  place.alignment = std::min(bytes * lanes, 64u);
  auto pointers = VectorType::get({int64_t(lanes)}, b.pointerType());
  if (Value own = laneOffsets.lookup(address)) {
    place.address = b.offset(values.lookup(address), uniform);
    Value offsets =
        varying ? arith::AddIOp::create(b, varying, own).getResult() : own;
    place.kind = Place::Scattered;
    place.pointers =
        LLVM::GEPOp::create(b, pointers, b.getI8Type(), place.address,
                            ArrayRef<LLVM::GEPArg>{offsets});
    return place;
  }
  place.address =
      b.offset(values.lookup(address), b.mul(uniform, b.i64(lanes)));
  if (!varying)
    return place;
  SmallVector<int64_t> ownOffsets;
  for (unsigned lane = 0; lane < lanes; ++lane)
    ownOffsets.push_back(int64_t(lane) * bytes);
  auto type = vectorOf(b.getI64Type());
  Value own = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef(ownOffsets)));
  Value offsets = arith::AddIOp::create(
      b, arith::MulIOp::create(b, varying, splat(b.i64(lanes))), own);
  place.kind = Place::Scattered;
  place.pointers =
      LLVM::GEPOp::create(b, pointers, b.getI8Type(), place.address,
                          ArrayRef<LLVM::GEPArg>{offsets});
  return place;
}

/// Of elements side by side.
Value LaneCode::loadVector(LLVM::LoadOp op, const Place &place, Mask mask) {
  VectorType type = vectorOf(op.getType());
  bool isReversed = place.kind == Place::Reversed;
  if (place.second)
    return loadHalves(op.getType(), place,
                      isShared(op.getAddr()) ? mask : Mask());
  if (present && isShared(op.getAddr()))
    return loadPresent(op.getType(), place, mask);
  Value value;
  // Lanes outside the mask may be outside the array.
  if (mask && isShared(op.getAddr())) {
    value = LLVM::MaskedLoadOp::create(b, type, place.address,
                                       isReversed ? reversed(mask) : mask,
                                       poison(type), place.alignment);
    // LLVM 22 would load again below a store, where a choice by the same mask
    // takes the value (llvm-project#215453).
    value = LLVM::FreezeOp::create(b, value);
  } else {
    value = LLVM::LoadOp::create(b, type, place.address, place.alignment);
  }
  return isReversed ? reversed(value) : value;
}

void LaneCode::emitLoad(LLVM::LoadOp op, Mask mask) {
  unsigned bytes = op.getType().getIntOrFloatBitWidth() / 8;
  Place place = placeOf(op.getAddr(), bytes, op->getBlock());
  VectorType type = vectorOf(op.getType());
  auto loadOne = [&] {
    return LLVM::LoadOp::create(b, op.getType(), place.address,
                                place.alignment);
  };
  Value value;
  switch (place.kind) {
  case Place::Scattered:
    value = LLVM::masked_gather::create(b, type, place.pointers,
                                        mask ? mask : all(), ValueRange(),
                                        std::min(bytes, place.alignment));
    break;
  case Place::Same:
    value = loadOne();
    if (divergence.varies(op.getResult(), op->getBlock()))
      value = splat(value);
    break;
  case Place::Vector:
  case Place::Reversed:
    Value isSame = sameArrays.lookup(operandOf(op.getAddr()));
    if (!isSame) {
      value = loadVector(op, place, mask);
      break;
    }
    Block *one = b.block(), *each = b.block(),
          *after = b.block(TypeRange{type});
    b.branch(isSame, one, each);
    b.at(one);
    b.branch(after, splat(loadOne()));
    b.at(each);
    b.branch(after, loadVector(op, place, mask));
    b.at(after);
    value = after->getArgument(0);
    break;
  }
  set(op, value);
}

/// Fetches the lines of all lanes' elements, if these lie side by side.
void LaneCode::emitFetch(LLVM::Prefetch op) {
  constexpr int64_t line = 64;
  int64_t size = op->getAttrOfType<IntegerAttr>(fetchedBytes).getInt();
  Place place = placeOf(op.getAddr(), unsigned(size), op->getBlock());
  if (place.kind != Place::Vector && place.kind != Place::Same)
    return;
  int64_t bytes = place.kind == Place::Vector ? size * int64_t(lanes) : size;
  if (place.second)
    bytes /= 2;
  for (Value address : {place.address, place.second})
    for (int64_t at = 0; address && at < bytes; at += line)
      LLVM::Prefetch::create(b, b.offset(address, b.i64(at)), op.getRw(),
                             op.getHint(), op.getCache());
}

Value LaneCode::reversed(Value vector) {
  SmallVector<int32_t> order;
  for (unsigned lane = lanes; lane-- > 0;)
    order.push_back(int32_t(lane));
  return LLVM::ShuffleVectorOp::create(b, vector, vector, order);
}

void LaneCode::emitStore(LLVM::StoreOp op, const Node *node, Mask mask) {
  Type element = op.getValue().getType();
  unsigned bytes = element.getIntOrFloatBitWidth() / 8;
  Place place = placeOf(op.getAddr(), bytes, op->getBlock());
  Value value = wide(op.getValue());
  if (place.kind == Place::Scattered) {
    LLVM::masked_scatter::create(b, value, place.pointers, mask ? mask : all(),
                                 std::min(bytes, place.alignment));
    return;
  }
  assert(place.kind != Place::Same && "lanes would meet");
  if (place.second) {
    storeHalves(value, place, mask);
    return;
  }
  if (present && isShared(op.getAddr()))
    mask = mask ? arith::AndIOp::create(b, mask, present).getResult() : present;
  if (place.kind == Place::Reversed) {
    value = reversed(value);
    mask = mask ? reversed(mask) : mask;
  }
  Value array = localArrayOf(op.getAddr());
  // An operand in vectors is like an array of the body's own.
  bool isOwn =
      !isShared(op.getAddr()) && !laneOffsets.contains(operandOf(op.getAddr()));
  if (mask && !isOwn) {
    LLVM::MaskedStoreOp::create(b, value, place.address, mask, place.alignment);
    return;
  }
  // Not a masked store, which would keep the array out of registers.
  if (mask && (!array || othersUse(array, node))) {
    Value old = LLVM::LoadOp::create(b, value.getType(), place.address,
                                     place.alignment);
    value = arith::SelectOp::create(b, mask, value, old);
  }
  LLVM::StoreOp::create(b, value, place.address, place.alignment);
}
