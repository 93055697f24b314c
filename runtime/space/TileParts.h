//===- TileParts.h - the addresses of a tile --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace kern::runtime {

/// Part of an operand: `columns` elements of dimension 0 from `column` on, in
/// each of `rows` rows from `row` on.
struct TilePlace {
  int64_t column = 0, columns = 1;
  int64_t row = 0, rows = 1;
};

/// An operand of a layout.
struct PackedOperand {
  std::byte *data = nullptr; ///< of the first element visited
  const Strides *strides = nullptr;
  const Extents *extents = nullptr;
  size_t itemSize = 1; ///< in memory
};

/// Rows of a tile that lie one stride of dimension 1 apart.
struct TilePart {
  int64_t first = 0, rows = 1; ///< of the tile's rows
  int64_t column = 0;
  int64_t index = 0; ///< of the first row, in dimension 1
  int64_t outer = 0; ///< its number in the dimensions from 2 outwards
};

/// Elements in memory: bytes between rows and between columns.
struct TileSide {
  std::byte *data;
  int64_t rowStride, columnStride;
};

/// `bytes` behind an address, or as far from a number of a range, whose
/// addresses are its numbers: these may be of any size.
inline std::byte *behind(std::byte *data, int64_t bytes) {
  return reinterpret_cast<std::byte *>(reinterpret_cast<uintptr_t>(data) +
                                       uint64_t(bytes));
}

/// Where an operand has a part.
inline TileSide sideOf(const PackedOperand &operand, const TilePart &part) {
  const Extents &extents = *operand.extents;
  const Strides &strides = *operand.strides;
  auto strideOf = [&](size_t d) { return d < strides.size() ? strides[d] : 0; };
  int64_t offset = part.column * strideOf(0) + part.index * strideOf(1);
  int64_t rest = part.outer;
  for (size_t d = 2; d < extents.size(); ++d) {
    offset += rest % extents[d] * strideOf(d);
    rest /= extents[d];
  }
  return {behind(operand.data, offset), strideOf(1), strideOf(0)};
}

/// Calls `visit(part)` for the parts of a tile, in order.
template <typename Visit>
void forParts(const Extents &extents, const TilePlace &place, Visit visit) {
  int64_t length = extents.size() > 1 ? extents[1] : 1;
  TilePart part;
  part.column = place.column;
  for (; part.first < place.rows; part.first += part.rows) {
    int64_t row = place.row + part.first;
    part.index = row % length;
    part.outer = row / length;
    part.rows = std::min(place.rows - part.first, length - part.index);
    visit(part);
  }
}

} // namespace kern::runtime
