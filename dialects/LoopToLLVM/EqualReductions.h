//===- EqualReductions.h - reductions that are written twice ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `(x - mean(x)) / sqrt(mean((x - mean(x)) ** 2))` sums `x` twice. MLIR's CSE
// leaves reductions alone that read arrays. Here the second one takes the value
// of the first, if both are in one block, read the same, and nothing is written
// to their arrays in between.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// Merges the equal reductions of a kernel. The pass loop-merge-reductions does
/// this for each kernel of a module.
void mergeReductions(KernelOp kernel);

} // namespace kern::ir::loop
