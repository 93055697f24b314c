//===- ResidentRows.cpp - which rows stay in registers --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/ResidentRows.h"

#include <algorithm>
#include <bit>

using namespace kern::runtime;

/// Two blocks of this many threads fit on a multiprocessor, with 64 registers
/// each.
static constexpr int64_t maxResidentLanes = cooperatingLanes;

bool kern::runtime::fitRows(const Nest &nest, const NestExtents &extents,
                            int64_t lanes) {
  int64_t chunks = extents.resident / int64_t(nest.chunk);
  return lanes <= maxResidentLanes && chunks > 0 &&
         chunks <= lanes * int64_t(nest.residentChunks) &&
         extents.resident % nest.chunk <= lanes;
}

std::optional<unsigned> kern::runtime::lanesForRows(const Nest &nest,
                                                    const NestExtents &extents,
                                                    int64_t threads) {
  if (!nest.residentChunks || extents.resident < nest.chunk)
    return std::nullopt;
  int64_t chunks = extents.resident / nest.chunk,
          tail = extents.resident % nest.chunk;
  auto lanes = int64_t(std::bit_ceil(uint64_t(
      std::max(ceilDivide(chunks, int64_t(nest.residentChunks)), tail))));
  while (lanes < maxResidentLanes &&
         saturatingProduct(extents.items(), lanes) < threads &&
         chunks >= 2 * lanes)
    lanes *= 2;
  if (lanes > maxResidentLanes)
    return std::nullopt;
  return unsigned(lanes);
}

void kern::runtime::keepRows(Schedule &schedule, const Nest &nest,
                             const NestExtents &extents) {
  schedule.mapping.resident = true;
  schedule.mapping.chunks = unsigned(ceilDivide(
      extents.resident / int64_t(nest.chunk), int64_t(schedule.lanes)));
}

/// Two blocks of 512 lanes, each with part of a row in registers, work on a
/// multiprocessor of 2048 threads.
static int64_t residentBlocks(int64_t threads) {
  return threads / (2 * maxResidentLanes);
}

/// The iterations of each slice but the last, given the number of slices.
static int64_t sliceSize(int64_t extent, int64_t slices) {
  return ceilDivide(extent, slices * sliceUnit) * sliceUnit;
}

/// Measured on an H100, mean and variance of 2^28 f32 in shares of a copy: rows
/// of 2^16 0.83 by blocks that wait for each other and 0.89 recentred, of 2^20
/// 0.56 and 0.92.
bool kern::runtime::recentres(const Nest &nest, const NestExtents &extents) {
  constexpr int64_t longestWaiting = 1 << 15;
  return nest.recentres && extents.resident > longestWaiting;
}

/// The lanes of slices that wait for no other and keep `each` iterations a
/// lane. Small blocks begin and end at different times, so that memory is busy
/// while some of them combine: of rows of 2^20 f32, 512 lanes reach 0.80 of a
/// copy on an H100, 256 lanes 0.89 and 128 lanes 0.92.
static unsigned lanesOfRecentred(int64_t extent, int64_t each) {
  constexpr int64_t manySlices = 1 << 15;
  unsigned lanes = 128;
  while (lanes < cooperatingLanes &&
         ceilDivide(extent, lanes * each) > manySlices)
    lanes *= 2;
  return lanes;
}

std::optional<RowParts>
kern::runtime::partsOfRows(const Nest &nest, const NestExtents &extents,
                           int64_t wanted, int64_t threads, bool isRecentred) {
  // So many are combined quickly.
  constexpr int64_t mostRecentred = 1 << 16;
  // Shares of a copy on an H200, rows of 2^20: f32 0.78 by six chunks a lane,
  // 0.90 by eight; f64 0.52 by four, 0.67 by six, 0.60 by eight.
  constexpr unsigned ofSingles = 8, ofOthers = 6;
  const unsigned recentredChunks = nest.chunk == 4 ? ofSingles : ofOthers;
  if (!nest.residentChunks || !nest.launches)
    return std::nullopt;
  const int64_t most = isRecentred ? mostRecentred : residentBlocks(threads);
  const unsigned chunks = isRecentred
                              ? std::min(nest.residentChunks, recentredChunks)
                              : nest.residentChunks;
  const int64_t each = int64_t(chunks) * int64_t(nest.chunk);
  const unsigned lanes =
      isRecentred ? lanesOfRecentred(extents.resident, each) : cooperatingLanes;
  const int64_t kept = lanes * each;
  // The lanes of the last slice, too, share whole chunks.
  auto fits = [&](int64_t slices) {
    int64_t size = sliceSize(extents.resident, slices);
    int64_t last = extents.resident - (slices - 1) * size;
    return size <= kept && last >= int64_t(nest.chunk);
  };
  const int64_t fewest =
      std::max<int64_t>(ceilDivide(extents.resident, kept), 1);
  wanted = std::clamp(wanted, fewest, std::max(fewest, most));
  for (int64_t slices = wanted; slices >= fewest; --slices)
    if (slices <= most && fits(slices))
      return RowParts{slices, lanes};
  for (int64_t slices = wanted + 1; slices <= most; ++slices)
    if (fits(slices))
      return RowParts{slices, lanes};
  return std::nullopt;
}

int64_t kern::runtime::busySlices(const Nest &nest, const NestExtents &extents,
                                  int64_t threads) {
  constexpr int64_t chunksEach = 2;
  int64_t items = std::max<int64_t>(extents.items(), 1);
  return std::min(residentBlocks(threads) / items,
                  extents.resident /
                      (maxResidentLanes * int64_t(nest.chunk) * chunksEach));
}

void kern::runtime::keepParts(Schedule &schedule, const Nest &nest,
                              const NestExtents &extents, int64_t threads) {
  int64_t size = sliceSize(extents.resident, schedule.slices);
  schedule.mapping.resident = true;
  schedule.mapping.chunks =
      unsigned(ceilDivide(size, int64_t(nest.chunk) * schedule.lanes));
  if (schedule.mapping.isCooperative())
    schedule.teams =
        std::max<int64_t>(residentBlocks(threads) / schedule.slices, 1);
}
