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

/// Replaces a loop.parallel or loop.reduce by cf loops in place and splits its
/// block around them. Nested loops must be lowered already. A shared loop is
/// distributed over the lanes of the group, and the lanes combine the result of
/// a shared reduction. Any other loop runs in one lane. With `marksVectors`,
/// the latch of a loop that may be vectorised gets the attribute `vectorLatch`:
/// "parallel", or "reduce" for a reduction other than the arg_ kinds.
void lowerLoop(mlir::Operation *loop, bool isShared, bool marksVectors);

} // namespace kern::ir::loop
