//===- ScanRows.h - where the rows of scans go ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions for gufuncs whose loops are scans (Nest::isScan). A row that
// fits into the registers of a block is read and written once by its lanes.
// The blocks of the whole GPU share longer ones
// (docs/explanation/mappings.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Geometry.h"
#include "runtime/plan/NestLayout.h"

namespace kern::runtime {

/// The number of lanes that keep a row of `chunks` chunks, at most `most` each;
/// 0 if a block cannot. Lanes of less than a warp have one chunk, and those of
/// several warps `most`: extents alone decide how elements are grouped.
unsigned lanesOfScan(int64_t chunks, unsigned most);

/// The slices that share a row of `tiles` tiles, and the rows on which blocks
/// work at the same time.
struct ScanTeams {
  int64_t slices = 1, teams = 1;
  bool operator==(const ScanTeams &) const = default;
};
ScanTeams scanTeams(int64_t items, int64_t tiles, int64_t blocks);

/// What a GPU can take.
struct ScanLimits {
  int64_t threads;   ///< resident ones
  unsigned maxLanes; ///< that can share an item: fewer if the grid is full
};

/// Completes a schedule that is flat or not.
Schedule scheduleOfScan(Schedule schedule, const Nest &nest,
                        const NestExtents &extents, StrideFacts strides,
                        ScanLimits limits);

/// The mapping that tests ask for, as far as rows allow it.
Schedule forcedScan(Schedule schedule, Mapping wanted, const Nest &nest,
                    const NestExtents &extents, ScanLimits limits);

} // namespace kern::runtime
