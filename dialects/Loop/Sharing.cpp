//===- Sharing.cpp - which memory the lanes of a group share --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Loop/Sharing.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace kern::loop;

SharedArrays::SharedArrays(KernelOp kernel) {
  struct Uses {
    bool isRead = false;
    SmallPtrSet<Operation *, 4> writers;
  };
  llvm::MapVector<Value, Uses> uses;
  for (Block &block : kernel.getBody())
    for (Operation &site : block)
      site.walk([&](Operation *op) {
        if (auto load = dyn_cast<LoadOp>(op))
          uses[load.getArray()].isRead = true;
        else if (auto store = dyn_cast<StoreOp>(op))
          uses[store.getArray()].writers.insert(&site);
      });
  // With several blocks a single site may run many times, and its lanes write
  // the same element in different rounds.
  bool mayRepeat = !kernel.getBody().hasOneBlock();
  for (auto &[array, use] : uses)
    if (!use.writers.empty() &&
        (use.isRead || use.writers.size() > 1 || mayRepeat))
      arrays.insert(array);
}

bool SharedArrays::touchedBy(Operation *op) const {
  return op
      ->walk([&](Operation *inner) {
        auto load = dyn_cast<LoadOp>(inner);
        auto store = dyn_cast<StoreOp>(inner);
        bool touches = (load && arrays.contains(load.getArray())) ||
                       (store && arrays.contains(store.getArray()));
        return touches ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}
