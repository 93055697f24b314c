//===- StandIns.cpp - schedules of kernels in place of others -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Schedule.h"

#include <algorithm>

using namespace kern::runtime;

std::optional<StandIn> kern::runtime::untilMade(const Schedule &schedule,
                                                const Nest &nest,
                                                const NestExtents &extents) {
  const Nest::Tile *tile = nest.tileOf(schedule.mapping);
  // Smaller tiles are made as quickly as no tile. Matrix units add in an order
  // of their own.
  constexpr unsigned small = 16;
  if (!tile || tile->usesMatrixUnits() || tile->columns < small ||
      !nest.roundsAlike)
    return std::nullopt;
  const int64_t iterations =
      saturatingProduct(extents.items(), std::max<int64_t>(extents.shared, 1));
  if (iterations > mostForNow)
    return std::nullopt;
  return StandIn{{.mapping = {.flat = true, .phase = schedule.mapping.phase}},
                 iterations};
}

Nest kern::runtime::within(Nest nest, const Mapping &mapping) {
  if (!mapping.sliced)
    nest.launches = 0;
  if (!mapping.recentred)
    nest.recentres = false;
  if (!mapping.privatised)
    nest.privatised.clear();
  if (!mapping.staged)
    nest.stages.clear();
  if (!mapping.spread)
    for (Nest::Stage &stage : nest.stages)
      stage.spreadBytes = 0;
  std::erase_if(nest.tiles, [&](const Nest::Tile &tile) {
    return tile.columns != mapping.tile;
  });
  nest.unrolled = {};
  return nest;
}
