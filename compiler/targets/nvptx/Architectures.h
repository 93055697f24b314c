//===- Architectures.h - the supported GPUs ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>

namespace kern::compiler::nvptx {

struct Architecture {
  unsigned computeCapability; ///< 90 for sm_90
  /// The PTX version that its code declares; 63 for 6.3. It is the oldest that
  /// supports the GPU and, from sm_100 on, accesses of 32 bytes (8.8), so that
  /// older drivers accept the code.
  unsigned ptxVersion;
};

/// In ascending order.
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
/// the nearest lower one, since every GPU accepts the PTX of earlier ones. Null
/// below the first.
constexpr const Architecture *architectureFor(unsigned computeCapability) {
  const Architecture *nearest = nullptr;
  for (const Architecture &row : architectures)
    if (row.computeCapability <= computeCapability)
      nearest = &row;
  return nearest;
}

} // namespace kern::compiler::nvptx
