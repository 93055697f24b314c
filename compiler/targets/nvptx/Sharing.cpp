//===- Sharing.cpp - bodies that stay functions ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Sharing.h"

bool kern::nvptx::sharesBody(BodyFacts facts) {
  // Measured on an H200, throughput of a called body over that of an inlined
  // one: polar_distance 1.01 and pow 1.01; Black-Scholes 0.95, gaussian_pdf
  // 0.96, gelu of f16 0.89.
  constexpr unsigned perValue = 32;
  // As much as one body may have in the thread's own memory when it is small.
  constexpr uint64_t largestFrames = 4096;
  if (facts.calls > 1 && facts.frame * facts.calls > largestFrames)
    return true;
  // Two copies are no more than a function and its calls.
  return facts.calls > 2 && facts.instructions >= perValue * facts.values;
}
