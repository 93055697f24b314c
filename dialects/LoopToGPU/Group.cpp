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
#include "dialects/LoopToGPU/Threads.h"

using namespace mlir;
using namespace kern::ir::loop;
using namespace kern::ir;
using Predicate = KernelBuilder::Predicate;

SmallVector<Type> GpuGroup::extraArguments(KernelBuilder &b) {
  return {b.getI64Type(), b.getI64Type()};
}

void GpuGroup::begin(ValueRange extraArguments) {
  laneArgument = extraArguments[0];
  sizeArgument = extraArguments[1];
}

static Value i32(KernelBuilder &b, int32_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
}

/// The mask of this group's lanes in its warp. All 32 for a group of a whole
/// block.
static Value memberMask(KernelBuilder &b, Value size) {
  Value width = arith::TruncIOp::create(
      b, b.getI32Type(), arith::MinUIOp::create(b, size, b.i64(32)));
  Value lane = readRegister(b, Register::Lane);
  Value members = arith::ShRUIOp::create(
      b, i32(b, -1), arith::SubIOp::create(b, i32(b, 32), width));
  Value first = arith::AndIOp::create(
      b, lane, arith::SubIOp::create(b, i32(b, 0), width));
  return arith::ShLIOp::create(b, members, first);
}

/// The value of another lane, whose words (i32 or f32) `exchanged` gives.
static Value shuffle(KernelBuilder &b, Value value,
                     llvm::function_ref<Value(Value)> exchanged) {
  Type type = value.getType();
  if (isa<VectorType>(type)) {
    Value pair = LLVM::UndefOp::create(b, type);
    for (int i : {0, 1}) {
      Value part = LLVM::ExtractElementOp::create(b, value, b.i64(i));
      pair = LLVM::InsertElementOp::create(b, pair, shuffle(b, part, exchanged),
                                           b.i64(i));
    }
    return pair;
  }
  if (type.isF32() || type.isInteger(32))
    return exchanged(value);
  unsigned width = type.getIntOrFloatBitWidth();
  Type bits = b.getIntegerType(width);
  bool isFloat = isa<FloatType>(type);
  if (isFloat)
    value = arith::BitcastOp::create(b, bits, value);
  if (width < 32) {
    value = exchanged(arith::ExtUIOp::create(b, b.getI32Type(), value));
    value = arith::TruncIOp::create(b, bits, value);
  } else {
    Value half = b.i64(32);
    Value low = arith::TruncIOp::create(b, b.getI32Type(), value);
    Value high = arith::TruncIOp::create(
        b, b.getI32Type(), arith::ShRUIOp::create(b, value, half));
    Value wideHigh = b.widen(exchanged(high)),
          wideLow = b.widen(exchanged(low));
    value = b.bitOr(wideLow, arith::ShLIOp::create(b, wideHigh, half));
  }
  return isFloat ? Value(arith::BitcastOp::create(b, type, value)) : value;
}

/// The value of the lane whose number differs by the bits of `distance`.
static Value shuffle(KernelBuilder &b, Value value, Value distance,
                     Value mask) {
  return shuffle(b, value,
                 [&](Value word) { return exchange(b, word, distance, mask); });
}

/// Combines, for each lane of a warp, the values of all warps in order. Every
/// thread of the block computes the result of its lane.
static Accumulator combineWarps(KernelBuilder &b, ReduceKind kind,
                                Accumulator mine, Value lane, Value size) {
  SmallVector<Type> carried = {b.getI64Type()};
  carried.append(llvm::to_vector(ValueRange(valuesOf(mine)).getTypes()));
  SharedSlots slots(b, mine);
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
void GpuGroup::combine(KernelBuilder &b, CombineOp op) {
  ReduceKind kind = op.getKind();
  Accumulator mine{op.getValue(), op.getIndex()};
  SmallVector<Type> types =
      llvm::to_vector(ValueRange(valuesOf(mine)).getTypes());
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  for (Type type : types)
    after->addArgument(type, op.getLoc());
  b.at(before);
  SmallVector<Type> carried = {b.getI32Type()};
  carried.append(types);
  Block *several = b.block(), *block = b.block(), *warp = b.block(types),
        *header = b.block(carried), *step = b.block();
  Value isAlone = b.compare(Predicate::eq, sizeArgument, b.i64(1));
  b.branch(isAlone, after, several, valuesOf(mine));

  b.at(several);
  Value isBlock = b.compare(Predicate::sgt, sizeArgument, b.i64(32));
  b.branch(isBlock, block, warp, {}, valuesOf(mine));
  b.at(block);
  b.branch(warp,
           valuesOf(combineWarps(b, kind, mine, laneArgument, sizeArgument)));

  b.at(warp);
  Value mask = memberMask(b, sizeArgument);
  Value width = arith::TruncIOp::create(
      b, b.getI32Type(), arith::MinUIOp::create(b, sizeArgument, b.i64(32)));
  SmallVector<Value> start = {arith::ShRUIOp::create(b, width, i32(b, 1))};
  start.append(SmallVector<Value>(warp->getArguments()));
  b.branch(header, start);

  b.at(header);
  Value distance = header->getArgument(0);
  Accumulator sum = accumulatorOf(header->getArguments().drop_front());
  b.branch(b.compare(Predicate::ne, distance, i32(b, 0)), step, after, {},
           valuesOf(sum));
  b.at(step);
  Accumulator other{shuffle(b, sum.value, distance, mask),
                    sum.index ? shuffle(b, sum.index, distance, mask)
                              : Value()};
  SmallVector<Value> next = {arith::ShRUIOp::create(b, distance, i32(b, 1))};
  next.append(valuesOf(loop::combine(b, kind, sum, other)));
  b.branch(header, next);

  b.setInsertionPointToStart(after);
  op.replaceAllUsesWith(result(b, kind, accumulatorOf(after->getArguments())));
}

void GpuGroup::barrier(KernelBuilder &b, BarrierOp op) {
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  b.at(before);
  Block *several = b.block(), *warp = b.block(), *wide = b.block();
  b.branch(b.compare(Predicate::eq, sizeArgument, b.i64(1)), after, several);
  b.at(several);
  b.branch(b.compare(Predicate::sgt, sizeArgument, b.i64(32)), wide, warp);
  b.at(wide);
  waitForBlock(b);
  b.branch(after);
  b.at(warp);
  waitForWarp(b, memberMask(b, sizeArgument));
  b.branch(after);
}

/// What other blocks see at once.
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
                            arith::SubIOp::create(b, i32(b, 0), width));
  Value lane = arith::AddIOp::create(
      b, first, arith::TruncIOp::create(b, b.getI32Type(), op.getLane()));
  return shuffle(b, op.getValue(), [&](Value word) -> Value {
    if (!word.getType().isF32())
      return loop::ofLane(b, word, lane, mask);
    Value bits = arith::BitcastOp::create(b, b.getI32Type(), word);
    return arith::BitcastOp::create(b, word.getType(),
                                    loop::ofLane(b, bits, lane, mask));
  });
}

/// Through shared memory. Only groups of whole blocks arrive here.
Value GpuGroup::ofWarps(KernelBuilder &b, OfWarpsOp op) {
  constexpr unsigned warps = 32, mostBytes = 16;
  Value value = op.getValue();
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  b.at(before);
  Value memory = sharedMemoryOf(b, "__kern_warps", warps * mostBytes);
  Value place = b.bitAnd(laneArgument, b.i64(31));
  auto slot = [&](Value number) {
    return b.offset(memory, b.mul(number, b.i64(mostBytes)));
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

/// The constraint for a value in a register; empty for one that assembly does
/// not take.
static StringRef registerConstraint(Type type) {
  if (type.isF32())
    return "=f,0";
  if (type.isF64())
    return "=d,0";
  if (type.isInteger(32))
    return "=r,0";
  return type.isInteger(64) ? "=l,0" : "";
}

Value GpuGroup::keep(KernelBuilder &b, Value value, bool isRounded) {
  if (isa<VectorType>(value.getType())) { // a complex number
    for (int64_t part : {0, 1}) {
      Value number = LLVM::ExtractElementOp::create(b, value, b.i64(part));
      value = LLVM::InsertElementOp::create(
          b, value, keep(b, number, isRounded), b.i64(part));
    }
    return value;
  }
  StringRef constraint = registerConstraint(value.getType());
  if (constraint.empty())
    return value;
  return LLVM::InlineAsmOp::create(
             b, value.getType(), value,
             /*asm_string=*/isRounded ? roundedText : "", constraint,
             /*has_side_effects=*/true, /*is_align_stack=*/false,
             LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
             ArrayAttr())
      .getResult(0);
}
