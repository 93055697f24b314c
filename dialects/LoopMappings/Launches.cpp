//===- Launches.cpp - which launch a loop runs in -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Launches.h"

#include "dialects/LoopMappings/Recentre.h"
#include "dialects/LoopToLLVM/GroupSharing.h"
#include "runtime/artefact/Nest.h"

using namespace mlir;
using namespace kern::ir::loop;

void Touched::add(Operation *site) {
  site->walk([&](Operation *op) {
    Value array = accessedArray(op);
    if (!array)
      return;
    if (!isa<StoreOp>(op))
      read.insert(array);
    if (!isa<LoadOp>(op))
      written.insert(array);
  });
}

bool Touched::conflictsWith(const Touched &earlier) const {
  auto meet = [](const auto &a, const auto &b) {
    return llvm::any_of(a, [&](Value array) { return b.contains(array); });
  };
  return meet(earlier.written, read) || meet(earlier.written, written) ||
         meet(earlier.read, written);
}

unsigned kern::ir::loop::turnsOf(Operation *loop) {
  auto scan = dyn_cast<ScanOp>(loop);
  return scan && !scan.getWrite().empty() ? 2 : 1;
}

unsigned Launches::after(Operation *op) {
  unsigned launch = 0;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      launch = std::max(launch, known.lookup(operand));
  });
  return launch;
}

bool Launches::mayRepeat(Operation &op, const Touched &all) {
  if (auto load = dyn_cast<LoadOp>(op))
    return !all.written.contains(load.getArray());
  // The place of a store must not depend on a reduction that is not complete.
  if (auto store = dyn_cast<StoreOp>(op))
    return llvm::all_of(store.getIndices(),
                        [&](Value index) { return known.lookup(index) == 0; });
  return isMemoryEffectFree(&op);
}

unsigned Launches::afterConflicts(const Touched &mine, unsigned launch) {
  for (const Earlier &one : earlier)
    if (mine.conflictsWith(one.touched)) {
      areSeparate = false;
      launch = std::max(launch, one.end);
    }
  return launch;
}

/// Blocks have copies of an array into which iterations accumulate.
static bool isAccumulated(LocalOp local) {
  return llvm::any_of(local->getUsers(), llvm::IsaPred<AccumulateOp>);
}

void Launches::placeStores(ArrayRef<StoreOp> stores) {
  Touched mine;
  unsigned launch = 0;
  for (StoreOp store : stores) {
    mine.add(store);
    launch = std::max(launch, after(store));
  }
  launch = afterConflicts(mine, launch);
  placed.push_back({SmallVector<StoreOp>(stores), launch});
  last = std::max(last, launch);
  earlier.push_back({std::move(mine), launch + 1});
}

ReduceOp Launches::earlierSum(ReduceOp squares, unsigned launch) {
  ReduceOp sum = recentres ? sumOfSameValues(squares) : nullptr;
  return sum && ofLoop.lookup(sum) < launch ? sum : nullptr;
}

Found<unsigned> Launches::find(KernelOp kernel) {
  if (kernel.isUfunc() || kernel.getChecks())
    return {};
  Operation *lastLoop = nullptr;
  Touched byLoops;
  for (Block &block : kernel.getBody())
    for (Operation &op : block)
      if (isa<ParallelOp, ReduceOp, ScanOp>(op)) {
        lastLoop = &op;
        byLoops.add(&op);
      }
  if (!lastLoop)
    return {};
  if (!kernel.getBody().hasOneBlock())
    return Obstacle{"a branch or a loop in order is around this loop",
                    lastLoop->getLoc()};
  Touched all(kernel);
  SmallVector<StoreOp> stores;
  for (Operation &op : kernel.entry()) {
    bool isEnd = op.hasTrait<OpTrait::IsTerminator>();
    bool isLoop = isa<ParallelOp, ReduceOp, ScanOp>(op);
    if ((isLoop || isEnd) && !stores.empty()) {
      placeStores(stores);
      stores.clear();
    }
    unsigned launch = after(&op);
    if (auto local = dyn_cast<LocalOp>(op); local && !isAccumulated(local)) {
      known[local] = launch;
      if (local.getZeroed()) {
        ofLoop[&op] = launch;
        last = std::max(last, launch);
        Touched mine;
        mine.written.insert(local);
        earlier.push_back({std::move(mine), launch + 1});
      }
      continue;
    }
    if (!isLoop) {
      auto store = dyn_cast<StoreOp>(op);
      if (store && byLoops.contains(store.getArray())) {
        stores.push_back(store);
        continue;
      }
      if (!isEnd && !mayRepeat(op, all))
        return Obstacle{isa<LoadOp>(op) ? "`{0}` is read beside the loops, "
                                          "one of which writes it"
                        : store ? "a loop's result says where `{0}` is written"
                                : "this is between loops",
                        op.getLoc()};
      for (Value result : op.getResults())
        known[result] = launch;
      if (isEnd || store)
        last = std::max(last, launch);
      continue;
    }
    auto reduce = dyn_cast<ReduceOp>(op);
    // The place of an extremum is found by running its iteration again.
    if (runsInOrder(&op))
      return Obstacle{"its iterations add floats up, in order", op.getLoc()};
    if (reduce && isArg(reduce.getKind()) && !reduce.getBody().hasOneBlock())
      return Obstacle{"it seeks a position among elements that an `if` chooses",
                      op.getLoc()};
    areSeparate &= !isa<ScanOp>(op);
    Touched mine(&op);
    unsigned complete = launch; // when results and the centre are known
    if (ReduceOp sum = reduce ? earlierSum(reduce, launch) : nullptr) {
      recentred[&op] = sum;
      launch = ofLoop.lookup(sum);
    }
    launch = afterConflicts(mine, launch);
    ofLoop[&op] = launch;
    complete = std::max(complete, launch + 1);
    for (Value result : op.getResults())
      known[result] = complete;
    last = std::max(last, launch + turnsOf(&op) - 1);
    earlier.push_back({std::move(mine), launch + turnsOf(&op)});
  }
  if (last < kern::runtime::maxLaunches)
    return last + 1;
  return Obstacle{"too many loops depend on one another", lastLoop->getLoc()};
}
