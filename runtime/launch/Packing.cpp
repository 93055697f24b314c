//===- Packing.cpp - a tile's elements in a buffer ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Packing.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

using namespace kern;

namespace {
/// One side of a copy: bytes between rows and between columns.
struct Side {
  std::byte *data;
  int64_t rowStride, columnStride;
};

/// Copies element by element, the first dimension outermost.
template <size_t size>
void copyElements(int64_t outer, int64_t inner, std::byte *to, int64_t toOuter,
                  int64_t toInner, const std::byte *from, int64_t fromOuter,
                  int64_t fromInner) {
  for (int64_t i = 0; i < outer; ++i) {
    std::byte *target = to + i * toOuter;
    const std::byte *source = from + i * fromOuter;
    for (int64_t j = 0; j < inner; ++j)
      std::memcpy(target + j * toInner, source + j * fromInner, size);
  }
}

template <size_t size>
void copyRows(int64_t rows, int64_t columns, Side to, Side from) {
  if (to.columnStride == int64_t(size) && from.columnStride == int64_t(size)) {
    for (int64_t r = 0; r < rows; ++r)
      std::memcpy(to.data + r * to.rowStride, from.data + r * from.rowStride,
                  size_t(columns) * size);
    return;
  }
  // One side is a buffer in the first-level cache: the other decides.
  const Side &array = from.columnStride == int64_t(size) ? to : from;
  if (rows > 1 && std::abs(array.rowStride) < std::abs(array.columnStride))
    copyElements<size>(columns, rows, to.data, to.columnStride, to.rowStride,
                       from.data, from.columnStride, from.rowStride);
  else
    copyElements<size>(rows, columns, to.data, to.rowStride, to.columnStride,
                       from.data, from.rowStride, from.columnStride);
}

void copyRows(size_t size, int64_t rows, int64_t columns, Side to, Side from) {
  switch (size) {
  case 1:
    return copyRows<1>(rows, columns, to, from);
  case 2:
    return copyRows<2>(rows, columns, to, from);
  case 4:
    return copyRows<4>(rows, columns, to, from);
  case 8:
    return copyRows<8>(rows, columns, to, from);
  default:
    return copyRows<16>(rows, columns, to, from);
  }
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
  forParts(operand, place, [&](int64_t first, int64_t rows, Side array) {
    copyRows(operand.itemSize, rows, place.columns,
             {buffer + first * pitch, pitch, int64_t(operand.itemSize)}, array);
  });
}

void kern::unpack(const std::byte *buffer, int64_t pitch,
                  const PackedOperand &operand, const TilePlace &place) {
  int64_t size = int64_t(operand.itemSize);
  forParts(operand, place, [&](int64_t first, int64_t rows, Side array) {
    const std::byte *from = buffer + first * pitch;
    int64_t columns = place.columns;
    bool hasRuns = array.columnStride == size;
    if (hasRuns && pitch == columns * size && array.rowStride == pitch) {
      // One long row.
      columns *= rows;
      rows = 1;
    }
    copyRows(operand.itemSize, rows, columns, array,
             {const_cast<std::byte *>(from), pitch, size});
  });
}

void kern::splat(std::byte *buffer, const std::byte *element, size_t itemSize,
                 int64_t count) {
  copyRows(itemSize, 1, count, {buffer, 0, int64_t(itemSize)},
           {const_cast<std::byte *>(element), 0, 0});
}
