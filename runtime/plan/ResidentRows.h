//===- ResidentRows.h - which rows stay in registers ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions for the mapping that keeps rows in the registers of lanes
// (docs/explanation/mappings.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Geometry.h"
#include "runtime/plan/NestLayout.h"

#include <optional>

namespace kern::runtime {

/// Whether `lanes` lanes can keep their parts of the rows that several loops
/// read: a row has a whole chunk, and the elements after its last whole chunk
/// go to different lanes.
bool fitRows(const Nest &nest, const NestExtents &extents, int64_t lanes);

/// The lanes for rows that stay in registers, with as many chunks each as
/// registers hold; nothing if rows are too long.
std::optional<unsigned>
lanesForRows(const Nest &nest, const NestExtents &extents, int64_t threads);

/// Lets the rows of a schedule stay in registers.
void keepRows(Schedule &schedule, const Nest &nest, const NestExtents &extents);

/// Whether rows are so long that slices which wait for no other are faster, for
/// a nest that can have these.
bool recentres(const Nest &nest, const NestExtents &extents);

/// Parts of rows that several loops read, each in the registers of a block.
struct RowParts {
  int64_t slices;
  unsigned lanes; ///< of each slice
};

/// In which slices blocks can keep the rows that several loops read, if the
/// slices of an item work at the same time or, `isRecentred`, wait for no
/// other: about as many as `wanted`. Nothing if there are no such rows, or if
/// they are too long for that.
std::optional<RowParts> partsOfRows(const Nest &nest,
                                    const NestExtents &extents, int64_t wanted,
                                    int64_t threads, bool isRecentred);

/// How many slices of rows would use the whole GPU, each with several chunks
/// for a lane.
int64_t busySlices(const Nest &nest, const NestExtents &extents,
                   int64_t threads);

/// Lets the rows of a schedule stay in the registers of several blocks.
void keepParts(Schedule &schedule, const Nest &nest, const NestExtents &extents,
               int64_t threads);

} // namespace kern::runtime
