//===- Layout.h - the fewest dimensions that say the same -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over operands of one shape and any strides, reduced to few dimensions
// in memory order. Dimensions of extent 1 are dropped; the others are sorted by
// stride, reversed if every operand has negative strides, and merged if every
// operand's strides nest. Only the order of visits changes, not which elements
// belong together. Pure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/StridedView.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kern::runtime {

/// `a` / `b`, rounded up, for `a` ≥ 0 and `b` > 0.
constexpr int64_t ceilDivide(int64_t a, int64_t b) {
  return a / b + (a % b != 0);
}
/// The least multiple of `b` that is at least `a`.
constexpr int64_t roundUp(int64_t a, int64_t b) { return ceilDivide(a, b) * b; }

struct Layout {
  Extents extents; ///< innermost first; each at least 2, unless `isEmpty`
  /// For each operand, its byte stride in each of `extents`.
  std::vector<Strides> strides;
  /// For each operand, bytes from its data pointer to the first element
  /// visited (not 0 where a dimension was reversed).
  std::vector<int64_t> offsets;
  bool isEmpty = false; ///< some extent is 0: nothing to visit

  size_t rank() const { return extents.size(); }
  int64_t count() const { return isEmpty ? 0 : outerCount(0); }
  /// The number of elements of the dimensions from `first` outwards.
  int64_t outerCount(size_t first) const;
  /// The bytes of an operand's elements, each once; at most 2^56, which is more
  /// than any memory.
  int64_t bytesOf(size_t operand, size_t itemSize) const;
  /// From the first element visited to the first one of row `row`, in bytes;
  /// rows are runs of dimension 0, counted with dimension 1 fastest.
  int64_t rowOffset(size_t operand, int64_t row) const;
};

/// The axes of `shape`, innermost first, sorted by the operands' strides as
/// NumPy's iterator sorts them. C order where strides are equal or operands
/// disagree. `strides` holds each operand's byte strides, outermost first; 0
/// where it is broadcast.
std::vector<unsigned> memoryOrder(std::span<const int64_t> shape,
                                  std::span<const Strides> strides);

/// Byte strides (outermost first) of a dense array whose axes lie in memory
/// in `order` (innermost first).
Strides packedStrides(std::span<const int64_t> shape,
                      std::span<const unsigned> order, size_t itemSize);

/// `shape` and `strides` outermost first.
Layout planLayout(std::span<const int64_t> shape,
                  std::span<const Strides> strides);
/// The same with the order given instead of sorted.
Layout planLayoutInOrder(std::span<const int64_t> shape,
                         std::span<const Strides> strides,
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
  Indices indices;
  Strides current; ///< offsets
};

} // namespace kern::runtime
