//===- ScanLookBack.h - a scan that several blocks share --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/LoopLowering.h"

namespace kern::ir::loop {

/// Whether the elements of a tile can be fetched into shared memory while the
/// tile before it is scanned. Its step must be 1.
bool mayFetchTiles(ScanOp op);

/// Lowers a loop.scan with words, whose kernel is cooperative. Slice k takes
/// tiles k, k + slices, …. It publishes a tile's total before it finishes the
/// tile that it scanned before that one. The prefix of a tile combines the
/// totals of the groups of 128 tiles before its own, one group after the other,
/// and then those of the tiles in its group. So the grouping follows from the
/// extents, and memory is read and written once.
void lowerLookBack(ScanOp op, LoopStyle style);

} // namespace kern::ir::loop
