//===- Crossing.cpp - operands that disagree about the order --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Crossing.h"

#include <cstdlib>

using namespace kern;

/// Strides from here on leave most of what is fetched from memory at once
/// unused.
static constexpr int64_t sectorBytes = 32;
/// Shorter sides leave most of a tile empty.
static constexpr int64_t shortestSide = 16;

/// The dimension in which an operand moves in the smallest steps.
static std::optional<size_t> fastest(const Extents &strides) {
  std::optional<size_t> best;
  for (size_t d = 0; d < strides.size(); ++d)
    if (strides[d] != 0 &&
        (!best || std::abs(strides[d]) < std::abs(strides[*best])))
      best = d;
  return best;
}

std::optional<Crossing>
kern::findCrossing(const Layout &layout, std::span<const OperandFacts> facts) {
  Crossing crossing;
  std::optional<size_t> along;
  for (size_t k = 0; k < facts.size() && !along; ++k)
    if (facts[k].isOutput)
      along = fastest(layout.strides[k]);
  if (!along || layout.extents[*along] < shortestSide)
    return std::nullopt;
  crossing.along = *along;
  for (size_t k = 0; k < facts.size() && k < 64; ++k) {
    if (facts[k].isScalar || facts[k].isOutput)
      continue;
    const Extents &strides = layout.strides[k];
    std::optional<size_t> own = fastest(strides);
    // An operand that stands still along the outputs is read once a row.
    if (!own || *own == *along || strides[*along] == 0 ||
        std::abs(strides[*along]) < sectorBytes ||
        std::abs(strides[*own]) >= sectorBytes ||
        layout.extents[*own] < shortestSide)
      continue;
    if (crossing.inputs != 0 && *own != crossing.across)
      continue; // one pair of dimensions is turned; others are read as they lie
    crossing.across = *own;
    crossing.inputs |= uint64_t(1) << k;
  }
  return crossing.inputs ? std::optional(crossing) : std::nullopt;
}

Layout kern::arranged(const Layout &layout, const Crossing &crossing) {
  std::vector<size_t> order = {crossing.along, crossing.across};
  for (size_t d = 0; d < layout.rank(); ++d)
    if (d != crossing.along && d != crossing.across)
      order.push_back(d);
  auto pick = [&](const Extents &from) {
    Extents to;
    for (size_t d : order)
      to.push_back(from[d]);
    return to;
  };
  Layout out = layout;
  out.extents = pick(layout.extents);
  for (Extents &strides : out.strides)
    strides = pick(strides);
  return out;
}
