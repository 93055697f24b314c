//===- Ranges.cpp - arithmetic on ranges ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Ranges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using Predicate = arith::CmpIPredicate;

Value kern::ir::loop::tripCount(ImplicitLocOpBuilder &b, Value lower,
                                Value upper, Value step) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  };
  auto compare = [&](Predicate predicate, Value x, Value y) {
    return b.createOrFold<arith::CmpIOp>(predicate, x, y);
  };
  auto select = [&](Value condition, Value x, Value y) {
    return b.createOrFold<arith::SelectOp>(condition, x, y);
  };
  auto minus = [&](Value x, Value y) {
    return b.createOrFold<arith::SubIOp>(x, y);
  };
  Value zero = constant(0), one = constant(1);
  Value isUp = compare(Predicate::sgt, step, zero);
  Value distance = select(isUp, minus(upper, lower), minus(lower, upper));
  Value isEmpty = compare(Predicate::sge, zero, distance);
  APInt constantStep;
  if (matchPattern(step, m_ConstantInt(&constantStep))) {
    if (constantStep.isZero())
      return zero;
    if (constantStep.isOne() || constantStep.isAllOnes())
      return select(isEmpty, zero, distance);
  }
  Value size = select(isUp, step, minus(zero, step));
  // With a step of 0 the range is empty; do not divide by it.
  Value divisor = b.createOrFold<arith::MaxUIOp>(size, one);
  Value last = b.createOrFold<arith::DivUIOp>(minus(distance, one), divisor);
  isEmpty =
      b.createOrFold<arith::OrIOp>(isEmpty, compare(Predicate::eq, step, zero));
  return select(isEmpty, zero, b.createOrFold<arith::AddIOp>(last, one));
}

Value kern::ir::loop::inductionValue(ImplicitLocOpBuilder &b, Value lower,
                                     Value step, Value k) {
  return b.createOrFold<arith::AddIOp>(lower,
                                       b.createOrFold<arith::MulIOp>(k, step));
}

SmallVector<Value> kern::ir::loop::cloneIteration(ImplicitLocOpBuilder &b,
                                                  ReduceOp op, Value k) {
  IRMapping map;
  map.map(op.inductionVar(), inductionValue(b, op.getLower(), op.getStep(), k));
  for (Operation &inner : op.entry().without_terminator())
    b.clone(inner, map);
  SmallVector<Value> yielded;
  for (Value value : op.entry().getTerminator()->getOperands())
    yielded.push_back(map.lookupOrDefault(value));
  return yielded;
}

bool kern::ir::loop::isSameIndex(Value a, Value b) {
  APInt first, second;
  return a == b || (matchPattern(a, m_ConstantInt(&first)) &&
                    matchPattern(b, m_ConstantInt(&second)) && first == second);
}
