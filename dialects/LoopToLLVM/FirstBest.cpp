//===- FirstBest.cpp - the first extremum of several values ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/FirstBest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace kern::ir::loop;

/// Types of which a GPU finds the extremum of two with one instruction, and of
/// which four chunks have few elements.
bool kern::ir::loop::findsFirstBest(ReduceOp op, LoopStyle style) {
  Type type = op.getValueType();
  return isArg(op.getKind()) && style.isShared && !style.goesAcross &&
         !op.getKept() && op.getBody().hasOneBlock() &&
         op.entry().getTerminator()->getNumOperands() == 1 &&
         (type.isInteger(32) || type.isF32());
}

static Value extremumOf(ImplicitLocOpBuilder &b, ReduceKind kind,
                        ArrayRef<Value> values) {
  if (values.size() == 1)
    return values.front();
  size_t half = values.size() / 2;
  return combine(b, kind,
                 {extremumOf(b, kind, values.take_front(half)), Value()},
                 {extremumOf(b, kind, values.drop_front(half)), Value()})
      .value;
}

/// The number of the first value that `isIt` holds for: it does for one.
static Value firstOf(ImplicitLocOpBuilder &b, ArrayRef<Value> values,
                     llvm::function_ref<Value(Value)> isIt) {
  auto constant = [&](size_t number) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(number)));
  };
  Value number = constant(values.size() - 1);
  for (size_t i = values.size() - 1; i-- > 0;)
    number = arith::SelectOp::create(b, isIt(values[i]), constant(i), number);
  return number;
}

/// Where the iteration of that number lies.
static Value placeOf(ImplicitLocOpBuilder &b, Value number,
                     ChunkPlaces places) {
  auto constant = [&](unsigned value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(value)));
  };
  auto widen = [&](Value value) -> Value {
    return arith::ExtUIOp::create(b, b.getI64Type(), value);
  };
  Value chunk = b.createOrFold<arith::ShRUIOp>(
      number, constant(llvm::Log2_32(places.size)));
  Value inChunk =
      b.createOrFold<arith::AndIOp>(number, constant(places.size - 1));
  Value begin = arith::AddIOp::create(
      b, places.first, arith::MulIOp::create(b, widen(chunk), places.stride));
  return arith::AddIOp::create(b, begin, widen(inChunk));
}

Accumulator kern::ir::loop::firstBest(ImplicitLocOpBuilder &b, ReduceKind kind,
                                      Accumulator best, ArrayRef<Value> values,
                                      ChunkPlaces places,
                                      llvm::function_ref<Block *()> newBlock) {
  Value extremum = extremumOf(b, withoutPosition(kind), values);
  Location loc = b.getLoc();
  Block *found = newBlock(), *nans = newBlock(), *numbers = newBlock(),
        *place = newBlock(), *next = newBlock();
  cf::CondBranchOp::create(b, isBetter(b, kind, best.value, extremum), found,
                           ValueRange(), next,
                           ValueRange{best.value, best.index});
  Value number = place->addArgument(b.getI32Type(), loc);
  auto find = [&](Block *block, llvm::function_ref<Value(Value)> isIt) {
    b.setInsertionPointToEnd(block);
    cf::BranchOp::create(b, place, firstOf(b, values, isIt));
  };
  const bool isFloat = isa<FloatType>(extremum.getType());
  auto isNan = [&](Value value) -> Value {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  };
  b.setInsertionPointToEnd(found);
  if (isFloat) {
    cf::CondBranchOp::create(b, isNan(extremum), nans, numbers);
    find(nans, isNan);
  } else {
    cf::BranchOp::create(b, numbers);
    nans->erase();
  }
  find(numbers, [&](Value value) -> Value {
    if (isFloat)
      return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, value,
                                   extremum);
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value, extremum);
  });
  b.setInsertionPointToEnd(place);
  cf::BranchOp::create(b, next,
                       ValueRange{extremum, placeOf(b, number, places)});
  b.setInsertionPointToEnd(next);
  return {next->addArgument(extremum.getType(), loc),
          next->addArgument(b.getI64Type(), loc)};
}
