//===- Interior.cpp - iterations whose indices are not wrapped ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Interior.h"

#include "dialects/LoopToHost/IntegerRanges.h"

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

/// The operations, one in the other, of which a sum may consist.
static constexpr unsigned deepest = 8;

/// Whether a sum, or what was wrapped before, has a counter in it.
static bool hasCounter(Value value, Value counter, unsigned depth = deepest) {
  if (value == counter)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || depth-- == 0)
    return false;
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return hasCounter(choice.getTrueValue(), counter, depth);
  return isa<arith::AddIOp, arith::SubIOp>(op) &&
         (hasCounter(op->getOperand(0), counter, depth) ||
          hasCounter(op->getOperand(1), counter, depth));
}

bool kern::ir::loop::hasWrappedIndices(const CountedLoop &loop) {
  for (Block *block : loop.blocks)
    for (Operation &op : *block)
      if (std::optional<Wrap> wrap = wrapOf(op);
          wrap && hasCounter(wrap->test.getLhs(), loop.counter()))
        return true;
  return false;
}

/// Whether a value is an argument that all iterations have in common.
static bool isShared(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner()->isEntryBlock() &&
         argument.getArgNumber() > 0;
}

/// Adds a value to a sum, or subtracts it; false if it is no such sum.
static bool add(Sum &sum, Value value, bool isLess, Value counter,
                IntegerRanges &ranges, unsigned depth = deepest) {
  if (value == counter) {
    sum.counters += isLess ? -1 : 1;
    return true;
  }
  if (std::optional<IntegerRange> range = ranges.of(value)) {
    sum.rest.low += isLess ? -range->high : range->low;
    sum.rest.high += isLess ? -range->low : range->high;
    return true;
  }
  if (isShared(value)) {
    sum.terms.push_back({value, isLess});
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) || depth-- == 0)
    return false;
  return add(sum, op->getOperand(0), isLess, counter, ranges, depth) &&
         add(sum, op->getOperand(1), isLess != isa<arith::SubIOp>(op), counter,
             ranges, depth);
}

Interior::Interior(LLVM::LLVMFuncOp iteration) {
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

/// What a term of a bound is where the function is called.
static Value passedFor(Value term, ValueRange uses) {
  return uses[cast<BlockArgument>(term).getArgNumber() - 1];
}

Value Interior::emit(KernelBuilder &b, const Bound &bound,
                     ValueRange uses) const {
  Value sum = b.i64(bound.number);
  for (auto [term, isLess] : bound.terms) {
    Value value = passedFor(term, uses);
    sum = isLess ? b.sub(sum, value) : b.add(sum, value);
  }
  return sum;
}

/// A term need not be a size. If one is so large that sums may overflow, the
/// interior is empty.
Value Interior::whereSmall(KernelBuilder &b, Value bound,
                           ValueRange uses) const {
  constexpr int64_t largest = int64_t(1) << 56;
  Value areSmall;
  for (const auto *bounds : {&firsts, &ends})
    for (const Bound &each : *bounds)
      for (auto [term, isLess] : each.terms) {
        Value isSmall = b.compare(Predicate::ule,
                                  b.add(passedFor(term, uses), b.i64(largest)),
                                  b.i64(2 * largest));
        areSmall = areSmall ? b.bitAnd(areSmall, isSmall) : isSmall;
      }
  if (!areSmall)
    return bound;
  return arith::SelectOp::create(b, areSmall, bound, b.i64(0));
}

static Value within(KernelBuilder &b, Value value, Value trips) {
  Value least = arith::MinSIOp::create(b, value, trips);
  return arith::MaxSIOp::create(b, least, b.i64(0));
}

Value Interior::first(KernelBuilder &b, Value trips, ValueRange uses) const {
  Value first = b.i64(0);
  for (const Bound &bound : firsts)
    first = arith::MaxSIOp::create(b, first, emit(b, bound, uses));
  return whereSmall(b, within(b, first, trips), uses);
}

Value Interior::end(KernelBuilder &b, Value trips, ValueRange uses) const {
  Value end = trips;
  for (const Bound &bound : ends)
    end = arith::MinSIOp::create(b, end, emit(b, bound, uses));
  return whereSmall(b, within(b, end, trips), uses);
}
