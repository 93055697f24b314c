//===- FuseLoops.h - loops that follow each other become one ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements on whole arrays are loops, one after the other:
//
//   y[:] = x @ w
//   y += bias
//   y[:] = maximum(y, 0)
//
// Where an iteration of one loop uses what the same iteration of the loop
// before it stored, and nothing that another one stored, both are one loop.
// The value then passes in a register. The array is not read again, and is not
// written if nothing else reads it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// Fuses the parallel loops of a kernel that follow each other, run over the
/// same ranges, and have one block each. Of two loops only one may have
/// reductions, so that products of matrices stay what they are. The pass
/// loop-fuse does this for each kernel of a module.
void fuseLoops(KernelOp kernel);

} // namespace kern::ir::loop
