//===- Crossing.h - operands that disagree about the order -----*- C++ -*--===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Form.h"

namespace kern {

/// Two dimensions of a layout: in `along` the outputs' elements lie side by
/// side, in `across` those of some inputs that are far apart in `along`.
struct Crossing {
  size_t along = 0;
  size_t across = 0;
  uint64_t inputs = 0; ///< bit k: input k lies across
  bool operator==(const Crossing &) const = default;
};

/// Nothing if operands agree well enough, or the extents of the two dimensions
/// are too short for tiles.
std::optional<Crossing> findCrossing(const Layout &layout,
                                     std::span<const OperandFacts> facts);

/// The layout with these dimensions first.
Layout arranged(const Layout &layout, const Crossing &crossing);

} // namespace kern
