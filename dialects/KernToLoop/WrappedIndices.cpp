//===- WrappedIndices.cpp - remainders of indices -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `x[(i + 1) % n]` with `i` from `range(n)` wraps an index that is outside by
// one. A division for that costs as much as ten loads on a CPU, and a call on a
// GPU.
//
//===----------------------------------------------------------------------===//
#include "dialects/KernToLoop/KernToLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

#include <optional>

using namespace mlir;

namespace kern::ir {

/// More steps than this cost what a division does.
static constexpr int64_t maxSteps = 4;

namespace {
/// The values from `low` to `high`, both added to `size` - 1 for the upper end
/// if there is a size, which then is at least 1.
struct Interval {
  int64_t low = 0, high = 0;
  Value size;
};

/// A loop's counter: from `lower` on, below `upper`.
struct Counter {
  Value lower, upper;
};

class Intervals {
public:
  explicit Intervals(loop::KernelOp kernel) : dominance(kernel) {}

  /// What a value can be where it is used.
  std::optional<Interval> of(Value value, Block *use) {
    known.clear(); // operations may have been erased since
    return find(value, use);
  }

private:
  std::optional<Interval> find(Value value, Block *use);
  std::optional<Interval> compute(Value value, Block *use);
  std::optional<Counter> counterOf(BlockArgument argument, Block *use);
  std::optional<Interval> ofCounter(const Counter &counter);

  DominanceInfo dominance;
  llvm::SmallDenseMap<Value, std::optional<Interval>> known; ///< at one use
};
} // namespace

static std::optional<int64_t> constant(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)) ||
      number.getSignificantBits() > 32)
    return std::nullopt;
  return number.getSExtValue();
}

/// The range of a loop.parallel, a loop.reduce, or a loop of blocks.
std::optional<Counter> Intervals::counterOf(BlockArgument argument,
                                            Block *use) {
  Block *header = argument.getOwner();
  auto risesBy = [](Value step) {
    std::optional<int64_t> number = constant(step);
    return number && *number > 0;
  };
  unsigned at = argument.getArgNumber();
  Operation *parent = header->getParentOp();
  if (header->isEntryBlock()) {
    if (auto loop = dyn_cast<loop::ParallelOp>(parent);
        loop && risesBy(loop.getStep()[at]))
      return Counter{loop.getLower()[at], loop.getUpper()[at]};
    if (auto loop = dyn_cast<loop::ReduceOp>(parent);
        loop && at == 0 && risesBy(loop.getStep()))
      return Counter{loop.getLower(), loop.getUpper()};
    return std::nullopt;
  }
  auto branch = dyn_cast<cf::CondBranchOp>(header->getTerminator());
  auto test = branch ? branch.getCondition().getDefiningOp<arith::CmpIOp>()
                     : arith::CmpIOp();
  if (!test || test.getPredicate() != arith::CmpIPredicate::slt ||
      test.getLhs() != argument)
    return std::nullopt;
  Block *body = branch.getTrueDest();
  if (body == branch.getFalseDest() || !body->getSinglePredecessor() ||
      !dominance.dominates(body, use))
    return std::nullopt;
  Counter counter{{}, test.getRhs()};
  for (auto it = header->pred_begin(); it != header->pred_end(); ++it) {
    auto from = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    Value value =
        from ? from.getSuccessorOperands(it.getSuccessorIndex())[at] : Value();
    auto next = value ? value.getDefiningOp<arith::AddIOp>() : arith::AddIOp();
    if (next && next.getLhs() == argument && risesBy(next.getRhs()))
      continue;
    if (!value || counter.lower)
      return std::nullopt;
    counter.lower = value;
  }
  return counter.lower ? std::optional(counter) : std::nullopt;
}

std::optional<Interval> Intervals::ofCounter(const Counter &counter) {
  std::optional<int64_t> lower = constant(counter.lower);
  if (!lower)
    return std::nullopt;
  if (std::optional<int64_t> upper = constant(counter.upper))
    return Interval{*lower, std::max(*lower, *upper - 1), {}};
  // The size, or less by a constant.
  Interval interval{*lower, 0, counter.upper};
  if (auto less = interval.size.getDefiningOp<arith::SubIOp>())
    if (std::optional<int64_t> by = constant(less.getRhs())) {
      interval.size = less.getLhs();
      interval.high = -*by;
    }
  // Where the counter is, the size is larger than it.
  if (*lower < 0 || interval.high > 0)
    return std::nullopt;
  return interval;
}

std::optional<Interval> Intervals::find(Value value, Block *use) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  std::optional<Interval> interval = compute(value, use);
  known.insert({value, interval});
  return interval;
}

std::optional<Interval> Intervals::compute(Value value, Block *use) {
  if (std::optional<int64_t> number = constant(value))
    return Interval{*number, *number, {}};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    std::optional<Counter> counter = counterOf(argument, use);
    return counter ? ofCounter(*counter) : std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (!isa<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  std::optional<Interval> a = find(op->getOperand(0), use),
                          b = find(op->getOperand(1), use);
  // Sums of a few steps; a chain of them might overflow.
  constexpr int64_t large = int64_t(1) << 40;
  if (!a || !b || (a->size && b->size) || -large > std::min(a->low, b->low) ||
      std::max(a->high, b->high) > large)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return Interval{a->low + b->low, a->high + b->high,
                    a->size ? a->size : b->size};
  if (b->size)
    return std::nullopt;
  return Interval{a->low - b->high, a->high - b->low, a->size};
}

/// Whether a comparison is of a value with 0.
static bool comparesWithZero(Value test, arith::CmpIPredicate predicate,
                             Value value) {
  auto compare = test.getDefiningOp<arith::CmpIOp>();
  return compare && compare.getPredicate() == predicate &&
         compare.getLhs() == value && matchPattern(compare.getRhs(), m_Zero());
}

/// Python's remainder that corrects the sign of `rest`, by a positive size;
/// null if there is none.
static arith::SelectOp flooredOf(arith::RemSIOp rest, Value size) {
  for (Operation *user : rest->getUsers()) {
    auto sum = dyn_cast<arith::AddIOp>(user);
    if (!sum || sum.getRhs() != size)
      continue;
    for (Operation *last : sum->getUsers()) {
      auto choice = dyn_cast<arith::SelectOp>(last);
      auto both = choice ? choice.getCondition().getDefiningOp<arith::AndIOp>()
                         : arith::AndIOp();
      auto differ =
          both ? both.getRhs().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
      auto signs = differ ? differ.getLhs().getDefiningOp<arith::XOrIOp>()
                          : arith::XOrIOp();
      if (signs && signs.getLhs() == rest && signs.getRhs() == size &&
          comparesWithZero(both.getLhs(), arith::CmpIPredicate::ne, rest) &&
          comparesWithZero(both.getRhs(), arith::CmpIPredicate::slt, signs) &&
          choice.getTrueValue() == sum && choice.getFalseValue() == rest)
        return choice;
    }
  }
  return {};
}

void wrapIndices(loop::KernelOp kernel) {
  Intervals intervals(kernel);
  kernel->walk([&](arith::RemSIOp op) {
    // A division by 0 and by -1 was avoided before.
    auto guarded = op.getRhs().getDefiningOp<arith::SelectOp>();
    // Counters and sums of narrower integers wrap.
    if (!guarded || !matchPattern(guarded.getTrueValue(), m_One()) ||
        !op.getType().isInteger(64))
      return;
    Value size = guarded.getFalseValue();
    std::optional<Interval> range = intervals.of(op.getLhs(), op->getBlock());
    if (!range || range->size != size || range->low < -maxSteps ||
        range->high > maxSteps)
      return;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value zero =
        arith::ConstantOp::create(b, b.getIntegerAttr(op.getType(), 0));
    Value rest = op.getLhs();
    for (int64_t i = 0; i < range->high; ++i)
      rest = arith::SelectOp::create(
          b, arith::CmpIOp::create(b, arith::CmpIPredicate::sge, rest, size),
          arith::SubIOp::create(b, rest, size), rest);
    if (arith::SelectOp floored = flooredOf(op, size)) {
      Value wrapped = rest;
      for (int64_t i = range->low; i < 0; ++i)
        wrapped = arith::SelectOp::create(
            b,
            arith::CmpIOp::create(b, arith::CmpIPredicate::slt, wrapped, zero),
            arith::AddIOp::create(b, wrapped, size), wrapped);
      floored.replaceAllUsesWith(wrapped);
    }
    Value negative;
    if (range->low < 0)
      negative = arith::SubIOp::create(b, zero, size);
    for (int64_t i = range->low; i < 0; ++i)
      rest = arith::SelectOp::create(
          b,
          arith::CmpIOp::create(b, arith::CmpIPredicate::sle, rest, negative),
          arith::AddIOp::create(b, rest, size), rest);
    op.replaceAllUsesWith(rest);
    op.erase();
  });
}

} // namespace kern::ir
