//===- Policy.cpp - the shape of GPU kernels ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Policy.h"

#include <algorithm>

using namespace kern::loop;

/// Elements of the widest operand that one access reads or writes.
static unsigned vectorFor(OperandShapes facts) {
  constexpr unsigned accessBytes = 16;
  return std::max(1u, accessBytes / std::max(1u, facts.widest));
}

ContiguousShape kern::loop::contiguousShape(OperandShapes facts) {
  // Measured on an H200: alone, an output wants two chunks for each thread and
  // large blocks; with one input, or where the others are likely to be scalars,
  // smaller blocks hide arithmetic better.
  unsigned chunks = facts.arrays == 1 ? 2 : 1;
  unsigned block = facts.arrays == 2 || facts.hasScalarWork ? 128 : 256;
  return {vectorFor(facts), chunks, block};
}

InnerShape kern::loop::innerShape(OperandShapes facts) {
  return {vectorFor(facts), facts.arrays <= 4 ? 2u : 1u, 256};
}

StridedShape kern::loop::stridedShape(OperandShapes facts) {
  return {facts.arrays <= 5 ? 4u : 2u, 256};
}

TileShape kern::loop::tileShape(OperandShapes facts) {
  return facts.widest <= 4 ? TileShape{64, 16} : TileShape{32, 8};
}
