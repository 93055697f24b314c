//===- Layout.cpp - merging dimensions ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Layout.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace kern::runtime;

int64_t Layout::outerCount(size_t first) const {
  int64_t n = 1;
  for (size_t i = first; i < extents.size(); ++i)
    n *= extents[i];
  return n;
}

int64_t Layout::bytesOf(size_t operand, size_t itemSize) const {
  constexpr int64_t most = int64_t(1) << 56;
  auto bytes = int64_t(itemSize);
  for (size_t d = 0; d < rank(); ++d)
    if (strides[operand][d] != 0 &&
        __builtin_mul_overflow(bytes, extents[d], &bytes))
      return most;
  return std::min(bytes, most);
}

int64_t Layout::rowOffset(size_t operand, int64_t row) const {
  int64_t offset = 0;
  for (size_t d = 1; d < rank(); ++d) {
    bool isLast = d + 1 == rank();
    offset += (isLast ? row : row % extents[d]) * strides[operand][d];
    row = isLast ? 0 : row / extents[d];
  }
  return offset;
}

namespace {
/// What the operands imply for two axes: should `outer` be the inner one?
enum class Verdict { Keep, Swap, Indifferent };

Verdict compare(unsigned outer, unsigned inner, std::span<const int64_t> shape,
                std::span<const Strides> strides) {
  // The stride of an axis of extent 1 has no meaning.
  if (shape[outer] == 1 || shape[inner] == 1)
    return Verdict::Indifferent;
  Verdict verdict = Verdict::Indifferent;
  for (const Strides &operand : strides) {
    int64_t outerStride = std::abs(operand[outer]);
    int64_t innerStride = std::abs(operand[inner]);
    if (outerStride == 0 || innerStride == 0)
      continue;
    if (innerStride <= outerStride)
      return Verdict::Keep; // in a conflict C order wins
    verdict = Verdict::Swap;
  }
  return verdict;
}
} // namespace

std::vector<unsigned>
kern::runtime::memoryOrder(std::span<const int64_t> shape,
                           std::span<const Strides> strides) {
  std::vector<unsigned> order(shape.size());
  std::iota(order.rbegin(), order.rend(), 0u);
  // An insertion sort that skips indifferent neighbours, since "should be
  // inner" is not a total order.
  for (size_t i = 1; i < order.size(); ++i) {
    size_t target = i;
    for (size_t j = i; j-- > 0;) {
      Verdict verdict = compare(order[i], order[j], shape, strides);
      if (verdict == Verdict::Keep)
        break;
      if (verdict == Verdict::Swap)
        target = j;
    }
    std::rotate(order.begin() + long(target), order.begin() + long(i),
                order.begin() + long(i) + 1);
  }
  return order;
}

Strides kern::runtime::packedStrides(std::span<const int64_t> shape,
                                     std::span<const unsigned> order,
                                     size_t itemSize) {
  Strides strides(shape.size());
  uint64_t stride = itemSize; // may wrap, but only if an extent is 0
  for (unsigned axis : order) {
    strides[axis] = int64_t(stride);
    stride *= uint64_t(std::max<int64_t>(shape[axis], 1));
  }
  return strides;
}

Layout kern::runtime::planLayout(std::span<const int64_t> shape,
                                 std::span<const Strides> strides) {
  return planLayoutInOrder(shape, strides, memoryOrder(shape, strides));
}

Layout kern::runtime::planLayoutInOrder(std::span<const int64_t> shape,
                                        std::span<const Strides> strides,
                                        std::span<const unsigned> order) {
  Layout layout;
  size_t operands = strides.size();
  layout.strides.resize(operands);
  layout.offsets.assign(operands, 0);
  for (int64_t extent : shape)
    layout.isEmpty |= extent == 0;
  if (layout.isEmpty)
    return layout;

  for (unsigned axis : order) {
    int64_t extent = shape[axis];
    if (extent == 1)
      continue;
    bool backwards = false, forwards = false;
    for (const Strides &operand : strides) {
      backwards |= operand[axis] < 0;
      forwards |= operand[axis] > 0;
    }
    bool flip = backwards && !forwards;
    auto strideOf = [&](size_t k) {
      return flip ? -strides[k][axis] : strides[k][axis];
    };
    if (flip)
      for (size_t k = 0; k < operands; ++k)
        layout.offsets[k] += strides[k][axis] * (extent - 1);

    bool nests = !layout.extents.empty();
    for (size_t k = 0; k < operands && nests; ++k) {
      int64_t span = 0;
      nests = !__builtin_mul_overflow(layout.strides[k].back(),
                                      layout.extents.back(), &span) &&
              strideOf(k) == span;
    }
    if (nests) {
      layout.extents.back() *= extent;
      continue;
    }
    layout.extents.push_back(extent);
    for (size_t k = 0; k < operands; ++k)
      layout.strides[k].push_back(strideOf(k));
  }
  return layout;
}

Odometer::Odometer(const Layout &layout, size_t first, int64_t start)
    : layout(layout), first(first),
      indices(layout.rank() > first ? layout.rank() - first : 0, 0),
      current(layout.strides.size(), 0) {
  for (size_t k = 0; k < indices.size(); ++k) {
    indices[k] = start % layout.extents[first + k];
    start /= layout.extents[first + k];
    for (size_t operand = 0; operand < current.size(); ++operand)
      current[operand] += indices[k] * layout.strides[operand][first + k];
  }
}

void Odometer::advance() {
  for (size_t k = 0; k < indices.size(); ++k) {
    int64_t extent = layout.extents[first + k];
    bool wraps = ++indices[k] == extent;
    for (size_t operand = 0; operand < current.size(); ++operand) {
      int64_t stride = layout.strides[operand][first + k];
      current[operand] += wraps ? -stride * (extent - 1) : stride;
    }
    if (!wraps)
      return;
    indices[k] = 0;
  }
}
