//===- Distribute.h - distribution of loops over lanes ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns loop.parallel and loop.reduce into cf loops. The lanes of a group share
// one loop element. The iterations of a gufunc's top-level loops are
// distributed over the lanes: lane l takes iterations l, l + group, … or whole
// chunks of them. Stores outside of loops, and loops that must run in order,
// run in lane 0 alone. All lanes run the remaining code redundantly. Nested
// loops, and all loops of a ufunc, run inside one lane.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// Of a gufunc's loop.kernel for a CPU: its loop elements share vectors, so no
/// reduction ends early or goes back to search.
inline constexpr llvm::StringLiteral sideBySideAttribute = "loop.side_by_side";

/// Distributes one kernel; the pass loop-distribute does this for each kernel
/// of a module. With `sequential`, a loop element has one lane: there are no
/// lanes, combines or barriers, and loops are marked for vectorisation on the
/// host (LoopLowering.h). Otherwise a gufunc without checks gets
/// `shared_extents` if it has none. Cannot fail on a kernel that verifies.
void distribute(KernelOp kernel, bool sequential);

} // namespace kern::ir::loop
