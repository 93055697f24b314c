//===- Geometry.cpp - the geometry of a launch ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Geometry.h"
#include "runtime/plan/Layout.h"

#include <algorithm>
#include <bit>

using namespace kern::runtime;

Geometry kern::runtime::contiguousGeometry(const KernelInfo &kernel,
                                           int64_t count) {
  Geometry geometry;
  geometry.blockX = std::max(kernel.block, 1u);
  geometry.blocks = ceilDivide(count, int64_t(geometry.blockX) *
                                          std::max(kernel.elements, 1u));
  return geometry;
}

Rows kern::runtime::rowsOf(const KernelInfo &kernel, const Layout &layout,
                           std::span<const OperandFacts> facts) {
  auto vector = int64_t(std::max(kernel.elements, 1u));
  Rows rows = {layout, layout.rank() ? layout.extents[0] : 1, true};
  for (size_t k = 0; k < facts.size(); ++k) {
    if (!facts[k].isOutput)
      continue;
    int64_t bytes = vector * int64_t(facts[k].itemSize);
    rows.isAligned &= facts[k].address % uint64_t(bytes) == 0;
    for (size_t d = 1; d < layout.rank(); ++d)
      rows.isAligned &= layout.strides[k][d] % bytes == 0;
  }
  if (layout.rank() != 1)
    return rows;
  // If chunks do not begin with the rows, both ends of each row are processed
  // element by element. That pays off only for few long rows.
  int64_t width = vector * int64_t(std::max(kernel.block, 1u));
  if (!rows.isAligned)
    width *= 64;
  int64_t extent = layout.extents[0];
  if (extent <= width)
    return rows;
  int64_t count = ceilDivide(extent, width);
  rows.layout.extents = {width, count};
  for (Strides &strides : rows.layout.strides)
    strides.push_back(strides[0] * width);
  rows.lastExtent = extent - (count - 1) * width;
  return rows;
}

Geometry kern::runtime::innerGeometry(const KernelInfo &kernel,
                                      const Rows &rows) {
  const Layout &layout = rows.layout;
  auto vector = int64_t(std::max(kernel.elements, 1u));
  int64_t extent = layout.rank() ? layout.extents[0] : 1;
  int64_t count = layout.outerCount(1);
  int64_t chunks =
      ceilDivide(extent + (rows.isAligned ? 0 : vector - 1), vector);
  unsigned block = std::bit_floor(std::max(kernel.block, 1u));
  unsigned tx =
      unsigned(std::min<uint64_t>(std::bit_ceil(uint64_t(chunks)), block));
  // A narrower tile may waste fewer threads at the end of each row: 65 chunks
  // leave 63 idle in tiles of 128 or 64, but at most 31 in tiles of 32.
  auto taken = [&](unsigned width) {
    return ceilDivide(chunks, width) * width;
  };
  for (unsigned narrow = tx / 2; narrow >= 32 && count > 1; narrow /= 2)
    if (taken(narrow) < taken(tx))
      tx = narrow;
  Geometry geometry;
  geometry.blockX = tx;
  geometry.blockY = block / tx;
  geometry.tiles = ceilDivide(chunks, tx);
  int64_t bands =
      ceilDivide(count, int64_t(geometry.blockY) * std::max(kernel.rows, 1u));
  if (__builtin_mul_overflow(geometry.tiles, bands, &geometry.blocks))
    geometry.blocks = INT64_MAX;
  return geometry;
}

Geometry kern::runtime::tiledGeometry(const KernelInfo &kernel,
                                      const Layout &layout,
                                      const Transposition &transposition,
                                      std::span<const OperandFacts> facts) {
  constexpr unsigned maxShared = 48 << 10; // on every GPU, without opting in
  constexpr unsigned warp = 32;
  auto side = int64_t(std::max(kernel.elements, 1u));
  Geometry geometry;
  geometry.blockX = warp;
  geometry.blockY = std::max(kernel.block, warp) / warp;
  geometry.tiles = ceilDivide(layout.extents[0], side);
  geometry.tilesAcross = ceilDivide(layout.extents[1], side);
  if (__builtin_mul_overflow(geometry.tiles, geometry.tilesAcross,
                             &geometry.blocks) ||
      __builtin_mul_overflow(geometry.blocks, layout.outerCount(2),
                             &geometry.blocks))
    geometry.blocks = INT64_MAX;
  for (size_t k = 0; k < facts.size() && k < 64; ++k) {
    uint64_t bit = uint64_t(1) << k;
    size_t bytes = size_t(side * (side + 1)) * facts[k].itemSize;
    if (!(transposition.inputs & bit) ||
        geometry.sharedBytes + bytes > maxShared)
      continue;
    geometry.across |= bit;
    geometry.sharedBytes += unsigned(bytes);
  }
  return geometry;
}

Geometry kern::runtime::stridedGeometry(const KernelInfo &kernel,
                                        int64_t count) {
  return contiguousGeometry(kernel, count);
}

Geometry kern::runtime::generalGeometry(const KernelInfo &kernel, int64_t items,
                                        const Schedule &schedule) {
  constexpr unsigned warp = 32;
  unsigned block = std::max(kernel.block, warp);
  Geometry geometry;
  geometry.items = items;
  geometry.group = schedule.lanes;
  geometry.slices = schedule.slices;
  geometry.copies = schedule.copies;
  geometry.sharedBytes = schedule.sharedBytes;
  int64_t perBlock = 1;
  if (schedule.mapping.across) {
    geometry.blockY = schedule.block ? schedule.block / warp
                                     : std::min(schedule.lanes, maxRowsAcross);
    geometry.blockX = std::max(warp, block / geometry.blockY);
    perBlock = geometry.blockX;
  } else if (schedule.mapping.staged) {
    geometry.blockX = schedule.block;
    perBlock = schedule.mapping.spread ? schedule.block / warp * spreadElements
                                       : schedule.block;
  } else if (schedule.lanes > warp) {
    geometry.blockX = schedule.lanes;
  } else {
    geometry.blockX = block;
    perBlock = block / schedule.lanes;
  }
  if (kernel.mapping.ahead)
    geometry.sharedBytes = std::max(schedule.sharedBytes, aheadBytes);
  else if (kernel.mapping.isCooperative())
    geometry.sharedBytes = 0;
  int64_t sets = ceilDivide(items, perBlock);
  if (schedule.mapping.isCooperative())
    sets = std::min(sets, schedule.teams);
  if (__builtin_mul_overflow(sets, schedule.slices, &geometry.blocks))
    geometry.blocks = INT64_MAX;
  return geometry;
}

int64_t kern::runtime::combiningBlocks(const Geometry &geometry,
                                       const Mapping &mapping) {
  constexpr unsigned warp = 32;
  constexpr int64_t fewSlices = 8 * warp;
  const int64_t blocks = geometry.blocks / geometry.slices;
  if (!mapping.recentred || mapping.across || geometry.group <= warp ||
      geometry.slices > fewSlices)
    return blocks;
  return ceilDivide(geometry.items, int64_t(geometry.blockX / warp));
}
