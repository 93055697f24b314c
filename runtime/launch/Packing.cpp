//===- Packing.cpp - a tile's elements in a buffer ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Packing.h"
#include "runtime/launch/ElementCopy.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

using namespace kern;

namespace {
/// One side of a copy: bytes between rows and between columns.
struct Side {
  std::byte *data;
  int64_t rowStride, columnStride;
};

/// Copies a tile, row by row, or column by column where the rows of `array`,
/// one of the sides, are nearer to one another than its columns.
void copyTile(size_t size, int64_t rows, int64_t columns, Side to, Side from,
              const Side &array) {
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
bool liesAcross(int64_t size, const Side &array) {
  return array.rowStride == size && array.columnStride != size;
}

/// Calls `visit(first row of the tile, rows, address)` for parts of a tile
/// whose rows lie one stride of dimension 1 apart.
template <typename Visit>
void forParts(const PackedOperand &operand, const TilePlace &place,
              Visit visit) {
  const Extents &extents = *operand.extents, &strides = *operand.strides;
  auto strideOf = [&](size_t d) { return d < strides.size() ? strides[d] : 0; };
  int64_t length = extents.size() > 1 ? extents[1] : 1;
  for (int64_t done = 0; done < place.rows;) {
    int64_t first = (place.row + done) % length;
    int64_t rest = (place.row + done) / length;
    int64_t rows = std::min(place.rows - done, length - first);
    int64_t offset = place.column * strideOf(0) + first * strideOf(1);
    for (size_t d = 2; d < extents.size(); ++d) {
      offset += rest % extents[d] * strideOf(d);
      rest /= extents[d];
    }
    visit(done, rows, Side{operand.data + offset, strideOf(1), strideOf(0)});
    done += rows;
  }
}
} // namespace

void kern::pack(std::byte *buffer, int64_t pitch, const PackedOperand &operand,
                const TilePlace &place) {
  int64_t size = int64_t(operand.itemSize);
  forParts(operand, place, [&](int64_t first, int64_t rows, Side array) {
    std::byte *to = buffer + first * pitch;
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
  forParts(operand, place, [&](int64_t first, int64_t rows, Side array) {
    const std::byte *from = buffer + first * pitch;
    if (liesAcross(size, array))
      transpose(operand.itemSize, rows, place.columns, array.data,
                array.columnStride, from, pitch, /*writesWhole=*/true);
    else
      copyTile(operand.itemSize, rows, place.columns, array,
               {const_cast<std::byte *>(from), pitch, size}, array);
  });
}
