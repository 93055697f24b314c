//===- LoopSkeleton.cpp - the base of loop lowerings ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/LoopSkeleton.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

Value LoopSkeleton::tripCount(Value lower, Value upper, Value step) {
  Value zero = constant(0), one = constant(1);
  Value isUp = compare(Predicate::sgt, step, zero);
  Value distance = select(isUp, fold<arith::SubIOp>(upper, lower),
                          fold<arith::SubIOp>(lower, upper));
  Value isEmpty = compare(Predicate::sge, zero, distance);
  APInt constantStep;
  if (matchPattern(step, m_ConstantInt(&constantStep))) {
    if (constantStep.isZero())
      return zero;
    if (constantStep.isOne() || constantStep.isAllOnes())
      return select(isEmpty, zero, distance);
  }
  Value size = select(isUp, step, fold<arith::SubIOp>(zero, step));
  // With a step of 0 the range is empty; do not divide by it.
  Value divisor = fold<arith::MaxUIOp>(size, one);
  Value last =
      fold<arith::DivUIOp>(fold<arith::SubIOp>(distance, one), divisor);
  isEmpty = fold<arith::OrIOp>(isEmpty, compare(Predicate::eq, step, zero));
  return select(isEmpty, zero, fold<arith::AddIOp>(last, one));
}

Block *LoopSkeleton::inlineBody(Region &body,
                                function_ref<SmallVector<Value>()> make) {
  Block *entry = &body.front();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(entry);
  SmallVector<Value> values = make();
  for (auto [argument, value] : llvm::zip(entry->getArguments(), values))
    argument.replaceAllUsesWith(value);
  entry->eraseArguments(0, entry->getNumArguments());
  before->getParent()->getBlocks().splice(after->getIterator(),
                                          body.getBlocks());
  return entry;
}
