//===- Policy.cpp - how kernels use the CPU's vectors ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Policy.h"

#include <algorithm>

using namespace kern::ir::loop;

VectorShape kern::ir::loop::vectorShape(VectorFacts facts) {
  constexpr unsigned vectorBytes = 64;
  if (facts.hasLoops)
    return {};
  unsigned lanes = vectorBytes / std::clamp(facts.widest, 1u, 8u);
  if (facts.hasCalls)
    return {lanes, 1};
  return {lanes, facts.operations <= 8 ? 4u : facts.operations <= 24 ? 2u : 1u};
}

bool kern::ir::loop::runsInLanes(VectorFacts facts) {
  return facts.hasLoops || facts.hasCalls || facts.operations > 24;
}

VectorShape kern::ir::loop::laneShape(VectorFacts facts) {
  constexpr unsigned mostThatWait = 16;
  bool hasLoops = facts.hasLoops;
  facts.hasLoops = false;
  VectorShape shape = vectorShape(facts);
  if (facts.waits)
    shape.lanes = std::min(shape.lanes, mostThatWait);
  return {shape.lanes, hasLoops ? 1 : shape.vectors};
}

bool kern::ir::loop::runsAcrossElements(int64_t coreElements) {
  return coreElements <= 64;
}

bool kern::ir::loop::passesInVectors(int64_t elements, unsigned lanes) {
  return elements >= 1 && elements <= 16 && elements * lanes <= 192;
}

unsigned kern::ir::loop::picosecondsOf(int64_t operations, unsigned lanes) {
  constexpr int64_t cycle = 333; // picoseconds, at 3 GHz
  return unsigned(std::clamp<int64_t>(operations * cycle / std::max(lanes, 1u),
                                      1, INT32_MAX));
}
