//===- Divisor.cpp - division by multiplication ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Divisor.h"

#include <bit>

uint64_t kern::divisorWord(uint32_t divisor) {
  auto shift = uint64_t(std::bit_width(divisor - 1)); // ceil(log2(divisor))
  uint64_t excess = (uint64_t(1) << shift) - divisor;
  uint64_t multiplier = (excess << 32) / divisor + 1;
  return shift << 32 | multiplier;
}
