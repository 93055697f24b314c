//===- Slices.cpp - loops in slices ---------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Slices.h"

#include "dialects/LoopMappings/SliceRecord.h"
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

/// The launch of each loop of a kernel.
class Launches {
public:
  explicit Launches(KernelOp kernel);

  Found<unsigned> count; ///< of launches, if the loops can be cut
  /// What one slice writes, others do not read: nothing but results of
  /// reductions makes loops wait for one another.
  bool areSeparate = true;
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
  /// Whether an operation outside the loops may run in every launch.
  bool mayRepeat(Operation &op, const Touched &kernel, bool isLast);
  Found<unsigned> find(KernelOp kernel);

  llvm::DenseMap<Value, unsigned> known; ///< from which launch on
};

} // namespace

bool Launches::mayRepeat(Operation &op, const Touched &all, bool isLast) {
  if (auto load = dyn_cast<LoadOp>(op))
    return !all.written.contains(load.getArray());
  // The place of a store must not depend on a reduction that is not complete.
  if (auto store = dyn_cast<StoreOp>(op))
    return isLast && llvm::all_of(store.getIndices(), [&](Value index) {
             return known.lookup(index) == 0;
           });
  return isMemoryEffectFree(&op);
}

Launches::Launches(KernelOp kernel) { count = find(kernel); }

Found<unsigned> Launches::find(KernelOp kernel) {
  if (kernel.isUfunc() || kernel.getChecks())
    return {};
  Operation *lastLoop = nullptr;
  for (Block &block : kernel.getBody())
    for (Operation &op : block)
      if (isa<ParallelOp, ReduceOp>(op))
        lastLoop = &op;
  if (!lastLoop)
    return {};
  if (!kernel.getBody().hasOneBlock())
    return Obstacle{"a branch or a loop in order is around this loop",
                    lastLoop->getLoc()};
  Touched all(kernel);
  unsigned needed = 0;
  SmallVector<std::pair<Operation *, Touched>> earlier;
  for (Operation &op : kernel.entry()) {
    unsigned launch = after(&op);
    if (!isa<ParallelOp, ReduceOp>(op)) {
      bool isEnd = op.hasTrait<OpTrait::IsTerminator>();
      bool isLast = lastLoop->isBeforeInBlock(&op);
      if (!isEnd && !mayRepeat(op, all, isLast))
        return Obstacle{isa<LoadOp>(op)    ? "`{0}` is read beside the loops, "
                                             "one of which writes it"
                        : isa<StoreOp>(op) ? "`{0}` is written between loops"
                                           : "this is between loops",
                        op.getLoc()};
      for (Value result : op.getResults())
        known[result] = launch;
      if (isEnd || isa<StoreOp>(op))
        needed = std::max(needed, launch);
      continue;
    }
    auto reduce = dyn_cast<ReduceOp>(op);
    // The place of an extremum is found by running its iteration again.
    if (runsInOrder(&op))
      return Obstacle{"its iterations add floats up, in order", op.getLoc()};
    if (reduce && isArg(reduce.getKind()) && !reduce.getBody().hasOneBlock())
      return Obstacle{"it seeks a position among elements that an `if` chooses",
                      op.getLoc()};
    bool hasSlot = false;
    op.walk([&](LocalOp local) { hasSlot |= local.getSlot().has_value(); });
    if (hasSlot)
      return Obstacle{"its iterations have large arrays", op.getLoc()};
    Touched mine(&op);
    for (const auto &[loop, touched] : earlier)
      if (mine.conflictsWith(touched)) {
        areSeparate = false;
        launch = std::max(launch, ofLoop[loop] + 1);
      }
    ofLoop[&op] = launch;
    for (Value result : op.getResults())
      known[result] = launch + 1;
    needed = std::max(needed, launch);
    earlier.push_back({&op, std::move(mine)});
  }
  if (needed < kern::runtime::maxLaunches)
    return needed + 1;
  return Obstacle{"too many loops depend on one another", lastLoop->getLoc()};
}

Found<unsigned> kern::ir::loop::slicedLaunches(KernelOp kernel) {
  return Launches(kernel).count;
}

bool kern::ir::loop::mayCooperate(KernelOp kernel) {
  Launches launches(kernel);
  return launches.count > 0 && launches.areSeparate;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {

class Slicer : IndexBuilder {
public:
  Slicer(KernelOp kernel, bool isCooperative)
      : IndexBuilder(kernel.getLoc(), kernel.getContext()), kernel(kernel),
        isCooperative(isCooperative) {
    kernel->walk([&](LocalOp local) {
      if (local.getSlot())
        slots = std::max(slots, int64_t(*local.getSlot()) + 1);
    });
  }
  void run();

private:
  /// The part of a range that this slice runs now, from iteration `begin` on.
  struct Part {
    Value trips; ///< of the whole range
    Value begin;
    Value isNow;        ///< the loop runs in this launch
    Value lower, upper; ///< the part as a range
  };
  /// In a cooperative kernel, loops over one range share their parts.
  Part partOf(Value lower, Value upper, Value step, unsigned turn);
  void cut(ParallelOp loop, unsigned turn);
  void cut(ReduceOp loop, unsigned turn);
  /// A record with `mine` as this slice's value. The place behind the last
  /// slice takes what no launch needs.
  SliceRecord keep(Value mine, Value isNow) {
    SliceRecord record(b, kernel, mine.getType(), slices, slots++,
                       isCooperative);
    record.write(mine, select(isNow, number, slices));
    return record;
  }

  KernelOp kernel;
  const bool isCooperative;
  int64_t slots = 0;
  Value launch, number, slices;
  struct KnownPart {
    Value lower, upper, step;
    Part part;
  };
  SmallVector<KnownPart> parts;
};

} // namespace

static constexpr int64_t unit = kern::runtime::sliceUnit;

Slicer::Part Slicer::partOf(Value lower, Value upper, Value step,
                            unsigned turn) {
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
                    : compare(Predicate::eq, launch, constant(turn));
  Value begin =
      arith::MinUIOp::create(b, fold<arith::MulIOp>(number, size), trips);
  Value end =
      arith::MinUIOp::create(b, fold<arith::AddIOp>(begin, size), trips);
  end = select(isNow, end, begin);
  Part part = {trips, begin, isNow, inductionValue(b, lower, step, begin),
               inductionValue(b, lower, step, end)};
  if (isCooperative)
    parts.push_back({lower, upper, step, part});
  return part;
}

void Slicer::cut(ParallelOp loop, unsigned turn) {
  Value lower = loop.getLower()[0], step = loop.getStep()[0];
  Part part = partOf(lower, loop.getUpper()[0], step, turn);
  loop.getLowerMutable()[0].set(part.lower);
  loop.getUpperMutable()[0].set(part.upper);
}

void Slicer::cut(ReduceOp loop, unsigned turn) {
  ReduceKind kind = loop.getKind();
  Value lower = loop.getLower(), step = loop.getStep();
  Part part = partOf(lower, loop.getUpper(), step, turn);
  loop.getLowerMutable().set(part.lower);
  loop.getUpperMutable().set(part.upper);

  // The slice's results.
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
  Value isLater = isCooperative
                      ? part.isNow
                      : compare(Predicate::sgt, launch, constant(turn));
  Value isAny =
      fold<arith::AndIOp>(isLater, compare(Predicate::sgt, part.trips, zero));
  Value count = select(isAny, slices, zero);
  auto all = ReduceOp::create(b, kind, loop.getValueType(), zero, count,
                              constant(1), bool(kept));
  all->setAttr(unchunkedAttribute, b.getUnitAttr());
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
    Value winner = combined[0];
    Value isFound = compare(Predicate::sge, winner, zero);
    Value place = partials.read(arith::MaxSIOp::create(b, winner, zero));
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
  kernel.setLaunches(isCooperative ? 1 : *launches.count);
  kernel.setCooperative(isCooperative);
  unsigned last = 0;
  for (auto [loop, turn] : launches.ofLoop) {
    last = std::max(last, turn);
    b.setLoc(loop->getLoc());
    b.setInsertionPoint(loop);
    if (auto reduce = dyn_cast<ReduceOp>(loop))
      cut(reduce, turn);
    else
      cut(cast<ParallelOp>(loop), turn);
  }
  kernel.setSlicedLaunches(isCooperative ? 1 : last + 1);
}

void kern::ir::loop::slice(KernelOp kernel, bool isCooperative) {
  Slicer(kernel, isCooperative).run();
}
