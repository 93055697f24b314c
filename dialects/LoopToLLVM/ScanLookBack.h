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
/// tiles k, k + slices, …. It publishes what a tile's elements are combined to
/// before it finishes the tile that it has scanned before that one. What comes
/// before a tile is what the groups of 128 tiles before its own are combined
/// to, one group after the other, and then the tiles of its group. So the
/// grouping follows from the extents, and memory is read and written once.
void lowerLookBack(ScanOp op, LoopStyle style);

} // namespace kern::ir::loop
