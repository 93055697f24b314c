//===- Packing.cpp - a tile's elements in a buffer ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/Packing.h"
#include "runtime/array/ElementCopy.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

using namespace kern;

namespace {
/// Copies a tile, row by row, or column by column where the rows of `array`,
/// one of the sides, are nearer to one another than its columns.
void copyTile(size_t size, int64_t rows, int64_t columns, TileSide to,
              TileSide from, const TileSide &array) {
  if (rows > 1 && std::abs(array.rowStride) < std::abs(array.columnStride)) {
    std::swap(rows, columns);
    std::swap(to.rowStride, to.columnStride);
    std::swap(from.rowStride, from.columnStride);
  }
  for (int64_t r = 0; r < rows; ++r)
    copyStrided(size, columns, to.data + r * to.rowStride, to.columnStride,
                from.data + r * from.rowStride, from.columnStride);
}

/// Whether an array's elements lie side by side along its rows alone.
bool liesAcross(int64_t size, const TileSide &array) {
  return array.rowStride == size && array.columnStride != size;
}
} // namespace

void kern::pack(std::byte *buffer, int64_t pitch, const PackedOperand &operand,
                const TilePlace &place) {
  int64_t size = int64_t(operand.itemSize);
  forParts(*operand.extents, place, [&](const TilePart &part) {
    TileSide array = sideOf(operand, part);
    int64_t rows = part.rows;
    std::byte *to = buffer + part.first * pitch;
    if (array.columnStride == 0)
      for (int64_t r = 0; r < rows; ++r)
        splat(to + r * pitch, array.data + r * array.rowStride,
              operand.itemSize, place.columns);
    else if (liesAcross(size, array))
      transpose(operand.itemSize, place.columns, rows, to, pitch, array.data,
                array.columnStride, /*writesWhole=*/false);
    else
      copyTile(operand.itemSize, rows, place.columns, {to, pitch, size}, array,
               array);
  });
}

void kern::unpack(const std::byte *buffer, int64_t pitch,
                  const PackedOperand &operand, const TilePlace &place) {
  int64_t size = int64_t(operand.itemSize);
  forParts(*operand.extents, place, [&](const TilePart &part) {
    TileSide array = sideOf(operand, part);
    int64_t rows = part.rows;
    const std::byte *from = buffer + part.first * pitch;
    if (liesAcross(size, array))
      transpose(operand.itemSize, rows, place.columns, array.data,
                array.columnStride, from, pitch, /*writesWhole=*/true);
    else
      copyTile(operand.itemSize, rows, place.columns, array,
               {const_cast<std::byte *>(from), pitch, size}, array);
  });
}
