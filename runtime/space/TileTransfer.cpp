//===- TileTransfer.cpp - tiles between arrays and buffers ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/TileTransfer.h"
#include "runtime/array/ElementCopy.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

using namespace kern::runtime;

TileTransfer TileTransfer::of(const KernelOperand &operand) {
  TileTransfer out;
  out.itemSize = int64_t(kern::runtime::itemSize(operand.dtype));
  out.storedSize = int64_t(kern::runtime::itemSize(operand.inMemory()));
  out.clears = operand.isCleared;
  if (operand.rangeStep)
    out.computed = operand.dtype;
  else if (operand.stored)
    out.convert = operand.isOutput
                      ? convertLoop(operand.dtype, *operand.stored)
                      : convertLoop(*operand.stored, operand.dtype);
  return out;
}

const std::byte *TileTransfer::element(const std::byte *stored,
                                       Value &converted) const {
  if (computed)
    writeRange({wordOf(stored), 0}, 1, *computed, converted.data());
  else if (convert)
    convert(1, stored, 0, converted.data(), 0);
  else
    return stored;
  return converted.data();
}

/// Calls `visit(row, address)`: the row's number and its address in the array.
template <typename Visit>
static void forRows(const PackedOperand &array, const TilePlace &place,
                    Visit visit) {
  forParts(*array.extents, place, [&](const TilePart &part) {
    TileSide side = sideOf(array, part);
    for (int64_t r = 0; r < part.rows; ++r)
      visit(part.first + r, behind(side.data, r * side.rowStride));
  });
}

static int64_t columnStride(const PackedOperand &operand) {
  return operand.strides->empty() ? 0 : (*operand.strides)[0];
}

void kern::runtime::bringTile(const TileTransfer &transfer,
                              const TileBuffers &buffers,
                              const PackedOperand &array,
                              const TilePlace &place) {
  int64_t pitch = buffers.pitch * transfer.itemSize,
          storedPitch = buffers.pitch * transfer.storedSize;
  if (transfer.computed)
    return forRows(array, place, [&](int64_t row, const std::byte *first) {
      writeRange({wordOf(first), columnStride(array)}, place.columns,
                 *transfer.computed, buffers.values + row * pitch);
    });
  if (!transfer.convert)
    return pack(buffers.values, pitch, array, place);
  auto convert = [&](int64_t row, const std::byte *from) {
    transfer.convert(place.columns, from, transfer.storedSize,
                     buffers.values + row * pitch, transfer.itemSize);
  };
  if (!transfer.stops(columnStride(array), /*isMasked=*/false))
    return forRows(array, place, convert);
  pack(buffers.stored, storedPitch, array, place);
  for (int64_t row = 0; row < place.rows; ++row)
    convert(row, buffers.stored + row * storedPitch);
}

/// Writes a tile of `from`, with `pitch` bytes between rows, where `mask` is
/// true.
static void writeWhere(const TileTransfer &transfer, const std::byte *from,
                       int64_t pitch, const PackedOperand &array,
                       const TilePlace &place, const PackedOperand &mask) {
  auto size = size_t(transfer.storedSize);
  constexpr std::byte zero[16] = {};
  forParts(*array.extents, place, [&](const TilePart &part) {
    TileSide to = sideOf(array, part), truth = sideOf(mask, part);
    for (int64_t r = 0; r < part.rows; ++r) {
      std::byte *row = to.data + r * to.rowStride;
      if (transfer.clears)
        copyStrided(size, place.columns, row, to.columnStride, zero, 0);
      copyWhere(size, place.columns, row, to.columnStride,
                from + (part.first + r) * pitch, transfer.storedSize,
                truth.data + r * truth.rowStride, truth.columnStride);
    }
  });
}

void kern::runtime::takeTile(const TileTransfer &transfer,
                             const TileBuffers &buffers,
                             const PackedOperand &array, const TilePlace &place,
                             const PackedOperand *mask) {
  int64_t pitch = buffers.pitch * transfer.itemSize,
          storedPitch = buffers.pitch * transfer.storedSize;
  const std::byte *from = buffers.values;
  if (transfer.convert) {
    auto convert = [&](int64_t row, std::byte *to) {
      transfer.convert(place.columns, buffers.values + row * pitch,
                       transfer.itemSize, to, transfer.storedSize);
    };
    if (!transfer.stops(columnStride(array), mask != nullptr))
      return forRows(array, place, convert);
    for (int64_t row = 0; row < place.rows; ++row)
      convert(row, buffers.stored + row * storedPitch);
    from = buffers.stored;
  }
  if (mask)
    writeWhere(transfer, from, storedPitch, array, place, *mask);
  else
    unpack(from, storedPitch, array, place);
}

namespace {
/// Copies a tile row by row; or column by column if the rows of `array`, one of
/// the two sides, are nearer to each other than its columns.
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

/// Whether an array is contiguous across its rows, and not along its columns.
bool liesAcross(int64_t size, const TileSide &array) {
  return array.rowStride == size && array.columnStride != size;
}
} // namespace

void kern::runtime::pack(std::byte *buffer, int64_t pitch,
                         const PackedOperand &operand, const TilePlace &place) {
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

void kern::runtime::unpack(const std::byte *buffer, int64_t pitch,
                           const PackedOperand &operand,
                           const TilePlace &place) {
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
