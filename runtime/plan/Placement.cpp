//===- Placement.cpp - the CPU or a GPU for a call ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Placement.h"

#include "runtime/plan/Pieces.h"

#include <algorithm>

using namespace kern::runtime;

/// What the caches hold is not read from memory again.
static constexpr double cachedBytes = 16 << 20;
/// The cores of a CPU that do the work of one multiprocessor.
static constexpr double coresOfMultiprocessor = 4;
/// The bytes that one thread copies in a second, from memory to memory.
static constexpr double copiedByOne = 8e9;

static double cpuTime(const CallWork &work, const MachineRates &rates) {
  const double threads = work.threads;
  const double computed = work.seconds / threads;
  // A copy moves each byte twice.
  const double bytes = double(work.up) + double(work.down);
  const double rate = std::min(2 * rates.copied, 2 * copiedByOne * threads);
  return std::max(computed, std::max(bytes - cachedBytes, 0.0) / rate);
}

static double gpuTime(const CallWork &work, const MachineRates &rates) {
  const double up = double(work.up), down = double(work.down), all = up + down;
  const double kernel =
      work.seconds / (coresOfMultiprocessor * work.multiprocessors);
  const double onLink = up / rates.toDevice, offLink = down / rates.toHost;
  const auto total = int64_t(std::min(all, double(int64_t(1) << 60)));
  const auto piece = double(pieceBytes(total));
  if (piece >= all) // one step after the other
    return rates.start + onLink + all / copiedByOne + kernel + offLink;
  // The slowest step hides the others, but for those of one piece.
  const double slowest =
      std::max({onLink, offLink, all / rates.copied, kernel});
  const double once = onLink + offLink + all / rates.copied + kernel;
  return rates.start + slowest + (once - slowest) * piece / all;
}

PlaceEstimate kern::runtime::estimatePlaces(const CallWork &work,
                                            const MachineRates &rates) {
  return {cpuTime(work, rates), gpuTime(work, rates)};
}
