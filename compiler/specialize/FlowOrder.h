//===- FlowOrder.h - blocks in the order values flow ---------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/Region.h"

#include <vector>

namespace kern::compiler {

/// One block of a flow order.
struct FlowStep {
  mlir::Block *block;
  /// For a loop's head, the number of the step after the loop's last block;
  /// otherwise 0.
  unsigned loopEnd;
};

/// The blocks reachable from a region's first block, each before its successors
/// except for back edges. The blocks of a loop are adjacent, its head first,
/// and so are those of nested loops: a weak topological order (Bourdoncle
/// 1993). The head of a loop with several entries is the entry found first.
std::vector<FlowStep> flowOrder(mlir::Region &region);

} // namespace kern::compiler
