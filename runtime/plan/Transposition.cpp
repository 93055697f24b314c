//===- Transposition.cpp - inputs transposed to the outputs ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Transposition.h"

#include <cstdlib>

using namespace kern::runtime;

/// With strides this large, most of each memory sector is unused.
static constexpr int64_t sectorBytes = 32;
/// Shorter sides leave most of a tile empty.
static constexpr int64_t shortestSide = 16;

/// The dimension with an operand's smallest stride.
static std::optional<size_t> fastest(const Strides &strides) {
  std::optional<size_t> best;
  for (size_t d = 0; d < strides.size(); ++d)
    if (strides[d] != 0 &&
        (!best || std::abs(strides[d]) < std::abs(strides[*best])))
      best = d;
  return best;
}

std::optional<Transposition>
kern::runtime::findTransposition(const Layout &layout,
                                 std::span<const OperandFacts> facts) {
  Transposition transposition;
  std::optional<size_t> along;
  for (size_t k = 0; k < facts.size() && !along; ++k)
    if (facts[k].isOutput)
      along = fastest(layout.strides[k]);
  if (!along || layout.extents[*along] < shortestSide)
    return std::nullopt;
  transposition.along = *along;
  for (size_t k = 0; k < facts.size() && k < 64; ++k) {
    if (facts[k].isScalar || facts[k].isOutput)
      continue;
    const Strides &strides = layout.strides[k];
    std::optional<size_t> own = fastest(strides);
    // An operand that is constant along the outputs' rows is read once per row.
    if (!own || *own == *along || strides[*along] == 0 ||
        std::abs(strides[*along]) < sectorBytes ||
        std::abs(strides[*own]) >= sectorBytes ||
        layout.extents[*own] < shortestSide)
      continue;
    if (transposition.inputs != 0 && *own != transposition.across)
      continue; // only one pair of dimensions is transposed
    transposition.across = *own;
    transposition.inputs |= uint64_t(1) << k;
  }
  return transposition.inputs ? std::optional(transposition) : std::nullopt;
}

Layout kern::runtime::transposed(const Layout &layout,
                                 const Transposition &transposition) {
  std::vector<size_t> order = {transposition.along, transposition.across};
  for (size_t d = 0; d < layout.rank(); ++d)
    if (d != transposition.along && d != transposition.across)
      order.push_back(d);
  auto pick = [&](const Extents &from) {
    Extents to;
    for (size_t d : order)
      to.push_back(from[d]);
    return to;
  };
  Layout out = layout;
  out.extents = pick(layout.extents);
  for (Strides &strides : out.strides)
    strides = pick(strides);
  return out;
}
