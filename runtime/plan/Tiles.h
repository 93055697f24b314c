//===- Tiles.h - the tiles of a flat nest -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions that choose the tiles of a call
// (docs/explanation/mappings.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Schedule.h"

namespace kern::runtime {

/// The columns of the tiles for a call; 0 if its iterations are better not
/// computed in tiles. Follows from extents and the GPU's resident threads
/// alone.
unsigned tileFor(const Nest &nest, const NestExtents &extents, int64_t threads);

/// Likewise for a nest without loops, whose threads compute neighbouring
/// results: one of its tiles, or of those that it has with unrolled loops. They
/// are not wide unless `isAligned`.
unsigned windowFor(std::span<const Nest::Tile> tiles,
                   const NestExtents &extents, bool isAligned, int64_t threads);

/// Whether a kernel with unrolled loops can serve a call: they are few, and
/// follow from small extents.
bool canUnroll(const Nest &nest, const NestExtents &extents,
               StrideFacts strides);

/// The columns of the tiles for a call whose loops are unrolled; 0 if there are
/// too few iterations to be worth a kernel for these extents, or lanes would
/// not access neighbouring elements.
unsigned unrolledFor(const Nest &nest, const NestExtents &extents,
                     StrideFacts strides, int64_t threads);

/// Those of `tiles` that a test asks for: all for anyTile, none for 0.
std::vector<Nest::Tile> tilesAsked(std::vector<Nest::Tile> tiles,
                                   unsigned columns);

/// The extents of a flat nest in tiles. Wide ones that are not unrolled leave
/// the first and last columns, where branches differ, to one more tile at the
/// end of each row of tiles.
std::vector<int64_t> inTiles(std::vector<int64_t> flat, const Nest::Tile &tile,
                             bool isUnrolled = false);

} // namespace kern::runtime
