//===- Distribute.h - loops over lanes --------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns loop.parallel and loop.reduce into cf loops. The lanes of a group run
// one loop element together: each top-level loop of a gufunc is dealt out to
// them (lane l takes iterations l, l + group, …), everything else they run
// redundantly, so that their control flow never parts. Nested loops, and every
// loop of a ufunc, run inside one lane.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::loop {

/// Distributes one kernel, as the pass loop-distribute does with every one of a
/// module. With `sequential` a loop element has one lane: no
/// lanes, combines or barriers are made, and loops are marked for the host's
/// vectors (LoopLowering.h). Otherwise `shared_extents` is computed
/// where it is missing. Cannot fail on a kernel that verifies.
void distribute(KernelOp kernel, bool sequential);

} // namespace kern::loop
