//===- PlaceTrials.cpp - calls measured on the CPU and on a GPU -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/PlaceTrials.h"

#include <algorithm>

using namespace kern::runtime;

/// Calls of a kind at one place until its time is known.
static constexpr unsigned enoughCalls = 3;
/// Those of short calls, whose times differ more: so many in turn at each
/// place, and as many turns while the places are close. The least of eight
/// calls of 0.1 ms on sixteen threads was measured up to 1.4 times the least of
/// forty.
static constexpr unsigned shortTurn = 8, mostTurns = 4;
static constexpr double shortSeconds = 1e-3, closeFactor = 1.5;
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

void PlaceTimes::exclude() { *this = {.calls = shortTurn * mostTurns}; }

/// Whether a place had its calls of so many turns.
static bool hadTurns(const PlaceTimes &times, unsigned turns) {
  return times.calls >=
         (times.least < shortSeconds ? shortTurn * turns : enoughCalls);
}

static bool areClose(const PlaceTimes &one, const PlaceTimes &other) {
  const auto [less, more] = std::minmax(one.least, other.least);
  return more <= closeFactor * less;
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
  const bool isHopeless =
      second.calls > 1 &&
      second.least > std::max(hopeless * first.least, hopelessSeconds);
  for (unsigned turns = 1; turns <= mostTurns; ++turns) {
    if (!hadTurns(first, turns))
      return {.onGpu = gpuFirst, .isTrial = triesBoth || turns == 1};
    if (!hadTurns(second, turns) && !isHopeless)
      return {.onGpu = gpuFirst != triesBoth, .isTrial = triesBoth};
    if (!areClose(first, second))
      break;
  }
  return {.onGpu = trials.onGpu.least < trials.onCpu.least, .isMeasured = true};
}

std::optional<PlaceTrials> PlaceTable::of(const CallKind &kind) {
  std::lock_guard lock(mutex);
  if (const auto at = trials.find(kind); at != trials.end())
    return at->second;
  return trials.size() < mostKinds ? std::optional<PlaceTrials>(std::in_place)
                                   : std::nullopt;
}
