//===- Distribute.cpp - distribution of loops over lanes ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Distribute.h"

#include "dialects/LoopToLLVM/Accumulation.h"
#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/ChunkedLoads.h"
#include "dialects/LoopToLLVM/Extents.h"
#include "dialects/LoopToLLVM/GroupSharing.h"
#include "dialects/LoopToLLVM/Locals.h"
#include "dialects/LoopToLLVM/LoopLowering.h"
#include "dialects/LoopToLLVM/Reduction.h"
#include "dialects/LoopToLLVM/ResidentRows.h"
#include "dialects/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {

/// Makes lane 0 alone run `op`: a store outside of all loops, or a loop that
/// must run in order. Barriers surround it if it `isShared`.
void guard(Operation *op, bool isShared) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  if (isShared)
    BarrierOp::create(b);
  Block *before = op->getBlock();
  Block *inside = before->splitBlock(op);
  Block *after = inside->splitBlock(op->getNextNode());
  b.setInsertionPointToEnd(before);
  Value lane = LaneOp::create(b, b.getI64Type());
  Value zero = arith::ConstantOp::create(b, b.getI64IntegerAttr(0));
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, zero);
  cf::CondBranchOp::create(b, isFirst, inside, after);
  b.setInsertionPointToEnd(inside);
  cf::BranchOp::create(b, after);
  b.setInsertionPointToStart(after);
  if (isShared)
    BarrierOp::create(b);
}

/// Runs a sum only if it has iterations, on which all threads agree: else lanes
/// would exchange what none of them has.
void skipIfEmpty(ReduceOp op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Value isAny = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                      op.getLower(), op.getUpper());
  Value none = identity(b, op.getKind(), op.getValueType()).value;
  Block *before = op->getBlock();
  Block *inside = before->splitBlock(op);
  Block *after = inside->splitBlock(op->getNextNode());
  Value sum = after->addArgument(op.getValueType(), op.getLoc());
  op.getResult().replaceAllUsesWith(sum);
  b.setInsertionPointToEnd(before);
  cf::CondBranchOp::create(b, isAny, inside, ValueRange(), after,
                           ValueRange(none));
  b.setInsertionPointToEnd(inside);
  cf::BranchOp::create(b, after, op.getResult());
}

/// How many arrays a kernel reads whose one loop is a short reduction over
/// chunks. Nothing for any other kernel.
std::optional<unsigned> arraysReadBy(KernelOp kernel) {
  constexpr unsigned maxOperations = 8;
  if (kernel.getAcross() || kernel.getResident() || kernel.getLaunches() ||
      kernel.getPrivatised() || !kernel.getBody().hasOneBlock())
    return std::nullopt;
  ReduceOp only;
  for (Operation &op : kernel.entry()) {
    if (!isa<ParallelOp, ReduceOp, ScanOp>(op))
      continue;
    if (only || !isa<ReduceOp>(op))
      return std::nullopt;
    only = cast<ReduceOp>(op);
  }
  auto chunks = only ? chunkedLoads(only) : std::nullopt;
  if (!chunks || only.entry().getOperations().size() > maxOperations ||
      !only.entry().getOps<func::CallOp>().empty())
    return std::nullopt;
  auto loads = only.entry().getOps<LoadOp>();
  if (size_t(std::distance(loads.begin(), loads.end())) != chunks->loads.size())
    return std::nullopt;
  return unsigned(chunks->loads.size());
}

} // namespace

void kern::ir::loop::distribute(KernelOp kernel, bool sequential) {
  if (kernel.getTile())
    return; // its threads have their work already
  bool hasChecks = kernel.getChecks().has_value();
  bool marksVectors = sequential && !hasChecks;
  // A lane that fails a check returns, and others would wait for it.
  sequential |= kernel.isUfunc() || hasChecks || kernel.getStaged();
  if (!sequential && !kernel.getSharedExtents())
    kernel.setSharedExtentsAttr(sharedExtents(kernel));

  // Before guards split the kernel's block.
  if (!sequential)
    if (std::optional<unsigned> arrays = arraysReadBy(kernel))
      kernel->setAttr(arraysReadAttribute,
                      Builder(kernel.getContext()).getI64IntegerAttr(*arrays));
  auto rows = kernel.getResident() ? residentRows(kernel) : std::nullopt;
  placeLocals(kernel, sequential);
  SmallVector<Operation *> loops; // inner before outer
  kernel->walk([&](Operation *op) {
    if (isa<ParallelOp, ReduceOp, ScanOp>(op))
      loops.push_back(op);
  });
  auto isTop = [&](Operation *op) { return op->getParentOp() == kernel; };
  llvm::SmallPtrSet<Operation *, 8> shared;
  const bool isFlat = kernel.getFlatExtents().has_value();
  const bool hasLanes = llvm::any_of(loops, isTop) || isFlat;
  if (!sequential && hasLanes) {
    SharedArrays arrays(kernel);
    SmallVector<Operation *> alone; // run by lane 0 only
    bool hasLooseLoads = false;
    for (Block &block : kernel.getBody())
      for (Operation &op : block) {
        bool isLoop = isa<ParallelOp, ReduceOp, ScanOp>(op);
        if (auto reduce = dyn_cast<ReduceOp>(op);
            reduce && reduce.getInOrder()) { // each lane runs all of it
          hasLooseLoads |= arrays.touchedBy(&op);
          continue;
        }
        bool isStore = isa<PublishOp>(op) || (isa<StoreOp, AccumulateOp>(op) &&
                                              !isPrivate(accessedArray(&op)));
        if (isStore || (isLoop && runsInOrder(&op)))
          alone.push_back(&op);
        else if (isLoop)
          shared.insert(&op);
        hasLooseLoads |= isa<LoadOp>(op) && arrays.touchedBy(&op);
      }
    for (Operation *op : loops) {
      if (!shared.contains(op) || !arrays.touchedBy(op))
        continue;
      OpBuilder builder(op);
      // A slower lane may not yet have read what this loop overwrites.
      if (hasLooseLoads)
        BarrierOp::create(builder, op->getLoc());
      builder.setInsertionPointAfter(op);
      BarrierOp::create(builder, op->getLoc());
    }
    for (Operation *op : alone)
      guard(op, arrays.touchedBy(op));
  }
  // Iterations that access the same memory are not independent. They share
  // elements, or on the host the memory of their local arrays.
  llvm::SmallPtrSet<Operation *, 8> meeting;
  for (Operation *op : loops)
    op->walk([&](Operation *inner) {
      if (isa<AccumulateOp, LocalOp>(inner))
        meeting.insert(op);
    });
  SmallVector<AccumulateOp> updates;
  kernel->walk([&](AccumulateOp op) { updates.push_back(op); });
  for (AccumulateOp op : updates) {
    Operation *top = op;
    while (!isTop(top))
      top = top->getParentOp();
    Operation *maker = op.getArray().getDefiningOp();
    bool isOwn = maker && (top->isProperAncestor(maker) || isFlat);
    // Other loop elements of a flat kernel share the element.
    if (isOwn || (!shared.contains(top) && !isFlat))
      expandAccumulation(op);
    else if (isExtremumOfFloats(op))
      orderByBits(op);
  }

  for (Operation *op : loops)
    if (op->hasAttr(mostlyEmptyAttribute))
      skipIfEmpty(cast<ReduceOp>(op));
  if (rows) {
    rows->chunks = unsigned(*kernel.getResident());
    for (const ResidentRows::Loop &loop : rows->loops)
      llvm::erase(loops, loop.op);
    lowerResident(kernel, *rows);
  }
  for (Operation *op : loops) {
    lowerLoop(op, {.isShared = shared.contains(op),
                   .goesAcross = shared.contains(op) && kernel.getAcross(),
                   .marksVectors = marksVectors && !meeting.contains(op),
                   .isPlain = kernel->hasAttr(sideBySideAttribute)});
  }
}

namespace kern::ir {

#define GEN_PASS_DEF_LOOPDISTRIBUTE
#include "dialects/Passes.h.inc"

namespace {
struct DistributePass : impl::LoopDistributeBase<DistributePass> {
  using Base::Base;

  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      distribute(kernel, sequential);
  }
};
} // namespace

} // namespace kern::ir
