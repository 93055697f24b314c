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

BlockPlace StagedGroup::placeInBlock(KernelBuilder &b, bool ofElement) {
  Value thread = readRegister(b, Register::ThreadX),
        threads = readRegister(b, Register::BlockSizeX);
  if (ofElement) {
    thread = spreadPlace(b, thread);
    threads = spreadPlace(b, threads);
  }
  return {b.widen(thread), b.widen(threads)};
}

void StagedGroup::waitForStage(KernelBuilder &b, StageWaitOp op) {
  auto ahead = op->getAttrOfType<IntegerAttr>(aheadAttribute);
  if (hasAsyncCopies())
    waitForCopies(b, ahead ? std::optional(ahead.getInt()) : std::nullopt);
  waitForWarp(b, b.i32(-1));
}

static constexpr unsigned fewSteps = 8, manySteps = 16;

/// How many elements a thread moves at once: the largest divisor of a tile's
/// size that is at most `most`.
static unsigned stepsOf(unsigned size, unsigned most) {
  unsigned steps = std::min(size, most);
  while (steps > 1 && size % steps != 0)
    --steps;
  return std::max(steps, 1u);
}

static constexpr unsigned wide = 16; ///< the bytes of the widest access

namespace {

/// One move's code. One class, since every part of it uses the same values,
/// which are the members.
class Mover {
public:
  Mover(KernelBuilder &b, const Move &move, Value isInside, bool hasAsync,
        unsigned owners)
      : b(b), move(move), isInside(isInside), hasAsync(hasAsync),
        owners(owners) {}
  void emit();

private:
  struct Place {
    Value global, shared, exists;
  };
  Place placeAt(Value owner, Value column, Value word);
  Place placeOf(Value round);
  Value offsetOf(Value column);
  Value addressOfLane(Value owner);
  Value isWide();
  Value isAcross();
  Place widePlaceOf(Value round);
  void moveWide();
  void moveEach(bool isOwn);

  KernelBuilder &b;
  const Move &move;
  Value isInside; ///< this lane's
  bool hasAsync;
  unsigned owners; ///< the lanes of a warp that have a box
  Value lane;
  Value mine; ///< the number of this lane's box, or of that which it repeats
  Value first, address, low, high, count, row;
  Value origin; ///< the first lane's address, if boxes lie in memory as one
};

} // namespace

/// Where the box of a lane (i32) begins; 0 if nothing is written there.
Value Mover::addressOfLane(Value owner) {
  Value upper =
      arith::ShLIOp::create(b, b.widen(ofLane(b, high, owner)), b.i64(32));
  return b.bitOr(b.widen(ofLane(b, low, owner)), upper);
}

/// The offset of element `column` in a box.
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

/// Whether neighbouring lanes' boxes begin side by side, as along axis 0 of a C
/// array.
Value Mover::isAcross() {
  Value before = b.mul(b.widen(mine), b.i64(storedSize(move.element)));
  Value beside = b.add(addressOfLane(b.i32(0)), before);
  Value begin = arith::SelectOp::create(b, isInside, address, beside);
  return inAllLanes(b, b.compare(Predicate::eq, begin, beside));
}

/// Element `column` of the box of lane `owner`, which begins at `word`.
Mover::Place Mover::placeAt(Value owner, Value column, Value word) {
  Place place;
  // Beyond the end of a short box, its last element is read and not used.
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

/// In round t, lane l moves element 32 t + l of the warp's boxes.
Mover::Place Mover::placeOf(Value round) {
  Value owner = round, column = lane;
  if (move.size != warp) {
    Value number = b.add(b.mul(round, b.i32(warp)), lane);
    owner = b.div(number, row);
    column = b.rem(number, row);
  }
  return placeAt(owner, column, addressOfLane(owner));
}

/// Whether the lanes can use wide accesses: boxes are full, contiguous and
/// aligned, and unless they consist of whole accesses, they are adjacent both
/// in memory and in shared memory. Null if that is impossible.
Value Mover::isWide() {
  unsigned size = storedSize(move.element), bytes = move.size * size;
  APInt pitch;
  bool isOne = bytes % wide != 0;
  if (!move.size || !move.isChunked ||
      (isOne &&
       (!matchPattern(move.pitch, m_ConstantInt(&pitch)) || pitch != bytes)))
    return nullptr;
  if (isOne)
    origin = addressOfLane(b.i32(0));
  Value aligned = b.bitAnd(isOne ? origin : address, b.i64(wide - 1));
  Value can = b.compare(Predicate::eq, aligned, b.i64(0));
  if (isOne) {
    Value begin = b.add(origin, b.mul(b.widen(mine), b.i64(bytes)));
    can = b.bitAnd(can, b.compare(Predicate::eq, address, begin));
  }
  can =
      b.bitAnd(can, b.compare(Predicate::eq, count, b.i32(int32_t(move.size))));
  Value stride = b.i64(size);
  for (size_t d = move.extents.size(); d-- > 0;) {
    if (matchPattern(move.extents[d], m_One()))
      continue;
    can = b.bitAnd(can, b.compare(Predicate::eq, move.strides[d], stride));
    stride = b.mul(stride, move.extents[d]);
  }
  return inAllLanes(b, can);
}

/// In round t, lane l moves wide access 32 t + l of the warp's boxes.
Mover::Place Mover::widePlaceOf(Value round) {
  unsigned bytes = move.size * storedSize(move.element), each = bytes / wide;
  Value number = b.add(b.mul(round, b.i32(warp)), lane);
  Value owner = b.i32(0), within = number;
  // If a round covers whole boxes, a lane's position in its box depends on the
  // lane alone, and only constants change from round to round.
  Value ofTurn = b.i32(0);
  if (bytes % wide == 0) {
    bool isSteady = warp % each == 0;
    Value from = isSteady ? lane : number;
    owner = b.div(from, b.i32(int32_t(each)));
    within = b.rem(from, b.i32(int32_t(each)));
    if (isSteady)
      ofTurn = b.mul(round, b.i32(int32_t(warp / each)));
  }
  Value begin = origin ? origin : addressOfLane(b.add(owner, ofTurn));
  Value offset = b.mul(b.widen(within), b.i64(wide));
  Place place;
  place.exists = b.compare(Predicate::ne, begin, b.i64(0));
  const unsigned accesses = owners * bytes / wide;
  if (accesses % warp != 0) {
    Value isAny = b.compare(Predicate::ult, number, b.i32(int32_t(accesses)));
    place.exists = b.bitAnd(place.exists, isAny);
  }
  place.global =
      b.offset(LLVM::IntToPtrOp::create(b, b.pointerType(), begin), offset);
  Value tile = b.mul(b.widen(b.add(first, owner)), move.pitch);
  Value at = b.mul(move.at, b.i64(storedSize(move.element)));
  Value mine = b.offset(move.tiles, b.add(b.add(tile, at), offset));
  place.shared = b.offset(mine, b.mul(b.widen(ofTurn), move.pitch));
  return place;
}

/// In each round the lanes move one wide access each, one after the other in
/// memory.
void Mover::moveWide() {
  unsigned bytes = move.size * storedSize(move.element),
           accesses = owners * bytes / wide;
  unsigned all = llvm::divideCeil(accesses, warp),
           steps = stepsOf(all, manySteps);
  bool isPart = accesses % warp != 0;
  Type vector = VectorType::get({wide / 4}, b.getI32Type());
  countedLoop(b, b.i32(int32_t(all / steps)), [&](Value round) {
    SmallVector<Place> places;
    SmallVector<Value> values;
    for (unsigned i = 0; i < steps; ++i)
      places.push_back(widePlaceOf(
          b.add(b.mul(round, b.i32(int32_t(steps))), b.i32(int32_t(i)))));
    auto load = [&](const Place &place) -> Value {
      return LLVM::LoadOp::create(
          b, vector, move.isFetch ? place.global : place.shared, wide);
    };
    const bool isAsync = move.isFetch && hasAsync;
    if (!isAsync && !isPart)
      for (const Place &place : places)
        values.push_back(load(place));
    for (auto [i, place] : llvm::enumerate(places)) {
      Block *inside = nullptr, *next = nullptr;
      if (isPart || !move.isFetch) {
        inside = b.block();
        next = b.block();
        b.branch(place.exists, inside, next);
        b.at(inside);
      }
      if (isAsync)
        copyAsync(b, place.shared, place.global, wide);
      else
        LLVM::StoreOp::create(b, isPart ? load(place) : values[i],
                              move.isFetch ? place.shared : place.global, wide);
      if (next) {
        b.branch(next);
        b.at(next);
      }
    }
  });
}

/// In each round the lanes move consecutive elements, wherever each lane's box
/// is; or, if neighbouring boxes are side by side, an element of their own. If
/// several lanes have one box, they move neighbouring elements of it.
void Mover::moveEach(bool isOwn) {
  // Copies are aligned to their size; complex numbers only to that of a part.
  unsigned bytes = storedSize(move.element);
  bool isAsync = move.isFetch && hasAsync && !isa<ComplexType>(move.element) &&
                 (bytes == 4 || bytes == 8);
  const unsigned sharing = warp / owners, turns = move.size / sharing;
  unsigned steps = stepsOf(turns, isOwn ? fewSteps : manySteps);
  Value rounds = move.size ? b.i32(int32_t(turns / steps)) : row;
  Value begin = address, part;
  if (isOwn && sharing > 1) {
    begin = addressOfLane(mine);
    part = b.div(lane, b.i32(int32_t(owners)));
  }
  countedLoop(b, rounds, [&](Value round) {
    SmallVector<Place> places;
    for (unsigned i = 0; i < steps; ++i) {
      Value turn =
          b.add(b.mul(round, b.i32(int32_t(steps))), b.i32(int32_t(i)));
      Value column = turn;
      if (part)
        column = b.add(b.mul(turn, b.i32(int32_t(sharing))), part);
      places.push_back(isOwn ? placeAt(mine, column, begin) : placeOf(turn));
    }
    SmallVector<Value> values;
    for (Place place : places) {
      if (isAsync)
        copyAsync(b, place.shared, place.global, bytes);
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
}

void Mover::emit() {
  Block *before = move.op->getBlock(), *after = before->splitBlock(move.op);
  b.at(before);
  waitForWarp(b, b.i32(-1));
  lane = readRegister(b, Register::Lane);
  mine = lane;
  first = b.bitAnd(readRegister(b, Register::ThreadX), b.i32(-int(warp)));
  if (owners != warp) {
    mine = b.bitAnd(lane, b.i32(int32_t(owners - 1)));
    first = spreadPlace(b, first);
  }
  Value all = b.i64(1);
  for (Value extent : move.extents)
    all = b.mul(all, extent);
  count = b.narrow(all);
  row = move.size ? b.i32(int32_t(move.size)) : count;
  address = b.addressOf(move.pointer);
  if (!move.isFetch)
    address = arith::SelectOp::create(b, isInside, address, b.i64(0));
  low = b.narrow(address);
  high = b.narrow(arith::ShRUIOp::create(b, address, b.i64(32)));
  Block *some = b.block(), *done = b.block();
  b.branch(b.compare(Predicate::ne, count, b.i32(0)), some, done);
  b.at(some);
  if (Value canBeWide = isWide()) {
    Block *together = b.block(), *each = b.block();
    b.branch(canBeWide, together, each);
    b.at(together);
    moveWide();
    b.branch(done);
    b.at(each);
  }
  Block *across = b.block(), *each = b.block();
  b.branch(isAcross(), across, each);
  b.at(across);
  moveEach(/*isOwn=*/true);
  b.branch(done);
  b.at(each);
  moveEach(/*isOwn=*/false);
  b.branch(done);
  b.at(done);
  if (!move.isFetch)
    waitForWarp(b, b.i32(-1));
  b.branch(after);
  b.setInsertionPointToStart(after);
}

void StagedGroup::move(KernelBuilder &b, const Move &move) {
  Value isInside = b.compare(Predicate::eq, laneArgument, b.i64(0));
  unsigned owners = isSpread ? kern::runtime::spreadElements : warp;
  Mover(b, move, isInside, hasAsyncCopies(), owners).emit();
}
