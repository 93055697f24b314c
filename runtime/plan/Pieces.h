//===- Pieces.h - a loop cut into pieces ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a call over host arrays is cut for a pipeline (Pipeline.h). Pure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/StridedView.h"

namespace kern::runtime {

/// A part of a loop: a box of its elements.
struct Piece {
  Indices first;
  Extents extents;

  int64_t count() const;
};

/// Boxes of one size, but for the last ones along a dimension, that cover a
/// loop. In memory order they lie one after the other: the innermost dimensions
/// are whole, one is cut, and the outer ones have extent 1.
class Pieces {
public:
  /// `shape` has no extent of 0; `order` holds its dimensions, innermost first.
  /// A piece has at most `most` elements, and at least one.
  Pieces(Extents shape, std::vector<unsigned> order, int64_t most);

  int64_t count() const;
  /// Piece `number`, counted from 0 in memory order.
  Piece operator[](int64_t number) const;
  /// Whether pieces differ in this dimension.
  bool isCut(size_t dimension) const {
    return extents[dimension] < shape[dimension];
  }

private:
  int64_t countAlong(size_t dimension) const;

  Extents shape;
  std::vector<unsigned> order;
  Extents extents; ///< of a whole piece
};

/// How many bytes of all operands a piece has, for a call that moves `total`:
/// enough to outweigh the start of transfers, and few enough that the first
/// upload and the last download, which nothing hides, are short. All of them
/// if a pipeline gains nothing.
int64_t pieceBytes(int64_t total);

} // namespace kern::runtime
