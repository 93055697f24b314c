//===- Phases.cpp - kernels of parts of a body ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Phases.h"

#include "dialects/LoopToLLVM/GroupSharing.h"
#include "runtime/artefact/Nest.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {
/// One loop, or stores.
using Phase = SmallVector<Operation *, 1>;

struct Phases {
  explicit Phases(KernelOp kernel) { obstacle = find(kernel); }
  std::optional<Obstacle> obstacle;
  SmallVector<Phase> list;

private:
  std::optional<Obstacle> find(KernelOp kernel);
};
} // namespace

std::optional<Obstacle> Phases::find(KernelOp kernel) {
  llvm::SmallPtrSet<Value, 4> written;
  kernel->walk([&](Operation *op) {
    if (Value array = accessedArray(op); array && !isa<LoadOp>(op))
      written.insert(array);
  });
  bool isStored = false; // the phase before ends with a store
  for (Operation &op : kernel.entry().without_terminator()) {
    if (isa<ParallelOp, StoreOp>(op)) {
      if (!isStored || !isa<StoreOp>(op))
        list.emplace_back();
      list.back().push_back(&op);
      isStored = isa<StoreOp>(op);
      continue;
    }
    auto load = dyn_cast<LoadOp>(op);
    if (load && written.contains(load.getArray()))
      return Obstacle{"`{0}` is read beside the loops, one of which writes it",
                      op.getLoc()};
    // A reduction would run in the kernel of each phase.
    if ((!load && !isMemoryEffectFree(&op)) || op.getNumRegions())
      return Obstacle{"this is between loops", op.getLoc()};
  }
  return std::nullopt;
}

Found<unsigned> kern::ir::loop::phasesOf(KernelOp kernel) {
  if (kernel.isUfunc() || kernel.getChecks() ||
      !kernel.getResultTypes().empty() || !kernel.getBody().hasOneBlock())
    return {};
  Phases phases(kernel);
  if (phases.obstacle)
    return *phases.obstacle;
  if (phases.list.size() < 2 || phases.list.size() > kern::runtime::maxLaunches)
    return {};
  return unsigned(phases.list.size());
}

ParallelOp kern::ir::loop::inLoop(ArrayRef<StoreOp> stores) {
  Operation *last = stores.back();
  OpBuilder b(last);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, last->getLoc(),
                                     b.getI64IntegerAttr(value));
  };
  Value zero = constant(0), one = constant(1);
  auto loop = ParallelOp::create(b, last->getLoc(), ValueRange{zero},
                                 ValueRange{one}, ValueRange{one});
  b.setInsertionPointToEnd(&loop.entry());
  auto end = YieldOp::create(b, last->getLoc(), ValueRange());
  for (StoreOp store : stores)
    store->moveBefore(end);
  return loop;
}

void kern::ir::loop::keepPhase(KernelOp kernel, unsigned phase) {
  Phases phases(kernel);
  for (auto [number, ops] : llvm::enumerate(phases.list)) {
    if (number + 1 != phase) {
      for (Operation *op : ops)
        op->erase();
      continue;
    }
    SmallVector<StoreOp> stores;
    for (Operation *op : ops)
      if (auto store = dyn_cast<StoreOp>(op))
        stores.push_back(store);
    if (!stores.empty())
      inLoop(stores);
  }
  kernel->setAttr(phaseAttribute,
                  Builder(kernel.getContext()).getI64IntegerAttr(phase));
}
