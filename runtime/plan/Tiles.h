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
/// results.
unsigned windowFor(const Nest &nest, const NestExtents &extents,
                   int64_t threads);

/// Those of `tiles` that a test asks for: all for anyTile, none for 0.
std::vector<Nest::Tile> tilesAsked(std::vector<Nest::Tile> tiles,
                                   unsigned columns);

/// The extents of a flat nest in tiles.
std::vector<int64_t> inTiles(std::vector<int64_t> flat, const Nest::Tile &tile);

} // namespace kern::runtime
