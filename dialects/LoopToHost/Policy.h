//===- Policy.h - how kernels use the CPU's vectors -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions from facts about a kernel to the shape of its vector loop.
// Nothing here depends on the CPU: one with narrower vectors uses several of
// them for each, and every CPU groups elements alike.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace kern::loop {

struct VectorFacts {
  unsigned widest = 4;     ///< bytes of the widest value that is computed with
  unsigned operations = 1; ///< of the body
  bool hasCalls = false;   ///< the body calls elementary functions
  bool hasLoops = false;   ///< the body loops: its elements run one by one
};

struct VectorShape {
  unsigned lanes = 1;   ///< elements of a vector
  unsigned vectors = 1; ///< side by side
  unsigned elements() const { return lanes * vectors; }
  bool operator==(const VectorShape &) const = default;
};

/// Vectors of 64 bytes. Short bodies take several at once, so that their loads
/// wait for nothing; not around calls, which leave no registers for that.
VectorShape vectorShape(VectorFacts facts);

/// About how long so many operations take on one core, in picoseconds, done
/// for `lanes` elements at once: the share of one element.
unsigned picosecondsOf(int64_t operations, unsigned lanes);

} // namespace kern::loop
