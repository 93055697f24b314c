//===- LoopLowering.cpp - one loop as control flow ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/LoopLowering.h"

#include "dialects/LoopToLLVM/LoopSkeleton.h"
#include "dialects/LoopToLLVM/ScanLowering.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {

class ParallelLowering : LoopSkeleton {
public:
  using LoopSkeleton::LoopSkeleton;
  void parallel(ParallelOp op);

private:
  bool mayRunTogether(ParallelOp op) const;
  Value runTogether(ParallelOp op, Value trips);
  void sharedRange(ParallelOp op, Value trips);
  void sharedProduct(ParallelOp op, ArrayRef<Value> trips);
  void nestedProduct(ParallelOp op, ArrayRef<Value> trips);
};

} // namespace

/// Iterations that a lane runs together.
static constexpr unsigned together = 4;

/// Whether copies of the body are cheap, and all loads can come first: the
/// iterations are independent.
bool ParallelLowering::mayRunTogether(ParallelOp op) const {
  constexpr unsigned maxOperations = 32, operationsOfCall = 8;
  if (!op.getBody().hasOneBlock())
    return false;
  unsigned operations = 0;
  bool hasStored = false;
  const bool isAsked = op->hasAttr(togetherAttribute);
  for (Operation &inner : op.entry().without_terminator()) {
    bool isCall = isa<func::CallOp>(inner);
    bool isLoad = isa<LoadOp, LoadChunkOp>(inner);
    bool isStore = isa<StoreOp>(inner) || (isAsked && isa<AccumulateOp>(inner));
    operations += isCall ? operationsOfCall : 1;
    if (!isCall && !isStore && !isLoad && !isMemoryEffectFree(&inner))
      return false;
    // An iteration may read what it has written.
    if (hasStored && isLoad && !isAsked)
      return false;
    hasStored |= isStore;
  }
  return isAsked || operations <= maxOperations;
}

/// Emits a loop that runs several iterations at once while the last of them is
/// before `trips`. Returns the first iteration that remains, at whose block the
/// builder continues.
Value ParallelLowering::runTogether(ParallelOp op, Value trips) {
  Value group = GroupSizeOp::create(b, b.getI64Type());
  Block *header = newBlock(1), *body = newBlock(0), *rest = newBlock(0);
  cf::BranchOp::create(b, header,
                       ValueRange{LaneOp::create(b, b.getI64Type())});
  b.setInsertionPointToEnd(header);
  SmallVector<Value> places = {header->getArgument(0)};
  for (unsigned i = 0; i < together; ++i)
    places.push_back(fold<arith::AddIOp>(places.back(), group));
  cf::CondBranchOp::create(
      b, compare(Predicate::slt, places[together - 1], trips), body, rest);
  b.setInsertionPointToEnd(body);
  SmallVector<IRMapping> maps(together);
  for (bool isStoring : {false, true})
    for (auto [map, place] : llvm::zip(maps, places)) {
      if (!isStoring)
        map.map(op.entry().getArgument(0),
                inductionValue(op.getLower()[0], op.getStep()[0], place));
      for (Operation &inner : op.entry().without_terminator())
        if (isa<StoreOp, AccumulateOp>(inner) == isStoring)
          b.clone(inner, map);
    }
  cf::BranchOp::create(b, header, ValueRange{places[together]});
  b.setInsertionPointToEnd(rest);
  return places[0];
}

/// Emits the loop over one range.
void ParallelLowering::sharedRange(ParallelOp op, Value trips) {
  Value first = mayRunTogether(op) ? runTogether(op, trips)
                                   : LaneOp::create(b, b.getI64Type());
  Block *header = newBlock(1);
  cf::BranchOp::create(b, header, ValueRange{first});
  SmallVector<YieldOp> yields = yieldsOf(op.getBody());
  Value k = header->getArgument(0);
  Block *body = inlineBody(op.getBody(), [&]() -> SmallVector<Value> {
    return {inductionValue(op.getLower()[0], op.getStep()[0], k)};
  });
  b.setInsertionPointToEnd(header);
  cf::CondBranchOp::create(b, compare(Predicate::slt, k, trips), body, after);
  for (YieldOp yield : yields) {
    b.setInsertionPoint(yield);
    Value group = GroupSizeOp::create(b, b.getI64Type());
    cf::BranchOp::create(b, header, ValueRange{fold<arith::AddIOp>(k, group)});
    yield.erase();
  }
}

/// Emits one loop over the product of the ranges, without division inside. A
/// lane starts at its own number and adds the group's size, digit by digit.
void ParallelLowering::sharedProduct(ParallelOp op, ArrayRef<Value> trips) {
  unsigned rank = trips.size();
  Value lane = LaneOp::create(b, b.getI64Type());
  Value group = GroupSizeOp::create(b, b.getI64Type());
  Value total = trips[0];
  for (Value trip : trips.drop_front())
    total = fold<arith::MulIOp>(total, trip);
  // The digits of the start and of the stride. An empty range divides by 1.
  SmallVector<Value> first(rank + 1), digits(rank);
  first[0] = lane;
  Value laneRest = lane, groupRest = group;
  for (unsigned d = rank - 1; d > 0; --d) {
    Value radix = fold<arith::MaxSIOp>(trips[d], constant(1));
    first[d + 1] = fold<arith::RemUIOp>(laneRest, radix);
    laneRest = fold<arith::DivUIOp>(laneRest, radix);
    digits[d] = fold<arith::RemUIOp>(groupRest, radix);
    groupRest = fold<arith::DivUIOp>(groupRest, radix);
  }
  first[1] = laneRest;
  digits[0] = groupRest;

  Block *header = newBlock(rank + 1);
  cf::BranchOp::create(b, header, first);
  SmallVector<YieldOp> yields = yieldsOf(op.getBody());
  Block *body = inlineBody(op.getBody(), [&] {
    SmallVector<Value> values;
    for (unsigned d = 0; d < rank; ++d)
      values.push_back(inductionValue(op.getLower()[d], op.getStep()[d],
                                      header->getArgument(d + 1)));
    return values;
  });
  b.setInsertionPointToEnd(header);
  cf::CondBranchOp::create(
      b, compare(Predicate::slt, header->getArgument(0), total), body, after);

  Block *latch = newBlock(0);
  for (YieldOp yield : yields) {
    b.setInsertionPoint(yield);
    cf::BranchOp::create(b, latch);
    yield.erase();
  }
  b.setInsertionPointToEnd(latch);
  SmallVector<Value> next(rank + 1);
  next[0] = fold<arith::AddIOp>(header->getArgument(0), group);
  Value carry = constant(0);
  for (unsigned d = rank - 1; d > 0; --d) {
    Value sum = fold<arith::AddIOp>(
        fold<arith::AddIOp>(header->getArgument(d + 1), digits[d]), carry);
    Value isOver = compare(Predicate::sge, sum, trips[d]);
    next[d + 1] = select(isOver, fold<arith::SubIOp>(sum, trips[d]), sum);
    carry = arith::ExtUIOp::create(b, b.getI64Type(), isOver);
  }
  next[1] = fold<arith::AddIOp>(
      fold<arith::AddIOp>(header->getArgument(1), digits[0]), carry);
  cf::BranchOp::create(b, header, next);
}

void ParallelLowering::nestedProduct(ParallelOp op, ArrayRef<Value> trips) {
  SmallVector<Block *> headers;
  for (size_t d = 0; d < trips.size(); ++d)
    headers.push_back(newBlock(1));
  cf::BranchOp::create(b, headers.front(), ValueRange{constant(0)});
  SmallVector<YieldOp> yields = yieldsOf(op.getBody());
  Block *body = inlineBody(op.getBody(), [&] {
    SmallVector<Value> values;
    for (auto [lower, step, header] :
         llvm::zip(op.getLower(), op.getStep(), headers))
      values.push_back(inductionValue(lower, step, header->getArgument(0)));
    return values;
  });
  auto advance = [&](Block *header) {
    Value next = fold<arith::AddIOp>(header->getArgument(0), constant(1));
    return cf::BranchOp::create(b, header, ValueRange{next});
  };
  Block *exit = after;
  for (auto [d, header] : llvm::enumerate(headers)) {
    bool isInnermost = d + 1 == headers.size();
    Block *inner = isInnermost ? body : newBlock(0);
    b.setInsertionPointToEnd(header);
    Value more = compare(Predicate::slt, header->getArgument(0), trips[d]);
    cf::CondBranchOp::create(b, more, inner, exit);
    if (isInnermost)
      break;
    b.setInsertionPointToEnd(inner);
    cf::BranchOp::create(b, headers[d + 1], ValueRange{constant(0)});
    exit = newBlock(0);
    b.setInsertionPointToEnd(exit);
    advance(header);
  }
  for (YieldOp yield : yields) {
    b.setInsertionPoint(yield);
    auto latch = advance(headers.back());
    if (style.marksVectors && yields.size() == 1)
      latch->setAttr(vectorLatch, b.getBoolAttr(true));
    yield.erase();
  }
}

void ParallelLowering::parallel(ParallelOp op) {
  SmallVector<Value> trips;
  for (auto [lower, upper, step] :
       llvm::zip(op.getLower(), op.getUpper(), op.getStep()))
    trips.push_back(tripCount(lower, upper, step));
  if (style.isShared && trips.size() == 1)
    sharedRange(op, trips[0]);
  else if (style.isShared)
    sharedProduct(op, trips);
  else
    nestedProduct(op, trips);
}

void kern::ir::loop::lowerLoop(Operation *loop, LoopStyle style) {
  if (auto reduce = dyn_cast<ReduceOp>(loop))
    lowerReduce(reduce, style);
  else if (auto scan = dyn_cast<ScanOp>(loop))
    lowerScan(scan, style);
  else
    ParallelLowering(loop, style).parallel(cast<ParallelOp>(loop));
  loop->erase();
}
