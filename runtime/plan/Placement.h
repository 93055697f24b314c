//===- Placement.h - the CPU or a GPU for a call ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a call over host arrays is expected to be faster. Pure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace kern::runtime {

/// What a GPU and the machine around it do, as kern_rates has it.
struct MachineRates {
  double toDevice = 0, toHost = 0, copied = 0; ///< bytes per second
  double start = 0;                            ///< seconds
};

/// What a call does.
struct CallWork {
  uint64_t up = 0, down = 0; ///< bytes that a GPU needs and makes
  double seconds = 0;        ///< of one core of the CPU
  unsigned threads = 1;      ///< that the CPU uses for it
  int multiprocessors = 1;
};

/// Expected times, in seconds.
struct PlaceEstimate {
  double onCpu = 0, onGpu = 0;
  /// Estimates are rough: without a clear gain the CPU it is, where the call
  /// would run without being asked.
  bool prefersGpu() const { return onGpu < 0.9 * onCpu; }
};

PlaceEstimate estimatePlaces(const CallWork &work, const MachineRates &rates);

} // namespace kern::runtime
