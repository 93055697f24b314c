//===- WalkOrder.h - results in the memory of inputs ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/HostTiling.h"

namespace kern {

/// An input that shares memory with an operand that is written, both numbers
/// of operands of a layout.
struct OverlappingPair {
  size_t read = 0, written = 0;
  int64_t distance = 0; ///< bytes from the written one's first element visited
  int64_t readSize = 1; ///< bytes of an element
};

/// The order of tiles in which every element is read before it is overwritten,
/// if all of a tile is read before any of it is written and a tile is a range
/// of the layout's elements, counted with dimension 0 fastest. Nothing where
/// there is none: the written one's addresses must rise with the elements, and
/// the read ones be the same distance away. Pure.
std::optional<TileOrder> walkOrder(const Layout &layout,
                                   std::span<const OverlappingPair> pairs);

} // namespace kern
