//===- Policy.h - how kernels use the CPU's vectors -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions from facts about a kernel to the shape of its vector loop.
// They do not depend on the CPU, so every CPU groups elements in the same way.
// One with narrower registers uses several of them for a vector.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace kern::ir::loop {

struct VectorFacts {
  unsigned widest = 4;     ///< bytes of the widest value
  unsigned operations = 1; ///< of the body
  bool hasCalls = false;   ///< the body calls elementary functions
  bool hasLoops = false;   ///< the body has loops: elements run one by one
  bool waits = false;      ///< elements leave a loop at different times
};

struct VectorShape {
  unsigned lanes = 1;   ///< elements of a vector
  unsigned vectors = 1; ///< side by side
  unsigned elements() const { return lanes * vectors; }
  bool operator==(const VectorShape &) const = default;
};

/// Vectors of 64 bytes. Short bodies take several at once, so that their loads
/// overlap. Bodies with calls do not: calls leave no registers for that.
VectorShape vectorShape(VectorFacts facts);

/// Whether a body with branches runs in vectors across elements (VectorBody.h).
/// Otherwise LLVM makes vectors of the loop over elements and choices of the
/// branches, so that all elements compute both sides. That is for short bodies
/// without loops and calls.
bool runsInLanes(VectorFacts facts);
/// The shape for such a body, of whose values only those count that vary
/// between elements. With loops it is one vector of 64 bytes, of at most 16
/// elements if each waits for the slowest of the others.
VectorShape laneShape(VectorFacts facts);

/// Whether a gufunc whose operands have so many elements for each loop element
/// runs in vectors across loop elements. Longer rows are read better along
/// them.
bool runsAcrossElements(int64_t coreElements);
/// How many vectors of a row a gufunc takes at once across loop elements side
/// by side, each of a cache line: memory gives neighbouring lines sooner, and
/// fewer pages are visited again.
inline constexpr unsigned acrossVectors[] = {8, 4, 2, 1};
/// How many where all that a body does is to add up sums, one after the other,
/// each in so many registers; and where these have few elements, of which
/// several are added up at once.
inline constexpr unsigned acrossVectorsOfSums = 16, acrossVectorsOfFew = 4;
/// How many where it adds up one sum, by panels of loop elements; and of rows
/// that have no panel.
inline constexpr unsigned acrossVectorsInPanels = 4,
                          acrossVectorsBesidePanels[] = {4, 2, 1};
/// The most bytes of local arrays on the stack of a thread that does so, which
/// may be small. Those of each number of vectors may be there at once.
inline constexpr int64_t mostStackAcross = int64_t(1) << 18,
                         mostStackOfPanels = int64_t(3) << 17;

/// Whether so many elements of an operand, for each of the lanes, are moved to
/// vectors before the body and back after it. To put many in order takes long
/// to compile.
bool passesInVectors(int64_t elements, unsigned lanes);

/// The estimated time for one element, in picoseconds on one core, if so many
/// operations are done for `lanes` elements at once.
unsigned picosecondsOf(int64_t operations, unsigned lanes);

} // namespace kern::ir::loop
