//===- IntegerRanges.cpp - what integers of a body can be -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/IntegerRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>

using namespace mlir;
using namespace kern::ir::loop;
using Found = std::optional<IntegerRange>;

/// Sums and products of two such ranges fit 64 bits.
static constexpr int64_t limit = int64_t(1) << 31;

static Found bounded(int64_t low, int64_t high) {
  if (low < -limit || high > limit)
    return std::nullopt;
  return IntegerRange{low, high};
}

static Found unionOf(Found a, Found b) {
  if (!a || !b)
    return std::nullopt;
  return IntegerRange{std::min(a->low, b->low), std::max(a->high, b->high)};
}

static Found sumOf(Found a, Found b) {
  return a && b ? bounded(a->low + b->low, a->high + b->high) : std::nullopt;
}

static Found negated(Found a) {
  return a ? bounded(-a->high, -a->low) : std::nullopt;
}

static Found productOf(Found a, Found b) {
  if (!a || !b)
    return std::nullopt;
  auto [low, high] = std::minmax(
      {a->low * b->low, a->low * b->high, a->high * b->low, a->high * b->high});
  return bounded(low, high);
}

/// Of all numbers of so many bits.
static Found ofBits(unsigned bits, bool isSigned) {
  if (bits > 32)
    return std::nullopt;
  int64_t count = int64_t(1) << bits;
  return isSigned ? bounded(-count / 2, count / 2 - 1) : bounded(0, count - 1);
}

static bool fits(IntegerRange range, Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  Found all = ofBits(bits, /*isSigned=*/true);
  return bits > 32 || (all->low <= range.low && range.high <= all->high);
}

/// What each way to a block passes for one of its arguments.
static SmallVector<Value> passedTo(BlockArgument argument) {
  SmallVector<Value> values;
  Block *block = argument.getOwner();
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it)
    values.push_back(cast<BranchOpInterface>((*it)->getTerminator())
                         .getSuccessorOperands(it.getSuccessorIndex())
                         .getForwardedOperands()[argument.getArgNumber()]);
  return values;
}

namespace {
/// A loop from a constant on, by 1, as long as it is below a constant.
struct ConstantLoop {
  int64_t first, end;
  int64_t trips() const { return std::max<int64_t>(end - first, 0); }
};
} // namespace

/// Whether a loop of this header goes on by the first of its ways, and ends by
/// the second one.
static bool leavesBySecond(Block *header, Block *latch) {
  llvm::SmallPtrSet<Block *, 8> goesOn;
  SmallVector<Block *> open = {latch};
  while (!open.empty()) {
    Block *block = open.pop_back_val();
    if (block != header && goesOn.insert(block).second)
      llvm::append_range(open, block->getPredecessors());
  }
  return goesOn.contains(header->getSuccessor(0)) &&
         !goesOn.contains(header->getSuccessor(1)) &&
         header->getSuccessor(1) != header;
}

static std::optional<ConstantLoop> loopOf(Block *header) {
  auto branch = dyn_cast<cf::CondBranchOp>(header->getTerminator());
  auto test = branch ? branch.getCondition().getDefiningOp<arith::CmpIOp>()
                     : arith::CmpIOp();
  APInt end, first, step;
  if (!test || test.getPredicate() != arith::CmpIPredicate::slt ||
      !matchPattern(test.getRhs(), m_ConstantInt(&end)))
    return std::nullopt;
  auto counter = dyn_cast<BlockArgument>(test.getLhs());
  if (!counter || counter.getOwner() != header)
    return std::nullopt;
  SmallVector<Value> passed = passedTo(counter);
  if (passed.size() != 2)
    return std::nullopt;
  Block *latch = *std::next(header->pred_begin());
  if (!matchPattern(passed[0], m_ConstantInt(&first))) {
    std::swap(passed[0], passed[1]);
    latch = *header->pred_begin();
  }
  auto next = passed[1].getDefiningOp<arith::AddIOp>();
  if (!matchPattern(passed[0], m_ConstantInt(&first)) || !next ||
      next.getLhs() != counter ||
      !matchPattern(next.getRhs(), m_ConstantInt(&step)) || !step.isOne() ||
      !leavesBySecond(header, latch))
    return std::nullopt;
  ConstantLoop loop{first.getSExtValue(), end.getSExtValue()};
  if (loop.first < -limit || loop.end > limit)
    return std::nullopt;
  return loop;
}

/// What a ConstantLoop passes on for an argument, and what it begins with.
static std::pair<Value, Value> carried(BlockArgument argument) {
  SmallVector<Value> passed = passedTo(argument);
  auto counter = cast<BlockArgument>(
      cast<cf::CondBranchOp>(argument.getOwner()->getTerminator())
          .getCondition()
          .getDefiningOp<arith::CmpIOp>()
          .getLhs());
  bool isFirstBack =
      passedTo(counter).front().getDefiningOp<arith::AddIOp>() != nullptr;
  return isFirstBack ? std::pair(passed[0], passed[1])
                     : std::pair(passed[1], passed[0]);
}

Found IntegerRanges::growth(Value value, BlockArgument argument) {
  // What other loops carry is not known while it is looked for.
  auto [it, isNew] = growths.try_emplace({value, argument}, std::nullopt);
  if (!isNew)
    return it->second;
  Found found = findGrowth(value, argument);
  return growths[{value, argument}] = found;
}

Found IntegerRanges::findGrowth(Value value, BlockArgument argument) {
  if (value == argument)
    return IntegerRange{0, 0};
  if (auto other = dyn_cast<BlockArgument>(value)) {
    if (other.getOwner()->isEntryBlock())
      return std::nullopt;
    if (std::optional<ConstantLoop> loop = loopOf(other.getOwner())) {
      auto [next, first] = carried(other);
      Found once = unionOf(growth(next, other), IntegerRange{0, 0});
      return sumOf(growth(first, argument),
                   productOf(once, bounded(0, loop->trips())));
    }
    Found all;
    for (auto [i, one] : llvm::enumerate(passedTo(other))) {
      Found own = growth(one, argument);
      all = i == 0 ? own : unionOf(all, own);
      if (!all)
        return std::nullopt;
    }
    return all;
  }
  Operation *op = value.getDefiningOp();
  if (auto sum = dyn_cast<arith::AddIOp>(op)) {
    if (Found one = growth(sum.getLhs(), argument))
      return sumOf(one, of(sum.getRhs()));
    return sumOf(growth(sum.getRhs(), argument), of(sum.getLhs()));
  }
  if (auto difference = dyn_cast<arith::SubIOp>(op))
    return sumOf(growth(difference.getLhs(), argument),
                 negated(of(difference.getRhs())));
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return unionOf(growth(choice.getTrueValue(), argument),
                   growth(choice.getFalseValue(), argument));
  return std::nullopt;
}

Found IntegerRanges::ofArgument(BlockArgument argument) {
  Block *block = argument.getOwner();
  if (block->isEntryBlock())
    return std::nullopt;
  if (std::optional<ConstantLoop> loop = loopOf(block)) {
    auto [next, first] = carried(argument);
    Found once = unionOf(growth(next, argument), IntegerRange{0, 0});
    return sumOf(of(first), productOf(once, bounded(0, loop->trips())));
  }
  Found all;
  for (auto [i, value] : llvm::enumerate(passedTo(argument))) {
    all = i == 0 ? of(value) : unionOf(all, of(value));
    if (!all)
      return std::nullopt;
  }
  return all;
}

Found IntegerRanges::find(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 32
               ? bounded(constant.getSExtValue(), constant.getSExtValue())
               : std::nullopt;
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i) { return of(op->getOperand(i)); };
  auto bits = [&](unsigned i) {
    return op->getOperand(i).getType().getIntOrFloatBitWidth();
  };
  if (isa<arith::ExtSIOp>(op))
    return operand(0) ? operand(0) : ofBits(bits(0), /*isSigned=*/true);
  if (isa<arith::ExtUIOp>(op)) {
    Found range = operand(0);
    return range && range->low >= 0 && bits(0) > 1
               ? range
               : ofBits(bits(0), /*isSigned=*/false);
  }
  if (isa<arith::TruncIOp>(op))
    return operand(0);
  if (isa<arith::AddIOp>(op))
    return sumOf(operand(0), operand(1));
  if (isa<arith::SubIOp>(op))
    return sumOf(operand(0), negated(operand(1)));
  if (isa<arith::MulIOp>(op))
    return productOf(operand(0), operand(1));
  if (isa<arith::SelectOp>(op))
    return unionOf(operand(1), operand(2));
  return std::nullopt;
}

/// What a loop passes on is what its header's argument can be.
Found IntegerRanges::passedOn(Value value) {
  for (OpOperand &use : value.getUses()) {
    auto branch = dyn_cast<cf::BranchOp>(use.getOwner());
    if (!branch || !loopOf(branch.getDest()))
      continue;
    BlockArgument argument =
        branch.getDest()->getArgument(use.getOperandNumber());
    if (carried(argument).first == value)
      return of(argument);
  }
  return std::nullopt;
}

Found IntegerRanges::of(Value value) {
  if (!value.getType().isInteger())
    return std::nullopt;
  // What a loop carries is not known while it is looked for.
  auto [it, isNew] = known.try_emplace(value, std::nullopt);
  if (!isNew)
    return it->second;
  Found found = find(value), passed = passedOn(value);
  if (found && passed)
    found = {std::max(found->low, passed->low),
             std::min(found->high, passed->high)};
  else if (passed)
    found = passed;
  if (!found || !fits(*found, value.getType()))
    found = ofBits(value.getType().getIntOrFloatBitWidth(), /*isSigned=*/true);
  return known[value] = found;
}
