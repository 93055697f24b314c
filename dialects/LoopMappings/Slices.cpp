//===- Slices.cpp - loops in slices ---------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Slices.h"

#include "dialects/LoopToLLVM/Extents.h"
#include "dialects/LoopToLLVM/GroupSharing.h"
#include "dialects/LoopToLLVM/IndexBuilder.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/Ranges.h"
#include "runtime/artefact/Nest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;

//===----------------------------------------------------------------------===//
// Which launch a loop runs in
//===----------------------------------------------------------------------===//

namespace {

/// The arrays that an operation, with its regions, reads and writes.
struct Touched {
  SmallPtrSet<Value, 4> read, written;

  explicit Touched(Operation *site) {
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
  bool conflictsWith(const Touched &earlier) const {
    auto meet = [](const auto &a, const auto &b) {
      return llvm::any_of(a, [&](Value array) { return b.contains(array); });
    };
    return meet(earlier.written, read) || meet(earlier.written, written) ||
           meet(earlier.read, written);
  }
};

/// The launches of one loop. A scan that stores what it reaches does so after
/// the slices before are combined.
unsigned turnsOf(Operation *loop) {
  auto scan = dyn_cast<ScanOp>(loop);
  return scan && !scan.getWrite().empty() ? 2 : 1;
}

/// The first launch of each loop of a kernel.
class Launches {
public:
  explicit Launches(KernelOp kernel);

  unsigned count = 0; ///< of launches; 0: the loops cannot be cut
  llvm::SmallMapVector<Operation *, unsigned, 4> ofLoop;

private:
  /// The first launch in which all results that `op` uses, with its regions,
  /// are known.
  unsigned after(Operation *op) {
    unsigned launch = 0;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        launch = std::max(launch, known.lookup(operand));
    });
    return launch;
  }
  /// Whether an operation beside the loops may run in every launch.
  bool mayRepeat(Operation &op, const Touched &kernel, bool isLast);

  llvm::DenseMap<Value, unsigned> known; ///< from which launch on
};

} // namespace

bool Launches::mayRepeat(Operation &op, const Touched &all, bool isLast) {
  if (auto load = dyn_cast<LoadOp>(op))
    return !all.written.contains(load.getArray());
  // Where it stores must not follow from a reduction that is still under way.
  if (auto store = dyn_cast<StoreOp>(op))
    return isLast && llvm::all_of(store.getIndices(), [&](Value index) {
             return known.lookup(index) == 0;
           });
  return isMemoryEffectFree(&op);
}

Launches::Launches(KernelOp kernel) {
  if (kernel.isUfunc() || kernel.getChecks() || !kernel.getBody().hasOneBlock())
    return;
  Touched all(kernel);
  Operation *lastLoop = nullptr;
  for (Operation &op : kernel.entry())
    if (isa<ParallelOp, ReduceOp, ScanOp>(op))
      lastLoop = &op;
  if (!lastLoop)
    return;
  unsigned needed = 0;
  SmallVector<std::pair<Operation *, Touched>> earlier;
  for (Operation &op : kernel.entry()) {
    unsigned launch = after(&op);
    if (!isa<ParallelOp, ReduceOp, ScanOp>(op)) {
      bool isEnd = op.hasTrait<OpTrait::IsTerminator>();
      bool isLast = lastLoop->isBeforeInBlock(&op);
      if (!isEnd && !mayRepeat(op, all, isLast))
        return;
      for (Value result : op.getResults())
        known[result] = launch;
      if (isEnd || isa<StoreOp>(op))
        needed = std::max(needed, launch);
      continue;
    }
    auto reduce = dyn_cast<ReduceOp>(op);
    // The place of an extremum is found by running its iteration again.
    if (runsInOrder(&op) ||
        (reduce && isArg(reduce.getKind()) && !reduce.getBody().hasOneBlock()))
      return;
    bool hasSlot = false;
    op.walk([&](LocalOp local) { hasSlot |= local.getSlot().has_value(); });
    if (hasSlot)
      return;
    Touched mine(&op);
    for (const auto &[loop, touched] : earlier)
      if (mine.conflictsWith(touched))
        launch = std::max(launch, ofLoop[loop] + turnsOf(loop));
    ofLoop[&op] = launch;
    for (Value result : op.getResults())
      known[result] = launch + 1;
    needed = std::max(needed, launch + turnsOf(&op) - 1);
    earlier.push_back({&op, std::move(mine)});
  }
  if (needed < kern::runtime::maxLaunches)
    count = needed + 1;
}

unsigned kern::ir::loop::slicedLaunches(KernelOp kernel) {
  return Launches(kernel).count;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {

class Slicer : IndexBuilder {
public:
  explicit Slicer(KernelOp kernel)
      : IndexBuilder(kernel.getLoc(), kernel.getContext()), kernel(kernel) {
    kernel->walk([&](LocalOp local) {
      if (local.getSlot())
        slots = std::max(slots, int64_t(*local.getSlot()) + 1);
    });
  }
  void run();

private:
  /// The part of a range that this slice runs now, as numbers of iterations.
  struct Part {
    Value trips; ///< of the whole range
    Value count; ///< of slices with iterations
    Value begin, end;
    Value isNow; ///< the loop runs in this launch
  };
  Part partOf(Value lower, Value upper, Value step, unsigned turn);
  void cut(ParallelOp loop, unsigned turn);
  void cut(ReduceOp loop, unsigned turn);
  void cut(ScanOp loop, unsigned turn);
  /// A scan without stores whose elements are the slices' results, below
  /// `count`.
  ScanOp combineSlices(ScanOp like, ArrayRef<Value> results, Value count);
  /// An array with a value of each slice. Stores `mine` as this slice's.
  Value keep(Value mine, Value isNow);
  Value load(Value array, Value index) {
    Type type = cast<ArrayType>(array.getType()).getElementType();
    return LoadOp::create(b, type, array, index);
  }

  KernelOp kernel;
  int64_t slots = 0;
  Value launch, number, slices;
};

} // namespace

/// Parts begin at multiples of so many iterations, so that what was aligned
/// stays so.
static constexpr int64_t unit = 256;

Slicer::Part Slicer::partOf(Value lower, Value upper, Value step,
                            unsigned turn) {
  Value trips = tripCount(b, lower, upper, step);
  // A kernel has at least one slice.
  Value whole = fold<arith::MulIOp>(slices, constant(unit));
  Value units = arith::DivUIOp::create(
      b, fold<arith::AddIOp>(trips, fold<arith::SubIOp>(whole, constant(1))),
      whole);
  Value size = fold<arith::MulIOp>(units, constant(unit));
  Value isNow = compare(Predicate::eq, launch, constant(turn));
  Value count = arith::CeilDivUIOp::create(
      b, trips, arith::MaxUIOp::create(b, size, constant(1)));
  Value begin =
      arith::MinUIOp::create(b, fold<arith::MulIOp>(number, size), trips);
  Value end =
      arith::MinUIOp::create(b, fold<arith::AddIOp>(begin, size), trips);
  return {trips, count, begin, select(isNow, end, begin), isNow};
}

void Slicer::cut(ParallelOp loop, unsigned turn) {
  Value lower = loop.getLower()[0], step = loop.getStep()[0];
  Part part = partOf(lower, loop.getUpper()[0], step, turn);
  loop.getLowerMutable()[0].set(inductionValue(b, lower, step, part.begin));
  loop.getUpperMutable()[0].set(inductionValue(b, lower, step, part.end));
}

Value Slicer::keep(Value mine, Value isNow) {
  OpBuilder::InsertionGuard guard(b);
  auto type = ArrayType::get(b.getContext(), mine.getType(), 1);
  std::string bytes = std::to_string(storedSize(mine.getType()));
  Value array;
  {
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(&kernel.entry());
    Value count = fold<arith::AddIOp>(slices, constant(1));
    array = LocalOp::create(b, type, ValueRange{count}, /*zeroed=*/false,
                            b.getStrArrayAttr({bytes}),
                            b.getI64IntegerAttr(slots++), /*per_lane=*/false,
                            /*per_slice=*/true,
                            /*shared=*/false);
  }
  // The place behind the last slice takes what no launch needs.
  StoreOp::create(b, mine, array, ValueRange{select(isNow, number, slices)});
  return array;
}

void Slicer::cut(ReduceOp loop, unsigned turn) {
  ReduceKind kind = loop.getKind();
  Value lower = loop.getLower(), step = loop.getStep();
  Part part = partOf(lower, loop.getUpper(), step, turn);
  loop.getLowerMutable().set(inductionValue(b, lower, step, part.begin));
  loop.getUpperMutable().set(inductionValue(b, lower, step, part.end));

  // The slice's results.
  b.setInsertionPointAfter(loop);
  Value mine = loop.getResult(), zero = constant(0);
  if (isArg(kind)) {
    Value isAny = compare(Predicate::sge, mine, zero);
    mine = select(isAny, fold<arith::AddIOp>(part.begin, mine), mine);
  }
  Value partials = keep(mine, part.isNow);
  Value kept;
  if (loop.getKept())
    kept = keep(loop.getKept(), part.isNow);

  // Later launches combine them.
  Value isLater = compare(Predicate::sgt, launch, constant(turn));
  Value isAny =
      fold<arith::AndIOp>(isLater, compare(Predicate::sgt, part.trips, zero));
  Value count = select(isAny, slices, zero);
  auto all = ReduceOp::create(b, kind, loop.getValueType(), zero, count,
                              constant(1), bool(kept));
  SmallVector<Value> combined(all.getResults());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(&all.entry());
    Value index = all.inductionVar();
    SmallVector<Value> yielded;
    if (isArg(kind)) {
      Value place = load(partials, index);
      Value isValid = compare(Predicate::sge, place, constant(0));
      Value first = arith::MaxSIOp::create(b, place, constant(0));
      IRMapping map;
      map.map(loop.inductionVar(), inductionValue(b, lower, step, first));
      for (Operation &op : loop.entry().without_terminator())
        b.clone(op, map);
      Value value = loop.entry().getTerminator()->getOperand(0);
      yielded = {map.lookupOrDefault(value), isValid};
    } else {
      yielded = {load(partials, index)};
    }
    if (kept) {
      Value count = load(kept, index);
      Value isAny = compare(Predicate::sgt, count, constant(0));
      if (yielded.size() == 2)
        isAny = fold<arith::AndIOp>(yielded[1], isAny);
      yielded.resize(1);
      yielded.append({isAny, count});
    }
    YieldOp::create(b, yielded);
  }
  if (isArg(kind)) {
    Value winner = combined[0];
    Value isFound = compare(Predicate::sge, winner, zero);
    Value place = load(partials, arith::MaxSIOp::create(b, winner, zero));
    combined[0] = select(isFound, place, winner);
  }
  SmallPtrSet<Operation *, 8> mineOnly;
  for (Operation *op = loop->getNextNode(); op != all; op = op->getNextNode())
    mineOnly.insert(op);
  for (auto [before, after] : llvm::zip(loop.getResults(), combined))
    before.replaceUsesWithIf(after, [&](OpOperand &use) {
      return !mineOnly.contains(use.getOwner());
    });
}

ScanOp Slicer::combineSlices(ScanOp like, ArrayRef<Value> results,
                             Value count) {
  auto all =
      ScanOp::create(b, like.getTotals().getTypes(), constant(0), count,
                     constant(1), like.getInitial(), like.getHasInitial());
  IRMapping map;
  like.getCombine().cloneInto(&all.getCombine(), map);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&all.getElements());
  Value index =
      all.getElements().front().addArgument(b.getI64Type(), b.getLoc());
  SmallVector<Value> loaded;
  for (Value array : results)
    loaded.push_back(load(array, index));
  GiveOp::create(b, loaded);
  return all;
}

/// First each slice combines its elements. What the slices before it are
/// combined to comes before its first element then.
void Slicer::cut(ScanOp loop, unsigned turn) {
  const bool writes = !loop.getWrite().empty();
  Value lower = loop.getLower(), step = loop.getStep();
  auto cutTo = [&](ScanOp scan, const Part &part) {
    scan.getLowerMutable().set(inductionValue(b, lower, step, part.begin));
    scan.getUpperMutable().set(inductionValue(b, lower, step, part.end));
  };
  Part part = partOf(lower, loop.getUpper(), step, turn);
  Value no = arith::ConstantOp::create(b, b.getBoolAttr(false));
  auto mine = cast<ScanOp>(b.clone(*loop));
  mine.getWrite().getBlocks().clear();
  mine.getHasInitialMutable().set(no);
  cutTo(mine, part);
  SmallVector<Value> results;
  for (Value total : mine.getTotals())
    results.push_back(keep(total, part.isNow));
  Value isLater = compare(Predicate::sgt, launch, constant(turn));
  Value ahead = writes ? Value(arith::MinUIOp::create(b, number, part.count))
                       : part.count;
  ScanOp all =
      combineSlices(loop, results, select(isLater, ahead, constant(0)));
  if (!writes) {
    loop.getTotals().replaceAllUsesWith(all.getTotals());
    loop.erase();
    return;
  }
  cutTo(loop, partOf(lower, loop.getUpper(), step, turn + 1));
  loop.getInitialMutable().assign(all.getTotals());
  loop.getHasInitialMutable().set(fold<arith::OrIOp>(
      loop.getHasInitial(), compare(Predicate::sgt, number, constant(0))));
}

void Slicer::run() {
  Launches launches(kernel);
  if (!kernel.getSharedExtents())
    kernel.setSharedExtentsAttr(sharedExtents(kernel));
  auto argument = [&] {
    return kernel.entry().addArgument(b.getI64Type(), kernel.getLoc());
  };
  launch = argument();
  number = argument();
  slices = argument();
  kernel.setLaunches(launches.count);
  unsigned last = 0;
  for (auto [loop, turn] : launches.ofLoop) {
    last = std::max(last, turn + turnsOf(loop) - 1);
    b.setLoc(loop->getLoc());
    b.setInsertionPoint(loop);
    if (auto reduce = dyn_cast<ReduceOp>(loop))
      cut(reduce, turn);
    else if (auto scan = dyn_cast<ScanOp>(loop))
      cut(scan, turn);
    else
      cut(cast<ParallelOp>(loop), turn);
  }
  kernel.setSlicedLaunches(last + 1);
}

void kern::ir::loop::slice(KernelOp kernel) { Slicer(kernel).run(); }
