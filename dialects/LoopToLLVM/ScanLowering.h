//===- ScanLowering.h - scans as control flow -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/ChunkedLoads.h"
#include "dialects/LoopToLLVM/LoopLowering.h"

namespace kern::ir::loop {

/// Replaces a loop.scan by cf loops. A single lane runs it in order.
///
/// The lanes of a group take it in tiles. Each warp has a part of the tile, of
/// which its lanes keep a few chunks each (ScanEmitter.h). The group combines
/// the prefix of the tile and the totals of its warps' parts, in this order.
/// Only extents, the group's size and the types decide this grouping.
void lowerScan(ScanOp op, LoopStyle style);

//===--- ScanAcross.cpp ---------------------------------------------------===//
/// The same for a block whose columns are loop elements: the block's rows are
/// the lanes of a scan, one scan for each column. The totals of chunks are
/// transposed, so that a warp has those of one scan. It continues as the warps
/// of a group do, one part after the other, and one tile after the other as
/// blocks that look back do. So the bits are the same.
void lowerScanAcross(ScanOp op, LoopStyle style);

/// The accesses of a scan that lanes make in chunks; a chunk is one element if
/// the iterations are too large for more.
struct ScanChunks {
  llvm::SmallVector<ChunkedLoads::Load> loads;
  /// The stores, and the dimension along which each moves; empty if some do not
  /// move along one.
  llvm::SmallVector<std::pair<StoreOp, unsigned>> stores;
  unsigned size = 1;
  bool isWide = false; ///< all accesses can be chunks
  unsigned kept = 1;   ///< that a lane can have in registers
};
ScanChunks scanChunks(ScanOp op);

} // namespace kern::ir::loop
