//===- Distribute.cpp - loops over lanes ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Loop/Distribute.h"

#include "dialects/Loop/Extents.h"
#include "dialects/Loop/LoopLowering.h"
#include "dialects/Loop/Sharing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace kern::loop;

namespace {

/// Lane 0 alone runs a store that stands outside every loop.
void guardStore(StoreOp store, bool isShared) {
  ImplicitLocOpBuilder b(store.getLoc(), store);
  if (isShared)
    BarrierOp::create(b);
  Block *before = store->getBlock();
  Block *inside = before->splitBlock(store);
  Block *after = inside->splitBlock(store->getNextNode());
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

} // namespace

void kern::loop::distribute(KernelOp kernel, bool sequential) {
  bool marksVectors = sequential;
  sequential |= kernel.isUfunc();
  if (!sequential && !kernel.getSharedExtents())
    kernel.setSharedExtentsAttr(sharedExtents(kernel));

  SmallVector<Operation *> loops; // inner before outer
  kernel->walk([&](Operation *op) {
    if (isa<ParallelOp, ReduceOp>(op))
      loops.push_back(op);
  });
  auto isTop = [&](Operation *op) { return op->getParentOp() == kernel; };
  llvm::SmallPtrSet<Operation *, 8> shared;
  if (!sequential && llvm::any_of(loops, isTop)) {
    SharedArrays arrays(kernel);
    SmallVector<StoreOp> looseStores;
    bool hasLooseLoads = false;
    for (Block &block : kernel.getBody())
      for (Operation &op : block) {
        if (auto store = dyn_cast<StoreOp>(op))
          looseStores.push_back(store);
        hasLooseLoads |= isa<LoadOp>(op) && arrays.touchedBy(&op);
        if (isa<ParallelOp, ReduceOp>(op))
          shared.insert(&op);
      }
    for (Operation *op : loops) {
      if (!shared.contains(op) || !arrays.touchedBy(op))
        continue;
      OpBuilder builder(op);
      // A slower lane may still have to read what this loop overwrites.
      if (hasLooseLoads)
        BarrierOp::create(builder, op->getLoc());
      builder.setInsertionPointAfter(op);
      BarrierOp::create(builder, op->getLoc());
    }
    for (StoreOp store : looseStores)
      guardStore(store, arrays.touchedBy(store));
  }

  for (Operation *op : loops) {
    lowerLoop(op, shared.contains(op), marksVectors);
  }
}

namespace {

struct DistributePass : PassWrapper<DistributePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DistributePass)

  DistributePass() = default;
  DistributePass(const DistributePass &other) : PassWrapper(other) {}
  explicit DistributePass(bool isSequential) { sequential = isSequential; }

  StringRef getArgument() const override { return "loop-distribute"; }
  StringRef getDescription() const override {
    return "Turn parallel loops and reductions into loops of lanes";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    complex::ComplexDialect>();
  }
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      distribute(kernel, sequential);
  }

  Option<bool> sequential{*this, "sequential",
                          llvm::cl::desc("One lane for each loop element"),
                          llvm::cl::init(false)};
};

} // namespace

std::unique_ptr<Pass> kern::loop::createDistributePass(bool sequential) {
  return std::make_unique<DistributePass>(sequential);
}

void kern::loop::registerDistributePass() {
  PassRegistration<DistributePass>();
}
