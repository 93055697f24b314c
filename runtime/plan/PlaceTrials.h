//===- PlaceTrials.h - calls measured on the CPU and on a GPU ---*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Estimates that are close decide little: then the first calls of a kind run at
// both places, and their times decide. Pure, but for the table.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Placement.h"

#include <limits>
#include <map>
#include <mutex>
#include <optional>

namespace kern::runtime {

/// What the calls of one kind took at one place.
struct PlaceTimes {
  unsigned calls = 0;
  /// Seconds of the fastest. The first one does not count: it compiles, and
  /// makes threads and memory.
  double least = std::numeric_limits<double>::infinity();

  void add(double seconds);
  /// The place cannot run such calls.
  void exclude();
};

struct PlaceTrials {
  PlaceTimes onCpu, onGpu;
};

struct PlaceDecision {
  bool onGpu = false;
  bool isTrial = false;    ///< the call's time is wanted
  bool isMeasured = false; ///< times decided, not estimates
};
/// With `triesBoth` false only the place that is expected to be faster is
/// tried.
PlaceDecision decidePlace(const PlaceEstimate &expected,
                          const PlaceTrials &trials, bool triesBoth);

/// Calls of a loop that take about the same time at one place.
struct CallKind {
  int64_t indices = 0;                     ///< of loop and core dimensions
  uint64_t up = 0, down = 0, pageable = 0; ///< (CallWork)
  unsigned threads = 0;                    ///< that the CPU may use
  int gpu = 0;

  auto operator<=>(const CallKind &) const = default;
};

/// The trials of a loop's calls. Thread-safe.
class PlaceTable {
public:
  /// Nothing for one more kind than the table keeps: such calls are not tried.
  std::optional<PlaceTrials> of(const CallKind &kind);
  /// Changes the trials of `kind`, if the table keeps them.
  template <typename Change> void change(const CallKind &kind, Change change) {
    std::lock_guard lock(mutex);
    if (trials.size() < mostKinds || trials.contains(kind))
      change(trials[kind]);
  }

private:
  static constexpr size_t mostKinds = 256;
  std::mutex mutex;
  std::map<CallKind, PlaceTrials> trials;
};

} // namespace kern::runtime
