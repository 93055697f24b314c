//===- Flatten.h - iterations as loop elements ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Obstacle.h"

namespace kern::ir::loop {

/// Turns the iterations of a gufunc's outermost parallel loop into loop
/// elements: its body becomes the kernel's, and its indices are computed from
/// the flat ones. Repeats this for a loop inside that is then the only one. A
/// loop qualifies if it is the kernel's only one, its ranges follow from
/// dimensions, and nothing around it reads what is written. Short branches of
/// iterations become choices (Selects.h). Returns whether there was such a
/// loop.
bool flatten(KernelOp kernel);

/// Why the iterations of a gufunc's only outer loop cannot be loop elements.
/// Nothing if they can, or if there is no such loop.
std::optional<Obstacle> flatObstacle(KernelOp kernel);

//===--- OrderedSums.cpp ------------------------------------------------===//
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
