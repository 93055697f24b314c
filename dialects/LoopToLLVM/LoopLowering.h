//===- LoopLowering.h - one loop as control flow ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

inline constexpr llvm::StringLiteral vectorLatch = "loop.vector";

/// On a loop.parallel: how many iterations a lane of a shared loop runs at
/// once.
inline constexpr llvm::StringLiteral togetherAttribute = "loop.together";

/// How a loop is lowered.
struct LoopStyle {
  /// The lanes of the group share the iterations, and combine the result of a
  /// reduction. Any other loop runs in one lane.
  bool isShared = false;
  /// Of a shared loop: the lanes of a reduction may be more than those of the
  /// group (loop.lane_count).
  bool goesAcross = false;
  /// The latch of a loop that may be vectorised gets the attribute
  /// `vectorLatch`: true if its iterations are independent, false for a
  /// reduction other than the arg_ kinds.
  bool marksVectors = false;
  /// A reduction is one loop over its range, without blocks that end it early
  /// or are searched again.
  bool isPlain = false;
};

/// Replaces a loop.parallel, loop.reduce or loop.scan by cf loops in place and
/// splits its block around them. Nested loops must be lowered already.
void lowerLoop(mlir::Operation *loop, LoopStyle style);

} // namespace kern::ir::loop
