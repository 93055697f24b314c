//===- Packing.h - a tile's elements in a buffer ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Layout.h"

#include <cstddef>

namespace kern {

/// Part of an operand: `columns` elements of dimension 0 from `column` on, in
/// each of `rows` rows from `row` on.
struct TilePlace {
  int64_t column = 0, columns = 1;
  int64_t row = 0, rows = 1;
};

/// An operand of a layout.
struct PackedOperand {
  std::byte *data = nullptr; ///< of the first element visited
  const Extents *strides = nullptr;
  const Extents *extents = nullptr;
  size_t itemSize = 1;
};

/// Copies a tile of an operand to or from `buffer`, whose rows lie
/// `pitch` bytes apart and have unit strides.
void pack(std::byte *buffer, int64_t pitch, const PackedOperand &operand,
          const TilePlace &place);
void unpack(const std::byte *buffer, int64_t pitch,
            const PackedOperand &operand, const TilePlace &place);

} // namespace kern
