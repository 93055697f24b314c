//===- HostThreads.cpp - the number of threads for a loop -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/HostThreads.h"

#include <algorithm>

using namespace kern::runtime;

/// The least work per thread. On a busy machine, waking a thread costs the
/// caller a few microseconds, and it starts after 40.
static constexpr int64_t worthAThread = 100'000'000;
/// For an unknown kernel: an f32 addition in the caches.
static constexpr int64_t anyKernel = 100;
/// Copying an element to or from a buffer, with any stride or conversion.
static constexpr int64_t packedElement = 400;
/// Moving a byte that the first caches do not hold: 33 to 37 were measured for
/// functions of 2^20 elements on a core beside an H100, 48 beside an H200.
static constexpr int64_t movedByte = 40;

int64_t kern::runtime::picoseconds(const HostWork &work) {
  int64_t element = work.kernel ? int64_t(work.kernel) : anyKernel;
  int64_t all = 0, moved = 0;
  if (__builtin_mul_overflow(element, std::max<int64_t>(work.perElement, 1),
                             &element) ||
      __builtin_add_overflow(element, work.packed * packedElement, &element) ||
      __builtin_mul_overflow(element, work.elements, &all) ||
      __builtin_mul_overflow(work.bytes, movedByte, &moved))
    return INT64_MAX;
  return std::max(all, moved);
}

unsigned kern::runtime::hostThreads(int64_t picoseconds, unsigned available) {
  return unsigned(std::clamp<int64_t>(
      picoseconds / worthAThread, 1, std::max<int64_t>(int64_t(available), 1)));
}

unsigned kern::runtime::copyThreads(int64_t bytes, unsigned available) {
  // A core copies some 5 GB/s of what no cache holds.
  constexpr int64_t picosecondsOfByte = 200;
  int64_t time = 0;
  if (__builtin_mul_overflow(bytes, picosecondsOfByte, &time))
    time = INT64_MAX;
  return hostThreads(time, available);
}

unsigned kern::runtime::hostParts(int64_t elements, unsigned threads) {
  // So many tasks for each thread, in case that one of them is held up.
  constexpr int64_t tasks = 4;
  if (threads == 1)
    return 1;
  return unsigned(std::max<int64_t>(tasks * threads / elements, 1));
}
