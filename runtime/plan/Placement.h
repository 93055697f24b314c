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

#include "runtime/plan/NestLayout.h"

#include <cstdint>

namespace kern::runtime {

/// What a GPU and the machine around it do, as kern_rates has it.
struct MachineRates {
  double toDevice = 0, toHost = 0, copied = 0; ///< bytes per second
  double start = 0;                            ///< seconds
};

/// The part of a loop element that one thread of a GPU has, however many
/// threads there are.
struct ThreadWork {
  double share = 1;      ///< of the loop element's work; 0: next to nothing
  double inOrder = 0;    ///< iterations that go one after the other
  bool isStaged = false; ///< these find their elements in shared memory

  bool isInOrder() const { return inOrder > 1; }
};
/// Of a gufunc's call. `indices` are those of the core dimensions of a loop
/// element, `threads` the GPU's resident threads.
ThreadWork threadWork(const Nest &nest, const NestExtents &extents,
                      int64_t indices, int64_t threads);

/// What a call does. One record, since the times depend on all of it.
struct CallWork {
  uint64_t up = 0, down = 0; ///< bytes that a GPU needs and makes
  uint64_t pageable = 0;     ///< of these, what the CPU copies on the way
  uint64_t arrays = 0;       ///< bytes of all arrays, each once
  unsigned transfers = 0;    ///< of an array, to a GPU or from it
  int64_t elements = 1;      ///< of the loop
  double seconds = 0;        ///< of one core of the CPU
  unsigned threads = 1;      ///< that the CPU uses for it
  unsigned available = 1;    ///< threads that copies may use
  int multiprocessors = 1;
  ThreadWork thread = {};

  /// How many pieces a GPU takes one after the other (Pieces.h).
  int64_t pieces() const;
};

/// Expected times, in seconds.
struct PlaceEstimate {
  double onCpu = 0, onGpu = 0;
  /// Estimates are rough: without a clear gain the CPU it is, where the call
  /// would run without being asked.
  bool prefersGpu() const { return onGpu < 0.95 * onCpu; }
};

PlaceEstimate estimatePlaces(const CallWork &work, const MachineRates &rates);

} // namespace kern::runtime
