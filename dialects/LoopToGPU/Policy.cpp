//===- Policy.cpp - the shape of GPU kernels ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Policy.h"

#include <algorithm>

using namespace kern::ir::loop;

/// The bytes of the widest access on every GPU.
static constexpr unsigned usualAccess = 16;

unsigned kern::ir::loop::widestAccess(unsigned computeCapability) {
  return computeCapability >= 100 ? 32 : usualAccess;
}

bool kern::ir::loop::waitsItself(unsigned computeCapability) {
  return computeCapability >= 90;
}

bool kern::ir::loop::hasFmaOfBF16(unsigned computeCapability) {
  return computeCapability >= 80;
}

/// The elements of one access.
static unsigned vectorFor(unsigned bytes, unsigned accessBytes) {
  return std::max(1u, accessBytes / std::max(1u, bytes));
}

/// Whether the threads of a long body take two accesses of each operand: as
/// long as these have few elements, which are inlined one by one, and registers
/// allow it.
static bool sharesWork(OperandShapes facts, unsigned vector) {
  return vector <= 4 && facts.arrays <= 4;
}

ContiguousShape kern::ir::loop::contiguousShape(OperandShapes facts,
                                                unsigned computeCapability) {
  unsigned accessBytes = widestAccess(computeCapability);
  ContiguousShape shape;
  shape.vector = vectorFor(facts.widest, accessBytes);
  shape.fullVector = facts.hasScalarWork
                         ? vectorFor(facts.widestWithScalars, accessBytes)
                         : shape.vector;
  // Measured on an H200 with 2^28 elements. One input and one output run best
  // in blocks of 128 threads, with two accesses per thread if the body is long.
  // Outputs alone run best with two accesses and large blocks, three arrays
  // with large blocks. One access of 32 bytes replaces two of 16: it keeps as
  // many bytes in flight, with as many copies of the body.
  // Stores of few bytes, as of truth values, are many for what they move.
  bool storesLittle = facts.arrays == 2 && facts.isTiny &&
                      facts.widestResult * 4 <= facts.widest;
  // Inputs behind a mask are on the way for half of a thread's time alone.
  bool waitsForMask =
      facts.isMasked && (facts.isTiny || sharesWork(facts, shape.vector));
  bool wantsTwo = facts.arrays == 1 || facts.hasScalarWork || storesLittle ||
                  waitsForMask ||
                  (facts.isLong && sharesWork(facts, shape.vector));
  unsigned accesses = wantsTwo && accessBytes == usualAccess ? 2 : 1;
  shape.elements = accesses * shape.fullVector;
  // A launch of few blocks takes as long as one thread. So a tiny body gets the
  // fast path, which reads arrays as soon as two words are known.
  // A long body gets it too, since issuing instructions limits it, and a tenth
  // of them or more would be tests and indices.
  shape.hasFullPath = wantsTwo || facts.isTiny || facts.isLong;
  shape.block =
      facts.arrays == 2 || facts.hasScalarWork || facts.isLong ? 128 : 256;
  return shape;
}

InnerShape kern::ir::loop::innerShape(OperandShapes facts) {
  return {vectorFor(facts.widest, usualAccess), facts.arrays <= 4 ? 2u : 1u,
          256};
}

StridedShape kern::ir::loop::stridedShape(OperandShapes facts) {
  return {facts.arrays <= 5 ? 4u : 2u, 256};
}

TileShape kern::ir::loop::tileShape(OperandShapes facts) {
  return facts.widest <= 4 ? TileShape{64, 16} : TileShape{32, 8};
}
