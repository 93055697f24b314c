//===- NarrowComparisons.h - compare with inputs narrowly -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `x < t` for an i16 and an i64 compares in 64 bits, which costs an i16 kernel
// half of its speed. Where `t` is an input it needs no more than 32: all that
// the narrow side can tell apart are the values that fit, and one on each side
// of them. So `t` is clamped, which is work on an input alone and is done once
// where that is a scalar.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::loop {

/// Rewrites, as the pass loop-narrow-comparisons does in every kernel of a
/// module, the comparisons between a widened integer of at most 16
/// bits and an input of 64.
void narrowComparisons(KernelOp kernel);

} // namespace kern::loop
