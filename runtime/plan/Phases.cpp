//===- Phases.cpp - which bodies have a kernel for each loop --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Schedule.h"

#include <algorithm>

using namespace kern::runtime;

bool kern::runtime::goesInPhases(const Schedule &whole, int64_t elements,
                                 int64_t items) {
  const Mapping &mapping = whole.mapping;
  // What several phases read is on chip, or short rows would be read again.
  constexpr int64_t shortRow = 256;
  if (mapping.resident || mapping.staged || mapping.privatised ||
      items / std::max<int64_t>(elements, 1) < shortRow)
    return false;
  // A chain of launches it is anyway, or it costs little beside the work.
  constexpr int64_t worthLaunches = 1 << 20;
  return mapping.sliced || items >= worthLaunches;
}
