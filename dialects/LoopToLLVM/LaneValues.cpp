//===- LaneValues.cpp - what a lane is and what others have ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Body.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kern::ir::loop;

Value kern::ir::loop::laneValue(KernelBuilder &b, GroupLowering &group,
                                Operation &op) {
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case([&](LaneOp) { return group.lane(b); })
      .Case([&](GroupSizeOp) { return group.groupSize(b); })
      .Case([&](LaneCountOp) { return group.laneCount(b); })
      .Case([&](KeepOp keep) {
        return group.keep(b, keep.getValue(), keep->hasAttr(roundedAttribute));
      })
      .Case([&](OfLaneOp other) { return group.ofLane(b, other); })
      .Case([&](OfWarpsOp warps) { return group.ofWarps(b, warps); })
      .Default([](Operation *) { return Value(); });
}
