//===- Policy.cpp - the shape of GPU kernels ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Policy.h"

#include <algorithm>

using namespace kern::loop;

ContiguousShape kern::loop::contiguousShape(ContiguousFacts facts) {
  constexpr unsigned accessBytes = 16;
  unsigned vector = std::max(1u, accessBytes / std::max(1u, facts.widest));
  // A single stream of narrow chunks would leave too few bytes in flight.
  unsigned chunks = facts.arrays == 1 ? 2 : 1;
  return {vector, chunks, 256};
}
