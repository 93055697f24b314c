//===- GroupSharing.cpp - which memory the lanes of a group share ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/GroupSharing.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace kern::ir::loop;

Value kern::ir::loop::accessedArray(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return load.getArray();
  if (auto store = dyn_cast<StoreOp>(op))
    return store.getArray();
  if (auto accumulate = dyn_cast<AccumulateOp>(op))
    return accumulate.getArray();
  return nullptr;
}

bool kern::ir::loop::runsInOrder(Operation *loop) {
  if (auto reduce = dyn_cast<ReduceOp>(loop); reduce && reduce.getInOrder())
    return true;
  return loop
      ->walk([&](AccumulateOp op) {
        Operation *maker = op.getArray().getDefiningOp();
        bool isOwn = maker && loop->isProperAncestor(maker);
        return isOwn || op.getValue().getType().isInteger() ||
                       op.getKind() != AccumulateKind::Add
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

bool kern::ir::loop::isPrivate(Value array) {
  auto local = array.getDefiningOp<LocalOp>();
  return local && !local.getSlot() && !local.getShared();
}

/// Whether slices leave values in an array that only a later launch reads.
static bool isRecord(Value array) {
  auto local = array.getDefiningOp<LocalOp>();
  return local && local.getPerSlice();
}

SharedArrays::SharedArrays(KernelOp kernel) {
  struct Uses {
    bool isRead = false;
    SmallPtrSet<Operation *, 4> writers;
  };
  llvm::MapVector<Value, Uses> uses;
  for (Block &block : kernel.getBody())
    for (Operation &site : block)
      site.walk([&](Operation *op) {
        Value array = accessedArray(op);
        if (!array || isPrivate(array) || isRecord(array))
          return;
        uses[array].isRead |= !isa<StoreOp>(op);
        if (!isa<LoadOp>(op))
          uses[array].writers.insert(&site);
      });
  // With several blocks, one operation may run many times, and different lanes
  // may write the same element each time.
  bool mayRepeat = !kernel.getBody().hasOneBlock();
  for (auto &[array, use] : uses)
    if (!use.writers.empty() &&
        (use.isRead || use.writers.size() > 1 || mayRepeat))
      arrays.insert(array);
}

bool SharedArrays::touchedBy(Operation *op) const {
  return op
      ->walk([&](Operation *inner) {
        Value array = accessedArray(inner);
        bool touches = array && arrays.contains(array);
        return touches ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}
