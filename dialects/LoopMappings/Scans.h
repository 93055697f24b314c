//===- Scans.h - scans whose rows stay in registers -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Obstacle.h"
#include "dialects/LoopToLLVM/Extents.h"
#include "runtime/artefact/Nest.h"

namespace kern::ir::loop {

/// The rows of a kernel's scans.
struct ScanRows {
  unsigned chunk; ///< elements that one access reads
  unsigned kept;  ///< chunks of a row that a lane can keep
  DimTokens extent;
};

/// Nothing unless a kernel's loops are all scans over one range from 0, store
/// their results, and are independent.
Found<ScanRows> scanRows(KernelOp kernel);

/// Lets the lanes of a kernel with scanRows() keep `mapping.chunks` chunks of a
/// row each. A group of lanes has a row; or, if the mapping is `sliced`, the
/// blocks of a cooperative kernel share it, and look back for the prefix of
/// their tiles.
void keepScans(KernelOp kernel, const ScanRows &rows,
               kern::runtime::Mapping mapping);

} // namespace kern::ir::loop
