//===- Layout.h - the fewest dimensions that say the same -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over operands of one shape, whatever their strides, as a loop over
// few dimensions in memory order: dimensions of extent 1 are dropped, the rest
// sorted by stride, reversed where every operand runs backwards, and merged
// where every operand's strides nest. Which element meets which stays the
// same; only the order of the visits changes. Pure functions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/StridedView.h"

#include <span>
#include <vector>

namespace kern {

struct Layout {
  Extents extents; ///< innermost first; each at least 2, unless `isEmpty`
  /// For each operand, its byte stride in each of `extents`.
  std::vector<Extents> strides;
  /// For each operand, bytes from its data pointer to the first element
  /// visited (not 0 where a dimension was reversed).
  std::vector<int64_t> offsets;
  bool isEmpty = false; ///< some extent is 0: nothing to visit

  size_t rank() const { return extents.size(); }
  int64_t count() const { return isEmpty ? 0 : outerCount(0); }
  /// The number of elements of the dimensions from `first` outwards.
  int64_t outerCount(size_t first) const;
  /// From the first element visited to the first one of row `row`, in bytes;
  /// rows are runs of dimension 0, counted with dimension 1 fastest.
  int64_t rowOffset(size_t operand, int64_t row) const;
};

/// The axes of `shape` from the one that is to be innermost outwards: sorted
/// by the operands' strides as NumPy's iterator does. Where operands disagree
/// or none cares, C order wins. `strides` holds each operand's byte strides,
/// outermost first, 0 where it is broadcast.
std::vector<unsigned> memoryOrder(std::span<const int64_t> shape,
                                  std::span<const Extents> strides);

/// Byte strides (outermost first) of a dense array whose axes lie in memory
/// in `order` (innermost first).
Extents packedStrides(std::span<const int64_t> shape,
                      std::span<const unsigned> order, size_t itemSize);

/// `shape` and `strides` outermost first.
Layout planLayout(std::span<const int64_t> shape,
                  std::span<const Extents> strides);
/// The same with the order given instead of sorted.
Layout planLayoutInOrder(std::span<const int64_t> shape,
                         std::span<const Extents> strides,
                         std::span<const unsigned> order);

/// Walks over the dimensions of a layout from `first` outwards, keeping each
/// operand's byte offset (which does not include Layout::offsets).
class Odometer {
public:
  /// Starts at linear position `start`, the innermost dimension fastest.
  Odometer(const Layout &layout, size_t first, int64_t start);
  int64_t offset(size_t operand) const { return current[operand]; }
  /// The index in dimension `first + k`.
  int64_t index(size_t k) const { return indices[k]; }
  void advance();

private:
  const Layout &layout;
  size_t first;
  Extents indices, current;
};

} // namespace kern
