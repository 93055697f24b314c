//===- OrderedSums.h - loops in order that add up ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// Turns the loops in order inside of a kernel's parallel loops that only add
/// up or multiply, beginning with 0 or 1, into reductions in order: those of a
/// variable, as in
///
///     s = 0
///     for l in range(k):
///         s += a[i, l] * b[l, j]
///
/// and those of one element of an array, as with `c[i, j]` in place of `s`.
/// The mappings know reductions, and one in order has the same bits as the
/// loop.
void loopsToReductions(KernelOp kernel);

} // namespace kern::ir::loop
