//===- Shuffle.cpp - values of the lanes of a warp ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Shuffle.h"

#include "dialects/LoopToGPU/SharedSlots.h"
#include "dialects/LoopToGPU/Threads.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

Value kern::ir::loop::shuffle(KernelBuilder &b, Value value,
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

/// The same for words that are i32.
static Value shuffleBits(KernelBuilder &b, Value value,
                         llvm::function_ref<Value(Value)> exchanged) {
  return shuffle(b, value, [&](Value word) -> Value {
    if (!word.getType().isF32())
      return exchanged(word);
    Value bits = arith::BitcastOp::create(b, b.getI32Type(), word);
    return arith::BitcastOp::create(b, word.getType(), exchanged(bits));
  });
}

Value kern::ir::loop::laneOfWarp(KernelBuilder &b, Value value, Value lane,
                                 Value members) {
  return shuffleBits(
      b, value, [&](Value word) { return ofLane(b, word, lane, members); });
}

Value kern::ir::loop::laneOfWarp(KernelBuilder &b, EarlierLaneOp op,
                                 Value members) {
  return shuffleBits(b, op.getValue(), [&](Value word) {
    return earlierLane(b, word, unsigned(op.getDistance()), members);
  });
}

Accumulator kern::ir::loop::combineLanes(KernelBuilder &b, ReduceKind kind,
                                         Accumulator mine, Value width,
                                         Value members) {
  SmallVector<Value> values = valuesOf(mine);
  SmallVector<Type> types = llvm::to_vector(ValueRange(values).getTypes());
  SmallVector<Type> carried = {b.getI32Type()};
  carried.append(types);
  Block *header = b.block(carried), *step = b.block(), *done = b.block(types);
  SmallVector<Value> start = {arith::ShRUIOp::create(b, width, b.i32(1))};
  start.append(values);
  b.branch(header, start);

  b.at(header);
  Value distance = header->getArgument(0);
  Accumulator sum = accumulatorOf(header->getArguments().drop_front());
  b.branch(b.compare(Predicate::ne, distance, b.i32(0)), step, done, {},
           valuesOf(sum));
  b.at(step);
  auto ofPartner = [&](Value value) {
    return shuffle(b, value, [&](Value word) {
      return exchange(b, word, distance, members);
    });
  };
  Accumulator other{ofPartner(sum.value),
                    sum.index ? ofPartner(sum.index) : Value()};
  SmallVector<Value> next = {arith::ShRUIOp::create(b, distance, b.i32(1))};
  next.append(valuesOf(loop::combine(b, kind, sum, other)));
  b.branch(header, next);

  b.at(done);
  return accumulatorOf(done->getArguments());
}
