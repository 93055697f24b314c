//===- Architectures.h - the GPUs that PTX is made for ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>

namespace kern::nvptx {

struct Architecture {
  unsigned computeCapability; ///< 90 for sm_90
  /// The PTX version that text for it declares: the oldest that knows it, and
  /// the accesses of 32 bytes that GPUs have from sm_100 on (8.8), so that
  /// older drivers take it. 63 for 6.3.
  unsigned ptxVersion;
};

/// In order.
inline constexpr std::array<Architecture, 12> architectures = {{{75, 63},
                                                                {80, 70},
                                                                {86, 71},
                                                                {87, 74},
                                                                {88, 90},
                                                                {89, 78},
                                                                {90, 78},
                                                                {100, 88},
                                                                {103, 88},
                                                                {110, 90},
                                                                {120, 88},
                                                                {121, 88}}};

/// The row whose PTX a GPU of this compute capability runs best: its own, else
/// the nearest lower one, since every GPU takes the PTX of those before it.
/// NULL below the first.
constexpr const Architecture *architectureFor(unsigned computeCapability) {
  const Architecture *nearest = nullptr;
  for (const Architecture &row : architectures)
    if (row.computeCapability <= computeCapability)
      nearest = &row;
  return nearest;
}

} // namespace kern::nvptx
