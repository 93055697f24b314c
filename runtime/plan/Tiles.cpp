//===- Tiles.cpp - the tiles of a flat nest -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Tiles.h"

#include <algorithm>
#include <cmath>

using namespace kern::runtime;

std::vector<int64_t> kern::runtime::inTiles(std::vector<int64_t> flat,
                                            const Nest::Tile &tile,
                                            bool isUnrolled) {
  size_t last = flat.size() - 1;
  bool hasBorder = tile.isWide && !isUnrolled && flat[last] > 0;
  flat[last] =
      ceilDivide(flat[last], int64_t(tile.columns)) + (hasBorder ? 1 : 0);
  if (tile.rows > 1)
    flat[last - 1] = ceilDivide(flat[last - 1], int64_t(tile.rows));
  if (tile.planes > 1)
    flat[last - 2] = ceilDivide(flat[last - 2], int64_t(tile.planes));
  return flat;
}

std::vector<Nest::Tile> kern::runtime::tilesAsked(std::vector<Nest::Tile> tiles,
                                                  unsigned columns) {
  if (columns != anyTile)
    std::erase_if(
        tiles, [=](const Nest::Tile &tile) { return tile.columns != columns; });
  return tiles;
}

/// The estimated time of each iteration, relative to that of a GPU whose lanes
/// do nothing but multiply and add.
static double costOf(const Nest::Tile &tile, const NestExtents &extents,
                     int64_t threads) {
  NestExtents tiled = extents;
  tiled.flat = inTiles(extents.flat, tile);
  auto items = double(extents.items()), tiles = double(tiled.items());
  // A thread uses what it reads from shared memory for all of its results.
  double results = double(tile.rows) * tile.columns / tile.threads;
  constexpr double overhead = 4; // in results
  double efficiency = results / (results + overhead);
  // A tile uses what it reads from memory for a row or column of results.
  constexpr double fetching = 8; // in results
  if (tile.rows > 1) {
    double served = 2.0 * tile.rows * tile.columns / (tile.rows + tile.columns);
    efficiency *= served / (served + fetching * tile.speed);
  }
  // Each thread does the work of several, so that an eighth of the resident
  // threads fill the GPU.
  double busy = std::min(1.0, tiles * tile.threads / (double(threads) / 8));
  double padding = tiles * tile.rows * tile.columns / items;
  constexpr double maxPadding = 3;
  return padding > maxPadding ? HUGE_VAL
                              : padding / (efficiency * busy * tile.speed);
}

unsigned kern::runtime::windowFor(std::span<const Nest::Tile> tiles,
                                  const NestExtents &extents, bool isAligned,
                                  int64_t threads) {
  auto items = double(extents.items());
  // A thread has several results, so that an eighth of them is enough.
  double minThreads = double(threads) / 8, minPadding = 1.5;
  unsigned best = 0;
  for (const Nest::Tile &tile : tiles) {
    NestExtents tiled = extents;
    tiled.flat = inTiles(extents.flat, tile, /*isUnrolled=*/true);
    auto count = double(tiled.items());
    double padding = count * tile.rows * tile.columns * tile.planes / items;
    // Tiles with more columns share fewer elements with their neighbours.
    if (count * tile.threads < minThreads || padding > minPadding ||
        (tile.isWide && !isAligned))
      continue;
    minPadding = std::min(minPadding, padding * 1.1);
    best = tile.columns;
  }
  return best;
}

bool kern::runtime::canUnroll(const Nest &nest, const NestExtents &extents,
                              StrideFacts strides) {
  // Rows share what they read with one another. One row alone reads more from
  // the caches than it computes if there are many iterations.
  constexpr int64_t maxOfRows = 128, maxOfRow = 20;
  int64_t max = extents.flat.size() > 1 ? maxOfRows : maxOfRow;
  return !nest.unrolled.tiles.empty() && extents.unrolled > 0 &&
         extents.unrolled <= max && extents.unrolledDim <= longestUnrolled &&
         !extents.dims.empty() && strides.mayStage;
}

unsigned kern::runtime::unrolledFor(const Nest &nest,
                                    const NestExtents &extents,
                                    StrideFacts strides, int64_t threads) {
  // A kernel takes a few tenths of a second to make.
  constexpr int64_t fewItems = 1 << 22;
  if (!canUnroll(nest, extents, strides) || !strides.isDense ||
      (extents.items() < fewItems && !extents.wantsConstants))
    return 0;
  // Longer code spills registers.
  constexpr int64_t maxProducts = 2048;
  std::vector<Nest::Tile> tiles = nest.unrolled.tiles;
  std::erase_if(tiles, [&](const Nest::Tile &tile) {
    int64_t results = int64_t(tile.rows) * tile.columns / tile.threads;
    return results * extents.unrolled > maxProducts;
  });
  return windowFor(tiles, extents, strides.isAligned, threads);
}

unsigned kern::runtime::tileFor(const Nest &nest, const NestExtents &extents,
                                int64_t threads) {
  if (extents.items() == 0)
    return 0;
  // A group of lanes for each item reads both operands of each product from
  // the caches, with addresses of 64 bits.
  double least = 20;
  unsigned best = 0;
  // Threads with many results of a window begin and end rarely, but few of them
  // fit. On an H100 sums of 64 and of 127 products became 1.08 and 1.05 times
  // as fast with them, of 1023 0.97.
  constexpr int64_t shortLoop = 256, manyOfWindow = 16;
  for (const Nest::Tile &tile : nest.tiles) {
    if (tile.rows == 1 && tile.columns > manyOfWindow * tile.threads &&
        extents.shared > shortLoop)
      continue;
    double cost = costOf(tile, extents, threads);
    if (cost < least) {
      least = cost;
      best = tile.columns;
    }
  }
  return best;
}
