//===- Group.cpp - cooperation of the lanes of a group --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Group.h"

#include "dialects/LoopToGPU/Threads.h"
#include "dialects/LoopToLLVM/Reduction.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace kern::ir::loop;
using namespace kern::ir;
using Predicate = KernelBuilder::Predicate;

static constexpr StringLiteral sharedSymbol = "__kern_group";
static constexpr unsigned sharedSpace = 3;
static constexpr int64_t maxWarps = 32;

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

/// The value of the lane whose number differs by the bits of `distance`.
static Value shuffle(KernelBuilder &b, Value value, Value distance,
                     Value mask) {
  auto exchanged = [&](Value word) {
    return exchange(b, word, distance, mask);
  };
  Type type = value.getType();
  if (isa<VectorType>(type)) {
    Value pair = LLVM::UndefOp::create(b, type);
    for (int i : {0, 1}) {
      Value part = LLVM::ExtractElementOp::create(b, value, b.i64(i));
      pair = LLVM::InsertElementOp::create(
          b, pair, shuffle(b, part, distance, mask), b.i64(i));
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

/// Shared memory: two words for the value of each warp, then one word for the
/// position of each.
static Value sharedMemory(KernelBuilder &b) {
  auto module =
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto type = LLVM::LLVMArrayType::get(b.getI64Type(), 3 * maxWarps);
  if (!module.lookupSymbol(sharedSymbol)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(b, type, /*isConstant=*/false,
                           LLVM::Linkage::Internal, sharedSymbol, Attribute(),
                           /*alignment=*/8, sharedSpace);
  }
  return LLVM::AddressOfOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext(), sharedSpace), sharedSymbol);
}

static SmallVector<Value> list(Accumulator a) {
  SmallVector<Value> values = {a.value};
  if (a.index)
    values.push_back(a.index);
  return values;
}

static Accumulator accumulator(Block::BlockArgListType arguments) {
  return {arguments[0], arguments.size() > 1 ? Value(arguments[1]) : Value()};
}

/// Combines the values of the warps in order. Every thread of the block
/// computes the result.
static Accumulator combineWarps(KernelBuilder &b, ReduceKind kind,
                                Accumulator mine, Value lane, Value size) {
  SmallVector<Type> types = llvm::to_vector(ValueRange(list(mine)).getTypes());
  Value shared = sharedMemory(b);
  auto slots = [&](Value warp) {
    SmallVector<Value> places = {
        b.element(shared, b.getI64Type(), b.mul(warp, b.i64(2)))};
    if (mine.index)
      places.push_back(
          b.element(shared, b.getI64Type(), b.add(warp, b.i64(2 * maxWarps))));
    return places;
  };
  auto read = [&](Value warp) {
    SmallVector<Value> values;
    for (auto [place, type] : llvm::zip(slots(warp), types))
      values.push_back(b.load(type, place));
    return Accumulator{values[0], mine.index ? values[1] : Value()};
  };

  Value inWarp = b.bitAnd(lane, b.i64(31));
  Block *write = b.block(), *written = b.block();
  b.branch(b.compare(Predicate::eq, inWarp, b.i64(0)), write, written);
  b.at(write);
  for (auto [value, place] :
       llvm::zip(list(mine), slots(b.div(lane, b.i64(32)))))
    b.store(value, place);
  b.branch(written);
  b.at(written);
  waitForBlock(b);

  Value warps = b.div(size, b.i64(32));
  SmallVector<Type> carried = {b.getI64Type()};
  carried.append(types);
  Block *header = b.block(carried), *step = b.block(), *done = b.block();
  SmallVector<Value> start = {b.i64(1)};
  start.append(list(read(b.i64(0))));
  b.branch(header, start);
  b.at(header);
  Accumulator sum = accumulator(header->getArguments().drop_front());
  Value warp = header->getArgument(0);
  b.branch(b.compare(Predicate::slt, warp, warps), step, done);
  b.at(step);
  SmallVector<Value> next = {b.add(warp, b.i64(1))};
  next.append(list(combine(b, kind, sum, read(warp))));
  b.branch(header, next);
  b.at(done);
  // No thread may overwrite a value before all others have read it.
  waitForBlock(b);
  return sum;
}

void GpuGroup::combine(KernelBuilder &b, CombineOp op) {
  ReduceKind kind = op.getKind();
  Accumulator mine{op.getValue(), op.getIndex()};
  SmallVector<Type> types = llvm::to_vector(ValueRange(list(mine)).getTypes());
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  for (Type type : types)
    after->addArgument(type, op.getLoc());
  b.at(before);
  SmallVector<Type> carried = {b.getI32Type()};
  carried.append(types);
  Block *warp = b.block(), *header = b.block(carried), *step = b.block(),
        *done = b.block(), *wide = b.block();
  Value isAlone = b.compare(Predicate::eq, sizeArgument, b.i64(1));
  b.branch(isAlone, after, warp, list(mine));

  b.at(warp);
  Value mask = memberMask(b, sizeArgument);
  Value width = arith::TruncIOp::create(
      b, b.getI32Type(), arith::MinUIOp::create(b, sizeArgument, b.i64(32)));
  SmallVector<Value> start = {arith::ShRUIOp::create(b, width, i32(b, 1))};
  start.append(list(mine));
  b.branch(header, start);

  b.at(header);
  Value distance = header->getArgument(0);
  Accumulator sum = accumulator(header->getArguments().drop_front());
  b.branch(b.compare(Predicate::ne, distance, i32(b, 0)), step, done);
  b.at(step);
  Accumulator other{shuffle(b, sum.value, distance, mask),
                    sum.index ? shuffle(b, sum.index, distance, mask)
                              : Value()};
  SmallVector<Value> next = {arith::ShRUIOp::create(b, distance, i32(b, 1))};
  next.append(list(loop::combine(b, kind, sum, other)));
  b.branch(header, next);

  b.at(done);
  Value isBlock = b.compare(Predicate::sgt, sizeArgument, b.i64(32));
  b.branch(isBlock, wide, after, {}, list(sum));
  b.at(wide);
  b.branch(after, list(combineWarps(b, kind, sum, laneArgument, sizeArgument)));

  b.setInsertionPointToStart(after);
  op.replaceAllUsesWith(result(b, kind, accumulator(after->getArguments())));
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
