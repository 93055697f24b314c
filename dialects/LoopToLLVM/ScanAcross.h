//===- ScanAcross.h - scans along the rows of a block --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/ScanLowering.h"

namespace kern::ir::loop {

/// Replaces a loop.scan by loops of a block whose columns are loop elements.
///
/// The block's rows are the lanes of a scan, one scan for each column. The
/// totals of chunks are transposed, so that a warp has those of one scan, and
/// continues as the warps of a group do, one part after the other; tiles follow
/// one another as those of blocks that look back. So the bits are the same.
void lowerScanAcross(ScanOp op, LoopStyle style);

} // namespace kern::ir::loop
