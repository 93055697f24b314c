//===- Recompute.h - local arrays that are not kept -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   d = x - mean(x)
//   y[:] = d / sqrt(mean(d * d))
//
// Elements of `d` cost no more to compute again than to read: each is made of
// one element of an input, by a few additions and the like. Where each loop
// reads an element once, no memory is needed for `d`, and a group of lanes can
// keep what it reads of `x` in registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// Computes the elements of such arrays where they are read. The pass
/// loop-recompute does this for each kernel of a module.
void recompute(KernelOp kernel);

} // namespace kern::ir::loop
