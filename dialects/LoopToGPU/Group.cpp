//===- Group.cpp - cooperation of the lanes of a group --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Group.h"

#include "dialects/LoopToGPU/Fetch.h"
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/LoopToGPU.h"
#include "dialects/LoopToGPU/SharedSlots.h"
#include "dialects/LoopToGPU/Shuffle.h"
#include "dialects/LoopToGPU/Threads.h"

using namespace mlir;
using namespace kern::ir::loop;
using namespace kern::ir;
using Predicate = KernelBuilder::Predicate;

GpuGroup::GpuGroup(KernelOp kernel, runtime::Groups groups)
    : groups(groups), mostLanes(largestGroup) {
  if (!kernel.getCooperative())
    return;
  mostLanes = runtime::cooperatingLanes;
  // So little memory that two blocks share a multiprocessor.
  constexpr unsigned maxSlotBytes = 16 << 10;
  unsigned count = 0, bytes = 0;
  kernel->walk([&](CombineOp op) {
    unsigned each = valueBytes(op.getValue().getType());
    bytes +=
        (op.getIndex() ? each + unsigned(sizeof(int64_t)) : each) * mostLanes;
    ++count;
  });
  ownsSlots = count > 1 && bytes <= maxSlotBytes;
}

SmallVector<Type> GpuGroup::extraArguments(KernelBuilder &b) {
  return {b.getI64Type(), b.getI64Type()};
}

void GpuGroup::begin(ValueRange extraArguments) {
  laneArgument = extraArguments[0];
  sizeArgument = extraArguments[1];
}

/// The mask of this group's lanes in its warp. All 32 for a group of a whole
/// block.
static Value memberMask(KernelBuilder &b, Value size) {
  Value width = arith::TruncIOp::create(
      b, b.getI32Type(), arith::MinUIOp::create(b, size, b.i64(32)));
  Value lane = readRegister(b, Register::Lane);
  Value members = arith::ShRUIOp::create(
      b, b.i32(-1), arith::SubIOp::create(b, b.i32(32), width));
  Value first =
      arith::AndIOp::create(b, lane, arith::SubIOp::create(b, b.i32(0), width));
  return arith::ShLIOp::create(b, members, first);
}

/// Combines, for each lane of a warp, the values of all warps in order. Every
/// thread of the block computes the result of its lane.
static Accumulator combineWarps(KernelBuilder &b, ReduceKind kind,
                                Accumulator mine, Value lane, Value size,
                                SharedSlots slots) {
  SmallVector<Type> carried = {b.getI64Type()};
  carried.append(llvm::to_vector(ValueRange(valuesOf(mine)).getTypes()));
  slots.store(b, lane, mine);
  waitForBlock(b);
  Value inWarp = b.bitAnd(lane, b.i64(31));
  Block *header = b.block(carried), *step = b.block(), *done = b.block();
  SmallVector<Value> start = {b.add(inWarp, b.i64(32))};
  start.append(valuesOf(slots.load(b, inWarp)));
  b.branch(header, start);
  b.at(header);
  Value thread = header->getArgument(0);
  Accumulator sum = accumulatorOf(header->getArguments().drop_front());
  b.branch(b.compare(Predicate::slt, thread, size), step, done);
  b.at(step);
  SmallVector<Value> next = {b.add(thread, b.i64(32))};
  next.append(valuesOf(combine(b, kind, sum, slots.load(b, thread))));
  b.branch(header, next);
  b.at(done);
  // No thread may overwrite a value before all others have read it.
  waitForBlock(b);
  return sum;
}

/// Warps first, then the lanes of a warp: AcrossGroup can do the same.
/// Continues at `after`, which takes the result.
void GpuGroup::combineSeveral(KernelBuilder &b, ReduceKind kind,
                              Accumulator mine, Block *after) {
  Value size = sizeArgument;
  Block *block = b.block(), *part = nullptr;
  Block *whole =
      b.block(llvm::to_vector(ValueRange(valuesOf(mine)).getTypes()));
  auto combineWarp = [&](Accumulator values, Value members) {
    Value width = arith::TruncIOp::create(
        b, b.getI32Type(), arith::MinUIOp::create(b, size, b.i64(32)));
    b.branch(after, valuesOf(combineLanes(b, kind, values, width, members)));
  };
  if (groups == runtime::Groups::Block) {
    b.branch(block);
  } else {
    Block *several = b.block(), *warp = b.block();
    part = b.block();
    b.branch(b.compare(Predicate::eq, size, b.i64(1)), after, several,
             valuesOf(mine));
    b.at(several);
    b.branch(b.compare(Predicate::sgt, size, b.i64(32)), block, warp);
    // Where the lanes that take part are not a constant, each exchange finds
    // out whether they are all there.
    b.at(warp);
    b.branch(b.compare(Predicate::eq, activeLanes(b), b.i32(-1)), whole, part,
             valuesOf(mine));
  }
  b.at(block);
  b.branch(whole, valuesOf(combineWarps(b, kind, mine, laneArgument, size,
                                        SharedSlots(b, mine, mostLanes))));
  b.at(whole);
  combineWarp(accumulatorOf(whole->getArguments()), b.i32(-1));
  if (part) {
    b.at(part);
    combineWarp(mine, memberMask(b, size));
  }
}

/// As combineWarps() and combineLanes(), with one barrier: a thread that writes
/// a slot for the next item has passed the barrier of another combination, and
/// so have all that have read it for this one.
void GpuGroup::combineCooperating(KernelBuilder &b, CombineOp op,
                                  Accumulator mine, Block *after) {
  constexpr unsigned warp = 32;
  SharedSlots slots(b, mine, mostLanes, combinations++);
  slots.store(b, laneArgument, mine);
  waitForBlock(b);
  if (op.getToFirst()) {
    Block *first = b.block();
    b.branch(b.compare(Predicate::slt, laneArgument, b.i64(warp)), first, after,
             {}, valuesOf(mine));
    b.at(first);
  }
  Value inWarp = b.bitAnd(laneArgument, b.i64(warp - 1));
  SmallVector<Accumulator> ofWarps;
  for (unsigned lane = 0; lane < mostLanes; lane += warp)
    ofWarps.push_back(slots.load(b, b.add(inWarp, b.i64(lane))));
  Accumulator sum = ofWarps.front();
  for (const Accumulator &next : ArrayRef(ofWarps).drop_front())
    sum = loop::combine(b, op.getKind(), sum, next);
  b.branch(after, valuesOf(combineLanes(b, op.getKind(), sum, b.i32(warp),
                                        b.i32(-1))));
}

void GpuGroup::combine(KernelBuilder &b, CombineOp op) {
  ReduceKind kind = op.getKind();
  Accumulator mine{op.getValue(), op.getIndex()};
  SmallVector<Type> types =
      llvm::to_vector(ValueRange(valuesOf(mine)).getTypes());
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  for (Type type : types)
    after->addArgument(type, op.getLoc());
  b.at(before);
  if (groups == runtime::Groups::One)
    b.branch(after, valuesOf(mine));
  else if (ownsSlots)
    combineCooperating(b, op, mine, after);
  else
    combineSeveral(b, kind, mine, after);

  b.setInsertionPointToStart(after);
  op.replaceAllUsesWith(result(b, kind, accumulatorOf(after->getArguments())));
}

void GpuGroup::barrier(KernelBuilder &b, BarrierOp op) {
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  b.at(before);
  if (groups == runtime::Groups::Any) {
    Block *several = b.block(), *warp = b.block(), *wide = b.block();
    b.branch(b.compare(Predicate::eq, sizeArgument, b.i64(1)), after, several);
    b.at(several);
    b.branch(b.compare(Predicate::sgt, sizeArgument, b.i64(32)), wide, warp);
    b.at(warp);
    waitForWarp(b, memberMask(b, sizeArgument));
    b.branch(after);
    b.at(wide);
  }
  if (groups != runtime::Groups::One)
    waitForBlock(b);
  b.branch(after);
}

/// The scope of accesses that other blocks must see.
static constexpr StringLiteral wholeGpu = "device";

void GpuGroup::publish(KernelBuilder &b, PublishOp op, Value address) {
  LLVM::StoreOp::create(b, op.getWord(), address, /*alignment=*/8,
                        /*isVolatile=*/false, /*isNonTemporal=*/false,
                        /*isInvariantGroup=*/false,
                        LLVM::AtomicOrdering::monotonic, wholeGpu);
}

void GpuGroup::awaitWord(KernelBuilder &b, AwaitWordOp op, Value address) {
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  b.at(before);
  Block *wait = b.block(), *rest = b.block();
  b.branch(wait);
  b.at(wait);
  Value word = LLVM::LoadOp::create(
      b, b.getI64Type(), address, /*alignment=*/8, /*isVolatile=*/false,
      /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, wholeGpu);
  Value mark = arith::ShRUIOp::create(b, word, b.i64(32));
  b.branch(b.compare(Predicate::ne, mark, b.i64(0)), after, rest);
  // Many lanes wait for the same words.
  constexpr unsigned nanoseconds = 40;
  b.at(rest);
  pause(b, nanoseconds);
  b.branch(wait);
  op.replaceAllUsesWith(word);
}

Value GpuGroup::ofLane(KernelBuilder &b, OfLaneOp op) {
  Value mask = memberMask(b, sizeArgument);
  Value width = arith::TruncIOp::create(
      b, b.getI32Type(), arith::MinUIOp::create(b, sizeArgument, b.i64(32)));
  Value first =
      arith::AndIOp::create(b, readRegister(b, Register::Lane),
                            arith::SubIOp::create(b, b.i32(0), width));
  Value lane = arith::AddIOp::create(
      b, first, arith::TruncIOp::create(b, b.getI32Type(), op.getLane()));
  return laneOfWarp(b, op.getValue(), lane, mask);
}

Value GpuGroup::earlierLane(KernelBuilder &b, EarlierLaneOp op) {
  return laneOfWarp(b, op, memberMask(b, sizeArgument));
}

/// Through shared memory. Only groups of whole blocks arrive here.
Value GpuGroup::ofWarps(KernelBuilder &b, OfWarpsOp op) {
  constexpr unsigned warps = 32, maxBytes = 16;
  Value value = op.getValue();
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  b.at(before);
  Value memory = sharedMemoryOf(b, "__kern_warps", warps * maxBytes);
  Value place = b.bitAnd(laneArgument, b.i64(31));
  auto slot = [&](Value number) {
    return b.offset(memory, b.mul(number, b.i64(maxBytes)));
  };
  Block *last = b.block(), *join = b.block();
  b.branch(b.compare(Predicate::eq, place, b.i64(31)), last, join);
  b.at(last);
  b.store(value, slot(arith::ShRUIOp::create(b, laneArgument, b.i64(5))));
  b.branch(join);
  b.at(join);
  waitForBlock(b);
  Value result = b.load(value.getType(), slot(place));
  // No warp may overwrite a value before all others have read it.
  waitForBlock(b);
  b.branch(after);
  b.setInsertionPointToStart(after);
  return result;
}

Value GpuGroup::sharedMemory(KernelBuilder &b) {
  return dynamicSharedMemory(b);
}

void GpuGroup::fetch(KernelBuilder &b, FetchOp op, Value source, Value target) {
  fetchElements(b, op, source, target, /*isAsynchronous=*/true);
}

void GpuGroup::await(KernelBuilder &b, AwaitOp op) { awaitFetches(b, op); }

void GpuGroup::waitForStage(KernelBuilder &b, StageWaitOp op) {
  auto ahead = op->getAttrOfType<IntegerAttr>(aheadAttribute);
  waitForCopies(b, ahead ? std::optional(ahead.getInt()) : std::nullopt);
}

Value GpuGroup::keep(KernelBuilder &b, Value value) {
  return loop::keep(b, value);
}
