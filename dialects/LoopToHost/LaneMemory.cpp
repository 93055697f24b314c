//===- LaneMemory.cpp - local arrays of all lanes -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LaneCode.h"

#include "mlir/IR/Dominance.h"
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

LaneCode::Place LaneCode::placeOf(Value address, unsigned bytes, Block *use) {
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
  auto pointers = VectorType::get({int64_t(lanes)}, b.pointerType());
  place.pointers =
      LLVM::GEPOp::create(b, pointers, b.getI8Type(), place.address,
                          ArrayRef<LLVM::GEPArg>{offsets});
  return place;
}

static unsigned alignmentOf(unsigned bytes, unsigned lanes) {
  return std::min(bytes * lanes, 64u);
}

void LaneCode::emitLoad(LLVM::LoadOp op, Mask mask) {
  unsigned bytes = op.getType().getIntOrFloatBitWidth() / 8;
  Place place = placeOf(op.getAddr(), bytes, op->getBlock());
  VectorType type = vectorOf(op.getType());
  if (place.pointers)
    set(op,
        LLVM::masked_gather::create(b, type, place.pointers,
                                    mask ? mask : all(), ValueRange(), bytes));
  else
    set(op, LLVM::LoadOp::create(b, type, place.address,
                                 alignmentOf(bytes, lanes)));
}

void LaneCode::emitStore(LLVM::StoreOp op, const Node *node, Mask mask) {
  Type element = op.getValue().getType();
  unsigned bytes = element.getIntOrFloatBitWidth() / 8;
  Place place = placeOf(op.getAddr(), bytes, op->getBlock());
  Value value = wide(op.getValue());
  if (place.pointers) {
    LLVM::masked_scatter::create(b, value, place.pointers, mask ? mask : all(),
                                 bytes);
    return;
  }
  unsigned alignment = alignmentOf(bytes, lanes);
  // Not a masked store, which would keep the array out of registers.
  if (mask && othersUse(localArrayOf(op.getAddr()), node)) {
    Value old =
        LLVM::LoadOp::create(b, value.getType(), place.address, alignment);
    value = arith::SelectOp::create(b, mask, value, old);
  }
  LLVM::StoreOp::create(b, value, place.address, alignment);
}
