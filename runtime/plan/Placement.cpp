//===- Placement.cpp - the CPU or a GPU for a call ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constants were measured on an H100 and an H200, each beside 16 cores
// (docs/explanation/decisions/calls.md).
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Placement.h"

#include "runtime/plan/HostThreads.h"
#include "runtime/plan/Layout.h"
#include "runtime/plan/Pieces.h"
#include "runtime/plan/Schedule.h"

#include <algorithm>

using namespace kern::runtime;

/// The bytes that one thread copies in a second, through its last cache and
/// within those before it.
static constexpr double copiedByOne = 11e9, copiedWithin = 24e9;

//===----------------------------------------------------------------------===//
// The CPU
//===----------------------------------------------------------------------===//

/// What the caches hold is not read from memory again.
static constexpr double cachedBytes = 16 << 20;
/// Half of the threads share their cores with the other half, and do so much of
/// what they would do alone.
static constexpr double ofSharedCore = 0.4;
/// Until the threads of the pool work.
static constexpr double wakingThreads = 30e-6;

/// What a core computes and what it moves hide each other, but for so much of
/// the shorter one.
static constexpr double notHidden = 0.3;

static double cpuTime(const CallWork &work, const MachineRates &rates) {
  const double threads = work.threads;
  // A copy moves each byte twice.
  const double rate = 2 * std::min(rates.copied, copiedByOne * threads);
  const double moved = std::max(double(work.arrays) - cachedBytes, 0.0) / rate;
  if (work.threads <= 1)
    return work.seconds + moved;
  const double cores = std::max(double(work.available) / 2, 1.0);
  const double speed =
      std::min(threads, cores) + ofSharedCore * std::max(threads - cores, 0.0);
  const double computing = work.seconds / speed;
  return wakingThreads + std::max(computing, moved) +
         notHidden * std::min(computing, moved);
}

//===----------------------------------------------------------------------===//
// A GPU
//===----------------------------------------------------------------------===//

/// The cores of a CPU that do the work of one multiprocessor.
static constexpr double coresOfMultiprocessor = 4;
/// How many times as long one thread takes as a core, which computes several
/// elements at once, but not those of a loop in order.
static constexpr double slownessOfThread = 60, slownessInOrder = 8;
/// An iteration of a loop in order waits for memory, or for what was brought
/// to shared memory before.
static constexpr double ofIteration = 160e-9, ofStagedIteration = 15e-9;

/// Arrays of so many bytes may be worth being moved from where they are, and
/// of so many stay in a core's own caches.
static constexpr double smallBytes = 4 << 20, ownBytes = 1 << 20;
/// A transfer of a small array, beyond one up and one down.
static constexpr double ofTransfer = 7e-6;
/// What a piece takes before its kernel runs: copies, events and the launch are
/// enqueued.
static constexpr double enqueueing = 50e-6;
/// Waking the threads of a copy: for each one, but so much at most, since those
/// that are awake begin.
static constexpr double wakingOne = 10e-6, wakingAll = 50e-6;
/// The bytes that each of them copies in a second, where the other end of the
/// copy, a piece's staging memory, is in the caches: so much of a piece, and no
/// faster than so many times copies through memory, which have two ends there.
/// The rest goes at the rate of these.
static constexpr double copiedByEach = 5e9, stagedInCaches = 12 << 20,
                        ofOneEnd = 2.5;

ThreadWork kern::runtime::threadWork(const Nest &nest,
                                     const NestExtents &extents,
                                     int64_t indices, int64_t threads) {
  // Each of them is flat.
  if (!nest.phases.empty())
    return {.share = 0};
  // Staged where a call's strides allow it.
  const StrideFacts strides = {.needsStaging = true, .mayStage = true};
  const Schedule schedule = scheduleOf(nest, extents, strides, threads);
  double flat = 1;
  for (int64_t extent : extents.flat)
    flat *= double(std::max<int64_t>(extent, 1));
  const double item = std::max(double(indices) / flat, 1.0);
  const double lanes = schedule.mapping.tile
                           ? 1.0
                           : double(schedule.lanes) * double(schedule.slices);
  ThreadWork work;
  work.share = 1 / (flat * lanes);
  work.isStaged = schedule.mapping.staged;
  if (nest.isElementwise || (nest.hasLoops && nest.isStraight))
    return work;
  // Loops in order are around those that lanes share, or beside them.
  const double shared = double(std::max<int64_t>(extents.shared, 1));
  work.inOrder = item > shared ? item / lanes : item;
  return work;
}

int64_t CallWork::pieces() const {
  constexpr uint64_t enough = uint64_t(1) << 60;
  const auto bytes = int64_t(std::min(arrays, enough));
  return std::clamp<int64_t>(
      ceilDivide(bytes, std::max<int64_t>(pieceBytes(bytes), 1)), 1,
      std::max<int64_t>(elements, 1));
}

/// The kernel of one of so many pieces.
static double kernelTime(const CallWork &work, double pieces) {
  const double ofElement =
      work.seconds / double(std::max<int64_t>(work.elements, 1));
  const ThreadWork &thread = work.thread;
  const double slowness =
      thread.isInOrder() ? slownessInOrder : slownessOfThread;
  return std::max(
      {work.seconds / pieces / (coresOfMultiprocessor * work.multiprocessors),
       ofElement * thread.share * slowness,
       thread.inOrder * (thread.isStaged ? ofStagedIteration : ofIteration)});
}

static double gpuTime(const CallWork &work, const MachineRates &rates) {
  const auto pieces = double(work.pieces());
  const double up = double(work.up) / pieces, down = double(work.down) / pieces;
  const double onLink = up / rates.toDevice, offLink = down / rates.toHost;
  const double kernel = kernelTime(work, pieces);
  const double copied = double(work.pageable) / pieces;
  // One step after the other, through the chunks of Staging.h, as small arrays
  // go in any case.
  if (pieces == 1) {
    const double staged = up + down < smallBytes ? up + down : copied;
    const bool isSmall = up + down < ownBytes;
    const double rate = isSmall ? copiedWithin : copiedByOne;
    const double others =
        isSmall ? ofTransfer * double(std::max(work.transfers, 2u) - 2) : 0;
    return rates.start + others + onLink + staged / rate + kernel + offLink;
  }
  double onHost = enqueueing;
  if (copied > 0) {
    const double threads = copyThreads(int64_t(copied), work.available);
    const double each = copiedByEach * threads;
    const double within = std::min(copied, stagedInCaches);
    onHost += std::min(wakingOne * (threads - 1), wakingAll) +
              within / std::min(ofOneEnd * rates.copied, each) +
              (copied - within) / std::min(rates.copied, each);
  }
  // The slowest step hides the others, but for those of one piece.
  const double slowest = std::max({onLink, offLink, onHost, kernel});
  const double once = onLink + offLink + onHost + kernel;
  return rates.start + pieces * slowest + (once - slowest);
}

PlaceEstimate kern::runtime::estimatePlaces(const CallWork &work,
                                            const MachineRates &rates) {
  return {cpuTime(work, rates), gpuTime(work, rates)};
}
