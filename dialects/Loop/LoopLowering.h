//===- LoopLowering.h - one loop as control flow ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::loop {

/// Replaces a loop.parallel or loop.reduce, whose nested loops are lowered
/// already, by cf loops in place; its block is split around it. A shared loop
/// is dealt out to the lanes of the group, and a shared reduction's result
/// combined over them; any other loop runs in one lane.
void lowerLoop(mlir::Operation *loop, bool isShared);

} // namespace kern::loop
