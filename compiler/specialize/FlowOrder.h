//===- FlowOrder.h - blocks in the order values flow ---------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/Region.h"

#include <vector>

namespace kern {

/// One block of a flow order.
struct FlowStep {
  mlir::Block *block;
  /// If the block is the head of a loop: the number of the step after the
  /// loop's last block; 0 otherwise.
  unsigned loopEnd;
};

/// The blocks of a region that its first one reaches, each before those that it
/// branches to, except for jumps back. The blocks of a loop stand together, its
/// head first, and so do those of the loops in it: a weak topological order
/// (Bourdoncle 1993). A loop with several entries has the one found first as
/// its head.
std::vector<FlowStep> flowOrder(mlir::Region &region);

} // namespace kern
