//===- SubLayout.cpp - the part of a layout that fits one launch ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/SubLayout.h"
#include "runtime/plan/Geometry.h"

#include <algorithm>
#include <cstdlib>

using namespace kern::runtime;

/// The most indices of a launch; leaves room for a block beyond the end.
static constexpr int64_t maxIndices = (int64_t(1) << 31) - (1 << 16);
static constexpr int64_t maxBytes = (int64_t(1) << 31) - 1;

/// If the operand with the widest span exceeds 32-bit offsets, the dimension
/// that contributes most to that span.
static std::optional<size_t> beyondOffsets(const Layout &layout) {
  __int128 furthest = maxBytes;
  std::optional<size_t> dimension;
  for (const Strides &strides : layout.strides) {
    __int128 span = 0, longestReach = 0;
    size_t longest = 0;
    for (size_t d = 0; d < layout.rank(); ++d) {
      __int128 reach = __int128(std::abs(strides[d])) * (layout.extents[d] - 1);
      span += reach;
      if (reach > longestReach) {
        longestReach = reach;
        longest = d;
      }
    }
    if (span > furthest) {
      furthest = span;
      dimension = longest;
    }
  }
  return dimension;
}

std::optional<size_t> kern::runtime::dimensionToHalve(Form form,
                                                      const Layout &layout,
                                                      int64_t blocks) {
  bool isNarrow =
      form == Form::Inner || form == Form::Tiled || form == Form::Strided;
  if (isNarrow)
    if (std::optional<size_t> dimension = beyondOffsets(layout))
      return dimension;
  if (blocks <= maxBlocks && !(isNarrow && layout.count() > maxIndices))
    return std::nullopt;
  return size_t(std::ranges::max_element(layout.extents) -
                layout.extents.begin());
}

std::pair<SubLayout, SubLayout> kern::runtime::halves(const Layout &layout,
                                                      size_t dimension) {
  constexpr int64_t unit = 4096;
  int64_t half = layout.extents[dimension] / 2;
  if (half > unit)
    half = half / unit * unit;
  SubLayout first = {layout, std::vector<int64_t>(layout.strides.size(), 0)};
  SubLayout second = first;
  first.layout.extents[dimension] = half;
  second.layout.extents[dimension] -= half;
  for (size_t k = 0; k < layout.strides.size(); ++k)
    second.moved[k] = half * layout.strides[k][dimension];
  return {std::move(first), std::move(second)};
}
