//===- Interior.cpp - iterations whose indices are not wrapped ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Interior.h"

#include "dialects/LoopToHost/IntegerRanges.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

namespace {
/// A choice between a value and what is some size away from it.
struct Wrap {
  arith::SelectOp choice;
  arith::CmpIOp test;
  bool isKept; ///< what the test gives where the value stays
};

/// A counter some times, values that do not change, and a range of numbers.
struct Sum {
  int64_t counters = 0;
  SmallVector<std::pair<Value, bool>> terms; ///< true: subtracted
  IntegerRange rest{0, 0};
};
} // namespace

static bool isAwayFrom(Value other, Value value) {
  Operation *op = other.getDefiningOp();
  return isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) &&
         op->getOperand(0) == value;
}

static std::optional<Wrap> wrapOf(Operation &op) {
  auto choice = dyn_cast<arith::SelectOp>(op);
  auto test = choice ? choice.getCondition().getDefiningOp<arith::CmpIOp>()
                     : arith::CmpIOp();
  if (!test || !choice.getType().isInteger(64))
    return std::nullopt;
  Value value = test.getLhs();
  Predicate predicate = test.getPredicate();
  if (predicate != Predicate::slt && predicate != Predicate::sge)
    return std::nullopt;
  if (choice.getFalseValue() == value &&
      isAwayFrom(choice.getTrueValue(), value))
    return Wrap{choice, test, false};
  if (choice.getTrueValue() == value &&
      isAwayFrom(choice.getFalseValue(), value))
    return Wrap{choice, test, true};
  return std::nullopt;
}

/// Whether a sum, or what was wrapped before, has a counter in it.
static bool hasCounter(Value value, Value counter) {
  if (value == counter)
    return true;
  Operation *op = value.getDefiningOp();
  if (auto choice = dyn_cast_or_null<arith::SelectOp>(op))
    return hasCounter(choice.getTrueValue(), counter);
  return isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) &&
         (hasCounter(op->getOperand(0), counter) ||
          hasCounter(op->getOperand(1), counter));
}

bool kern::ir::loop::hasWrappedIndices(const CountedLoop &loop) {
  for (Block *block : loop.blocks)
    for (Operation &op : *block)
      if (std::optional<Wrap> wrap = wrapOf(op);
          wrap && hasCounter(wrap->test.getLhs(), loop.counter()))
        return true;
  return false;
}

static bool isFixed(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->isEntryBlock() && argument.getArgNumber() > 0;
  Operation *op = value.getDefiningOp();
  return isPure(op) && llvm::all_of(op->getOperands(), isFixed);
}

/// Adds a value to a sum, or subtracts it; false if it is no such sum.
static bool add(Sum &sum, Value value, bool isLess, Value counter,
                IntegerRanges &ranges) {
  if (value == counter) {
    sum.counters += isLess ? -1 : 1;
    return true;
  }
  if (std::optional<IntegerRange> range = ranges.of(value)) {
    sum.rest.low += isLess ? -range->high : range->low;
    sum.rest.high += isLess ? -range->low : range->high;
    return true;
  }
  if (isFixed(value)) {
    sum.terms.push_back({value, isLess});
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return false;
  return add(sum, op->getOperand(0), isLess, counter, ranges) &&
         add(sum, op->getOperand(1), isLess != isa<arith::SubIOp>(op), counter,
             ranges);
}

Interior::Interior(LLVM::LLVMFuncOp iteration) : iteration(iteration) {
  Value counter = iteration.getArgument(0);
  IntegerRanges ranges;
  for (Block &block : iteration.getBody())
    for (Operation &op : llvm::make_early_inc_range(block)) {
      std::optional<Wrap> wrap = wrapOf(op);
      // What is compared, less what it is compared with.
      Sum sum;
      if (!wrap ||
          !add(sum, wrap->test.getLhs(), /*isLess=*/false, counter, ranges) ||
          !add(sum, wrap->test.getRhs(), /*isLess=*/true, counter, ranges) ||
          sum.counters != 1)
        continue;
      // The counter is at least, or below, the other terms with the other sign.
      Bound bound;
      for (auto [value, isLess] : sum.terms)
        bound.terms.push_back({value, !isLess});
      bool isBelow =
          (wrap->test.getPredicate() == Predicate::slt) == wrap->isKept;
      bound.number = isBelow ? -sum.rest.high : -sum.rest.low;
      (isBelow ? ends : firsts).push_back(std::move(bound));
      wrap->choice.replaceAllUsesWith(wrap->test.getLhs());
      op.erase();
    }
}

Value Interior::emit(KernelBuilder &b, const Bound &bound,
                     ValueRange uses) const {
  IRMapping map;
  LLVM::LLVMFuncOp function = iteration; // not const
  for (auto [i, use] : llvm::enumerate(uses))
    map.map(function.getArgument(unsigned(i) + 1), use);
  std::function<Value(Value)> here = [&](Value value) -> Value {
    if (Value known = map.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      here(operand);
    b.clone(*op, map);
    return map.lookup(value);
  };
  Value sum = b.i64(bound.number);
  for (auto [value, isLess] : bound.terms)
    sum = isLess ? b.sub(sum, here(value)) : b.add(sum, here(value));
  return sum;
}

static Value within(KernelBuilder &b, Value value, Value trips) {
  Value least = arith::MinSIOp::create(b, value, trips);
  return arith::MaxSIOp::create(b, least, b.i64(0));
}

Value Interior::first(KernelBuilder &b, Value trips, ValueRange uses) const {
  Value first = b.i64(0);
  for (const Bound &bound : firsts)
    first = arith::MaxSIOp::create(b, first, emit(b, bound, uses));
  return within(b, first, trips);
}

Value Interior::end(KernelBuilder &b, Value trips, ValueRange uses) const {
  Value end = trips;
  for (const Bound &bound : ends)
    end = arith::MinSIOp::create(b, end, emit(b, bound, uses));
  return within(b, end, trips);
}
