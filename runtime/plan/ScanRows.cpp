//===- ScanRows.cpp - where the rows of scans go --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/ScanRows.h"

#include <algorithm>
#include <bit>

using namespace kern::runtime;

static constexpr int64_t warp = 32;

unsigned kern::runtime::lanesOfScan(int64_t chunks, unsigned most) {
  if (chunks <= warp)
    return std::bit_ceil(unsigned(std::max<int64_t>(chunks, 1)));
  int64_t ofWarp = warp * int64_t(most);
  if (chunks > ofWarp * (cooperatingLanes / warp))
    return 0;
  return unsigned(warp) * std::bit_ceil(unsigned(ceilDivide(chunks, ofWarp)));
}

ScanTeams kern::runtime::scanTeams(int64_t items, int64_t tiles,
                                   int64_t blocks) {
  items = std::max<int64_t>(items, 1);
  tiles = std::max<int64_t>(tiles, 1);
  ScanTeams best;
  int64_t least = INT64_MAX;
  for (int64_t slices = 1; slices <= std::min(tiles, blocks); ++slices) {
    int64_t teams = std::clamp<int64_t>(blocks / slices, 1, items);
    // Between two rows of a team nothing is being fetched.
    constexpr int64_t ofRow = 1;
    int64_t rounds = saturatingProduct(ceilDivide(items, teams),
                                       ceilDivide(tiles, slices) + ofRow);
    if (rounds < least) {
      least = rounds;
      best = {slices, teams};
    }
  }
  return best;
}

static int64_t chunksOf(const Nest &nest, const NestExtents &extents) {
  return ceilDivide(std::max<int64_t>(extents.resident, 0),
                    int64_t(nest.chunk));
}

/// A group of lanes keeps each row.
static void keep(Schedule &schedule, const Nest &nest,
                 const NestExtents &extents) {
  schedule.mapping.resident = true;
  schedule.mapping.chunks = unsigned(std::max<int64_t>(
      ceilDivide(chunksOf(nest, extents), int64_t(schedule.lanes)), 1));
  if (schedule.lanes > warp)
    schedule.mapping.chunks = nest.residentChunks;
}

/// A block of each multiprocessor works on the tiles of rows.
static void lookBack(Schedule &schedule, const Nest &nest,
                     const NestExtents &extents, int64_t threads) {
  constexpr int64_t threadsOfMultiprocessor = 2048;
  int64_t tile = int64_t(cooperatingLanes) * nest.residentChunks;
  ScanTeams found =
      scanTeams(extents.items(), ceilDivide(chunksOf(nest, extents), tile),
                std::max<int64_t>(threads / threadsOfMultiprocessor, 1));
  schedule.mapping.sliced = schedule.mapping.resident = true;
  schedule.mapping.chunks = nest.residentChunks;
  schedule.lanes = cooperatingLanes;
  schedule.slices = found.slices;
  schedule.teams = found.teams;
  schedule.sharedBytes = tilesAheadBytes;
}

/// The rows of a block have 32 lanes, or one for rows of a single chunk.
static void goAcross(Schedule &schedule) {
  schedule.mapping.across = true;
  if (schedule.lanes == 1)
    return;
  schedule.lanes = std::max(schedule.lanes, unsigned(warp));
  schedule.block = unsigned(warp * warp);
}

/// With so many rows, blocks that go across finish before those that look back:
/// these read a sector of memory for each element.
static constexpr int64_t manyAcross = 256;

/// Sets the lanes, and returns whether these can keep a row.
static bool fits(Schedule &schedule, const Nest &nest,
                 const NestExtents &extents, unsigned most) {
  unsigned lanes = lanesOfScan(chunksOf(nest, extents), nest.residentChunks);
  schedule.lanes = std::min(lanes ? lanes : cooperatingLanes, most);
  return lanes == schedule.lanes;
}

Schedule kern::runtime::scheduleOfScan(Schedule schedule, const Nest &nest,
                                       const NestExtents &extents,
                                       StrideFacts strides, ScanLimits limits) {
  if (fits(schedule, nest, extents, limits.maxLanes)) {
    if (strides.goesAcross)
      goAcross(schedule);
    else
      keep(schedule, nest, extents);
  } else if (strides.goesAcross && extents.items() >= manyAcross) {
    goAcross(schedule);
  } else if (nest.launches && limits.maxLanes >= cooperatingLanes) {
    lookBack(schedule, nest, extents, limits.threads);
  }
  return schedule;
}

Schedule kern::runtime::forcedScan(Schedule schedule, Mapping wanted,
                                   const Nest &nest, const NestExtents &extents,
                                   ScanLimits limits) {
  constexpr int64_t several = 3;
  schedule = {{.flat = schedule.mapping.flat}};
  const bool isShort = fits(schedule, nest, extents, limits.maxLanes);
  const bool maySlice =
      nest.launches > 0 && limits.maxLanes >= cooperatingLanes;
  if (wanted.sliced && wanted.resident && maySlice) {
    lookBack(schedule, nest, extents, limits.threads);
    schedule.slices = schedule.teams = several;
  } else if (wanted.sliced && maySlice) {
    schedule.mapping.sliced = true;
    schedule.slices = std::clamp<int64_t>(extents.shared, 1, several);
  } else if (wanted.across && nest.isStraight) {
    goAcross(schedule);
  } else if (wanted.resident && isShort) {
    keep(schedule, nest, extents);
  }
  return schedule;
}
