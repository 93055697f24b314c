//===- Slices.cpp - loops in slices ---------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Slices.h"

#include "dialects/LoopMappings/Launches.h"
#include "dialects/LoopMappings/Phases.h"
#include "dialects/LoopMappings/Recentre.h"
#include "dialects/LoopMappings/SliceRecord.h"
#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/Extents.h"
#include "dialects/LoopToLLVM/IndexBuilder.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/Locals.h"
#include "dialects/LoopToLLVM/Ranges.h"
#include "runtime/artefact/Nest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;

Found<unsigned> kern::ir::loop::slicedLaunches(KernelOp kernel) {
  return Launches(kernel).count;
}

bool kern::ir::loop::mayCooperate(KernelOp kernel) {
  Launches launches(kernel);
  return launches.count && launches.areSeparate;
}

namespace {

class Slicer : IndexBuilder {
public:
  Slicer(KernelOp kernel, bool isCooperative, bool isRecentred)
      : IndexBuilder(kernel.getLoc(), kernel.getContext()), kernel(kernel),
        launches(kernel, isRecentred), isCooperative(isCooperative),
        isRecentred(isRecentred) {
    kernel->walk([&](LocalOp local) {
      if (local.getSlot())
        slots = std::max(slots, int64_t(*local.getSlot()) + 1);
    });
    // What one launch leaves in an array of the loop element another one reads.
    for (auto local : kernel.entry().getOps<LocalOp>())
      if (!local.getSlot() && !local.getShared())
        local.setSlot(slots++);
  }
  void run();

private:
  /// The part of a range that this slice runs now, from iteration `begin` on.
  struct Part {
    Value trips; ///< of the whole range
    Value size;  ///< of each slice but the last
    Value count; ///< of slices with iterations
    Value begin, end;
    Value isNow;        ///< the loop runs in this launch
    Value lower, upper; ///< the part as a range
  };
  /// In a kernel of which one launch runs all loops, those over one range share
  /// their parts.
  Part partOf(Value lower, Value upper, Value step, unsigned launchNumber);
  void cut(ParallelOp loop, unsigned launchNumber);
  void cut(ReduceOp loop, unsigned launchNumber);
  /// Cuts a sum of squares whose slices wait for `sum` alone, which is cut.
  void recentre(ReduceOp squares, ReduceOp sum, unsigned launchNumber);
  void cut(ScanOp loop, unsigned launchNumber);
  /// One slice runs them, in their launch.
  void place(PlacedStores &placed);
  /// A scan without stores whose elements are the slices' results, below
  /// `count`.
  ScanOp combineSlices(ScanOp like, MutableArrayRef<SliceRecord> results,
                       Value count);
  /// A record with `mine` as this slice's value. The place after the last slice
  /// takes values that no launch needs.
  SliceRecord keep(Value mine, Value isNow) {
    SliceRecord record(b, kernel, mine.getType(), slices, slots++,
                       isCooperative);
    record.write(mine, select(isNow, number, slices));
    return record;
  }

  /// In launches after the slices, and in a cooperative kernel.
  Value isLater(const Part &part, unsigned launchNumber) {
    return isCooperative
               ? part.isNow
               : compare(Predicate::sgt, launch, constant(launchNumber));
  }

  KernelOp kernel;
  Launches launches;
  const bool isCooperative, isRecentred;
  int64_t slots = 0;
  Value launch, number, slices;
  struct KnownPart {
    Value lower, upper, step;
    Part part;
  };
  SmallVector<KnownPart> parts;
  /// What became of a reduction.
  struct Cut {
    Part part;
    SliceRecord record;
    Operation *all; ///< combines the slices' results
  };
  llvm::SmallDenseMap<Operation *, Cut> cuts;
};

} // namespace

static constexpr int64_t unit = kern::runtime::sliceUnit;

Slicer::Part Slicer::partOf(Value lower, Value upper, Value step,
                            unsigned launchNumber) {
  auto isSame = [&](const KnownPart &known) {
    return known.upper == upper && isSameIndex(known.lower, lower) &&
           isSameIndex(known.step, step);
  };
  if (auto *known = llvm::find_if(parts, isSame); known != parts.end())
    return known->part;
  Value trips = tripCount(b, lower, upper, step);
  // A kernel has at least one slice.
  Value whole = fold<arith::MulIOp>(slices, constant(unit));
  Value units = arith::DivUIOp::create(
      b, fold<arith::AddIOp>(trips, fold<arith::SubIOp>(whole, constant(1))),
      whole);
  Value size = fold<arith::MulIOp>(units, constant(unit));
  Value isNow = isCooperative
                    ? arith::ConstantOp::create(b, b.getBoolAttr(true))
                    : compare(Predicate::eq, launch, constant(launchNumber));
  Value count = arith::CeilDivUIOp::create(
      b, trips, arith::MaxUIOp::create(b, size, constant(1)));
  Value begin =
      arith::MinUIOp::create(b, fold<arith::MulIOp>(number, size), trips);
  Value end =
      arith::MinUIOp::create(b, fold<arith::AddIOp>(begin, size), trips);
  end = select(isNow, end, begin);
  Part part = {trips,
               size,
               count,
               begin,
               end,
               isNow,
               inductionValue(b, lower, step, begin),
               inductionValue(b, lower, step, end)};
  if (isCooperative || isRecentred)
    parts.push_back({lower, upper, step, part});
  return part;
}

void Slicer::cut(ParallelOp loop, unsigned launchNumber) {
  Value lower = loop.getLower()[0], step = loop.getStep()[0];
  Part part = partOf(lower, loop.getUpper()[0], step, launchNumber);
  loop.getLowerMutable()[0].set(part.lower);
  loop.getUpperMutable()[0].set(part.upper);
}

void Slicer::cut(ReduceOp loop, unsigned launchNumber) {
  ReduceKind kind = loop.getKind();
  Value lower = loop.getLower(), step = loop.getStep();
  Part part = partOf(lower, loop.getUpper(), step, launchNumber);
  loop.getLowerMutable().set(part.lower);
  loop.getUpperMutable().set(part.upper);

  // The slice's results, which lane 0 publishes for all slices.
  if (isCooperative)
    loop->setAttr(toFirstAttribute, b.getUnitAttr());
  b.setInsertionPointAfter(loop);
  Value mine = loop.getResult(), zero = constant(0);
  if (isArg(kind)) {
    Value isAny = compare(Predicate::sge, mine, zero);
    mine = select(isAny, fold<arith::AddIOp>(part.begin, mine), mine);
  }
  SliceRecord partials = keep(mine, part.isNow);
  std::optional<SliceRecord> kept;
  if (loop.getKept())
    kept.emplace(keep(loop.getKept(), part.isNow));

  // Later launches combine them; of a cooperative kernel, the only one.
  Value isAny = fold<arith::AndIOp>(isLater(part, launchNumber),
                                    compare(Predicate::sgt, part.trips, zero));
  Value count = select(isAny, slices, zero);
  auto all = ReduceOp::create(b, kind, loop.getValueType(), zero, count,
                              constant(1), bool(kept));
  all->setAttr(unchunkedAttribute, b.getUnitAttr());
  if (isRecentred && kind == ReduceKind::Sum && !kept)
    all->setAttr(mostlyEmptyAttribute, b.getUnitAttr());
  SmallVector<Value> combined(all.getResults());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(&all.entry());
    Value index = all.inductionVar();
    SmallVector<Value> yielded;
    if (isArg(kind)) {
      Value place = partials.read(index);
      Value isValid = compare(Predicate::sge, place, constant(0));
      Value first = arith::MaxSIOp::create(b, place, constant(0));
      IRMapping map;
      map.map(loop.inductionVar(), inductionValue(b, lower, step, first));
      for (Operation &op : loop.entry().without_terminator())
        b.clone(op, map);
      Value value = loop.entry().getTerminator()->getOperand(0);
      yielded = {map.lookupOrDefault(value), isValid};
    } else {
      yielded = {partials.read(index)};
    }
    if (kept) {
      Value count = kept->read(index);
      Value isAny = compare(Predicate::sgt, count, constant(0));
      if (yielded.size() == 2)
        isAny = fold<arith::AndIOp>(yielded[1], isAny);
      yielded.resize(1);
      yielded.append({isAny, count});
    }
    YieldOp::create(b, yielded);
  }
  if (isArg(kind)) {
    // Nothing is read in the launches before, in which slices write the record.
    Value winner = combined[0];
    Value isFound = compare(Predicate::sge, winner, zero);
    Value first = select(isFound, winner, zero);
    Value end = fold<arith::AddIOp>(first, select(isFound, constant(1), zero));
    auto place = ReduceOp::create(b, ReduceKind::Sum, b.getI64Type(), first,
                                  end, constant(1), false);
    place->setAttr(unchunkedAttribute, b.getUnitAttr());
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(&place.entry());
      YieldOp::create(b, partials.read(place.inductionVar()));
    }
    combined[0] = select(isFound, place.getResult(), winner);
  }
  SmallPtrSet<Operation *, 8> mineOnly;
  for (Operation *op = loop->getNextNode(); op != all; op = op->getNextNode())
    mineOnly.insert(op);
  for (auto [before, after] : llvm::zip(loop.getResults(), combined))
    before.replaceUsesWithIf(after, [&](OpOperand &use) {
      return !mineOnly.contains(use.getOwner());
    });
  cuts.try_emplace(loop, Cut{part, partials, all});
}

/// The slice's squares follow its sum at once, so that its rows need registers
/// no longer than that.
void Slicer::recentre(ReduceOp squares, ReduceOp sum, unsigned launchNumber) {
  Distance distance = *squaredDistance(squares);
  const Cut &own = cuts.find(sum)->second;
  const Part &part = own.part;
  auto addUp = [&](function_ref<Value(Value)> change) {
    auto loop = cast<ReduceOp>(b.clone(*sum));
    OpBuilder::InsertionGuard guard(b);
    Operation *end = loop.entry().getTerminator();
    b.setInsertionPoint(end);
    end->setOperand(0, change(end->getOperand(0)));
    return loop.getResult();
  };
  b.setInsertionPoint(own.all);
  Value mean =
      sliceMean(b, sum.getResult(), fold<arith::SubIOp>(part.end, part.begin));
  auto fromMean = [&](Value value) -> Value {
    return arith::SubFOp::create(b, value, mean,
                                 distance.difference.getFastmath());
  };
  Value distances = addUp(fromMean);
  Value squared = addUp([&](Value value) -> Value {
    Value difference = fromMean(value);
    return arith::MulFOp::create(b, difference, difference,
                                 distance.square.getFastmath());
  });
  SliceRecord values = own.record, ofDistances = keep(distances, part.isNow),
              ofSquares = keep(squared, part.isNow);

  b.setInsertionPoint(squares);
  Value count = select(isLater(part, launchNumber), part.count, constant(0));
  auto all = ReduceOp::create(b, ReduceKind::Sum, squares.getValueType(),
                              constant(0), count, constant(1), false);
  all->setAttr(unchunkedAttribute, b.getUnitAttr());
  all->setAttr(mostlyEmptyAttribute, b.getUnitAttr());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(&all.entry());
    Value index = all.inductionVar();
    Value left =
        fold<arith::SubIOp>(part.trips, fold<arith::MulIOp>(index, part.size));
    Value size = arith::MinSIOp::create(b, left, part.size);
    SliceSums slice = {size, values.read(index), ofDistances.read(index),
                       ofSquares.read(index)};
    YieldOp::create(b, squaresAbout(b, slice, distance.fromCentre()));
  }
  squares.getResult().replaceAllUsesWith(all.getResult());
  squares.erase();
}

ScanOp Slicer::combineSlices(ScanOp like, MutableArrayRef<SliceRecord> results,
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
  for (SliceRecord &record : results)
    loaded.push_back(record.read(index));
  GiveOp::create(b, loaded);
  return all;
}

/// First each slice combines its elements. Then the combined value of the
/// slices before it goes before its first element.
void Slicer::cut(ScanOp loop, unsigned launchNumber) {
  const bool writes = !loop.getWrite().empty();
  Value lower = loop.getLower(), step = loop.getStep();
  auto cutTo = [&](ScanOp scan, const Part &part) {
    scan.getLowerMutable().set(part.lower);
    scan.getUpperMutable().set(part.upper);
  };
  Part part = partOf(lower, loop.getUpper(), step, launchNumber);
  Value no = arith::ConstantOp::create(b, b.getBoolAttr(false));
  auto mine = cast<ScanOp>(b.clone(*loop));
  mine.getWrite().getBlocks().clear();
  mine.getHasInitialMutable().set(no);
  cutTo(mine, part);
  SmallVector<SliceRecord> results;
  for (Value total : mine.getTotals())
    results.push_back(keep(total, part.isNow));
  Value ahead = writes ? Value(arith::MinUIOp::create(b, number, part.count))
                       : part.count;
  ScanOp all = combineSlices(
      loop, results, select(isLater(part, launchNumber), ahead, constant(0)));
  if (!writes) {
    loop.getTotals().replaceAllUsesWith(all.getTotals());
    loop.erase();
    return;
  }
  cutTo(loop, partOf(lower, loop.getUpper(), step, launchNumber + 1));
  loop.getInitialMutable().assign(all.getTotals());
  loop.getHasInitialMutable().set(fold<arith::OrIOp>(
      loop.getHasInitial(), compare(Predicate::sgt, number, constant(0))));
}

void Slicer::place(PlacedStores &placed) {
  ParallelOp once = inLoop(placed.stores);
  b.setInsertionPoint(once);
  cut(once, placed.launch);
}

void Slicer::run() {
  if (!kernel.getSharedExtents())
    kernel.setSharedExtentsAttr(sharedExtents(kernel));
  auto argument = [&] {
    return kernel.entry().addArgument(b.getI64Type(), kernel.getLoc());
  };
  launch = argument();
  number = argument();
  slices = argument();
  kernel.setLaunches(isCooperative ? 1 : *launches.count);
  kernel.setCooperative(isCooperative);
  if (isRecentred)
    kernel->setAttr(recentredAttribute, b.getUnitAttr());
  unsigned last = 0;
  for (auto [loop, launchNumber] : launches.ofLoop) {
    last = std::max(last, launchNumber + turnsOf(loop) - 1);
    if (auto local = dyn_cast<LocalOp>(loop))
      loop = expandZeroing(local);
    b.setLoc(loop->getLoc());
    b.setInsertionPoint(loop);
    if (ReduceOp sum = launches.recentred.lookup(loop))
      recentre(cast<ReduceOp>(loop), sum, launchNumber);
    else if (auto reduce = dyn_cast<ReduceOp>(loop))
      cut(reduce, launchNumber);
    else if (auto scan = dyn_cast<ScanOp>(loop))
      cut(scan, launchNumber);
    else
      cut(cast<ParallelOp>(loop), launchNumber);
  }
  for (PlacedStores &placed : launches.placed) {
    last = std::max(last, placed.launch);
    b.setLoc(placed.stores.back().getLoc());
    place(placed);
  }
  kernel.setSlicedLaunches(isCooperative ? 1 : last + 1);
}

void kern::ir::loop::slice(KernelOp kernel, bool isCooperative,
                           bool isRecentred) {
  Slicer(kernel, isCooperative, isRecentred).run();
}
