//===- WalkOrder.cpp - results in the memory of inputs --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/WalkOrder.h"

using namespace kern;

/// Whether addresses rise with the elements, none of which lie within others.
static bool rises(const Layout &layout, const Extents &strides) {
  int64_t reach = 1;
  for (size_t d = 0; d < strides.size(); ++d) {
    if (strides[d] < reach)
      return false;
    reach = strides[d] * layout.extents[d];
  }
  return true;
}

std::optional<TileOrder>
kern::walkOrder(const Layout &layout, std::span<const OverlappingPair> pairs) {
  TileOrder order = TileOrder::Any;
  if (layout.rank() == 0 || fastestOuterDimension(layout) != 0)
    return std::nullopt;
  for (const OverlappingPair &pair : pairs) {
    const Extents &strides = layout.strides[pair.written];
    if (strides != layout.strides[pair.read] || !rises(layout, strides))
      return std::nullopt;
    // What is written at an address was read by the elements before it, or by
    // those behind it.
    TileOrder own =
        pair.distance >= 0 ? TileOrder::Ascending : TileOrder::Descending;
    bool isWithin = pair.readSize > strides[0];
    if ((order != TileOrder::Any && order != own) ||
        (own == TileOrder::Descending && isWithin))
      return std::nullopt;
    order = own;
  }
  return order;
}
