//===- OrderedReads.cpp - lanes that read for loops in order --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/LoopMappings/OrderedLoop.h"
#include "dialects/LoopMappings/StagePlan.h"
#include "dialects/LoopToLLVM/GroupSharing.h"
#include "dialects/LoopToLLVM/IndexBuilder.h"
#include "dialects/LoopToLLVM/KernelFacts.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {
/// A loop, and what its iterations read one after the other.
struct OrderedReads {
  OrderedLoop loop;
  SmallVector<LoadOp> loads;
};
} // namespace

/// The arrays that a loop writes to.
static llvm::SmallPtrSet<Value, 4> writtenIn(const OrderedLoop &loop) {
  llvm::SmallPtrSet<Value, 4> written;
  for (Block *block : loop.blocks)
    block->walk([&](Operation *op) {
      if (isa<StoreOp, AccumulateOp>(op))
        written.insert(accessedArray(op));
    });
  return written;
}

static SmallVector<LoadOp> readsOf(const OrderedLoop &loop,
                                   DominanceInfo &dominance) {
  constexpr size_t most = 4; // each has registers for five elements
  auto written = writtenIn(loop);
  SmallVector<LoadOp> loads;
  for (Block &block : *loop.head->getParent())
    if (loop.blocks.contains(&block))
      for (auto load : block.getOps<LoadOp>())
        if (loads.size() < most && isa<BlockArgument>(load.getArray()) &&
            !isa<ComplexType>(load.getType()) &&
            !written.contains(load.getArray()) &&
            loop.runsAlways(load, dominance) && loop.dimensionOf(load))
          loads.push_back(load);
  return loads;
}

static SmallVector<OrderedReads> findReads(KernelOp kernel) {
  SmallVector<OrderedReads> found;
  if (kernel.isUfunc() || kernel.getChecks() || !hasOrderedLoops(kernel))
    return found;
  DominanceInfo dominance(kernel);
  CFGLoopInfo nests(dominance.getDomTree(&kernel.getBody()));
  for (Block &block : kernel.getBody()) {
    Found<OrderedLoop> loop = loopAfter(kernel, &block);
    CFGLoop *nest = loop ? nests.getLoopFor(loop->head) : nullptr;
    if (!nest || !nest->getSubLoops().empty())
      continue;
    if (SmallVector<LoadOp> loads = readsOf(*loop, dominance); !loads.empty())
      found.push_back({*loop, std::move(loads)});
  }
  return found;
}

namespace {

class Reader : IndexBuilder {
public:
  Reader(KernelOp kernel, OrderedReads &reads, Value lane)
      : IndexBuilder(kernel.getLoc(), kernel.getContext()), kernel(kernel),
        loop(reads.loop), loads(reads.loads), lane(lane) {}
  void run();

private:
  static constexpr int64_t lanes = 32; ///< of a warp
  static constexpr size_t ahead = 4;   ///< strips of so many iterations

  Block *makeBlock(bool hasArguments);
  Value indexOf(ValueRange arguments) {
    return arguments[loop.index.getArgNumber()];
  }
  /// This lane's elements of the strip from `first` on, one for each load.
  SmallVector<Value> read(Value first);
  /// What an iteration reads, in the order of the loads.
  SmallVector<Value> elementsOf(Value iteration);
  void makeStrips();
  void makeGroups();

  KernelOp kernel;
  OrderedLoop &loop;
  ArrayRef<LoadOp> loads;
  Value lane;
  Block *strips = nullptr;
  Value first, limit;      ///< iterations of a strip
  SmallVector<Value> mine; ///< this lane's elements of the strip
  cf::BranchOp start;      ///< of its iterations
};

} // namespace

Block *Reader::makeBlock(bool hasArguments) {
  Block *block = new Block;
  kernel.getBody().getBlocks().insert(loop.head->getIterator(), block);
  if (hasArguments)
    for (BlockArgument argument : loop.head->getArguments())
      block->addArgument(argument.getType(), argument.getLoc());
  return block;
}

/// Beyond the loop's end lanes read its last element.
SmallVector<Value> Reader::read(Value first) {
  Value last = fold<arith::SubIOp>(loop.bound, constant(1));
  Value at = fold<arith::MinSIOp>(fold<arith::AddIOp>(first, lane), last);
  SmallVector<Value> elements;
  for (LoadOp load : loads)
    elements.push_back(LoadOp::create(b, load.getType(), load.getArray(),
                                      loop.indicesAt(b, load, at)));
  return elements;
}

SmallVector<Value> Reader::elementsOf(Value iteration) {
  Value place = fold<arith::AndIOp>(fold<arith::SubIOp>(iteration, first),
                                    constant(lanes - 1));
  SmallVector<Value> elements;
  for (Value value : mine)
    elements.push_back(OfLaneOp::create(b, value.getType(), value, place));
  return elements;
}

/// A loop over strips, each of which reads the one that is `ahead` of it.
void Reader::makeStrips() {
  auto enter = cast<cf::BranchOp>(loop.preheader->getTerminator());
  strips = makeBlock(/*hasArguments=*/true);
  Block *begin = makeBlock(false), *some = makeBlock(false);
  loop.replaceOutside(strips->getArguments());
  const unsigned carried = strips->getNumArguments();
  for (size_t k = 0; k < ahead; ++k)
    for (LoadOp load : loads)
      strips->addArgument(load.getType(), load.getLoc());

  b.setInsertionPoint(enter);
  SmallVector<Value> values(enter.getDestOperands()), nothing = values;
  for (size_t k = 0; k < ahead; ++k)
    for (LoadOp load : loads)
      nothing.push_back(
          arith::ConstantOp::create(b, b.getZeroAttr(load.getType())));
  cf::CondBranchOp::create(b, compare(Predicate::slt, constant(0), loop.bound),
                           some, ValueRange(), strips, nothing);
  enter.erase();
  b.setInsertionPointToEnd(some);
  for (size_t k = 0; k < ahead; ++k)
    llvm::append_range(values, read(constant(int64_t(k) * lanes)));
  cf::BranchOp::create(b, strips, values);

  b.setInsertionPointToEnd(strips);
  SmallVector<Value> arguments(strips->getArguments().take_front(carried));
  ArrayRef<BlockArgument> queue = strips->getArguments().drop_front(carried);
  first = indexOf(arguments);
  mine.assign(queue.begin(), queue.begin() + ptrdiff_t(loads.size()));
  cf::CondBranchOp::create(b, compare(Predicate::slt, first, loop.bound), begin,
                           loop.exit);
  b.setInsertionPointToEnd(begin);
  SmallVector<Value> next(queue.drop_front(loads.size()));
  llvm::append_range(
      next, read(fold<arith::AddIOp>(first, constant(int64_t(ahead) * lanes))));
  limit = fold<arith::MinSIOp>(fold<arith::AddIOp>(first, constant(lanes)),
                               loop.bound);
  start = cf::BranchOp::create(b, loop.head, arguments);

  Block *end = makeBlock(false);
  auto test = cast<cf::CondBranchOp>(loop.head->getTerminator());
  b.setInsertionPoint(test);
  cf::CondBranchOp::create(b, compare(Predicate::slt, loop.index, limit),
                           loop.body, end);
  test.erase();
  b.setInsertionPointToEnd(end);
  SmallVector<Value> after(loop.head->getArguments());
  llvm::append_range(after, next);
  cf::BranchOp::create(b, strips, after);
}

/// A loop over groups of iterations before the loop over single ones. Lanes
/// give one another the elements of a group while the one before it is
/// computed.
void Reader::makeGroups() {
  constexpr unsigned longGroup = 256;
  int64_t size = 8;
  unsigned operations = 0;
  for (Block *block : loop.blocks)
    operations += unsigned(llvm::range_size(*block));
  while (size > 1 && operations * size > longGroup)
    size /= 2;
  if (size == 1)
    return;
  // Behind the strip's end these are elements from its beginning, for nobody.
  auto groupAt = [&](Value iteration) {
    SmallVector<Value> elements;
    for (int64_t k = 0; k < size; ++k)
      llvm::append_range(
          elements, elementsOf(fold<arith::AddIOp>(iteration, constant(k))));
    return elements;
  };
  Block *groups = makeBlock(/*hasArguments=*/true), *body = makeBlock(false);
  const unsigned carried = groups->getNumArguments();
  b.setInsertionPoint(start);
  SmallVector<Value> entry(start.getDestOperands());
  llvm::append_range(entry, groupAt(first));
  for (Value value : ArrayRef(entry).drop_front(carried))
    groups->addArgument(value.getType(), value.getLoc());
  cf::BranchOp::create(b, groups, entry);
  start.erase();
  b.setInsertionPointToEnd(groups);
  SmallVector<Value> next(groups->getArguments().take_front(carried));
  Value after = fold<arith::AddIOp>(indexOf(next), constant(size));
  cf::CondBranchOp::create(b, compare(Predicate::sle, after, limit), body,
                           ValueRange(), loop.head, next);
  b.setInsertionPointToEnd(body);
  const SmallVector<Value> ahead = groupAt(after);
  const llvm::SmallPtrSet<Operation *, 4> read(loads.begin(), loads.end());
  for (int64_t k = 0; k < size; ++k) {
    IRMapping map;
    for (auto [j, load] : llvm::enumerate(loads)) {
      LoadOp op = load;
      map.map(op.getResult(),
              groups->getArgument(carried +
                                  unsigned(k) * unsigned(loads.size()) +
                                  unsigned(j)));
    }
    next = loop.copyIteration(b, next, map, read);
  }
  llvm::append_range(next, ahead);
  cf::BranchOp::create(b, groups, next);
}

void Reader::run() {
  makeStrips();
  makeGroups();
  b.setInsertionPointToStart(loop.body);
  SmallVector<Value> elements = elementsOf(loop.index);
  for (auto [load, element] : llvm::zip(loads, elements)) {
    LoadOp op = load;
    op.getResult().replaceAllUsesWith(element);
    op.erase();
  }
}

bool kern::ir::loop::canReadTogether(KernelOp kernel) {
  return !findReads(kernel).empty();
}

void kern::ir::loop::readTogether(KernelOp kernel) {
  SmallVector<OrderedReads> all = findReads(kernel);
  if (all.empty())
    return;
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPointToStart(&kernel.entry());
  Value lane = arith::AndIOp::create(
      b, LaneOp::create(b, b.getI64Type()),
      arith::ConstantOp::create(b, b.getI64IntegerAttr(31)));
  for (OrderedReads &reads : all)
    Reader(kernel, reads, lane).run();
  kernel->setAttr(warpsAttribute, b.getUnitAttr());
}
