//===- LoopLowering.h - one loop as control flow ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::loop {

inline constexpr llvm::StringLiteral vectorLatch = "loop.vector";

/// Replaces a loop.parallel or loop.reduce, whose nested loops are lowered
/// already, by cf loops in place; its block is split around it. A shared loop
/// is dealt out to the lanes of the group, and a shared reduction's result
/// combined over them; any other loop runs in one lane. Where `marksVectors`,
/// the latch of a loop whose iterations may run side by side gets the attribute
/// `vectorLatch`: "parallel", or "reduce" for a reduction without a position.
void lowerLoop(mlir::Operation *loop, bool isShared, bool marksVectors);

} // namespace kern::loop
