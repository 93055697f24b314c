//===- StagedGroup.cpp - elements through shared memory -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/StagedGroup.h"

#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Threads.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

static constexpr unsigned warp = 32;

SmallVector<Type> StagedGroup::extraArguments(KernelBuilder &b) {
  return {b.getI64Type()};
}

void StagedGroup::begin(ValueRange extraArguments) {
  laneArgument = extraArguments[0];
}

Value StagedGroup::sharedMemory(KernelBuilder &b) {
  return dynamicSharedMemory(b);
}

BlockPlace StagedGroup::placeInBlock(KernelBuilder &b) {
  return {b.widen(readRegister(b, Register::ThreadX)),
          b.widen(readRegister(b, Register::BlockSizeX))};
}

void StagedGroup::waitForStage(KernelBuilder &b) {
  if (hasAsyncCopies())
    waitForCopies(b);
  waitForWarp(b, b.i32(-1));
}

/// How many elements a thread moves at once: the largest divisor of a tile's
/// size that is at most 16.
static unsigned stepsOf(unsigned size) {
  unsigned steps = std::min(size, 16u);
  while (steps > 1 && size % steps != 0)
    --steps;
  return std::max(steps, 1u);
}

namespace {

/// One move's code.
class Mover {
public:
  Mover(KernelBuilder &b, const Move &move, Value isInside, bool isAsync)
      : b(b), move(move), isInside(isInside), isAsync(isAsync) {}
  void emit();

private:
  struct Place {
    Value global, shared, exists;
  };
  Place placeOf(Value turn);
  Value offsetOf(Value column);

  KernelBuilder &b;
  const Move &move;
  Value isInside; ///< this lane's
  bool isAsync;
  Value lane, first, low, high, count, row;
};

} // namespace

/// Where element `column` of a box is, from its beginning.
Value Mover::offsetOf(Value column) {
  SmallVector<unsigned> wide;
  for (auto [d, extent] : llvm::enumerate(move.extents))
    if (!matchPattern(extent, m_One()))
      wide.push_back(unsigned(d));
  Value bytes = b.i64(0);
  for (size_t k = wide.size(); k-- > 0;) {
    Value index = column;
    if (k > 0) {
      Value extent = b.narrow(move.extents[wide[k]]);
      index = b.rem(column, extent);
      column = b.div(column, extent);
    }
    bytes = b.add(bytes, b.mul(b.widen(index), move.strides[wide[k]]));
  }
  return bytes;
}

/// In turn t, lane l moves element 32 t + l of the warp's boxes.
Mover::Place Mover::placeOf(Value turn) {
  Value owner = turn, column = lane;
  if (move.size != warp) {
    Value number = b.add(b.mul(turn, b.i32(warp)), lane);
    owner = b.div(number, row);
    column = b.rem(number, row);
  }
  Value word = b.bitOr(
      b.widen(ofLane(b, low, owner)),
      arith::ShLIOp::create(b, b.widen(ofLane(b, high, owner)), b.i64(32)));
  Place place;
  // For elements that a short box lacks, its last one is read and not used.
  place.exists = b.compare(Predicate::ult, column, count);
  Value last = b.sub(count, b.i32(1));
  Value inBox = move.isFetch ? b.least(column, last) : column;
  if (!move.isFetch)
    place.exists =
        b.bitAnd(place.exists, b.compare(Predicate::ne, word, b.i64(0)));
  Value pointer = LLVM::IntToPtrOp::create(b, b.pointerType(), word);
  place.global = b.offset(pointer, offsetOf(inBox));
  Value tile = b.mul(b.widen(b.add(first, owner)), move.pitch);
  Value element =
      b.mul(b.add(move.at, b.widen(column)), b.i64(storedSize(move.element)));
  place.shared = b.offset(move.tiles, b.add(tile, element));
  return place;
}

void Mover::emit() {
  Block *before = move.op->getBlock(), *after = before->splitBlock(move.op);
  b.at(before);
  waitForWarp(b, b.i32(-1));
  lane = readRegister(b, Register::Lane);
  first = b.bitAnd(readRegister(b, Register::ThreadX), b.i32(-int(warp)));
  Value all = b.i64(1);
  for (Value extent : move.extents)
    all = b.mul(all, extent);
  count = b.narrow(all);
  row = move.size ? b.i32(int32_t(move.size)) : count;
  Value address = b.addressOf(move.pointer);
  if (!move.isFetch)
    address = arith::SelectOp::create(b, isInside, address, b.i64(0));
  low = b.narrow(address);
  high = b.narrow(arith::ShRUIOp::create(b, address, b.i64(32)));
  Block *some = b.block(), *done = b.block();
  b.branch(b.compare(Predicate::ne, count, b.i32(0)), some, done);
  b.at(some);
  unsigned steps = stepsOf(move.size);
  Value turns = move.size ? b.i32(int32_t(move.size / steps)) : row;
  countedLoop(b, turns, [&](Value turn) {
    SmallVector<Place> places;
    for (unsigned i = 0; i < steps; ++i)
      places.push_back(placeOf(
          b.add(b.mul(turn, b.i32(int32_t(steps))), b.i32(int32_t(i)))));
    SmallVector<Value> values;
    for (Place place : places) {
      if (isAsync)
        copyAsync(b, place.shared, place.global, storedSize(move.element));
      else
        values.push_back(
            b.load(move.element, move.isFetch ? place.global : place.shared));
    }
    for (auto [place, value] : llvm::zip(places, values)) {
      if (move.isFetch) {
        b.store(value, place.shared);
        continue;
      }
      Block *store = b.block(), *next = b.block();
      b.branch(place.exists, store, next);
      b.at(store);
      b.store(value, place.global);
      b.branch(next);
      b.at(next);
    }
  });
  b.branch(done);
  b.at(done);
  if (!move.isFetch)
    waitForWarp(b, b.i32(-1));
  b.branch(after);
  b.setInsertionPointToStart(after);
}

void StagedGroup::move(KernelBuilder &b, const Move &move) {
  // Copies are aligned to their size; complex numbers only to that of a part.
  unsigned bytes = storedSize(move.element);
  bool isAsync = move.isFetch && hasAsyncCopies() &&
                 !isa<ComplexType>(move.element) && (bytes == 4 || bytes == 8);
  Value isInside = b.compare(Predicate::eq, laneArgument, b.i64(0));
  Mover(b, move, isInside, isAsync).emit();
}
