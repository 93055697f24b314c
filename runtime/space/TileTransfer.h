//===- TileTransfer.h - tiles between arrays and buffers --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/Convert.h"
#include "runtime/plan/Words.h"
#include "runtime/space/TileParts.h"

namespace kern::runtime {

/// How an operand's elements are copied from its array into a buffer of the
/// kernel's type, or back. If the array has another type they are converted; if
/// there is a mask, only elements under it are written back.
struct TileTransfer {
  int64_t itemSize = 1;          ///< in the buffer
  int64_t storedSize = 1;        ///< in the array
  ConvertLoop convert = nullptr; ///< NULL: both have the same type
  bool clears = false;           ///< writes 0 where the mask is false
  /// A range: addresses are its numbers, and it is written as this type.
  std::optional<DType> computed = std::nullopt;

  static TileTransfer of(const KernelOperand &operand);
  /// Whether elements go through a second buffer, of the array's type, because
  /// conversions need dense rows. `columnStride` is the array's.
  bool stops(int64_t columnStride, bool isMasked) const {
    return convert && (isMasked || columnStride != storedSize);
  }
  /// One element of the kernel's type; `converted` may be its memory.
  const std::byte *element(const std::byte *stored, Value &converted) const;
};

/// Two buffers of a tile, whose rows lie `pitch` elements apart, without gaps.
struct TileBuffers {
  std::byte *values = nullptr; ///< of the kernel's type
  std::byte *stored = nullptr; ///< of the array's, where TileTransfer::stops()
  int64_t pitch = 1;
};

/// Copies a tile of the array into the buffer.
void bringTile(const TileTransfer &transfer, const TileBuffers &buffers,
               const PackedOperand &array, const TilePlace &place);
/// Copies the buffer into the array. `mask` is of bool over the same layout, or
/// NULL.
void takeTile(const TileTransfer &transfer, const TileBuffers &buffers,
              const PackedOperand &array, const TilePlace &place,
              const PackedOperand *mask);

/// Copies a tile of an operand to or from `buffer`, whose rows lie
/// `pitch` bytes apart and have unit strides.
void pack(std::byte *buffer, int64_t pitch, const PackedOperand &operand,
          const TilePlace &place);
void unpack(const std::byte *buffer, int64_t pitch,
            const PackedOperand &operand, const TilePlace &place);

} // namespace kern::runtime
