//===- Slices.h - loops in slices -------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Obstacle.h"

namespace kern::ir::loop {

/// The number of launches in which a gufunc's loops can run when their
/// iterations are cut into slices. Loops that depend on one another run in
/// launches one after the other; the last one returns the results.
Found<unsigned> slicedLaunches(KernelOp kernel);

/// Whether the slices can run at the same time: they exchange nothing but
/// results of reductions.
bool mayCooperate(KernelOp kernel);

/// Cuts the loops of a kernel with slicedLaunches() into slices. Each launch
/// runs a slice of the loops whose turn it is. Of a reduction it stores the
/// slice's result, and all later launches combine those of all slices, in
/// order. If the kernel `isCooperative`, there is one launch, in which slices
/// wait for the results of others. If it `isRecentred`, slices add up squares
/// about their own means (Recentre.h).
void slice(KernelOp kernel, bool isCooperative, bool isRecentred);

} // namespace kern::ir::loop
