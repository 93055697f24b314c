//===- Packing.h - a tile's elements in a buffer ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/space/TileParts.h"

namespace kern {

/// Copies a tile of an operand to or from `buffer`, whose rows lie
/// `pitch` bytes apart and have unit strides.
void pack(std::byte *buffer, int64_t pitch, const PackedOperand &operand,
          const TilePlace &place);
void unpack(const std::byte *buffer, int64_t pitch,
            const PackedOperand &operand, const TilePlace &place);

} // namespace kern
