//===- Obstacle.cpp - what keeps a gufunc from its mappings ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Obstacle.h"

#include "dialects/LoopMappings/Elementwise.h"
#include "dialects/LoopMappings/Flatten.h"
#include "dialects/LoopMappings/Privatise.h"
#include "dialects/LoopMappings/Scans.h"
#include "dialects/LoopMappings/Slices.h"
#include "dialects/LoopMappings/StagePlan.h"
#include "dialects/LoopMappings/Tiling.h"

#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace kern::ir::loop;

SmallVector<MissingMapping> kern::ir::loop::missingMappings(KernelOp kernel) {
  SmallVector<MissingMapping> list;
  if (kernel.isUfunc() || kernel.getChecks())
    return list;
  auto add = [&](StringRef mapping, const std::optional<Obstacle> &obstacle) {
    if (obstacle)
      list.push_back({mapping, *obstacle});
  };
  OwningOpRef<KernelOp> copy = kernel.clone();
  loopsToReductions(*copy);
  if (!flatten(*copy)) {
    add("not flat", flatObstacle(kernel));
    add("not in slices", slicedLaunches(kernel).obstacle());
    add("no copies for each block", privateObstacle(kernel));
  } else if (!elementwiseAccesses(*copy)) {
    add("no tiles", tilingOf(*copy).obstacle());
  }
  if (!slicedLaunches(*copy).obstacle())
    add("not resident", scanRows(*copy).obstacle());
  copy = kernel.clone();
  orderPranges(*copy);
  add(stagePlanOf(*copy) ? "staged only where whole rows fit on chip"
                         : "not staged",
      stripPlanOf(*copy).obstacle());
  return list;
}
