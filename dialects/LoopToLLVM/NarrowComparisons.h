//===- NarrowComparisons.h - narrower integer comparisons -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `x < t` with an i16 `x` and an i64 `t` compares in 64 bits, which halves the
// speed of an i16 kernel. If `t` is an input, 32 bits are enough. A 16-bit
// value compares the same with every `t` above its range, and the same with
// every `t` below it. So `t` is clamped to 32 bits; for a scalar `t` that is
// done once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// Narrows the comparisons of a kernel between a widened integer of at most 16
/// bits and a 64-bit input. The pass loop-narrow-comparisons does this for each
/// kernel of a module.
void narrowComparisons(KernelOp kernel);

} // namespace kern::ir::loop
