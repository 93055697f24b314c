//===- PlaceTrials.cpp - calls measured on the CPU and on a GPU -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/PlaceTrials.h"

#include <algorithm>

using namespace kern::runtime;

/// Calls of a kind at one place until its time is known, and of short ones,
/// whose times differ more.
static constexpr unsigned enoughCalls = 3, enoughShortCalls = 8;
static constexpr double shortSeconds = 1e-3;
/// Estimates are right within this factor, as measured on several machines.
static constexpr double doubtful = 2;
/// One call that takes so many times as long as at the other place ends the
/// trials of its place, unless it is so short that something else may have been
/// slow.
static constexpr double hopeless = 4, hopelessSeconds = 10e-3;

void PlaceTimes::add(double seconds) {
  if (calls++ > 0)
    least = std::min(least, seconds);
}

void PlaceTimes::exclude() { *this = {.calls = enoughShortCalls}; }

bool PlaceTimes::isKnown() const {
  return calls >= (least < shortSeconds ? enoughShortCalls : enoughCalls);
}

PlaceDecision kern::runtime::decidePlace(const PlaceEstimate &expected,
                                         const PlaceTrials &trials,
                                         bool triesBoth) {
  const bool gpuFirst = expected.prefersGpu();
  const auto [less, more] = std::minmax(expected.onCpu, expected.onGpu);
  if (more > doubtful * less)
    return {.onGpu = gpuFirst};
  const PlaceTimes &first = gpuFirst ? trials.onGpu : trials.onCpu;
  const PlaceTimes &second = gpuFirst ? trials.onCpu : trials.onGpu;
  if (!first.isKnown())
    return {.onGpu = gpuFirst, .isTrial = true};
  const bool isHopeless =
      second.calls > 1 &&
      second.least > std::max(hopeless * first.least, hopelessSeconds);
  if (!second.isKnown() && !isHopeless)
    return {.onGpu = gpuFirst != triesBoth, .isTrial = triesBoth};
  return {.onGpu = trials.onGpu.least < trials.onCpu.least, .isMeasured = true};
}

std::optional<PlaceTrials> PlaceTable::of(const CallKind &kind) {
  std::lock_guard lock(mutex);
  if (const auto at = trials.find(kind); at != trials.end())
    return at->second;
  return trials.size() < mostKinds ? std::optional<PlaceTrials>(std::in_place)
                                   : std::nullopt;
}
